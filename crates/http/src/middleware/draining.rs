use actix_http::ConnectionType;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{Error, web};

use crate::server::State;

/// Closes each connection after its answer while the server is about to stop. Otherwise a proxy could send the next
/// request into a connection that the server is closing, and would answer 502 to a POST, which it may not repeat.
pub(crate) async fn close_when_draining<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let mut response = next.call(request).await?;
    let state = response.request().app_data::<web::Data<State>>();
    if state.is_some_and(|state| state.hub.is_draining()) {
        response.response_mut().head_mut().set_connection_type(ConnectionType::Close);
    }
    Ok(response)
}
