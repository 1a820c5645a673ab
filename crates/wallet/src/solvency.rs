//! The solvency check: does the provider hold the users' sats?

use bolts_kernel::Amount;

use crate::Millisats;

/// A breach needs this number of samples in a row with missing sats. One sample alone may be wrong: a payment
/// may happen between its two readings, or the provider may give a wrong answer.
const SAMPLES: u8 = 3;

/// The sats of all users at one moment, according to the database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reserves {
    /// The sum of the users' available sats, escrows and holds.
    pub owed: Amount,
    /// The part of `owed` that is held for payments under way. The provider has already subtracted this part
    /// from its balance.
    pub in_flight: Amount,
}

impl Reserves {
    /// The sats that the provider's balance must cover.
    pub fn liabilities(&self) -> Amount {
        self.owed.checked_sub(self.in_flight).unwrap_or_default()
    }

    /// Whether the provider's balance covers the liabilities. `holdings` is the balance without payments
    /// under way.
    pub fn are_covered_by(&self, holdings: Millisats) -> bool {
        Millisats::from_sats(self.liabilities()) <= holdings
    }
}

/// The result of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The users' sats are covered.
    Sound,
    /// The users' sats were not covered in this sample. The next sample should follow soon.
    Suspect,
    /// The users' sats were not covered in several samples in a row. Withdrawals must stop.
    Breach,
}

/// Counts the samples in a row that show missing sats.
#[derive(Clone, Copy, Debug, Default)]
pub struct Watch {
    breaches: u8,
}

impl Watch {
    /// Adds a sample. `covered` is `None` if the provider did not answer. Such a sample changes nothing.
    pub fn observe(&mut self, covered: Option<bool>) -> Finding {
        match covered {
            Some(true) => self.breaches = 0,
            Some(false) => self.breaches = self.breaches.saturating_add(1),
            None => {}
        }
        match self.breaches {
            0 => Finding::Sound,
            n if n < SAMPLES => Finding::Suspect,
            _ => Finding::Breach,
        }
    }
}
