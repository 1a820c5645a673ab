//! The adapter against a scripted SMTP server: refusals, cut connections, time limits, TLS.

mod letters;

use std::time::{Duration, Instant};

use bolts_mail::{Limits, Smtp, SmtpOptions};
use bolts_ports::{Letter, Mail, Mailer, Undelivered};
use bolts_testkit::smtp::{Reply, Server, Tls};

fn mail() -> Mail {
    Mail {
        name: "0198.abc".to_owned(),
        to: "ann@example.com".to_owned(),
        letter: Letter {
            subject: "Bet Accepted".to_owned(),
            paragraphs: vec!["Bob took the other side of “Schnee?”.".to_owned()],
            button: Some(("Open the bet".to_owned(), "https://bets.example/bet/1".to_owned())),
            ..Letter::default()
        },
        unsubscribe: Some("https://bets.example/api/unsubscribe/token".to_owned()),
    }
}

fn smtp(url: &str, authority: Option<&str>) -> Smtp {
    let authority = authority.map(|pem| pem.as_bytes().to_vec());
    let options = SmtpOptions::parse(url, "Bolts <bolts@bets.example>", authority).expect("options");
    Smtp::new(options).expect("a relay")
}

/// Runs a future with the timers and sockets of tokio.
fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime").block_on(future)
}

fn send(server: &Server) -> Result<(), Undelivered> {
    run(smtp(&server.url(""), None).send(mail()))
}

#[test]
fn a_mail_arrives_with_its_headers_and_both_forms() {
    let server = Server::start(|_| None);
    assert_eq!(send(&server), Ok(()));
    let messages = server.messages();
    let message = &messages[0];
    for line in [
        "Message-ID: <0198.abc@bets.example>",
        "From: Bolts <bolts@bets.example>",
        "To: ann@example.com",
        "Subject: Bet Accepted",
        "Auto-Submitted: auto-generated",
        "List-Unsubscribe: <https://bets.example/api/unsubscribe/token>",
        "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Type: text/html; charset=utf-8",
    ] {
        assert!(message.lines().any(|found| found == line), "{line} in\n{message}");
    }
    assert!(message.contains("Date: "), "{message}");
    assert!(server.said("MAIL FROM:<bolts@bets.example>") && server.said("RCPT TO:<ann@example.com>"));
}

/// A title of a user must not become a header.
#[test]
fn a_line_break_in_a_subject_begins_no_header() {
    let server = Server::start(|_| None);
    let mut mail = mail();
    mail.letter.subject = "Snow?\r\nBcc: everybody@example.com\n\nbody".to_owned();
    assert_eq!(run(smtp(&server.url(""), None).send(mail)), Ok(()));
    let message = server.messages().remove(0);
    let head = message.split("\n\n").next().unwrap_or_default();
    assert!(!head.lines().any(|line| line.starts_with("Bcc:")), "{message}");
    assert!(head.contains("Subject: Snow?  Bcc:"), "{message}");
}

type Fits = fn(&Undelivered) -> bool;

