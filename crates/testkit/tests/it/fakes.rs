//! Tests of the fakes for clock, ids and random bytes, of scenes, and of the memory store's own functions.

use std::time::Duration;

use bolts_ports::{Clock, Ids, Randomness};
use bolts_testkit::{
    CountingRandomness, FakeClock, HOUR, MemoryStore, PlainPasswords, Scene, SequentialIds, bolts, contract,
    start, terms,
};

#[test]
fn the_fakes_keep_their_ports_contracts() {
    contract::environment::ids_ascend(&SequentialIds::default());
    contract::environment::bytes_differ(&CountingRandomness::default());
    contract::environment::passwords_fit_their_hashes(&PlainPasswords::default());
}

#[test]
fn the_clock_moves_only_when_told() {
    let clock = FakeClock::at(start());
    let other = clock.clone();
    assert_eq!((clock.now(), clock.now()), (start(), start()));
    clock.advance(HOUR);
    assert_eq!(other.now(), start().after(HOUR));
    other.set(start().before(Duration::from_micros(1)));
    assert_eq!(clock.now(), start().before(Duration::from_micros(1)));
}

#[test]
fn clones_of_ids_and_randomness_continue_the_same_count() {
    let ids = SequentialIds::default();
    let other = ids.clone();
    assert!(ids.next() < other.next());
    let randomness = CountingRandomness::default();
    let (mut one, mut other) = ([0; 16], [0; 16]);
    randomness.fill(&mut one);
    randomness.clone().fill(&mut other);
    assert_ne!(one, other);
    CountingRandomness::default().fill(&mut other);
    assert_eq!(one, other, "the same in every run");
}

#[test]
fn a_scene_is_the_same_in_every_run() {
    let bets = [(); 2].map(|()| {
        let store = MemoryStore::new();
        let scene = Scene::new(&store);
        let bet = scene.create(scene.user("ann"), terms());
        let transfers = store.transfers();
        assert_eq!(transfers.last().map(|transfer| transfer.money()), Some(bolts(100)));
        (bet, transfers)
    });
    assert_eq!(bets[0], bets[1]);
}

#[test]
fn the_memory_store_shows_what_admins_did() {
    let store = MemoryStore::new();
    contract::settings::admin_actions_are_taken(&store);
    let actions: Vec<_> = store.admin_actions().into_iter().map(|action| action.action).collect();
    assert_eq!(actions, ["grant_admin", "rule", "rule"]);
}
