//! The solvency check: compares the provider's balance with the users' sats.

use bolts_kernel::Amount;

use crate::Millisats;

/// The check reports a breach after this number of samples in a row with missing sats. A single sample may be
/// wrong: a payment may happen between the reading of the ledger and the reading of the balance, or the
/// provider may give a wrong answer.
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

    /// Whether the provider's balance and the withheld sats cover the liabilities. `holdings` is the provider's
    /// balance, without payments under way. The result is `None` if it depends on the withheld sats and the
    /// provider gave no clear answer about them.
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

/// The sats that the provider withholds for withdrawals that this site has refunded. The provider still lists
/// the payments of these withdrawals as in flight. It has subtracted the amounts and the reserves for the
/// routes from its balance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Withheld {
    /// The withheld sats that the provider reports.
    pub certain: Millisats,
    /// The largest possible amount of withheld sats. Higher than `certain` only if the provider gave no clear
    /// answer.
    pub possible: Millisats,
}

impl Withheld {
    /// The provider answered that it withholds the amount `taken`.
    pub fn certain(taken: Millisats) -> Self {
        Self { certain: taken, possible: taken }
    }

    /// The provider gave no clear answer. It withholds at most the amount `most`.
    pub fn unclear(most: Millisats) -> Self {
        Self { certain: Millisats::ZERO, possible: most }
    }
}

/// The result of the solvency check after a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The provider's balance covers the users' sats.
    Sound,
    /// The latest samples showed missing sats, but too few of them in a row for a breach. The next sample
    /// should follow soon.
    Suspect,
    /// Several samples in a row showed missing sats. Withdrawals must stop.
    Breach,
}

/// Counts the samples in a row that show missing sats.
#[derive(Clone, Copy, Debug, Default)]
pub struct Watch {
    breaches: u8,
}

impl Watch {
    /// Adds a sample. `covered` says whether the users' sats are covered. A sample with `None` (no clear answer
    /// of the provider) does not change the count.
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
