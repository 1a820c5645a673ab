//! Attempts: back-off, lease, breaker, dead addresses.

use std::future::{pending, ready};
use std::mem::take;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bolts_delivery::Channel;
use bolts_ports::{DeliveryQueries, Job, Mail, Store, StoreError, Undelivered};
use bolts_testkit::MemoryStore;
use futures_executor::block_on;
use futures_util::FutureExt;

use super::{MockRelay, Post, Relay, courier, only, subjects, token};
use crate::log::{errors, log, warnings};
use crate::stage::{DAY, HOUR};

const SECOND: Duration = Duration::from_secs(1);

fn later() -> Undelivered {
    Undelivered::Later("451 4.3.0 try again".to_owned())
}

fn unavailable() -> Undelivered {
    Undelivered::Unavailable("connection refused".to_owned())
}

fn gone() -> Undelivered {
    Undelivered::Gone("550 5.1.1 no such user".to_owned())
}

/// Lets this number of mails be due: each new user gets one, to confirm the address.
fn with_unconfirmed(post: &Post, mails: usize) {
    for number in 0..mails {
        post.stage.user(&format!("u{number}"));
    }
}

/// Whether this is the mail with the achievement of the first bet, which comes at eight.
fn is_digest(mail: &Mail) -> bool {
    mail.name.starts_with("digest.")
}

#[test]
fn a_notification_is_mailed_to_a_verified_address() {
    let post = Post::new();
    let (ann, bob) = (post.user("ann"), post.stage.user("bob"));
    assert_eq!(subjects(&post.deliver()), [("bob@example.com", "Confirm your email address")]);
    let bet = post.stage.live(ann, bob, DAY);
    let mails = post.deliver();
    assert_eq!(subjects(&mails), [("ann@example.com", "Bet Accepted")], "bob has not confirmed the address");
    let mail = only(mails);
    let (label, link) = mail.letter.button.clone().expect("a button");
    assert_eq!((label.as_str(), link), ("Open the bet", format!("https://bets.example/bet/{bet}")));
    assert!(mail.letter.paragraphs[0].contains("Will it snow?"), "{mail:?}");
    let unsubscribe = mail.unsubscribe.expect("it can be turned off");
    assert!(unsubscribe.starts_with("https://bets.example/api/unsubscribe/"), "{unsubscribe}");
    assert_eq!(post.deliver(), []);
    post.stage.assert_sound();
}

/// An attacker who steals a session could delete the notification that tells of the theft.
#[test]
fn a_deleted_notification_is_mailed_all_the_same() {
    let post = Post::new();
    let (ann, bob) = (post.user("ann"), post.stage.user("bob"));
    post.deliver();
    post.stage.live(ann, bob, DAY);
    block_on(post.stage.app.clear_notifications(ann.user)).expect("cleared");
    assert_eq!(subjects(&post.deliver()), [("ann@example.com", "Bet Accepted")]);
}

#[test]
fn a_refused_mail_is_sent_again_later_with_the_same_name() {
    let post = Post::new();
    let (ann, bob) = (post.user("ann"), post.stage.user("bob"));
    post.deliver();
    post.stage.live(ann, bob, DAY);
    post.relay.refuses([later(), later(), later()]);
    let first = only(post.deliver());
    // Jitter makes each wait up to a half shorter: 15 to 30 s, 30 to 60 s, 60 to 120 s.
    for shortest in [15, 30, 60] {
        post.stage.clock.advance((shortest - 1) * SECOND);
        assert_eq!(post.deliver(), [], "before {shortest} s");
        post.stage.clock.advance((shortest + 1) * SECOND);
        assert_eq!(only(post.deliver()), first, "after {shortest} to {} s", shortest * 2);
    }
    post.stage.clock.advance(DAY);
    assert!(post.deliver().iter().all(is_digest), "it was sent");
}

