//! The number and the plans of the statements of frequent requests.

use std::future::ready;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bolts_bets::{Outcome, Side};
use bolts_delivery::{Channel, Preferences, Topic};
use bolts_kernel::{BetId, Currency};
use bolts_ports::{
    BetView, Fanout, Hint, IdempotencyKey, ListFilter, ListStatus, Mail, Mailer, MessageOrder, PageRequest,
    Pending, Sort, Undelivered,
};
use bolts_resolution::Answer;
use bolts_usecases::Idempotent;
use bolts_usecases::accounts::SignInError;
use bolts_usecases::bets::{Accept, AcceptKey};
use bolts_usecases::delivery::Courier;
use bolts_usecases::messages::{NewMessage, NewPicture, On};
use bolts_usecases::notifications::WebhookChoice;
use futures_executor::block_on;

use crate::database::STATEMENTS_OF_AN_ACCEPT;
use crate::keys;
use crate::passkeys;
use crate::pictures;
use crate::recorder;
use crate::stage::{Session, Stage, actor};

const HOUR: Duration = Duration::from_secs(3_600);

/// The tables that grow with users and bets. SQLite has no table `bets_search`.
pub(crate) const GROWING: [&str; 22] = [
    "users",
    "credentials",
    "sessions",
    "bets",
    "bets_search",
    "positions",
    "bet_events",
    "accounts",
    "transfers",
    "notifications",
    "achievements",
    "user_figures",
    "idempotency",
    "throttles",
    "messages",
    "pictures",
    "destinations",
    "deliveries",
    "notification_preferences",
    "mail_tokens",
    "passkeys",
    "api_keys",
];

/// A part of a statement, and the index that its plan must use. Another index has the same first column, and reads more rows.
const INDEXES: [(&str, &str); 1] = [("positions.payout <> positions.stake", "positions_results")];

/// Asserts that the plan of a statement uses the index that the statement is made for.
pub(crate) fn check_index(statement: &str, plan: &str) {
    for (part, index) in INDEXES {
        assert!(!statement.contains(part) || plan.contains(index), "{statement}\n{plan}");
    }
}

fn create(stage: &Stage, creator: &Session) -> BetId {
    stage.create(creator, (100, "bolts"), HOUR).expect("created")
}

/// The user has unlocked the achievement of the first bet before, and the request has an idempotency key.
#[test]
fn an_accept_has_few_statements() {
    recorder::start();
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    stage.accept(&bob, create(&stage, &ann)).expect("accepted");

    let bet = create(&stage, &ann);
    let key = IdempotencyKey {
        user: bob.user.id,
        route: "POST /api/bets/accept".to_owned(),
        key: "1".to_owned(),
        body_hash: String::new(),
    };
    let once = Idempotent { key, render: Arc::new(|_: &BetView| "{}".to_owned()) };
    let accept = Accept { key: AcceptKey::Id(bet, None), option: Side::B };
    block_on(stage.app.accept_bet(actor(&bob), accept, Some(once))).expect("accepted");

    let statements = recorder::of_accepting(bet);
    assert!(statements.len() <= STATEMENTS_OF_AN_ACCEPT, "{statements:#?}");
}

struct Nowhere;

impl Fanout for Nowhere {
    fn publish(&self, _: &[Hint]) {}
}

