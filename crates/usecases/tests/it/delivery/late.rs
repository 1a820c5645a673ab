//! Deliveries that nobody sent in time, because the site had no relay, or its process did not run.

use std::time::Duration;

use bolts_delivery::{Channel, Digest, Topic};
use bolts_kernel::{Amount, Timestamp};
use bolts_ports::{DeliveryQueries, Undelivered};
use bolts_usecases::Actor;
use bolts_usecases::accounts::{PasswordOwner, session_hash};
use bolts_usecases::notifications::WebhookChoice;
use futures_executor::block_on;

use super::{Post, of_another_version, only, subjects};
use crate::log::warnings;
use crate::stage::{ADDRESS, DAY, HOUR};

const SECOND: Duration = Duration::from_secs(1);

impl Post {
    fn is_due(&self) -> bool {
        self.stage.store.is_delivery_due(Channel::Email, self.stage.now()).expect("readable")
    }

    /// Changes the user's password, which is told by a mail about security.
    fn change_password(&self, name: &str) {
        let email = format!("{name}@example.com");
        let signed_in =
            block_on(self.stage.app.sign_in(&email, "secret".to_owned(), ADDRESS)).expect("signed in");
        let owner =
            PasswordOwner { user: signed_in.user.id, email, session: session_hash(&signed_in.secret) };
        let changed = self.stage.app.change_password(owner, "secret".to_owned(), "secret".to_owned());
        block_on(changed).expect("changed");
    }

    /// Makes the next digest of the user come weekly, with acceptances in it. Returns the time at which it is due.
    fn weekly(&self, actor: Actor) -> Timestamp {
        let change = self.stage.app.change_choices(actor.user, WebhookChoice::Keep, |own| {
            own.turn_off(Topic::Accepted, Channel::Email);
            own.digest = Digest::Weekly;
            own.time_zone = "UTC".parse().expect("a zone");
        });
        block_on(change).expect("stored");
        let zone = "UTC".parse().expect("a zone");
        Digest::Weekly.next(self.stage.now(), zone).expect("a digest")
    }
}

#[test]
fn the_mails_of_a_month_without_a_relay_are_not_sent() {
    let post = Post::new();
    let (ann, bob) = (post.user("ann"), post.stage.user("bob"));
    post.deliver();
    // From here on, no worker sends the mails.
    for _ in 0..9 {
        post.stage.live(ann, bob, DAY);
    }
    post.change_password("ann");
    post.stage.user("cay");
    block_on(post.stage.app.request_password_reset("ann@example.com", ADDRESS)).expect("requested");
    post.stage.clock.advance(30 * DAY);
    assert!(post.is_due());
    assert_eq!(post.deliver(), [], "the relay is back");
    assert!(!post.is_due());
    post.stage.live(ann, bob, DAY);
    assert_eq!(subjects(&post.deliver()), [("ann@example.com", "Bet Accepted")], "what happens now is sent");
    let failed = post.stage.store.backlogs(post.stage.now()).expect("readable");
    assert_eq!(failed, [], "no alarm is left");
}

/// Something that causes a mail to the user.
type Happens = fn(&Post, Actor);

#[test]
fn a_delivery_is_sent_until_the_very_end_of_its_time() {
    let cases: [(Happens, Duration, &str); 3] = [
        (
            |post, ann| {
                post.stage.live(ann, post.stage.user("bob"), DAY);
            },
            2 * DAY,
            "Bet Accepted",
        ),
        (|post, _| post.change_password("ann"), 4 * DAY, "Password Changed"),
        (
            |post, _| {
                let asked = post.stage.app.request_password_reset("ann@example.com", ADDRESS);
                block_on(asked).expect("requested");
            },
            HOUR / 3,
            "Set a new password",
        ),
    ];
    for (happens, lifetime, subject) in cases {
        for is_late in [false, true] {
            let post = Post::new();
            let ann = post.user("ann");
            happens(&post, ann);
            post.stage.clock.advance(if is_late { lifetime } else { lifetime - SECOND });
            let mails = post.deliver();
            let sent = mails.iter().filter(|mail| mail.letter.subject == subject).count();
            assert_eq!(sent, usize::from(!is_late), "{subject}, late: {is_late}: {mails:?}");
        }
    }
}

/// A weekly digest is written up to a week before it is due. The time for its attempts begins then.
#[test]
fn a_weekly_digest_is_attempted_for_two_days() {
    let post = Post::new();
    let (ann, bob) = (post.user("ann"), post.stage.user("bob"));
    post.deliver();
    let due = post.weekly(ann);
    post.stage.live(ann, bob, 30 * DAY);
    assert_eq!(post.deliver(), []);
    post.stage.clock.set(due);
    post.relay.refuses([Undelivered::Later("451 4.3.0 try again".to_owned())]);
    let first = only(post.deliver());
    post.stage.clock.advance(HOUR / 60);
    assert_eq!(only(post.deliver()), first, "a refused digest is repeated");
}