#[test]
fn a_mail_that_nobody_takes_is_given_up_after_two_days() {
    let post = Post::new();
    let (ann, bob) = (post.user("ann"), post.stage.user("bob"));
    post.deliver();
    post.stage.live(ann, bob, 30 * DAY);
    post.relay.refuses((0..1_000).map(|_| later()));
    let mut attempts = 0;
    for _ in 0..3 * 24 {
        attempts += post.deliver().len();
        post.stage.clock.advance(HOUR);
    }
    assert!((40..110).contains(&attempts), "{attempts} attempts in two days");
    assert!(!post.stage.store.is_delivery_due(Channel::Email, post.stage.now()).expect("readable"));
}

/// The process dies between the attempt and its record.
#[test]
fn a_mail_of_a_dead_process_is_sent_again_by_another_one() {
    let post = Post::new();
    let (ann, bob) = (post.user("ann"), post.stage.user("bob"));
    post.deliver();
    post.stage.live(ann, bob, DAY);
    let (seen, mut dying) = (Relay::default(), MockRelay::new());
    let taken = seen.clone();
    dying.expect_send().times(1).returning(move |mail| {
        taken.seen.lock().expect("no panic").push(mail);
        Box::pin(pending())
    });
    let dead = courier(&post.stage.app, Arc::new(dying));
    assert!(dead.deliver().now_or_never().is_none(), "it dies during the attempt");
    let first = only(seen.mails());

    let other = courier(&post.stage.other_process(), post.relay.mailer());
    let deliver = || {
        block_on(other.deliver()).expect("delivered");
        post.relay.mails()
    };
    post.stage.clock.advance(599 * SECOND);
    assert_eq!(deliver(), [], "the lease of the dead process");
    post.stage.clock.advance(SECOND);
    assert_eq!(only(deliver()), first, "at least once, with the same Message-ID");
}

/// A store that may be away.
struct Away {
    store: Arc<MemoryStore>,
    is_away: Arc<AtomicBool>,
}

impl Store for Away {
    fn enqueue(&self, job: Box<dyn Job>) {
        if self.is_away.load(Ordering::Relaxed) {
            job.done(Err(StoreError::Unavailable("away".to_owned())));
        } else {
            self.store.enqueue(job);
        }
    }
}

/// A mail whose result is not recorded is sent again after its lease.
#[test]
fn nothing_is_sent_while_no_result_can_be_recorded() {
    let post = Post::new();
    with_unconfirmed(&post, 9);
    let (seen, is_away) = (Relay::default(), Arc::new(AtomicBool::new(false)));
    let (taken, falls, mut is_first) = (seen.clone(), is_away.clone(), true);
    let mut relay = MockRelay::new();
    relay.expect_send().returning(move |mail| {
        taken.seen.lock().expect("no panic").push(mail);
        falls.store(take(&mut is_first), Ordering::Relaxed);
        Box::pin(ready(Ok(())))
    });
    let store = Away { store: post.stage.store.clone(), is_away: is_away.clone() };
    let process = courier(&post.stage.other_process_by(Arc::new(store)), Arc::new(relay));
    assert!(block_on(process.deliver()).is_err(), "the database falls with the first mail");
    assert!(block_on(process.deliver()).is_err());
    assert_eq!((seen.mails().len(), process.is_at_rest(), process.is_due()), (1, false, Ok(true)));
    is_away.store(false, Ordering::Relaxed);
    assert_eq!(block_on(process.deliver()), Ok(8), "all others");
    assert_eq!((seen.mails().len(), process.is_at_rest()), (8, true));
    post.stage.clock.advance(600 * SECOND);
    assert_eq!(post.deliver(), [], "the first mail is not sent again");
}

#[test]
fn a_stopping_courier_gives_back_what_it_has_not_sent() {
    let post = Post::new();
    with_unconfirmed(&post, 9);
    let (_, routes) = block_on(post.courier.take()).expect("claimed");
    assert!(!post.courier.is_at_rest());
    post.courier.shut_down();
    routes.into_iter().for_each(|route| block_on(post.courier.carry(route)).expect("given back"));
    assert!(post.courier.is_at_rest());
    assert_eq!(post.deliver(), []);
    let other = courier(&post.stage.other_process(), post.relay.mailer());
    assert_eq!(block_on(other.deliver()), Ok(9));
    assert_eq!(post.relay.mails().len(), 9);
}