/// The requests of two users who play bets, and the pages that they read.
fn play(stage: &Stage) {
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    get_mail(stage, &stage.user("cay"));
    passkeys::live(stage, &stage.user("dan"));
    keys::live(stage, &stage.user("eve"));
    let settled = create(stage, &ann);
    stage.accept(&bob, settled).expect("accepted");
    block_on(stage.app.end_bet_early(actor(&ann), settled)).expect("ended");
    stage.propose(&ann, settled, Outcome::A);
    let answer = stage.app.respond_to_proposal(actor(&bob), settled, Answer::Accept, None, None);
    block_on(answer).expect("settled");
    let taken_back = create(stage, &ann);
    block_on(stage.app.delete_bet(actor(&ann), taken_back)).expect("deleted");
    let open = create(stage, &ann);
    talk(stage, &ann, open);
    block_on(stage.app.read_all_notifications(ann.user.id)).expect("read");
    block_on(stage.app.sweep()).expect("swept");
    block_on(stage.app.relay(&Nowhere)).expect("relayed");

    assert!(stage.is_alive(&ann));
    let (queries, user) = (stage.app.queries(), ann.user.id);
    let first = PageRequest { limit: 24, after: None };
    let page = queries.public_bets(&ListFilter::default(), first).expect("a page");
    let next = PageRequest { limit: 1, ..first };
    let cursor = queries.public_bets(&ListFilter::default(), next).expect("a page").next;
    queries.public_bets(&ListFilter::default(), PageRequest { after: cursor, ..first }).expect("a page");
    assert_eq!(page.items.len(), 2);
    for filter in sorted_lists() {
        queries.public_bets(&filter, first).expect("a page");
        let words = vec!["snow".to_owned()];
        queries.public_bets(&ListFilter { words, ..filter }, first).expect("a page");
    }
    queries.bets_of(user, None, first).expect("a page");
    queries.unsettled_of(user, 24, 9).expect("read");
    queries.bets_arbitrated_by(user, None, first).expect("a page");
    queries.users_named("an", 9).expect("read");
    queries.market_stats().expect("read");
    queries.events(open).expect("read");
    queries.notifications(user).expect("read");
    queries.achievements(user).expect("read");
    queries.history(user, first).expect("a page");
    assert_eq!(queries.sitemap_parts().expect("read"), 1);
    assert_eq!(queries.sitemap_part(0).expect("a part").len(), 2);
}

/// A relay that keeps the tokens of its mails and takes every mail.
#[derive(Clone, Default)]
struct Relay(Arc<Mutex<Vec<String>>>);

impl Mailer for Relay {
    fn send(&self, mail: Mail) -> Pending<'_, Result<(), Undelivered>> {
        let link = mail.letter.button.map(|(_, link)| link).unwrap_or_default();
        let token = link.split_once('#').map_or("", |(_, token)| token);
        self.0.lock().expect("no panic").push(token.to_owned());
        Box::pin(ready(Ok(())))
    }
}

/// The requests of a user who confirms an address, chooses mails and sets a new password, and the worker's statements.
fn get_mail(stage: &Stage, user: &Session) {
    let (app, relay, address) = (&stage.app, Relay::default(), IpAddr::from([127, 0, 0, 1]));
    let courier = Courier::new(app.clone(), Arc::new(relay.clone()), "https://bets.example".to_owned());
    let courier = block_on(courier).expect("ready");
    let deliver = || {
        while block_on(courier.deliver()).expect("delivered") > 0 {}
        relay.0.lock().expect("no panic").pop().expect("a mail")
    };
    let email = user.user.email.clone();
    let confirmation = deliver();
    block_on(app.confirm_email(confirmation, address)).expect("confirmed");
    block_on(app.request_email_confirmation(user.user.id, &email)).expect("nothing to do");
    block_on(app.request_password_reset(&email, address)).expect("requested");
    let reset = app.reset_password_by_mail(deliver(), "another".to_owned(), address);
    block_on(reset).expect("set");
    assert!(courier.is_due().expect("read"));
    app.email_state(user.user.id, &email).expect("read");
    let mut preferences = app.queries().preferences_of(user.user.id).expect("read");
    preferences.turn_off(Topic::Accepted, Channel::Email);
    let change = move |own: &mut Preferences| *own = preferences.clone();
    block_on(app.change_choices(user.user.id, WebhookChoice::Keep, change)).expect("stored");
    deliver();
    app.queries().backlogs(app.now()).expect("read");
}

