//! Sends hints for open pages to all processes, with NOTIFY and LISTEN. NOTIFY has its own connection,
//! because a NOTIFY inside a writer's transaction would make commits wait for each other.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use bolts_ports::{Fanout, Hint, Result};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{Array, Text};

use super::connections::{Purpose, connect};
use super::failure::failure;
use super::{Conn, PostgresOptions};

const CHANNEL: &str = "bolts_hints";

/// The maximum size of a payload. PostgreSQL accepts payloads below 8,000 bytes.
const PAYLOAD_BYTES: usize = 7_500;

/// The time for which hints are collected before they are sent together.
const GATHER: Duration = Duration::from_millis(10);

/// The maximum number of calls of `publish` that wait to be sent. The hints of further calls are dropped.
/// This is harmless, because pages fetch their data every 30 seconds anyway.
const WAITING: usize = 1_024;

/// The interval at which the listener checks for notifications, because libpq has no callback for them. A check reads
/// from the socket and needs no round trip.
const POLL: Duration = Duration::from_millis(10);

/// A listener that has received nothing for this time tests its connection.
const ASK: Duration = Duration::from_secs(10);

/// The pause before the listener connects again.
const RECONNECT: Duration = Duration::from_millis(500);

/// Sends hints to every process that uses the database.
pub struct PostgresFanout {
    /// `None` while the value is dropped.
    queue: Option<SyncSender<Vec<Hint>>>,
    thread: Option<JoinHandle<()>>,
}

impl PostgresFanout {
    pub(super) fn start(url: &str, options: &PostgresOptions) -> std::io::Result<Self> {
        let (queue, hints) = sync_channel(WAITING);
        let (url, options) = (url.to_owned(), options.clone());
        let send = move || send(&url, &options, &hints);
        // The thread ends when the only sender, `queue`, is dropped.
        let thread = thread::Builder::new().name("pg-notify".to_owned()).spawn(send)?;
        Ok(Self { queue: Some(queue), thread: Some(thread) })
    }
}

impl Drop for PostgresFanout {
    /// Waits until the last hints are sent.
    fn drop(&mut self) {
        drop(self.queue.take());
        join(self.thread.take());
    }
}

impl Fanout for PostgresFanout {
    fn publish(&self, hints: &[Hint]) {
        if let Some(queue) = self.queue.as_ref().filter(|_| !hints.is_empty()) {
            // A hint is lost if the queue is full. The port allows this.
            drop(queue.try_send(hints.to_vec()));
        }
    }
}

fn send(url: &str, options: &PostgresOptions, queue: &Receiver<Vec<Hint>>) {
    let mut conn = None;
    while let Ok(first) = queue.recv() {
        let mut hints = first;
        let until = Instant::now() + GATHER;
        while let Ok(more) = queue.recv_timeout(until.saturating_duration_since(Instant::now())) {
            hints.extend(more);
        }
        let payloads = payloads(&hints);
        // If the first attempt fails, the second attempt uses a new connection, because a time-out may have
        // closed the old connection.
        for _ in 0..2 {
            match notify(&mut conn, url, options, &payloads) {
                Ok(()) => break,
                Err(_) => conn = None,
            }
        }
    }
}

fn notify(conn: &mut Option<Conn>, url: &str, options: &PostgresOptions, payloads: &[String]) -> Result<()> {
    let open = match conn {
        Some(open) => open,
        None => conn.insert(connect(url, options, Purpose::Telling)?),
    };
    diesel::sql_query("SELECT pg_notify($1, payload) FROM unnest($2) AS payload")
        .bind::<Text, _>(CHANNEL)
        .bind::<Array<Text>, _>(payloads)
        .execute(open)
        .map(drop)
        .map_err(failure)
}

/// Converts the hints to JSON lists without duplicates. Each list is short enough for one payload.
fn payloads(hints: &[Hint]) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut payloads: Vec<String> = Vec::new();
    for hint in hints.iter().filter(|hint| seen.insert(**hint)) {
        let Ok(text) = serde_json::to_string(hint) else { continue };
        match payloads.last_mut().filter(|last| last.len() + text.len() + 2 < PAYLOAD_BYTES) {
            Some(last) => {
                last.push(',');
                last.push_str(&text);
            }
            None => payloads.push(format!("[{text}")),
        }
    }
    payloads.iter_mut().for_each(|payload| payload.push(']'));
    payloads
}

