//! Times the head of every request on a connection. actix-http times the head of the first request alone, and ends its
//! keep-alive timer at the first byte of the next one: whoever sent one whole request could trickle the next for ever.

use std::cell::Cell;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{Extensions, ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::rt::net::TcpStream;
use actix_web::rt::time::{Sleep, sleep};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::held::Held;

/// How long a client may take to send a request's head.
pub(crate) const HEAD_PATIENCE: Duration = Duration::from_secs(5);

/// How long a connection without a request stays open: longer than proxies keep theirs, commonly 60 s, or one of them
/// would send a request into a connection that is being closed.
pub(crate) const IDLE_CONNECTION: Duration = Duration::from_secs(75);

/// How far a connection is with its requests; shared by its stream and by the requests that come over it.
#[derive(Clone, Default)]
struct Progress(Rc<Counts>);

#[derive(Default)]
struct Counts {
    /// Requests that have begun, over the connection's life.
    begun: Cell<u64>,
    /// Requests that are being answered.
    open: Cell<u64>,
    /// Whether the client sent anything since the latest request began: its body, or the head of the next request.
    sent_more: Cell<bool>,
}

impl Progress {
    fn begin(&self) -> Open {
        let counts = &self.0;
        counts.begun.set(counts.begun.get() + 1);
        counts.open.set(counts.open.get() + 1);
        counts.sent_more.set(false);
        Open(self.clone())
    }
}

/// A request that is being answered, until it is dropped.
pub(crate) struct Open(Progress);

impl Drop for Open {
    fn drop(&mut self) {
        let open = &self.0.0.open;
        open.set(open.get().saturating_sub(1));
    }
}

/// Until when the client has to go on.
struct Deadline {
    /// How many requests had begun when it was set. It is void once another one begins.
    begun: u64,
    /// Whether part of a head has come, so that only its rest is waited for.
    of_head: bool,
    timer: Pin<Box<Sleep>>,
}

/// A connection that ends, as if the client had closed it, where the head of a request does not come in time.
pub(crate) struct TimedStream {
    stream: TcpStream,
    progress: Progress,
    deadline: Option<Deadline>,
}

impl TimedStream {
    pub(crate) fn new(stream: TcpStream) -> Self {
        Self { stream, progress: Progress::default(), deadline: None }
    }

    /// Lets the requests of this connection find its progress.
    pub(crate) fn introduce(&self, data: &mut Extensions) {
        data.insert(self.progress.clone());
    }

    fn arm(&mut self, of_head: bool) {
        let patience = if of_head { HEAD_PATIENCE } else { IDLE_CONNECTION };
        let (begun, timer) = (self.progress.0.begun.get(), Box::pin(sleep(patience)));
        self.deadline = Some(Deadline { begun, of_head, timer });
    }

    /// Looks at the deadline after a read that gave so many bytes; answers whether it has passed.
    fn watch(&mut self, received: usize, context: &mut Context<'_>) -> bool {
        let counts = &self.progress.0;
        let (begun, is_answering) = (counts.begun.get(), counts.open.get() > 0);
        if is_answering {
            counts.sent_more.set(counts.sent_more.get() || received > 0);
            self.deadline = None;
            return false;
        }
        let sent_more = counts.sent_more.get();
        self.deadline.take_if(|deadline| deadline.begun != begun);
        let has_head = self.deadline.as_ref().is_some_and(|deadline| deadline.of_head);
        if received > 0 && !has_head {
            self.arm(true);
        } else if received == 0 && sent_more && self.deadline.is_none() {
            // Part of the next head may have come with the last request. actix has ended its own timer then.
            self.arm(false);
        }
        self.deadline.as_mut().is_some_and(|deadline| deadline.timer.as_mut().poll(context).is_ready())
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(context, buffer);
        let has_passed = this.watch(buffer.filled().len() - before, context);
        // Nothing read is the end of the stream.
        if read.is_pending() && has_passed { Poll::Ready(Ok(())) } else { read }
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(context, bytes);
        if written.is_ready() {
            // A client that still takes an answer is not idle.
            this.deadline.take_if(|deadline| !deadline.of_head);
        }
        written
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

/// Tells the connection of each request, from its whole head to the end of its answer.
pub(crate) async fn note_request<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<Held<Option<Open>>>, Error> {
    let open = request.request().conn_data::<Progress>().map(Progress::begin);
    let response = next.call(request).await?;
    Ok(response.map_body(|_, body| Held::new(body.boxed(), open)))
}
