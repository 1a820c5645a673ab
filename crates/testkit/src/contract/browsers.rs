//! Contract of the browsers that get push messages.

use bolts_delivery::Channel;
use bolts_kernel::{DestinationId, SessionId, UserId};
use bolts_ports::{Browser, Destination, NewSession, Origin, Secret};

use super::{Subject, keep, read};
use crate::Scene;
use crate::fixtures::{DAY, HOUR};

/// A browser with this address, which subscribes in the session with this hash.
fn browser(scene: &Scene<'_>, user: UserId, address: &str, session: &str) -> Destination {
    Destination {
        id: scene.id::<DestinationId>(),
        user,
        channel: Channel::Push,
        address: address.to_owned(),
        secret: Some(Secret::new("public.secret")),
        browser: Some(Browser { session: session.to_owned(), device: Some("Firefox on Linux".to_owned()) }),
        confirmed_at: scene.now(),
        stopped: None,
    }
}

fn put(store: &dyn Subject, browser: &Destination) {
    let browser = browser.clone();
    keep(store, move |tx| tx.contacts().put(&browser));
}

fn addresses(store: &dyn Subject, user: UserId) -> Vec<String> {
    let all = keep(store, move |tx| tx.contacts().browsers_of(user));
    all.into_iter().map(|browser| browser.address).collect()
}

fn sign_in(store: &dyn Subject, scene: &Scene<'_>, user: UserId, hash: &str) -> SessionId {
    let id = scene.id::<SessionId>();
    let (hash, at) = (hash.to_owned(), scene.now());
    let new = NewSession { id, hash, user, at, origin: Origin::default(), proved_at: None };
    keep(store, move |tx| tx.sessions().insert(&new));
    id
}

/// A browser is kept with its session and device. Subscribed again, it keeps its id. It has one user.
pub fn a_browser_has_one_user(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let phone = browser(&scene, ann, "https://push.example/phone", "one");
    put(store, &phone);
    let only = std::slice::from_ref(&phone);
    assert_eq!(keep(store, move |tx| tx.contacts().browsers_of(ann)), only);
    assert_eq!(read(store.destinations_of(ann)), only);
    scene.clock.advance(HOUR);
    put(store, &browser(&scene, ann, "https://push.example/laptop", "two"));
    assert_eq!(addresses(store, ann), ["https://push.example/phone", "https://push.example/laptop"]);
    scene.clock.advance(HOUR);
    let again = browser(&scene, ann, "https://push.example/phone", "two");
    put(store, &again);
    let kept = Destination { id: phone.id, ..again };
    assert_eq!(keep(store, move |tx| tx.contacts().browsers_of(ann)).last(), Some(&kept));
    let of_bob = browser(&scene, bob, "https://push.example/phone", "three");
    put(store, &of_bob);
    assert_eq!(addresses(store, ann), ["https://push.example/laptop"]);
    assert_eq!(keep(store, move |tx| tx.contacts().browsers_of(bob)), [of_bob]);
}

/// The end of a session ends the subscriptions that were made in it, and no others.
pub fn a_browser_ends_with_its_session(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let mut ids = Vec::new();
    for hash in ["signed-out", "ended", "other", "kept"] {
        ids.push(sign_in(store, &scene, ann, hash));
        put(store, &browser(&scene, ann, hash, hash));
    }
    put(store, &browser(&scene, bob, "of bob", "session of bob"));
    keep(store, move |tx| tx.sessions().end("signed-out"));
    let mut left = addresses(store, ann);
    left.sort();
    assert_eq!(left, ["ended", "kept", "other"]);
    let ended = ids[1];
    assert!(!keep(store, move |tx| tx.sessions().end_one(bob, ended)), "a stranger cannot end it");
    assert_eq!(addresses(store, ann).len(), 3);
    assert!(keep(store, move |tx| tx.sessions().end_one(ann, ended)));
    assert_eq!(addresses(store, ann).len(), 2);
    keep(store, move |tx| tx.sessions().end_others(ann, Some("kept")));
    assert_eq!(addresses(store, ann), ["kept"]);
    keep(store, move |tx| tx.sessions().end_others(ann, None));
    assert_eq!((addresses(store, ann), addresses(store, bob)), (vec![], vec!["of bob".to_owned()]));
}

/// A browser stays subscribed in a session that gets another hash, and ends with this session.
pub fn a_browser_stays_in_a_session_with_another_hash(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    for hash in ["old", "other"] {
        sign_in(store, &scene, ann, hash);
        put(store, &browser(&scene, ann, hash, hash));
    }
    keep(store, |tx| tx.sessions().renew("old", "new"));
    keep(store, |tx| tx.sessions().end("old"));
    assert_eq!(addresses(store, ann).len(), 2);
    keep(store, move |tx| tx.sessions().end_others(ann, Some("new")));
    assert_eq!(addresses(store, ann), ["old"], "the address of the browser in the session");
    keep(store, move |tx| tx.sessions().end_unused(ann, 0));
    assert_eq!(addresses(store, ann), Vec::<String>::new());
}

/// A session that nobody used for long is removed, and its browser still gets messages. The next password change ends the
/// subscription.
pub fn a_browser_outlives_a_dead_session(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    sign_in(store, &scene, ann, "old");
    put(store, &browser(&scene, ann, "phone", "old"));
    scene.clock.advance(DAY);
    let now = scene.now();
    keep(store, move |tx| tx.sessions().remove_dead(now, now, 9));
    assert_eq!(addresses(store, ann), ["phone"]);
    assert_eq!(keep(store, move |tx| tx.sessions().end_others(ann, Some("new"))), 0);
    assert_eq!(addresses(store, ann), Vec::<String>::new());
}
