//! Deadlines: the sweep or the next action applies them, and an outage moves them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bolts_bets::{Outcome, Refusal};
use bolts_delivery::Channel;
use bolts_kernel::{BetId, Timestamp};
use bolts_ports::{
    Cause, DeliveryQueries, Fate, Job, NewDelivery, NoticeBody, Queries, Recipient, Store, StoreError, submit,
};
use bolts_resolution::Answer;
use bolts_testkit::MemoryStore;
use bolts_usecases::bets::ActionError;
use bolts_usecases::{Actor, Rules};
use futures_executor::block_on;

use crate::stage::{DAY, HOUR, Stage};

/// Writes heartbeats and sweeps, like a running server, until this time has passed.
fn run_for(stage: &Stage, time: Duration) {
    let until = stage.now().after(time);
    while stage.now() < until {
        stage.clock.advance(HOUR.min(until.since(stage.now())));
        stage.heartbeat();
        stage.sweep();
    }
}

/// A bet between Ann and Bob that has expired, and for which Ann has just proposed that she won.
fn proposed(stage: &Stage) -> (Actor, Actor, BetId) {
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let bet = stage.live(ann, bob, DAY);
    stage.heartbeat();
    run_for(stage, DAY);
    stage.propose(ann, bet, Outcome::A);
    (ann, bob, bet)
}

#[test]
fn a_sweep_applies_the_steps_that_are_due_and_no_others() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let bets = [(); 5].map(|()| stage.create(ann, DAY));
    let later = stage.create(ann, 2 * DAY);
    let live = stage.live(ann, bob, DAY);
    stage.heartbeat();
    assert_eq!(stage.sweep(), 0);
    run_for(&stage, DAY);
    assert!(bets.iter().all(|bet| stage.status(*bet) == "cancelled"));
    assert_eq!((stage.status(later), stage.status(live)), ("pending", "accepted"));
    assert_eq!(stage.told(bob), ["bet_due"]);
    assert_eq!(stage.bolts(ann), 800);
    stage.assert_sound();
}

#[test]
fn each_party_is_told_the_own_task_when_a_bet_expires() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let task = |actor: Actor| {
        let mut all = stage.store.notifications(actor.user).expect("readable");
        let NoticeBody::Bet { params, .. } = all.remove(0).body else { panic!("{actor:?} was not told") };
        params.task
    };
    let tasks = [("Mutual Agreement", ["propose", "open"]), ("Manual Verification", ["declare", "declare"])];
    for (method, expected) in tasks {
        let mut wanted = stage.wanted(DAY);
        wanted.draft.method = method.to_owned();
        let bet = stage.created(ann, wanted).bet.id;
        stage.accept(bob, bet);
        stage.heartbeat();
        run_for(&stage, DAY);
        assert_eq!([ann, bob].map(task), expected.map(|name| Some(name.to_owned())), "{method}");
    }
}

/// A round of a sweep takes only some of the bets.
#[test]
fn one_sweep_applies_all_deadlines_and_counts_the_bets() {
    let stage = Stage::with_rules(Rules { bets_per_hour: 0, ..Rules::default() });
    let ann = stage.user("ann");
    let mut wanted = stage.wanted(DAY);
    wanted.draft.stake_amount = 10;
    let bets: Vec<BetId> = (0..70).map(|_| stage.created(ann, wanted.clone()).bet.id).collect();
    stage.clock.advance(DAY);
    assert_eq!(stage.sweep(), 70);
    assert!(bets.iter().all(|bet| stage.status(*bet) == "cancelled"));
    assert_eq!((stage.sweep(), stage.bolts(ann)), (0, 1_000));
    stage.assert_sound();
}

/// `bolts copy` asks this, because what users do during the copy would not be in it.
#[test]
fn a_database_was_served_until_its_last_heartbeat_is_a_minute_old() {
    let stage = Stage::new();
    let minute = Duration::from_secs(60);
    let is_served = || stage.app.was_served_within(minute).expect("readable");
    assert!(!is_served(), "no server has run");
    stage.heartbeat();
    assert!(is_served());
    stage.clock.advance(minute - Duration::from_micros(1));
    assert!(is_served());
    stage.clock.advance(Duration::from_micros(1));
    assert!(!is_served());
}

