//! Users, their sign-ups, sign-ins and sessions.

mod checked;
mod cooldown;
mod credentials;
mod password;
mod profile;
mod register;
mod session;
mod sign_in;
mod throttle;

pub(crate) use checked::{Checked, Stale};
pub(crate) use cooldown::cooldown;
pub use credentials::{email, new_password, password};
pub use password::{PasswordError, PasswordOwner};
pub use profile::{ProfileDraft, ProfileError};
pub use register::RegisterError;
pub(crate) use session::session_limits;
pub use session::{SignedIn, session_hash};
pub use sign_in::SignInError;
pub use throttle::TooMany;
pub(crate) use throttle::count;
