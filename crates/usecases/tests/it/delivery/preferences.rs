//! What a user chose, digests, and private bets.

use std::sync::Arc;
use std::time::Duration;

use bolts_bets::Side;
use bolts_delivery::{Channel, Digest, Topic, Wants};
use bolts_kernel::{Amount, BetId, Timestamp};
use bolts_ports::{DeliveryQueries, Lane, Mail};
use bolts_usecases::bets::{Accept, AcceptKey, Create};
use bolts_usecases::delivery::{Stopped, UnsubscribeError};
use bolts_usecases::{Actor, Reply};
use futures_executor::block_on;

use super::{Post, Relay, choose, courier, only, rules, subjects};
use crate::lanes::Recorded;
use crate::stage::{ADDRESS, DAY, HOUR, Stage};

/// The use cases of a private bet between the two.
fn private_bet(post: &Post, maker: Actor, taker: Actor) -> BetId {
    let wanted = Create { is_private: true, ..post.stage.wanted(DAY) };
    let created = block_on(post.stage.app.create_bet(maker, wanted, None)).expect("created");
    let Reply::Done(view) = created else { panic!("repeated") };
    let bolts_bets::Visibility::Private(token) = view.bet.terms.visibility else { panic!("public") };
    let accept = Accept { key: AcceptKey::Token(token), option: Side::B };
    block_on(post.stage.app.accept_bet(taker, accept, None)).expect("accepted");
    view.bet.id
}

/// A user with a notification that is not mailed at once, so it waits for the digest.
fn with_a_held_notification(post: &Post) -> Actor {
    let (ann, bob) = (post.user("ann"), post.stage.user("bob"));
    post.deliver();
    choose(post, ann, |chosen| chosen.turn_off(Topic::Accepted, Channel::Email));
    post.stage.live(ann, bob, 9 * DAY);
    ann
}

#[test]
fn what_is_not_mailed_at_once_comes_in_one_digest_at_eight() {
    let post = Post::new();
    let (ann, bob) = (post.user("ann"), post.stage.user("bob"));
    post.deliver();
    choose(&post, ann, |chosen| {
        chosen.turn_off(Topic::Accepted, Channel::Email);
        chosen.time_zone = "UTC".parse().expect("a zone");
    });
    post.stage.live(ann, bob, 9 * DAY);
    post.stage.live(ann, bob, 9 * DAY);
    assert_eq!(post.deliver(), []);
    let due = Digest::Daily.next(post.stage.now(), "UTC".parse().expect("a zone")).expect("a digest");
    post.stage.clock.set(due.before(Duration::from_secs(1)));
    assert_eq!(post.deliver(), [], "before eight");
    post.stage.clock.set(due);
    let mail = only(post.deliver());
    assert_eq!(mail.letter.subject, "What happened on your bets");
    let titles: Vec<&str> = mail.letter.items.iter().map(|item| item.title.as_str()).collect();
    assert_eq!(titles, ["Achievement Unlocked", "Bet Accepted", "Bet Accepted"]);
    assert!(mail.unsubscribe.is_some());
    post.stage.clock.advance(DAY);
    assert_eq!(post.deliver(), [], "nothing new");
}

/// A user who gets acceptances in the weekly digest, the opponent, and the time of the digest.
fn with_a_weekly_digest(post: &Post) -> (Actor, Actor, Timestamp) {
    let (ann, bob, root) = (post.user("ann"), post.stage.user("bob"), post.stage.admin("root"));
    post.deliver();
    let zone = "UTC".parse().expect("a zone");
    choose(post, ann, |chosen| {
        chosen.turn_off(Topic::Accepted, Channel::Email);
        (chosen.digest, chosen.time_zone) = (Digest::Weekly, zone);
    });
    for email in ["ann@example.com", "bob@example.com"] {
        let amount = Amount::new(20_000).expect("not below 0");
        block_on(post.stage.app.grant_bolts(root, email, amount, None)).expect("granted");
    }
    (ann, bob, Digest::Weekly.next(post.stage.now(), zone).expect("a digest"))
}

