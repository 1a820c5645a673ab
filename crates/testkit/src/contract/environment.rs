//! Contract of the ports for ids, random bytes and passwords. The tests of each implementation call these
//! functions.

use std::collections::BTreeSet;

use bolts_ports::{Ids, Lane, Passwords, Randomness};
use futures_executor::block_on;
use uuid::{Uuid, Variant, Version};

/// Ids have the layout of UUID version 7, never repeat, and sort in the order of their creation.
pub fn ids_ascend(ids: &dyn Ids) {
    let made: Vec<u128> = (0..1_000).map(|_| ids.next()).collect();
    assert!(made.is_sorted_by(|earlier, later| earlier < later), "each is later than the one before");
    for id in made.into_iter().map(Uuid::from_u128) {
        assert_eq!((id.get_version(), id.get_variant()), (Some(Version::SortRand), Variant::RFC4122));
    }
}

/// All bytes are filled, and no two calls give the same bytes.
pub fn bytes_differ(randomness: &dyn Randomness) {
    let mut seen = BTreeSet::new();
    for _ in 0..1_000 {
        let mut bytes = [0; 32];
        randomness.fill(&mut bytes);
        assert!(bytes.chunks(8).all(|chunk| chunk != [0; 8]), "every part is filled");
        assert!(seen.insert(bytes), "the same bytes twice");
    }
    let mut odd = [0; 11];
    randomness.fill(&mut odd);
    assert_ne!(odd, [0; 11]);
    randomness.fill(&mut []);
}

/// A password matches its own hash, whatever characters it contains. Other passwords do not match. If there is
/// no hash, because the account is unknown, no password matches.
pub fn passwords_fit_their_hashes(passwords: &dyn Passwords) {
    let hash = |password: &str| {
        block_on(passwords.hash(Lane::Site, password.to_owned())).expect("nobody else hashes")
    };
    let fits = |password: &str, hash: Option<&str>| {
        let hash = hash.map(str::to_owned);
        block_on(passwords.verify(Lane::Site, password.to_owned(), hash)).expect("nobody else hashes")
    };
    for password in ["secret", " pass$word$ ", "пароль 🔑", &"x".repeat(128)] {
        let (one, other) = (hash(password), hash(password));
        assert_ne!(one, other, "a hash has its own salt");
        assert!(fits(password, Some(&one)) && fits(password, Some(&other)));
        assert!(!fits(&format!("{password} "), Some(&one)));
        assert!(!fits("", Some(&one)));
        assert!(!fits(password, None));
    }
}
