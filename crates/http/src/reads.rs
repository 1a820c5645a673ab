use std::sync::Arc;

use actix_web::web;
use bolts_ports::{Queries, Result};
use tracing::Span;

use crate::error::Problem;
use crate::server::State;

/// Runs a query. On SQLite the query runs on the calling thread, because a look-up in a local file costs less than
/// a switch of threads. On PostgreSQL the query runs on a thread that may block.
pub(crate) async fn read<T, F>(state: &web::Data<State>, ask: F) -> Result<T, Problem>
where
    T: Send + 'static,
    F: FnOnce(&Arc<dyn Queries>) -> Result<T> + Send + 'static,
{
    let queries = state.app.queries();
    if state.settings.reads_in_place {
        return Ok(ask(queries)?);
    }
    let (queries, request) = (queries.clone(), Span::current());
    let answer = web::block(move || request.in_scope(|| ask(&queries))).await;
    Ok(answer.map_err(|_| Problem::unavailable())??)
}
