//! The use cases, with one module for each. A use case that writes has three parts: it *locks* the data for
//! its decision, *decides* with the pure domain, and *records* the result in one transaction.

/// Implements [`bolts_ports::JobError`] for an error type whose variant `Store` contains a failure of the store.
macro_rules! job_error {
    ($error:ty) => {
        impl bolts_ports::JobError for $error {
            fn as_store(&self) -> Option<&bolts_ports::StoreError> {
                if let Self::Store(error) = self { Some(error) } else { None }
            }
        }
    };
}

pub mod accounts;
pub mod achievements;
pub mod admin;
pub mod bets;
pub mod delivery;
pub mod ideas;
pub mod messages;
pub mod notifications;
pub mod relay;
pub mod sweep;
pub mod wallet;

mod app;
mod idempotency;
mod operator;
mod refused;
mod secret;
mod user_limits;

pub use app::{Actor, App, Environment, Rules};
pub use idempotency::{Idempotent, KeyReused, Reply};
pub use refused::Refused;
pub use user_limits::{Hourly, HourlyLimit};
