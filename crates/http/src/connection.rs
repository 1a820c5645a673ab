//! Time limits for the head of every request on a connection, and for the client to read the answers. The limits of
//! actix-http do not suffice, for three reasons. actix-http limits only the head of the first request, and stops its
//! keep-alive timer at the first byte of the next request. So after one complete request, a client could send the next
//! head byte by byte for an unlimited time. It looks at its timer before it reads. So a server that was too busy to read
//! for that time would answer 408 to a request that has arrived. And it has no limit for an answer that the client does
//! not read. The memory of the answer would stay in use for as long as the client keeps the connection open.

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

/// The maximum time for the head of a request to arrive: from the start of the connection for its first request, from
/// the first byte for the others.
const HEAD_PATIENCE: Duration = Duration::from_secs(5);

/// The maximum time without progress of a client that reads an answer. The system reports progress only when about a third of
/// [`SEND_BUFFER`] is free again, so a client must read some 6 kB a second. An event stream without events has nothing to
/// send, so the limit does not apply to it.
const READING_PATIENCE: Duration = Duration::from_secs(30);

/// The bytes of answers that the system holds for a slow client. Linux doubles the value. Its own choice grows to 4 MB, and a
/// slow client would have to read a third of them for some progress.
pub(crate) const SEND_BUFFER: usize = 256 << 10;

/// The time that is added once to a deadline that has passed. If the server was too busy until then, it now sees the bytes
/// that have arrived, or that the client has read: tokio looks at its connections before it looks at its timers again.
const EXTENSION: Duration = Duration::from_millis(100);

/// The maximum time that a connection without a request stays open. It is longer than the time limit of most proxies
/// (60 s). Otherwise a proxy could send a request into a connection that the server is closing.
pub(crate) const IDLE_CONNECTION: Duration = Duration::from_secs(75);

/// The state of the requests on a connection. The stream and the requests share this value.
#[derive(Clone, Default)]
struct Progress(Rc<Counts>);

#[derive(Default)]
struct Counts {
    /// The number of requests since the connection was opened.
    begun: Cell<u64>,
    /// The number of requests that are being answered.
    open: Cell<u64>,
    /// Whether the client has sent bytes since the latest request began: a part of its body, or of the next head.
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

/// A request that is being answered. Dropping the value ends the request.
pub(crate) struct Open(Progress);

impl Drop for Open {
    fn drop(&mut self) {
        let open = &self.0.0.open;
        open.set(open.get().saturating_sub(1));
    }
}

/// A time limit that is extended once.
struct Timer {
    sleep: Pin<Box<Sleep>>,
    is_extended: bool,
}

impl Timer {
    fn new(patience: Duration) -> Self {
        Self { sleep: Box::pin(sleep(patience)), is_extended: false }
    }

    fn has_passed(&mut self, context: &mut Context<'_>) -> bool {
        if self.sleep.as_mut().poll(context).is_pending() {
            return false;
        }
        if self.is_extended {
            return true;
        }
        *self = Self { is_extended: true, ..Self::new(EXTENSION) };
        self.sleep.as_mut().poll(context).is_ready()
    }
}

/// The time until which the client must send more bytes.
struct Deadline {
    /// The number of requests when the deadline was set. When a further request begins, the deadline no longer applies.
    begun: u64,
    /// Whether the client has sent a part of a head, so that the rest must follow. Otherwise the connection is idle.
    of_head: bool,
    timer: Timer,
}

/// A TCP stream that reports its end if the head of a request does not arrive in time, and an error if the client does not
/// read an answer. To actix, the client seems to have closed the connection.
pub(crate) struct TimedStream {
    stream: TcpStream,
    progress: Progress,
    deadline: Option<Deadline>,
    reading_patience: Duration,
    /// The time until which the client must read a part of the answer that waits for it.
    unread: Option<Timer>,
}

impl TimedStream {
    pub(crate) fn new(stream: TcpStream) -> Self {
        Self::with_patience(stream, READING_PATIENCE)
    }

    fn with_patience(stream: TcpStream, reading_patience: Duration) -> Self {
        Self { stream, progress: Progress::default(), deadline: None, reading_patience, unread: None }
    }

    /// Gives the requests of this connection access to the connection's `Progress`.
    pub(crate) fn introduce(&self, data: &mut Extensions) {
        data.insert(self.progress.clone());
    }

