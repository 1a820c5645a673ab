//! Mails of the real binary to a real socket: verification, reset, preferences, and what a guesser or a thief can do.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bolts_testkit::smtp::{Reply, Server as Relay};
use serde_json::{Value, json};

use crate::harness::{Answer, Client, Server, binary, eventually, new_bet};
use crate::secrets;

pub(crate) const ORIGIN: &str = "https://bets.example";

fn options(relay: &Relay) -> Vec<String> {
    let relay = relay.url("");
    let options = ["--public-url", ORIGIN, "--mail-from", "Bolts <bolts@bets.example>", "--smtp-url", &relay];
    options.map(str::to_owned).to_vec()
}

pub(crate) fn start(relay: &Relay, further: &[&str]) -> Server {
    let options = options(relay);
    let all: Vec<&str> = options.iter().map(String::as_str).chain(further.iter().copied()).collect();
    Server::start_with(&all)
}

/// Sends a request as our own pages do. The pages are at another address than the server.
fn call(client: &Client, method: &str, path: &str, body: &Value) -> Answer {
    let headers = [("Origin", ORIGIN), ("Content-Type", "application/json")];
    client.send(method, path, &headers, &body.to_string())
}

fn post(client: &Client, path: &str, body: Value) -> Answer {
    call(client, "POST", path, &body)
}

fn register(server: &Server, name: &str) -> Client {
    let client = server.client();
    let credentials = json!({"email": format!("{name}@example.com"), "password": "secret"});
    post(&client, "/api/auth/register", credentials).ok(201);
    client
}

/// The mail with this subject to this user, once it has arrived.
fn mail(relay: &Relay, name: &str, subject: &str) -> String {
    let (to, subject) = (format!("To: {name}@example.com"), format!("Subject: {subject}"));
    let is_it = |message: &String| {
        message.lines().any(|line| line == to) && message.lines().any(|line| line == subject)
    };
    let find = || relay.messages().into_iter().rev().find(is_it);
    eventually(&subject, Duration::from_secs(30), find)
}

/// The token in the plain text of a mail. No log may contain it.
fn token(mail: &str, page: &str) -> String {
    // Quoted-printable text breaks long lines with `=`.
    let text = mail.replace("=\n", "").replace("=3D", "=");
    let start = format!("{ORIGIN}/{page}#");
    let rest = text.split_once(&start).unwrap_or_else(|| panic!("no link in {mail}")).1;
    let token: String =
        rest.chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')).collect();
    assert_eq!(token.len(), 43, "256 bits: {token}");
    secrets::note(&token, "token of a mail");
    token
}

fn sign_in(server: &Server, name: &str, password: &str) -> Answer {
    let credentials = json!({"email": format!("{name}@example.com"), "password": password});
    post(&server.client(), "/api/auth/login", credentials)
}

fn verify(server: &Server, relay: &Relay, name: &str) {
    let token = token(&mail(relay, name, "Confirm your email address"), "mail/verify");
    post(&server.client(), "/api/auth/verify-email", json!({"token": token})).ok(200);
}

#[test]
fn signing_up_verifying_and_setting_a_new_password() {
    let relay = Relay::start(|_| None);
    let server = start(&relay, &[]);
    assert_eq!(server.client().get("/api/config").ok(200)["sendsMail"], true);
    let ann = register(&server, "ann");
    let before = ann.get("/api/auth/email").ok(200);
    let unverified =
        json!({"email": "ann@example.com", "isVerified": false, "requested": null, "stopped": null});
    assert_eq!(before, unverified);
    verify(&server, &relay, "ann");
    assert_eq!(ann.get("/api/auth/email").ok(200)["isVerified"], true);

    let anybody = server.client();
    let wanted = json!({"email": "ann@example.com"});
    post(&anybody, "/api/auth/password-reset/request", wanted).ok(200);
    let token = token(&mail(&relay, "ann", "Set a new password"), "mail/reset");
    let new = json!({"token": token, "newPassword": "another"});
    post(&anybody, "/api/auth/password-reset", json!({"token": token, "newPassword": "x"}))
        .invalid(&["newPassword"]);
    post(&anybody, "/api/auth/password-reset", new.clone()).ok(200);
    post(&anybody, "/api/auth/password-reset", new).invalid(&["token"]);
    ann.get("/api/auth/user").problem(401, "not_signed_in");
    sign_in(&server, "ann", "secret").problem(401, "invalid_credentials");
    sign_in(&server, "ann", "another").ok(200);
    let told = mail(&relay, "ann", "Password Reset");
    assert!(!told.contains("List-Unsubscribe"), "it cannot be turned off: {told}");
    server.assert_audit_clean();
}