/// Lets this number of bets be accepted.
fn accepted(post: &Post, maker: Actor, taker: Actor, bets: usize) {
    for number in 0..bets {
        if number % 50 == 49 {
            post.stage.clock.advance(HOUR);
        }
        post.stage.live(maker, taker, 90 * DAY);
    }
    assert_eq!(post.deliver(), []);
}

/// The number of acceptances in a digest.
fn acceptances(digest: &Mail) -> usize {
    digest.letter.items.iter().filter(|item| item.title == "Bet Accepted").count()
}

#[test]
fn a_digest_passes_over_any_number_of_notifications_that_were_read() {
    let post = Post::new();
    let (ann, bob, due) = with_a_weekly_digest(&post);
    accepted(&post, ann, bob, 110);
    block_on(post.stage.app.read_all_notifications(ann.user)).expect("read");
    accepted(&post, ann, bob, 2);
    post.stage.clock.set(due);
    assert_eq!(acceptances(&only(post.deliver())), 2);
}

#[test]
fn what_a_digest_has_no_place_for_comes_in_the_next_one() {
    let post = Post::new();
    let (ann, bob, due) = with_a_weekly_digest(&post);
    accepted(&post, ann, bob, 130);
    post.stage.clock.set(due);
    let first = only(post.deliver());
    assert_eq!(first.letter.items.len(), 100);
    post.stage.clock.set(due.after(7 * DAY));
    let second = only(post.deliver());
    assert_eq!(acceptances(&first) + acceptances(&second), 130);
    post.stage.clock.set(due.after(14 * DAY));
    assert_eq!(post.deliver(), []);
}

/// The process that holds the notification began just before the digest was due.
#[test]
fn a_notification_that_misses_a_digest_comes_in_the_next_one() {
    let post = Post::new();
    let (ann, bob, due) = with_a_weekly_digest(&post);
    accepted(&post, ann, bob, 1);
    post.stage.clock.set(due);
    assert_eq!(acceptances(&only(post.deliver())), 1);
    post.stage.clock.set(due.before(Duration::from_secs(1)));
    accepted(&post, ann, bob, 1);
    post.stage.clock.set(due.after(7 * DAY));
    assert_eq!(acceptances(&only(post.deliver())), 1);
}

#[test]
fn a_digest_has_nothing_that_the_user_has_read() {
    let post = Post::new();
    let ann = with_a_held_notification(&post);
    assert_eq!(post.deliver(), []);
    block_on(post.stage.app.read_all_notifications(ann.user)).expect("read");
    post.stage.clock.advance(2 * DAY);
    assert_eq!(post.deliver(), []);
}

#[test]
fn without_a_digest_nothing_is_kept_for_one() {
    let post = Post::new();
    let (ann, bob) = (post.user("ann"), post.stage.user("bob"));
    post.deliver();
    choose(&post, ann, |chosen| {
        chosen.turn_off(Topic::Accepted, Channel::Email);
        chosen.digest = Digest::Off;
    });
    post.stage.live(ann, bob, 9 * DAY);
    assert_eq!(post.deliver(), []);
    choose(&post, ann, |chosen| chosen.digest = Digest::Daily);
    post.stage.clock.advance(2 * DAY);
    assert_eq!(post.deliver(), []);
}

/// The notifications were held when the user still wanted a digest.
#[test]
fn a_digest_that_is_turned_off_before_it_is_due_is_not_sent() {
    let post = Post::new();
    let ann = with_a_held_notification(&post);
    assert_eq!(post.deliver(), []);
    choose(&post, ann, |chosen| chosen.digest = Digest::Off);
    post.stage.clock.advance(DAY);
    assert_eq!(post.deliver(), []);
    choose(&post, ann, |chosen| chosen.digest = Digest::Daily);
    post.stage.clock.advance(DAY);
    assert_eq!(post.deliver(), [], "the notifications do not come in a later digest");
}