    fn arm(&mut self, of_head: bool) {
        let patience = if of_head { HEAD_PATIENCE } else { IDLE_CONNECTION };
        let (begun, timer) = (self.progress.0.begun.get(), Timer::new(patience));
        self.deadline = Some(Deadline { begun, of_head, timer });
    }

    /// Updates the deadline after a read of `received` bytes. Returns whether the deadline has passed.
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
        let is_new = begun == 0 && self.deadline.is_none();
        if is_new || (received > 0 && !has_head) {
            self.arm(true);
        } else if received == 0 && sent_more && self.deadline.is_none() {
            // The client may have sent a part of the next head with the last request. actix has then stopped its timer.
            self.arm(false);
        }
        self.deadline.as_mut().is_some_and(|deadline| deadline.timer.has_passed(context))
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
        // A successful read of 0 bytes means the end of the stream, so actix closes the connection.
        if read.is_pending() && has_passed { Poll::Ready(Ok(())) } else { read }
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(context, bytes);
        if written.is_ready() {
            // A client that still receives an answer is not idle.
            this.deadline.take_if(|deadline| !deadline.of_head);
            this.unread = None;
            return written;
        }
        let patience = this.reading_patience;
        let unread = this.unread.get_or_insert_with(|| Timer::new(patience));
        if unread.has_passed(context) { Poll::Ready(Err(io::ErrorKind::TimedOut.into())) } else { written }
    }

    // A TCP stream has nothing to flush, so this never waits for the client.
    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

/// Counts each request as open in the `Progress` of its connection, from its complete head to the end of its answer.
pub(crate) async fn note_request<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<Held<Option<Open>>>, Error> {
    let open = request.request().conn_data::<Progress>().map(Progress::begin);
    let response = next.call(request).await?;
    Ok(response.map_body(|_, body| Held::new(body.boxed(), open)))
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::io::Read;
    use std::net;

    use actix_web::rt;

    use super::*;

    /// More bytes than the buffers of a connection hold.
    const ANSWER: usize = 64 << 20;

    /// A connection of the server, and its client.
    fn connection(reading_patience: Duration) -> (TimedStream, net::TcpStream) {
        let listener = net::TcpListener::bind("127.0.0.1:0").unwrap();
        let client = net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (server, _) = listener.accept().unwrap();
        server.set_nonblocking(true).unwrap();
        (TimedStream::with_patience(TcpStream::from_std(server).unwrap(), reading_patience), client)
    }

    async fn write(server: &mut TimedStream, bytes: &[u8]) -> io::Result<usize> {
        poll_fn(|context| Pin::new(&mut *server).poll_write(context, bytes)).await
    }

    /// Writes until the connection takes no more bytes. Returns their number.
    async fn fill(server: &mut TimedStream, bytes: &[u8]) -> usize {
        let mut written = 0;
        poll_fn(|context| {
            while let Poll::Ready(more) = Pin::new(&mut *server).poll_write(context, bytes) {
                written += more.unwrap();
            }
            Poll::Ready(())
        })
        .await;
        written
    }

    #[test]
    fn an_answer_that_its_client_does_not_read_is_cut_off() {
        rt::System::new().block_on(async {
            let (mut server, _client) = connection(Duration::from_millis(50));
            let answer = vec![0_u8; ANSWER];
            let send = async {
                let mut sent = 0;
                while sent < ANSWER {
                    sent += write(&mut server, &answer[sent..]).await?;
                }
                Ok::<_, io::Error>(())
            };
            let sent = rt::time::timeout(Duration::from_secs(60), send).await;
            assert_eq!(
                sent.expect("the limit ends it").map_err(|error| error.kind()),
                Err(io::ErrorKind::TimedOut)
            );
        });
    }

    #[test]
    fn a_client_that_reads_again_has_the_whole_time_again() {
        rt::System::new().block_on(async {
            let (mut server, mut client) = connection(Duration::from_secs(600));
            let answer = vec![0_u8; ANSWER];
            assert_eq!(write(&mut server, b"data: {}").await.unwrap(), 8);
            assert!(server.unread.is_none(), "an event stream that waits for events may wait for ever");
            let sent = 8 + fill(&mut server, &answer).await;
            assert!(server.unread.is_some());
            client.read_exact(&mut vec![0_u8; sent]).unwrap();
            write(&mut server, &answer).await.unwrap();
            assert!(server.unread.is_none());
        });
    }
}
