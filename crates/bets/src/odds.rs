//! The stakes of the two sides of a bet, and the odds that follow from them (`docs/domain-rules.md#stakes-and-odds`).
//! Odds are only shown. All amounts are computed from the two stakes.

use std::ops::RangeInclusive;

use bolts_kernel::{Amount, FieldError, Money};

use crate::bet::Bet;
use crate::state::Status;
use crate::terms::Side;

/// The larger stake of a bet may be at most this many times the smaller one.
pub const MAX_RATIO: i64 = 100;

/// The stakes that an opponent may have against this stake, in whole units.
pub fn opponent_stakes(stake: Money) -> RangeInclusive<i64> {
    let (spec, units) = (stake.currency.spec(), stake.amount.get());
    // An `i64` has no stable `div_ceil`. A stake is at least 1, so the quotient rounded up is at least 1.
    let least = (units + MAX_RATIO - 1) / MAX_RATIO;
    least.max(spec.min_stake)..=units.saturating_mul(MAX_RATIO).min(spec.max_stake)
}

/// Validates the opponent's stake that a user typed. An absent stake is the stake of the creator.
pub(crate) fn parse_opponent_stake(typed: Option<i64>, stake: Money) -> Result<Amount, FieldError> {
    let units = typed.unwrap_or(stake.amount.get());
    let allowed = opponent_stakes(stake);
    let amount = Amount::new(units).ok().filter(|_| allowed.contains(&units));
    amount.ok_or_else(|| {
        let unit = stake.currency.spec().units;
        let [own, least, most] = [stake.amount.get(), *allowed.start(), *allowed.end()]
            .map(|units| Amount::new(units).unwrap_or_default().grouped());
        let message = format!(
            "The larger stake may be at most {MAX_RATIO} times the smaller one. \
             Against {own} {unit}, the opponent's stake must be from {least} to {most} {unit}."
        );
        FieldError::new("opponentStake", message)
    })
}

/// Decimal odds in hundredths, rounded half up: 350 means that a stake of 2 gets a pot of 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Odds(i64);

impl Odds {
    /// The odds of a stake: the pot divided by this stake. A stake of a bet is never 0.
    pub fn of(pot: Amount, stake: Amount) -> Self {
        // Half up: the integer part of `pot / stake * 100 + 1/2`. A pot is at most 200,000,000, so nothing overflows.
        let (pot, stake) = (pot.get(), stake.get().max(1));
        Self((200 * pot + stake) / (2 * stake))
    }

    /// The odds nearest to this number. `None` if no bet can have them, because of [`MAX_RATIO`].
    pub fn nearest(number: f64) -> Option<Self> {
        let hundredths = format!("{number:.2}").replace('.', "").parse().ok()?;
        // The smallest odds are 1 + 1 ÷ 100, and the largest are 1 + 100.
        (100 + 100 / MAX_RATIO..=100 + 100 * MAX_RATIO).contains(&hundredths).then_some(Self(hundredths))
    }

    /// The odds in hundredths.
    pub const fn hundredths(self) -> i64 {
        self.0
    }
}

impl Bet {
    /// The stake of the user on this side. On the free side of a pending bet: the stake that a challenger pays.
    pub fn stake_of(&self, side: Side) -> Money {
        let terms = &self.terms;
        if side == self.creator_side {
            terms.stake
        } else {
            Money::new(terms.opponent_stake, terms.stake.currency)
        }
    }

    /// The decimal odds of this side, as pages show them.
    pub fn odds_of(&self, side: Side) -> Odds {
        Odds::of(self.pot().amount, self.stake_of(side).amount)
    }

    /// The amount by which lists sort this bet: what it costs to take the free side of a pending bet, and the pot of
    /// any other bet.
    pub fn sort_stake(&self) -> Money {
        match self.status() {
            Status::Pending => self.stake_of(self.creator_side.opposite()),
            Status::Accepted | Status::AwaitingResolution | Status::Resolved | Status::Cancelled => {
                self.pot()
            }
        }
    }
}
