//! Contract of deadlines: the store finds the bets whose deadline has passed.

use std::time::Duration;

use bolts_bets::{Bet, Outcome, Terms};
use bolts_kernel::UserId;
use bolts_resolution::deadlines;

use super::{Subject, read};
use crate::Scene;
use crate::fixtures::{DAY, HOUR, bolts, start, terms};

const INSTANT: Duration = Duration::from_micros(1);

fn expiring(scene: &Scene<'_>, creator: UserId, after: Duration) -> Bet {
    scene.create(
        creator,
        Terms {
            stake: bolts(1),
            opponent_stake: bolts(2).amount,
            expires_at: start().after(after),
            ..terms()
        },
    )
}

/// A bet is overdue from the instant of its deadline on. The bet with the earliest deadline comes first. The
/// store returns at most `limit` bets.
pub fn overdue_bets_come_longest_overdue_first(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let third = expiring(&scene, ann, 3 * HOUR).id;
    let first = expiring(&scene, ann, HOUR).id;
    let second = expiring(&scene, ann, 2 * HOUR).id;
    let overdue = |after: Duration, limit| read(store.overdue(start().after(after), limit));
    assert_eq!(overdue(HOUR - INSTANT, 9), []);
    assert_eq!(overdue(HOUR, 9), [first]);
    assert_eq!(overdue(DAY, 9), [first, second, third]);
    assert_eq!(overdue(DAY, 2), [first, second]);
}

/// A settled, cancelled or deleted bet is never overdue.
pub fn bets_that_ended_are_never_overdue(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let bets = [(); 4].map(|()| expiring(&scene, ann, DAY));
    let accepted = [0, 1].map(|index: usize| scene.accept(&bets[index], bob));
    scene.settle(&accepted[0], Outcome::A);
    scene.settle(&accepted[1], Outcome::Void);
    scene.record(bets[2].clone().delete(ann, scene.now()).expect("may be deleted"));
    scene.clock.advance(DAY);
    assert_eq!(read(store.overdue(scene.now(), 9)), [bets[3].id]);
    scene.record(deadlines::due(&bets[3], scene.now()).expect("it expired"));
    assert_eq!(read(store.overdue(scene.now().after(100 * DAY), 9)), []);
}

/// A bet is overdue when the notice of its expiry must be sent, and when the reminder of its deadline must be
/// sent. After the notice or reminder is recorded, the bet is no longer overdue.
pub fn reminders_are_overdue_but_decide_nothing(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let mut bet = scene.accept(&expiring(&scene, ann, DAY), bob);
    let lapse = start().after(15 * DAY);
    for told_at in [start().after(DAY), lapse.before(DAY)] {
        assert_eq!(read(store.overdue(told_at.before(INSTANT), 9)), []);
        assert_eq!(read(store.overdue(told_at, 9)), [bet.id]);
        bet = scene.record(deadlines::due(&bet, told_at).expect("is to be told"));
        assert_eq!(read(store.overdue(told_at, 9)), []);
    }
    assert_eq!(read(store.overdue(lapse, 9)), [bet.id]);
}
