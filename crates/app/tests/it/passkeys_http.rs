//! Passkeys over HTTP. Each test names the attack that it tries.

use bolts_testkit::authenticator::Authenticator;
use serde_json::{Value, json};

use crate::harness::{Client, Server};
use crate::stage::email;

const SITE: &str = "https://bets.example";

fn server() -> Server {
    Server::start_with(&["--public-url", SITE])
}

/// A browser that shows pages of the site.
fn browser(server: &Server) -> Client {
    server.client().at(SITE)
}

fn user(server: &Server, name: &str) -> Client {
    let client = browser(server);
    client.register(&email(name));
    client
}

/// Makes a passkey of the signed-in user. Returns the recovery codes.
fn register(client: &Client, phone: &mut Authenticator) -> Value {
    let begun = client.post("/api/auth/passkeys/options", json!({"password": "secret"})).ok(200);
    let credential = phone.register(&begun["publicKey"]);
    let body = json!({"name": "Phone", "ceremony": begun["ceremony"], "credential": credential});
    client.post("/api/auth/passkeys", body).ok(200)["recoveryCodes"].clone()
}

fn begin_sign_in(client: &Client) -> Value {
    client.post("/api/auth/login/passkey/options", json!({})).ok(200)
}

fn body(begun: &Value, phone: &mut Authenticator) -> Value {
    json!({"ceremony": begun["ceremony"], "credential": phone.sign(&begun["publicKey"])})
}

#[test]
fn a_passkey_over_http() {
    let server = server();
    assert_eq!(browser(&server).get("/api/config").ok(200)["hasPasskeys"], true);
    let ann = user(&server, "ann");
    let mut phone = Authenticator::new("phone", SITE);
    assert_eq!(register(&ann, &mut phone).as_array().map(Vec::len), Some(10));
    let factors = ann.get("/api/auth/factors").ok(200);
    assert_eq!((&factors["totp"], &factors["recoveryCodesLeft"]), (&json!(false), &json!(10)));
    let passkey = &factors["passkeys"][0];
    assert_eq!((&passkey["name"], &passkey["lastUsedAt"]), (&json!("Phone"), &json!(null)));
    let path = format!("/api/auth/passkeys/{}", passkey["id"].as_str().expect("an id"));

    let client = browser(&server);
    let begun = begin_sign_in(&client);
    assert_eq!(begun["publicKey"]["allowCredentials"], json!([]), "nothing tells who has an account");
    let signed_in = client.post("/api/auth/login/passkey", body(&begun, &mut phone)).ok(200);
    assert_eq!(signed_in["email"], "ann@example.com");
    let begun = client.post("/api/auth/step-up/options", json!({})).ok(200);
    client.post("/api/auth/step-up", json!({"passkey": body(&begun, &mut phone)})).ok(200);
    client.page("PATCH", &path, Some(&json!({"name": "Old phone"}))).ok(200);
    client.page("PATCH", &path, Some(&json!({"name": " "}))).invalid(&["name"]);
    assert_eq!(client.get("/api/auth/factors").ok(200)["passkeys"][0]["name"], "Old phone");
    assert_eq!(
        client.post("/api/auth/recovery-codes", json!({})).ok(200)["recoveryCodes"].as_array().map(Vec::len),
        Some(10)
    );

    let second = browser(&server);
    let credentials = json!({"email": "ann@example.com", "password": "secret"});
    let problem = second.post("/api/auth/login", credentials).problem(401, "second_factor_required");
    assert_eq!(problem["methods"], json!(["passkey", "recoveryCode"]));
    let challenge = &problem["challenge"];
    let begun = second.post("/api/auth/login/factor/options", json!({"challenge": challenge})).ok(200);
    let proof = json!({"challenge": challenge, "passkey": body(&begun, &mut phone)});
    second.post("/api/auth/login/factor", proof.clone()).ok(200);
    browser(&server).post("/api/auth/login/factor", proof).problem(401, "challenge_gone");
    browser(&server)
        .post("/api/auth/login/factor/options", json!({"challenge": challenge}))
        .problem(401, "challenge_gone");

    let bob = user(&server, "bob");
    bob.page("PATCH", &path, Some(&json!({"name": "Mine"}))).problem(404, "factor_not_found");
    bob.page("DELETE", &path, Some(&json!({}))).problem(404, "factor_not_found");
    client.page("DELETE", &path, Some(&json!({}))).ok(200);
    client.post("/api/auth/step-up/options", json!({})).problem(404, "factor_not_found");
    server.assert_audit_clean();
}

