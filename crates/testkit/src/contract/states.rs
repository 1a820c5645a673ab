//! Contract of states: the store returns a bet as it was written, in every state, with each optional part
//! absent and present.

use bolts_bets::{Bet, Method, Outcome, Party, Terms};
use bolts_kernel::UserId;
use bolts_resolution::{Answer, deadlines};

use super::{Subject, assert_kept};
use crate::Scene;
use crate::fixtures::{DAY, HOUR, bolts, start, terms};

const OUTCOMES: [Outcome; 3] = [Outcome::A, Outcome::B, Outcome::Void];

/// A store with two users and an admin. The functions create bets of 1 Bolt between the users.
struct Table<'a> {
    store: &'a dyn Subject,
    scene: Scene<'a>,
    ann: UserId,
    bob: UserId,
    admin: UserId,
}

impl<'a> Table<'a> {
    fn new(store: &'a dyn Subject) -> Self {
        let scene = Scene::new(store);
        let [ann, bob, admin] = ["ann", "bob", "admin"].map(|name| scene.user(name));
        Self { store, scene, ann, bob, admin }
    }

    fn pending(&self) -> Bet {
        let terms = Terms {
            stake: bolts(1),
            opponent_stake: bolts(2).amount,
            expires_at: self.scene.now().after(DAY),
            ..terms()
        };
        self.seen(self.scene.create(self.ann, terms))
    }

    fn accepted(&self) -> Bet {
        let pending = self.pending();
        self.scene.clock.advance(HOUR);
        self.seen(self.scene.accept(&pending, self.bob))
    }

    fn proposed(&self, party: Party, outcome: Outcome) -> Bet {
        let accepted = self.accepted();
        self.scene.clock.advance(HOUR);
        match party {
            Party::Creator => self.seen(self.scene.propose(&accepted, party, outcome)),
            Party::Acceptor => {
                let opened = self.opened(accepted);
                self.scene.clock.set(opened.terms.expires_at.after(opened.waits.stand));
                self.seen(self.scene.propose(&opened, party, outcome))
            }
        }
    }

    fn opened(&self, accepted: Bet) -> Bet {
        let change = bolts_resolution::end_early(accepted, self.ann, self.scene.now());
        self.seen(self.scene.record(change.expect("may be ended")))
    }

    /// Advances the clock by `later` and applies all steps that are due, one at a time.
    fn clock_strikes(&self, mut bet: Bet, later: std::time::Duration) -> Bet {
        self.scene.clock.advance(later);
        while let Some(change) = deadlines::due(&bet, self.scene.now()) {
            bet = self.seen(self.scene.record(change));
        }
        bet
    }

    fn seen(&self, bet: Bet) -> Bet {
        assert_kept(self.store, &bet);
        bet
    }
}

/// The store keeps a pending bet, and a bet that expired without an acceptor.
pub fn a_pending_bet_and_its_cancellations_are_kept(store: &dyn Subject) {
    let table = Table::new(store);
    let pending = table.pending();
    let expired = table.clock_strikes(pending, DAY);
    assert_eq!(expired.status(), bolts_bets::Status::Cancelled);
}

/// The store keeps an accepted bet, and a bet that its creator ended early.
pub fn an_accepted_bet_is_kept(store: &dyn Subject) {
    let table = Table::new(store);
    let accepted = table.accepted();
    table.opened(accepted);
}

/// The store keeps proposals of either party, rejections, and new proposals after a rejection.
pub fn proposals_and_rejections_are_kept(store: &dyn Subject) {
    let table = Table::new(store);
    for party in [Party::Creator, Party::Acceptor] {
        for outcome in OUTCOMES {
            let mut bet = table.proposed(party, outcome);
            for again in OUTCOMES {
                table.scene.clock.advance(HOUR);
                bet = table.seen(table.scene.respond(&bet, party.other(), Answer::Reject));
                table.scene.clock.advance(HOUR);
                bet = table.seen(table.scene.propose(&bet, Party::Creator, again));
                if party == Party::Acceptor {
                    break;
                }
            }
        }
    }
}

