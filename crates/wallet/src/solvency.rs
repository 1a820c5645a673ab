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

    /// Whether the provider's balance and the withheld sats cover the liabilities. `holdings` is the balance
    /// without payments under way. `None` if this depends on an answer that the provider did not give.
    pub fn are_covered_by(&self, holdings: Millisats, withheld: Withheld) -> Option<bool> {
        let owed = Millisats::from_sats(self.liabilities()).get();
        let covers = |withheld: Millisats| owed <= holdings.get().saturating_add(withheld.get());
        match (covers(withheld.certain), covers(withheld.possible)) {
            (true, _) => Some(true),
            (false, true) => None,
            (false, false) => Some(false),
        }
    }
}

/// The sats that the provider withholds for withdrawals that were refunded here. It still lists their
/// payments as in flight, and has subtracted them and the reserves for their routes from its balance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Withheld {
    /// The sats that the provider reports.
    pub certain: Millisats,
    /// The maximum. More than `certain` only if the provider gave no clear answer.
    pub possible: Millisats,
}

impl Withheld {
    /// The provider's answer.
    pub fn certain(taken: Millisats) -> Self {
        Self { certain: taken, possible: taken }
    }

    /// The provider gave no clear answer about payments that it can withhold `most` for.
    pub fn unclear(most: Millisats) -> Self {
        Self { certain: Millisats::ZERO, possible: most }
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
