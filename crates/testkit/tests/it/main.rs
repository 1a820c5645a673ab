//! Tests that the memory store and the fakes keep the contracts of their ports, and that the crates keep the
//! dependency rule.

mod dependencies;
mod fakes;
mod reliability;
mod store;
