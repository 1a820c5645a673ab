//! Webhooks: their addresses, their events, and receivers that fail.

mod places;

use std::collections::VecDeque;
use std::future::{pending, ready};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bolts_delivery::{Preferences, Topic, Wants};
use bolts_ports::{Event, Pending, Undelivered, Webhooks};
use bolts_usecases::delivery::Courier;
use bolts_usecases::notifications::{Choices, WebhookChoice, WebhookError};
use bolts_usecases::{Actor, Rules};
use futures_executor::block_on;
use futures_util::FutureExt;
use mockall::mock;

use super::rules;
use crate::stage::{DAY, HOUR, Stage, owner};

const SECOND: Duration = Duration::from_secs(1);

const URL: &str = "https://hook.example/bolts";

mock! {
    Receivers {}

    impl Webhooks for Receivers {
        fn send(&self, event: Event) -> Pending<'static, Result<(), Undelivered>>;
    }
}

/// A site, and the servers of its users.
struct Site {
    stage: Stage,
    courier: Courier,
    seen: Arc<Mutex<Vec<Event>>>,
    answers: Arc<Mutex<VecDeque<Undelivered>>>,
}

impl Site {
    fn new() -> Self {
        let (seen, answers) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(VecDeque::new())));
        let mut mock = MockReceivers::new();
        let (taken, refusals) = (seen.clone(), answers.clone());
        mock.expect_send().returning(move |event: Event| {
            let is_slow = event.url.contains("slow");
            taken.lock().expect("no panic").push(event);
            let refusal = refusals.lock().expect("no panic").pop_front();
            if is_slow { Box::pin(pending()) } else { Box::pin(ready(refusal.map_or(Ok(()), Err))) }
        });
        let stage = Stage::with_rules(rules());
        let courier = Courier::webhooks(stage.app.clone(), Arc::new(mock));
        Self { stage, courier, seen, answers }
    }

    /// A user with a webhook.
    fn user(&self, name: &str, url: &str) -> Actor {
        let actor = self.stage.user(name);
        block_on(self.stage.app.set_webhook(actor.user, url)).expect("stored");
        actor
    }

    fn test(&self, actor: Actor) {
        block_on(self.stage.app.test_webhook(actor.user)).expect("on its way");
    }

    fn deliver(&self) -> Vec<Event> {
        while block_on(self.courier.deliver()).expect("delivered") > 0 {}
        self.seen()
    }

    fn seen(&self) -> Vec<Event> {
        std::mem::take(&mut *self.seen.lock().expect("no panic"))
    }

    fn refuse(&self, why: impl IntoIterator<Item = Undelivered>) {
        self.answers.lock().expect("no panic").extend(why);
    }
}

fn kinds(events: &[Event]) -> Vec<&str> {
    events.iter().map(|event| event.kind.as_str()).collect()
}

fn unavailable() -> Undelivered {
    Undelivered::Unavailable("no answer".to_owned())
}

#[test]
fn a_webhook_gets_ids_and_kinds_of_what_its_user_chose() {
    let site = Site::new();
    let ann = site.user("ann", URL);
    let bob = site.stage.user("bob");
    block_on(site.stage.app.change_choices(ann.user, WebhookChoice::Keep, |own| {
        own.choose(Topic::Achievements, Wants { email: true, push: true, webhook: false });
    }))
    .expect("stored");
    let bet = site.stage.live(ann, bob, DAY);
    let [event] = &site.deliver()[..] else { panic!("one event") };
    assert_eq!((event.kind.as_str(), event.bet, event.url.as_str()), ("bet_accepted", Some(bet), URL));
    assert!(!format!("{event:?}").contains("whsec_"), "no log may have the secret: {event:?}");
    assert_eq!(site.deliver(), [], "once");
}