/// Otherwise the time of the answer would tell who is registered.
#[test]
fn a_reset_request_runs_the_same_statements_for_known_and_unknown_addresses() {
    recorder::start();
    let stage = Stage::new();
    stage.user("ann");
    let statements = |email: &str| {
        let address = IpAddr::from([127, 0, 0, 1]);
        block_on(stage.app.request_password_reset(email, address)).expect("always");
        recorder::of_transaction_with(&format!("reset_mail:{email}"))
    };
    // The first request of a network creates the row of its limit.
    statements("nobody@example.com");
    let (known, unknown) = (statements("ann@example.com"), statements("stranger@example.com"));
    assert_eq!(known, unknown);
    assert!(!known.is_empty());
}

/// Otherwise the time of the answer would tell a stranger who is registered, and who has a second factor.
#[test]
fn a_wrong_password_runs_the_same_statements_whoever_has_a_second_factor() {
    recorder::start();
    let stage = Stage::new();
    stage.user("ann");
    passkeys::protect(&stage, &stage.user("bob"), "phone");
    let statements = |name: &str| {
        assert_eq!(stage.sign_in(name, "wrong").err(), Some(SignInError::WrongCredentials));
        let account = bolts_kernel::sha256_hex(format!("{name}@example.com"));
        recorder::of_transaction_with(&format!("password:{account}"))
    };
    let (without, with, unknown) = (statements("ann"), statements("bob"), statements("nobody"));
    assert_eq!((&without, &without), (&with, &unknown));
    assert!(!without.is_empty());
}

/// The requests of a user who uploads two pictures to a bet, deletes one of them, writes a message with the other one,
/// reads the message, and deletes it.
fn talk(stage: &Stage, author: &Session, bet: BetId) {
    let (on, actor) = (On { bet, token: None }, actor(author));
    let upload = || {
        let alt = bolts_messages::alternative_text("Snow").expect("a text");
        let new = NewPicture { file: pictures::png(), alt };
        block_on(stage.app.upload_picture(actor, on.clone(), new)).expect("uploaded").id
    };
    let (picture, wrong) = (upload(), upload());
    block_on(stage.app.delete_picture(actor, wrong)).expect("deleted");
    let text = bolts_messages::message_text("It snows").expect("a text");
    let new = NewMessage { text, pictures: vec![picture] };
    block_on(stage.app.write_message(actor, on.clone(), new, None)).expect("written");
    let (queries, first) = (stage.app.queries(), PageRequest { limit: 50, after: None });
    for order in [MessageOrder::OldestFirst, MessageOrder::NewestFirst] {
        queries.messages(bet, order, first).expect("a page");
    }
    queries.picture(picture).expect("read");
    queries.picture_bytes(picture).expect("read");
    let page = queries.messages(bet, MessageOrder::NewestFirst, first).expect("a page");
    block_on(stage.app.delete_message(actor, on, page.items[0].message.id)).expect("deleted");
}

/// The marketplace in each order, in all currencies and in one.
fn sorted_lists() -> Vec<ListFilter> {
    let sorts =
        [Sort::Newest, Sort::Oldest, Sort::StakeDesc, Sort::StakeAsc, Sort::EndingSoon, Sort::PotDesc];
    let in_each = |sort| {
        [None, Some(Currency::Sats)].map(|currency| ListFilter {
            sort,
            currency,
            status: Some(ListStatus::Active),
            ..ListFilter::default()
        })
    };
    sorts.into_iter().flat_map(in_each).collect()
}

/// The use cases after the play, and the texts of its statements.
pub(crate) fn played() -> (Stage, Vec<String>) {
    recorder::start();
    let stage = Stage::new();
    play(&stage);
    let texts = recorder::texts();
    assert!(texts.len() > 40, "{texts:#?}");
    (stage, texts)
}

/// No statement reads a whole table that grows with users or bets.
#[test]
fn no_plan_reads_a_whole_table() {
    let (stage, texts) = played();
    stage.database.fill();
    stage.database.check_plans(&texts);
}
