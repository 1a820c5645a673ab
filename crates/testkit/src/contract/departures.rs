//! Contract of deletions of accounts, and of the lists of an export.

use bolts_bets::{Bet, NewBet, Outcome, Party, Side, Waits};
use bolts_delivery::{Channel, Preferences};
use bolts_factors::{Totp, TotpSecret};
use bolts_kernel::{
    Amount, ApiKeyId, BetId, Currency, DestinationId, MessageId, NotificationId, OperationId, PictureId,
    SessionId, Timestamp, UserId,
};
use bolts_ledger::Account;
use bolts_messages::{Message, NewMessage, Picture, PictureFormat};
use bolts_ports::{
    AccountEvent, AdminAction, Cause, Challenge, Cursor, Destination, IdempotencyKey, MessageOrder,
    NewDelivery, NewNotification, NewSession, NewUser, NoticeBody, Origin, Page, PageRequest, Profile,
    Purpose, RateLimitState, Recipient, Replay, Result, StoredTotp, Ties, Token, Tx, name_of_deleted,
};
use bolts_wallet::Evidence;

use super::{Subject, keep, read, shown};
use crate::Scene;
use crate::fixtures::{DAY, terms, text};

pub(super) fn erase(store: &dyn Subject, scene: &Scene<'_>, user: UserId) {
    let now = scene.now();
    keep(store, move |tx| tx.departures().erase(user, now));
}

fn is_here(store: &dyn Subject, user: UserId) -> bool {
    keep(store, move |tx| tx.departures().is_here(user))
}

fn deleted_at(store: &dyn Subject, user: UserId) -> Option<Timestamp> {
    keep(store, move |tx| tx.departures().deleted_at(user))
}

fn name(store: &dyn Subject, user: UserId, username: &str) -> bool {
    let profile = Profile {
        username: username.to_owned(),
        first_name: Some("Ann".to_owned()),
        last_name: Some("Lee".to_owned()),
    };
    keep(store, move |tx| tx.users().set_profile(user, &profile))
}

fn key(user: UserId) -> IdempotencyKey {
    let text = |text: &str| text.to_owned();
    IdempotencyKey { user, route: text("POST /api/bets"), key: text("1"), body_hash: text("hash") }
}

/// Gives the user a row in every table that a deletion empties.
fn furnish(tx: &mut dyn Tx, scene: &Furniture, user: UserId) -> Result<()> {
    let (now, hash) = (scene.now, format!("{user}{user}"));
    let origin = Origin::default();
    tx.sessions().insert(&NewSession {
        id: scene.session,
        hash: hash.clone(),
        user,
        at: now,
        origin,
        proved_at: None,
    })?;
    let totp = Totp { secret: TotpSecret::from_random([7; 20]), last_step: None };
    tx.factors().put_totp(user, &StoredTotp { totp, confirmed_at: Some(now) })?;
    tx.factors().set_second_factor(user, true)?;
    tx.factors().put_recovery_codes(user, &["code".to_owned()])?;
    let id = user.to_string().parse().expect("an id");
    tx.passkeys().insert_passkey(&super::passkeys::passkey(id, user, &hash))?;
    tx.keys().insert_key(&super::keys::key(scene.key, user, "bot"))?;
    let expires_at = now.after(DAY);
    let challenge =
        Challenge { hash: hash.clone(), user, credentials: String::new(), attempts: 0, expires_at };
    tx.factors().insert_challenge(&challenge)?;
    tx.contacts().put(&Destination {
        id: scene.destination,
        user,
        channel: Channel::Email,
        address: "ann@example.com".to_owned(),
        secret: None,
        browser: None,
        confirmed_at: now,
        stopped: None,
    })?;
    let mut chosen = Preferences::default();
    chosen.shows_private_titles = true;
    tx.contacts().set_preferences(user, &chosen)?;
    let body = NoticeBody::Account { event: AccountEvent::EmailChanged };
    tx.notifications().insert(&[NewNotification {
        id: scene.notification,
        user,
        body,
        bet: None,
        at: now,
    }])?;
    tx.deliveries().enqueue(&reset(scene))?;
    let (purpose, address) = (Purpose::ResetPassword, "ann@example.com".to_owned());
    tx.tokens().insert(&Token { hash, purpose, user, address, expires_at })?;
    tx.idempotency().store(&key(user), "{}", now)
}

/// Ids and time of the rows of [`furnish`].
#[derive(Clone, Copy)]
struct Furniture {
    now: Timestamp,
    session: SessionId,
    destination: DestinationId,
    notification: NotificationId,
    key: ApiKeyId,
}

