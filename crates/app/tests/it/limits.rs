//! The limits of input (`docs/product.md#limits`), and the order of checks (`docs/http-api.md#errors`).

use serde_json::{Value, json};

use crate::harness::{Client, Server, id, in_seconds, new_bet};

fn refused(ann: &Client, fields: Value, at: &str) {
    ann.post("/api/bets", new_bet(fields.clone())).invalid(&[at]);
    assert_eq!(ann.bolts(), 1_000, "nothing moved for {fields}");
}

#[test]
fn each_limit_of_a_bet_is_a_422_on_its_field() {
    let server = Server::start();
    let ann = server.user("ann");
    let years = 5 * 366 * 86_400;
    let long = |n: usize| "é".repeat(n);
    for (field, value) in [
        ("title", json!("abcd")),
        ("title", json!("  abcd  ")),
        ("title", json!(long(201))),
        ("title", json!(null)),
        ("title", json!(5)),
        ("title", json!("nul \u{0} byte")),
        ("description", json!(long(5_001))),
        ("optionA", json!("")),
        ("optionA", json!(long(101))),
        ("optionB", json!("   ")),
        ("optionB", json!(long(101))),
        ("optionB", json!(" snow ")),
        ("sourceUrl", json!("javascript:alert(1)")),
        ("sourceUrl", json!("ftp://example.com/")),
        ("sourceUrl", json!("example.com")),
        ("sourceUrl", json!(format!("https://example.com/{}", "a".repeat(2_048)))),
        ("category", json!("Gossip")),
        ("category", json!(["Sports"])),
        ("resolutionMethod", json!("Coin Toss")),
        ("resolutionMethod", json!(null)),
        ("currencyType", json!("euros")),
        ("creatorOption", json!("C")),
        ("expiresAt", json!(in_seconds(-1))),
        ("expiresAt", json!(in_seconds(years))),
        ("expiresAt", json!("tomorrow")),
        ("expiresAt", json!(null)),
        ("expiresAt", json!(1_800_000_000)),
        ("resolutionDate", json!("soon")),
        ("isPrivate", json!("yes")),
    ] {
        refused(&ann, json!({field: value}), field);
    }
    refused(&ann, json!({"isPrivate": true, "isPublic": true}), "isPublic");
    server.assert_audit_clean();
}

#[test]
fn odd_amounts_are_a_422_and_move_nothing() {
    let server = Server::start();
    let ann = server.user("ann");
    for amount in [
        "0",
        "-1",
        "1.5",
        "\"5\"",
        "1e3",
        "9007199254740992",
        "9223372036854775808",
        "null",
        "100000001",
        "[]",
        "true",
    ] {
        let body = new_bet(json!({"stakeAmount": "AMOUNT"})).to_string().replace("\"AMOUNT\"", amount);
        let headers = [("Sec-Fetch-Site", "same-origin"), ("Content-Type", "application/json")];
        ann.send("POST", "/api/bets", &headers, &body).invalid(&["stakeAmount"]);
    }
    refused(&ann, json!({"currencyType": "sats", "stakeAmount": 99}), "stakeAmount");
    for amount in ["", "+5", "05", "5.", "NaN", "0x5"] {
        let body = new_bet(json!({"stakeAmount": "AMOUNT"})).to_string().replace("\"AMOUNT\"", amount);
        let headers = [("Sec-Fetch-Site", "same-origin"), ("Content-Type", "application/json")];
        ann.send("POST", "/api/bets", &headers, &body).problem(400, "malformed_json");
    }
    assert_eq!(ann.bolts(), 1_000);
    server.assert_audit_clean();
}

