//! Contract of deliveries, destinations, preferences and tokens.

use std::time::Duration;

use bolts_bets::{NoticeKind, Visibility};
use bolts_delivery::{Channel, Digest, Preferences, Topic, Wants};
use bolts_kernel::{DestinationId, NotificationId, Timestamp, UserId};
use bolts_ports::{
    AccountEvent, Backlog, Browser, Cause, Delivery, Destination, Fate, NewDelivery, NewNotification,
    NoticeBody, NoticeParams, Purpose, Recipient, Secret, Token,
};

use super::{Subject, keep, read};
use crate::Scene;
use crate::fixtures::{DAY, HOUR, private, terms};

const LEASE: Duration = Duration::from_secs(600);

fn destination(scene: &Scene<'_>, user: UserId, channel: Channel, address: &str) -> Destination {
    Destination {
        id: scene.id::<DestinationId>(),
        user,
        channel,
        address: address.to_owned(),
        secret: (channel != Channel::Email).then(|| Secret::new("whsec_AAAA")),
        browser: (channel == Channel::Push)
            .then(|| Browser { session: format!("session of {address}"), device: None }),
        confirmed_at: scene.now(),
        stopped: None,
    }
}

fn put(store: &dyn Subject, destination: &Destination) {
    let destination = destination.clone();
    keep(store, move |tx| tx.contacts().put(&destination));
}

fn notify(store: &dyn Subject, scene: &Scene<'_>, user: UserId) -> NotificationId {
    let (id, body) =
        (scene.id::<NotificationId>(), NoticeBody::Account { event: AccountEvent::EmailStopped });
    let new = NewNotification { id, user, body, bet: None, at: scene.now() };
    keep(store, move |tx| tx.notifications().insert(std::slice::from_ref(&new)));
    id
}

fn claim(store: &dyn Subject, channel: Channel, now: Timestamp, limit: u32) -> Vec<Delivery> {
    keep(store, move |tx| tx.deliveries().claim(channel, now, now.after(LEASE), limit))
}

fn settle(store: &dyn Subject, id: i64, fate: Fate, now: Timestamp) {
    keep(store, move |tx| tx.deliveries().settle(id, &fate, now));
}

fn letter(scene: &Scene<'_>, name: &str, due_at: Timestamp) -> NewDelivery {
    NewDelivery {
        name: name.to_owned(),
        channel: Channel::Email,
        user: None,
        to: Recipient::Address("ann@example.com".to_owned()),
        cause: Cause::ResetPassword,
        at: scene.now(),
        due_at,
    }
}

fn enqueue(store: &dyn Subject, new: &NewDelivery) {
    let new = new.clone();
    keep(store, move |tx| tx.deliveries().enqueue(&new));
}

/// Each notification becomes one delivery for each working destination of its user, in the same job.
pub fn a_notification_goes_to_every_working_destination(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    notify(store, &scene, ann);
    assert_eq!(claim(store, Channel::Email, scene.now(), 9), [], "ann has no destination yet");
    let email = destination(&scene, ann, Channel::Email, "ann@example.com");
    let phone = destination(&scene, ann, Channel::Push, "https://push.example/1");
    let laptop = destination(&scene, ann, Channel::Push, "https://push.example/2");
    let dead = destination(&scene, ann, Channel::Webhook, "https://hook.example");
    for one in [&email, &phone, &laptop, &dead, &destination(&scene, bob, Channel::Email, "bob@example.com")]
    {
        put(store, one);
    }
    let gone = dead.id;
    let stop = |address: &'static str, reason: &'static str| {
        keep(store, move |tx| tx.contacts().stop(gone, address, reason))
    };
    assert!(!stop("https://old.example", "410"), "it has another address");
    assert!(stop("https://hook.example", "410"));
    assert!(!stop("https://hook.example", "again"), "it was stopped before");
    let bet = scene.create(ann, terms());
    let params = NoticeParams::about(&bet, None, None, ann);
    let body = NoticeBody::Bet { kind: NoticeKind::BetAccepted, params };
    let id = scene.id::<NotificationId>();
    let new = NewNotification { id, user: ann, body: body.clone(), bet: Some(bet.id), at: scene.now() };
    keep(store, move |tx| tx.notifications().insert(std::slice::from_ref(&new)));
    let expected = |delivery: &Delivery, to: &Destination| {
        let cause = Cause::Notification {
            id,
            kind: "bet_accepted".to_owned(),
            params: body.params(),
            bet: Some(bet.id),
        };
        assert_eq!((delivery.user, &delivery.to), (Some(ann), &Recipient::Destination(to.id)));
        assert_eq!((&delivery.cause, delivery.channel), (&cause, to.channel));
        assert_eq!((delivery.created_at, delivery.attempts), (scene.now(), 1));
    };
    let [mail] = &claim(store, Channel::Email, scene.now(), 9)[..] else { panic!("one mail") };
    expected(mail, &email);
    let pushes = claim(store, Channel::Push, scene.now(), 9);
    assert_eq!(pushes.len(), 2);
    assert_ne!(pushes[0].name, pushes[1].name);
    assert_eq!(claim(store, Channel::Webhook, scene.now(), 9), []);
}

