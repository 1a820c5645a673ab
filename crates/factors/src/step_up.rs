//! How long a proof of the second factor counts.

use std::time::Duration;

use bolts_kernel::Timestamp;

/// A proof of the second factor counts for this time in its session.
pub const PROOF_LIFETIME: Duration = Duration::from_mins(5);

/// A sign-in may take this time from the password to the second factor.
pub const CHALLENGE_LIFETIME: Duration = Duration::from_mins(5);

/// The number of wrong proofs after which a sign-in must begin again with the password.
pub const CHALLENGE_ATTEMPTS: u32 = 5;

/// Whether a proof of the second factor still counts at `now`. A proof from the future does not count: the clock was
/// set back.
pub fn is_fresh(proved_at: Option<Timestamp>, now: Timestamp) -> bool {
    proved_at.is_some_and(|at| at <= now && now.since(at) < PROOF_LIFETIME)
}
