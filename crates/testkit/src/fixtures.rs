use std::time::Duration;

use bolts_bets::{
    Bet, Category, Change, EscrowEffect, Method, NewBet, Outcome, Party, ShareToken, Side, Terms, Text,
    Visibility, Waits,
};
use bolts_kernel::{Amount, Currency, Money, OperationId, Timestamp, UserId};
use bolts_ledger::{Account, Transfer};
use bolts_ports::{Clock, Ids, JobError, NewUser, Result, Store, Tx, submit};
use bolts_resolution::Answer;
use futures_executor::block_on;
use uuid::Uuid;

use crate::{FakeClock, SequentialIds};

/// One hour.
pub const HOUR: Duration = Duration::from_secs(3_600);

/// One day.
pub const DAY: Duration = Duration::from_secs(24 * 3_600);

/// When every scene begins: noon on 5 January 2026, UTC.
pub fn start() -> Timestamp {
    Timestamp::parse("2026-01-05T12:00:00Z").expect("a time in RFC 3339")
}

/// So many Bolts.
pub fn bolts(units: i64) -> Money {
    Money::new(Amount::new(units).expect("not below 0"), Currency::Bolts)
}

/// So many sats.
pub fn sats(units: i64) -> Money {
    Money::new(Amount::new(units).expect("not below 0"), Currency::Sats)
}

/// A text as if it had been judged.
pub fn text(words: &str) -> Text {
    Text::from_stored(words.to_owned())
}

/// Behind a link with this secret.
pub fn private(token: &str) -> Visibility {
    Visibility::Private(ShareToken::new(token.to_owned()))
}

/// Terms that any user could agree to: public, 100 Bolts, Mutual Agreement, open for a day from [`start`]. Tests
/// name what matters to them and take the rest from here: `Terms { stake: bolts(7), ..terms() }`.
pub fn terms() -> Terms {
    Terms {
        title: text("Will it rain in Paris tomorrow?"),
        description: text(""),
        option_a: text("Yes, it will"),
        option_b: text("No, it will not"),
        stake: bolts(100),
        category: Category::Weather,
        method: Method::MutualAgreement,
        source_url: None,
        expires_at: start().after(DAY),
        resolution_date: None,
        time_zone: None,
        visibility: Visibility::Public,
    }
}

/// Runs `work` as one job and blocks until its answer comes.
///
/// # Errors
/// What `work` refused with, or the store's failure.
pub fn run<T, E, F>(store: &dyn Store, work: F) -> std::result::Result<T, E>
where
    F: FnMut(&mut dyn Tx) -> std::result::Result<T, E> + Send + 'static,
    T: Send + 'static,
    E: JobError,
{
    block_on(submit(store, work))
}

/// People and bets on a store, with a clock and ids of its own. Whatever it writes, it writes as the use cases do:
/// bet, event and transfers in one job. It panics where a test asks for what the rules refuse.
pub struct Scene<'a> {
    store: &'a dyn Store,
    /// What time it is for whatever the scene does.
    pub clock: FakeClock,
    /// Where its ids come from.
    pub ids: SequentialIds,
}

impl<'a> Scene<'a> {
    /// An empty scene at [`start`]. One a store: a second one would use its ids again.
    pub fn new(store: &'a dyn Store) -> Self {
        Self { store, clock: FakeClock::at(start()), ids: SequentialIds::default() }
    }

    /// A fresh id, e.g. `scene.id(BetId::from_uuid)`.
    pub fn id<T>(&self, wrap: fn(Uuid) -> T) -> T {
        wrap(Uuid::from_u128(self.ids.next()))
    }

    /// What time it is.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Registers `{name}@example.com`, with empty accounts and the Bolts of a new user.
    pub fn user(&self, name: &str) -> UserId {
        let id = self.id(UserId::from_uuid);
        let email = format!("{name}@example.com");
        let user = NewUser { id, email, password_hash: format!("hash of {name}"), at: self.now() };
        let operation = self.id(OperationId::from_uuid);
        let grant =
            bolts_ledger::sign_up_grant(id, operation, user.at).expect("a grant of more than nothing");
        self.run(move |tx| {
            assert!(tx.users().insert(&user)?, "the email is not taken");
            let own = Currency::ALL.map(|currency| Account::Available(id, currency));
            tx.ledger().open(&own)?;
            tx.ledger().post(std::slice::from_ref(&grant))
        });
        id
    }

