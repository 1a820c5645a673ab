//! Second factors: the codes of an authenticator app, passkeys, recovery codes, and how long a proof counts
//! (`docs/product.md#second-factor`). The rules read no clock and draw no random numbers.

mod passkey;
mod recovery;
mod step_up;
mod totp;

pub use passkey::{CEREMONY_LIFETIME, PASSKEYS, PasskeyName, counter_moves_on};
pub use recovery::{RECOVERY_CODES, RecoveryCode, recovery_hash};
pub use step_up::{CHALLENGE_ATTEMPTS, CHALLENGE_LIFETIME, PROOF_LIFETIME, is_fresh};
pub use totp::{SECRET_BYTES, Step, Totp, TotpSecret};
