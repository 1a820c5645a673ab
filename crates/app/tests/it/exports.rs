//! The export of an account.

use std::path::Path;

use serde_json::{Value, json};

use crate::factors::protected;
use crate::harness::{Client, Server, id};
use crate::messages::path as messages_of;
use crate::pictures::{png, upload_as};
use crate::secrets;

fn export(client: &Client) -> Value {
    let answer = client.get("/api/account/export");
    let document = answer.ok(200);
    assert_eq!(document["complete"], true);
    document
}

fn ids(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(|one| one["id"].as_str().expect("an id")).collect()
}

/// The events of a bet in the document, in the form of its timeline.
fn events_of(document: &Value, bet: &str) -> Vec<Value> {
    let all = document["betEvents"].as_array().expect("a list").iter();
    let own = all.filter(|event| event["betId"] == bet).cloned();
    own.map(|mut event| {
        event.as_object_mut().expect("an object").remove("betId");
        event
    })
    .collect()
}

/// The parts of the document that have the same form as the answer of a page's call, with that call.
const SAME: [(&str, &str); 11] = [
    ("profile", "/api/auth/user"),
    ("email", "/api/auth/email"),
    ("notificationPreferences", "/api/notifications/preferences"),
    ("sessions", "/api/auth/sessions"),
    ("apiKeys", "/api/auth/keys"),
    ("statistics", "/api/users/stats"),
    ("achievements", "/api/achievements"),
    ("notifications", "/api/notifications"),
    ("transfers", "/api/wallet/history?limit=100"),
    ("withdrawals", "/api/withdrawals?limit=100"),
    ("arbitratedBets", "/api/bets/arbitrated?limit=100"),
];

#[test]
fn the_export_has_what_the_pages_show_and_nothing_of_others() {
    // The invoice stays unpaid, so that nothing changes between the export and the pages.
    let server = crate::wallet::server_with(&["--lightning-test-settle-after", "1000s"]);
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    let root = server.admin("root");
    ann.page("PATCH", "/api/auth/profile", Some(&json!({"username": "ann_1", "lastName": "Lee"}))).ok(200);
    bob.page("PATCH", "/api/auth/profile", Some(&json!({"username": "bob_1", "lastName": "Secretname"})))
        .ok(200);
    ann.post("/api/deposit/test-add", json!({"amount": 700})).ok(200);
    let invoice = ann.post("/api/deposit/create-invoice", json!({"amount": 500})).ok(201);
    let secret = ann.bet_with(json!({"isPrivate": true}));
    let bet = ann.bet(20);
    bob.accept(&bet).ok(200);
    bob.bet_with(json!({"arbiter": "ann_1"}));
    bob.bet(10);
    let hook = json!({"url": "https://hook.example/ann"});
    let hook = ann.page("PUT", "/api/notifications/webhook", Some(&hook)).ok(200);
    secrets::note(hook["secret"].as_str().expect("a secret"), "secret of a webhook");
    let picture = upload_as(&ann, &bet, &[("picture", &png()), ("alt", b"snow")]).ok(201);
    let written =
        ann.post(&messages_of(&bet), json!({"text": "Look.", "pictureIds": [picture["id"]]})).ok(201);
    bob.post(&messages_of(&bet), json!({"text": "A text of Bob."})).ok(201);
    root.post("/api/admin/deposit-bolts", json!({"userEmail": "ann@example.com", "amount": 5})).ok(200);
    root.post("/api/admin/deposit-bolts", json!({"userEmail": "bob@example.com", "amount": 6})).ok(200);

    let answer = ann.get("/api/account/export");
    let document = answer.ok(200);
    let header =
        |name: &str| answer.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    assert_eq!(header("cache-control"), "no-store");
    assert_eq!(header("content-type"), "application/json");
    assert!(header("content-disposition").starts_with("attachment; filename=\"bolts-20"), "{answer:?}");
    assert_eq!(
        (&document["format"], &document["complete"]),
        (&json!("bolts-account-export-1"), &json!(true))
    );
    for (part, path) in SAME {
        assert_eq!(document[part], ann.get(path).ok(200), "{part}");
    }
    assert_eq!(ids(&document["bets"]), [id(&bet), id(&secret)]);
    let judged = ids(&document["arbitratedBets"]);
    assert_eq!(judged.len(), 1);
    for shown in ids(&document["bets"]).into_iter().chain(judged) {
        let timeline = ann.get(&format!("/api/bets/{shown}/timeline")).ok(200);
        assert_eq!(json!(events_of(&document, shown)), timeline["events"], "{shown}");
    }
    assert_eq!(document["betEvents"].as_array().map(Vec::len), Some(4), "three bets, one of them accepted");
    assert_eq!(document["cooldownUntil"], Value::Null);
    assert_eq!(document["bets"][1]["shareToken"], secret["shareToken"], "the link of the own private bet");
    assert_eq!(document["messages"].as_array().map(Vec::len), Some(1));
    assert_eq!(document["messages"][0]["id"], written["id"]);
    assert_eq!(document["messages"][0]["pictureIds"], json!([picture["id"]]));
    let file = &document["pictures"][0];
    assert_eq!(
        (&file["id"], &file["alt"], &file["mediaType"]),
        (&picture["id"], &json!("snow"), &json!("image/png"))
    );
    let served = ann.get(&format!("/api/pictures/{}", id(&picture)));
    assert_eq!(served.status, 200);
    assert!(file["file"].as_str().is_some_and(|text| text.starts_with("iVBORw0KGgo")), "a PNG in base64");
    let deposit = &document["deposits"][0];
    assert_eq!((&deposit["id"], &deposit["amount"]), (&invoice["invoiceId"], &json!(500)));
    assert_eq!(document["secondFactors"]["totp"], false);
    let actions = document["actionsOfAdmins"].as_array().expect("a list");
    let told: Vec<_> = actions.iter().map(|one| (&one["action"], &one["by"], &one["detail"])).collect();
    assert_eq!(told, [(&json!("grant_bolts"), &json!("admin"), &json!("5"))]);
    let destination = &document["destinations"][0];
    assert_eq!((&destination["channel"], &destination["address"]), (&json!("webhook"), &hook["url"]));
    for foreign in ["A text of Bob.", "Secretname", "bob@example.com", "root@example.com", "whsec_"] {
        assert!(!answer.text.contains(foreign), "{foreign}");
    }
}

