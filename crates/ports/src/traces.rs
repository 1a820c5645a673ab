//! The traces of requests (`docs/operations.md#traces`).

/// The target of the spans that leave the process in traces. Traces contain only these spans. Their fields must not contain
/// texts of users, addresses, tokens or other secrets. Without `--otlp-endpoint`, such a span costs one branch.
pub const TRACED: &str = "bolts_trace";
