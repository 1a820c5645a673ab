//! API keys for programs: their names, their scopes, their form, and how long they are valid
//! (`docs/product.md#api-keys`). The rules read no clock and draw no random numbers.

mod api_key;
mod scope;

pub use api_key::ApiKey;
pub use scope::{Scope, Scopes};

use std::time::Duration;

use bolts_kernel::{FieldError, Label};

/// The user's name for a key, such as 'Trading bot'.
pub type KeyName = Label<50>;

/// The maximum number of valid keys of a user.
pub const KEYS: u32 = 10;

/// The use of a key is recorded at most once in this time.
pub const TOUCH_EVERY: Duration = Duration::from_mins(5);

/// A key is valid for this number of days if the user chooses nothing.
const DAYS: i64 = 90;

/// The longest time for which a key can be valid, in days.
const MOST_DAYS: i64 = 365;

/// Checks the number of days for which a new key is valid. Returns the time.
pub fn lifetime(days: Option<i64>) -> Result<Duration, FieldError> {
    let days = days.unwrap_or(DAYS);
    let days = u64::try_from(days).ok().filter(|days| (1..=MOST_DAYS.unsigned_abs()).contains(days));
    let days = days.ok_or_else(|| FieldError::new("expiresInDays", "A key is valid for 1 to 365 days"))?;
    Ok(Duration::from_hours(days * 24))
}