#[test]
fn a_test_event_arrives_whatever_the_user_chose() {
    let site = Site::new();
    let ann = site.user("ann", URL);
    block_on(site.stage.app.change_choices(ann.user, WebhookChoice::Keep, |own| {
        for topic in Topic::ALL {
            own.choose(topic, Wants { email: true, push: false, webhook: false });
        }
    }))
    .expect("stored");
    site.test(ann);
    assert_eq!(kinds(&site.deliver()), ["test"]);
    let bob = site.stage.user("bob");
    assert_eq!(block_on(site.stage.app.test_webhook(bob.user)), Err(WebhookError::NotFound));
}

/// A new receiver must not know the key of the old one.
#[test]
fn each_change_makes_a_new_secret() {
    let site = Site::new();
    let ann = site.stage.user("ann");
    let set = || block_on(site.stage.app.set_webhook(ann.user, URL)).expect("stored").1;
    let (first, second) = (set(), set());
    assert_ne!(first, second);
    assert!(first.reveal().starts_with("whsec_") && first.reveal().len() == 50, "{}", first.reveal());
    site.test(ann);
    assert_eq!(site.deliver()[0].secret, second);
}

fn choose(site: &Site, actor: Actor, url: &str) -> Result<Choices, WebhookError> {
    let choice = WebhookChoice::At(url.to_owned());
    block_on(site.stage.app.change_choices(actor.user, choice, |own| own.shows_private_titles = true))
}

/// A user whose webhook has answered that it wants no more events.
fn with_stopped_webhook(site: &Site) -> Actor {
    let ann = site.user("ann", URL);
    site.refuse([Undelivered::Gone("status 410".to_owned())]);
    site.test(ann);
    assert_eq!(site.deliver().len(), 1);
    ann
}

/// The same address among the choices changes nothing. A new one counts towards the limit of changes, and beyond the limit
/// nothing of the request is stored.
#[test]
fn an_address_among_the_choices_is_changed_only_if_it_is_new() {
    let site = Site::new();
    let ann = with_stopped_webhook(&site);
    let state = || site.stage.app.webhook(ann.user).expect("readable").expect("a webhook");
    let stopped = state();
    for _ in 0..40 {
        let same = choose(&site, ann, URL).expect("stored");
        assert_eq!((same.secret, same.webhook), (None, Some(stopped.clone())), "it stays stopped, too");
    }
    for number in 0..28 {
        let new = choose(&site, ann, &format!("https://hook.example/{number}")).expect("stored");
        assert!(new.secret.is_some_and(|secret| secret.reveal().starts_with("whsec_")), "{number}");
    }
    let hide = |own: &mut Preferences| own.shows_private_titles = false;
    let before = block_on(site.stage.app.change_choices(ann.user, WebhookChoice::Keep, hide));
    let refused = choose(&site, ann, "https://hook.example/beyond");
    assert!(matches!(refused, Err(WebhookError::TooMany(_))), "{refused:?}");
    let now = block_on(site.stage.app.change_choices(ann.user, WebhookChoice::Keep, |_| {}));
    assert_eq!((now, state().url), (before, "https://hook.example/27".to_owned()));
}

/// A user types the address without the slash that the site stores.
#[test]
fn an_address_without_its_slash_is_the_same_address() {
    let site = Site::new();
    let ann = site.stage.user("ann");
    for is_new in [true, false] {
        let choices = choose(&site, ann, " https://hook.example ").expect("stored");
        assert_eq!(choices.secret.is_some(), is_new);
        assert_eq!(choices.webhook.expect("a webhook").url, "https://hook.example/");
    }
}

/// The operator's rules may have become stricter since. A program that stores all choices again must not fail because of
/// an address that it does not change.
#[test]
fn an_address_that_is_stored_is_not_judged_again() {
    let lenient = Stage::with_rules(Rules { calls_private_receivers: true, ..rules() });
    let ann = lenient.user("ann");
    let url = "http://127.0.0.1:9000/hook";
    block_on(lenient.app.set_webhook(ann.user, url)).expect("stored");
    let strict = lenient.other_process_with(rules());
    let choice = |url: &str| WebhookChoice::At(url.to_owned());
    let same = block_on(strict.change_choices(ann.user, choice(url), |_| {})).expect("stored");
    assert_eq!(same.webhook.map(|webhook| webhook.url).as_deref(), Some(url));
    let other = block_on(strict.change_choices(ann.user, choice("http://127.0.0.1:9001"), |_| {}));
    assert!(matches!(other, Err(WebhookError::BadUrl(_))), "{other:?}");
}

