//! Contract of second factors, challenges and the list of sessions.

use std::time::Duration;

use bolts_factors::{Step, Totp, TotpSecret};
use bolts_kernel::{SessionId, Timestamp, UserId};
use bolts_ports::{Challenge, FactorsView, NewSession, Origin, StoredTotp};

use super::{Subject, keep, read, user};
use crate::Scene;
use crate::fixtures::{DAY, HOUR, start};

fn app(last_step: Option<i64>, confirmed_at: Option<Timestamp>) -> StoredTotp {
    let last_step = last_step.map(|step| Step::from_number(step).expect("not negative"));
    StoredTotp { totp: Totp { secret: TotpSecret::from_random([7; 20]), last_step }, confirmed_at }
}

/// An authenticator app is kept with its secret and its last step. It counts as a factor once it is confirmed.
pub fn an_authenticator_app_is_kept(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let kept = |id| keep(store, move |tx| tx.factors().totp(id));
    assert_eq!(kept(ann), None);
    for stored in [app(None, None), app(Some(5), Some(scene.now())), app(Some(56_000_000), Some(start()))] {
        let put = stored.clone();
        keep(store, move |tx| tx.factors().put_totp(ann, &put));
        assert_eq!(kept(ann).as_ref(), Some(&stored));
        assert_eq!(read(store.factors(ann)).has_totp, stored.confirmed_at.is_some());
    }
    assert_eq!((kept(bob), read(store.factors(bob))), (None, FactorsView::default()));
    assert!(!keep(store, move |tx| tx.factors().remove_totp(bob)));
    assert!(keep(store, move |tx| tx.factors().remove_totp(ann)));
    assert_eq!((kept(ann), read(store.factors(ann)).has_totp), (None, false));
}

/// Each view of a user shows whether the user has a second factor.
pub fn a_user_is_seen_with_the_second_factor(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    for has_one in [true, false] {
        keep(store, move |tx| tx.factors().set_second_factor(ann, has_one));
        assert_eq!(user(store, ann).has_second_factor, has_one);
        let view = keep(store, move |tx| tx.users().view(ann)).expect("there");
        assert_eq!(view.has_second_factor, has_one);
        assert!(!user(store, bob).has_second_factor);
    }
}

/// A recovery code is taken once, and only by its user. New codes replace the old ones.
pub fn a_recovery_code_is_taken_once(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let codes = ["one", "two", "three"].map(str::to_owned);
    keep(store, move |tx| tx.factors().put_recovery_codes(ann, &codes));
    let take =
        |id: UserId, hash: &'static str| keep(store, move |tx| tx.factors().take_recovery_code(id, hash));
    let left = |id: UserId| {
        let counted = keep(store, move |tx| tx.factors().recovery_codes_left(id));
        assert_eq!(read(store.factors(id)).recovery_codes_left, counted);
        counted
    };
    assert!(!take(bob, "one") && !take(ann, "four"));
    assert_eq!((left(ann), left(bob)), (3, 0));
    assert_eq!((take(ann, "one"), take(ann, "one")), (true, false));
    assert_eq!(left(ann), 2);
    keep(store, move |tx| tx.factors().put_recovery_codes(ann, &["five".to_owned()]));
    assert_eq!((take(ann, "two"), left(ann)), (false, 1));
    keep(store, move |tx| tx.factors().put_recovery_codes(ann, &[]));
    assert_eq!((take(ann, "five"), left(ann)), (false, 0));
}

/// A challenge is kept as written, counts wrong proofs, and is removed alone or after its expiry.
pub fn a_challenge_is_kept(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let challenge = |hash: &str, seconds: u64| Challenge {
        hash: hash.to_owned(),
        user: ann,
        credentials: "a version".to_owned(),
        attempts: 0,
        expires_at: start().after(Duration::from_secs(seconds)),
    };
    let found = |hash: &'static str| keep(store, move |tx| tx.factors().challenge(hash));
    for (hash, seconds) in [("one", 10), ("two", 20), ("three", 30)] {
        let inserted = challenge(hash, seconds);
        keep(store, move |tx| tx.factors().insert_challenge(&inserted));
    }
    assert_eq!(found("one"), Some(challenge("one", 10)));
    assert_eq!(found("four"), None);
    keep(store, |tx| tx.factors().count_wrong_proof("one"));
    keep(store, |tx| tx.factors().count_wrong_proof("one"));
    assert_eq!(found("one"), Some(Challenge { attempts: 2, ..challenge("one", 10) }));
    assert_eq!(found("two"), Some(challenge("two", 20)));
    keep(store, |tx| tx.factors().remove_challenge("one"));
    assert_eq!((found("one"), found("two").is_some()), (None, true));
    let at = start().after(Duration::from_secs(20));
    assert_eq!(keep(store, move |tx| tx.factors().remove_expired_challenges(at, 9)), 1);
    assert_eq!((found("two"), found("three").is_some()), (None, true));
}