#[test]
fn a_failed_digest_keeps_its_notifications() {
    let post = Post::new();
    with_a_held_notification(&post);
    post.deliver();
    post.relay.refuses([bolts_ports::Undelivered::Later("451".to_owned())]);
    post.stage.clock.advance(DAY + HOUR);
    let first = only(post.deliver());
    post.stage.clock.advance(HOUR);
    assert_eq!(only(post.deliver()), first, "the same digest with the same name");
}

/// Two digest times pass while the relay refuses the mails.
#[test]
fn two_digests_that_are_due_together_are_sent_as_one() {
    let post = Post::new();
    let (ann, bob) = (post.user("ann"), post.stage.user("bob"));
    post.deliver();
    choose(&post, ann, |chosen| chosen.turn_off(Topic::Accepted, Channel::Email));
    post.stage.live(ann, bob, 9 * DAY);
    assert_eq!(post.deliver(), []);
    post.stage.clock.advance(DAY);
    post.relay.refuses([bolts_ports::Undelivered::Later("451".to_owned())]);
    post.stage.live(ann, bob, 9 * DAY);
    assert_eq!(acceptances(&only(post.deliver())), 1, "the digest of the first day is refused");
    post.stage.clock.advance(DAY);
    assert_eq!(acceptances(&only(post.deliver())), 2, "the digests of both days");
    post.stage.clock.advance(HOUR);
    assert_eq!(post.deliver(), [], "nothing is left for the second digest");
}

#[test]
fn a_mail_has_neither_title_nor_outcome_of_a_private_bet_unless_the_user_allows_it() {
    let post = Post::new();
    let (ann, bob) = (post.user("ann"), post.stage.user("bob"));
    post.deliver();
    private_bet(&post, ann, bob);
    let mail = only(post.deliver());
    assert_eq!(mail.letter.subject, "Bet Accepted");
    let all = format!("{mail:?}");
    assert!(!all.contains("snow") && !all.contains("Snow") && all.contains("“Private bet”"), "{all}");
    choose(&post, ann, |chosen| chosen.shows_private_titles = true);
    private_bet(&post, ann, bob);
    assert!(format!("{:?}", only(post.deliver())).contains("Will it snow?"));
}

/// A deleted bet has no page any more that says who may see it.
#[test]
fn a_removed_bet_counts_as_private() {
    let post = Post::new();
    let ann = post.user("ann");
    let root = post.stage.admin("root");
    post.deliver();
    let bet = post.stage.create(ann, DAY);
    block_on(post.stage.app.remove_bet(root, bet)).expect("removed");
    let mails = post.deliver();
    assert_eq!(subjects(&mails), [("ann@example.com", "Bet Removed")]);
    assert!(!format!("{mails:?}").contains("snow"));
}

/// A user, the opponent, and the token of the link that unsubscribes the user from mails about accepted bets.
fn with_a_link(post: &Post) -> (Actor, Actor, String) {
    let (ann, bob) = (post.user("ann"), post.stage.user("bob"));
    post.deliver();
    post.stage.live(ann, bob, DAY);
    let link = only(post.deliver()).unsubscribe.expect("a link");
    (ann, bob, link.rsplit_once('/').expect("a path").1.to_owned())
}

#[test]
fn a_link_unsubscribes_from_its_topic_alone_and_without_a_session() {
    let post = Post::new();
    let (ann, bob, token) = with_a_link(&post);
    for _ in 0..2 {
        assert_eq!(
            block_on(post.stage.app.unsubscribe(&token, ADDRESS)),
            Ok(Stopped::Topic(Topic::Accepted))
        );
    }
    let preferences = post.stage.store.preferences_of(ann.user).expect("readable");
    assert!(!preferences.wants(Topic::Accepted).email && preferences.wants(Topic::Proposed).email);
    post.stage.live(ann, bob, DAY);
    assert_eq!(post.deliver(), []);
    let forged = token.replacen("accepted", "proposed", 1);
    assert_eq!(block_on(post.stage.app.unsubscribe(&forged, ADDRESS)), Err(UnsubscribeError::Invalid));
}