#[test]
fn values_at_the_limits_are_accepted() {
    let server = Server::start();
    let ann = server.user("ann");
    let url = format!("https://example.com/{}", "a".repeat(2_048 - 20));
    let bet = ann.bet_with(json!({
        "title": format!("  {}  ", "é".repeat(200)), "description": "é".repeat(5_000), "optionA": "a",
        "optionB": "é".repeat(100), "sourceUrl": url, "stakeAmount": 1, "category": null, "creatorOption": "B",
    }));
    assert_eq!(bet["title"].as_str().map(|title| title.chars().count()), Some(200));
    assert_eq!((&bet["category"], &bet["sourceUrl"]), (&json!("Other"), &json!(url)));
    assert_eq!(
        (&bet["oddsA"], &bet["oddsB"], &bet["creatorChoice"]),
        (&json!(2.0), &json!(2.0), &json!("B"))
    );
    let spare = json!({
        "title": "abcde", "sourceUrl": "", "description": "", "currencyType": null, "creatorOption": null,
    });
    let bet = ann.bet_with(spare);
    assert_eq!(
        (&bet["sourceUrl"], &bet["currencyType"], &bet["creatorChoice"]),
        (&json!(null), &json!("bolts"), &json!("A"))
    );
}

#[test]
fn privileged_and_unknown_fields_are_ignored() {
    let server = Server::start();
    let ann = server.client();
    let greedy = json!({
        "email": "ann@example.com", "password": "secret", "isAdmin": true, "boltsBalance": 5_000_000, "satsBalance": 1,
        "id": "0".repeat(32), "mustChangePassword": true, "createdAt": "2000-01-01T00:00:00Z", "x": {"y": [1]},
    });
    let user = ann.post("/api/auth/register", greedy).ok(201);
    assert_eq!(
        (&user["isAdmin"], &user["boltsBalance"], &user["satsBalance"]),
        (&json!(false), &json!(1_000), &json!(0))
    );
    let bet = ann.bet_with(json!({
        "creatorId": "0".repeat(32), "status": "resolved", "winnerId": user["id"], "oddsA": 100, "id": "mine", "acceptorId": user["id"],
        "shareToken": "guessable", "createdAt": "2000-01-01T00:00:00Z", "proposedWinningOption": "A",
    }));
    assert_eq!(
        (&bet["creatorId"], &bet["status"], &bet["winnerId"]),
        (&user["id"], &json!("pending"), &json!(null))
    );
    assert_eq!(
        (&bet["shareToken"], &bet["acceptorId"], &bet["oddsA"]),
        (&json!(null), &json!(null), &json!(2.0))
    );
}

#[test]
fn emails_and_passwords_have_their_limits() {
    let server = Server::start();
    let client = server.client();
    let register = |email: Value, password: Value| {
        client.post("/api/auth/register", json!({"email": email, "password": password}))
    };
    let label = "b".repeat(60);
    let long = format!("ann@{label}.{label}.{label}.{label}.example");
    for email in [
        json!("ann"),
        json!("ann@"),
        json!(""),
        json!(null),
        json!(long),
        json!(7),
        json!("a\u{0}@example.com"),
    ] {
        register(email, json!("secret")).invalid(&["email"]);
    }
    for password in [json!("short"), json!("x".repeat(129)), json!(null), json!(123_456)] {
        register(json!("ann@example.com"), password).invalid(&["password"]);
    }
    register(json!("nobody"), json!("five!")).invalid(&["email", "password"]);
    register(json!("ann@example.com"), json!("ä".repeat(128))).ok(201);
}

/// A text of this length is no password, so the server does not compute its hash. At a sign-in the answer is the same for
/// an address that nobody has.
#[test]
fn a_password_of_129_characters_is_a_422_on_its_field() {
    let server = Server::start();
    let ann = server.user("ann");
    let long = "x".repeat(129);
    for (method, path, field, body) in [
        ("POST", "/api/auth/register", "password", json!({"email": "bob@example.com"})),
        ("POST", "/api/auth/login", "password", json!({"email": "ann@example.com"})),
        ("POST", "/api/auth/login", "password", json!({"email": "nobody@example.com"})),
        ("PATCH", "/api/auth/password", "currentPassword", json!({"newPassword": "another"})),
        ("PATCH", "/api/auth/password", "newPassword", json!({"currentPassword": "secret"})),
        ("PATCH", "/api/auth/email", "password", json!({"newEmail": "new@example.com"})),
        ("POST", "/api/auth/password-reset", "newPassword", json!({"token": "token"})),
        ("DELETE", "/api/account", "password", json!({})),
        ("POST", "/api/auth/totp", "password", json!({})),
        ("POST", "/api/auth/passkeys/options", "password", json!({})),
        ("POST", "/api/auth/keys", "password", json!({"name": "Bot", "scopes": ["read"]})),
        ("POST", "/api/withdrawals", "password", json!({"lightningAddress": "ann@b.com", "amount": 1_000})),
    ] {
        let mut body = body;
        body[field] = json!(long);
        let answer = ann.page(method, path, Some(&body));
        answer.invalid(&[field]);
        let message = answer.json()["errors"][0]["message"].to_string();
        assert!(message.contains("assword must be at most 128 characters"), "{method} {path}: {message}");
    }
}

