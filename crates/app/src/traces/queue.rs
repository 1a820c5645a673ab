//! The queue of spans and the thread that sends them. A full queue drops spans, so a collector that is slow or away delays
//! no request.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use actix_web::rt::Runtime;
use opentelemetry::Context;
use opentelemetry_otlp::SpanExporter;
use opentelemetry_sdk::error::{OTelSdkError, OTelSdkResult};
use opentelemetry_sdk::trace::{Span, SpanData, SpanExporter as _, SpanProcessor};

/// The maximum number of spans that wait.
const WAITING: usize = 8_192;

/// The maximum number of spans in a request to the collector.
const BATCH: usize = 512;

/// The time for which spans are collected before they are sent together.
const GATHER: Duration = Duration::from_secs(1);

/// The minimum interval between two warnings about a collector that does not answer.
const WARN_EVERY: Duration = Duration::from_mins(1);

/// The metric that counts spans, and its label.
const SPANS: &str = "bolts_trace_spans_total";

/// What becomes of a span: it was sent, the collector did not take it, or the queue was full.
pub(crate) const RESULTS: [&str; 3] = ["sent", "refused", "dropped"];

/// What the thread gets.
enum Entry {
    Span(Box<SpanData>),
    /// The sender is dropped when all spans before it have been sent.
    Flush(SyncSender<()>),
}

/// Passes ended spans to the thread that sends them.
#[derive(Debug)]
pub(super) struct Queue(SyncSender<Entry>);

impl Queue {
    /// Starts the thread. It ends with the queue.
    pub(super) fn start(exporter: SpanExporter) -> std::io::Result<Self> {
        let (queue, entries) = sync_channel(WAITING);
        let send = move || match Runtime::new() {
            Ok(runtime) => Sending { exporter, runtime, warned: None }.run(&entries),
            // The queue is closed then, and drops all spans.
            Err(error) => tracing::error!(%error, "traces cannot be sent"),
        };
        thread::Builder::new().name("traces".to_owned()).spawn(send)?;
        Ok(Self(queue))
    }
}

impl SpanProcessor for Queue {
    fn on_start(&self, _: &mut Span, _: &Context) {}

    fn on_end(&self, span: SpanData) {
        let is_sampled = span.span_context.is_sampled();
        if is_sampled && self.0.try_send(Entry::Span(Box::new(named(span)))).is_err() {
            count("dropped", 1);
        }
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.shutdown_with_timeout(super::FINISH_WITHIN)
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        let (done, wait) = sync_channel(0);
        let late = || OTelSdkError::Timeout(timeout);
        // A full queue would need longer than the time-out.
        self.0.try_send(Entry::Flush(done)).map_err(|_| late())?;
        match wait.recv_timeout(timeout) {
            Err(RecvTimeoutError::Timeout) => Err(late()),
            Ok(()) | Err(RecvTimeoutError::Disconnected) => Ok(()),
        }
    }
}

/// Names the span of a request by method and route. The route is known only at the end, and then a span that has begun
/// cannot get another name.
fn named(mut span: SpanData) -> SpanData {
    let value = |key: &str| {
        let found = span.attributes.iter().find(|attribute| attribute.key.as_str() == key);
        found.map(|attribute| attribute.value.to_string())
    };
    if let (Some(method), Some(route)) = (value("http.request.method"), value("http.route")) {
        span.name = format!("{method} {route}").into();
    }
    span
}

struct Sending {
    exporter: SpanExporter,
    /// The runtime of the HTTP client. The threads that serve requests have their own.
    runtime: Runtime,
    warned: Option<Instant>,
}

impl Sending {
    fn run(mut self, entries: &Receiver<Entry>) {
        while let Ok(first) = entries.recv() {
            let (batch, flush) = gather(first, entries);
            self.send(batch);
            drop(flush);
        }
    }

    fn send(&mut self, batch: Vec<SpanData>) {
        if batch.is_empty() {
            return;
        }
        let spans = batch.len();
        match self.runtime.block_on(self.exporter.export(batch)) {
            Ok(()) => count("sent", spans),
            Err(error) => {
                count("refused", spans);
                if self.warned.is_none_or(|at| at.elapsed() >= WARN_EVERY) {
                    self.warned = Some(Instant::now());
                    tracing::warn!(%error, spans, "the collector did not take traces");
                }
            }
        }
    }
}

/// Collects the spans of a batch. A flush ends the batch.
fn gather(first: Entry, entries: &Receiver<Entry>) -> (Vec<SpanData>, Option<SyncSender<()>>) {
    let (mut batch, mut next) = (Vec::new(), Some(first));
    let until = Instant::now() + GATHER;
    while let Some(entry) = next {
        match entry {
            Entry::Span(span) => batch.push(*span),
            Entry::Flush(done) => return (batch, Some(done)),
        }
        if batch.len() == BATCH {
            break;
        }
        next = entries.recv_timeout(until.saturating_duration_since(Instant::now())).ok();
    }
    (batch, None)
}

fn count(result: &'static str, spans: usize) {
    metrics::counter!(SPANS, "result" => result).increment(spans as u64);
}
