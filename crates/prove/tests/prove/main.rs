//! Tests with the tools of this crate: the model.

mod model;
mod simulation;