/// The command, the answer to it, and whether the result has the expected form.
const REFUSALS: [(&str, &str, Fits); 36] = [
    ("(greeting)", "421 4.3.2 too busy", |why| matches!(why, Undelivered::Unavailable(_))),
    ("(greeting)", "554 5.7.1 you are on a list", |why| matches!(why, Undelivered::Unavailable(_))),
    ("EHLO", "550 5.7.1 no", |why| matches!(why, Undelivered::Unavailable(_))),
    ("MAIL", "451 4.3.0 try again", |why| matches!(why, Undelivered::Unavailable(_))),
    ("MAIL", "530 5.7.0 sign in first", |why| matches!(why, Undelivered::Unavailable(_))),
    ("RCPT", "450 4.2.1 mailbox busy", |why| matches!(why, Undelivered::Later(_))),
    ("RCPT", "550 5.1.1 no such user", |why| matches!(why, Undelivered::Gone(_))),
    ("RCPT", "553 no such mailbox", |why| matches!(why, Undelivered::Gone(_))),
    // The relay does not know the site, so it refuses the mails to all addresses.
    ("RCPT", "554 5.7.1 relay access denied", |why| matches!(why, Undelivered::Unavailable(_))),
    ("RCPT", "454 4.7.1 relay access denied", |why| matches!(why, Undelivered::Unavailable(_))),
    ("RCPT", "550 relaying is not allowed", |why| matches!(why, Undelivered::Unavailable(_))),
    ("RCPT", "550 relay not permitted", |why| matches!(why, Undelivered::Unavailable(_))),
    ("RCPT", "550 Unable to relay", |why| matches!(why, Undelivered::Unavailable(_))),
    ("RCPT", "554 5.7.1 Client host [192.0.2.1] blocked", |why| matches!(why, Undelivered::Unavailable(_))),
    ("RCPT", "550 5.1.0 sender address rejected: unknown", |why| matches!(why, Undelivered::Unavailable(_))),
    ("RCPT", "550 5.1.8 domain not found", |why| matches!(why, Undelivered::Unavailable(_))),
    ("RCPT", "550 5.1.1 User unknown in relay recipient table", |why| matches!(why, Undelivered::Gone(_))),
    (
        "RCPT",
        "450 4.1.7 <bolts@bets.example>: Sender address rejected: unverified address: host mx said: 550 no",
        |why| matches!(why, Undelivered::Unavailable(_)),
    ),
    // The relay asked the recipient's server, which belongs to a stranger, and quotes its answer.
    (
        "RCPT",
        "550 5.1.1 <ann@example.com>: undeliverable address: host mx.evil[192.0.2.1] said: 550 Client host no",
        |why| matches!(why, Undelivered::Later(_)),
    ),
    (
        "RCPT",
        "450 4.1.1 <ann@example.com>: unverified address: host relaying.evil[192.0.2.1] said: 550 5.1.8 no",
        |why| matches!(why, Undelivered::Later(_)),
    ),
    (
        "RCPT",
        "550 5.1.1 <ann@example.com>: undeliverable address: host mx.evil[192.0.2.1] said: 550 no such user",
        |why| matches!(why, Undelivered::Gone(_)),
    ),
    ("RCPT", "550 host mx.evil said: 550 unable to relay", |why| matches!(why, Undelivered::Later(_))),
    ("RCPT", "550 Callout verification failed: 550 relay not permitted", |why| {
        matches!(why, Undelivered::Later(_))
    }),
    ("RCPT", "550 response to \"RCPT TO:<ann@example.com>\" was: 554 relay access denied", |why| {
        matches!(why, Undelivered::Later(_))
    }),
    ("RCPT", "550 response to \"RCPT TO:<ann@example.com>\" was: 550 no such user", |why| {
        matches!(why, Undelivered::Gone(_))
    }),
    // The answer does not say whether it is about the site or about the address.
    ("RCPT", "550 5.7.1 refused by policy", |why| matches!(why, Undelivered::Later(_))),
    ("RCPT", "504 5.5.2 need a fully-qualified hostname", |why| matches!(why, Undelivered::Later(_))),
    // Anybody can fill a mailbox.
    ("RCPT", "552 5.2.2 mailbox full", |why| matches!(why, Undelivered::Later(_))),
    ("RCPT", "552 no storage left", |why| matches!(why, Undelivered::Later(_))),
    ("RCPT", "552 5.3.4 message size exceeds the limit", |why| matches!(why, Undelivered::Later(_))),
    ("RCPT", "550 5.1.10 recipient not found", |why| matches!(why, Undelivered::Gone(_))),
    ("DATA", "452 4.3.1 no room", |why| matches!(why, Undelivered::Unavailable(_))),
    ("(message)", "451 4.7.1 greylisted", |why| matches!(why, Undelivered::Later(_))),
    ("(message)", "552 5.2.2 mailbox full", |why| matches!(why, Undelivered::Later(_))),
    ("(message)", "554 5.6.0 this looks like spam", |why| matches!(why, Undelivered::Refused(_))),
    ("(message)", "nonsense", |why| matches!(why, Undelivered::Unavailable(_))),
];

#[test]
fn each_refusal_means_what_its_step_says() {
    for (step, answer, fits) in REFUSALS {
        let server = Server::start(move |said| said.starts_with(step).then_some(Reply::Say(answer)));
        let why = send(&server).expect_err("it is refused");
        assert!(fits(&why), "{step} {answer}: {why:?}");
        let code = &answer[..3];
        assert!(why.to_string().contains(code) || code == "non", "{why}");
    }
}

