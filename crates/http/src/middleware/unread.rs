//! Closes connections whose chunked request body was not read to its end.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, EitherBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::error::PayloadError;
use actix_web::http::header::TRANSFER_ENCODING;
use actix_web::middleware::Next;
use actix_web::web::Bytes;
use actix_web::{Error, HttpMessage};
use futures_util::{Stream, StreamExt};

/// Keeps a chunked body alive until the answer is sent. Then actix closes the connection, as it does after
/// any unread body. If the body were dropped earlier, actix would read it without a limit of size or time.
pub(crate) async fn hold_chunked_body<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, Held>>, Error> {
    if !request.headers().contains_key(TRANSFER_ENCODING) {
        return next.call(request).await.map(ServiceResponse::map_into_left_body);
    }
    let held = Shared(Rc::new(RefCell::new(request.take_payload())));
    request.set_payload(Payload::Stream { payload: Box::pin(held.clone()) });
    let response = next.call(request).await?;
    Ok(response.map_body(|_, body| EitherBody::right(Held { body: body.boxed(), _request: held })))
}

/// The body of a request with two owners: its reader and the answer.
#[derive(Clone)]
struct Shared(Rc<RefCell<Payload>>);

impl Stream for Shared {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.borrow_mut().poll_next_unpin(context)
    }
}

/// The body of an answer. It also owns the body of the request.
pub(crate) struct Held {
    body: BoxBody,
    _request: Shared,
}

impl MessageBody for Held {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.body).poll_next(context)
    }
}