#[test]
fn a_bet_is_mailed_to_its_verified_party_and_can_be_unsubscribed_in_one_click() {
    let relay = Relay::start(|_| None);
    let server = start(&relay, &[]);
    let (ann, bob) = (register(&server, "ann"), register(&server, "bob"));
    verify(&server, &relay, "ann");
    let take = || {
        let bet = post(&ann, "/api/bets", new_bet(json!({"stakeAmount": 1}))).ok(201);
        let accept = json!({"betId": bet["id"], "chosenOption": "B"});
        post(&bob, "/api/bets/accept", accept).ok(200);
    };
    take();
    let told = mail(&relay, "ann", "Bet Accepted");
    let header = told.replace("\n ", " ");
    let link = header.lines().find_map(|line| line.strip_prefix("List-Unsubscribe: <")).expect("a header");
    let path = link.trim_end_matches('>').strip_prefix(ORIGIN).expect("our site").to_owned();
    assert!(header.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click"), "{header}");

    // A scanner that opens all links changes nothing.
    let mailer = Client::new(&server.base);
    let page = mailer.send("GET", &path, &[], "");
    assert_eq!(page.status, 302);
    assert!(page.headers["location"].to_str().expect("text").starts_with("/mail/unsubscribe#"), "{page:?}");
    let choices = || ann.get("/api/notifications/preferences").ok(200);
    assert_eq!(choices()["kinds"]["accepted"]["email"], true);

    // A mail program sends neither cookies nor an Origin.
    let form = [("Content-Type", "application/x-www-form-urlencoded")];
    for _ in 0..2 {
        mailer.send("POST", &path, &form, "List-Unsubscribe=One-Click").ok(200);
    }
    assert_eq!(choices()["kinds"]["accepted"]["email"], false);
    assert_eq!(choices()["kinds"]["proposed"]["email"], true);
    let forged = path.replacen("accepted", "proposed", 1);
    mailer.send("POST", &forged, &form, "List-Unsubscribe=One-Click").problem(404, "not_found");
    take();
    let mails = relay.messages().iter().filter(|message| message.contains("Subject: Bet Accepted")).count();
    assert_eq!(mails, 1);
}

#[test]
fn choices_are_stored_and_checked() {
    let server = Server::start();
    let ann = server.user("ann");
    let first = ann.get("/api/notifications/preferences").ok(200);
    assert_eq!((&first["digest"], &first["timeZone"]), (&json!("daily"), &json!("America/New_York")));
    assert_eq!(first["kinds"]["messages"], json!({"email": false, "push": false, "webhook": true}));
    let put = |body: Value| ann.page("PUT", "/api/notifications/preferences", Some(&body));
    let none = json!({"email": false, "push": false, "webhook": false});
    let stored =
        put(json!({"kinds": {"accepted": none}, "digest": "weekly", "timeZone": "Asia/Kolkata"})).ok(200);
    assert_eq!(stored, ann.get("/api/notifications/preferences").ok(200));
    assert_eq!((&stored["digest"], &stored["kinds"]["accepted"]), (&json!("weekly"), &none));
    assert_eq!(stored["kinds"]["proposed"], first["kinds"]["proposed"], "what is left out stays");
    for (body, field) in [
        (json!({"kinds": {"security": none}}), "kinds"),
        (json!({"kinds": {"nonsense": none}}), "kinds"),
        (json!({"kinds": {"due": {"email": "yes"}}}), "kinds"),
        (json!({"kinds": []}), "kinds"),
        (json!({"digest": "hourly"}), "digest"),
        (json!({"timeZone": "Mars"}), "timeZone"),
        (json!({"showsPrivateTitles": "yes"}), "showsPrivateTitles"),
    ] {
        put(body).invalid(&[field]);
    }
    assert_eq!(ann.get("/api/notifications/preferences").ok(200), stored, "a refused change changes nothing");
}

/// A newer version of the program, which the operator took back, knows a time zone that this version does not know.
#[test]
fn an_unknown_time_zone_of_a_user_holds_up_no_mail() {
    let relay = Relay::start(|_| None);
    let server = start(&relay, &[]);
    let (ann, bob) = (register(&server, "ann"), register(&server, "bob"));
    verify(&server, &relay, "ann");
    verify(&server, &relay, "bob");
    let choose = |zone: &str| {
        call(&ann, "PUT", "/api/notifications/preferences", &json!({"digest": "weekly", "timeZone": zone}))
    };
    choose("Asia/Kolkata").ok(200);
    server.database.execute("UPDATE notification_preferences SET time_zone = 'Mars/Base'");
    for (creator, acceptor) in [(&ann, &bob), (&bob, &ann)] {
        let bet = post(creator, "/api/bets", new_bet(json!({"stakeAmount": 1}))).ok(201);
        post(acceptor, "/api/bets/accept", json!({"betId": bet["id"], "chosenOption": "B"})).ok(200);
    }
    mail(&relay, "bob", "Bet Accepted");
    mail(&relay, "ann", "Bet Accepted");
    let choices = ann.get("/api/notifications/preferences").ok(200);
    assert_eq!((&choices["digest"], &choices["timeZone"]), (&json!("weekly"), &json!("America/New_York")));
    assert_eq!(choose("Asia/Tokyo").ok(200)["timeZone"], "Asia/Tokyo");
}

#[test]
fn without_mail_nothing_offers_it() {
    let server = Server::start();
    assert_eq!(server.client().get("/api/config").ok(200)["sendsMail"], false);
    let ann = server.user("ann");
    ann.post("/api/auth/verify-email/request", json!({})).problem(409, "mail_off");
    let change = json!({"newEmail": "new@example.com", "password": "secret"});
    ann.page("PATCH", "/api/auth/email", Some(&change)).problem(409, "mail_off");
    let reset = json!({"email": "ann@example.com"});
    server.client().post("/api/auth/password-reset/request", reset).problem(409, "mail_off");
}

#[test]
fn a_change_of_the_address_needs_the_password_and_the_new_mailbox() {
    let relay = Relay::start(|_| None);
    let server = start(&relay, &[]);
    let ann = register(&server, "ann");
    verify(&server, &relay, "ann");
    register(&server, "bob");
    let change = |email: &str, password: &str| {
        call(&ann, "PATCH", "/api/auth/email", &json!({"newEmail": email, "password": password}))
    };
    change("new@example.com", "guessed").invalid(&["password"]);
    change("nonsense", "secret").invalid(&["newEmail"]);
    change("bob@example.com", "secret").problem(409, "email_taken");
    change("New@example.com", "secret").ok(200);
    mail(&relay, "ann", "A new email address was requested");
    assert_eq!(ann.get("/api/auth/user").ok(200)["email"], "ann@example.com");
    eventually("the request is shown", Duration::from_secs(20), || {
        Some(()).filter(|()| ann.get("/api/auth/email").ok(200)["requested"] == "new@example.com")
    });
    verify(&server, &relay, "new");
    assert_eq!(ann.get("/api/auth/user").ok(200)["email"], "new@example.com");
    mail(&relay, "ann", "Your email address was changed");
    sign_in(&server, "new", "secret").ok(200);
    server.assert_audit_clean();
}

#[test]
fn where_verified_addresses_are_required_others_only_read() {
    let relay = Relay::start(|_| None);
    let server = start(&relay, &["--require-verified-email"]);
    let ann = register(&server, "ann");
    ann.get("/api/bets/my").ok(200);
    ann.get("/api/auth/user").ok(200);
    post(&ann, "/api/bets", new_bet(json!({}))).problem(403, "email_not_verified");
    post(&ann, "/api/deposit/create-invoice", json!({"amount": 100})).problem(403, "email_not_verified");
    post(&ann, "/api/auth/totp", json!({"password": "secret"})).problem(403, "email_not_verified");
    // A user ends the session of a thief without a verified address too.
    sign_in(&server, "ann", "secret").ok(200);
    let sessions = ann.get("/api/auth/sessions").ok(200);
    let all = sessions.as_array().expect("a list");
    let other = all.iter().find(|session| session["isCurrent"] == false).expect("another session");
    let path = format!("/api/auth/sessions/{}", other["id"].as_str().expect("an id"));
    call(&ann, "DELETE", &path, &json!({})).ok(200);
    assert_eq!(post(&ann, "/api/auth/sessions/end-others", json!({})).ok(200)["ended"], 0);
    post(&ann, "/api/auth/verify-email/request", json!({})).ok(200);
    verify(&server, &relay, "ann");
    post(&ann, "/api/bets", new_bet(json!({}))).ok(201);
    post(&ann, "/api/auth/logout", json!({})).ok(200);
}

/// A relay that answers nothing must not hold up any request.
#[test]
fn a_dead_relay_holds_up_no_request_and_its_mails_wait() {
    let relay = Relay::start(|said| (said == "(greeting)").then_some(Reply::Silence));
    let server = start(&relay, &[]);
    let started = Instant::now();
    let ann = register(&server, "ann");
    for _ in 0..20 {
        post(&ann, "/api/bets", new_bet(json!({"stakeAmount": 1}))).ok(201);
    }
    assert!(started.elapsed() < Duration::from_secs(15), "{:?}", started.elapsed());
}

/// The process is killed while the relay holds the answer: the mail may have arrived. After the restart, the row is still
/// there with its lease.
#[test]
fn a_mail_under_way_survives_the_death_of_its_process() {
    let relay = Relay::start(|said| (said == "(message)").then_some(Reply::Silence));
    let mut server = start(&relay, &[]);
    register(&server, "ann");
    eventually("the mail is under way", Duration::from_secs(20), || Some(()).filter(|()| relay.said("DATA")));
    server.kill();
    // The lease of the dead process ends after ten minutes. No test waits that long.
    server.database.execute("UPDATE deliveries SET leased_until = 0 WHERE state = 'queued'");
    let working = Relay::start(|_| None);
    let options = options(&working);
    let server = Server::on(server.database.clone(), options);
    let again = mail(&working, "ann", "Confirm your email address");
    assert!(again.contains("Message-ID: <account."), "{again}");
    drop(server);
}

/// A mail whose result is not recorded would be sent again.
#[test]
fn a_stopping_server_waits_for_the_mail_under_way() {
    let is_held = Arc::new(AtomicBool::new(true));
    let held = is_held.clone();
    let relay = Relay::start(move |said| {
        while said == "(message)" && held.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(10));
        }
        None
    });
    let mut server = start(&relay, &[]);
    register(&server, "ann");
    eventually("the mail is under way", Duration::from_secs(20), || Some(()).filter(|()| relay.said("DATA")));
    server.stop_accepting();
    // Nothing else keeps the server from its end for so long.
    std::thread::sleep(Duration::from_millis(500));
    is_held.store(false, Ordering::Relaxed);
    assert_eq!(server.stop().0, Some(0));
    assert_eq!(server.database.rows("deliveries WHERE state = 'sent'"), 1);
}