/// A word in the recipient's own address says nothing about the site.
#[test]
fn the_address_in_a_refusal_is_not_read_as_words_of_the_relay() {
    for (to, answer) in [
        ("x@privaterelay.appleid.com", "550 5.1.1 <x@privaterelay.appleid.com>: User unknown"),
        ("Relaying@example.com", "550 5.1.1 <relaying@EXAMPLE.com>: User unknown"),
        ("ann@relaying.example", "550 5.1.2 <ann@relaying.example>: No host relaying.example"),
    ] {
        let server = Server::start(move |said| said.starts_with("RCPT").then_some(Reply::Say(answer)));
        let mail = Mail { to: to.to_owned(), ..mail() };
        let why = run(smtp(&server.url(""), None).send(mail)).expect_err("it is refused");
        assert!(matches!(why, Undelivered::Gone(_)), "{answer}: {why:?}");
    }
}

#[test]
fn a_connection_that_is_cut_at_any_step_is_no_answer() {
    for step in ["(greeting)", "EHLO", "MAIL", "RCPT", "DATA", "(message)"] {
        let server = Server::start(move |said| said.starts_with(step).then_some(Reply::Cut));
        let why = send(&server).expect_err("it is cut");
        assert!(matches!(why, Undelivered::Unavailable(_)), "{step}: {why:?}");
    }
}

/// An idle connection dies unnoticed. The mail goes over a new connection at once.
#[test]
fn a_dead_idle_connection_is_replaced() {
    let server = Server::start(|_| None);
    let relay = smtp(&server.url(""), None);
    run(async {
        assert_eq!(relay.send(mail()).await, Ok(()));
        assert_eq!(relay.send(mail()).await, Ok(()));
        assert_eq!(server.connections(), 1, "the connection is used again");
        server.cut_all();
        assert_eq!(relay.send(mail()).await, Ok(()));
        assert_eq!(server.connections(), 2);
    });
    assert_eq!(server.messages().len(), 3);
}

