//! Messages on bets: who may read, write and delete them, evidence, notifications and limits. `pictures.rs` has the
//! pictures.

use std::time::Duration;

use serde_json::{Value, json};

use crate::events::Stream;
use crate::harness::{Answer, Client, Server, id};

pub(crate) fn path(bet: &Value) -> String {
    format!("/api/bets/{}/messages", id(bet))
}

fn write(client: &Client, bet: &Value, text: &str) -> Answer {
    client.post(&path(bet), json!({"text": text}))
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array()
        .expect("a list")
        .iter()
        .map(|message| message["text"].as_str().unwrap_or("(deleted)"))
        .collect()
}

/// The parties of an accepted bet, a stranger and an admin.
pub(crate) struct Scene {
    pub(crate) server: Server,
    pub(crate) ann: Client,
    pub(crate) bob: Client,
    pub(crate) stranger: Client,
    pub(crate) root: Client,
}

impl Scene {
    pub(crate) fn start() -> Self {
        Self::on(Server::start())
    }

    fn on(server: Server) -> Self {
        let [ann, bob, stranger] = ["ann", "bob", "stranger"].map(|name| server.user(name));
        let root = server.admin("root");
        Self { server, ann, bob, stranger, root }
    }

    pub(crate) fn live(&self, fields: Value) -> Value {
        let bet = self.ann.bet_with(fields);
        self.bob.accept(&bet).ok(200);
        bet
    }

    pub(crate) fn disputed(&self, fields: Value) -> Value {
        let bet = self.live(fields);
        self.ann.act(&bet, "early-resolution", json!({})).ok(200);
        self.bob.act(&bet, "dispute", json!({"reason": "It snowed."})).ok(200);
        bet
    }
}

/// For public and private bets, live and disputed: the answers to the creator, the acceptor, a stranger without and with
/// the link, an admin, and a visitor.
const WRITING: [(&str, [&str; 6]); 4] = [
    ("public live", ["201", "201", "201", "201", "201", "401 not_signed_in"]),
    ("public disputed", ["201 evidence", "201 evidence", "201", "201", "201", "401 not_signed_in"]),
    (
        "private live",
        ["201", "201", "404 bet_not_found", "403 not_a_party", "403 not_a_party", "401 not_signed_in"],
    ),
    (
        "private disputed",
        [
            "201 evidence",
            "201 evidence",
            "404 bet_not_found",
            "403 not_a_party",
            "403 not_a_party",
            "401 not_signed_in",
        ],
    ),
];

fn told(answer: &Answer) -> String {
    let body = answer.json();
    match answer.status {
        201 if body["isEvidence"] == true => "201 evidence".to_owned(),
        201 => "201".to_owned(),
        status => format!("{status} {}", body["code"].as_str().unwrap_or_default()),
    }
}

#[test]
fn who_may_write_on_which_bet() {
    let scene = Scene::start();
    let visitor = scene.server.client();
    for (situation, expected) in WRITING {
        let fields = json!({"isPrivate": situation.starts_with("private"), "stakeAmount": 1});
        let bet = if situation.ends_with("disputed") { scene.disputed(fields) } else { scene.live(fields) };
        let with_token = format!("{}?token={}", path(&bet), bet["shareToken"].as_str().unwrap_or_default());
        let found = [
            write(&scene.ann, &bet, "I won."),
            write(&scene.bob, &bet, "You did not."),
            write(&scene.stranger, &bet, "Who won?"),
            scene.stranger.post(&with_token, json!({"text": "Who won?"})),
            write(&scene.root, &bet, "Be nice."),
            write(&visitor, &bet, "Hello"),
        ];
        assert_eq!(found.each_ref().map(told), expected, "{situation}");
    }
    scene.server.assert_audit_clean();
}

#[test]
fn messages_come_oldest_first_in_pages_and_with_masked_addresses() {
    let scene = Scene::start();
    let bet = scene.live(json!({}));
    let first = write(&scene.ann, &bet, "  See https://example.com/report\nfor the <b>snow</b>. ").ok(201);
    assert_eq!(first["text"], "See https://example.com/report\nfor the <b>snow</b>.");
    assert_eq!(first["author"]["email"], "a•••@example.com");
    assert_eq!((&first["pictures"], &first["isEvidence"]), (&json!([]), &json!(false)));
    assert_eq!((&first["deletedAt"], &first["canDelete"]), (&json!(null), &json!(true)));
    for number in 2..=5 {
        write(&scene.bob, &bet, &format!("number {number}")).ok(201);
    }
    let list = scene.stranger.get(&path(&bet)).ok(200);
    assert_eq!(texts(&list)[1..], ["number 2", "number 3", "number 4", "number 5"]);
    assert_eq!(list[0]["id"], first["id"]);
    assert_eq!(list[0]["canDelete"], false);
    let next = |answer: &Answer| {
        let link = answer.headers.get("link").and_then(|value| value.to_str().ok()).map(str::to_owned)?;
        Some(link.split_once('<')?.1.split_once('>')?.0.to_owned())
    };
    let (mut found, mut page) = (Vec::new(), Some(format!("{}?order=newest&limit=2", path(&bet))));
    while let Some(at) = page {
        let answer = scene.server.client().get(&at);
        found.extend(answer.ok(200).as_array().expect("a list").iter().map(|message| message["id"].clone()));
        page = next(&answer);
    }
    let mut expected: Vec<Value> =
        list.as_array().expect("a list").iter().map(|one| one["id"].clone()).collect();
    expected.reverse();
    assert_eq!(found, expected);
    scene.ann.get(&format!("{}?order=random", path(&bet))).invalid(&["order"]);
}