/// A user has one e-mail destination, which keeps its id when the address changes.
pub fn a_destination_is_replaced_and_found(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    assert_eq!(read(store.email_destination(ann)), None);
    let first = destination(&scene, ann, Channel::Email, "ann@example.com");
    put(store, &first);
    let id = first.id;
    let stop_old = || keep(store, move |tx| tx.contacts().stop(id, "ann@example.com", "550 no such user"));
    assert!(stop_old());
    assert_eq!(
        read(store.email_destination(ann)).and_then(|d| d.stopped).as_deref(),
        Some("550 no such user")
    );
    scene.clock.advance(HOUR);
    let second = destination(&scene, ann, Channel::Email, "new@example.com");
    put(store, &second);
    assert!(!stop_old(), "a late refusal of the old address");
    let expected = Some(Destination { id: first.id, ..second });
    assert_eq!(read(store.email_destination(ann)), expected);
    assert_eq!(keep(store, move |tx| tx.contacts().email_of(ann)), expected);
    assert_eq!(keep(store, move |tx| tx.contacts().destination(id)), expected);
    assert_eq!(keep(store, move |tx| tx.contacts().email_of(bob)), None);
}

/// A user has one webhook. A new address and secret replace the old ones. Its removal leaves its deliveries.
pub fn a_webhook_is_replaced_and_removed(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    put(store, &destination(&scene, ann, Channel::Email, "ann@example.com"));
    assert_eq!(read(store.webhook(ann)), None);
    let first = destination(&scene, ann, Channel::Webhook, "https://hook.example");
    put(store, &first);
    let id = first.id;
    let stop_old = || keep(store, move |tx| tx.contacts().stop(id, "https://hook.example", "410"));
    assert!(stop_old());
    let secret = Some(Secret::new("whsec_BBBB"));
    let second = Destination { secret, ..destination(&scene, ann, Channel::Webhook, "https://new.example") };
    put(store, &second);
    assert!(!stop_old(), "a late answer of the old receiver");
    let expected = Some(Destination { id, ..second });
    assert_eq!(read(store.webhook(ann)), expected);
    assert_eq!(keep(store, move |tx| tx.contacts().webhook_of(ann)), expected);
    assert_eq!(keep(store, move |tx| tx.contacts().webhook_of(bob)), None);
    notify(store, &scene, ann);
    keep(store, move |tx| tx.contacts().remove(id));
    assert_eq!(read(store.webhook(ann)), None);
    let left = claim(store, Channel::Webhook, scene.now(), 9);
    assert_eq!(left.iter().map(|one| &one.to).collect::<Vec<_>>(), [&Recipient::Destination(id)]);
    assert!(read(store.email_destination(ann)).is_some());
}

