use bolts_kernel::{Amount, FieldError};

/// The smallest deposit, in sats (specification, section 5).
pub const MIN_DEPOSIT_SATS: i64 = 100;

/// The largest deposit, in sats (specification, section 5).
pub const MAX_DEPOSIT_SATS: i64 = 50_000;

/// The smallest withdrawal, in sats (decisions, section 9).
pub const MIN_WITHDRAWAL_SATS: i64 = 100;

/// The largest withdrawal, in sats: as the largest stake (decisions, section 4).
const MAX_WITHDRAWAL_SATS: i64 = 100_000_000;

/// How many unpaid invoices a user may have at once.
pub const MAX_OPEN_INVOICES: u32 = 20;

/// How many withdrawals of a user may be on their way at once.
pub const MAX_IN_FLIGHT: u32 = 3;

/// The least that is set aside for routing, in sats.
const MIN_FEE_LIMIT_SATS: i64 = 10;

fn judge(units: i64, min: (i64, &str), max: (i64, &str)) -> Result<Amount, FieldError> {
    let message = match units {
        _ if units < min.0 => min.1,
        _ if units > max.0 => max.1,
        _ => return Amount::new(units).map_err(|error| FieldError::new("amount", error.to_string())),
    };
    Err(FieldError::new("amount", message))
}

/// Judges how many sats are deposited: 100 to 50,000.
///
/// # Errors
/// The field error.
pub fn deposit_amount(units: i64) -> Result<Amount, FieldError> {
    let (min, max) = ("Minimum deposit is 100 sats", "Maximum deposit is 50,000 sats");
    judge(units, (MIN_DEPOSIT_SATS, min), (MAX_DEPOSIT_SATS, max))
}

/// Judges how many test sats are added: 1 to 50,000.
///
/// # Errors
/// The field error.
pub fn test_amount(units: i64) -> Result<Amount, FieldError> {
    judge(units, (1, "Amount must be at least 1"), (MAX_DEPOSIT_SATS, "Maximum deposit is 50,000 sats"))
}

/// Judges how many sats are withdrawn: at least 100.
///
/// # Errors
/// The field error, for a field named `amount`.
pub fn withdrawal_amount(units: i64) -> Result<Amount, FieldError> {
    let (min, max) = ("Minimum withdrawal is 100 sats", "Maximum withdrawal is 100,000,000 sats");
    judge(units, (MIN_WITHDRAWAL_SATS, min), (MAX_WITHDRAWAL_SATS, max))
}

/// What is set aside for routing, in sats: 1 % of the amount, a begun sat counted, and at least 10. The provider gets
/// it as its fee limit, so that no route can cost more.
pub fn fee_limit(amount: Amount) -> Amount {
    let percent = amount.get() / 100 + i64::from(amount.get() % 100 > 0);
    Amount::new(percent.max(MIN_FEE_LIMIT_SATS)).unwrap_or_default()
}