type Callback = Box<dyn Fn(&[Hint]) + Send>;

/// Called after each connection, because hints may have been lost before it.
type Connected = Box<dyn Fn() + Send>;

/// Receives hints until this value is dropped.
pub struct Listener {
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Listener {
    pub(super) fn start(
        url: &str,
        options: &PostgresOptions,
        callback: Callback,
        connected: Connected,
    ) -> std::io::Result<Self> {
        let is_over = Arc::new(AtomicBool::new(false));
        let (url, options, over) = (url.to_owned(), options.clone(), is_over.clone());
        let open = move || -> Result<Conn> {
            let conn = open(&url, &options)?;
            connected();
            Ok(conn)
        };
        // The first attempt runs here, so that the caller gets all hints from now on if the server answers.
        let mut first = open().ok();
        let listen = move || {
            while !over.load(Ordering::Relaxed) {
                let conn = first.take().map_or_else(&open, Ok);
                drop(conn.and_then(|conn| listen(conn, &*callback, &over)));
                pause(RECONNECT, &over);
            }
        };
        let thread = thread::Builder::new().name("pg-listen".to_owned()).spawn(listen)?;
        Ok(Self { is_over, thread: Some(thread) })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        join(self.thread.take());
    }
}

/// Waits for the end of a thread, unless it is this one.
fn join(thread: Option<JoinHandle<()>>) {
    if let Some(thread) = thread.filter(|thread| thread.thread().id() != thread::current().id()) {
        drop(thread.join());
    }
}

fn pause(long: Duration, over: &AtomicBool) {
    let until = Instant::now() + long;
    while Instant::now() < until && !over.load(Ordering::Relaxed) {
        thread::sleep(POLL);
    }
}

/// A connection that gets all hints from now on.
fn open(url: &str, options: &PostgresOptions) -> Result<Conn> {
    let mut conn = connect(url, options, Purpose::Telling)?;
    conn.batch_execute(&format!("LISTEN {CHANNEL}")).map_err(failure)?;
    Ok(conn)
}

/// Listens until `over` is set or the connection fails.
fn listen(mut conn: Conn, callback: &dyn Fn(&[Hint]), over: &AtomicBool) -> Result<()> {
    let mut heard = Instant::now();
    while !over.load(Ordering::Relaxed) {
        let mut hints: Vec<Hint> = Vec::new();
        for notification in conn.notifications_iter() {
            // A payload that cannot be parsed comes from another version of the program. It is ignored,
            // because pages also fetch their data at intervals.
            hints.extend(
                serde_json::from_str::<Vec<Hint>>(&notification.map_err(failure)?.payload)
                    .unwrap_or_default(),
            );
        }
        if !hints.is_empty() {
            heard = Instant::now();
            callback(&hints);
        } else if heard.elapsed() > ASK {
            heard = Instant::now();
            conn.batch_execute("SELECT 1").map_err(failure)?;
        }
        thread::sleep(POLL);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use bolts_kernel::UserId;
    use bolts_ports::About;

    use super::*;

    #[test]
    fn hints_are_sent_once_in_pieces_that_fit() {
        let user = |number: u128| format!("{number:032x}").parse::<UserId>().unwrap();
        let hints: Vec<Hint> =
            (0..500).map(|number| Hint { user: user(number), about: About::Balance }).collect();
        let twice = [hints.clone(), hints.clone()].concat();
        let payloads = payloads(&twice);
        assert!(payloads.len() > 1 && payloads.iter().all(|payload| payload.len() < PAYLOAD_BYTES));
        let read = payloads.iter().flat_map(|payload| serde_json::from_str::<Vec<Hint>>(payload).unwrap());
        assert_eq!(read.collect::<Vec<_>>(), hints);
    }
}