/// A delivery that a use case writes keeps its channel and the content of its cause.
pub fn a_written_delivery_keeps_its_cause(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let hook = destination(&scene, ann, Channel::Webhook, "https://hook.example");
    put(store, &hook);
    let cause = Cause::Notification {
        id: scene.id(),
        kind: "test".to_owned(),
        params: "{}".to_owned(),
        bet: Some(scene.id()),
    };
    let written = NewDelivery {
        channel: Channel::Webhook,
        user: Some(ann),
        to: Recipient::Destination(hook.id),
        cause,
        ..letter(&scene, "test", scene.now())
    };
    enqueue(store, &written);
    assert_eq!(claim(store, Channel::Email, scene.now(), 9), []);
    let [claimed] = &claim(store, Channel::Webhook, scene.now(), 9)[..] else { panic!("one") };
    assert_eq!((&claimed.cause, &claimed.to, claimed.user), (&written.cause, &written.to, Some(ann)));
}

/// A claimed delivery belongs to its worker until the lease ends. The longest due delivery comes first.
pub fn a_delivery_is_claimed_by_one_worker(store: &dyn Subject) {
    let scene = Scene::new(store);
    let now = scene.now();
    enqueue(store, &letter(&scene, "second", now));
    enqueue(store, &letter(&scene, "first", now.before(HOUR)));
    enqueue(store, &letter(&scene, "third", now.after(HOUR)));
    enqueue(store, &letter(&scene, "first", now));
    let names = |claimed: Vec<Delivery>| claimed.into_iter().map(|one| one.name).collect::<Vec<_>>();
    assert!(read(store.is_delivery_due(Channel::Email, now)));
    assert!(!read(store.is_delivery_due(Channel::Push, now)));
    assert_eq!(names(claim(store, Channel::Email, now, 1)), ["first"]);
    assert_eq!(names(claim(store, Channel::Email, now, 9)), ["second"]);
    assert_eq!(names(claim(store, Channel::Email, now, 9)), [""; 0], "all that are due have a worker");
    assert!(!read(store.is_delivery_due(Channel::Email, now)));
    let later = now.after(LEASE);
    let again = claim(store, Channel::Email, later, 9);
    assert_eq!(again.iter().map(|one| one.attempts).collect::<Vec<_>>(), [2, 2], "the workers died");
    assert_eq!(names(again), ["first", "second"]);
}

/// A mail with a link does not wait behind digests that were due before it.
pub fn mails_of_accounts_are_claimed_first(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, now) = (scene.user("ann"), scene.now());
    let email = destination(&scene, ann, Channel::Email, "ann@example.com");
    put(store, &email);
    for (number, name) in ["digest 1", "digest 2", "digest 3"].into_iter().enumerate() {
        let due_at = now.before(HOUR * (9 - number as u32));
        let (to, cause) = (Recipient::Destination(email.id), Cause::Digest);
        enqueue(store, &NewDelivery { user: Some(ann), to, cause, ..letter(&scene, name, due_at) });
    }
    enqueue(store, &letter(&scene, "link 2", now));
    enqueue(store, &letter(&scene, "link 1", now.before(HOUR)));
    let names =
        |limit| claim(store, Channel::Email, now, limit).into_iter().map(|one| one.name).collect::<Vec<_>>();
    assert_eq!(names(1), ["link 1"]);
    assert_eq!(names(3), ["link 2", "digest 1", "digest 2"]);
    enqueue(store, &letter(&scene, "link 3", now));
    assert_eq!(names(9), ["link 3", "digest 3"]);
}

/// The deliveries of a channel without a worker are found, the oldest first. Reading them takes none.
pub fn deliveries_that_no_worker_takes_are_found(store: &dyn Subject) {
    let scene = Scene::new(store);
    let now = scene.now();
    for (name, due_at) in [("second", now), ("first", now.before(HOUR)), ("third", now.after(HOUR))] {
        enqueue(store, &letter(&scene, name, due_at));
    }
    let untaken = |channel, due_at, limit| {
        let found = keep(store, move |tx| tx.deliveries().untaken(channel, due_at, limit, now));
        found.into_iter().map(|one| (one.name, one.attempts)).collect::<Vec<_>>()
    };
    let expected = |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), 0_u32)).collect::<Vec<_>>();
    assert_eq!(untaken(Channel::Email, now, 9), expected(&["first", "second"]));
    assert_eq!(untaken(Channel::Email, now, 1), expected(&["first"]));
    assert_eq!(untaken(Channel::Push, now, 9), []);
    assert_eq!(claim(store, Channel::Email, now, 1).len(), 1);
    assert_eq!(untaken(Channel::Email, now, 9), expected(&["second"]), "a worker has the first one");
    let [second] = &claim(store, Channel::Email, now, 9)[..] else { panic!("one") };
    settle(store, second.id, Fate::Sent, now);
    assert_eq!(untaken(Channel::Email, now, 9), []);
}