#[test]
fn lies_of_a_browser_are_refused_alike() {
    let server = server();
    let ann = user(&server, "ann");
    let mut phone = Authenticator::new("phone", SITE);
    register(&ann, &mut phone);
    let refused = |begun: &Value, phone: &mut Authenticator, attack: &str| {
        let answer = browser(&server).post("/api/auth/login/passkey", body(begun, phone));
        let problem = answer.problem(401, "invalid_credentials");
        (problem["detail"].clone(), attack.to_owned())
    };
    let begin = || begin_sign_in(&browser(&server));
    let mut page = phone.clone();
    page.origin = "https://evil.example".to_owned();
    let mut other = phone.clone();
    other.site = "evil.example".to_owned();
    let mut lazy = phone.clone();
    lazy.verifies_user = false;
    let mut stranger = Authenticator::new("stranger", SITE);
    stranger.handle.clone_from(&phone.handle);
    let mut answers = vec![
        refused(&begin(), &mut page, "a page of another origin"),
        refused(&begin(), &mut other, "another relying party"),
        refused(&begin(), &mut lazy, "no verification of the user"),
        refused(&begin(), &mut stranger, "a passkey that nobody registered"),
    ];
    let begun = begin();
    let foreign = begin();
    let crossed =
        json!({"ceremony": begun["ceremony"], "credential": phone.clone().sign(&foreign["publicKey"])});
    let answer =
        browser(&server).post("/api/auth/login/passkey", crossed).problem(401, "invalid_credentials");
    answers.push((answer["detail"].clone(), "the challenge of another browser".to_owned()));
    let begun = begin();
    let answer = body(&begun, &mut phone);
    browser(&server).post("/api/auth/login/passkey", answer.clone()).ok(200);
    let replayed =
        browser(&server).post("/api/auth/login/passkey", answer).problem(401, "invalid_credentials");
    answers.push((replayed["detail"].clone(), "a replayed answer".to_owned()));
    for (detail, attack) in &answers {
        assert_eq!(*detail, "This passkey was not accepted. Please try again.", "{attack}");
    }
    assert!(!server.log().contains("bets.example"), "an attack fills no log: {}", server.log());
}