impl Furniture {
    fn of(scene: &Scene<'_>) -> Self {
        Self {
            now: scene.now(),
            session: scene.id::<SessionId>(),
            destination: scene.id::<DestinationId>(),
            notification: scene.id::<NotificationId>(),
            key: scene.id::<ApiKeyId>(),
        }
    }
}

/// A mail to an address, whose user nobody has looked up yet.
fn reset(scene: &Furniture) -> NewDelivery {
    NewDelivery {
        channel: Channel::Email,
        name: "reset".to_owned(),
        user: None,
        to: Recipient::Address("ann@example.com".to_owned()),
        cause: Cause::ResetPassword,
        at: scene.now,
        due_at: scene.now,
    }
}

/// Nothing of a deleted user is found, and nobody can enter the account. The row of the user and the bets stay.
pub fn a_deleted_user_is_gone(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    assert!(name(store, ann, "Ann_1") && name(store, bob, "deleted"));
    keep(store, |tx| tx.users().set_admin("ann@example.com", true));
    let bet = scene.settle(&scene.accept(&scene.create(ann, terms()), bob), Outcome::B);
    let (furniture, now) = (Furniture::of(&scene), scene.now());
    keep(store, move |tx| furnish(tx, &furniture, ann));
    assert!(is_here(store, ann) && keep(store, move |tx| tx.departures().lock_user(ann)));
    scene.clock.advance(DAY);
    erase(store, &scene, ann);

    assert!(!is_here(store, ann) && !keep(store, move |tx| tx.departures().lock_user(ann)));
    assert!(is_here(store, bob));
    let nobody = scene.id::<UserId>();
    let times = [ann, bob, nobody].map(|user| deleted_at(store, user));
    assert_eq!(times, [Some(scene.now()), None, None]);
    assert_eq!(read(store.user(ann)), None);
    let (view, credentials, locked) = keep(store, move |tx| {
        let users = tx.users();
        Ok((users.view(ann)?, users.credentials("ann@example.com")?, users.lock_credentials(ann)?))
    });
    assert_eq!((view, credentials, locked), (None, None, None));
    let placeholder = name_of_deleted(ann);
    for found in ["Ann_1", &placeholder] {
        let found = found.to_owned();
        assert_eq!(keep(store, move |tx| tx.users().by_username(&found)), None);
    }
    let named: Vec<_> = read(store.users_named("deleted", 9)).into_iter().map(|user| user.id).collect();
    assert_eq!(named, [bob]);
    let email = placeholder.clone();
    assert_eq!(keep(store, move |tx| tx.users().set_admin(&email, true)), None);
    assert_eq!(read(store.admins()), []);

    let hash = format!("{ann}{ann}");
    assert_eq!(read(store.sessions(std::slice::from_ref(&hash), now, now)), [None]);
    let challenge = hash.clone();
    assert_eq!(keep(store, move |tx| tx.factors().challenge(&challenge)), None);
    assert_eq!(keep(store, move |tx| tx.tokens().lock(&hash, Purpose::ResetPassword)), None);
    assert_eq!(read(store.factors(ann)), bolts_ports::FactorsView::default());
    assert_eq!((read(store.totp_since(ann)), read(store.destinations_of(ann))), (None, vec![]));
    assert_eq!(read(store.preferences_of(ann)), Preferences::default());
    assert_eq!(read(store.notifications(ann)), []);
    assert_eq!(keep(store, move |tx| tx.idempotency().known(&key(ann), now)), Replay::Fresh);
    let claimed = keep(store, move |tx| tx.deliveries().claim(Channel::Email, now.after(DAY), now, 9));
    assert_eq!(claimed, [], "neither the notification nor the mail to the address");

    let shown = shown(store, bet.id).expect("the bet stays");
    assert_eq!(shown.creator.username.as_ref(), Some(&placeholder));
    assert_eq!((shown.creator.email, shown.bet.winner()), (placeholder, Some(bob)));
}

/// Another user can take the e-mail address and the username. Bets of the deleted user do not become theirs.
pub fn a_freed_name_belongs_to_its_new_owner_alone(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    assert!(name(store, ann, "Ann_1"));
    let bet = scene.create(ann, terms());
    let bet = scene.record(bet.delete(ann, scene.now()).expect("pending"));
    let kept = scene.create(ann, terms());
    erase(store, &scene, ann);
    let (id, at) = (scene.id::<UserId>(), scene.now());
    let again = NewUser { id, email: "ann@example.com".to_owned(), password_hash: "new".to_owned(), at };
    assert!(keep(store, move |tx| tx.users().insert(&again)));
    assert!(name(store, id, "ann_1"));
    assert_eq!(keep(store, |tx| tx.users().by_username("Ann_1")), Some(id));
    let shown = shown(store, kept.id).expect("there");
    assert_eq!((shown.bet.creator, shown.creator.username), (ann, Some(name_of_deleted(ann))));
    let page = PageRequest { limit: 9, after: None };
    assert_eq!(read(store.bets_of(id, None, page)).items, []);
    assert!(bet.deletion.is_some());
    let twice = crate::run(store, move |tx| tx.departures().erase(ann, at));
    assert!(twice.is_err(), "a deleted user stays as it is");
}

