//! The request for a withdrawal (`docs/lightning.md`, `docs/http-api.md#wallet`).

use super::action::{Host, Invoice};
use super::wallet::{Call, Payment, Status, ceil, fee_limit};
use super::{HOUR, Refusal, USER_CAP, Verdict, World, refused, refused_on};

/// An invoice that a user wants to withdraw to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bill {
    /// Two bills with one number are the same invoice.
    pub(super) number: usize,
    pub(super) msat: i64,
    pub(super) expires_at: i64,
    /// Whether it is the invoice of a deposit of this site.
    pub(super) is_ours: bool,
}

/// The destination of a withdrawal as it was sent.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    /// An invoice. `None` if it cannot be read.
    Bill(Option<Bill>),
    /// A Lightning address, and the sats.
    Address(Host, i64),
}

impl Target {
    /// The check that needs only the fields of the request.
    pub(super) fn judge(self) -> Verdict {
        match self {
            Self::Address(_, sats) if !is_allowed(sats) => refused_on("invalid_fields", "amount"),
            Self::Address(..) | Self::Bill(_) => Ok(()),
        }
    }
}

fn is_allowed(sats: i64) -> bool {
    (100..=100_000_000).contains(&sats)
}

impl World {
    /// The destination that an order names now. `Again` names the very invoice of an earlier withdrawal.
    pub(super) fn target(&mut self, invoice: Invoice, msat: i64) -> Target {
        Target::Bill(match invoice {
            Invoice::Fresh => Some(self.new_bill(msat, HOUR)),
            Invoice::Expired => Some(self.new_bill(msat, 0)),
            Invoice::Again(number) => self.withdrawals.get(number).map(|one| one.bill),
            Invoice::Deposit(number) => self.deposits.get(number).map(|one| Bill {
                number: usize::MAX - number,
                msat: one.amount * 1_000,
                expires_at: one.expires_at,
                is_ours: true,
            }),
            Invoice::NoAmount | Invoice::OtherNetwork | Invoice::Garbage => None,
            Invoice::Address(host) => return Target::Address(host, msat / 1_000),
        })
    }

    fn new_bill(&mut self, msat: i64, wait: i64) -> Bill {
        self.bills += 1;
        Bill { number: self.bills, msat, expires_at: self.now + wait, is_ours: false }
    }

    pub(super) fn withdraw(
        &mut self,
        user: usize,
        target: Target,
        is_right: bool,
        heard: &[Call],
    ) -> Verdict {
        target.judge()?;
        let bill = match target {
            Target::Bill(bill) => Some(self.readable(bill)?),
            Target::Address(Host::Malformed, _) => return refused_on("invalid_fields", "lightningAddress"),
            Target::Address(..) => None,
        };
        if !is_right {
            return refused_on("invalid_fields", "password");
        }
        let bill = match (bill, target) {
            (None, Target::Address(host, sats)) => {
                // The server of an address is asked only for a user who could withdraw.
                self.allowed(user, sats)?;
                self.covers(user, sats)?;
                if host != Host::Right {
                    return refused_on("invalid_fields", "lightningAddress");
                }
                self.new_bill(sats * 1_000, HOUR)
            }
            (Some(bill), _) => bill,
            (None, Target::Bill(_)) => return refused_on("invalid_fields", "invoice"),
        };
        self.hold(user, bill)?;
        self.hear(heard);
        Ok(())
    }

    fn readable(&self, bill: Option<Bill>) -> Result<Bill, Refusal> {
        let can_be_paid = |bill: &Bill| is_allowed(ceil(bill.msat)) && bill.expires_at > self.now;
        bill.filter(can_be_paid).ok_or(("invalid_fields", Some("invoice")))
    }

    fn allowed(&self, user: usize, sats: i64) -> Verdict {
        let now = self.now;
        if now < self.users[user].cooldown_until {
            return refused("withdrawals_resting");
        }
        if self.withdrawals.iter().filter(|one| one.user == user && one.is_open()).count() >= 3 {
            return refused("too_many_withdrawals");
        }
        let counts = |one: &&Payment| {
            one.user == user && one.created_at >= now - 24 * HOUR && one.status != Status::Refunded
        };
        let withdrawn: i64 = self.withdrawals.iter().filter(counts).map(|one| one.amount).sum();
        if sats > USER_CAP - withdrawn { refused("withdrawal_limit_reached") } else { Ok(()) }
    }

    fn covers(&self, user: usize, sats: i64) -> Verdict {
        let needed = sats + fee_limit(sats);
        if self.users[user].sats < needed { refused("insufficient_balance") } else { Ok(()) }
    }

    fn hold(&mut self, user: usize, bill: Bill) -> Verdict {
        let amount = ceil(bill.msat);
        self.allowed(user, amount)?;
        if bill.is_ours {
            return refused_on("invalid_fields", "invoice");
        }
        self.covers(user, amount)?;
        if self.withdrawals.iter().any(|one| one.bill.number == bill.number) {
            return refused_on("invoice_used", "invoice");
        }
        self.users[user].sats -= amount + fee_limit(amount);
        let (status, created_at) = (Status::Held, self.now);
        self.withdrawals.push(Payment {
            user,
            amount,
            status,
            created_at,
            bill,
            attempts: 0,
            last_word: None,
        });
        Ok(())
    }
}
