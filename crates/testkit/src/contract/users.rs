//! Contract of users and their credentials.

use bolts_kernel::{Amount, Currency, PerCurrency, Timestamp, UserId};
use bolts_ports::{Credentials, NewUser, Profile, Queries, UserView};

use super::{Subject, keep, read, setting, user};
use crate::Scene;
use crate::fixtures::HOUR;

fn new_user(scene: &Scene<'_>, email: &str) -> NewUser {
    let (id, at) = (scene.id::<UserId>(), scene.now());
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
        balances: PerCurrency::default(),
        is_admin: false,
        has_second_factor: false,
        must_change_password: false,
    }
}

/// A job and a query find a user by id and return the same data, with the balances of the ledger. The user's
/// credentials are found by e-mail address.
pub fn a_user_is_found_as_registered(store: &dyn Subject) {
    let scene = Scene::new(store);
    assert!(!read(store.has_users()));
    let id = scene.user("ann");
    assert!(read(store.has_users()));
    let grant = Amount::new(bolts_ledger::SIGN_UP_GRANT).expect("not below 0");
    let balances = PerCurrency::only(Currency::Bolts, grant);
    let expected = UserView { balances, ..unadorned(id, "ann@example.com", scene.now()) };
    assert_eq!(user(store, id), expected);
    assert_eq!(keep(store, move |tx| tx.users().view(id)), Some(expected));
    let expected = Some(Credentials {
        user: id,
        password_hash: "hash of ann".to_owned(),
        changed_at: scene.now(),
        one_time_until: None,
    });
    assert_eq!(keep(store, |tx| tx.users().credentials("ann@example.com")), expected);

    let nobody = scene.id::<UserId>();
    assert_eq!(read(Queries::user(store, nobody)), None);
    assert_eq!(keep(store, move |tx| tx.users().view(nobody)), None);
    assert_eq!(keep(store, |tx| tx.users().credentials("bob@example.com")), None);
}

/// The store refuses a second registration of an e-mail address. The first user stays unchanged, and the job
/// may continue.
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
    let credentials = keep(store, |tx| tx.users().credentials("ann@example.com"));
    assert_eq!(credentials.map(|found| found.password_hash).as_deref(), Some("hash of ann"));
    assert_eq!(setting(store, "the job").as_deref(), Some("went on"));
}

/// A user with a given e-mail address becomes an admin or stops being an admin. An unknown address has no
/// effect.
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

/// Admins are listed in the order of their registration, not in the order in which they became admins.
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

/// Two usernames must differ in more than upper and lower case. A taken username changes nothing. A user may
/// save their own username again.
pub fn a_profile_is_kept_and_usernames_are_unique(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let set = |user, username: &str, first_name: Option<&str>| {
        let first_name = first_name.map(str::to_owned);
        let profile = Profile { username: username.to_owned(), first_name, last_name: None };
        keep(store, move |tx| tx.users().set_profile(user, &profile))
    };
    assert!(set(ann, "Ann_1", Some("Ann")));
    assert!(!set(bob, "ANN_1", Some("Bob")));
    assert_eq!((user(store, bob).username, user(store, bob).first_name), (None, None));
    assert!(set(ann, "ANN_1", None));
    let found = user(store, ann);
    assert_eq!((found.username.as_deref(), found.first_name, found.last_name), (Some("ANN_1"), None, None));
    let bet = scene.create(ann, crate::fixtures::terms());
    let view = read(store.bet(&bolts_ports::BetKey::Id(bet.id))).expect("it is there");
    assert_eq!(view.creator.username.as_deref(), Some("ANN_1"));
}

/// A user with a one-time password must change it. The credentials contain the expiry of the one-time password.
pub fn a_one_time_password_has_to_be_changed(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let (now, until) = (scene.now(), scene.now().after(HOUR));
    keep(store, move |tx| tx.users().set_password(ann, "one-time", Some(until), now));
    assert!(user(store, ann).must_change_password);
    let expected = Credentials {
        user: ann,
        password_hash: "one-time".to_owned(),
        changed_at: now,
        one_time_until: Some(until),
    };
    assert_eq!(keep(store, |tx| tx.users().credentials("ann@example.com")), Some(expected));
    keep(store, move |tx| tx.users().set_password(ann, "lasting", None, now));
    assert!(!user(store, ann).must_change_password);
    let hash = keep(store, |tx| tx.users().credentials("ann@example.com")).map(|found| found.password_hash);
    assert_eq!(hash.as_deref(), Some("lasting"));
}

/// A lock by the user's id and a look-up by e-mail address return the same credentials. Each write of the
/// password changes the credentials, even if the hash is the same.
pub fn credentials_are_locked_as_they_are(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let both = || {
        keep(store, move |tx| {
            Ok((tx.users().lock_credentials(ann)?, tx.users().credentials("ann@example.com")?))
        })
    };
    let (locked, first) = both();
    assert!(locked.is_some());
    assert_eq!(locked, first);
    let at = scene.now().after(HOUR);
    keep(store, move |tx| tx.users().set_password(ann, "hash of ann", None, at));
    let (locked, second) = both();
    assert_eq!(locked, second);
    assert_ne!(first, second, "the same hash, written again");
    let nobody = scene.id::<UserId>();
    assert_eq!(keep(store, move |tx| tx.users().lock_credentials(nobody)), None);
}

/// A new cooldown replaces the user's earlier cooldown. Other users get no cooldown.
pub fn a_cooldown_is_kept(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let ends = |user| keep(store, move |tx| tx.users().lock_cooldown(user));
    assert_eq!(ends(ann), None);
    for hours in [2, 1] {
        let until = scene.now().after(hours * HOUR);
        keep(store, move |tx| tx.users().begin_cooldown(ann, until));
        assert_eq!((ends(ann), ends(bob)), (Some(until), None));
    }
}

/// Cooldowns that a wrong clock made too long become shorter. The others stay.
pub fn cooldowns_become_shorter(store: &dyn Subject) {
    let scene = Scene::new(store);
    let users = ["ann", "bob", "cem", "dan"].map(|name| scene.user(name));
    let [earlier, latest, later] = [1, 2, 3].map(|hours| scene.now().after(hours * HOUR));
    for (user, until) in users.into_iter().zip([earlier, latest, later]) {
        keep(store, move |tx| tx.users().begin_cooldown(user, until));
    }
    keep(store, move |tx| tx.users().shorten_cooldowns(latest));
    let ends = users.map(|user| keep(store, move |tx| tx.users().lock_cooldown(user)));
    assert_eq!(ends, [Some(earlier), Some(latest), Some(latest), None]);
}
