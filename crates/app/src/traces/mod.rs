//! Traces of requests for an OpenTelemetry collector (`docs/operations.md#traces`). Off by default.

mod collector;
mod queue;

use std::time::Duration;

use bolts_ports::TRACED;
use clap::Args;
use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider, SpanExporter as _};
use tracing::Level;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::{Layer, Registry};
use url::Url;

use self::collector::Collector;
use self::queue::Queue;
use crate::{Failure, version};

pub(crate) use queue::RESULTS;

/// The maximum time to send the last spans when the server stops.
const FINISH_WITHIN: Duration = Duration::from_secs(2);

/// The options of traces.
#[derive(Args)]
pub(crate) struct TraceOptions {
    /// The OpenTelemetry collector that gets traces of requests, by OTLP over HTTP, such as http://127.0.0.1:4318. Off if not
    /// set.
    #[arg(long, env = "BOLTS_OTLP_ENDPOINT", hide_env_values = true)]
    otlp_endpoint: Option<String>,

    /// Send the trace of one in this number of requests, chosen at random.
    #[arg(long, env = "BOLTS_OTLP_ONE_IN", default_value_t = 1, value_name = "NUMBER",
        value_parser = clap::value_parser!(u32).range(1..))]
    otlp_one_in: u32,
}

/// The traces of this process.
pub(crate) struct Traces {
    provider: SdkTracerProvider,
    described: String,
}

impl TraceOptions {
    /// Starts the thread that sends traces, if a collector is set. Nothing is sent yet.
    pub(crate) fn start(&self) -> Result<Option<Traces>, Failure> {
        let Some(url) = self.url()? else { return Ok(None) };
        let described = url.origin().ascii_serialization();
        let unusable =
            |why: String| Failure::start_up(format!("traces cannot be sent to {described}: {why}"));
        let resource = Resource::builder()
            .with_service_name("bolts")
            .with_attribute(KeyValue::new("service.version", version::VERSION))
            .build();
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(Collector::new().map_err(|error| unusable(error.to_string()))?)
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(url.as_str())
            .build();
        let mut exporter = exporter.map_err(|error| unusable(error.to_string()))?;
        exporter.set_resource(&resource);
        let queue = Queue::start(exporter).map_err(|error| unusable(error.to_string()))?;
        let share = Sampler::TraceIdRatioBased(1.0 / f64::from(self.otlp_one_in));
        let provider = SdkTracerProvider::builder()
            .with_sampler(Sampler::ParentBased(Box::new(share)))
            .with_resource(resource)
            .with_span_processor(queue)
            .build();
        Ok(Some(Traces { provider, described }))
    }

    /// The fault of the options, if they have one.
    pub(crate) fn problem(&self) -> Option<Failure> {
        self.url().err()
    }

    /// The address for spans. A collector has a path for each kind of data, and an operator may name the collector alone.
    fn url(&self) -> Result<Option<Url>, Failure> {
        let Some(text) = self.otlp_endpoint.as_deref().map(str::trim).filter(|text| !text.is_empty()) else {
            return Ok(None);
        };
        let url =
            Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        let mut url = url.ok_or_else(|| {
            // The address may contain a secret.
            Failure::start_up("--otlp-endpoint must be an address such as http://127.0.0.1:4318")
        })?;
        if url.path() == "/" {
            url.set_path("/v1/traces");
        }
        Ok(Some(url))
    }
}

impl Traces {
    /// The collector, without secrets.
    pub(crate) fn describe(&self) -> &str {
        &self.described
    }

    /// The layer that turns the spans of the program into those of OpenTelemetry. Events of the log stay out, because they
    /// may name users.
    pub(crate) fn layer(&self) -> Box<dyn Layer<Registry> + Send + Sync> {
        let layer = tracing_opentelemetry::layer()
            .with_tracer(self.provider.tracer("bolts"))
            .with_location(false)
            .with_threads(false)
            .with_tracked_inactivity(false)
            .with_target(false)
            .with_level(false)
            .with_context_activation(false);
        layer.with_filter(Targets::new().with_target(TRACED, Level::DEBUG)).boxed()
    }

    /// Sends the last spans.
    pub(crate) fn finish(self) {
        drop(self.provider.shutdown_with_timeout(FINISH_WITHIN));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(endpoint: &str) -> TraceOptions {
        TraceOptions { otlp_endpoint: Some(endpoint.to_owned()), otlp_one_in: 1 }
    }

    #[test]
    fn the_address_of_spans_follows_from_that_of_the_collector() {
        let url = |endpoint: &str| options(endpoint).url().expect("an address").map(String::from);
        assert_eq!(url("http://127.0.0.1:4318").as_deref(), Some("http://127.0.0.1:4318/v1/traces"));
        assert_eq!(url("https://otel.example.com/in/").as_deref(), Some("https://otel.example.com/in/"));
        assert_eq!(url(" "), None);
    }

    #[test]
    fn a_wrong_address_is_refused_and_not_repeated() {
        for wrong in ["hush", "grpc://hush:4317", "http://"] {
            let line = options(wrong).problem().expect("a fault").into_line();
            assert!(line.contains("--otlp-endpoint") && !line.contains("hush"), "{line}");
        }
    }
}