#[test]
fn nobody_sweeps_during_a_pause() {
    let stage = Stage::new();
    let bet = stage.create(stage.user("ann"), DAY);
    stage.heartbeat();
    let (from, until) = (stage.now().after(DAY), stage.now().after(DAY + HOUR));
    block_on(stage.app.pause_sweeps(from, until)).expect("it is kept");
    run_for(&stage, DAY);
    assert_eq!(stage.status(bet), "pending");
    run_for(&stage, HOUR);
    assert_eq!(stage.status(bet), "cancelled");
    stage.assert_sound();
}

#[test]
fn parties_are_reminded_once_before_a_deadline() {
    let stage = Stage::new();
    let (ann, bob, bet) = proposed(&stage);
    run_for(&stage, 2 * DAY - HOUR);
    assert_eq!(stage.told(bob), ["outcome_proposed", "bet_due"]);
    run_for(&stage, HOUR);
    assert_eq!(stage.told(bob), ["stand_reminder", "outcome_proposed", "bet_due"]);
    run_for(&stage, DAY - HOUR);
    assert_eq!(stage.status(bet), "awaiting_resolution");
    run_for(&stage, HOUR);
    assert_eq!(stage.status(bet), "resolved");
    assert_eq!(stage.told(bob)[0], "proposal_stood");
    assert_eq!((stage.bolts(ann), stage.bolts(bob)), (1_100, 900));
    stage.assert_sound();
}

#[test]
fn an_action_first_applies_the_deadlines_of_its_bet() {
    let stage = Stage::new();
    let (ann, bob, bet) = proposed(&stage);
    run_for(&stage, 3 * DAY - HOUR);
    // No sweep runs in the last hour before the deadline, so Bob's answer applies the deadline.
    stage.clock.advance(HOUR);
    let late = stage.answer(bob, bet, Answer::Reject);
    assert_eq!(late, Err(ActionError::Refused(Refusal::AlreadyResolved)));
    assert_eq!((stage.status(bet), stage.bolts(ann)), ("resolved", 1_100));
    stage.assert_sound();
}

#[test]
fn deadlines_in_an_outage_move_by_a_day_once() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let (answered, silent) = (stage.live(ann, bob, DAY), stage.live(ann, bob, DAY));
    stage.heartbeat();
    run_for(&stage, DAY);
    stage.propose(ann, answered, Outcome::A);
    stage.propose(ann, silent, Outcome::A);
    run_for(&stage, 2 * DAY);
    // The deadline of both proposals is one day later. It passes during an outage of two days.
    stage.clock.advance(2 * DAY);
    stage.heartbeat();
    stage.sweep();
    assert_eq!(
        (stage.status(answered), stage.status(silent)),
        ("awaiting_resolution", "awaiting_resolution")
    );
    assert!(stage.answer(bob, answered, Answer::Reject).is_ok(), "Bob can still answer");
    run_for(&stage, DAY - HOUR);
    assert_eq!(stage.status(silent), "awaiting_resolution");
    run_for(&stage, HOUR);
    assert_eq!((stage.status(answered), stage.status(silent)), ("awaiting_resolution", "resolved"));
    stage.assert_sound();
}

#[test]
fn a_second_outage_does_not_move_the_same_deadline_again() {
    let stage = Stage::new();
    let (_, _, bet) = proposed(&stage);
    for expected in ["awaiting_resolution", "resolved"] {
        stage.clock.advance(4 * DAY);
        stage.heartbeat();
        stage.sweep();
        assert_eq!(stage.status(bet), expected);
    }
}

/// The server starts, and stops again before it has swept. The deadline fell in the first outage.
#[test]
fn a_second_outage_before_the_sweep_keeps_the_grace_of_the_first() {
    let stage = Stage::new();
    let (_, _, bet) = proposed(&stage);
    for outage in [4 * DAY, 2 * HOUR] {
        stage.clock.advance(outage);
        stage.heartbeat();
    }
    stage.sweep();
    assert_eq!(stage.status(bet), "awaiting_resolution");
    run_for(&stage, DAY - 3 * HOUR);
    assert_eq!(stage.status(bet), "awaiting_resolution");
    run_for(&stage, HOUR);
    assert_eq!(stage.status(bet), "resolved");
}