/// A bet of `creator` that invites an arbiter.
fn inviting(scene: &Scene<'_>, creator: UserId, arbiter: UserId) -> Bet {
    let (id, waits) = (scene.id::<BetId>(), Waits::default());
    let new = NewBet { id, creator, creator_side: Side::A, terms: terms(), waits, arbiter: Some(arbiter) };
    scene.insert(Bet::create(new, scene.now()))
}

fn answer(scene: &Scene<'_>, bet: &Bet, arbiter: UserId, accept: bool) -> Bet {
    let change = bolts_resolution::answer_invitation(bet.clone(), arbiter, accept, scene.now());
    scene.record(change.expect("may answer"))
}

/// Each tie is counted for its user alone, in a job and by a query, and until it ends.
pub fn ties_are_counted_until_they_end(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob, eve) = (scene.user("ann"), scene.user("bob"), scene.user("eve"));
    let ties = |user| {
        let found = read(store.ties_of(user));
        assert_eq!(keep(store, move |tx| tx.departures().ties(user)), found);
        found
    };
    let none = Ties::default();
    assert_eq!((ties(ann), ties(scene.id::<UserId>())), (none.clone(), none.clone()));

    let pending = scene.create(ann, terms());
    let live = scene.accept(&scene.create(bob, terms()), ann);
    assert_eq!(ties(ann), Ties { open_bets: 2, ..none.clone() });
    assert_eq!(ties(bob), Ties { open_bets: 1, ..none.clone() });
    let proposed = scene.propose(&live, Party::Creator, Outcome::A);
    let disputed = scene.dispute(&proposed, Party::Acceptor, "No.");
    assert_eq!(ties(ann), Ties { open_bets: 1, disputed_bets: 1, ..none.clone() });
    assert_eq!(ties(bob), Ties { disputed_bets: 1, ..none.clone() });
    scene.respond(&disputed, Party::Acceptor, bolts_resolution::Answer::Accept);
    scene.record(pending.delete(ann, scene.now()).expect("pending"));
    assert_eq!((ties(ann), ties(bob)), (none.clone(), none.clone()));

    let (first, second) = (inviting(&scene, bob, eve), inviting(&scene, bob, eve));
    let invited = || keep(store, move |tx| tx.departures().open_invitations(eve));
    assert_eq!((ties(eve), invited()), (none.clone(), vec![first.id, second.id]));
    answer(&scene, &first, eve, true);
    assert_eq!((ties(eve), invited()), (Ties { arbiter_tasks: 1, ..none.clone() }, vec![second.id]));
    answer(&scene, &first_again(store, first.id), eve, false);
    scene.record(second.delete(bob, scene.now()).expect("pending"));
    assert_eq!((ties(eve), invited()), (none.clone(), vec![]));

    let invoice = scene.invoice(ann, 1);
    let (row, later) = (invoice.clone(), scene.now().after(DAY));
    keep(store, move |tx| {
        tx.deposits().insert(&row)?;
        tx.users().begin_cooldown(ann, later)
    });
    let withdrawal = scene.held(ann, 3, 1_000_000);
    let expected = Ties { open_deposits: 1, withdrawals: 1, cooldown_until: Some(later), ..none.clone() };
    assert_eq!(ties(ann), expected);
    let sending = scene.sent(withdrawal);
    scene.clock.advance(3 * DAY);
    let lapsed = invoice.unpaid(scene.now());
    keep(store, move |tx| tx.deposits().update(&lapsed));
    scene.ended(sending, Evidence::NotSent("no route".to_owned()));
    let sats = Amount::new(1_010).expect("not below 0");
    assert_eq!(ties(ann), Ties { sats, cooldown_until: Some(later), ..none.clone() });

    for (user, is_admin) in [("ann", true), ("bob", true), ("bob", false)] {
        let email = format!("{user}@example.com");
        keep(store, move |tx| tx.users().set_admin(&email, is_admin));
        assert_eq!((ties(ann).is_last_admin, ties(eve).is_last_admin), (user == "ann" || !is_admin, false));
    }
}