fn command(arguments: &[&str]) -> (Option<i32>, String) {
    let output = binary().args(arguments).output().expect("it runs");
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn the_operator_tests_the_relay() {
    let relay = Relay::start(|said| said.contains("nobody@").then_some(Reply::Say("550 5.1.1 no such user")));
    let url = relay.url("");
    let test = |address: &str| {
        let options = ["--smtp-url", url.as_str(), "--mail-from", "bolts@bets.example"];
        command(&[&["mail", "test", address], &options[..]].concat())
    };
    let (status, said) = test("ann@example.com");
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("has taken a mail to ann@example.com"), "{said}");
    assert_eq!(relay.messages().len(), 1);
    let (status, said) = test("nobody@example.com");
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("550") && said.contains("no such user"), "{said}");
    let (status, said) = command(&["mail", "test", "ann@example.com"]);
    assert_eq!(status, Some(2), "{said}");
}

#[test]
fn options_that_do_not_fit_are_one_clear_line() {
    let serve = |further: &[&str]| command(&[&["serve", "--bind", "127.0.0.1:0"], further].concat());
    let relay = ["--smtp-url", "smtp://ann:secret@127.0.0.1:1", "--mail-from", "bolts@bets.example"];
    for (options, names) in [
        (relay.to_vec(), "--public-url"),
        (relay[..2].to_vec(), "--mail-from"),
        (vec!["--require-verified-email"], "--smtp-url"),
        ([&relay[..2], &["--mail-from", "nobody", "--public-url", ORIGIN]].concat(), "--mail-from"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let database = format!("sqlite://{}/bolts.db", folder.path().display());
        let (status, said) = serve(&[&options[..], &["--database-url", &database]].concat());
        assert_eq!(status, Some(2), "{options:?}: {said}");
        assert!(said.contains(names) && !said.contains("secret"), "{said}");
    }
}

#[test]
fn a_deleted_account_gets_one_last_mail_if_its_address_is_verified() {
    let relay = Relay::start(|_| None);
    let server = start(&relay, &[]);
    let (ann, bob) = (register(&server, "ann"), register(&server, "bob"));
    verify(&server, &relay, "ann");
    let old = token(&mail(&relay, "bob", "Confirm your email address"), "mail/verify");
    for client in [&ann, &bob] {
        call(client, "DELETE", "/api/account", &json!({"password": "secret"})).ok(200);
    }
    let last = mail(&relay, "ann", "Your account was deleted");
    assert!(last.contains("This is the last mail about this account."), "{last}");
    assert!(!last.contains("List-Unsubscribe"), "{last}");
    // A later mail has arrived, so an earlier one to Bob would be there too.
    register(&server, "carol");
    mail(&relay, "carol", "Confirm your email address");
    let to_bob = |message: &&String| message.lines().any(|line| line == "To: bob@example.com");
    let all = relay.messages();
    assert_eq!(all.iter().filter(to_bob).count(), 1, "only the mail with the link, from before");
    // An old link opens nothing, also once somebody else has the address.
    register(&server, "bob");
    post(&server.client(), "/api/auth/verify-email", json!({"token": old})).invalid(&["token"]);
    server.assert_audit_clean();
}