/// The clock is a year ahead for a while. Both an outage until next year and a grace period until next year would keep the
/// deadline from being applied.
#[test]
fn a_clock_that_was_wrong_puts_off_no_deadline_for_long() {
    for sweeps in [false, true] {
        let stage = Stage::new();
        let (_, _, bet) = proposed(&stage);
        let right = stage.now();
        stage.clock.advance(365 * DAY);
        stage.heartbeat();
        if sweeps {
            stage.sweep();
        }
        stage.clock.set(right);
        run_for(&stage, 3 * DAY - HOUR);
        assert_eq!(stage.status(bet), "awaiting_resolution", "{sweeps}");
        run_for(&stage, HOUR);
        assert_eq!(stage.status(bet), "resolved", "{sweeps}");
        stage.assert_sound();
    }
}

#[test]
fn a_proposal_of_a_clock_that_was_wrong_stands_in_time() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let bet = stage.live(ann, bob, DAY);
    stage.heartbeat();
    run_for(&stage, DAY);
    let right = stage.now();
    stage.clock.advance(365 * DAY);
    stage.heartbeat();
    stage.propose(ann, bet, Outcome::A);
    stage.clock.set(right);
    // The first heartbeat after the clock is right comes in an hour, and the proposal stands 72 hours later.
    run_for(&stage, 3 * DAY);
    assert_eq!(stage.status(bet), "awaiting_resolution");
    run_for(&stage, HOUR);
    assert_eq!(stage.status(bet), "resolved");
    stage.assert_sound();
}

/// The end of the cooldown of Ann's sats.
fn cooldown_until(stage: &Stage, ann: Actor) -> Option<Timestamp> {
    bolts_testkit::run(&*stage.store, move |tx| tx.users().lock_cooldown(ann.user)).expect("readable")
}

/// The clock is a year ahead when Ann's password is reset. The sweep after the correction may come before the heartbeat.
#[test]
fn a_cooldown_of_a_clock_that_was_wrong_ends_a_day_after_it_is_right() {
    for sweeps in [false, true] {
        let stage = Stage::new();
        let (ann, _, bet) = proposed(&stage);
        let root = stage.admin("root");
        let back = stage.now().after(4 * DAY);
        stage.clock.advance(365 * DAY);
        stage.heartbeat();
        block_on(stage.app.reset_password(root, "ann@example.com")).expect("reset");
        stage.clock.set(back);
        if sweeps {
            assert_eq!(stage.sweep(), 1, "the deadline of the proposal has passed");
        }
        stage.heartbeat();
        let end = back.after(DAY);
        assert_eq!(cooldown_until(&stage, ann), Some(end), "{sweeps}");
        run_for(&stage, HOUR);
        assert_eq!(cooldown_until(&stage, ann), Some(end), "it does not move on with the clock");
        assert_eq!(stage.status(bet), "awaiting_resolution", "the grace period");
    }
}

/// A cooldown begins and a proposal waits. Then the clock shows `behind` for an hour. Asserts that both stay as they are.
fn assert_nothing_is_shortened(stage: &Stage, behind: impl Fn(Timestamp) -> Timestamp) {
    let (ann, _, bet) = proposed(stage);
    block_on(stage.app.reset_password(stage.admin("root"), "ann@example.com")).expect("reset");
    let (right, before) = (stage.now(), stage.view(bet).bet);
    stage.clock.set(behind(right));
    stage.heartbeat();
    stage.sweep();
    stage.clock.set(right.after(HOUR));
    stage.heartbeat();
    assert_eq!(cooldown_until(stage, ann), Some(right.after(DAY)));
    assert_eq!(stage.view(bet).bet, before);
}

/// The clock is a year behind for a while, for example after a start with an empty battery.
#[test]
fn a_clock_that_is_behind_shortens_nothing() {
    assert_nothing_is_shortened(&Stage::new(), |right| right.before(365 * DAY));
}

/// The clock falls back into an outage that ended 8 days ago.
#[test]
fn a_clock_that_falls_back_into_an_old_outage_shortens_nothing() {
    let stage = Stage::new();
    stage.heartbeat();
    let off = stage.now();
    stage.clock.advance(20 * DAY);
    stage.heartbeat();
    run_for(&stage, 8 * DAY);
    assert_nothing_is_shortened(&stage, |_| off.after(DAY));
}

