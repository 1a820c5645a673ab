//! Contract of settings, the record of admin actions, and the outbox.

use std::thread;

use bolts_ports::{About, AdminAction, Hint, PageRequest, Result, Tx};

use super::{Subject, keep, setting};
use crate::Scene;
use crate::fixtures::terms;

/// A setting is absent until a job sets its value. Then the setting has the latest value.
pub fn values_are_set_and_replaced(store: &dyn Subject) {
    assert_eq!(setting(store, "kind of sats"), None);
    for value in ["test", "", "real é\n"] {
        keep(store, move |tx| tx.settings().put("kind of sats", value));
        assert_eq!(setting(store, "kind of sats").as_deref(), Some(value));
    }
    assert_eq!(setting(store, "another name"), None);
}

/// If the setting already has a value, `put_first` returns this value and changes nothing.
pub fn the_first_value_stays(store: &dyn Subject) {
    let first = |value: &'static str| keep(store, move |tx| tx.settings().put_first("cookie key", value));
    assert_eq!(first("one"), "one");
    assert_eq!(first("two"), "one");
    assert_eq!(setting(store, "cookie key").as_deref(), Some("one"));
    keep(store, |tx| tx.settings().put("cookie key", "three"));
    assert_eq!(first("four"), "three");
}

/// If many threads call `put_first` at once, all of them get the same value.
pub fn one_of_many_is_first(store: &dyn Subject) {
    let first = |index: u32| {
        let value = format!("value {index}");
        keep(store, move |tx: &mut dyn Tx| -> Result<String> { tx.settings().put_first("instance", &value) })
    };
    let answers: Vec<String> = thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|index| scope.spawn(move || first(index))).collect();
        threads.into_iter().map(|thread| thread.join().expect("it is answered")).collect()
    });
    let set = setting(store, "instance").expect("one was first");
    assert!(answers.iter().all(|answer| *answer == set), "{answers:?}");
}

/// A job can record an action of an admin or of the operator, on a user or on a bet. This rule only checks that
/// the write succeeds. The next rule reads recorded actions.
pub fn admin_actions_are_taken(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (admin, ann) = (scene.user("admin"), scene.user("ann"));
    let bet = scene.create(ann, terms()).id;
    let by_operator = AdminAction {
        admin: None,
        action: "grant_admin",
        user: Some(admin),
        bet: None,
        detail: None,
        at: scene.now(),
    };
    let ruling = AdminAction {
        admin: Some(admin),
        action: "rule",
        user: None,
        bet: Some(bet),
        detail: Some("A: \"so it is\"".to_owned()),
        at: scene.now(),
    };
    for action in [&by_operator, &ruling, &ruling] {
        let action = action.clone();
        keep(store, move |tx| tx.admin_actions().record(&action));
    }
}

/// The actions are listed with their users and bets, newest first, in pages.
pub fn admin_actions_come_latest_first(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let bet = scene.create(ann, terms()).id;
    let at = scene.now();
    for (action, admin, user, bet) in [
        ("one", None, Some(bob), None),
        ("two", Some(ann), Some(bob), None),
        ("three", Some(ann), None, Some(bet)),
    ] {
        let detail = admin.map(|_| "why".to_owned());
        let action = AdminAction { admin, action, user, bet, detail, at };
        keep(store, move |tx| tx.admin_actions().record(&action));
    }
    let page = |after| store.admin_actions(PageRequest { limit: 2, after }).expect("it can be read");
    let first = page(None);
    let shown = first.items.iter().map(|a| (a.action.as_str(), a.admin.as_deref(), a.user.as_deref(), a.bet));
    let (ann, bob) = (Some("ann@example.com"), Some("bob@example.com"));
    assert_eq!(shown.collect::<Vec<_>>(), [("three", ann, None, Some(bet)), ("two", ann, bob, None)]);
    assert!(first.items.iter().all(|action| action.detail.as_deref() == Some("why") && action.at == at));
    let rest = page(first.next);
    let last = rest.items.first().expect("one is left");
    assert_eq!(
        (last.action.as_str(), &last.admin, last.user.as_deref(), rest.next),
        ("one", &None, bob, None)
    );
}

/// A job takes rows from the outbox, oldest first, up to a limit. If the job fails, its rows stay in the outbox.
pub fn what_is_owed_is_taken_once(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let bet = scene.create(ann, terms()).id;
    let at = scene.now();
    let rows = [
        vec![Hint { user: ann, about: About::Bet(bet) }, Hint { user: bob, about: About::Balance }],
        vec![Hint { user: ann, about: About::Notification }],
        vec![Hint { user: bob, about: About::Sessions }],
    ];
    let owed = || store.is_owed().expect("it can be asked");
    assert!(!owed());
    for hints in rows.clone() {
        keep(store, move |tx| tx.outbox().enqueue(&hints, at));
    }
    keep(store, move |tx| tx.outbox().enqueue(&[], at));
    assert!(owed());
    let lost: Result<()> = crate::fixtures::run(store, |tx| {
        tx.outbox().take(9)?;
        Err(bolts_ports::StoreError::Broken("on purpose".to_owned()))
    });
    assert!(lost.is_err());
    let take = |rows| keep(store, move |tx| tx.outbox().take(rows));
    assert_eq!(take(2), rows[..2].concat());
    assert_eq!(take(9), rows[2]);
    assert_eq!(take(9), []);
    assert!(!owed());
}
