use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::rt::time::timeout;
use actix_web::web;
use bolts_ports::{Queries, Replicas, Result};
use bolts_usecases::App;
use tracing::Span;

use crate::error::Problem;
use crate::keys::hash_of_key;
use crate::server::State;
use crate::session::has_session_cookie;

/// The maximum time of a read on a replica. After it, the read begins again on the primary.
const REPLICA_WITHIN: Duration = Duration::from_secs(2);

/// The maximum time that the answer to a read waits for the disk.
const DISK_WITHIN: Duration = Duration::from_secs(5);

/// Waits until everything that queries have seen so far is on the disk. Fails with a 503 if the disk is too slow.
pub(crate) async fn on_disk(queries: &Arc<dyn Queries>) -> Result<(), Problem> {
    let Some(pending) = queries.on_disk() else { return Ok(()) };
    let reached = timeout(DISK_WITHIN, pending).await;
    if matches!(reached, Ok(Ok(()))) { Ok(()) } else { Err(Problem::unavailable()) }
}

/// Reads a piece of a stream on a thread that may block. Completes when the piece is on the disk. The middleware waits only once,
/// before the first piece.
pub(crate) async fn piece<T, F>(queries: &Arc<dyn Queries>, ask: F) -> Result<T, Problem>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    let found = on_a_thread(ask).await?;
    on_disk(queries).await?;
    Ok(found)
}

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
    let queries = queries.clone();
    Ok(on_a_thread(move || ask(&queries)).await??)
}

/// Runs `ask` on a thread that may block, in the span of the request. Fails with a 503 if `ask` panics or the server is
/// stopping.
pub(crate) async fn on_a_thread<T: Send + 'static>(
    ask: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    // The boxes hide the types of the query and of its result. So the compiler makes one kind of tokio's tasks, and not
    // one for each query.
    type Work = Box<dyn FnOnce() -> Box<dyn Any + Send> + Send>;
    let request = Span::current();
    let work: Work = Box::new(move || Box::new(request.in_scope(ask)));
    let answer = web::block(work).await.map_err(|_| Problem::unavailable())?;
    answer.downcast().map(|answer| *answer).map_err(|_| Problem::internal())
}

/// Runs a query on public data. The query of a visitor runs on a replica if one is fresh enough, and again on the primary if
/// the replica fails. The query of a signed-in user runs on the primary, so that users see what they just did.
pub(crate) async fn read_public<T, F>(
    state: &web::Data<State>,
    is_visitor: bool,
    ask: F,
) -> Result<T, Problem>
where
    T: Send + 'static,
    F: Fn(&App) -> Result<T> + Send + Sync + 'static,
{
    let ask = Arc::new(ask);
    if let Some(replicas) = state.replicas.as_deref().filter(|_| is_visitor) {
        let found = on_replica(state, replicas, ask.clone()).await;
        let from = if found.is_some() { "replica" } else { "primary" };
        metrics::counter!("bolts_visitor_reads_total", "from" => from).increment(1);
        if let Some(found) = found {
            return Ok(found);
        }
    }
    let app = state.app.clone();
    read(state, move |_| ask(&app)).await
}

async fn on_replica<T, F>(state: &web::Data<State>, replicas: &dyn Replicas, ask: Arc<F>) -> Option<T>
where
    T: Send + 'static,
    F: Fn(&App) -> Result<T> + Send + Sync + 'static,
{
    let (number, queries) = replicas.fresh()?;
    let app = state.app.reading_from(queries);
    if let Ok(Ok(Ok(found))) = timeout(REPLICA_WITHIN, on_a_thread(move || ask(&app))).await {
        return Some(found);
    }
    replicas.failed(number);
    None
}

/// Whether a request comes from a visitor: it has neither a session cookie nor an API key.
pub(crate) fn is_of_visitor(request: &HttpRequest) -> bool {
    !has_session_cookie(request) && hash_of_key(request).is_none()
}