#[test]
fn malformed_answers_are_never_a_500() {
    let server = server();
    let ann = user(&server, "ann");
    let mut phone = Authenticator::new("phone", SITE);
    register(&ann, &mut phone);
    let deep = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
    let credentials = [
        json!(null),
        json!("text"),
        json!([]),
        json!({}),
        json!({"id": "", "rawId": "", "type": "public-key", "response": {}}),
        json!({"id": 1, "rawId": [], "type": null, "response": "x"}),
        json!({"id": "A", "rawId": "\u{0}", "type": "x", "response": {"clientDataJSON": "!"}}),
    ];
    for credential in &credentials {
        let ceremony = begin_sign_in(&browser(&server))["ceremony"].clone();
        let sent = json!({"ceremony": ceremony, "credential": credential, "name": "x"});
        for (client, path) in [(&browser(&server), "/api/auth/login/passkey"), (&ann, "/api/auth/passkeys")] {
            let answer = client.post(path, sent.clone());
            assert!((400..500).contains(&answer.status), "{path} {sent}: {answer:?}");
        }
        let proof = json!({"passkey": sent});
        let answer = ann.post("/api/auth/step-up", proof);
        assert!((400..500).contains(&answer.status), "{credential}: {answer:?}");
    }
    for wrong in [json!("x"), json!([]), json!({"ceremony": 1}), json!({"ceremony": "x", "credential": "x"})]
    {
        ann.post("/api/auth/step-up", json!({"passkey": wrong})).invalid(&["passkey"]);
    }
    // Broken CBOR in an answer that is right otherwise, for the registration and for the sign-in.
    for bytes in ["", "gQ", "n5-fn5-f", "W___________", "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVkAAA"] {
        let ceremony = ann.post("/api/auth/passkeys/options", json!({"password": "secret"})).ok(200);
        let mut credential = Authenticator::new("new", SITE).register(&ceremony["publicKey"]);
        credential["response"]["attestationObject"] = json!(bytes);
        let new = json!({"name": "x", "ceremony": ceremony["ceremony"], "credential": credential});
        ann.post("/api/auth/passkeys", new).invalid(&["credential"]);
        for member in ["authenticatorData", "clientDataJSON", "signature"] {
            let begun = begin_sign_in(&browser(&server));
            let mut forged = body(&begun, &mut phone);
            forged["credential"]["response"][member] = json!(bytes);
            browser(&server).post("/api/auth/login/passkey", forged).problem(401, "invalid_credentials");
        }
        // A right answer ends the count of wrong ones.
        let right = body(&begin_sign_in(&browser(&server)), &mut phone);
        browser(&server).post("/api/auth/login/passkey", right).ok(200);
    }
    let headers = [("Content-Type", "application/json"), ("Origin", SITE)];
    let nested = format!("{{\"ceremony\":\"x\",\"credential\":{deep}}}");
    browser(&server)
        .send("POST", "/api/auth/login/passkey", &headers, &nested)
        .problem(400, "malformed_json");
    let large = json!({"ceremony": "x", "credential": {"id": "A".repeat(70_000)}});
    browser(&server).post("/api/auth/login/passkey", large).problem(413, "body_too_large");
    let long = json!({"ceremony": "x".repeat(65), "credential": {}});
    browser(&server).post("/api/auth/login/passkey", long).invalid(&["ceremony"]);
}

#[test]
fn a_network_begins_a_limited_number_of_ceremonies() {
    let server = Server::start_with(&["--signins-per-minute", "3", "--public-url", SITE]);
    let begin = || browser(&server).post("/api/auth/login/passkey/options", json!({}));
    for _ in 0..3 {
        begin().ok(200);
    }
    begin().problem(429, "too_many_requests");
    let wrong = json!({"ceremony": "x", "credential": {}});
    for _ in 0..3 {
        browser(&server).post("/api/auth/login/passkey", wrong.clone()).problem(401, "invalid_credentials");
    }
    browser(&server).post("/api/auth/login/passkey", wrong).problem(429, "too_many_requests");
}

#[test]
fn a_site_without_an_address_has_no_passkeys() {
    let server = Server::start();
    assert_eq!(server.client().get("/api/config").ok(200)["hasPasskeys"], false);
    let ann = server.user("ann");
    ann.post("/api/auth/passkeys/options", json!({"password": "secret"})).problem(409, "passkeys_off");
    let in_numbers = Server::start_with(&["--public-url", "https://192.0.2.1"]);
    assert_eq!(in_numbers.client().get("/api/config").ok(200)["hasPasskeys"], false);
    assert!(in_numbers.log().contains("passkeys need a domain name"), "{}", in_numbers.log());
}

#[test]
fn a_passkey_gives_admin_rights_that_need_a_second_factor() {
    let server = Server::start_with(&["--require-admin-2fa", "--public-url", SITE]);
    let root = user(&server, "root");
    let granted = server.command(&["admin", "grant", "root@example.com"]);
    assert!(granted.status.success(), "{granted:?}");
    root.get("/api/admin/actions").problem(403, "not_allowed");
    let mut phone = Authenticator::new("phone", SITE);
    register(&root, &mut phone);
    root.get("/api/admin/actions").ok(200);
    let reset = server.command(&["user", "reset-2fa", "root@example.com"]);
    assert!(reset.status.success(), "{reset:?}");
    let begun = begin_sign_in(&browser(&server));
    let answer = browser(&server).post("/api/auth/login/passkey", body(&begun, &mut phone));
    answer.problem(401, "invalid_credentials");
    let credentials = json!({"email": "root@example.com", "password": "secret"});
    root.post("/api/auth/login", credentials).ok(200);
    root.get("/api/admin/actions").problem(403, "not_allowed");
}
