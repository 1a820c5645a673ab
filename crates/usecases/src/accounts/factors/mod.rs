//! Second factors: authenticator apps, passkeys and recovery codes (`docs/product.md#second-factor`).
//!
//! Every job here first locks the user's credentials. So two requests with the same code take turns, whichever process
//! they reach, and a password reset ends what is under way.

mod app;
mod ceremony;
mod passkey_sign_in;
mod passkeys;
mod proof;
mod recovery;
mod removal;
mod second_step;

pub use app::{NewTotp, TotpError};
pub use ceremony::{CeremonyError, NewCeremony, PasskeyAnswer};
pub use passkey_sign_in::PasskeySignInError;
pub use passkeys::PasskeyError;
pub(crate) use proof::require_fresh_proof;
pub use proof::{Proof, StepUpError, StepUpRequired};
pub use removal::RemovalError;
pub(super) use second_step::begin_challenge;
pub use second_step::{SecondFactorRequired, SecondStepError};

use bolts_kernel::FieldError;

/// The error of a form field with a wrong proof.
fn wrong_code(field: &'static str) -> FieldError {
    let message = match field {
        "passkey" => "This passkey was not accepted. Please try again.",
        _ => "This code is wrong, or was used before",
    };
    FieldError::new(field, message)
}
