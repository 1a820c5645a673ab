//! The use cases on the memory store, with a fake clock.

mod accounts;
mod achievements;
mod admin;
mod bets;
mod clock;
mod contention;
mod departures;
mod exports;
mod factors;
mod fault_matrix;
mod hints;
mod ideas;
mod keys;
mod log;
mod mail;
mod messages;
mod password_checks;
mod pauses;
mod rate_limits;
mod refusals;
mod sending;
mod sessions;
mod stage;
mod user_limits;
mod wallet;