#[test]
fn the_limits_of_a_message_are_a_422() {
    let scene = Scene::start();
    let bet = scene.live(json!({}));
    let long = "é".repeat(1_001);
    for (body, fields) in [
        (json!({}), ["text"]),
        (json!({"text": "  "}), ["text"]),
        (json!({"text": long}), ["text"]),
        (json!({"text": "a\u{7}b"}), ["text"]),
        (json!({"text": "Look.", "pictureIds": "0"}), ["pictureIds"]),
        (json!({"text": "Look.", "pictureIds": [1]}), ["pictureIds"]),
        (json!({"text": "Look.", "pictureIds": ["0"]}), ["pictureIds"]),
        (json!({"text": "Look.", "pictureIds": ["0".repeat(32)]}), ["pictureIds"]),
        (json!({"text": "Look.", "pictureIds": vec!["0".repeat(32); 21]}), ["pictureIds"]),
    ] {
        scene.ann.post(&path(&bet), body).invalid(&fields);
    }
    assert_eq!(write(&scene.ann, &bet, &"é".repeat(1_000)).status, 201);
    assert_eq!(scene.ann.get(&path(&bet)).ok(200).as_array().map(Vec::len), Some(1));
}

#[test]
fn a_repeated_message_is_written_once() {
    let scene = Scene::start();
    let bet = scene.live(json!({}));
    let key = [("Idempotency-Key", "one")];
    let send = |text: &str| scene.ann.page_with("POST", &path(&bet), &key, Some(&json!({"text": text})));
    let first = send("Hello").ok(201);
    assert_eq!(send("Hello").ok(201), first);
    send("Goodbye").problem(409, "idempotency_key_reused");
    assert_eq!(texts(&scene.ann.get(&path(&bet)).ok(200)), ["Hello"]);
}

#[test]
fn messages_are_deleted_by_their_author_and_by_admins_and_leave_a_trace() {
    let scene = Scene::start();
    let bet = scene.live(json!({}));
    let ids = ["one", "two", "three"].map(|text| write(&scene.ann, &bet, text).ok(201));
    let delete = |client: &Client, message: &Value| client.delete(&format!("/api/messages/{}", id(message)));
    delete(&scene.server.client(), &ids[0]).problem(401, "not_signed_in");
    delete(&scene.stranger, &ids[0]).problem(403, "not_allowed");
    delete(&scene.bob, &ids[0]).problem(403, "not_allowed");
    for _ in 0..2 {
        assert_eq!(delete(&scene.ann, &ids[0]).ok(200), json!({"ok": true}), "a repeat changes nothing");
    }
    delete(&scene.root, &ids[1]).ok(200);
    let list = scene.ann.get(&path(&bet)).ok(200);
    assert_eq!(texts(&list), ["(deleted)", "(deleted)", "three"]);
    assert_eq!(list[0]["author"]["id"], list[2]["author"]["id"]);
    assert!(list[0]["deletedAt"].is_string() && list[0]["canDelete"] == false);
    assert_eq!(list[2]["canDelete"], true);
    let recorded = scene.root.get("/api/admin/actions").ok(200);
    let deletions: Vec<&Value> = recorded
        .as_array()
        .expect("a list")
        .iter()
        .filter(|action| action["action"] == "delete_message")
        .collect();
    assert_eq!(deletions.len(), 1, "{recorded}");
    assert_eq!(deletions[0]["betId"], bet["id"]);
    assert!(!recorded.to_string().contains("two"), "the text is gone");
    scene.server.assert_audit_clean();
}

#[test]
fn evidence_stays_unless_an_admin_who_is_no_party_removes_it() {
    let scene = Scene::start();
    let bet = scene.live(json!({}));
    let before = write(&scene.ann, &bet, "I may have lost.").ok(201);
    scene.ann.act(&bet, "early-resolution", json!({})).ok(200);
    scene.bob.act(&bet, "dispute", json!({"reason": "It snowed."})).ok(200);
    let evidence = write(&scene.ann, &bet, "It did not snow.").ok(201);
    let remark = write(&scene.stranger, &bet, "It snowed here.").ok(201);
    assert_eq!((&evidence["isEvidence"], &remark["isEvidence"]), (&json!(true), &json!(false)));
    assert_eq!((&evidence["canDelete"], &remark["canDelete"]), (&json!(false), &json!(true)));
    let delete = |client: &Client, message: &Value| client.delete(&format!("/api/messages/{}", id(message)));
    delete(&scene.ann, &before).problem(409, "message_is_evidence");
    delete(&scene.ann, &evidence).problem(409, "message_is_evidence");
    delete(&scene.stranger, &remark).ok(200);
    let ruling = json!({"outcome": "void", "note": ""});
    scene.root.post(&format!("/api/admin/bets/{}/rule", id(&bet)), ruling).ok(200);
    delete(&scene.ann, &evidence).problem(409, "message_is_evidence");
    let after = write(&scene.ann, &bet, "Well.").ok(201);
    assert_eq!(after["isEvidence"], false, "the dispute is over");

    let granted = scene.server.command(&["admin", "grant", "bob@example.com"]);
    assert!(granted.status.success());
    delete(&scene.bob, &evidence).problem(403, "conflict_of_interest");
    delete(&scene.root, &evidence).ok(200);
    let list = scene.ann.get(&path(&bet)).ok(200);
    assert_eq!(list[1]["isEvidence"], true, "the trace says what it was");
    assert_eq!(list[1]["text"], json!(null));
}

