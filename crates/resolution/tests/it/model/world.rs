//! A bet, its ledger and the current time, and the steps that change them. As in the use cases, the steps of
//! the clock that are due come before an action. A change is kept only if the ledger accepts its transfers.

use std::time::Duration;

use bolts_bets::{Arbiter, Bet, Change, EscrowEffect, EventKind, Method, Side, Waits};
use bolts_kernel::{Amount, Currency, Money, OperationId, Timestamp, UserId};
use bolts_ledger::{Account, Book, PostError, Transfer, admin_grant, covers, pay_out, refund, stake};
use bolts_resolution::deadlines;
use proptest::test_runner::TestCaseError;

use super::{PEOPLE, invariants, permitted};
use crate::support::{
    Action, acceptor, act, arbiter, check_listed, creator, hour, pending_at, proposal, shifted, user,
};

/// The balance of each user at the start. Only the last user has another balance: one bolt less than the acceptor's stake.
pub(crate) const GRANT: i64 = 250;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    pub(crate) method: Method,
    pub(crate) creator_side: Side,
    pub(crate) waits: Waits,
    pub(crate) is_accepted: bool,
    pub(crate) has_arbiter: bool,
    /// The stakes of the creator and of the acceptor.
    pub(crate) stakes: (i64, i64),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Act {
        by: u128,
        action: Action,
    },
    /// Time passes. With `sweeps`, each step of the clock is applied when it is due. Without `sweeps`, all due
    /// steps are applied at the end.
    Wait {
        micros: u64,
        sweeps: bool,
    },
    /// Time passes until the next step of the clock, or until one microsecond before or after this step.
    WaitForNext {
        micros_off: i64,
    },
    /// Time passes while no server runs. A deadline during an outage of more than an hour gets a grace period.
    Outage {
        micros: u64,
    },
}

pub(crate) struct World {
    pub(crate) bet: Bet,
    pub(crate) first: Bet,
    pub(crate) stakes: (i64, i64),
    pub(crate) book: Book,
    pub(crate) now: Timestamp,
    pub(crate) seen: Vec<EventKind>,
    /// The number of times that the escrow was emptied.
    pub(crate) emptied: usize,
    serial: u128,
    log: Vec<String>,
}

fn bolts(units: i64) -> Money {
    Money::new(Amount::new(units).unwrap(), Currency::Bolts)
}

pub(crate) type Checked = Result<(), String>;

impl World {
    pub(crate) fn new(setting: Setting) -> Self {
        let Setting { stakes, creator_side, .. } = setting;
        let arbiter = setting.has_arbiter.then(|| Arbiter::invited(arbiter()));
        let bet = Bet { creator_side, arbiter, ..pending_at(stakes, setting.method, setting.waits) };
        let (first, now) = (bet.clone(), bet.created_at);
        let (book, seen, log) = (Book::default(), vec![EventKind::Created], Vec::new());
        let mut world = Self { bet, first, stakes, book, now, seen, emptied: 0, serial: 1_000, log };
        for who in (1..=PEOPLE).map(user) {
            let amount = Amount::new(world.granted(who)).unwrap();
            // A grant of nothing is no transfer.
            if let Ok(grant) = admin_grant(who, amount, world.operation(), now) {
                world.book.post(&[grant]).unwrap();
            }
        }
        let hold = world.transfers(&world.bet, EscrowEffect::Hold(creator()), 999);
        world.book.post(&hold).unwrap();
        if setting.is_accepted {
            world.act(acceptor(), Action::Accept(setting.creator_side.opposite())).unwrap();
        }
        world
    }

    pub(crate) fn granted(&self, who: UserId) -> i64 {
        if who == user(PEOPLE) { self.stakes.1 - 1 } else { GRANT }
    }

    pub(crate) fn failure(&self, reason: &str) -> TestCaseError {
        TestCaseError::fail(format!("{reason}\nwhat happened:\n  {}", self.log.join("\n  ")))
    }