#[test]
fn an_old_digest_is_given_up_with_what_was_held_for_it() {
    let post = Post::new();
    let (ann, bob) = (post.user("ann"), post.stage.user("bob"));
    post.deliver();
    let due = post.weekly(ann);
    let root = post.stage.admin("root");
    for email in ["ann@example.com", "bob@example.com"] {
        let amount = Amount::new(20_000).expect("not below 0");
        block_on(post.stage.app.grant_bolts(root, email, amount, None)).expect("granted");
    }
    // More notifications than one statement reads.
    for number in 0..130 {
        if number % 50 == 49 {
            post.stage.clock.advance(HOUR);
        }
        post.stage.live(ann, bob, 90 * DAY);
    }
    assert_eq!(post.deliver(), []);
    post.stage.clock.set(due.after(2 * DAY));
    post.stage.live(ann, bob, 90 * DAY);
    assert_eq!(post.deliver(), [], "the digest is too old");
    post.stage.clock.set(due.after(7 * DAY));
    let next = only(post.deliver());
    let titles: Vec<&str> = next.letter.items.iter().map(|item| item.title.as_str()).collect();
    assert_eq!(titles, ["Bet Accepted"], "only what happened since");
}

/// The last attempt to send a digest contains all that is held then.
#[test]
fn a_digest_that_is_given_up_leaves_what_is_newer_to_the_next_one() {
    let post = Post::new();
    let (ann, bob) = (post.user("ann"), post.stage.user("bob"));
    post.deliver();
    let due = post.weekly(ann);
    post.stage.live(ann, bob, 30 * DAY);
    assert_eq!(post.deliver(), [], "held for the digest");
    let titles = || {
        let digest = only(post.deliver());
        digest.letter.items.into_iter().map(|item| item.title).collect::<Vec<_>>()
    };
    post.relay.refuses((0..2).map(|_| Undelivered::Later("451 4.3.0 try again".to_owned())));
    post.stage.clock.set(due.after(DAY));
    post.stage.live(ann, bob, 30 * DAY);
    assert_eq!(titles(), ["Achievement Unlocked", "Bet Accepted"]);
    post.stage.clock.set(due.after(2 * DAY - SECOND));
    let mut last = Vec::new();
    let warned = warnings(|| last = titles());
    assert_eq!(last, ["Achievement Unlocked", "Bet Accepted", "Bet Accepted"]);
    assert!(warned.iter().any(|line| line.contains("waited too long")), "{warned:?}");
    post.stage.clock.set(due.after(7 * DAY));
    assert_eq!(titles(), ["Bet Accepted"], "only what happened since the digest was due");
}

/// A site that had a relay once and has none now. The addresses of its users stay verified, so mails are written.
#[test]
fn mails_that_no_worker_takes_are_given_up_after_a_week() {
    let post = Post::new();
    let (ann, bob) = (post.user("ann"), post.stage.user("bob"));
    post.deliver();
    let due = post.weekly(ann);
    post.stage.live(ann, bob, 30 * DAY);
    assert_eq!(post.deliver(), [], "held for the digest");
    // From here on, no worker sends the mails.
    post.stage.clock.set(due.after(7 * DAY - SECOND));
    block_on(post.stage.app.tidy()).expect("tidied");
    assert!(post.is_due());
    post.stage.clock.advance(SECOND);
    block_on(post.stage.app.tidy()).expect("tidied");
    assert!(!post.is_due());
    // The relay is back.
    post.stage.clock.advance(HOUR);
    post.stage.live(ann, bob, 30 * DAY);
    assert_eq!(post.deliver(), [], "held for the next digest");
    post.stage.clock.set(due.after(14 * DAY));
    let next = only(post.deliver());
    let titles: Vec<&str> = next.letter.items.iter().map(|item| item.title.as_str()).collect();
    assert_eq!(titles, ["Bet Accepted"], "only what happened since");
}

/// Ages of a delivery that this version cannot read, and whether a process of another version may still send it.
const AGES: [(Duration, bool); 3] =
    [(Duration::ZERO, true), (HOUR.saturating_sub(SECOND), true), (HOUR, false)];

/// During an upgrade, processes of two versions serve one database.
#[test]
fn a_mail_of_an_unknown_kind_waits_an_hour_for_another_version() {
    for (age, waits) in AGES {
        let post = Post::new();
        let (ann, bob) = (post.user("ann"), post.stage.user("bob"));
        // The digest comes long after the test.
        post.weekly(ann);
        post.stage.live(ann, bob, 30 * DAY);
        post.deliver();
        of_another_version(&post.stage, ann, Channel::Email, age, false);
        assert!(post.is_due());
        assert_eq!(post.deliver(), []);
        assert!(!post.is_due(), "it does not come first again");
        post.stage.clock.advance(HOUR);
        assert_eq!(post.is_due(), waits, "{age:?}");
        assert_eq!(post.deliver(), []);
        post.stage.clock.advance(2 * HOUR);
        assert!(!post.is_due(), "no process of another version has come: {age:?}");
    }
}

/// The process of the other version holds the notification for its next digest.
#[test]
fn a_digest_leaves_an_unknown_kind_to_another_version() {
    for (age, waits) in AGES {
        let post = Post::new();
        let (ann, bob) = (post.user("ann"), post.stage.user("bob"));
        post.deliver();
        let due = post.weekly(ann);
        post.stage.live(ann, bob, 30 * DAY);
        assert_eq!(post.deliver(), [], "held for the digest");
        post.stage.clock.set(due.before(SECOND));
        of_another_version(&post.stage, ann, Channel::Email, age.saturating_sub(SECOND), true);
        post.stage.clock.set(due);
        assert_eq!(only(post.deliver()).letter.items.len(), 2, "the achievement and the bet");
        assert!(!post.is_due());
        post.stage.clock.advance(HOUR);
        assert_eq!(post.is_due(), waits, "{age:?}");
    }
}
