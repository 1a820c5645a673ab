//! Limits of deposits and withdrawals (`docs/product.md#limits`).

use bolts_kernel::{Amount, FieldError};

/// The minimum deposit, in sats.
pub const MIN_DEPOSIT_SATS: i64 = 100;

/// The maximum deposit, in sats.
pub const MAX_DEPOSIT_SATS: i64 = 50_000;

/// The minimum withdrawal, in sats.
pub const MIN_WITHDRAWAL_SATS: i64 = 100;

/// The maximum withdrawal, in sats. It equals the maximum stake.
const MAX_WITHDRAWAL_SATS: i64 = 100_000_000;

/// The maximum number of unpaid invoices that a user may have at once.
pub const MAX_OPEN_INVOICES: u32 = 20;

/// The maximum number of withdrawals that a user may have under way at once.
pub const MAX_IN_FLIGHT: u32 = 3;

/// The minimum fee limit of a withdrawal, in sats.
const MIN_FEE_LIMIT_SATS: i64 = 10;

/// The last quarter (1 part in 4) of the site-wide limit on withdrawals is kept for small withdrawals.
const KEPT_PART: i64 = 4;

/// A withdrawal is small if the user's outflow, with this withdrawal, is at most a hundredth (1 part in 100) of
/// the site-wide limit.
const SMALL_PART: i64 = 100;

/// The sats that left over Lightning within 24 hours, minus the sats that arrived. So sats that a user deposits
/// and withdraws again do not count towards the site-wide limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outflow {
    /// The outflow of one user, in sats. Below 0 if the user deposited more than they withdrew.
    pub own: i64,
    /// The outflow of all users, in sats. The sum contains only outflows above 0, so that the deposits of one
    /// user do not increase the limit for other users.
    pub all: i64,
}

impl Outflow {
    /// Whether a withdrawal of this user fits into the site-wide limit `cap`, in sats. A `cap` of 0 means no
    /// limit.
    ///
    /// The last quarter of the limit is kept for small withdrawals, so that a few users with large
    /// withdrawals cannot block all others.
    pub fn has_room_for(self, withdrawal: Amount, cap: i64) -> bool {
        let own = self.own.saturating_add(withdrawal.get()).max(0);
        let all = self.all.saturating_add(own.saturating_sub(self.own.max(0)));
        let limit = if own <= cap / SMALL_PART { cap } else { cap - cap / KEPT_PART };
        cap == 0 || own == 0 || all <= limit
    }
}

fn judge(units: i64, min: (i64, &str), max: (i64, &str)) -> Result<Amount, FieldError> {
    let message = match units {
        _ if units < min.0 => min.1,
        _ if units > max.0 => max.1,
        _ => return Amount::new(units).map_err(|error| FieldError::new("amount", error.to_string())),
    };
    Err(FieldError::new("amount", message))
}

/// Checks the amount of a deposit: 100 to 50,000 sats.
pub fn deposit_amount(units: i64) -> Result<Amount, FieldError> {
    let (min, max) = ("Minimum deposit is 100 sats", "Maximum deposit is 50,000 sats");
    judge(units, (MIN_DEPOSIT_SATS, min), (MAX_DEPOSIT_SATS, max))
}

/// Checks an amount of test sats: 1 to 50,000.
pub fn test_amount(units: i64) -> Result<Amount, FieldError> {
    judge(units, (1, "Amount must be at least 1"), (MAX_DEPOSIT_SATS, "Maximum deposit is 50,000 sats"))
}

/// Checks the amount of a withdrawal: 100 to 100,000,000 sats.
///
/// # Errors
/// The amount is outside the limits. The error names the field `amount`.
pub fn withdrawal_amount(units: i64) -> Result<Amount, FieldError> {
    let (min, max) = ("Minimum withdrawal is 100 sats", "Maximum withdrawal is 100,000,000 sats");
    judge(units, (MIN_WITHDRAWAL_SATS, min), (MAX_WITHDRAWAL_SATS, max))
}

/// The fee limit of a withdrawal, in sats: 1 % of the amount, rounded up, and at least 10. The provider gets
/// this limit, so no route can cost more.
pub fn fee_limit(amount: Amount) -> Amount {
    let percent = amount.get() / 100 + i64::from(amount.get() % 100 > 0);
    Amount::new(percent.max(MIN_FEE_LIMIT_SATS)).unwrap_or_default()
}