    pub(crate) fn apply(&mut self, step: Step) -> Checked {
        match step {
            Step::Act { by, action } => {
                self.sweep()?;
                self.act(user(by), action)?;
            }
            Step::Wait { micros, sweeps } => {
                self.wait_until(self.now.after(Duration::from_micros(micros)), sweeps)?
            }
            Step::WaitForNext { micros_off } => {
                if let Some(next) = deadlines::next(&self.bet) {
                    self.wait_until(shifted(next.at, micros_off), true)?;
                }
            }
            Step::Outage { micros } => self.outage(self.now.after(Duration::from_micros(micros)))?,
        }
        self.sweep()?;
        invariants::all(self)
    }

    /// Checks that the clock alone ends the bet within the longest waiting time plus two grace periods: the one of the arbiter,
    /// and the time of the admins after it.
    pub(crate) fn run_the_clock_to_the_end(&mut self) -> Checked {
        let waits = self.bet.waits;
        let longest = waits.stand.max(waits.lapse).max(waits.dispute_lapse) + 2 * deadlines::PUT_OFF;
        let limit = self.now.max(self.bet.terms.expires_at).after(longest);
        for _ in 0..8 {
            let Some(next) = deadlines::next(&self.bet) else { break };
            if next.at > limit {
                return Err(format!("{:?} comes after the longest possible wait: {}", next.step, next.at));
            }
            self.wait_until(next.at, true)?;
            invariants::all(self)?;
        }
        let held = self.bet.escrowed();
        if held.is_zero() {
            Ok(())
        } else {
            Err(format!("{held} stay in escrow for ever, {:?}", self.bet.state))
        }
    }

    fn wait_until(&mut self, until: Timestamp, sweeps: bool) -> Checked {
        while sweeps && let Some(next) = deadlines::next(&self.bet).filter(|next| next.at <= until) {
            self.now = self.now.max(next.at);
            self.sweep()?;
        }
        self.now = self.now.max(until);
        self.log.push(format!("{} is now, {} hours after the expiry", self.now, self.hours_after_expiry()));
        self.sweep()
    }

    fn hours_after_expiry(&self) -> i64 {
        (self.now.micros() - hour(0).micros()).div_euclid(3_600_000_000)
    }

    fn outage(&mut self, to: Timestamp) -> Checked {
        let from = self.now;
        self.now = to;
        let fell = deadlines::decision(&self.bet);
        self.log.push(format!("no server ran from {from} to {to}; {fell:?}"));
        if let Some(bet) = deadlines::put_off(self.bet.clone(), from, to) {
            self.bet = bet;
            let later =
                [deadlines::arbiter_deadline(&self.bet), deadlines::decision(&self.bet).map(|d| d.at)];
            if !later.contains(&Some(to.after(deadlines::PUT_OFF))) {
                return Err(format!("{fell:?} moved to {later:?}"));
            }
        }
        self.sweep()
    }

    /// Applies all steps of the clock that are due. Checks that the next step is in the future.
    fn sweep(&mut self) -> Checked {
        for _ in 0..6 {
            let Some(change) = deadlines::due(&self.bet, self.now) else {
                return match deadlines::next(&self.bet) {
                    Some(next) if next.at <= self.now => {
                        Err(format!("no step is due, but {next:?} has passed"))
                    }
                    _ => Ok(()),
                };
            };
            let told = change.event.as_ref().map_or("reminded", |event| event.kind.as_str());
            self.log.push(format!("{} the clock: {told}", self.now));
            permitted::clock(&self.bet, &change, self.now)?;
            self.record(change)?.map_err(|error| format!("the clock was refused: {error}"))?;
        }
        Err("more than six steps of the clock are due at once".to_owned())
    }