#[test]
fn two_processes_never_send_the_same_mail() {
    let post = Post::new();
    let (ann, bob) = (post.user("ann"), post.stage.user("bob"));
    post.deliver();
    for _ in 0..50 {
        let bet = post.stage.create(ann, DAY);
        post.stage.accept(bob, bet);
        block_on(post.stage.app.end_bet_early(ann, bet)).expect("ended");
        post.stage.propose(ann, bet, bolts_bets::Outcome::Void);
        post.stage.answer(bob, bet, bolts_resolution::Answer::Accept).expect("settled");
    }
    let other = courier(&post.stage.other_process(), post.relay.mailer());
    loop {
        let (one, two) = (block_on(post.courier.deliver()), block_on(other.deliver()));
        if one.expect("delivered") + two.expect("delivered") == 0 {
            break;
        }
    }
    let mut names: Vec<String> = post.relay.mails().into_iter().map(|mail| mail.name).collect();
    let sent = names.len();
    names.sort();
    names.dedup();
    assert_eq!((sent, names.len()), (100, 100), "an acceptance and an accepted outcome for each bet");
}

#[test]
fn the_breaker_rests_the_channel_and_tests_it_with_one_mail() {
    let post = Post::new();
    let (ann, bob) = (post.user("ann"), post.stage.user("bob"));
    post.deliver();
    for _ in 0..9 {
        let bet = post.stage.create(ann, DAY);
        post.stage.accept(bob, bet);
    }
    post.relay.refuses((0..5).map(|_| unavailable()));
    let tried = post.deliver().len();
    assert!((5..9).contains(&tried), "{tried}: after the fifth failure, only attempts under way end");
    assert_eq!(post.deliver(), [], "the channel rests");
    post.stage.clock.advance(60 * SECOND);
    assert_eq!(block_on(post.courier.deliver()), Ok(1), "a test");
    assert_eq!(post.relay.mails().len(), 1);
    post.stage.clock.advance(60 * SECOND);
    assert_eq!(post.deliver().len(), 8, "all others");
}

#[test]
fn a_dead_address_gets_nothing_more_and_its_user_sees_it() {
    let post = Post::new();
    let (ann, bob) = (post.user("ann"), post.stage.user("bob"));
    post.deliver();
    post.relay.refuses([gone()]);
    post.stage.live(ann, bob, DAY);
    assert_eq!(post.deliver().len(), 1);
    let state = || post.stage.app.email_state(ann.user, "ann@example.com").expect("readable");
    assert!(state().stopped.is_some_and(|why| why.contains("no such user")));
    assert_eq!(post.notified(ann)[0], "email_stopped");
    post.stage.live(ann, bob, DAY);
    post.stage.clock.advance(DAY);
    assert_eq!(post.deliver(), [], "nothing is sent there any more");

    block_on(post.stage.app.request_email_confirmation(ann.user, "ann@example.com")).expect("requested");
    let mail = only(post.deliver());
    post.confirm(&token(&mail)).expect("confirmed");
    assert_eq!(state().stopped, None);
    post.stage.live(ann, bob, DAY);
    assert_eq!(subjects(&post.deliver()), [("ann@example.com", "Bet Accepted")]);
}

#[test]
fn a_mail_whose_content_is_refused_leaves_the_address_alone() {
    let post = Post::new();
    let (ann, bob) = (post.user("ann"), post.stage.user("bob"));
    post.deliver();
    post.relay.refuses([Undelivered::Refused("554 5.6.0 no".to_owned())]);
    post.stage.live(ann, bob, DAY);
    assert_eq!(post.deliver().len(), 1);
    post.stage.clock.advance(DAY / 2);
    assert!(post.deliver().iter().all(is_digest), "given up");
    post.stage.live(ann, bob, DAY);
    assert_eq!(post.deliver().len(), 1);
}

