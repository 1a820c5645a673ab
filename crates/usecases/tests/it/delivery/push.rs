//! Push messages: the browsers of users, the messages, and push services that fail.

use std::collections::VecDeque;
use std::future::ready;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::{URL_SAFE, URL_SAFE_NO_PAD};
use bolts_bets::{Side, Visibility};
use bolts_delivery::{Channel, Preferences, Topic, Wants};
use bolts_ports::{Browser, DeliveryQueries, Pending, PushMessage, Pusher, Undelivered};
use bolts_usecases::Actor;
use bolts_usecases::accounts::{PasswordOwner, session_hash};
use bolts_usecases::bets::{Accept, AcceptKey, Create};
use bolts_usecases::delivery::Courier;
use bolts_usecases::notifications::{BrowserState, PushError, Subscription, WebhookChoice};
use futures_executor::block_on;
use mockall::mock;
use serde_json::{Value, json};

use super::{of_another_version, rules};
use crate::stage::{ADDRESS, DAY, HOUR, Stage};

const PHONE: &str = "https://push.example/phone";
const LAPTOP: &str = "https://push.example/laptop";

mock! {
    Service {}

    impl Pusher for Service {
        fn send(&self, message: PushMessage) -> Pending<'static, Result<(), Undelivered>>;
    }
}

/// A site and a push service.
struct Site {
    stage: Stage,
    courier: Courier,
    seen: Arc<Mutex<Vec<PushMessage>>>,
    answers: Arc<Mutex<VecDeque<Undelivered>>>,
}

/// A user who is signed in.
struct Member {
    actor: Actor,
    secret: String,
}

fn subscription(endpoint: &str) -> Subscription {
    let public = [&[4][..], &[7; 64]].concat();
    Subscription {
        endpoint: endpoint.to_owned(),
        p256dh: URL_SAFE_NO_PAD.encode(public),
        auth: URL_SAFE_NO_PAD.encode([9; 16]),
    }
}

impl Site {
    fn new() -> Self {
        let (seen, answers) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(VecDeque::new())));
        let mut mock = MockService::new();
        let (taken, refusals) = (seen.clone(), answers.clone());
        mock.expect_send().returning(move |message: PushMessage| {
            taken.lock().expect("no panic").push(message);
            let refusal = refusals.lock().expect("no panic").pop_front();
            Box::pin(ready(refusal.map_or(Ok(()), Err)))
        });
        let stage = Stage::with_rules(rules());
        let courier = Courier::pushes(stage.app.clone(), Arc::new(mock));
        Self { stage, courier, seen, answers }
    }

    fn member(&self, name: &str) -> Member {
        let email = format!("{name}@example.com");
        let fresh =
            block_on(self.stage.app.register(email, "secret".to_owned(), ADDRESS)).expect("registered");
        Member { actor: Actor::from(&fresh.user), secret: fresh.secret }
    }

    fn try_subscribe(&self, member: &Member, new: &Subscription) -> Result<(), PushError> {
        let device = Some("Firefox on Linux".to_owned());
        let browser = Browser { session: session_hash(&member.secret), device };
        block_on(self.stage.app.subscribe_browser(member.actor.user, browser, new))
    }

    fn subscribe(&self, member: &Member, endpoint: &str) {
        self.try_subscribe(member, &subscription(endpoint)).expect("subscribed");
    }

    fn browsers(&self, member: &Member) -> Vec<BrowserState> {
        let session = session_hash(&member.secret);
        self.stage.app.browsers(member.actor.user, &session).expect("readable")
    }

    fn endpoints(&self, member: &Member) -> Vec<String> {
        self.browsers(member).into_iter().map(|browser| browser.endpoint).collect()
    }

    /// Sends what is due. Returns the messages by address, with their contents.
    fn deliver(&self) -> Vec<(String, Value)> {
        while block_on(self.courier.deliver()).expect("delivered") > 0 {}
        let seen = std::mem::take(&mut *self.seen.lock().expect("no panic"));
        let content = |message: &PushMessage| serde_json::from_str(&message.content).expect("JSON");
        seen.iter().map(|message| (message.endpoint.clone(), content(message))).collect()
    }

    fn test(&self, member: &Member) -> Result<(), PushError> {
        block_on(self.stage.app.test_push(member.actor.user))
    }

    fn refuse(&self, why: Undelivered) {
        self.answers.lock().expect("no panic").push_back(why);
    }
}

