//! Hints to open pages: whose pages fetch what again after an action.

use std::collections::HashSet;
use std::sync::Mutex;

use bolts_bets::Outcome;
use bolts_kernel::BetId;
use bolts_ports::{About, Fanout, Hint};
use bolts_resolution::Answer;
use bolts_usecases::Actor;
use bolts_usecases::accounts::SignedIn;
use futures_executor::block_on;

use crate::stage::{DAY, Stage};

/// The open pages of all users.
#[derive(Default)]
struct Pages(Mutex<Vec<Hint>>);

impl Fanout for Pages {
    fn publish(&self, hints: &[Hint]) {
        self.0.lock().expect("no panic").extend(hints);
    }
}

impl Stage {
    /// The hints that reach the pages for all actions since the last call.
    pub(crate) fn hints(&self) -> HashSet<Hint> {
        let pages = Pages::default();
        let sent = block_on(self.app.relay(&pages)).expect("relayed");
        let hints = pages.0.into_inner().expect("no panic");
        assert_eq!(sent, hints.len());
        hints.into_iter().collect()
    }

    /// Whether the user's pages look for their session after the actions since the last call.
    pub(crate) fn asks_for_sessions(&self, session: &SignedIn) -> bool {
        self.hints().contains(&Hint { user: session.user.id, about: About::Sessions })
    }
}

fn about_bet(bet: BetId, actor: Actor) -> Hint {
    Hint { user: actor.user, about: About::Bet(bet) }
}

fn balance(actor: Actor) -> Hint {
    Hint { user: actor.user, about: About::Balance }
}

fn notification(actor: Actor) -> Hint {
    Hint { user: actor.user, about: About::Notification }
}

#[test]
fn an_action_reaches_the_pages_of_the_parties_once() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    stage.hints();
    let bet = stage.create(ann, DAY);
    // The first bet of a user unlocks an achievement.
    assert_eq!(stage.hints(), [about_bet(bet, ann), balance(ann), notification(ann)].into());
    assert_eq!(stage.hints(), HashSet::new());

    stage.accept(bob, bet);
    let both = [about_bet(bet, ann), about_bet(bet, bob)];
    let told = [balance(bob), notification(ann), notification(bob)];
    assert_eq!(stage.hints(), both.into_iter().chain(told).collect());

    stage.propose(ann, bet, Outcome::A);
    assert_eq!(stage.hints(), both.into_iter().chain([notification(bob)]).collect());
    stage.answer(bob, bet, Answer::Accept).expect("settled");
    let told = [balance(ann), notification(ann)];
    assert_eq!(stage.hints(), both.into_iter().chain(told).collect());
}

#[test]
fn both_pages_show_a_refund() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let bet = stage.live(ann, bob, DAY);
    stage.propose(ann, bet, Outcome::Void);
    stage.hints();
    stage.answer(bob, bet, Answer::Accept).expect("settled");
    let hints = stage.hints();
    assert!(hints.is_superset(&[balance(ann), balance(bob)].into()), "{hints:?}");
}

/// Whoever wrote on the bet has probably its page open.
#[test]
fn a_new_and_a_deleted_message_reach_the_parties_and_the_authors() {
    let stage = Stage::new();
    let (ann, bob, cay) = (stage.user("ann"), stage.user("bob"), stage.user("cay"));
    let bet = stage.live(ann, bob, DAY);
    stage.hints();
    let written = stage.write(cay, bet).message.id;
    let readers = [ann, bob, cay].map(|reader| about_bet(bet, reader));
    let told = [notification(ann), notification(bob)];
    assert_eq!(stage.hints(), readers.into_iter().chain(told).collect());
    stage.delete(cay, bet, written).expect("deleted");
    assert_eq!(stage.hints(), readers.into());
}
