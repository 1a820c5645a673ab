//! Notifications on the site: the user reads them, and clears them.

use bolts_kernel::{Amount, NotificationId};
use bolts_ports::Queries;
use bolts_usecases::Actor;
use futures_executor::block_on;

use crate::stage::{DAY, Stage};

impl Stage {
    /// The user's notifications, newest first, and whether each is read.
    fn read_marks(&self, actor: Actor) -> Vec<(NotificationId, bool)> {
        let all = self.store.notifications(actor.user).expect("readable");
        all.into_iter().map(|one| (one.id, one.is_read)).collect()
    }
}

/// A user with three notifications: the first bet unlocks an achievement, and two bets are accepted.
fn with_three(stage: &Stage) -> Actor {
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    (0..2).for_each(|_| {
        stage.live(ann, bob, DAY);
    });
    ann
}

#[test]
fn a_user_reads_and_clears_the_own_notifications() {
    let stage = Stage::new();
    let (ann, eve) = (with_three(&stage), stage.user("eve"));
    let marks = || stage.read_marks(ann).into_iter().map(|(_, is_read)| is_read).collect::<Vec<_>>();
    let (newest, _) = stage.read_marks(ann)[0];
    assert_eq!(block_on(stage.app.read_notification(eve.user, newest)), Ok(None), "it is not eve's");
    assert_eq!(marks(), [false, false, false]);

    let read = block_on(stage.app.read_notification(ann.user, newest)).expect("read").expect("there");
    assert_eq!((read.id, read.is_read, read.body.kind()), (newest, true, "bet_accepted"));
    assert_eq!(marks(), [true, false, false]);

    for (user, unread) in [(eve, 0), (ann, 2), (ann, 0)] {
        assert_eq!(block_on(stage.app.read_all_notifications(user.user)), Ok(unread));
    }
    assert_eq!(marks(), [true, true, true]);

    for (user, number) in [(eve, 0), (ann, 3), (ann, 0)] {
        assert_eq!(block_on(stage.app.clear_notifications(user.user)), Ok(number));
    }
    assert_eq!(stage.read_marks(ann), []);
}

#[test]
fn a_user_is_told_of_a_grant() {
    let stage = Stage::new();
    let (ann, root) = (stage.user("ann"), stage.admin("root"));
    let amount = Amount::new(20).expect("not below 0");
    block_on(stage.app.grant_bolts(root, "ann@example.com", amount, None)).expect("granted");
    let told = stage.store.notifications(ann.user).expect("readable");
    let kinds: Vec<&str> = told.iter().map(|one| one.body.kind()).collect();
    assert_eq!(kinds, ["bolts_granted"]);
}
