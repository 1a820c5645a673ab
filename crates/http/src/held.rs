use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::web::Bytes;

/// The body of an answer, together with a value that is dropped after the answer is sent or abandoned.
pub(crate) struct Held<T> {
    body: BoxBody,
    _kept: T,
}

impl<T> Held<T> {
    pub(crate) fn new(body: BoxBody, kept: T) -> Self {
        Self { body, _kept: kept }
    }
}

impl<T: Unpin> MessageBody for Held<T> {
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
