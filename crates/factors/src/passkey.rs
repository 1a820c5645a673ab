//! Passkeys (WebAuthn): their names, their number, and the counter that shows a copy.

use std::time::Duration;

use bolts_kernel::Label;

/// The maximum number of passkeys of a user.
pub const PASSKEYS: usize = 10;

/// A browser may take this time from the challenge to the answer of the authenticator.
pub const CEREMONY_LIFETIME: Duration = Duration::from_mins(5);

/// The user's name for a passkey, such as 'Phone'.
pub type PasskeyName = Label<40>;

/// Whether the counter in a signature fits the stored one. An authenticator adds at least 1 with each signature, so a
/// counter that stays or goes back comes from a copy of the authenticator, or the last signature did (WebAuthn, section
/// 6.1.1). Authenticators that synchronise their passkeys have no counter and always sign 0.
pub const fn counter_moves_on(stored: u32, signed: u32) -> bool {
    signed > stored || (signed == 0 && stored == 0)
}
