//! Contract of sessions and of the limits for their last use and their creation. A limit is the earliest
//! instant that is still valid.

use std::time::Duration;

use bolts_kernel::{SessionId, Timestamp, UserId};
use bolts_ports::{NewSession, Origin, SessionView};

use super::{Subject, keep, read, user};
use crate::Scene;
use crate::fixtures::{DAY, HOUR, run, start};

const INSTANT: Duration = Duration::from_micros(1);

/// A limit before the creation of all sessions in these tests, so that every session meets the limit.
fn ever() -> Timestamp {
    start().before(365 * DAY)
}

fn begin(store: &dyn Subject, scene: &Scene<'_>, owner: UserId, hash: &str) {
    let (id, at) = (scene.id::<SessionId>(), scene.now());
    let session =
        NewSession { id, hash: hash.to_owned(), user: owner, at, origin: Origin::default(), proved_at: None };
    keep(store, move |tx| tx.sessions().insert(&session));
}

fn found(store: &dyn Subject, hash: &str, idle_after: Timestamp, born_after: Timestamp) -> bool {
    view(store, hash, idle_after, born_after).is_some()
}

fn view(
    store: &dyn Subject,
    hash: &str,
    idle_after: Timestamp,
    born_after: Timestamp,
) -> Option<SessionView> {
    let mut found = read(store.sessions(&[hash.to_owned()], idle_after, born_after));
    assert_eq!(found.len(), 1);
    found.remove(0)
}

/// A session is found by its hash. The session's view of the user equals the view in other queries.
pub fn a_session_is_found_with_its_user(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    scene.clock.advance(HOUR);
    begin(store, &scene, ann, "one");
    begin(store, &scene, ann, "two");
    begin(store, &scene, bob, "three");
    for (hash, owner) in [("one", ann), ("two", ann), ("three", bob)] {
        let expected = SessionView { user: user(store, owner), last_seen_at: scene.now(), proved_at: None };
        assert_eq!(view(store, hash, ever(), ever()), Some(expected));
    }
    assert_eq!(view(store, "four", ever(), ever()), None);
}

/// The view of a session has the time of the last proof of the second factor in this session, and not in another one.
pub fn a_session_is_found_with_its_proof(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    begin(store, &scene, ann, "one");
    begin(store, &scene, ann, "two");
    let proved_at = scene.now().after(HOUR);
    keep(store, move |tx| tx.factors().set_proved("one", proved_at));
    let proof = |hash| view(store, hash, ever(), ever()).and_then(|session| session.proved_at);
    assert_eq!((proof("one"), proof("two")), (Some(proved_at), None));
}

/// Several sessions are found at once, in the order of their hashes. A hash may occur twice, and two sessions may belong
/// to one user.
pub fn sessions_are_found_together(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    for (owner, hash) in [(ann, "one"), (bob, "two"), (ann, "three")] {
        begin(store, &scene, owner, hash);
        scene.clock.advance(HOUR);
    }
    let hashes = ["three", "one", "four", "two", "one"].map(str::to_owned);
    let found = read(store.sessions(&hashes, ever(), ever()));
    let alone: Vec<_> = hashes.iter().map(|hash| view(store, hash, ever(), ever())).collect();
    assert_eq!(found, alone);
    let owners: Vec<_> = found.into_iter().map(|found| found.map(|session| session.user.id)).collect();
    assert_eq!(owners, [Some(ann), Some(ann), None, Some(bob), Some(ann)]);
    assert!(read(store.sessions(&[], ever(), ever())).is_empty());
}

/// A call ends all sessions of a user, or all except one. The sessions of other users continue.
pub fn a_users_other_sessions_end(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    for (owner, hash) in [(ann, "one"), (ann, "two"), (ann, "three"), (bob, "four")] {
        begin(store, &scene, owner, hash);
    }
    let alive = || ["one", "two", "three", "four"].map(|hash| found(store, hash, ever(), ever()));
    keep(store, move |tx| tx.sessions().end_others(ann, Some("two")));
    assert_eq!(alive(), [false, true, false, true]);
    keep(store, move |tx| tx.sessions().end_others(ann, None));
    assert_eq!(alive(), [false, false, false, true]);
}

