//! The use cases, with one module for each. A use case that writes has three parts: it *locks* the data for
//! its decision, *decides* with the pure domain, and *records* the result in one transaction.

pub mod accounts;
pub mod achievements;
pub mod admin;
pub mod bets;
pub mod ideas;
pub mod notifications;
pub mod relay;
pub mod sweep;
pub mod wallet;

mod app;
mod idempotency;
mod refused;
mod user_limits;

pub use app::{Actor, App, Environment, Rules};
pub use idempotency::{Idempotent, KeyReused, Reply};
pub use refused::Refused;
pub use user_limits::{Hourly, HourlyLimit};