/// The store keeps an outcome on which the parties agreed, and an outcome that the creator declared under
/// Manual Verification.
pub fn settlements_by_the_parties_are_kept(store: &dyn Subject) {
    let table = Table::new(store);
    for outcome in OUTCOMES {
        let proposed = table.proposed(Party::Creator, outcome);
        table.scene.clock.advance(HOUR);
        table.seen(table.scene.respond(&proposed, Party::Acceptor, Answer::Accept));

        let terms = Terms {
            method: Method::ManualVerification,
            stake: bolts(1),
            opponent_stake: bolts(2).amount,
            ..terms()
        };
        let terms = Terms { expires_at: table.scene.now().after(DAY), ..terms };
        let accepted = table.scene.accept(&table.scene.create(table.ann, terms), table.bob);
        let opened = table.opened(accepted);
        table.seen(table.scene.propose(&opened, Party::Creator, outcome));
    }
}

/// The store keeps a dispute with and without a standing proposal, a ruling with and without a note, and an
/// agreement during a dispute.
pub fn disputes_and_rulings_are_kept(store: &dyn Subject) {
    let table = Table::new(store);
    for outcome in OUTCOMES {
        let accepted = table.accepted();
        let opened = table.opened(accepted);
        let bare = table.seen(table.scene.dispute(&opened, Party::Creator, "He does not answer."));
        let proposed = table.proposed(Party::Creator, Outcome::A);
        let contested = table.seen(table.scene.dispute(&proposed, Party::Acceptor, "It \"rained\";\nlook!"));
        for (bet, note) in [(bare, ""), (contested, "The weather service says so.")] {
            table.scene.clock.advance(HOUR);
            let change = bolts_resolution::rule(bet, table.admin, outcome, note, table.scene.now());
            table.seen(table.scene.record(change.expect("may be ruled")));
        }
        let proposed = table.proposed(Party::Creator, outcome);
        let disputed = table.seen(table.scene.dispute(&proposed, Party::Creator, "Hurry up."));
        table.seen(table.scene.respond(&disputed, Party::Acceptor, Answer::Accept));
    }
}

/// The store keeps the result of each deadline: an unanswered proposal becomes the outcome, a bet without
/// progress is cancelled, and a dispute without a ruling ends.
pub fn what_the_clock_settles_is_kept(store: &dyn Subject) {
    let table = Table::new(store);
    let later = |days: u32| days * DAY;
    for outcome in OUTCOMES {
        let proposed = table.proposed(Party::Creator, outcome);
        let ended = table.clock_strikes(proposed, later(30));
        assert!(deadlines::next(&ended).is_none());
        let disputed = table.scene.dispute(&table.proposed(Party::Creator, outcome), Party::Creator, "Why?");
        let ended = table.clock_strikes(disputed, later(31));
        assert!(deadlines::next(&ended).is_none());
    }
    let accepted = table.accepted();
    let opened = table.opened(table.accepted());
    for bet in [accepted, opened] {
        let ended = table.clock_strikes(bet, later(40));
        assert!(deadlines::next(&ended).is_none());
    }
}

/// The store keeps the marks of the clock on a bet: the notice of the expiry was sent, a reminder was sent, and
/// the grace period moved a deadline.
pub fn what_the_clock_notes_is_kept(store: &dyn Subject) {
    let table = Table::new(store);
    let told = table.clock_strikes(table.accepted(), DAY);
    assert!(told.marks.due_told && told.marks.reminded_of.is_none());
    let reminded = table.clock_strikes(told, 13 * DAY);
    assert!(reminded.marks.reminded_of.is_some());
    let (from, to) = (start(), table.scene.now().after(30 * DAY));
    let later = deadlines::put_off(reminded, from, to).expect("fell while no server ran");
    assert!(later.marks.deferred_until.is_some());
    let escrow = bolts_bets::EscrowEffect::Unchanged;
    table.seen(table.scene.record(bolts_bets::Change { bet: later, event: None, escrow, notices: vec![] }));
}

/// The store keeps a refund by an admin, before and after the acceptance.
pub fn refunds_are_kept(store: &dyn Subject) {
    let table = Table::new(store);
    let bets = [table.pending(), table.accepted(), table.proposed(Party::Creator, Outcome::A)];
    for bet in bets {
        let change = bolts_resolution::refund(bet, table.admin, table.scene.now());
        table.seen(table.scene.record(change.expect("may be refunded")));
    }
}