#[test]
fn each_browser_gets_what_its_user_chose() {
    let site = Site::new();
    let (ann, bob) = (site.member("ann"), site.member("bob"));
    site.subscribe(&ann, PHONE);
    site.subscribe(&ann, LAPTOP);
    let bet = site.stage.live(ann.actor, bob.actor, DAY);
    let sent = site.deliver();
    // The achievement of the first bet is not chosen at first.
    assert_eq!(sent.iter().map(|(to, _)| to.as_str()).collect::<Vec<_>>(), [PHONE, LAPTOP]);
    let content = &sent[0].1;
    assert_eq!(content["url"], json!(format!("/bet/{bet}")));
    assert_eq!(content["title"], "Bet Accepted");
    assert!(content["body"].as_str().expect("a text").contains("Will it snow?"), "{content}");
    assert_eq!(content["timestamp"], json!(site.stage.now().micros() / 1_000));
    assert_eq!(content["unread"], json!(2), "the bet and the achievement: {content}");
    assert_ne!(content["tag"], sent[1].1["tag"]);
    block_on(site.stage.app.change_choices(ann.actor.user, WebhookChoice::Keep, |own| {
        own.choose(Topic::Accepted, Wants { email: true, push: false, webhook: true });
    }))
    .expect("stored");
    site.stage.live(ann.actor, bob.actor, DAY);
    assert_eq!(site.deliver(), []);
}

/// During an upgrade, processes of two versions serve one database. Only the newer one knows the topic of a new kind.
#[test]
fn a_message_of_an_unknown_kind_waits_for_another_version() {
    let site = Site::new();
    let (ann, bob) = (site.member("ann"), site.member("bob"));
    site.subscribe(&ann, PHONE);
    site.stage.live(ann.actor, bob.actor, DAY);
    site.deliver();
    let is_due = || site.stage.store.is_delivery_due(Channel::Push, site.stage.now()).expect("readable");
    of_another_version(&site.stage, ann.actor, Channel::Push, Duration::ZERO, false);
    assert_eq!((site.deliver(), is_due()), (Vec::new(), false));
    site.stage.clock.advance(HOUR);
    assert!(is_due());
    assert_eq!((site.deliver(), is_due()), (Vec::new(), false));
    site.stage.clock.advance(2 * HOUR);
    assert!(!is_due(), "it is given up");
}

/// A locked screen shows the message to whoever looks at the device.
#[test]
fn a_message_about_a_private_bet_has_no_title_unless_its_user_allows_it() {
    let site = Site::new();
    let (ann, bob) = (site.member("ann"), site.member("bob"));
    site.subscribe(&ann, PHONE);
    let take_private = || {
        let mut wanted = Create { is_private: true, ..site.stage.wanted(DAY) };
        wanted.draft.title = "Nobody may read this".to_owned();
        let created = block_on(site.stage.app.create_bet(ann.actor, wanted, None)).expect("created");
        let bolts_usecases::Reply::Done(view) = created else { panic!("{created:?}") };
        let Visibility::Private(token) = view.bet.terms.visibility else { panic!("a private bet") };
        let accept = Accept { key: AcceptKey::Token(token), option: Side::B };
        block_on(site.stage.app.accept_bet(bob.actor, accept, None)).expect("accepted");
        let [(_, content)] = &site.deliver()[..] else { panic!("one message") };
        content["body"].as_str().expect("a text").to_owned()
    };
    let body = take_private();
    assert!(!body.contains("Nobody") && body.contains("Private bet"), "{body}");
    let show = |own: &mut Preferences| own.shows_private_titles = true;
    block_on(site.stage.app.change_choices(ann.actor.user, WebhookChoice::Keep, show)).expect("stored");
    assert!(take_private().contains("Nobody may read this"));
}

#[test]
fn a_test_reaches_every_browser_whatever_the_user_chose() {
    let site = Site::new();
    let (ann, bob) = (site.member("ann"), site.member("bob"));
    site.subscribe(&ann, PHONE);
    site.subscribe(&ann, LAPTOP);
    block_on(site.stage.app.change_choices(ann.actor.user, WebhookChoice::Keep, |own| {
        for topic in Topic::ALL {
            own.choose(topic, Wants { email: true, push: false, webhook: false });
        }
    }))
    .expect("stored");
    site.test(&ann).expect("on its way");
    let titles: Vec<Value> =
        site.deliver().into_iter().map(|(_, content)| content["title"].clone()).collect();
    assert_eq!(titles, ["Push messages work", "Push messages work"]);
    assert_eq!(site.test(&bob), Err(PushError::NotFound));
    for _ in 0..27 {
        site.test(&ann).expect("on its way");
    }
    assert!(matches!(site.test(&ann), Err(PushError::TooMany(_))), "two subscriptions and 28 tests");
}