/// The attack: a stranger sends many requests with texts that are no tokens of this site.
#[test]
fn a_wrong_link_submits_no_job_and_a_right_one_waits_in_the_lane_of_its_network() {
    let post = Post::new();
    let (_, _, token) = with_a_link(&post);
    let store = Arc::new(Recorded::new(post.stage.store.clone()));
    let process = post.stage.other_process_by(store.clone());
    let unsubscribe = |token: &str| block_on(process.unsubscribe(token, ADDRESS));
    let wrong =
        [token.replacen("accepted", "proposed", 1), format!("{token}{}", "x".repeat(9_000)), "x".into()];
    for _ in 0..2 {
        for wrong in &wrong {
            assert_eq!(unsubscribe(wrong), Err(UnsubscribeError::Invalid));
        }
    }
    assert_eq!(store.taken(), [Lane::Site], "the first request reads the key of the site");
    for _ in 0..300 {
        assert_eq!(unsubscribe(&token), Ok(Stopped::Topic(Topic::Accepted)));
    }
    assert!(store.taken().iter().all(|lane| *lane == Lane::visitor(ADDRESS)));
    assert!(matches!(unsubscribe(&token), Err(UnsubscribeError::TooMany(_))));
    post.stage.clock.advance(Duration::from_secs(60));
    assert_eq!(unsubscribe(&token), Ok(Stopped::Topic(Topic::Accepted)));
}

#[test]
fn the_link_of_a_digest_stops_the_digest_alone() {
    let post = Post::new();
    let ann = with_a_held_notification(&post);
    let link = post.digest().unsubscribe.expect("a link");
    let token = link.rsplit_once('/').expect("a path").1;
    assert_eq!(block_on(post.stage.app.unsubscribe(token, ADDRESS)), Ok(Stopped::Digest));
    let preferences = post.stage.store.preferences_of(ann.user).expect("readable");
    assert_eq!(preferences.digest, Digest::Off);
    assert!(preferences.wants(Topic::Proposed).email);
}

/// The reader of an old mail gets what the link promises: there are no more mails.
#[test]
fn a_link_of_a_deleted_account_says_that_the_mails_have_stopped() {
    let post = Post::new();
    let (_, _, token) = with_a_link(&post);
    // Nobody settles the bet, so that the stakes go back and nothing keeps the user.
    for _ in 0..2 {
        post.stage.clock.advance(31 * DAY);
        post.stage.sweep();
    }
    post.stage.leave("ann").expect("deleted");
    assert_eq!(block_on(post.stage.app.unsubscribe(&token, ADDRESS)), Ok(Stopped::Topic(Topic::Accepted)));
}

#[test]
fn security_mails_cannot_be_turned_off_and_offer_no_unsubscription() {
    let post = Post::new();
    let ann = post.user("ann");
    let none = Wants { email: false, push: false, webhook: false };
    choose(&post, ann, |chosen| {
        Topic::ALL.into_iter().for_each(|topic| chosen.choose(topic, none));
        chosen.digest = Digest::Off;
    });
    block_on(post.stage.app.request_password_reset("ann@example.com", ADDRESS)).expect("requested");
    let token = super::token(&only(post.deliver()));
    let reset = post.stage.app.reset_password_by_mail(token, "another".to_owned(), ADDRESS);
    block_on(reset).expect("reset");
    let mail = only(post.deliver());
    assert_eq!((mail.letter.subject.as_str(), mail.unsubscribe), ("Password Reset", None));
}

/// Each site signs its links with a random key of its own.
#[test]
fn a_link_of_another_site_unsubscribes_nobody() {
    let (post, stage, relay) = (Post::new(), Stage::with_rules(rules()), Relay::default());
    // Without this call, both sites would draw the same fake random numbers.
    stage.app.one_time_password();
    let courier = courier(&stage.app, relay.mailer());
    let other = Post { stage, courier, relay };
    let (own, foreign) = (with_a_link(&post).2, with_a_link(&other).2);
    assert!(block_on(post.stage.app.unsubscribe(&foreign, ADDRESS)).is_err());
    assert!(block_on(post.stage.app.unsubscribe(&own, ADDRESS)).is_ok());
}
