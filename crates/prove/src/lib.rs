//! Tools that try to prove the product wrong. The product does not depend on this crate.
//!
//! - [`model`]: a small model of the product, and random sequences of actions. [`run`] compares every answer of the
//!   product with the model's.
//! - [`simulate`]: a site over weeks, with faults, from one seed.

mod backend;
mod compare;
mod cores;
mod invoice;
pub mod model;
mod run;
mod simulate;
mod subject;

pub use backend::Backend;
pub use cores::on_all_cores;
pub use run::{Run, SEED, Size, Tally, from_environment};
pub use simulate::{Fault, Outcome, simulate};
pub use subject::Way;