#[test]
fn a_browser_that_has_unsubscribed_is_removed_and_its_user_sees_it() {
    let site = Site::new();
    let ann = site.member("ann");
    site.subscribe(&ann, PHONE);
    site.subscribe(&ann, LAPTOP);
    site.refuse(Undelivered::Gone("status 410".to_owned()));
    site.test(&ann).expect("on its way");
    assert_eq!(site.deliver().len(), 2);
    assert_eq!(site.endpoints(&ann), [LAPTOP]);
    let told = bolts_ports::Queries::notifications(&*site.stage.store, ann.actor.user).expect("readable");
    assert_eq!(told[0].body.kind(), "push_stopped");
    site.refuse(Undelivered::Refused("status 413".to_owned()));
    site.test(&ann).expect("on its way");
    assert_eq!(site.deliver().len(), 1, "a message that is refused is not repeated");
    assert_eq!(site.endpoints(&ann), [LAPTOP], "the browser stays");
    site.refuse(Undelivered::Later("status 503".to_owned()));
    site.test(&ann).expect("on its way");
    assert_eq!(site.deliver().len(), 1);
    site.stage.clock.advance(HOUR);
    assert_eq!(site.deliver().len(), 1, "the push service was only busy");
}

/// An attacker subscribes ten browsers at a server that answers late.
#[test]
fn the_browsers_of_a_user_take_at_most_four_places() {
    let site = Site::new();
    let (ann, bob) = (site.member("ann"), site.member("bob"));
    (0..10).for_each(|number| site.subscribe(&ann, &format!("https://slow.example/{number}")));
    site.subscribe(&bob, PHONE);
    for member in [&ann, &bob] {
        site.test(member).expect("on its way");
    }
    let take = || block_on(site.courier.take()).expect("claimed");
    let (claimed, routes) = take();
    assert_eq!((claimed, routes.len()), (11, 5), "four of ann, and that of bob");
    drop(routes);
    site.stage.clock.advance(Duration::from_secs(5));
    let (claimed, routes) = take();
    assert_eq!((claimed, routes.len()), (6, 4), "those that found no place wait for 5 s");
}

/// A stranger chose the title, and may have written it like a message of the site.
#[test]
fn a_message_of_an_invitation_has_no_title_of_the_bet() {
    let site = Site::new();
    let (eve, bob) = (site.member("eve"), site.member("bob"));
    site.stage.name(eve.actor, "eve");
    site.subscribe(&eve, PHONE);
    block_on(site.stage.app.change_choices(eve.actor.user, WebhookChoice::Keep, |own| {
        own.choose(Topic::Arbiter, Wants { email: false, push: true, webhook: false });
    }))
    .expect("stored");
    site.stage.created(bob.actor, Create { arbiter: Some("eve".to_owned()), ..site.stage.wanted(DAY) });
    let [(_, content)] = &site.deliver()[..] else { panic!("one message") };
    assert_eq!(content["title"], "Arbiter Wanted");
    let body = content["body"].as_str().expect("a text");
    assert!(
        body.starts_with("You are invited to be the arbiter of a bet.") && !body.contains("snow"),
        "{body}"
    );
}

/// Ann signs out on a computer that bob uses too.
#[test]
fn a_browser_has_one_user_and_ends_with_the_session() {
    let site = Site::new();
    let (ann, bob) = (site.member("ann"), site.member("bob"));
    site.subscribe(&ann, LAPTOP);
    site.subscribe(&bob, LAPTOP);
    assert_eq!((site.endpoints(&ann), site.endpoints(&bob)), (vec![], vec![LAPTOP.to_owned()]));
    block_on(site.stage.app.sign_out(bob.actor.user, &bob.secret)).expect("signed out");
    assert_eq!(site.endpoints(&bob), Vec::<String>::new());
    // A subscription that was under way when the session ended.
    assert_eq!(site.try_subscribe(&bob, &subscription(LAPTOP)), Err(PushError::SignedOut));
    let stolen = Member { actor: bob.actor, secret: ann.secret };
    let another = site.try_subscribe(&stolen, &subscription(LAPTOP));
    assert_eq!(another, Err(PushError::SignedOut), "the session belongs to ann");
}

