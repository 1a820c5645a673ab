//! The use cases on the store in memory, with a clock that the tests move.

mod accounts;
mod clock;
mod ideas;
mod rate_limits;
mod stage;
mod user_limits;