/// An attacker names servers behind the site's firewall.
#[test]
fn addresses_behind_the_firewall_are_refused() {
    let site = Site::new();
    let ann = site.stage.user("ann");
    let long = format!("https://hook.example/{}", "a".repeat(500));
    for url in [
        "http://hook.example",
        "ftp://hook.example",
        "hook.example",
        "javascript:alert(1)",
        "https://127.0.0.1/hook",
        "https://2130706433",
        "https://0x7f.1",
        "https://[::1]:8080",
        "https://[::ffff:10.0.0.1]",
        "https://10.0.0.1",
        "https://169.254.169.254/latest/meta-data",
        "https://[fd00::1]",
        "https://user:password@hook.example",
        "https://hook.example/#part",
        "",
        &long,
    ] {
        let stored = block_on(site.stage.app.set_webhook(ann.user, url));
        assert!(matches!(stored, Err(WebhookError::BadUrl(_))), "{url}: {stored:?}");
    }
    assert_eq!(site.stage.app.webhook(ann.user), Ok(None));
    let malformed = "Enter an address that begins with https://";
    let private = "The address must be on the public internet, without a user name";
    for (url, sentence) in [
        ("http://127.0.0.1:9000", malformed),
        ("https://127.0.0.1:9000", private),
        ("https://user@hook.example", private),
        (&long, "The address is too long"),
    ] {
        let refused = block_on(site.stage.app.set_webhook(ann.user, url));
        assert_eq!(refused.expect_err("refused").to_string(), sentence, "{url}");
    }
    let private = Stage::with_rules(Rules { calls_private_receivers: true, ..rules() });
    let ann = private.user("ann");
    for (url, is_fine) in [("http://127.0.0.1:9000/hook", true), ("http://hook.example", false)] {
        assert_eq!(block_on(private.app.set_webhook(ann.user, url)).is_ok(), is_fine, "{url}");
    }
}

#[test]
fn a_receiver_that_wants_no_more_is_stopped_and_its_user_sees_it() {
    let site = Site::new();
    let ann = with_stopped_webhook(&site);
    let state = || site.stage.app.webhook(ann.user).expect("readable").expect("a webhook");
    assert_eq!(state().stopped.as_deref(), Some("status 410"));
    let told = bolts_ports::Queries::notifications(&*site.stage.store, ann.user).expect("readable");
    assert_eq!(told[0].body.kind(), "webhook_stopped");
    assert_eq!(block_on(site.stage.app.test_webhook(ann.user)), Err(WebhookError::NotFound));
    site.stage.live(ann, site.stage.user("bob"), DAY);
    assert_eq!(site.deliver(), [], "nothing is sent there any more");
    block_on(site.stage.app.set_webhook(ann.user, URL)).expect("stored");
    assert_eq!(state().stopped, None);
    site.test(ann);
    assert_eq!(kinds(&site.deliver()), ["test"]);
}

