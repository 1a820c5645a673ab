//! Shared helpers of the tests of all crates: a store in memory, a clock that only moves when a test sets it,
//! predictable ids and bytes, fixtures of users and bets, and the contract that every store must keep.
//!
//! Other crates may use this crate only as a dev-dependency.

#[cfg(feature = "authenticator")]
pub mod authenticator;
pub mod contract;
mod environment;
mod fixtures;
mod free_port;
pub mod full_disk;
mod ideas;
pub mod lanes;
mod memory;
mod pictures;
pub mod postgres;
#[cfg(feature = "provider")]
pub mod provider;
#[cfg(feature = "provider")]
pub mod smtp;
pub mod strategies;
pub mod template;
mod wallet_scene;

pub use environment::{CountingRandomness, FakeClock, PlainPasswords, SequentialIds};
pub use fixtures::{DAY, HOUR, Scene, bolts, private, run, sats, start, terms, text};
pub use free_port::free_port;
pub use ideas::FakeIdeas;
pub use memory::MemoryStore;
pub use pictures::FakePictures;
pub use wallet_scene::{PATIENCE, WAITS, msat, preimage};
