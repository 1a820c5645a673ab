//! Fixtures: times, amounts, terms, and scenes of users and bets on a store.

use std::time::Duration;

use bolts_bets::{
    Bet, Category, Change, EscrowEffect, Method, NewBet, Outcome, Party, ShareToken, Side, Terms, Text,
    Visibility, Waits,
};
use bolts_kernel::{Amount, Currency, Money, OperationId, Source, Timestamp, UserId};
use bolts_ledger::{Account, Transfer};
use bolts_ports::{Clock, Ids, JobError, NewUser, Result, Store, Tx, submit};
use bolts_resolution::Answer;
use futures_executor::block_on;

use crate::{FakeClock, SequentialIds};

/// One hour.
pub const HOUR: Duration = Duration::from_secs(3_600);

/// One day.
pub const DAY: Duration = Duration::from_secs(24 * 3_600);

/// The start of every scene: noon UTC on 5 January 2026.
pub fn start() -> Timestamp {
    Timestamp::parse("2026-01-05T12:00:00Z").expect("a time in RFC 3339")
}

/// An amount of `units` Bolts.
pub fn bolts(units: i64) -> Money {
    Money::new(Amount::new(units).expect("not below 0"), Currency::Bolts)
}

/// An amount of `units` sats.
pub fn sats(units: i64) -> Money {
    Money::new(Amount::new(units).expect("not below 0"), Currency::Sats)
}

/// A text that skips the checks of a form.
pub fn text(words: &str) -> Text {
    Text::from_stored(words.to_owned())
}

/// The visibility of a private bet with this token.
pub fn private(token: &str) -> Visibility {
    Visibility::Private(ShareToken::new(token.to_owned()))
}

/// Valid terms: public, 100 Bolts against 60, Mutual Agreement, expiry one day after [`start`]. A test sets the fields
/// that matter and keeps the defaults of the others: `Terms { stake: bolts(7), ..terms() }`.
pub fn terms() -> Terms {
    Terms {
        title: text("Will it rain in Paris tomorrow?"),
        description: text(""),
        option_a: text("Yes, it will"),
        option_b: text("No, it will not"),
        stake: bolts(100),
        opponent_stake: bolts(60).amount,
        category: Category::Weather,
        method: Method::MutualAgreement,
        source_url: None,
        expires_at: start().after(DAY),
        resolution_date: None,
        time_zone: None,
        visibility: Visibility::Public,
    }
}

/// Runs `work` as one job and blocks until the answer arrives.
///
/// # Errors
/// The refusal of `work`, or the failure of the store.
pub fn run<T, E, F>(store: &dyn Store, work: F) -> std::result::Result<T, E>
where
    F: FnMut(&mut dyn Tx) -> std::result::Result<T, E> + Send + 'static,
    T: Send + 'static,
    E: JobError,
{
    block_on(submit(store, work))
}

/// Creates users and bets in a store, with its own clock and ids. Like the use cases, a scene writes bet,
/// event and transfers in one job. A scene panics if the rules refuse an action.
pub struct Scene<'a> {
    store: &'a dyn Store,
    /// The clock of the scene.
    pub clock: FakeClock,
    /// The source of the scene's ids.
    pub ids: SequentialIds,
}

impl<'a> Scene<'a> {
    /// A scene at [`start`] without users and bets. Create only one scene for each store, because a second scene
    /// would repeat the ids of the first.
    pub fn new(store: &'a dyn Store) -> Self {
        Self { store, clock: FakeClock::at(start()), ids: SequentialIds::default() }
    }

    /// A new id of this type.
    pub fn id<T: From<u128>>(&self) -> T {
        self.ids.next().into()
    }

    /// The current time of the scene.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Registers `{name}@example.com` with its accounts and the sign-up grant.
    pub fn user(&self, name: &str) -> UserId {
        let id = self.id::<UserId>();
        let email = format!("{name}@example.com");
        let user = NewUser { id, email, password_hash: format!("hash of {name}"), at: self.now() };
        let operation = self.id::<OperationId>();
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

    /// Grants `units` Bolts to a user.
    pub fn grant(&self, user: UserId, units: i64) {
        let (operation, amount) = (self.id::<OperationId>(), bolts(units).amount);
        let grant =
            bolts_ledger::admin_grant(user, amount, operation, self.now()).expect("more than nothing");
        self.run(move |tx| tx.ledger().post(std::slice::from_ref(&grant)));
    }

    /// Creates a pending bet with its creator on side A.
    pub fn create(&self, creator: UserId, terms: Terms) -> Bet {
        let id = self.id::<bolts_kernel::BetId>();
        let new =
            NewBet { id, creator, creator_side: Side::A, terms, waits: Waits::default(), arbiter: None };
        self.insert(Bet::create(new, self.now()))
    }

    /// Records a new bet and the stake of its creator.
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

    /// Records a change of a bet and its transfers.
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

    /// Lets the user accept the bet on the free side.
    pub fn accept(&self, bet: &Bet, user: UserId) -> Bet {
        let side = bet.creator_side.opposite();
        self.record(bet.clone().accept(user, side, self.now()).expect("may be accepted"))
    }

    /// Lets a party propose an outcome. Under Manual Verification the proposal settles the bet.
    pub fn propose(&self, bet: &Bet, party: Party, outcome: Outcome) -> Bet {
        let (user, id) = (Self::user_of(bet, party), self.id::<bolts_kernel::ProposalId>());
        let change = bolts_resolution::propose(bet.clone(), user, outcome, id, self.now());
        self.record(change.expect("may be proposed"))
    }

    /// Lets a party accept or reject the standing proposal.
    pub fn respond(&self, bet: &Bet, party: Party, answer: Answer) -> Bet {
        let change =
            bolts_resolution::respond(bet.clone(), Self::user_of(bet, party), answer, None, self.now());
        self.record(change.expect("may be answered"))
    }

    /// Settles an accepted bet: the creator proposes the outcome, and the acceptor agrees.
    pub fn settle(&self, bet: &Bet, outcome: Outcome) -> Bet {
        let proposed = self.propose(bet, Party::Creator, outcome);
        self.respond(&proposed, Party::Acceptor, Answer::Accept)
    }

    /// Lets a party dispute the bet.
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

    /// The transfers of a change. Empty for a bet in sats: the site does not issue sats, so the users of a scene
    /// normally have no sats to stake.
    fn transfers(&self, change: &Change) -> Vec<Transfer> {
        let bet = &change.bet;
        let (operation, at) = (self.id::<OperationId>(), self.now());
        let moved = match change.escrow {
            _ if bet.terms.stake.currency.spec().source != Source::Issuance => Ok(Vec::new()),
            EscrowEffect::Unchanged => Ok(Vec::new()),
            EscrowEffect::Hold(user) => {
                let stake = bet.stake_by(user).expect("a party stakes");
                bolts_ledger::stake(bet.id, user, stake, operation, at).map(|transfer| vec![transfer])
            }
            EscrowEffect::PayOut(winner) => {
                bolts_ledger::pay_out(bet.id, winner, bet.pot(), operation, at).map(|transfer| vec![transfer])
            }
            EscrowEffect::Refund => bolts_ledger::refund(bet.id, &bet.stakes(), operation, at),
        };
        moved.expect("stakes are more than nothing")
    }
}
