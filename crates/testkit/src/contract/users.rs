//! Users and their credentials.

use bolts_kernel::{Amount, Timestamp, UserId};
use bolts_ports::{Credentials, NewUser, Queries, UserView};

use super::{Subject, keep, read, setting, user};
use crate::Scene;
use crate::fixtures::HOUR;

fn new_user(scene: &Scene<'_>, email: &str) -> NewUser {
    let (id, at) = (scene.id(UserId::from_uuid), scene.now());
    NewUser { id, email: email.to_owned(), password_hash: format!("hash of {email}"), at }
}

fn unadorned(id: UserId, email: &str, created_at: Timestamp) -> UserView {
    UserView {
        id,
        email: email.to_owned(),
        username: None,
        first_name: None,
        last_name: None,
        created_at,
        bolts: Amount::ZERO,
        sats: Amount::ZERO,
        is_admin: false,
        must_change_password: false,
    }
}

/// The same by id in a job and in a query, with the balances of the ledger; credentials by email.
pub fn a_user_is_found_as_registered(store: &dyn Subject) {
    let scene = Scene::new(store);
    let id = scene.user("ann");
    let bolts = Amount::new(bolts_ledger::SIGN_UP_GRANT).expect("not below 0");
    let expected = UserView { bolts, ..unadorned(id, "ann@example.com", scene.now()) };
    assert_eq!(user(store, id), expected);
    assert_eq!(keep(store, move |tx| tx.users().view(id)), Some(expected));
    let expected = Some(Credentials { user: id, password_hash: "hash of ann".to_owned() });
    assert_eq!(read(Queries::credentials(store, "ann@example.com")), expected);
    assert_eq!(keep(store, |tx| tx.users().credentials("ann@example.com")), expected);

    let nobody = scene.id(UserId::from_uuid);
    assert_eq!(read(Queries::user(store, nobody)), None);
    assert_eq!(keep(store, move |tx| tx.users().view(nobody)), None);
    assert_eq!(read(Queries::credentials(store, "bob@example.com")), None);
    assert_eq!(keep(store, |tx| tx.users().credentials("bob@example.com")), None);
}

/// The second of two registrations is told so, the first stays as it was, and the job may go on.
pub fn a_taken_email_changes_nothing(store: &dyn Subject) {
    let scene = Scene::new(store);
    let first = scene.user("ann");
    let before = user(store, first);
    scene.clock.advance(HOUR);
    let second = NewUser { password_hash: "another".to_owned(), ..new_user(&scene, "ann@example.com") };
    let id = second.id;
    let inserted = keep(store, move |tx| {
        let inserted = tx.users().insert(&second)?;
        tx.settings().put("the job", "went on")?;
        Ok(inserted)
    });
    assert!(!inserted);
    assert_eq!(user(store, first), before);
    assert_eq!(read(Queries::user(store, id)), None);
    let credentials = read(Queries::credentials(store, "ann@example.com"));
    assert_eq!(credentials.map(|found| found.password_hash).as_deref(), Some("hash of ann"));
    assert_eq!(setting(store, "the job").as_deref(), Some("went on"));
}

/// An admin is made and unmade by email; an unknown email is nobody.
pub fn admins_come_and_go(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let set = |email: &'static str, is_admin| keep(store, move |tx| tx.users().set_admin(email, is_admin));
    assert_eq!(set("nobody@example.com", true), None);
    assert_eq!(keep(store, |tx| tx.users().admins()), []);
    for _ in 0..2 {
        assert_eq!(set("ann@example.com", true), Some(ann), "twice is as good as once");
        assert!(user(store, ann).is_admin && !user(store, bob).is_admin);
        assert_eq!(keep(store, |tx| tx.users().admins()), [ann]);
    }
    for _ in 0..2 {
        assert_eq!(set("ann@example.com", false), Some(ann));
        assert!(!user(store, ann).is_admin);
        assert_eq!(read(Queries::admins(store)), []);
    }
}

/// Whoever registered first is first, whoever became an admin first.
pub fn admins_are_listed_oldest_first(store: &dyn Subject) {
    let scene = Scene::new(store);
    let names = ["cay", "ann", "dan", "bob"];
    let ids = names.map(|name| {
        scene.clock.advance(HOUR);
        scene.user(name)
    });
    for name in ["bob", "cay", "dan"] {
        keep(store, move |tx| tx.users().set_admin(&format!("{name}@example.com"), true));
    }
    let expected = [ids[0], ids[2], ids[3]].map(|id| user(store, id));
    assert_eq!(read(Queries::admins(store)), expected);
}
