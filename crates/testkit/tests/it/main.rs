//! The memory store keeps the contract that every store keeps, the fakes theirs, and the crates their places.

mod dependencies;
mod fakes;
mod store;