#[test]
fn the_export_of_a_protected_account_has_no_secrets() {
    let server = Server::start();
    let ann = server.user("ann");
    let new = ann.post("/api/auth/totp", json!({"password": "secret"})).ok(200);
    let document = export(&ann);
    assert_eq!(
        document["secondFactors"],
        json!({"totp": false, "passkeys": [], "recoveryCodesLeft": 0, "totpSince": null})
    );
    assert!(!document.to_string().contains(new["secret"].as_str().expect("a secret")));

    let (bob, _, codes) = protected(&server, "bob");
    let document = export(&bob);
    let factors = &document["secondFactors"];
    assert_eq!((&factors["totp"], &factors["recoveryCodesLeft"]), (&json!(true), &json!(10)));
    assert!(factors["totpSince"].as_str().is_some_and(|at| at.ends_with('Z')), "{factors}");
    let text = document.to_string();
    for code in codes.as_array().expect("codes") {
        assert!(!text.contains(code.as_str().expect("a code")));
    }
    assert!(!text.contains("argon2") && !text.contains("passwordHash"));
}

/// Each table with rows of users, and the part of the document that has them, or the reason why none has.
const TABLES: [(&str, Result<&str, &str>); 26] = [
    ("users", Ok("profile")),
    ("credentials", Err("the password's hash")),
    ("sessions", Ok("sessions")),
    ("totp", Ok("secondFactors")),
    ("recovery_codes", Ok("secondFactors")),
    ("challenges", Err("sign-ins under way, for 5 minutes")),
    ("passkeys", Ok("secondFactors")),
    ("api_keys", Ok("apiKeys")),
    ("bets", Ok("bets")),
    ("positions", Ok("bets")),
    ("bet_events", Ok("betEvents")),
    ("accounts", Ok("profile")),
    ("notifications", Ok("notifications")),
    ("achievements", Ok("achievements")),
    ("idempotency", Err("copies of answers, for 24 hours")),
    ("admin_actions", Ok("actionsOfAdmins")),
    ("deposits", Ok("deposits")),
    ("withdrawals", Ok("withdrawals")),
    ("user_figures", Ok("statistics")),
    ("messages", Ok("messages")),
    ("pictures", Ok("pictures")),
    ("destinations", Ok("destinations")),
    ("deliveries", Err("copies of notifications that leave the site, for 7 days")),
    ("notification_preferences", Ok("notificationPreferences")),
    ("mail_tokens", Ok("email")),
    ("transfers", Ok("transfers")),
];

/// A new table with data of users needs a part of the document, or a reason.
#[test]
fn every_table_of_users_is_exported_or_says_why_not() {
    let server = Server::start();
    let document = export(&server.user("ann"));
    for (table, part) in TABLES {
        assert!(part.is_err() || document.get(part.unwrap_or_default()).is_some(), "{table}: {part:?}");
    }
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../store-diesel/src/schema.rs");
    let schema = std::fs::read_to_string(schema).expect("the tables");
    let columns =
        ["user_id", "creator_id", "author_id", "admin_id", "by_user", "owner", "from_account", "email"];
    let mut found: Vec<&str> = schema
        .split("table! {")
        .skip(1)
        .filter(|table| columns.iter().any(|column| table.contains(&format!(" {column} -> "))))
        .filter_map(|table| table.split_whitespace().next())
        .collect();
    let mut known = TABLES.map(|(table, _)| table).to_vec();
    found.sort_unstable();
    known.sort_unstable();
    assert_eq!(found, known);
}

