//! Deletion of accounts: obstacles, what is left of a deleted user, and races with everything that could give a deleted user
//! money or a way in. `exports.rs` has the export.

use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use actix_web::rt::Runtime;
use bolts_bets::{Side, TermsDraft};
use bolts_kernel::Amount;
use bolts_ports::{Clock, PageRequest, UserView};
use bolts_testkit::provider::{Kind, Provider};
use bolts_testkit::{DAY, HOUR};
use bolts_usecases::Actor;
use bolts_usecases::accounts::{DeletionError, PasswordError, ProfileDraft};
use bolts_usecases::bets::Create;
use bolts_usecases::messages::{NewMessage, On};
use bolts_usecases::notifications::WebhookChoice;
use futures_executor::block_on;
use serde_json::{Value, json};

use crate::events::Stream;
use crate::factors::protected;
use crate::harness::{Answer, Client, Server, id};
use crate::messages::path as messages_of;
use crate::stage::{Session, Stage, actor, email, owner};

fn delete(client: &Client, password: &str) -> Answer {
    client.page("DELETE", "/api/account", Some(&json!({"password": password})))
}

fn obstacles(answer: &Value) -> Vec<(String, i64)> {
    let all = answer["obstacles"].as_array().expect("a list");
    let one = |one: &Value| {
        (one["kind"].as_str().expect("a name").to_owned(), one["count"].as_i64().expect("a number"))
    };
    all.iter().map(one).collect()
}

fn named(server: &Server, name: &str) -> (Client, String) {
    let client = server.user(name);
    let user =
        client.page("PATCH", "/api/auth/profile", Some(&json!({"username": name, "firstName": "Ann"})));
    let id = user.ok(200)["id"].as_str().expect("an id").to_owned();
    (client, format!("deleted-{}", &id[20..]))
}

#[test]
fn a_deleted_user_is_gone_and_the_bets_stay() {
    let server = Server::start();
    let ((ann, placeholder), (bob, _)) = (named(&server, "ann_1"), named(&server, "bob_1"));
    let root = server.admin("root");
    let bet = ann.bet(200);
    bob.accept(&bet).ok(200);
    ann.post(&messages_of(&bet), json!({"text": "It will snow."})).ok(201);
    let other = root.bet(50);
    ann.post(&messages_of(&other), json!({"text": "My phone is 555-1234."})).ok(201);
    ann.act(&bet, "propose-resolution", json!({"winningOption": "A"})).ok(200);
    bob.act(&bet, "respond-resolution", json!({"accept": true})).ok(200);
    let tiles = bob.get("/api/bets/stats").ok(200);
    let phone = server.client();
    phone.post("/api/auth/login", json!({"email": "ann_1@example.com", "password": "secret"})).ok(200);
    let mut stream = Stream::open(&server, &phone);

    delete(&ann, "wrong").invalid(&["password"]);
    ann.page("DELETE", "/api/account", Some(&json!({}))).invalid(&["password"]);
    assert_eq!(obstacles(&ann.get("/api/account/deletion").ok(200)), []);
    delete(&ann, "secret").ok(200);

    for client in [&ann, &phone] {
        client.get("/api/auth/user").problem(401, "not_signed_in");
        client.get("/api/account/export").problem(401, "not_signed_in");
    }
    // A chunk of length 0 ends the answer.
    assert_eq!(stream.line_with("0").as_deref(), Some("0"), "the open stream ends");
    let credentials = json!({"email": "ann_1@example.com", "password": "secret"});
    server.client().post("/api/auth/login", credentials.clone()).problem(401, "invalid_credentials");
    let by_name = json!({"email": placeholder, "password": "secret"});
    server.client().post("/api/auth/login", by_name.clone()).problem(401, "invalid_credentials");
    server.client().post("/api/auth/register", by_name).invalid(&["email"]);
    for typed in ["ann_1@example.com", &placeholder] {
        root.post("/api/admin/reset-password", json!({"userEmail": typed})).problem(404, "user_not_found");
        let gift = json!({"userEmail": typed, "amount": 5});
        root.post("/api/admin/deposit-bolts", gift).problem(404, "user_not_found");
        assert_eq!(server.command(&["admin", "grant", typed]).status.code(), Some(1));
        assert_eq!(server.command(&["user", "reset-2fa", typed]).status.code(), Some(1));
    }
    server.assert_audit_clean();

    // A stranger takes the freed name and address. Nothing of the old bet becomes theirs.
    let imitator = server.client();
    let again = imitator.post("/api/auth/register", credentials).ok(201);
    imitator.page("PATCH", "/api/auth/profile", Some(&json!({"username": "ann_1"}))).ok(200);
    assert_eq!((&again["boltsBalance"], &again["username"]), (&json!(1_000), &Value::Null));
    assert_eq!(imitator.get("/api/bets/my").ok(200), json!([]));
    let seen = bob.see(&bet);
    assert_eq!(seen["creator"], json!({"username": placeholder, "email": placeholder}));
    assert_ne!(seen["creatorId"], again["id"]);
    let list = bob.get(&messages_of(&bet)).ok(200);
    assert_eq!(
        (&list[0]["author"]["username"], &list[0]["text"]),
        (&json!(placeholder), &json!("It will snow."))
    );
    let foreign = bob.get(&messages_of(&other)).ok(200);
    assert_eq!(foreign[0]["text"], Value::Null, "a bystander's text goes with the bystander");
    assert_eq!(bob.get("/api/bets/stats").ok(200)["boltsVolume"], tiles["boltsVolume"]);
    let shown = [root.get(&format!("/api/bets/{}", id(&bet))), root.get("/api/admin/bets")];
    for answer in shown.iter().chain([&bob.get("/api/wallet/history.csv"), &bob.get("/api/bets/my")]) {
        assert!(!answer.text.contains("ann_1"), "{}", answer.text);
    }
    let found = bob.get("/api/users/search?q=deleted").ok(200);
    assert_eq!(found, json!([]), "nobody can name a deleted user as an arbiter");
    // The other party goes on with the bet's page, and a message tells nobody who is gone.
    bob.post(&messages_of(&bet), json!({"text": "Thank you."})).ok(201);
    root.delete(&format!("/api/admin/bets/{}", id(&bet))).ok(200);
    server.assert_audit_clean();
}