fn first_again(store: &dyn Subject, id: BetId) -> Bet {
    shown(store, id).expect("there").bet
}

fn written(scene: &Scene<'_>, store: &dyn Subject, bet: &Bet, author: UserId) -> Message {
    let new = NewMessage { id: scene.id::<MessageId>(), author, text: text("Look.") };
    let message = Message::write(new, bet, scene.now()).expect("may write");
    let row = message.clone();
    keep(store, move |tx| tx.messages().insert(&row, &[]));
    message
}

fn uploaded(scene: &Scene<'_>, store: &dyn Subject, bet: &Bet, author: UserId) -> Picture {
    let picture = Picture {
        id: scene.id::<PictureId>(),
        bet: bet.id,
        author,
        message: None,
        format: PictureFormat::Png,
        width: 1,
        height: 1,
        alt: text("snow"),
        created_at: scene.now(),
    };
    let row = picture.clone();
    keep(store, move |tx| tx.messages().insert_picture(&row, &[1, 2, 3]));
    picture
}

/// What a party or the arbiter wrote stays. What a bystander wrote leaves a trace. Pictures without a message are removed.
pub fn texts_of_bystanders_are_removed(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob, eve) = (scene.user("ann"), scene.user("bob"), scene.user("eve"));
    let (own, judged, other) =
        (scene.create(ann, terms()), inviting(&scene, bob, ann), scene.create(bob, terms()));
    let declined = answer(&scene, &judged, ann, false);
    for bet in [&own, &declined, &other] {
        written(&scene, store, bet, ann);
        written(&scene, store, bet, eve);
    }
    let (loose, foreign) = (uploaded(&scene, store, &own, ann), uploaded(&scene, store, &other, bob));
    erase(store, &scene, ann);
    let texts = |bet: &Bet| -> Vec<bool> {
        let page = PageRequest { limit: 9, after: None };
        let list = read(store.messages(bet.id, MessageOrder::OldestFirst, page)).items;
        list.iter().map(|view| view.message.text().is_some()).collect()
    };
    assert_eq!((texts(&own), texts(&declined)), (vec![true, true], vec![true, true]));
    assert_eq!(texts(&other), [false, true]);
    assert_eq!((read(store.picture(loose.id)), read(store.picture(foreign.id))), (None, Some(foreign)));
}

/// The numbers of items on the pages of a list, and all items.
fn pages<T>(list: impl Fn(PageRequest) -> Result<Page<T>>) -> (Vec<usize>, Vec<T>) {
    let (mut sizes, mut all) = (Vec::new(), Vec::new());
    let mut after: Option<Cursor> = None;
    loop {
        let page = read(list(PageRequest { limit: 2, after }));
        sizes.push(page.items.len());
        all.extend(page.items);
        let Some(next) = page.next else { return (sizes, all) };
        after = Some(next);
    }
}

/// Each list of an export has the user's own rows, newest first, on pages of any size.
pub fn a_users_own_rows_are_read_in_pages(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let bet = scene.create(ann, terms());
    let (mut deposits, mut messages, mut pictures) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..3_u8 {
        scene.clock.advance(DAY / 100);
        deposits.push(scene.deposited(ann, number, 2_500_000).id);
        scene.deposited(bob, 100 + number, 1_000_000);
        messages.push(written(&scene, store, &bet, ann).id);
        written(&scene, store, &bet, bob);
        pictures.push(uploaded(&scene, store, &bet, ann).id);
        uploaded(&scene, store, &bet, bob);
        for user in [ann, bob] {
            let (admin, detail, at) = (Some(bob), Some(number.to_string()), scene.now());
            let (action, user) = ("grant_bolts", Some(user));
            let action = AdminAction { admin, action, user, bet: None, detail, at };
            keep(store, move |tx| tx.admin_actions().record(&action));
        }
    }
    messages.reverse();
    deposits.reverse();
    pictures.reverse();
    let (sizes, found) = pages(|page| store.deposits_of(ann, page));
    assert_eq!((sizes, found.iter().map(|one| one.id).collect()), (vec![2, 1], deposits));
    let (sizes, found) = pages(|page| store.messages_by(ann, page));
    assert_eq!((sizes, found.iter().map(|(one, _)| one.id).collect()), (vec![2, 1], messages));
    let (sizes, found) = pages(|page| store.pictures_by(ann, page));
    assert_eq!((sizes, found.iter().map(|one| one.id).collect()), (vec![2, 1], pictures));
    let (sizes, found) = pages(|page| store.actions_on(ann, page));
    let details: Vec<_> = found.iter().filter_map(|one| one.detail.as_deref()).collect();
    assert_eq!((sizes, details), (vec![2, 1], vec!["2", "1", "0"]));
    assert!(found.iter().all(|one| one.user.as_deref() == Some("ann@example.com")));

    let picture = uploaded(&scene, store, &bet, ann);
    let (row, with) = (written_with(&scene, &bet, ann), picture.id);
    keep(store, move |tx| tx.messages().insert(&row, &[with]));
    let newest = read(store.messages_by(ann, PageRequest { limit: 1, after: None })).items;
    assert_eq!(newest[0].1, [picture.id]);
}

