//! Jobs that meet contention in the store.

use std::sync::Arc;

use bolts_bets::Outcome;
use bolts_kernel::{Amount, Timestamp};
use bolts_ports::{
    Achievements, AdminActions, Bets, Contacts, Deliveries, Departures, Deposits, Factors, Hint, Idempotency,
    Job, Keys, Lane, Ledger, Messages, Notifications, Outbox, Passkeys, Result, Sessions, Settings, Store,
    StoreError, Throttles, Tokens, Tx, Users, Verdict, Withdrawals,
};
use bolts_resolution::Answer;
use bolts_testkit::MemoryStore;
use futures_executor::block_on;

use crate::stage::{DAY, Stage};

/// A store in which the first run of each job meets contention: at its hints, which most jobs write last, or at the commit.
pub(crate) struct Contended(pub(crate) Arc<MemoryStore>);

impl Store for Contended {
    fn enqueue(&self, job: Box<dyn Job>) {
        self.0.enqueue(Box::new(RunTwice { job, is_first: true }));
    }
}

struct RunTwice {
    job: Box<dyn Job>,
    is_first: bool,
}

impl Job for RunTwice {
    fn run(&mut self, tx: &mut dyn Tx) -> Result<Verdict> {
        if std::mem::take(&mut self.is_first) {
            self.job.run(&mut WithoutHints { tx, outbox: Locked }).and(Err(StoreError::Contention))
        } else {
            self.job.run(tx)
        }
    }

    fn done(self: Box<Self>, outcome: Result<()>) {
        self.job.done(outcome);
    }

    fn lane(&self) -> Lane {
        self.job.lane()
    }
}

/// An outbox on which every write meets contention.
struct Locked;

impl Outbox for Locked {
    fn enqueue(&mut self, _: &[Hint], _: Timestamp) -> Result<()> {
        Err(StoreError::Contention)
    }

    fn take(&mut self, _: i64) -> Result<Vec<Hint>> {
        Err(StoreError::Contention)
    }
}

struct WithoutHints<'a> {
    tx: &'a mut dyn Tx,
    outbox: Locked,
}

macro_rules! passes_on {
    ($($name:ident: $repository:ident),* $(,)?) => {
        $(fn $name(&mut self) -> &mut dyn $repository {
            self.tx.$name()
        })*
    };
}

impl Tx for WithoutHints<'_> {
    passes_on! {
        users: Users,
        sessions: Sessions,
        bets: Bets,
        ledger: Ledger,
        notifications: Notifications,
        idempotency: Idempotency,
        throttles: Throttles,
        settings: Settings,
        admin_actions: AdminActions,
        achievements: Achievements,
        deposits: Deposits,
        withdrawals: Withdrawals,
        messages: Messages,
        deliveries: Deliveries,
        contacts: Contacts,
        tokens: Tokens,
        factors: Factors,
        departures: Departures,
        passkeys: Passkeys,
        keys: Keys,
    }

    fn outbox(&mut self) -> &mut dyn Outbox {
        &mut self.outbox
    }
}

#[test]
fn users_do_not_notice_contention() {
    let stage = Stage::writing_by(Contended);
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let root = stage.admin("root");
    let bet = stage.live(ann, bob, DAY);
    assert_eq!((stage.bolts(ann), stage.bolts(bob)), (900, 900));
    stage.write(bob, bet);
    stage.propose(ann, bet, Outcome::A);
    stage.answer(bob, bet, Answer::Accept).expect("settled");
    assert_eq!((stage.bolts(ann), stage.bolts(bob)), (1_100, 900));
    block_on(stage.app.claim_reward(bob.user, "first_bet", None)).expect("unlocked");
    let gift = Amount::new(50).expect("a valid amount");
    block_on(stage.app.grant_bolts(root, "bob@example.com", gift, None)).expect("given");
    assert_eq!(stage.bolts(bob), 1_050);
    assert_eq!(stage.store.admin_actions().len(), 1);
    assert_eq!(stage.leave("ann"), Ok(()));
    stage.assert_sound();
}