#[test]
fn obstacles_are_named_and_go_away() {
    let server = crate::wallet::server();
    let (ann, bob, eve) = (server.user("ann"), server.user("bob"), server.admin("eve"));
    named_arbiter(&ann, "ann_1");
    let (pending, live, open) = (ann.bet(10), ann.bet(10), bob.bet(10));
    bob.accept(&live).ok(200);
    ann.accept(&open).ok(200);
    bob.act(&open, "early-resolution", json!({})).ok(200);
    bob.act(&open, "dispute", json!({"reason": "It snowed."})).ok(200);
    let (judged, asked) =
        (bob.bet_with(json!({"arbiter": "ann_1"})), bob.bet_with(json!({"arbiter": "ann_1"})));
    ann.act(&judged, "arbiter", json!({"accept": true})).ok(200);
    ann.post("/api/deposit/test-add", json!({"amount": 1_500})).ok(200);

    let expected: Vec<(String, i64)> =
        [("open_bets", 2), ("disputed_bets", 1), ("arbiter_tasks", 1), ("sats", 1_500)]
            .map(|(kind, count)| (kind.to_owned(), count))
            .into();
    assert_eq!(obstacles(&ann.get("/api/account/deletion").ok(200)), expected);
    let refused = delete(&ann, "secret");
    let problem = refused.problem(409, "account_in_use");
    assert_eq!(obstacles(&problem), expected);
    assert_eq!(
        problem["detail"],
        "Your account cannot be deleted yet. It still has 2 open bets, 1 bet in dispute, 1 open bet as its arbiter and \
         1,500 sats on your balance."
    );
    assert_eq!(bob.see(&asked)["arbiter"]["status"], "invited", "a refused deletion changes nothing");
    assert_eq!(ann.bolts(), 970);

    ann.delete(&format!("/api/bets/{}", id(&pending))).ok(200);
    ann.act(&live, "propose-resolution", json!({"winningOption": "void"})).ok(200);
    bob.act(&live, "respond-resolution", json!({"accept": true})).ok(200);
    let ruling = json!({"outcome": "void", "note": ""});
    eve.post(&format!("/api/admin/bets/{}/rule", id(&open)), ruling).ok(200);
    ann.act(&judged, "arbiter", json!({"accept": false})).ok(200);
    let left = obstacles(&ann.get("/api/account/deletion").ok(200));
    assert_eq!(left, [("sats".to_owned(), 1_500)]);
    ann.bet_with(json!({"stakeAmount": 1_500, "currencyType": "sats"}));
    assert_eq!(obstacles(&ann.get("/api/account/deletion").ok(200)), [("open_bets".to_owned(), 1)]);

    // An admin who is the only one stays, until there is another one.
    let last = obstacles(&delete(&eve, "secret").problem(409, "account_in_use"));
    assert_eq!(last, [("last_admin".to_owned(), 1)]);
    server.admin("zoe");
    delete(&eve, "secret").ok(200);
    server.assert_audit_clean();
}

