//! What people can do with the product, one module a use case. Each writing one is three paragraphs: *lock* what the
//! decision needs, *decide* by the pure domain, *record* everything in one transaction.

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
mod once;
mod user_limits;

pub use app::{Actor, App, Environment, Rules};
pub use once::{KeyReused, Once, Reply};
pub use user_limits::{Hourly, HourlyLimit};
