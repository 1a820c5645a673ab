use std::convert::Infallible;
use std::time::{Duration, Instant};

use actix_session::Session;
use actix_web::http::StatusCode;
use actix_web::web::Bytes;
use actix_web::{HttpResponse, rt, web};
use bolts_ports::About;
use futures_util::future::{Either, select};
use futures_util::stream::unfold;
use futures_util::{FutureExt, StreamExt};

use crate::error::Problem;
use crate::hub::{Closing, Subscription};
use crate::lookups;
use crate::server::State;
use crate::session::{SignedIn, secret_of};

/// The time between two heartbeats of a stream. Proxies close connections that carry no data for a long time.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// The time after which a stream checks whether its session has ended. A hint tells this earlier, but hints may be lost.
const CHECK_EVERY: Duration = Duration::from_mins(1);

/// The last line of a stream that a newer stream of the same user has replaced. It tells the browser to wait a
/// minute before it connects again. Without this wait, many open pages would replace each other's streams all
/// the time.
const FAREWELL: &str = "retry: 60000\n\n";

struct Stream {
    state: web::Data<State>,
    secret: String,
    subscription: Subscription,
    is_greeted: bool,
    has_ended: bool,
    /// The time of the last check of the session.
    checked: Instant,
}

/// Hints that something changed, as server-sent events: `notification`, `balance`, `bet`. The first event,
/// `last-hint`, says how long ago the user got the last hint before the stream was open.
#[utoipa::path(get, path = "/api/events", operation_id = "streamEvents", tag = "events",
    responses((status = 200, description = "A stream that does not end", content_type = "text/event-stream",
        body = String)))]
pub(crate) async fn stream(
    state: web::Data<State>,
    session: Session,
    user: SignedIn,
) -> Result<HttpResponse, Problem> {
    let subscription = state.hub.subscribe(user.0.id).map_err(|Closing| Problem::unavailable())?;
    let secret = secret_of(&session).unwrap_or_default();
    let checked = Instant::now();
    let stream = Stream { state, secret, subscription, is_greeted: false, has_ended: false, checked };
    let body = unfold(stream, |mut stream| async move {
        let text = stream.next().await?;
        Some((Ok::<_, Infallible>(Bytes::from(text)), stream))
    });
    Ok(HttpResponse::build(StatusCode::OK)
        .content_type("text/event-stream")
        // Without this header, proxies such as nginx hold events back until their buffer is full.
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(body))
}

impl Stream {
    /// Waits for the next part of the stream. `None` ends the stream.
    async fn next(&mut self) -> Option<String> {
        if !self.is_greeted {
            self.is_greeted = true;
            let last_hint = self.subscription.last_hint.as_millis();
            let greeting = greeting(self.subscription.number());
            return Some(format!("{greeting}{}", event("last-hint", &format!("{{\"agoMs\":{last_hint}}}"))));
        }
        if self.has_ended {
            return None;
        }
        loop {
            let heartbeat = rt::time::sleep(HEARTBEAT);
            let about = match select(self.subscription.hints.next(), heartbeat.boxed_local()).await {
                Either::Left((Some(about), _)) => Some(about),
                Either::Left((None, _)) => {
                    self.has_ended = true;
                    return self.subscription.is_displaced().then(|| FAREWELL.to_owned());
                }
                Either::Right(((), _)) => None,
            };
            if self.checked.elapsed() >= CHECK_EVERY {
                self.checked = Instant::now();
                // While the database is away, the stream goes on.
                if self.is_signed_in().await == Some(false) {
                    return None;
                }
            }
            match about {
                None => return Some(": still here\n\n".to_owned()),
                Some(About::Notification) => return Some(event("notification", "{}")),
                Some(About::Balance) => return Some(event("balance", "{}")),
                Some(About::Bet(id)) => return Some(event("bet", &format!("{{\"betId\":\"{id}\"}}"))),
                Some(About::Sessions) if self.is_signed_in().await == Some(true) => {}
                Some(About::Sessions) => return None,
            }
        }
    }

    /// Whether the session that opened the stream is still valid. `None` if this cannot be read.
    async fn is_signed_in(&self) -> Option<bool> {
        let session = lookups::session(&self.state, self.secret.clone()).await;
        session.ok().map(|session| session.is_some())
    }
}

/// The first line of a stream. It tells the browser to wait 1 to 5 seconds before it connects again. The streams of a process may
/// all end at once, and their pages must not all come back at once.
fn greeting(number: u64) -> String {
    format!("retry: {}\n\n", 1_000 + number * 37 % 4_000)
}

fn event(name: &str, data: &str) -> String {
    format!("event: {name}\ndata: {data}\n\n")
}