#[test]
fn ended_deliveries_are_removed_after_a_week() {
    for (age, is_kept) in [(7 * DAY, true), (7 * DAY + SECOND, false)] {
        let post = Post::new();
        post.user("ann");
        post.stage.clock.advance(age);
        block_on(post.stage.app.tidy()).expect("tidied");
        // A removal of all that has ended tells how many rows were left.
        let now = post.stage.now();
        let left = bolts_testkit::run(&*post.stage.store, move |tx| tx.deliveries().remove_ended(now, 9));
        assert_eq!(left, Ok::<_, StoreError>(u64::from(is_kept)), "after {age:?}");
    }
}

#[test]
fn a_courier_is_due_as_long_as_something_waits() {
    let post = Post::new();
    assert_eq!(post.courier.is_due(), Ok(false));
    post.stage.user("ann");
    assert_eq!(post.courier.is_due(), Ok(true));
    assert_eq!(post.deliver().len(), 1);
    assert_eq!(post.courier.is_due(), Ok(false));
}

/// A relay that comes back after an outage must not get all mails in the same second.
#[test]
fn mails_that_failed_together_are_not_repeated_together() {
    let post = Post::new();
    with_unconfirmed(&post, 5);
    post.relay.refuses((0..5).map(|_| later()));
    assert_eq!(post.deliver().len(), 5);
    let mut repeated = Vec::new();
    for _ in 0..30 {
        post.stage.clock.advance(SECOND);
        repeated.push(post.deliver().len());
    }
    assert_eq!(repeated.iter().sum::<usize>(), 5, "{repeated:?}");
    assert!(repeated.iter().all(|mails| *mails < 5), "{repeated:?}");
}

/// The relay takes each connection and never answers.
#[test]
fn a_relay_gets_four_mails_at_once() {
    let post = Post::new();
    with_unconfirmed(&post, 40);
    let (seen, mut slow) = (Relay::default(), MockRelay::new());
    let taken = seen.clone();
    slow.expect_send().returning(move |mail| {
        taken.seen.lock().expect("no panic").push(mail);
        Box::pin(pending())
    });
    let slow = courier(&post.stage.app, Arc::new(slow));
    let mut deliver = Box::pin(slow.deliver());
    assert!((&mut deliver).now_or_never().is_none());
    assert_eq!(seen.mails().len(), 4);
    let (claimed, routes) = block_on(slow.take()).expect("claimed");
    assert_eq!((claimed, routes.len()), (8, 8), "the first round has claimed 32");
}

#[test]
fn the_log_names_neither_the_address_nor_the_content_of_a_failed_mail() {
    let post = Post::new();
    post.stage.user("ann");
    post.relay.refuses([Undelivered::Refused("554 5.7.1 <ann@example.com> no".to_owned())]);
    let mut mails = Vec::new();
    let log = log(|| mails = post.deliver()).join("\n");
    assert!(log.contains("a delivery failed"), "{log}");
    assert!(log.contains("554 5.7.1 <(address)> no"), "{log}");
    assert!(!log.contains("ann@") && !log.contains(&token(&only(mails))), "{log}");
}

#[test]
fn the_log_warns_of_mails_that_waited_too_long() {
    let post = Post::new();
    post.stage.user("ann");
    assert_eq!(warnings(|| assert_eq!(post.deliver().len(), 1)), [""; 0]);
    post.stage.user("bob");
    post.stage.clock.advance(DAY);
    let warned = warnings(|| assert_eq!(post.deliver(), []));
    assert_eq!(warned, ["deliveries are given up, because they waited too long"]);
}

#[test]
fn the_log_has_an_error_when_the_relay_takes_nothing_any_more() {
    let post = Post::new();
    with_unconfirmed(&post, 9);
    post.relay.refuses((0..9).map(|_| unavailable()));
    let logged = errors(|| drop(post.deliver()));
    assert_eq!(logged, ["the server of this channel takes nothing: deliveries wait for a while"]);
}
