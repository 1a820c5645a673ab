//! Users, sign-ups, sign-ins and sessions.

mod access;
mod checked;
mod cooldown;
mod credentials;
mod deletion;
mod email;
mod export;
mod factors;
mod keys;
mod password;
mod present;
mod profile;
mod rate_limit;
mod register;
mod reset;
mod search;
mod session;
mod session_end;
mod sign_in;

pub use access::{Access, Requester};
pub(crate) use checked::{Checked, Stale};
pub(crate) use cooldown::{begin_cooldown, cooldown, cooldown_began_since, shorten_cooldowns};
pub(crate) use credentials::stored_email;
pub use credentials::{EMAIL_MAX, email, new_password, not_too_long, password};
pub use deletion::{DeletionError, Obstacle, ObstacleKind, obstacles};
pub use email::{EmailError, EmailState};
pub use export::ExportError;
pub(crate) use factors::require_fresh_proof;
pub use factors::{
    CeremonyError, NewCeremony, NewTotp, PasskeyAnswer, PasskeyError, PasskeySignInError, Proof,
    RemovalError, SecondFactorRequired, SecondStepError, StepUpError, StepUpRequired, TotpError,
};
pub use keys::{KeyError, MadeKey, NewKey, WrongKey};
pub(crate) use password::replace_password;
pub use password::{PasswordError, PasswordOwner};
pub(crate) use present::require_here;
pub use profile::{ProfileDraft, ProfileError};
pub use rate_limit::{Device, TooMany, Visitor};
pub(crate) use rate_limit::{count, count_network, count_rare, count_security_change};
pub use register::RegisterError;
pub use reset::ResetError;
pub(crate) use session::session_limits;
pub use session::{SignedIn, session_hash};
pub use session_end::EndSessionError;
pub use sign_in::SignInError;
