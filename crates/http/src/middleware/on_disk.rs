use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::middleware::Next;
use actix_web::{Error, ResponseError, web};

use crate::error::Problem;
use crate::server::State;

/// Lets the answer to a read wait until the changes that it may show are on the disk. The answer to a write waits in the
/// store.
pub(crate) async fn show_what_is_on_disk<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    // The check of the process reads nothing. A slow disk is no reason to end the process.
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD) && request.path() != "/healthz";
    let response = next.call(request).await?;
    let state = response.request().app_data::<web::Data<State>>().filter(|_| is_read);
    let pending = state.and_then(|state| state.app.queries().on_disk());
    if let Some(pending) = pending
        && !matches!(pending.await, Ok(Ok(())))
    {
        let refused = response.into_response(Problem::unavailable().error_response());
        return Ok(refused.map_into_right_body());
    }
    Ok(response.map_into_left_body())
}
