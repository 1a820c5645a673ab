//! The operator's decision on a withdrawal whose result the provider does not know.

use bolts_kernel::Timestamp;

use crate::withdrawal::{EndedBy, HoldEffect, Step, Waits, Withdrawal, WithdrawalStatus};
use crate::{Evidence, Millisats};

/// The result of a withdrawal that the operator declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The withdrawal was paid. The value is the fee of the route.
    Paid(Millisats),
    /// The withdrawal was not paid and never will be.
    Refunded,
}

/// The reason why the operator cannot settle a withdrawal now.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsettled {
    /// The withdrawal has ended, or the operator declares it as paid although it was never sent.
    #[error(
        "the withdrawal is {0}; only one that is being sent can be settled as paid, and only an open one as refunded"
    )]
    NotOpen(&'static str),
    /// A call that tells the provider to pay may be under way. The value is the latest end of this call.
    #[error("a call to pay may be under way until {0}; settle it after that")]
    CallUnderWay(Timestamp),
    /// The provider still has time to answer. The value is the end of this time.
    #[error("the provider has until {0} to answer; settle it after that")]
    TooEarly(Timestamp),
    /// The provider's answer proves a result that differs from the result that the operator declares.
    #[error("the provider proves this result: {0}. No other result can be recorded")]
    Proved(String),
    /// According to the database, the withdrawal was never sent. But the provider has made its payment, or is making it. So the
    /// database may be a restored copy.
    #[error(
        "the provider says of this payment: {0}. But in this database it was never sent, so the database may be a restored \
         copy; run `bolts withdrawals reconcile`"
    )]
    NeverSentHere(String),
    /// The provider's answer proves no result, and does not fit the result that the operator declares.
    #[error(
        "the provider says of this payment: {0}. If the node's own books show what became of it, repeat the command \
         with --despite REASON"
    )]
    Contradicted(String),
}

impl Withdrawal {
    /// Checks whether the operator can settle the withdrawal at `now`, before the provider is asked.
    ///
    /// # Errors
    /// The reason why the operator cannot settle the withdrawal.
    pub fn may_be_settled(&self, verdict: Verdict, now: Timestamp, waits: &Waits) -> Result<(), Unsettled> {
        match (self.status(), verdict) {
            (WithdrawalStatus::Held, Verdict::Refunded) => Ok(()),
            (WithdrawalStatus::Sending, Verdict::Refunded | Verdict::Paid(_)) => {
                if let Some(until) = self.call_until(now) {
                    return Err(Unsettled::CallUnderWay(until));
                }
                let answered_by = self.trail.as_ref().map(|trail| trail.latest.after(waits.patience));
                answered_by.filter(|by| now < *by).map_or(Ok(()), |by| Err(Unsettled::TooEarly(by)))
            }
            (WithdrawalStatus::Held, Verdict::Paid(_))
            | (WithdrawalStatus::Paid | WithdrawalStatus::Refunded, _) => {
                Err(Unsettled::NotOpen(self.status().as_str()))
            }
        }
    }

    /// Settles the withdrawal as the operator declares. `said` is the provider's current answer. If the answer
    /// proves a result, the proof overrides the operator. With `is_despite`, the operator overrides any other
    /// answer.
    ///
    /// # Errors
    /// The reason why the withdrawal stays as it is.
    pub fn settle_by_operator(
        self,
        verdict: Verdict,
        (said, is_despite): (&Evidence, bool),
        now: Timestamp,
        waits: &Waits,
    ) -> Result<(Self, HoldEffect), Unsettled> {
        self.may_be_settled(verdict, now, waits)?;
        let is_held = self.status() == WithdrawalStatus::Held;
        if is_held && matches!(said, Evidence::Paid { .. } | Evidence::InFlight) {
            return Err(Unsettled::NeverSentHere(said.to_string()));
        }
        if !is_held && let Ok((ended, effect)) = self.clone().judged(said.clone(), now) {
            let is_the_same = match verdict {
                Verdict::Paid(_) => ended.status() == WithdrawalStatus::Paid,
                Verdict::Refunded => ended.status() == WithdrawalStatus::Refunded,
            };
            return if is_the_same { Ok((ended, effect)) } else { Err(Unsettled::Proved(said.to_string())) };
        }
        let is_not_made = matches!(said, Evidence::NotFound { .. } | Evidence::Failed(_));
        let fits = verdict == Verdict::Refunded && is_not_made;
        if !fits && !is_despite {
            return Err(Unsettled::Contradicted(said.to_string()));
        }
        let status = self.status().as_str();
        let heard = self.heard(said, true, now);
        let step = match verdict {
            Verdict::Paid(fee) => heard.settled(fee, None, EndedBy::Operator, now),
            Verdict::Refunded => {
                let reason = "The operator found that it was not paid.".to_owned();
                heard.refunded(reason, EndedBy::Operator, now)
            }
        };
        if let Step::End(ended, effect) = step {
            Ok((ended, effect))
        } else {
            Err(Unsettled::NotOpen(status))
        }
    }
}