/// Every fate of a delivery is kept, and an ended delivery stays as it is.
pub fn every_fate_is_kept(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let now = scene.now();
    for name in ["sent", "again", "put off", "dropped", "given up", "held"] {
        enqueue(store, &NewDelivery { user: Some(ann), ..letter(&scene, name, now) });
    }
    let claimed = claim(store, Channel::Email, now, 9);
    let id = |name: &str| claimed.iter().find(|one| one.name == name).expect("claimed").id;
    settle(store, id("sent"), Fate::Sent, now);
    settle(store, id("again"), Fate::Again(now.after(HOUR), "451 later".to_owned()), now);
    settle(store, id("put off"), Fate::PutOff(now.after(HOUR)), now);
    settle(store, id("dropped"), Fate::Dropped, now);
    settle(store, id("given up"), Fate::GivenUp("554 no".to_owned()), now);
    settle(store, id("held"), Fate::Held, now);
    settle(store, id("sent"), Fate::Again(now, "too late".to_owned()), now);
    assert_eq!(claim(store, Channel::Email, now.after(LEASE), 9), []);
    assert_eq!(read(store.backlogs(now)), []);
    let later = now.after(HOUR);
    let due = Backlog { channel: Channel::Email, due: 2, oldest: later };
    assert_eq!(read(store.backlogs(later.after(HOUR))), [due]);
    let again = claim(store, Channel::Email, later, 9);
    let attempts: Vec<_> = again.iter().map(|one| (one.name.as_str(), one.attempts)).collect();
    assert_eq!(attempts, [("again", 2), ("put off", 1)], "a delivery that is put off was not tried");
    let held = keep(store, move |tx| tx.deliveries().held(ann, 9, now));
    assert_eq!(held.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["held"]);
    let held = held[0].id;
    settle(store, held, Fate::Sent, now);
    assert_eq!(keep(store, move |tx| tx.deliveries().held(ann, 9, now)), []);
    let remove = || keep(store, move |tx| tx.deliveries().remove_ended(now.after(HOUR), 3));
    assert_eq!([remove(), remove(), remove()], [3, 1, 0]);
    // The names of the removed deliveries are free again, the name of the open one is not.
    for name in ["sent", "again"] {
        enqueue(store, &letter(&scene, name, later));
    }
    assert_eq!(claim(store, Channel::Email, later, 9).len(), 1);
}

/// A worker learns which notifications are unread and which bets are public.
pub fn a_worker_sees_what_was_read_and_what_is_public(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let (first, second) = (notify(store, &scene, ann), notify(store, &scene, ann));
    notify(store, &scene, bob);
    let at = scene.now();
    keep(store, move |tx| tx.notifications().mark_read(ann, first, at));
    assert_eq!(keep(store, move |tx| tx.deliveries().unread(ann)), [second]);
    let public = scene.create(ann, terms());
    let token = "c29tZSB0b2tlbiBvZiBhIGJldA";
    let hidden = scene.create(ann, bolts_bets::Terms { visibility: private(token), ..terms() });
    assert_ne!(hidden.terms.visibility, Visibility::Public);
    let is_public = |bet| keep(store, move |tx| tx.deliveries().is_public(bet));
    assert!(is_public(public.id) && !is_public(hidden.id) && !is_public(scene.id()));
}