    /// Gives a user further Bolts.
    pub fn grant(&self, user: UserId, units: i64) {
        let (operation, amount) = (self.id(OperationId::from_uuid), bolts(units).amount);
        let grant =
            bolts_ledger::admin_grant(user, amount, operation, self.now()).expect("more than nothing");
        self.run(move |tx| tx.ledger().post(std::slice::from_ref(&grant)));
    }

    /// A pending bet with its creator on side A.
    pub fn create(&self, creator: UserId, terms: Terms) -> Bet {
        let id = self.id(bolts_kernel::BetId::from_uuid);
        let new = NewBet { id, creator, creator_side: Side::A, terms, waits: Waits::default() };
        self.insert(Bet::create(new, self.now()))
    }

    /// Records a created bet and its creator's stake.
    pub fn insert(&self, created: Change) -> Bet {
        let transfers = self.transfers(&created);
        let bet = created.bet.clone();
        self.run(move |tx| {
            tx.ledger().open(&[Account::Escrow(created.bet.id, created.bet.terms.stake.currency)])?;
            tx.bets().insert(&created)?;
            tx.ledger().post(&transfers)
        });
        bet
    }

    /// Records what happened to a bet, and what that moves.
    pub fn record(&self, change: Change) -> Bet {
        let transfers = self.transfers(&change);
        let bet = change.bet.clone();
        self.run(move |tx| {
            tx.bets().lock(change.bet.id)?.expect("the bet is there");
            tx.bets().update(&change)?;
            tx.ledger().post(&transfers)
        });
        bet
    }

    /// A user takes the other side.
    pub fn accept(&self, bet: &Bet, user: UserId) -> Bet {
        let side = bet.creator_side.opposite();
        self.record(bet.clone().accept(user, side, self.now()).expect("may be accepted"))
    }

    /// A party proposes an outcome; under Manual Verification that settles the bet.
    pub fn propose(&self, bet: &Bet, party: Party, outcome: Outcome) -> Bet {
        let (user, id) = (Self::user_of(bet, party), self.id(bolts_kernel::ProposalId::from_uuid));
        let change = bolts_resolution::propose(bet.clone(), user, outcome, id, self.now());
        self.record(change.expect("may be proposed"))
    }

    /// A party answers the standing proposal.
    pub fn respond(&self, bet: &Bet, party: Party, answer: Answer) -> Bet {
        let change =
            bolts_resolution::respond(bet.clone(), Self::user_of(bet, party), answer, None, self.now());
        self.record(change.expect("may be answered"))
    }

    /// Settles an accepted bet: its creator proposes the outcome and its acceptor agrees.
    pub fn settle(&self, bet: &Bet, outcome: Outcome) -> Bet {
        let proposed = self.propose(bet, Party::Creator, outcome);
        self.respond(&proposed, Party::Acceptor, Answer::Accept)
    }

    /// A party calls for an admin.
    pub fn dispute(&self, bet: &Bet, party: Party, reason: &str) -> Bet {
        let change = bolts_resolution::dispute(bet.clone(), Self::user_of(bet, party), reason, self.now());
        self.record(change.expect("may be disputed"))
    }

    fn user_of(bet: &Bet, party: Party) -> UserId {
        bet.user(party).expect("the bet has that party")
    }

    pub(crate) fn run<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut dyn Tx) -> Result<T> + Send + 'static,
    ) -> T {
        run(self.store, work).expect("the store takes it")
    }

    /// What a change moves. Nothing for a sats bet: sats come in by deposits only, so a scene has none to stake.
    fn transfers(&self, change: &Change) -> Vec<Transfer> {
        let (bet, stake) = (&change.bet, change.bet.terms.stake);
        let (operation, at) = (self.id(OperationId::from_uuid), self.now());
        let moved = match change.escrow {
            _ if stake.currency == Currency::Sats => Ok(Vec::new()),
            EscrowEffect::Unchanged => Ok(Vec::new()),
            EscrowEffect::Hold(user) => {
                bolts_ledger::stake(bet.id, user, stake, operation, at).map(|transfer| vec![transfer])
            }
            EscrowEffect::PayOut(winner) => {
                let pot = stake.checked_add(stake).expect("two stakes fit");
                bolts_ledger::pay_out(bet.id, winner, pot, operation, at).map(|transfer| vec![transfer])
            }
            EscrowEffect::Refund => {
                let owners = [Some(bet.creator), bet.acceptor()].into_iter().flatten();
                let stakes: Vec<_> = owners.map(|owner| (owner, stake)).collect();
                bolts_ledger::refund(bet.id, &stakes, operation, at)
            }
        };
        moved.expect("stakes are more than nothing")
    }
}