/// The machine was off for two days, and its clock is a year ahead until it is set after the start.
#[test]
fn an_outage_that_a_wrong_clock_recorded_still_counts_until_now() {
    let stage = Stage::new();
    let (_, _, bet) = proposed(&stage);
    run_for(&stage, 2 * DAY);
    let back = stage.now().after(2 * DAY);
    stage.clock.advance(365 * DAY);
    stage.heartbeat();
    stage.clock.set(back);
    stage.heartbeat();
    stage.sweep();
    assert_eq!(stage.status(bet), "awaiting_resolution");
    run_for(&stage, DAY);
    assert_eq!(stage.status(bet), "resolved");
}

#[test]
fn a_short_stop_moves_no_deadline() {
    let stage = Stage::new();
    let (_, _, bet) = proposed(&stage);
    run_for(&stage, 3 * DAY - HOUR / 2);
    stage.clock.advance(HOUR);
    stage.heartbeat();
    stage.sweep();
    assert_eq!(stage.status(bet), "resolved");
}

#[test]
fn an_expiry_in_an_outage_does_not_move() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let bet = stage.create(ann, DAY);
    stage.heartbeat();
    stage.clock.advance(3 * DAY);
    stage.heartbeat();
    stage.sweep();
    assert_eq!((stage.status(bet), stage.bolts(ann)), ("cancelled", 1_000));
}

#[test]
fn expired_rows_are_deleted() {
    let stage = Stage::new();
    stage.user("ann");
    block_on(stage.app.tidy()).expect("tidied");
    let signed_in =
        block_on(stage.app.sign_in("ann@example.com", "secret".to_owned(), crate::stage::ADDRESS));
    let secret = signed_in.expect("signed in").secret;
    stage.clock.advance(31 * DAY);
    block_on(stage.app.tidy()).expect("tidied");
    // The session does not come back when the clock is set back, because its row was deleted.
    assert_eq!(stage.app.session(&secret), Ok(None));
}

/// A mail that is due at this time.
fn mail(due_at: Timestamp) -> NewDelivery {
    NewDelivery {
        name: "a mail".to_owned(),
        channel: Channel::Email,
        user: None,
        to: Recipient::Address("ann@example.com".to_owned()),
        cause: Cause::AccountDeleted,
        at: due_at,
        due_at,
    }
}

/// The operator looks for errors in the table `deliveries`.
#[test]
fn ended_deliveries_are_kept_for_a_week() {
    let stage = Stage::new();
    let now = stage.now();
    // A new delivery is dropped as long as there is one with its name.
    let write = || {
        let delivery = mail(now);
        let written = submit::<_, StoreError, _>(&*stage.store, move |tx| {
            let mails = tx.deliveries();
            mails.enqueue(&delivery)?;
            let open = mails.claim(Channel::Email, now, now.after(HOUR), 9)?;
            open.iter().try_for_each(|one| mails.settle(one.id, &Fate::Sent, now))?;
            Ok(open.len())
        });
        block_on(written).expect("written")
    };
    assert_eq!(write(), 1);
    for (wait, written) in [(7 * DAY, 0), (Duration::from_micros(1), 1)] {
        stage.clock.advance(wait);
        block_on(stage.app.tidy()).expect("tidied");
        assert_eq!(write(), written);
    }
}

/// A store whose first job fails.
struct FirstFails {
    store: Arc<MemoryStore>,
    has_failed: AtomicBool,
}

impl Store for FirstFails {
    fn enqueue(&self, job: Box<dyn Job>) {
        if self.has_failed.swap(true, Ordering::Relaxed) {
            self.store.enqueue(job);
        } else {
            job.done(Err(StoreError::Contention));
        }
    }
}

#[test]
fn a_step_of_tidying_up_that_fails_does_not_keep_the_others_from_running() {
    let stage = Stage::new();
    let old = mail(stage.now());
    let written = submit::<_, StoreError, _>(&*stage.store, move |tx| tx.deliveries().enqueue(&old));
    block_on(written).expect("written");
    stage.clock.advance(7 * DAY);
    let is_due = || stage.store.is_delivery_due(Channel::Email, stage.now());
    assert_eq!(is_due(), Ok(true));
    let store = FirstFails { store: stage.store.clone(), has_failed: AtomicBool::new(false) };
    let app = stage.other_process_by(Arc::new(store));
    assert_eq!(block_on(app.tidy()), Err(StoreError::Contention));
    assert_eq!(is_due(), Ok(false), "a later step has given it up");
}