/// A call ends the sessions of a user that were unused longest, and no others.
pub fn only_the_sessions_that_were_used_last_stay(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    for (owner, hash) in [(bob, "of bob"), (ann, "in use"), (ann, "first"), (ann, "second"), (ann, "last")] {
        begin(store, &scene, owner, hash);
        scene.clock.advance(HOUR);
    }
    let used = scene.now();
    keep(store, move |tx| tx.sessions().touch("in use", used));
    let alive =
        || ["of bob", "in use", "first", "second", "last"].map(|hash| found(store, hash, ever(), ever()));
    let end = |left| keep(store, move |tx| tx.sessions().end_unused(ann, left));
    assert_eq!((end(4), alive()), (0, [true; 5]));
    assert_eq!((end(2), alive()), (2, [true, true, false, false, true]));
    assert_eq!((end(0), alive()), (2, [true, false, false, false, false]));
}

/// A session keeps all but its hash. The change of an unknown session is a failure.
pub fn a_session_gets_another_hash(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    begin(store, &scene, ann, "old");
    begin(store, &scene, ann, "other");
    let proved_at = scene.now();
    keep(store, move |tx| tx.factors().set_proved("old", proved_at));
    let before = view(store, "old", ever(), ever());
    assert!(before.is_some());
    keep(store, |tx| tx.sessions().renew("old", "new"));
    assert_eq!((view(store, "old", ever(), ever()), view(store, "new", ever(), ever())), (None, before));
    assert!(found(store, "other", ever(), ever()));
    assert!(run(store, |tx| tx.sessions().renew("old", "newer")).is_err());
    assert!(!found(store, "newer", ever(), ever()));
}

/// A session that was last used exactly at the limit is valid. A session that was last used before the limit is
/// invalid.
pub fn an_idle_session_is_dead(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    begin(store, &scene, ann, "one");
    assert!(found(store, "one", scene.now(), ever()));
    assert!(!found(store, "one", scene.now().after(INSTANT), ever()));
}

/// A session that was created exactly at the limit is valid. A session that was created before the limit is
/// invalid, even if it was used a moment ago.
pub fn an_old_session_is_dead(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    begin(store, &scene, ann, "one");
    let (born, used) = (scene.now(), scene.now().after(DAY));
    keep(store, move |tx| tx.sessions().touch("one", used));
    assert!(found(store, "one", used, born));
    assert!(!found(store, "one", used, born.after(INSTANT)));
}

/// `touch` sets the time of the last use of one session. Other sessions do not change.
pub fn a_touch_keeps_a_session_alive(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    begin(store, &scene, ann, "one");
    begin(store, &scene, ann, "two");
    let used = scene.now().after(DAY);
    keep(store, move |tx| tx.sessions().touch("one", used));
    let view = view(store, "one", used, ever());
    assert_eq!(view.map(|view| view.last_seen_at), Some(used));
    assert!(!found(store, "two", used, ever()));
}

/// An ended session is no longer found. Other sessions continue. The end of an unknown session has no effect.
pub fn an_ended_session_is_gone(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    begin(store, &scene, ann, "one");
    begin(store, &scene, ann, "two");
    assert_eq!(keep(store, |tx| tx.sessions().end("one")), Some(ann));
    assert!(!found(store, "one", ever(), ever()));
    assert!(found(store, "two", ever(), ever()));
    assert_eq!(keep(store, |tx| tx.sessions().end("one")), None);
}

/// The store removes sessions that are before one of the limits. Sessions exactly at a limit stay.
pub fn only_dead_sessions_are_removed(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    begin(store, &scene, ann, "old but in use");
    scene.clock.advance(DAY);
    begin(store, &scene, ann, "idle");
    begin(store, &scene, ann, "in use");
    let (born_after, idle_after) = (scene.now(), scene.now().after(HOUR));
    for hash in ["old but in use", "in use"] {
        keep(store, move |tx| tx.sessions().touch(hash, idle_after));
    }
    let remove = || keep(store, move |tx| tx.sessions().remove_dead(idle_after, born_after, 1));
    assert_eq!([remove(), remove(), remove()], [1, 1, 0]);
    for (hash, lives) in [("old but in use", false), ("idle", false), ("in use", true)] {
        assert_eq!(found(store, hash, ever(), ever()), lives, "{hash}");
    }
}

/// A job locks a live session by its hash. The limits are the same as in a look-up.
pub fn a_live_session_is_locked(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    begin(store, &scene, ann, "one");
    let (born, later) = (scene.now(), scene.now().after(INSTANT));
    let owner = |hash: &'static str, idle_after, born_after| {
        keep(store, move |tx| tx.sessions().lock_live(hash, idle_after, born_after))
    };
    assert_eq!(owner("one", born, born), Some(ann));
    assert_eq!((owner("one", later, born), owner("one", born, later)), (None, None));
    assert_eq!(owner("two", ever(), ever()), None);
    keep(store, |tx| tx.sessions().end("one"));
    assert_eq!(owner("one", ever(), ever()), None);
}
