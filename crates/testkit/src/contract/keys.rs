//! Contract of API keys.

use bolts_kernel::{ApiKeyId, Timestamp, UserId};
use bolts_keys::{KeyName, Scopes};
use bolts_ports::{KeyView, StoredKey};

use super::{Subject, keep, read, user};
use crate::Scene;
use crate::fixtures::{DAY, HOUR, start};

/// A key that was never used. It is valid for a day.
pub(super) fn key(id: ApiKeyId, user: UserId, name: &str) -> StoredKey {
    StoredKey {
        id,
        user,
        hash: format!("{name:a>64}"),
        beginning: "bolts_123456".to_owned(),
        name: KeyName::parse(name).expect("a name"),
        scopes: Scopes::stored("read bet").expect("scopes"),
        created_at: start(),
        expires_at: start().after(DAY),
        last_used_at: None,
        proved_at: None,
    }
}

fn insert(store: &dyn Subject, key: &StoredKey) {
    let key = key.clone();
    keep(store, move |tx| tx.keys().insert_key(&key));
}

fn count(store: &dyn Subject, user: UserId, now: Timestamp) -> u32 {
    keep(store, move |tx| tx.keys().count_keys(user, now))
}

/// A key is kept with all its values, and found by its user and its hash. Other users have none.
pub fn a_key_is_kept(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let bot = key(scene.id(), ann, "bot");
    let other = StoredKey {
        scopes: Scopes::stored("withdraw").expect("scopes"),
        last_used_at: Some(scene.now()),
        proved_at: Some(scene.now()),
        ..key(scene.id(), ann, "Ann's “other” key")
    };
    insert(store, &bot);
    insert(store, &other);
    assert_eq!(read(store.keys_of(ann, start())), [bot.clone(), other.clone()]);
    assert_eq!((read(store.keys_of(bob, start())), count(store, bob, start())), (vec![], 0));
    assert_eq!(count(store, ann, start()), 2);
    for one in [&bot, &other] {
        let hash = one.hash.clone();
        assert_eq!(keep(store, move |tx| tx.keys().lock_key(&hash, start())).as_ref(), Some(one));
        let view = KeyView { user: user(store, ann), scopes: one.scopes, last_used_at: one.last_used_at };
        assert_eq!(read(store.key(&one.hash, start())), Some(view));
    }
    assert_eq!(read(store.key("none", start())), None);
    assert_eq!(keep(store, |tx| tx.keys().lock_key("none", start())), None);
}

/// A key is valid until just before its expiry, for every call alike.
pub fn a_key_expires(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let bot = key(scene.id(), ann, "bot");
    let later = StoredKey { expires_at: bot.expires_at.after(HOUR), ..key(scene.id(), ann, "later") };
    insert(store, &bot);
    insert(store, &later);
    let valid = |at: Timestamp| {
        let hash = bot.hash.clone();
        let locked = keep(store, move |tx| tx.keys().lock_key(&hash, at)).is_some();
        (
            read(store.key(&bot.hash, at)).is_some(),
            locked,
            read(store.keys_of(ann, at)).len(),
            count(store, ann, at),
        )
    };
    assert_eq!(
        valid(Timestamp::from_micros(bot.expires_at.micros() - 1).expect("a time")),
        (true, true, 2, 2)
    );
    assert_eq!(valid(bot.expires_at), (false, false, 1, 1));
    let at = bot.expires_at;
    assert_eq!(keep(store, move |tx| tx.keys().remove_expired_keys(at, 9)), 1);
    assert_eq!(read(store.keys_of(ann, start())), [later]);
}

/// The use of a key is recorded. A key is revoked only by its own user, or with all keys of the user.
pub fn a_key_is_used_and_revoked(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let keys = ["one", "two", "three"].map(|name| key(scene.id(), ann, name));
    keys.iter().for_each(|key| insert(store, key));
    let bobs = key(scene.id(), bob, "bob's");
    insert(store, &bobs);
    let [one, two, three] = keys;

    let (hash, at) = (two.hash.clone(), scene.now().after(HOUR));
    keep(store, move |tx| tx.keys().key_used(&hash, at));
    keep(store, move |tx| tx.keys().key_used("none", at));
    let used = StoredKey { last_used_at: Some(at), ..two };
    assert_eq!(read(store.keys_of(ann, start())), [one.clone(), used.clone(), three.clone()]);

    let revoke = |user| keep(store, move |tx| tx.keys().revoke_key(user, one.id));
    assert_eq!((revoke(bob), revoke(ann), revoke(ann)), (None, Some(one.name.clone()), None));
    assert_eq!(read(store.key(&one.hash, start())), None);
    assert_eq!(read(store.keys_of(ann, start())), [used, three]);

    keep(store, move |tx| tx.keys().revoke_keys(ann));
    assert_eq!((read(store.keys_of(ann, start())), read(store.keys_of(bob, start()))), (vec![], vec![bobs]));
}
