//! Closes connections whose chunked request body was not read to its end.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::error::PayloadError;
use actix_web::http::header::TRANSFER_ENCODING;
use actix_web::middleware::Next;
use actix_web::web::Bytes;
use actix_web::{Error, HttpMessage};
use futures_util::{Stream, StreamExt};

use crate::held::Held;

/// Keeps a chunked request body open until its answer is sent. If the body was not read to its end, actix then closes
/// the connection. If the body were dropped earlier, actix would read it to its end, without a limit on size or time.
pub(crate) async fn hold_chunked_body<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, Held<Shared>>>, Error> {
    if !request.headers().contains_key(TRANSFER_ENCODING) {
        return next.call(request).await.map(ServiceResponse::map_into_left_body);
    }
    let held = Shared(Rc::new(RefCell::new(request.take_payload())));
    request.set_payload(Payload::Stream { payload: Box::pin(held.clone()) });
    let response = next.call(request).await?;
    Ok(response.map_body(|_, body| EitherBody::right(Held::new(body.boxed(), held))))
}

/// A request body with two owners: the handler that reads the body, and the answer.
#[derive(Clone)]
pub(crate) struct Shared(Rc<RefCell<Payload>>);

impl Stream for Shared {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.borrow_mut().poll_next_unpin(context)
    }
}