#[test]
fn a_browser_stays_subscribed_if_its_user_changes_the_password_in_it() {
    let site = Site::new();
    let ann = site.member("ann");
    site.subscribe(&ann, PHONE);
    let (email, session) = ("ann@example.com".to_owned(), session_hash(&ann.secret));
    let owner = PasswordOwner { user: ann.actor.user, email, session };
    let change = site.stage.app.change_password(owner, "secret".to_owned(), "another".to_owned());
    let ann = Member { secret: block_on(change).expect("changed"), ..ann };
    let [phone] = &site.browsers(&ann)[..] else { panic!("one browser") };
    assert!(phone.is_current);
}

#[test]
fn a_user_sees_and_ends_the_own_browsers_alone() {
    let site = Site::new();
    let (ann, bob) = (site.member("ann"), site.member("bob"));
    site.subscribe(&ann, PHONE);
    let [phone] = &site.browsers(&ann)[..] else { panic!("one browser") };
    assert!(phone.is_current);
    assert_eq!(phone.device.as_deref(), Some("Firefox on Linux"));
    let app = &site.stage.app;
    let elsewhere = app.browsers(ann.actor.user, "another session").expect("readable");
    assert!(elsewhere.iter().all(|browser| !browser.is_current));
    assert_eq!(block_on(app.remove_browser(bob.actor.user, phone.id)), Err(PushError::NotFound));
    block_on(app.unsubscribe_browser(bob.actor.user, PHONE.to_owned())).expect("nothing changes");
    assert_eq!(site.endpoints(&ann), [PHONE]);
    block_on(app.remove_browser(ann.actor.user, phone.id)).expect("removed");
    site.subscribe(&ann, PHONE);
    block_on(app.unsubscribe_browser(ann.actor.user, PHONE.to_owned())).expect("removed");
    assert_eq!(site.endpoints(&ann), Vec::<String>::new());
}

#[test]
fn an_eleventh_browser_replaces_the_first() {
    let site = Site::new();
    let ann = site.member("ann");
    let endpoint = |n: usize| format!("https://push.example/{n}");
    for n in 0..11 {
        site.subscribe(&ann, &endpoint(n));
        site.stage.clock.advance(HOUR);
    }
    assert_eq!(site.endpoints(&ann), (1..11).map(endpoint).collect::<Vec<_>>());
}

#[test]
fn addresses_and_keys_that_no_browser_has_are_refused() {
    let site = Site::new();
    let ann = site.member("ann");
    let with_length = |bytes: usize| format!("{PHONE}{}", "a".repeat(bytes - PHONE.len()));
    let long = with_length(1_025);
    for endpoint in [
        "http://push.example",
        "https://127.0.0.1/",
        "https://10.0.0.1",
        "https://[::1]",
        "ftp://a",
        "",
        &long,
    ] {
        let refused = site.try_subscribe(&ann, &subscription(endpoint));
        assert!(matches!(refused, Err(PushError::BadEndpoint(_))), "{endpoint}: {refused:?}");
    }
    site.subscribe(&ann, &with_length(1_024));
    let right = subscription(PHONE);
    let [compressed, hybrid, long] = [(2, 32), (6, 64), (4, 65)]
        .map(|(first, rest)| URL_SAFE_NO_PAD.encode([vec![first], vec![7; rest]].concat()));
    for (p256dh, auth) in [
        ("", right.auth.as_str()),
        (right.p256dh.as_str(), ""),
        (&compressed, &right.auth),
        (&hybrid, &right.auth),
        (&long, &right.auth),
        (&right.auth, &right.p256dh),
        ("?", "?"),
    ] {
        let (p256dh, auth) = (p256dh.to_owned(), auth.to_owned());
        let refused = site.try_subscribe(&ann, &Subscription { p256dh, auth, endpoint: PHONE.to_owned() });
        assert_eq!(refused, Err(PushError::BadKeys));
    }
    let padded = URL_SAFE.encode([9; 16]);
    site.try_subscribe(&ann, &Subscription { auth: padded, ..right }).expect("padding is harmless");
}