#[test]
fn bodies_are_json_of_64_kib_at_most() {
    let server = Server::start();
    let ann = server.user("ann");
    let own = ("Sec-Fetch-Site", "same-origin");
    let json_type = ("Content-Type", "application/json");
    let post = |headers: &[(&str, &str)], body: &str| ann.send("POST", "/api/bets", headers, body);
    for malformed in ["{", "", "{\"title\":}", "nul", "{\"a\":1}{", "\u{feff}{}"] {
        post(&[own, json_type], malformed).problem(400, "malformed_json");
    }
    post(&[own, json_type], "[1]").problem(422, "invalid_fields");
    post(&[own, json_type], &format!("{}{}", "[".repeat(10_000), "]".repeat(10_000)))
        .problem(400, "malformed_json");
    post(&[own, ("Content-Type", "application/x-www-form-urlencoded")], "title=abcde")
        .problem(415, "not_json");
    post(&[own, ("Content-Type", "text/plain")], "{}").problem(415, "not_json");
    post(&[own], "{}").problem(415, "not_json");
    let large = new_bet(json!({"description": "x".repeat(65 * 1024)})).to_string();
    post(&[own, json_type], &large).problem(413, "body_too_large");
    post(&[own, ("Content-Type", "text/plain")], &large).problem(413, "body_too_large");
    let charset = ("Content-Type", "application/json; charset=utf-8");
    assert_eq!(post(&[own, charset], &new_bet(json!({})).to_string()).status, 201);
}

#[test]
fn checks_come_in_the_promised_order() {
    let server = Server::start();
    let (ann, bob, carl) = (server.user("ann"), server.user("bob"), server.user("carl"));
    let public = ann.bet(10);
    let private = ann.bet_with(json!({"isPrivate": true}));
    let path = |bet: &Value| format!("/api/bets/{}/propose-resolution", id(bet));
    let headers = [("Sec-Fetch-Site", "same-origin"), ("Content-Type", "text/plain")];
    let large = "x".repeat(70_000);

    let nobody = server.client();
    nobody.send("POST", &path(&public), &headers, &large).problem(401, "not_signed_in");
    carl.send("POST", &path(&private), &headers, &large).problem(404, "bet_not_found");
    carl.send("POST", "/api/bets/none/propose-resolution", &headers, &large).problem(404, "bet_not_found");
    carl.send("POST", &path(&public), &headers, &large).problem(413, "body_too_large");
    carl.send("POST", &path(&public), &headers, "{").problem(415, "not_json");
    let json_type = [("Sec-Fetch-Site", "same-origin"), ("Content-Type", "application/json")];
    carl.send("POST", &path(&public), &json_type, "{").problem(400, "malformed_json");
    carl.act(&public, "propose-resolution", json!({"winningOption": "C"})).invalid(&["winningOption"]);
    carl.act(&public, "propose-resolution", json!({"winningOption": "A"})).problem(403, "not_a_party");
    ann.act(&public, "propose-resolution", json!({"winningOption": "A"})).problem(409, "bet_not_accepted");
    bob.accept(&public).ok(200);
    bob.act(&public, "propose-resolution", json!({"winningOption": "A"})).problem(403, "not_allowed");
}

