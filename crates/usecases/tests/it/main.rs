//! The use cases on the memory store, with a fake clock.

mod accounts;
mod achievements;
mod admin;
mod clock;
mod departures;
mod fault_matrix;
mod ideas;
mod mail;
mod messages;
mod pauses;
mod rate_limits;
mod sending;
mod stage;
mod user_limits;
