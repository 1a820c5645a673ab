//! Second factors: authenticator apps and recovery codes (`docs/product.md#second-factor`).
//!
//! Every job here first locks the user's credentials. So two requests with the same code take turns, whichever process
//! they reach, and a password reset ends what is under way.

mod app;
mod proof;
mod removal;
mod second_step;

pub use app::{NewTotp, TotpError};
pub(crate) use proof::require_fresh_proof;
pub use proof::{Proof, StepUpError, StepUpRequired};
pub use removal::RemovalError;
pub(super) use second_step::begin_challenge;
pub use second_step::{SecondFactorRequired, SecondStepError};

use bolts_kernel::FieldError;

/// The error of a form field with a wrong code.
fn wrong_code(field: &'static str) -> FieldError {
    FieldError::new(field, "This code is wrong, or was used before")
}