#[test]
fn answers_and_reasons_have_their_limits() {
    let server = Server::start();
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    let admin = server.admin("root");
    let bet = ann.bet(10);
    bob.accept(&bet).ok(200);
    ann.act(&bet, "propose-resolution", json!({"winningOption": "A"})).ok(200);
    for accept in [json!(null), json!("true"), json!(1)] {
        bob.act(&bet, "respond-resolution", json!({"accept": accept})).invalid(&["accept"]);
    }
    bob.act(&bet, "respond-resolution", json!({"accept": true, "proposalId": "x"})).invalid(&["proposalId"]);
    for reason in [json!(null), json!("  "), json!("é".repeat(2_001)), json!(1)] {
        bob.act(&bet, "dispute", json!({"reason": reason})).invalid(&["reason"]);
    }
    bob.act(&bet, "dispute", json!({"reason": "é".repeat(2_000)})).ok(200);
    let rule = |body: Value| admin.post(&format!("/api/admin/bets/{}/rule", id(&bet)), body);
    rule(json!({"outcome": "draw"})).invalid(&["outcome"]);
    rule(json!({"outcome": "A", "note": "é".repeat(2_001)})).invalid(&["note"]);
    for (body, fields) in [
        (json!({"betId": id(&bet)}), ["chosenOption"].as_slice()),
        (json!({"betId": id(&bet), "chosenOption": "X"}), &["chosenOption"]),
        (json!({"shareToken": "t", "option": "X"}), &["option"]),
        (json!({"chosenOption": "A"}), &["betId"]),
        (json!({"betId": 7, "chosenOption": "A"}), &["betId"]),
    ] {
        let answer = bob.post("/api/bets/accept", body.clone());
        let problem = answer.problem(422, "invalid_fields");
        assert_eq!(problem["errors"][0]["field"], fields[0], "{body} gave {problem}");
    }
}

#[test]
fn lists_refuse_bad_parameters() {
    let server = Server::start();
    let ann = server.user("ann");
    for (query, field) in [
        ("category=Gossip", "category"),
        ("status=open", "status"),
        ("sort=random", "sort"),
        ("currency=dollars", "currency"),
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=ten", "limit"),
        ("cursor=abc", "cursor"),
    ] {
        ann.get(&format!("/api/bets/public?{query}")).invalid(&[field]);
    }
    ann.get("/api/bets/my?status=open").invalid(&["status"]);
}

#[test]
fn lists_are_paged_by_the_link_header() {
    let server = Server::start();
    let ann = server.user("ann");
    let made: Vec<Value> = (1..=5).map(|stake| ann.bet(stake)["id"].clone()).collect();
    for (sort, order) in [
        ("newest", [4, 3, 2, 1, 0]),
        ("oldest", [0, 1, 2, 3, 4]),
        ("stake_desc", [4, 3, 2, 1, 0]),
        ("stake_asc", [0, 1, 2, 3, 4]),
        ("ending_soon", [0, 1, 2, 3, 4]),
        ("pot_desc", [4, 3, 2, 1, 0]),
    ] {
        let (mut path, mut seen) = (format!("/api/bets/public?sort={sort}&limit=2&q=snow"), Vec::new());
        loop {
            let page = ann.get(&path);
            seen.extend(page.ok(200).as_array().expect("a list").iter().map(|bet| bet["id"].clone()));
            let Some(link) = page.headers.get("link") else { break };
            let link = link.to_str().expect("text");
            path = link.strip_prefix('<').and_then(|l| l.split_once('>')).expect("a target").0.to_owned();
            assert!(link.ends_with("; rel=\"next\""), "{link}");
        }
        let expected: Vec<Value> = order.iter().map(|index: &usize| made[*index].clone()).collect();
        assert_eq!(seen, expected, "{sort}");
    }
    // A cursor is valid only for the list that returned it.
    let link = ann.get("/api/bets/public?limit=2").headers["link"].to_str().expect("text").to_owned();
    let cursor = link.split("cursor=").nth(1).and_then(|rest| rest.split('>').next()).expect("a cursor");
    ann.get(&format!("/api/bets/public?sort=oldest&cursor={cursor}")).invalid(&["cursor"]);
    ann.get(&format!("/api/bets/my?cursor={cursor}")).invalid(&["cursor"]);
}