fn named_arbiter(client: &Client, name: &str) {
    client.page("PATCH", "/api/auth/profile", Some(&json!({"username": name}))).ok(200);
}

#[test]
fn a_stolen_session_deletes_nothing_without_the_phone() {
    let server = Server::start();
    let (ann, _, codes) = protected(&server, "ann");
    // The factor was proved a moment ago, when it was added. A sign-in elsewhere proves nothing for this session.
    let thief = server.client();
    let challenge = crate::factors::challenged(&thief, "ann");
    thief.post("/api/auth/login/factor", json!({"challenge": challenge, "recoveryCode": codes[0]})).ok(200);
    server.database.execute("UPDATE sessions SET proved_at = proved_at - 600000000");
    delete(&thief, "secret").problem(403, "step_up_required");
    thief.get("/api/account/export").problem(403, "step_up_required");
    thief.get("/api/account/deletion").ok(200);
    ann.post("/api/auth/step-up", json!({"recoveryCode": codes[1]})).ok(200);
    ann.get("/api/account/export").ok(200);
    delete(&ann, "wrong").invalid(&["password"]);
    delete(&ann, "secret").ok(200);
    thief.get("/api/auth/user").problem(401, "not_signed_in");
    server.assert_audit_clean();
}

fn leave(stage: &Stage, session: &Session) -> Result<(), DeletionError> {
    block_on(stage.app.delete_account(owner(session), "secret".to_owned()))
}

fn kinds(stage: &Stage, session: &Session) -> Vec<&'static str> {
    let all = stage.app.obstacles_of(session.user.id).expect("readable");
    all.iter().map(|one| one.kind.as_str()).collect()
}

#[test]
fn a_cooldown_gives_the_owner_a_day() {
    let stage = Stage::new();
    let (ann, root) = (stage.user("ann"), stage.admin("root"));
    // The attack: somebody with a one-time password, or with the mailbox, deletes the account before its owner notices.
    let password = block_on(stage.app.reset_password(root, &email("ann"))).expect("reset");
    let thief = stage.sign_in("ann", &password).expect("signed in");
    let attempt = || block_on(stage.app.delete_account(owner(&thief), password.clone()));
    assert_eq!(kinds(&stage, &ann), ["cooldown"]);
    assert!(matches!(attempt(), Err(DeletionError::InUse(_))));
    stage.clock.advance(DAY - Duration::from_secs(1));
    assert!(matches!(attempt(), Err(DeletionError::InUse(_))));
    stage.clock.advance(Duration::from_secs(1));
    assert_eq!(attempt(), Ok(()));
    stage.assert_audit_clean();
}

#[test]
fn money_under_way_keeps_the_account() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    stage.add_sats(&ann, 2_000);
    stage.withdraw(&ann, 1_900).expect("held");
    assert_eq!(kinds(&stage, &ann), ["withdrawals", "sats"]);
    for id in stage.app.queries().due_withdrawals(stage.clock.now(), 9).expect("readable") {
        block_on(stage.wallets.move_on(id)).expect("sent");
    }
    stage.clock.advance(HOUR);
    for id in stage.app.queries().due_withdrawals(stage.clock.now(), 9).expect("readable") {
        block_on(stage.wallets.move_on(id)).expect("moved on");
    }
    let left = kinds(&stage, &ann);
    assert!(left == ["sats"] || left == ["withdrawals", "sats"], "{left:?}");
    assert!(matches!(leave(&stage, &ann), Err(DeletionError::InUse(_))));
    stage.assert_audit_clean();
}