    fn act(&mut self, by: UserId, action: Action) -> Checked {
        self.serial += 1;
        let result = act(self.bet.clone(), action, by, proposal(self.serial), self.now);
        check_listed(&self.bet, action, by, &result, self.now)?;
        let line = format!("{} {by:?}: {action:?}", self.now);
        match result {
            Err(refusal) => self.log.push(format!("{line}, refused: {}", refusal.code())),
            Ok(change) => {
                self.log.push(format!("{line} -> {}", change.bet.state));
                permitted::action(&self.bet, &change, by, self.now)?;
                if let Err(error) = self.record(change)? {
                    self.log.push(format!("  but: {error}"));
                }
            }
        }
        Ok(())
    }

    /// Records the change together with its transfers, or records nothing. The ledger may refuse only a stake
    /// that the balance does not cover.
    fn record(&mut self, change: Change) -> Result<Result<(), PostError>, String> {
        let operation = self.serial + 1;
        self.serial += 2;
        let transfers = self.transfers(&change.bet, change.escrow, operation);
        let affordable = match change.escrow {
            EscrowEffect::Hold(who) => {
                let has = self.book.balance(Account::Available(who, Currency::Bolts));
                covers(Amount::new(has).unwrap(), self.stake_of(&change.bet, who).amount)
            }
            EscrowEffect::Unchanged | EscrowEffect::PayOut(_) | EscrowEffect::Refund => true,
        };
        let before = self.book.transfers().len();
        if let Err(error) = self.book.post(&transfers) {
            let clean = self.book.transfers().len() == before;
            return if affordable || !clean {
                Err(format!("the ledger refused the transfers: {error}"))
            } else {
                Ok(Err(error))
            };
        }
        if !affordable {
            return Err("the ledger accepted a stake that the balance does not cover".to_owned());
        }
        self.check_retry(&change, operation + 1)?;
        self.emptied += usize::from(matches!(change.escrow, EscrowEffect::PayOut(_) | EscrowEffect::Refund));
        self.seen.extend(change.event.as_ref().map(|event| event.kind));
        self.bet = change.bet;
        Ok(Ok(()))
    }

    /// Checks that the ledger refuses the same transfers in another operation, because their keys already
    /// exist.
    fn check_retry(&mut self, change: &Change, operation: u128) -> Checked {
        let transfers = self.transfers(&change.bet, change.escrow, operation);
        match self.book.clone().post(&transfers) {
            Ok(()) if transfers.is_empty() => Ok(()),
            Err(PostError::Duplicate(_)) => Ok(()),
            other => Err(format!("the ledger accepted the same transfers twice: {other:?}")),
        }
    }

    fn operation(&mut self) -> OperationId {
        self.serial += 1;
        format!("{:032x}", self.serial).parse().unwrap()
    }

    /// The stake of a party, from the setting and not from the bet.
    fn stake_of(&self, bet: &Bet, who: UserId) -> Money {
        bolts(if who == bet.creator { self.stakes.0 } else { self.stakes.1 })
    }

    fn transfers(&self, bet: &Bet, effect: EscrowEffect, operation: u128) -> Vec<Transfer> {
        let operation = format!("{operation:032x}").parse().unwrap();
        match effect {
            EscrowEffect::Unchanged => Vec::new(),
            EscrowEffect::Hold(who) => {
                vec![stake(bet.id, who, self.stake_of(bet, who), operation, self.now).unwrap()]
            }
            EscrowEffect::PayOut(winner) => {
                let pot = bolts(self.stakes.0 + self.stakes.1);
                vec![pay_out(bet.id, winner, pot, operation, self.now).unwrap()]
            }
            EscrowEffect::Refund => {
                let owners = [Some(bet.creator), bet.acceptor()].into_iter().flatten();
                let stakes: Vec<(UserId, Money)> =
                    owners.map(|owner| (owner, self.stake_of(bet, owner))).collect();
                refund(bet.id, &stakes, operation, self.now).unwrap()
            }
        }
    }
}