#[test]
fn messages_of_a_private_bet_are_for_those_who_see_it() {
    let scene = Scene::start();
    let bet = scene.live(json!({"isPrivate": true}));
    let message = write(&scene.ann, &bet, "Between us").ok(201);
    let token = bet["shareToken"].as_str().expect("a token");
    let visitor = scene.server.client();
    for client in [&visitor, &scene.stranger] {
        client.get(&path(&bet)).problem(404, "bet_not_found");
        let shown = client.get(&format!("{}?token={token}", path(&bet))).ok(200);
        assert_eq!(texts(&shown), ["Between us"]);
        assert_eq!(texts(&client.get(&format!("/api/bets/{token}/messages")).ok(200)), ["Between us"]);
    }
    let target = format!("/api/messages/{}", id(&message));
    scene.stranger.delete(&target).problem(404, "message_not_found");
    scene.stranger.delete(&format!("{target}?token={token}")).problem(403, "not_allowed");
    assert_eq!(texts(&scene.root.get(&path(&bet)).ok(200)), ["Between us"]);
    let notes = scene.bob.get("/api/notifications").text;
    assert!(notes.contains("New Messages") && !notes.contains("Between us"), "{notes}");
    scene.ann.delete(&format!("/api/bets/{}", "0".repeat(32))).problem(404, "bet_not_found");
}

fn notices(client: &Client) -> usize {
    let notes = client.get("/api/notifications").ok(200);
    notes.as_array().expect("a list").iter().filter(|note| note["title"] == "New Messages").count()
}

#[test]
fn parties_get_one_notification_an_hour_and_bet() {
    let scene = Scene::start();
    let (bet, other) = (scene.live(json!({})), scene.live(json!({})));
    write(&scene.ann, &bet, "one").ok(201);
    write(&scene.stranger, &bet, "two").ok(201);
    write(&scene.ann, &bet, "three").ok(201);
    assert_eq!([&scene.ann, &scene.bob, &scene.stranger, &scene.root].map(notices), [1, 1, 0, 0]);
    write(&scene.ann, &other, "four").ok(201);
    assert_eq!([&scene.ann, &scene.bob].map(notices), [1, 2]);
    let hour = 3_600 * 1_000_000_i64;
    let earlier = format!("UPDATE throttles SET since = since - {hour} WHERE bucket LIKE 'message_notice:%'");
    scene.server.database.execute(&earlier);
    write(&scene.ann, &bet, "five").ok(201);
    assert_eq!([&scene.ann, &scene.bob].map(notices), [1, 3]);
}

#[test]
fn a_message_reaches_the_open_pages_of_the_parties_and_of_who_talked() {
    let scene = Scene::start();
    let bet = scene.live(json!({}));
    write(&scene.stranger, &bet, "Who won?").ok(201);
    // The hints of the steps so far arrive during this pause.
    std::thread::sleep(Duration::from_millis(500));
    let mut pages =
        [&scene.ann, &scene.bob, &scene.stranger].map(|client| Stream::open(&scene.server, client));
    let message = write(&scene.ann, &bet, "I did.").ok(201);
    for page in &mut pages {
        page.line_with("event: bet").expect("a hint");
        let data = page.line_with("data: ").expect("its data");
        assert!(data.contains(id(&bet)), "{data}");
    }
    scene.ann.delete(&format!("/api/messages/{}", id(&message))).ok(200);
    for page in &mut pages {
        page.line_with("event: bet").expect("a hint of the deletion");
    }
}

#[test]
fn a_user_writes_thirty_messages_an_hour() {
    let scene = Scene::on(Server::start_with(&["--writes-per-minute", "300"]));
    let bet = scene.live(json!({}));
    for number in 0..30 {
        write(&scene.ann, &bet, &format!("number {number}")).ok(201);
    }
    for _ in 0..2 {
        let refused = write(&scene.ann, &bet, "one more");
        refused.problem(429, "too_many_messages");
        let wait = refused.headers.get("retry-after").and_then(|value| value.to_str().ok());
        assert!(wait.and_then(|wait| wait.parse::<u64>().ok()).is_some_and(|wait| wait <= 3_600), "{wait:?}");
    }
    write(&scene.bob, &bet, "I may.").ok(201);
}