async fn heard(server: &Server, times: usize) {
    let started = Instant::now();
    while server.heard_times("QUIT") < times {
        assert!(
            started.elapsed() < Duration::from_secs(30),
            "QUIT was said {} times",
            server.heard_times("QUIT")
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// RFC 5321, section 4.1.1.10: a client must end each connection with QUIT. Otherwise the log of the relay is full of lost
/// connections.
#[test]
fn each_connection_ends_with_quit() {
    // An idle connection, some seconds later.
    let server = Server::start(|_| None);
    let relay = smtp(&server.url(""), None);
    run(async {
        assert_eq!(relay.send(mail()).await, Ok(()));
        assert_eq!(relay.send(mail()).await, Ok(()));
        heard(&server, 1).await;
        assert_eq!((server.connections(), server.heard_times("QUIT")), (1, 1));
        // The next connection is watched too, or ended by the program.
        assert_eq!(relay.send(mail()).await, Ok(()));
        relay.close().await;
        heard(&server, 2).await;
    });
    for (step, answer) in [
        ("MAIL", "451 4.3.0 try again"),
        ("RCPT", "550 5.1.1 no such user"),
        ("DATA", "452 4.3.1 no room"),
        ("(message)", "554 5.6.0 this looks like spam"),
        ("AUTH", "535 5.7.8 wrong password"),
    ] {
        let server = Server::start(move |said| said.starts_with(step).then_some(Reply::Say(answer)));
        let relay = smtp(&server.url("ann:secret@"), None);
        run(async {
            assert!(relay.send(mail()).await.is_err(), "{step}");
            heard(&server, 1).await;
        });
        assert_eq!(server.connections(), 1, "{step}");
    }
}

/// A server that takes a connection and then says nothing, at any step.
#[test]
fn a_silent_server_costs_a_limited_time() {
    let (started, second) = (Instant::now(), Duration::from_secs(1));
    let limits = Limits { connection: second, envelope: second, content: second };
    let steps = ["(greeting)", "EHLO", "MAIL", "RCPT", "(message)"];
    let servers =
        steps.map(|step| Server::start(move |said| said.starts_with(step).then_some(Reply::Silence)));
    let relays = servers.each_ref().map(|server| smtp(&server.url(""), None).with_limits(limits));
    run(async {
        let [a, b, c, d, e] = relays.each_ref().map(|relay| relay.send(mail()));
        let (a, b, c, d, e) = tokio::join!(a, b, c, d, e);
        for why in [a, b, c, d, e] {
            assert!(matches!(why, Err(Undelivered::Unavailable(_))), "{why:?}");
        }
    });
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
}

/// A relay that checks contents answers late. The site must not send a second mail while the relay takes the first one.
#[test]
fn the_answer_to_the_content_may_take_longer_than_the_other_answers() {
    let server = Server::start(|said| {
        // The script is asked twice about a message, so the answer takes 6 s.
        if said == "(message)" {
            std::thread::sleep(Duration::from_secs(3));
        }
        None
    });
    let limits = Limits { envelope: Duration::from_secs(5), ..Limits::default() };
    assert!(limits.content >= Duration::from_secs(120), "{limits:?}");
    assert_eq!(run(smtp(&server.url(""), None).with_limits(limits).send(mail())), Ok(()));
    assert_eq!(server.messages().len(), 1);
}

#[test]
fn nobody_listens_is_no_answer() {
    let why = run(smtp("smtp://127.0.0.1:1", None).send(mail()));
    assert!(matches!(why, Err(Undelivered::Unavailable(_))), "{why:?}");
}

/// With its brackets, the address would be looked up as a name.
#[test]
fn an_ipv6_address_of_a_relay_is_not_looked_up() {
    let why = run(smtp("smtp://[::1]:1", None).send(mail())).expect_err("nobody listens");
    assert!(matches!(why, Undelivered::Unavailable(_)), "{why:?}");
    assert!(!why.to_string().contains("lookup"), "{why}");
}

#[test]
fn mails_go_over_tls_and_the_password_only_there() {
    for tls in [Tls::AtOnce, Tls::StartTls] {
        let server = Server::start_tls(tls, |_| None);
        let relay = smtp(&server.url("ann:p%40ss@"), Some(server.authority()));
        assert_eq!(run(relay.send(mail())), Ok(()), "{tls:?}");
        assert_eq!(server.messages().len(), 1);
        assert!(server.said("AUTH PLAIN AGFubgBwQHNz"), "user and password, decoded from the URL");
        let stranger = run(smtp(&server.url("ann:p%40ss@"), None).send(mail()));
        assert!(
            matches!(stranger, Err(Undelivered::Unavailable(_))),
            "a certificate that nobody vouches for"
        );
    }
}

/// An attacker between site and relay removes the offer of STARTTLS, to read the links in the mails.
#[test]
fn without_starttls_nothing_is_sent() {
    let server = Server::start(|_| None);
    let url = format!("{}?tls=required", server.url("ann:secret@"));
    let why = run(smtp(&url, None).send(mail())).expect_err("not encrypted");
    assert!(matches!(why, Undelivered::Unavailable(_)), "{why:?}");
    assert!(!server.said("AUTH") && !server.said("MAIL"), "neither the password nor the mail was sent");
}

#[test]
fn options_are_checked_and_their_errors_have_no_password() {
    let parse = |url: &str, from: &str| SmtpOptions::parse(url, from, None).map(|options| options.describe());
    let from = "Bolts <bolts@bets.example>";
    let described = parse("smtps://ann:secret@mail.example", from).expect("valid");
    assert_eq!(described, "mail.example:465 (TLS), from bolts@bets.example");
    let described = parse("smtp://mail.example:2525", "bolts@bets.example").expect("valid");
    assert_eq!(described, "mail.example:2525 (STARTTLS), from bolts@bets.example");
    let described = parse("smtp://mail.example?tls=off", from).expect("valid");
    assert_eq!(described, "mail.example:587 (not encrypted), from bolts@bets.example");
    let described = parse("smtp://[::1]:25", from).expect("valid");
    assert_eq!(described, "[::1]:25 (not encrypted), from bolts@bets.example");
    for wrong in ["", "secret", "http://ann:secret@mail.example", "smtp://", "smtp://mail.example/secret"] {
        let error = parse(wrong, from).expect_err(wrong).to_string();
        assert!(error.contains("--smtp-url") && !error.contains("secret"), "{error}");
    }
    assert!(
        parse("smtp://mail.example", "nobody").expect_err("no address").to_string().contains("--mail-from")
    );
}
