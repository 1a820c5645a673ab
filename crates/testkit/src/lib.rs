//! What the tests of every crate share: a store in memory, a clock that stands still until it is told to move, ids
//! and bytes that come in order, ready-made users and bets, and the suite that every store must pass.
//!
//! Only ever a dev-dependency.

pub mod contract;
mod environment;
mod fixtures;
mod ideas;
pub mod lanes;
mod memory;
pub mod postgres;
#[cfg(feature = "provider")]
pub mod provider;
pub mod strategies;
mod wallet_scene;

pub use environment::{CountingRandomness, FakeClock, PlainPasswords, SequentialIds};
pub use fixtures::{DAY, HOUR, Scene, bolts, private, run, sats, start, terms, text};
pub use ideas::FakeIdeas;
pub use memory::MemoryStore;
pub use wallet_scene::{PATIENCE, WAITS, msat, preimage};