#[test]
fn a_user_can_export_a_few_times_a_day() {
    let server = Server::start_with(&["--writes-per-minute", "300"]);
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    for _ in 0..5 {
        export(&ann);
    }
    let refused = ann.get("/api/account/export");
    refused.problem(429, "too_many_requests");
    let wait: u64 = refused.headers["retry-after"].to_str().expect("text").parse().expect("seconds");
    assert!(wait > 80_000 && wait <= 86_400, "{wait}");
    export(&bob);
}

/// The attack: a page of another site leads the user to the address of the export, until the user gets no export for a day. A
/// browser sends the cookie with such a request.
#[test]
fn a_page_of_another_site_gets_no_export_and_uses_none_up() {
    let server = Server::start_with(&["--signups-per-hour", "0", "--writes-per-minute", "300"]);
    let ann = server.user("ann");
    let from = |site: &str| ann.send("GET", "/api/account/export", &[("Sec-Fetch-Site", site)], "");
    for site in ["cross-site", "same-site"] {
        for _ in 0..5 {
            from(site).problem(403, "cross_origin");
        }
    }
    // A page of this site, and an address that the user entered.
    for site in ["same-origin", "none"] {
        assert_eq!(from(site).ok(200)["complete"], true, "{site}");
    }
}

/// More bets than one page of the list has. `a_long_history_needs_no_memory` has many pages.
#[test]
fn lists_longer_than_a_page_are_complete() {
    let server = Server::start();
    let ann = server.user("ann");
    let mut made: Vec<String> = (0..105).map(|_| id(&ann.bet(1)).to_owned()).collect();
    made.reverse();
    let document = export(&ann);
    assert_eq!(ids(&document["bets"]), made);
    assert_eq!(document["transfers"].as_array().map(Vec::len), Some(106), "stakes and the gift at sign-up");
}

/// The attack: an account with a long history makes the server hold all of it. 100,000 transfers, and 20,000 events of one
/// bet, make a document of more than 18 MB.
/// The answer is sent while it is read, so the first bytes come at once, and a reader who goes away stops the work.
#[test]
fn a_long_history_needs_no_memory() {
    let server = crate::wallet::server();
    let ann = server.user("ann");
    let me = ann.get("/api/auth/user").ok(200);
    // Transactions are short, because PostgreSQL keeps each version of the two accounts' rows until the transaction ends, and
    // reads all versions at every transfer. A script has 100 of them, because it is an argument of `psql`.
    for ten_thousand in 0..10 {
        let inserts = (0..100).map(|hundred| {
            format!(
                "BEGIN;
                 INSERT INTO transfers (key, operation_id, from_account, to_account, amount, currency, kind, created_at)
                 WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100)
                 SELECT 'test:{ten_thousand}.{hundred}.' || CAST(n AS TEXT),
                     '{ten_thousand}.{hundred}.' || CAST(n AS TEXT), l.id, a.id, 1, 'sats', 'test_deposit', 1700000000000000
                 FROM numbers, accounts l, accounts a
                 WHERE l.kind = 'lightning' AND a.kind = 'available' AND a.owner = '{}' AND a.currency = 'sats';
                 COMMIT;",
                id(&me)
            )
        });
        server.database.execute(&inserts.collect::<String>());
    }
    let bet = ann.bet(1);
    for thousand in 0..20 {
        server.database.execute(&format!(
            "INSERT INTO bet_events (bet_seq, at, kind, by_role, detail)
             WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000)
             SELECT bets.seq, 1700000000000000 + 1000 * {thousand} + n, 'proposed', 'creator', 'A'
             FROM bets, numbers WHERE bets.id = '{}'",
            id(&bet)
        ));
    }
    let before = memory(&server);
    let document = export(&ann);
    let grown = memory(&server).saturating_sub(before);
    assert_eq!(document["transfers"].as_array().map(Vec::len), Some(100_002));
    assert_eq!(document["betEvents"].as_array().map(Vec::len), Some(20_001));
    assert!(
        grown < 8 * 1_024 + server.database.page_caches(),
        "the peak grew by {grown} KiB for a document of {} bytes",
        document.to_string().len()
    );
    server.assert_audit_clean();
}

/// The peak of the server's memory in KiB.
fn memory(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.process_id())).expect("Linux");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("a peak");
    line.split_whitespace().nth(1).and_then(|word| word.parse().ok()).expect("a number")
}
