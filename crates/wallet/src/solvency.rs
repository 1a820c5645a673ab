use bolts_kernel::Amount;

use crate::Millisats;

/// How many samples in a row have to show a breach: one alone may have met a payment between two readings, or a
/// provider that answers at random.
const SAMPLES: u8 = 3;

/// What the users have, at one moment of the database, in sats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reserves {
    /// Available, in escrow and held.
    pub owed: Amount,
    /// The part of it that is held for payments on their way, which the provider has already set aside.
    pub in_flight: Amount,
}

impl Reserves {
    /// What the provider has to hold beside what is in flight.
    pub fn liabilities(&self) -> Amount {
        self.owed.checked_sub(self.in_flight).unwrap_or_default()
    }

    /// Whether `holdings`, what the provider holds less what is in flight, cover it.
    pub fn are_covered_by(&self, holdings: Millisats) -> bool {
        Millisats::from_sats(self.liabilities()) <= holdings
    }
}

/// What a sample showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The users' sats are there.
    Sound,
    /// They were not there in this sample; look again soon.
    Suspect,
    /// They were not there in several samples in a row: withdrawals must stop.
    Breach,
}

/// Watches samples of the provider's balance.
#[derive(Clone, Copy, Debug, Default)]
pub struct Watch {
    breaches: u8,
}

impl Watch {
    /// Takes a sample: whether the reserves were covered, or `None` where the provider did not say. What it did not
    /// say neither alarms nor soothes.
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