fn begin(store: &dyn Subject, scene: &Scene<'_>, owner: UserId, hash: &str, origin: Origin) -> SessionId {
    let (id, at) = (scene.id::<SessionId>(), scene.now());
    let session = NewSession { id, hash: hash.to_owned(), user: owner, at, origin, proved_at: None };
    keep(store, move |tx| tx.sessions().insert(&session));
    id
}

/// A session keeps the time of the last proof of the second factor.
pub fn the_time_of_a_proof_is_kept(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    begin(store, &scene, ann, "one", Origin::default());
    begin(store, &scene, ann, "two", Origin::default());
    let proved = |hash: &'static str| keep(store, move |tx| tx.factors().proved_at(hash));
    assert_eq!((proved("one"), proved("none")), (None, None));
    let at = scene.now();
    keep(store, move |tx| tx.factors().set_proved("one", at));
    assert_eq!((proved("one"), proved("two")), (Some(at), None));
    let (id, later) = (scene.id::<SessionId>(), at.after(HOUR));
    let session = NewSession {
        id,
        hash: "three".to_owned(),
        user: ann,
        at: later,
        origin: Origin::default(),
        proved_at: Some(later),
    };
    keep(store, move |tx| tx.sessions().insert(&session));
    assert_eq!(proved("three"), Some(later));
}

/// The list has the user's live sessions with their origins, the latest used first.
pub fn a_users_sessions_are_listed(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let origin =
        Origin { device: Some("Firefox on Linux".to_owned()), network: Some("203.0.113.0/24".to_owned()) };
    let ever = start().before(365 * DAY);
    let one = begin(store, &scene, ann, "one", origin.clone());
    let born = scene.now();
    scene.clock.advance(HOUR);
    let two = begin(store, &scene, ann, "two", Origin::default());
    begin(store, &scene, bob, "three", Origin::default());
    let list =
        |current: &str, idle_after, born_after| read(store.sessions_of(ann, current, idle_after, born_after));
    let all = list("one", ever, ever);
    assert_eq!(all.iter().map(|session| session.id).collect::<Vec<_>>(), [two, one]);
    assert_eq!(all.iter().map(|session| session.is_current).collect::<Vec<_>>(), [false, true]);
    assert_eq!((&all[1].origin, &all[0].origin), (&origin, &Origin::default()));
    assert_eq!((all[1].created_at, all[1].last_seen_at), (born, born));
    let used = scene.now().after(HOUR);
    keep(store, move |tx| tx.sessions().touch("one", used));
    let all = list("none", ever, ever);
    assert_eq!(all.iter().map(|session| session.id).collect::<Vec<_>>(), [one, two]);
    assert_eq!((all[0].last_seen_at, all[0].is_current, all[1].is_current), (used, false, false));
    assert_eq!(list("one", used, ever).len(), 1, "an idle session is not listed");
    assert_eq!(list("one", ever, born.after(HOUR)).len(), 1, "an old session is not listed");
}

/// A session ends by its id, and only if it belongs to the user.
pub fn one_session_ends_by_its_id(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let one = begin(store, &scene, ann, "one", Origin::default());
    begin(store, &scene, ann, "two", Origin::default());
    let ever = start().before(365 * DAY);
    let lives = |hash: &str| read(store.sessions(&[hash.to_owned()], ever, ever))[0].is_some();
    assert!(!keep(store, move |tx| tx.sessions().end_one(bob, one)));
    assert!(lives("one"));
    assert!(keep(store, move |tx| tx.sessions().end_one(ann, one)));
    assert_eq!((lives("one"), lives("two")), (false, true));
    assert!(!keep(store, move |tx| tx.sessions().end_one(ann, one)));
    begin(store, &scene, ann, "three", Origin::default());
    assert_eq!(keep(store, move |tx| tx.sessions().end_others(ann, Some("three"))), 1);
    assert_eq!(keep(store, move |tx| tx.sessions().end_others(ann, None)), 1);
}