/// Preferences are stored whole, and their defaults apply until then.
pub fn preferences_are_kept(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    assert_eq!(read(store.preferences_of(ann)), Preferences::default());
    let mut chosen = Preferences::default();
    chosen.choose(Topic::Messages, Wants { email: true, push: false, webhook: true });
    chosen.turn_off(Topic::Accepted, Channel::Email);
    (chosen.digest, chosen.shows_private_titles) = (Digest::Weekly, true);
    chosen.time_zone = "Asia/Kolkata".parse().expect("a zone");
    for preferences in [chosen, Preferences::default()] {
        let stored = preferences.clone();
        keep(store, move |tx| tx.contacts().set_preferences(ann, &stored));
        assert_eq!(read(store.preferences_of(ann)), preferences);
        assert_eq!(keep(store, move |tx| tx.contacts().preferences(ann)), preferences);
        assert_eq!(read(store.preferences_of(bob)), Preferences::default());
    }
}

/// An address belongs to one user.
pub fn an_email_address_is_changed_and_unique(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let set = |user, email: &'static str| keep(store, move |tx| tx.contacts().set_email(user, email));
    assert!(!set(ann, "bob@example.com"));
    assert!(set(ann, "new@example.com") && set(ann, "new@example.com"));
    assert_eq!(super::user(store, ann).email, "new@example.com");
    let of =
        |email: &'static str| keep(store, move |tx| tx.users().credentials(email)).map(|found| found.user);
    assert_eq!(
        (of("new@example.com"), of("ann@example.com"), of("bob@example.com")),
        (Some(ann), None, Some(bob))
    );
    assert!(set(bob, "ann@example.com"), "the old address is free");
}

/// Tokens are found by hash and purpose, and removed by user and purpose.
pub fn tokens_are_kept_until_they_are_removed(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let token = |hash: char, purpose, user, hours: u32| Token {
        hash: hash.to_string().repeat(64),
        purpose,
        user,
        address: format!("{hash}@example.com"),
        expires_at: scene.now().after(hours * HOUR),
    };
    let confirm = token('a', Purpose::ConfirmAddress, ann, 2);
    let reset = token('b', Purpose::ResetPassword, ann, 3);
    let of_bob = token('c', Purpose::ConfirmAddress, bob, 1);
    for one in [&confirm, &reset, &of_bob] {
        let one = one.clone();
        keep(store, move |tx| tx.tokens().insert(&one));
    }
    let found = |token: &Token, purpose| {
        let hash = token.hash.clone();
        keep(store, move |tx| tx.tokens().lock(&hash, purpose))
    };
    assert_eq!(found(&confirm, Purpose::ConfirmAddress), Some(confirm.clone()));
    assert_eq!(found(&confirm, Purpose::ResetPassword), None, "of another purpose");
    let now = scene.now();
    // A token for the user's own address is no request for another one.
    let own = Token { address: "ann@example.com".to_owned(), ..token('d', Purpose::ConfirmAddress, ann, 9) };
    let row = own.clone();
    keep(store, move |tx| tx.tokens().insert(&row));
    let requested = |at| {
        let found = read(store.address_to_confirm(ann, "ann@example.com", at));
        assert_eq!(keep(store, move |tx| tx.tokens().requested_address(ann, "ann@example.com", at)), found);
        found
    };
    assert_eq!(requested(now).as_deref(), Some("a@example.com"));
    assert_eq!(requested(now.after(DAY)), None, "expired");
    keep(store, move |tx| tx.tokens().remove_requested(ann, "ann@example.com"));
    assert_eq!((requested(now), found(&confirm, Purpose::ConfirmAddress)), (None, None));
    assert_eq!(found(&own, Purpose::ConfirmAddress), Some(own));
    assert_eq!(found(&of_bob, Purpose::ConfirmAddress), Some(of_bob.clone()));
    let row = confirm.clone();
    keep(store, move |tx| tx.tokens().insert(&row));
    keep(store, move |tx| tx.tokens().remove(ann, Purpose::ConfirmAddress));
    assert_eq!(found(&confirm, Purpose::ConfirmAddress), None);
    assert_eq!(found(&reset, Purpose::ResetPassword), Some(reset.clone()));
    assert_eq!(keep(store, move |tx| tx.tokens().remove_expired(now.after(2 * HOUR), 9)), 1);
    assert_eq!(found(&of_bob, Purpose::ConfirmAddress), None);
    assert_eq!(found(&reset, Purpose::ResetPassword), Some(reset));
}
