//! Contract of deposits that are credited after their users have been deleted.

use std::time::Duration;

use bolts_kernel::{Amount, DepositId, OperationId};
use bolts_ports::LateDeposit;

use super::departures::erase;
use super::{Subject, keep, read};
use crate::Scene;
use crate::fixtures::{DAY, start};

/// A deposit that is credited after the deletion is late, one before is not, and a booking is seen.
pub fn a_late_deposit_is_found_and_its_booking_too(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let early = scene.deposited(ann, 1, 1_000_000).id;
    scene.clock.advance(DAY);
    erase(store, &scene, ann);
    scene.deposited(bob, 3, 4_000_000);
    let mut late = Vec::new();
    for number in 4..6 {
        scene.clock.advance(DAY);
        late.push((scene.deposited(ann, number, 2_000_500).id, scene.now()));
    }
    scene.deposited(ann, 7, 999);
    let found = || read(store.late_deposits());
    let amount = Amount::new(2_000).expect("not below 0");
    let expected = |(id, paid_at)| LateDeposit { id, user: ann, amount, paid_at, booked_at: None };
    let mut all: Vec<_> = late.iter().copied().map(expected).collect();
    assert_eq!(found(), all);
    for (id, is_late) in [(early, false), (late[0].0, true), (scene.id::<DepositId>(), false)] {
        assert_eq!(keep(store, move |tx| tx.departures().late_deposit(id)).is_some(), is_late);
    }
    scene.clock.advance(DAY);
    let (id, at, operation) = (late[1].0, scene.now(), scene.id::<OperationId>());
    let booked = bolts_ledger::late_deposit(id, (ann, Some(bob)), amount, operation, at);
    let booked = booked.expect("more than nothing");
    keep(store, move |tx| tx.ledger().post(std::slice::from_ref(&booked)));
    all[1].booked_at = Some(at);
    assert_eq!(found(), all);
    assert_eq!(keep(store, move |tx| tx.departures().late_deposit(id)), all.pop());
}

/// The clock was ahead when the deposit was credited. It is right again when the user is deleted.
pub fn a_deletion_comes_after_every_credit(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob, eve) = (scene.user("ann"), scene.user("bob"), scene.user("eve"));
    let ahead = start().after(3 * DAY);
    scene.clock.set(ahead);
    let id = scene.deposited(ann, 1, 1_000_000).id;
    scene.clock.set(start());
    scene.deposited(bob, 2, 1_000_000);
    for user in [ann, bob, eve] {
        erase(store, &scene, user);
    }
    let instant = Duration::from_micros(1);
    for (user, after) in [(ann, ahead.after(instant)), (bob, start().after(instant)), (eve, start())] {
        assert_eq!(keep(store, move |tx| tx.departures().deleted_at(user)), Some(after));
    }
    assert_eq!(read(store.late_deposits()), []);
    assert_eq!(keep(store, move |tx| tx.departures().late_deposit(id)), None);
}
