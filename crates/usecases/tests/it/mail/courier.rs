//! Attempts: back-off, lease, breaker, dead addresses.

use std::future::pending;
use std::time::Duration;

use bolts_delivery::Channel;
use bolts_ports::{DeliveryQueries, Mail, Undelivered};
use futures_executor::block_on;
use futures_util::FutureExt;

use super::{MockRelay, Post, Relay, courier, only, subjects, token};
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
    let dead = courier(&post.stage.app, std::sync::Arc::new(dying));
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
    let post = Post::new();
    post.user("ann");
    post.stage.clock.advance(8 * DAY);
    block_on(post.stage.app.tidy()).expect("tidied");
    assert_eq!(post.deliver(), []);
}