/// An event to the old receiver is under way while the user stores another address.
#[test]
fn a_late_answer_of_the_old_receiver_leaves_the_new_one_alone() {
    let site = Site::new();
    let ann = site.user("ann", URL);
    site.test(ann);
    let (_, routes) = block_on(site.courier.take()).expect("claimed");
    let new = "https://new.example/bolts";
    block_on(site.stage.app.set_webhook(ann.user, new)).expect("stored");
    site.refuse([Undelivered::Gone("status 410".to_owned())]);
    routes.into_iter().for_each(|route| block_on(site.courier.carry(route)).expect("carried"));
    assert_eq!(site.seen().iter().map(|event| event.url.as_str()).collect::<Vec<_>>(), [URL]);
    let state = site.stage.app.webhook(ann.user).expect("readable").expect("a webhook");
    assert_eq!((state.url.as_str(), state.stopped), (new, None));
    let told = bolts_ports::Queries::notifications(&*site.stage.store, ann.user).expect("readable");
    assert!(told.iter().all(|one| one.body.kind() != "webhook_stopped"), "{told:?}");
    site.test(ann);
    assert!(site.deliver().iter().any(|event| event.url == new && event.kind == "test"));
}

/// The attack: somebody with a stolen session lets the site send the events of the account to another server.
#[test]
fn a_new_address_is_told_and_a_new_password_removes_the_webhook() {
    let site = Site::new();
    let (ann, root) = (site.stage.signed_up("ann"), site.stage.admin("root"));
    let (app, user) = (&site.stage.app, ann.user.id);
    let set = |url: &str| block_on(app.set_webhook(user, url)).expect("stored");
    let told = |kind: &str| site.stage.notified(&ann).into_iter().filter(|one| *one == kind).count();
    set(URL);
    set(URL);
    assert_eq!(told("webhook_changed"), 1, "a new secret is no new address");
    set("https://thief.example");
    choose(&site, Actor::from(&ann.user), "https://other.example").expect("stored");
    assert_eq!(told("webhook_changed"), 3);

    let changed = app.change_password(owner(&ann), "secret".to_owned(), "another".to_owned());
    block_on(changed).expect("changed");
    assert_eq!((app.webhook(user), told("webhook_removed")), (Ok(None), 1));
    set(URL);
    block_on(app.reset_password(root, "ann@example.com")).expect("reset");
    assert_eq!((app.webhook(user), told("webhook_removed")), (Ok(None), 2));
    block_on(app.reset_password(root, "ann@example.com")).expect("reset");
    assert_eq!(told("webhook_removed"), 2, "there was none");
}

#[test]
fn a_removed_webhook_gets_nothing() {
    let site = Site::new();
    let ann = site.user("ann", URL);
    site.test(ann);
    block_on(site.stage.app.remove_webhook(ann.user)).expect("removed");
    block_on(site.stage.app.remove_webhook(ann.user)).expect("a repeat changes nothing");
    assert_eq!(site.deliver(), []);
    assert_eq!(site.stage.app.webhook(ann.user), Ok(None));
}

#[test]
fn a_failed_event_is_repeated_for_a_day_with_the_same_name() {
    let site = Site::new();
    let ann = site.user("ann", URL);
    site.refuse((0..1_000).map(|_| Undelivered::Later("status 500".to_owned())));
    site.test(ann);
    let mut names = Vec::new();
    for _ in 0..2 * 24 {
        names.extend(site.deliver().into_iter().map(|event| event.name));
        site.stage.clock.advance(HOUR);
    }
    assert!((20..60).contains(&names.len()), "{} attempts in a day", names.len());
    names.dedup();
    assert_eq!(names.len(), 1, "one id for all attempts");
}

#[test]
fn a_receiver_can_ask_for_a_longer_wait() {
    let site = Site::new();
    let ann = site.user("ann", URL);
    site.refuse([Undelivered::Wait(2 * HOUR, "status 429".to_owned())]);
    site.test(ann);
    assert_eq!(site.deliver().len(), 1);
    site.stage.clock.advance(2 * HOUR - SECOND);
    assert_eq!(site.deliver(), []);
    site.stage.clock.advance(SECOND);
    assert_eq!(site.deliver().len(), 1);
}