/// The events of the bets that the user's lists have, with all bets of other users left out. A page may end within a bet.
pub fn the_events_of_a_users_bets_are_read_in_pages(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob, eve) = (scene.user("ann"), scene.user("bob"), scene.user("eve"));
    let first = scene.accept(&scene.create(ann, terms()), bob);
    scene.accept(&scene.create(bob, terms()), eve);
    let judged = answer(&scene, &inviting(&scene, bob, ann), ann, true);
    let declined = answer(&scene, &inviting(&scene, bob, ann), ann, false);
    let removed = scene.create(ann, terms());
    scene.record(removed.delete(ann, scene.now()).expect("pending"));
    let taken = scene.accept(&scene.create(bob, terms()), ann);
    let proposed = scene.propose(&taken, Party::Creator, Outcome::A);
    scene.dispute(&proposed, Party::Acceptor, "No.");
    let events = |bet: BetId| read(store.events(bet)).into_iter().map(move |event| (bet, event));
    let of_ann: Vec<_> = [taken.id, judged.id, first.id].into_iter().flat_map(events).collect();
    assert_eq!(of_ann.len(), 8, "{of_ann:#?}");
    let (sizes, found) = pages(|page| store.bet_events_of(ann, page));
    assert_eq!((sizes, found), (vec![2, 2, 2, 2], of_ann));
    let of_eve = read(store.bet_events_of(eve, PageRequest { limit: 9, after: None })).items;
    assert_eq!(of_eve.len(), 2);
    assert!(read(store.events(declined.id)).len() == 2, "a declined task is no bet of the user");
}

fn written_with(scene: &Scene<'_>, bet: &Bet, author: UserId) -> Message {
    let new = NewMessage { id: scene.id::<MessageId>(), author, text: text("With a picture.") };
    Message::write(new, bet, scene.now()).expect("may write")
}

/// Counts are forgotten for this name and for all names that continue it after a colon, and for no other name.
pub fn counts_are_forgotten_by_their_beginning(store: &dyn Subject) {
    let scene = Scene::new(store);
    let now = scene.now();
    let names = ["password:b@x.com", "password:b@x.com:10.0.0.0/32", "password:b@x.com:device:1"];
    let others = ["password:ab@x.com", "password:b@x.community", "password:b@x.co", "factor:b@x.com"];
    for bucket in names.iter().chain(&others) {
        let bucket = (*bucket).to_owned();
        let count = RateLimitState { count: 1, since: now, last: now };
        keep(store, move |tx| tx.throttles().put(&bucket, count));
    }
    keep(store, |tx| tx.throttles().forget_all("password:b@x.com"));
    let is_left = |bucket: &&&str| {
        let bucket = (**bucket).to_owned();
        keep(store, move |tx| tx.throttles().lock(&bucket)).is_some()
    };
    let left: Vec<&&str> = names.iter().chain(&others).filter(is_left).collect();
    assert_eq!(left, others.iter().collect::<Vec<_>>());
}

/// The Bolts of a deleted user go back once, and all accounts still sum to 0.
pub fn a_closed_account_gives_its_bolts_back(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let (amount, at) = (Amount::new(1_000).expect("not below 0"), scene.now());
    let closed =
        |operation| bolts_ledger::account_closed(ann, amount, operation, at).expect("more than nothing");
    let (first, second) = (closed(scene.id::<OperationId>()), closed(scene.id::<OperationId>()));
    keep(store, move |tx| tx.ledger().post(std::slice::from_ref(&first)));
    let accounts = [Account::Available(ann, Currency::Bolts)];
    assert_eq!(keep(store, move |tx| tx.ledger().lock(&accounts)), [0]);
    assert!(crate::run(store, move |tx| tx.ledger().post(std::slice::from_ref(&second))).is_err());
    erase(store, &scene, ann);
    assert_eq!(super::audit::violations(store), Vec::<String>::new());
}
