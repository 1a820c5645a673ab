use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::middleware::Next;
use actix_web::{Error, ResponseError, web};

use crate::reads::on_disk;
use crate::server::State;

/// Lets the answer to a read wait until the changes that it may show are on the disk. A change waits in the store.
pub(crate) async fn show_what_is_on_disk<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let waits = is_read(&request);
    let response = next.call(request).await?;
    let queries = response.request().app_data::<web::Data<State>>().map(|state| state.app.queries().clone());
    if waits
        && let Some(queries) = queries
        && let Err(problem) = on_disk(&queries).await
    {
        return Ok(response.into_response(problem.error_response()).map_into_right_body());
    }
    Ok(response.map_into_left_body())
}

/// Whether the answer to a request can show data. `/healthz` does not wait, because a supervisor may end a process that does not
/// answer, and that would not make a slow disk faster.
fn is_read(request: &ServiceRequest) -> bool {
    let path = request.path();
    matches!(*request.method(), Method::GET | Method::HEAD)
        && path != "/healthz"
        && !path.starts_with("/assets/")
}
