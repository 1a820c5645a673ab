//! Tools that try to prove the product wrong. The product does not depend on this crate.
//!
//! - [`model`]: a small model of the product, and random sequences of actions. [`run`] compares every answer of the
//!   product with the model's.

mod backend;
mod compare;
mod invoice;
pub mod model;
mod run;
mod subject;

pub use backend::Backend;
pub use run::{Run, Size, Tally, any_seed, from_environment};
pub use subject::Way;
