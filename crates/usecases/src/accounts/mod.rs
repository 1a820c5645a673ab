//! Users, their sign-ups, sign-ins and sessions.

mod credentials;
mod register;
mod session;
mod sign_in;
mod throttle;

pub use credentials::{email, password};
pub use register::RegisterError;
pub(crate) use session::session_limits;
pub use session::{SignedIn, session_hash};
pub use sign_in::SignInError;
pub use throttle::TooMany;
