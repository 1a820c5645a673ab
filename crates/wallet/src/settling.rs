//! The operator's last word on a withdrawal that the provider cannot tell of.

use bolts_kernel::Timestamp;

use crate::withdrawal::{EndedBy, HoldEffect, Step, Waits, Withdrawal, WithdrawalStatus};
use crate::{Evidence, Millisats};

/// What the operator says became of a withdrawal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It was paid, and the route cost this.
    Paid(Millisats),
    /// It was not paid, and never will be.
    Refunded,
}

/// Why the operator cannot settle a withdrawal now.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsettled {
    /// It has ended, or was never sent and is to be called paid.
    #[error(
        "the withdrawal is {0}; only one that is being sent can be settled as paid, and only an open one as refunded"
    )]
    NotOpen(&'static str),
    /// A server may be telling the provider to pay at this moment.
    #[error("a call to pay may be under way until {0}; settle it after that")]
    CallUnderWay(Timestamp),
    /// The provider has not had its time to answer.
    #[error("the provider has until {0} to answer; settle it after that")]
    TooEarly(Timestamp),
    /// What the provider says decides, and is not what the operator says.
    #[error("the provider says of this payment: {0}. That decides, and cannot be settled otherwise")]
    Proved(String),
    /// What the provider says does not decide, and is not what the operator says.
    #[error(
        "the provider says of this payment: {0}. If the node's own books show what became of it, repeat the command \
         with --despite REASON"
    )]
    Contradicted(String),
}

impl Withdrawal {
    /// Whether the operator can settle it at `now`, so that it makes sense to ask the provider first.
    ///
    /// # Errors
    /// Why not.
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

    /// The operator says what became of it. `said` is what the provider answers now: where that decides, it counts;
    /// otherwise `is_despite` settles against it.
    ///
    /// # Errors
    /// Why it stays as it is.
    pub fn settle_by_operator(
        self,
        verdict: Verdict,
        (said, is_despite): (&Evidence, bool),
        now: Timestamp,
        waits: &Waits,
    ) -> Result<(Self, HoldEffect), Unsettled> {
        self.may_be_settled(verdict, now, waits)?;
        if self.status() == WithdrawalStatus::Sending {
            if let Ok((ended, effect)) = self.clone().judged(said.clone(), now) {
                let is_the_same = match verdict {
                    Verdict::Paid(_) => ended.status() == WithdrawalStatus::Paid,
                    Verdict::Refunded => ended.status() == WithdrawalStatus::Refunded,
                };
                return if is_the_same {
                    Ok((ended, effect))
                } else {
                    Err(Unsettled::Proved(said.to_string()))
                };
            }
            let fits = verdict == Verdict::Refunded && matches!(said, Evidence::NotFound { .. });
            if !fits && !is_despite {
                return Err(Unsettled::Contradicted(said.to_string()));
            }
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