/// An invoice keeps the account as long as the server still asks about it. A payment that comes even later is not lost: the
/// ledger has it, and the admins see it.
#[test]
fn a_late_deposit_of_a_deleted_user_is_reported() {
    // The calls to the provider need a runtime.
    let runtime = Runtime::new().expect("a runtime");
    let provider = Provider::start(Kind::Lnbits);
    let stage = Stage::over(&provider);
    let ann = stage.user("ann");
    let amount = Amount::new(1_000).expect("not below 0");
    let deposit = runtime.block_on(stage.wallets.create_deposit(ann.user.id, amount)).expect("made");
    assert_eq!(kinds(&stage, &ann), ["open_deposits"]);
    assert!(matches!(leave(&stage, &ann), Err(DeletionError::InUse(_))));
    stage.clock.advance(26 * HOUR);
    for due in stage.wallets.due_deposits().expect("readable") {
        runtime.block_on(stage.wallets.move_deposit_on(due)).expect("asked");
    }
    assert_eq!(leave(&stage, &ann), Ok(()));

    provider.receive(&deposit.payment_hash.to_string(), 1_000_000);
    let found = stage.queries().deposit(deposit.id).expect("readable");
    runtime.block_on(stage.wallets.hear_of_deposit(found)).expect("heard");
    let page = PageRequest { limit: 9, after: None };
    let recorded = stage.queries().admin_actions(page).expect("readable").items;
    let late: Vec<_> = recorded.iter().map(|one| (one.action.as_str(), one.detail.clone())).collect();
    assert_eq!(late, [("late_deposit", Some(format!("1,000 sats by deposit {}", deposit.id)))]);
    assert_eq!(stage.queries().notifications(ann.user.id).expect("readable"), []);
    stage.assert_audit_clean();
}

/// An action that races with the deletion of `ann`. It may succeed or fail. Afterwards nothing of it may be left at a deleted
/// user.
type Rival = fn(&Stage, &Scene) -> bool;

struct Scene {
    ann: Session,
    bob: Session,
    root: Actor,
    /// A pending public bet of Bob.
    bet: bolts_kernel::BetId,
    round: usize,
}

fn draft(stage: &Stage) -> TermsDraft {
    TermsDraft {
        title: "Will it snow?".to_owned(),
        option_a: "Snow".to_owned(),
        option_b: "No snow".to_owned(),
        stake_amount: 5,
        currency: "bolts".to_owned(),
        method: "Mutual Agreement".to_owned(),
        expires_at: stage.clock.now().after(DAY).to_string(),
        ..TermsDraft::default()
    }
}

const RIVALS: [(&str, Rival); 11] = [
    ("accept", |stage, scene| stage.accept(&scene.ann, scene.bet).is_ok()),
    ("create", |stage, scene| stage.create(&scene.ann, (5, "bolts"), DAY).is_ok()),
    ("invitation", |stage, scene| {
        let arbiter = Some(format!("ann_{}", scene.round));
        let create = Create { draft: draft(stage), side: Side::A, is_private: false, arbiter };
        block_on(stage.app.create_bet(actor(&scene.bob), create, None)).is_ok()
    }),
    ("message", |stage, scene| {
        let new = NewMessage { text: bolts_bets::Text::from_stored("Look.".to_owned()), pictures: vec![] };
        let on = On { bet: scene.bet, token: None };
        block_on(stage.app.write_message(actor(&scene.ann), on, new, None)).is_ok()
    }),
    ("sign-in", |stage, scene| stage.sign_in(&format!("ann{}", scene.round), "secret").is_ok()),
    ("sats", |stage, scene| {
        let amount = Amount::new(7).expect("not below 0");
        block_on(stage.wallets.add_test_sats(scene.ann.user.id, amount, None)).is_ok()
    }),
    ("invoice", |stage, scene| {
        let amount = Amount::new(1_000).expect("not below 0");
        block_on(stage.wallets.create_deposit(scene.ann.user.id, amount)).is_ok()
    }),
    ("profile", |stage, scene| {
        let username = format!("new_{}", scene.round);
        let draft = ProfileDraft { username, ..ProfileDraft::default() };
        block_on(stage.app.set_profile(scene.ann.user.id, &draft)).is_ok()
    }),
    ("preferences", |stage, scene| {
        let change = |chosen: &mut bolts_delivery::Preferences| chosen.shows_private_titles = true;
        block_on(stage.app.change_choices(scene.ann.user.id, WebhookChoice::Keep, change)).is_ok()
    }),
    ("gift", |stage, scene| {
        let amount = Amount::new(7).expect("not below 0");
        let to = email(&format!("ann{}", scene.round));
        block_on(stage.app.grant_bolts(scene.root, &to, amount, None)).is_ok()
    }),
    ("reset", |stage, scene| {
        block_on(stage.app.reset_password(scene.root, &email(&format!("ann{}", scene.round)))).is_ok()
    }),
];