/// One user's receiver takes each connection and never answers.
#[test]
fn a_slow_receiver_does_not_hold_up_the_others() {
    let site = Site::new();
    let (ann, bob) = (site.user("ann", "https://slow.example"), site.user("bob", URL));
    (0..9).for_each(|_| site.test(ann));
    site.test(bob);
    let (claimed, routes) = block_on(site.courier.take()).expect("claimed");
    assert_eq!((claimed, routes.len()), (10, 2), "a route for each receiver");
    let mut under_way: Vec<_> = routes.into_iter().map(|route| Box::pin(site.courier.carry(route))).collect();
    let done = under_way.iter_mut().filter_map(|route| route.now_or_never()).count();
    assert_eq!((done, kinds(&site.seen()).len()), (1, 2), "one event waits, and bob's has arrived");

    (0..9).for_each(|_| site.test(ann));
    site.test(bob);
    let (_, routes) = block_on(site.courier.take()).expect("claimed");
    under_way.extend(routes.into_iter().map(|route| Box::pin(site.courier.carry(route))));
    let waits = under_way.iter_mut().skip(2).map(|route| route.now_or_never().is_none());
    assert_eq!(waits.filter(|waits| *waits).count(), 1);
    (0..9).for_each(|_| site.test(ann));
    site.test(bob);
    let (_, routes) = block_on(site.courier.take()).expect("claimed");
    assert_eq!(routes.len(), 1, "the slow receiver has all the places that it may have");
    routes.into_iter().for_each(|route| block_on(site.courier.carry(route)).expect("carried"));
    let of_bob = site.seen().into_iter().filter(|event| event.url == URL).count();
    assert_eq!(of_bob, 2);
}

/// A user with a webhook for which this number of events waits.
fn with_events(site: &Site, events: usize) -> Actor {
    let (ann, bob) = (site.user("ann", URL), site.stage.user("bob"));
    let none = Wants { email: false, push: false, webhook: false };
    let without_achievements = move |own: &mut Preferences| own.choose(Topic::Achievements, none);
    block_on(site.stage.app.change_choices(ann.user, WebhookChoice::Keep, without_achievements))
        .expect("stored");
    for _ in 0..events {
        site.stage.live(ann, bob, DAY);
    }
    ann
}

/// A receiver that refuses each event after some seconds takes as many places as one that never answers.
#[test]
fn a_receiver_that_takes_nothing_rests_alone() {
    let busy = || "status 503".to_owned();
    for why in [unavailable(), Undelivered::Later(busy()), Undelivered::Wait(SECOND, busy())] {
        let site = Site::new();
        with_events(&site, 9);
        site.refuse((0..5).map(|_| why.clone()));
        assert_eq!(site.deliver().len(), 5, "{why}: after the fifth failure the receiver rests");
        let cay = site.user("cay", "https://other.example");
        site.test(cay);
        assert_eq!(site.deliver().len(), 1, "the other receiver works");
        site.stage.clock.advance(2 * HOUR);
        assert_eq!(site.deliver().len(), 9, "all others");
    }
}

/// A user repairs the receiver and tests it at once.
#[test]
fn a_test_does_not_wait_until_the_receiver_has_rested() {
    let site = Site::new();
    let ann = with_events(&site, 9);
    site.refuse((0..6).map(|_| unavailable()));
    assert_eq!(site.deliver().len(), 5, "the receiver rests");
    site.test(ann);
    assert_eq!(kinds(&site.deliver()), ["test"], "it fails too");
    site.stage.clock.advance(29 * SECOND);
    assert_eq!(site.deliver(), [], "its repeat waits like all others");
    site.test(ann);
    assert_eq!(kinds(&site.deliver()), ["test"]);
    site.stage.clock.advance(60 * SECOND);
    assert_eq!(site.deliver().len(), 10, "the receiver works again");
}

#[test]
fn a_user_cannot_send_tests_without_end() {
    let site = Site::new();
    let ann = site.user("ann", URL);
    let test = || block_on(site.stage.app.test_webhook(ann.user));
    (0..29).for_each(|_| test().expect("on its way"));
    assert!(matches!(test(), Err(WebhookError::TooMany(_))));
}
