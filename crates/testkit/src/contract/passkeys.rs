//! Contract of passkeys and ceremonies.

use std::time::Duration;

use bolts_factors::PasskeyName;
use bolts_kernel::{PasskeyId, Timestamp, UserId};
use bolts_ports::{Ceremony, CeremonyPurpose, Credential, PasskeyView, StoredPasskey};

use super::{Subject, keep, read};
use crate::Scene;
use crate::fixtures::start;

/// A passkey that was never used. Its name is the beginning of the credential id.
pub(super) fn passkey(id: PasskeyId, user: UserId, credential: &str) -> StoredPasskey {
    StoredPasskey {
        id,
        user,
        name: PasskeyName::parse(&credential.chars().take(40).collect::<String>()).expect("a name"),
        credential: Credential {
            id: credential.to_owned(),
            version: 1,
            data: format!("{{\"of\":\"{credential}\"}}"),
        },
        counter: 0,
        created_at: start(),
        last_used_at: None,
        disabled_at: None,
    }
}

fn insert(store: &dyn Subject, passkey: &StoredPasskey) -> bool {
    let passkey = passkey.clone();
    keep(store, move |tx| tx.passkeys().insert_passkey(&passkey))
}

/// A passkey is kept with all its values, and found by its user, its id and its credential id. Other users have none.
pub fn a_passkey_is_kept(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let (phone, key) = (passkey(scene.id(), ann, "phone"), passkey(scene.id(), ann, "key"));
    let used = StoredPasskey {
        counter: u32::MAX,
        last_used_at: Some(scene.now()),
        disabled_at: Some(scene.now()),
        ..key
    };
    assert!(insert(store, &phone) && insert(store, &used));
    assert_eq!(keep(store, move |tx| tx.passkeys().of_user(ann)), [phone.clone(), used.clone()]);
    assert_eq!(keep(store, move |tx| tx.passkeys().of_user(bob)), []);
    for one in [&phone, &used] {
        let (id, credential) = (one.id, one.credential.id.clone());
        assert_eq!(keep(store, move |tx| tx.passkeys().lock_passkey(id)).as_ref(), Some(one));
        let found = keep(store, move |tx| tx.passkeys().with_credential(&credential));
        assert_eq!(found.as_ref(), Some(one));
    }
    assert_eq!(keep(store, |tx| tx.passkeys().with_credential("none")), None);
    let shown = read(store.factors(ann)).passkeys;
    assert_eq!(shown, [PasskeyView::from(phone), PasskeyView::from(used)]);
    assert_eq!(shown.iter().map(|one| one.is_disabled).collect::<Vec<_>>(), [false, true]);
    assert_eq!(read(store.factors(bob)).passkeys, []);
}

/// A credential id belongs to one passkey, whoever registers it again.
pub fn a_credential_belongs_to_one_passkey(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let first = passkey(scene.id(), ann, "phone");
    assert!(insert(store, &first));
    assert!(
        !insert(store, &passkey(scene.id(), bob, "phone"))
            && !insert(store, &passkey(scene.id(), ann, "phone"))
    );
    assert_eq!(keep(store, |tx| tx.passkeys().with_credential("phone")), Some(first));
}

/// A passkey changes and goes only by its own user.
pub fn a_passkey_changes_and_goes(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let (phone, key) = (passkey(scene.id(), ann, "phone"), passkey(scene.id(), ann, "key"));
    assert!(insert(store, &phone) && insert(store, &key));
    let (id, name) = (phone.id, PasskeyName::parse("Old phone").expect("a name"));
    let rename = |user| {
        let name = name.clone();
        keep(store, move |tx| tx.passkeys().rename_passkey(user, id, &name))
    };
    assert_eq!((rename(bob), rename(ann)), (false, true));
    let at = scene.now();
    keep(store, move |tx| tx.passkeys().passkey_used(id, 7, at));
    let used = StoredPasskey { name, counter: 7, last_used_at: Some(at), ..phone };
    let kept = || keep(store, move |tx| tx.passkeys().lock_passkey(id));
    assert_eq!(kept().as_ref(), Some(&used));
    keep(store, move |tx| tx.passkeys().disable_passkey(id, at));
    assert_eq!(kept(), Some(StoredPasskey { disabled_at: Some(at), ..used }));
    let remove = |user| keep(store, move |tx| tx.passkeys().remove_passkey(user, id));
    assert_eq!((remove(bob), remove(ann), remove(ann)), (false, true, false));
    assert_eq!(keep(store, move |tx| tx.passkeys().of_user(ann)), [key]);
}

fn ceremony(hash: char, purpose: CeremonyPurpose, expires_at: Timestamp) -> Ceremony {
    let hash = String::from(hash).repeat(64);
    Ceremony { hash, purpose, bound_to: "a session".to_owned(), state: "{}".to_owned(), expires_at }
}

/// A ceremony is kept for every purpose, is taken once, and goes after its expiry.
pub fn a_ceremony_is_taken_once(store: &dyn Subject) {
    Scene::new(store);
    let take = |hash: char| {
        let hash = String::from(hash).repeat(64);
        keep(store, move |tx| tx.passkeys().take_ceremony(&hash))
    };
    for purpose in CeremonyPurpose::ALL {
        let inserted = ceremony('a', purpose, start());
        let put = inserted.clone();
        keep(store, move |tx| tx.passkeys().insert_ceremony(&put));
        assert_eq!((take('b'), take('a'), take('a')), (None, Some(inserted), None));
    }
    for (hash, seconds) in [('c', 10), ('d', 20), ('e', 30)] {
        let at = start().after(Duration::from_secs(seconds));
        keep(store, move |tx| tx.passkeys().insert_ceremony(&ceremony(hash, CeremonyPurpose::SignIn, at)));
    }
    let at = start().after(Duration::from_secs(20));
    assert_eq!(keep(store, move |tx| tx.passkeys().remove_expired_ceremonies(at, 1)), 1);
    assert_eq!(keep(store, move |tx| tx.passkeys().remove_expired_ceremonies(at, 9)), 1);
    assert_eq!((take('c'), take('d'), take('e').is_some()), (None, None, true));
}