#[test]
fn nothing_reaches_a_user_who_is_being_deleted() {
    let stage = Stage::new();
    let (bob, root) = (stage.user("bob"), stage.admin("root"));
    let mut deletions = 0;
    for round in 0..4 * RIVALS.len() {
        let (name, rival) = RIVALS[round % RIVALS.len()];
        let ann = stage.user(&format!("ann{round}"));
        let draft = ProfileDraft { username: format!("ann_{round}"), ..ProfileDraft::default() };
        block_on(stage.app.set_profile(ann.user.id, &draft)).expect("named");
        let bet = stage.create(&bob, (5, "bolts"), DAY).expect("created");
        let scene = Scene { ann, bob: bob.clone(), root, bet, round };
        let barrier = Barrier::new(2);
        let (left, done) = thread::scope(|scope| {
            let leaving = scope.spawn(|| {
                barrier.wait();
                leave(&stage, &scene.ann)
            });
            barrier.wait();
            let done = rival(&stage, &scene);
            (leaving.join().expect("no panic"), done)
        });
        let user: Option<UserView> = stage.queries().user(scene.ann.user.id).expect("readable");
        match &left {
            Ok(()) => assert_deleted(&stage, &scene, name),
            Err(DeletionError::InUse(_) | DeletionError::Password(PasswordError::WrongCurrent)) => {
                assert!(done && user.is_some(), "{name}: {left:?}");
            }
            Err(DeletionError::Password(PasswordError::SignedOut)) => {
                assert!(name == "reset" && done, "{name}: {left:?}");
            }
            Err(other) => panic!("{name}: {other:?}"),
        }
        deletions += i32::from(left.is_ok());
    }
    assert!(deletions > 0, "some deletions come first");
    stage.assert_audit_clean();
}

fn assert_deleted(stage: &Stage, scene: &Scene, name: &str) {
    let (queries, user) = (stage.queries(), scene.ann.user.id);
    assert_eq!(queries.user(user).expect("readable"), None, "{name}");
    let page = PageRequest { limit: 9, after: None };
    let written = queries.messages_by(user, page).expect("readable").items;
    assert!(written.iter().all(|(message, _)| message.text().is_none()), "{name}: a text is left");
    assert_eq!(queries.ties_of(user).expect("readable"), bolts_ports::Ties::default(), "{name}");
    let chosen = queries.preferences_of(user).expect("readable");
    assert_eq!(chosen, bolts_delivery::Preferences::default(), "{name}");
    let told = queries.notifications(user).expect("readable");
    assert_eq!(told, [], "{name}");
    let invited = queries.unsettled_of(user, 9, 9).expect("readable");
    assert!(invited.is_empty(), "{name}: a bet waits for nobody");
    assert!(stage.sign_in(&format!("ann{}", scene.round), "secret").is_err(), "{name}");
}

#[test]
fn of_two_last_admins_one_stays() {
    let stage = Stage::new();
    for round in 0..8 {
        let names = [format!("root{round}"), format!("zoe{round}")];
        let admins = names.each_ref().map(|name| {
            stage.admin(name);
            stage.sign_in(name, "secret").expect("signed in")
        });
        let barrier = Barrier::new(2);
        let left: Vec<bool> = thread::scope(|scope| {
            let leaving = admins.each_ref().map(|admin| {
                scope.spawn(|| {
                    barrier.wait();
                    leave(&stage, admin).is_ok()
                })
            });
            leaving.map(|one| one.join().expect("no panic")).into()
        });
        assert_eq!(left.iter().filter(|left| **left).count(), 1, "round {round}: {left:?}");
        assert_eq!(stage.queries().admins().expect("readable").len(), 1);
        // The one who stayed is no admin in the next round.
        for name in &names {
            block_on(stage.app.set_admin(&email(name), false)).expect("revoked");
        }
    }
    stage.assert_audit_clean();
}
