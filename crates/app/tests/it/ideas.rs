//! Ideas over HTTP: answers, rate limits, and failures of a model.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;

use bolts_kernel::Timestamp;
use bolts_testkit::free_port;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::database::url;
use crate::harness::{Client, Server, binary, in_seconds};
use crate::wire::Process;

const KEY: &str = "sk-this-is-a-secret";

/// The fields of an idea, in alphabetical order.
const FIELDS: [&str; 9] = [
    "category",
    "description",
    "expiryDate",
    "oddsA",
    "optionA",
    "optionB",
    "resolutionMethod",
    "sourceUrl",
    "title",
];

fn fields(value: &Value) -> Vec<&str> {
    let mut fields: Vec<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    fields.sort_unstable();
    fields
}

/// A server that plays a model. The server gives these answers in order, then repeats the last answer.
fn model(answers: Vec<(u16, String)>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let base = format!("http://{}/v1", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for (index, stream) in listener.incoming().enumerate() {
            let Ok(mut stream) = stream else { continue };
            let (status, body) = &answers[index.min(answers.len() - 1)];
            let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
            let (mut length, mut line) = (0, String::new());
            while reader.read_line(&mut line).is_ok_and(|count| count > 2) {
                let header = line.to_lowercase();
                if let Some(value) = header.strip_prefix("content-length:") {
                    length = value.trim().parse().expect("a length");
                }
                line.clear();
            }
            reader.read_exact(&mut vec![0; length]).expect("a body");
            let head =
                format!("HTTP/1.1 {status} X\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
            // The client may have disconnected, so a write error is ignored.
            drop(write!(stream, "{head}Content-Type: application/json\r\n\r\n{body}"));
        }
    });
    base
}

fn says(content: &Value) -> (u16, String) {
    (
        200,
        json!({"choices": [{"message": {"role": "assistant", "content": content.to_string()}}]}).to_string(),
    )
}

fn model_idea(fields: Value) -> Value {
    let mut idea = json!({
        "title": "Will it snow in Oslo?", "description": "By the weather service.", "optionA": "Snow", "optionB": "None",
        "category": "Weather", "resolutionMethod": "Mutual Agreement", "sourceUrl": null, "expiryDate": in_seconds(86_400),
    });
    for (name, value) in fields.as_object().expect("an object") {
        idea[name] = value.clone();
    }
    idea
}

#[test]
fn a_generated_idea_is_a_valid_bet() {
    let server = Server::start();
    let ann = server.user("ann");
    let (mut last, mut categories) = (json!(null), std::collections::BTreeSet::new());
    for _ in 0..8 {
        let idea = ann.post("/api/generate-bet-idea", json!({})).ok(200);
        assert_eq!(fields(&idea), FIELDS);
        assert_ne!(idea["title"], last, "not the same one twice in a row");
        last = idea["title"].clone();
        categories.insert(idea["category"].to_string());
        let bet = ann.bet_with(json!({
            "title": idea["title"], "description": idea["description"], "optionA": idea["optionA"],
            "optionB": idea["optionB"], "category": idea["category"], "resolutionMethod": idea["resolutionMethod"],
            "sourceUrl": idea["sourceUrl"], "expiresAt": idea["expiryDate"], "stakeAmount": 1,
        }));
        assert_eq!((&bet["title"], &bet["expiresAt"]), (&idea["title"], &idea["expiryDate"]));
    }
    assert_eq!(categories.len(), 8, "the categories take turns");
    // The page sends this request without a body.
    ann.page("POST", "/api/generate-bet-idea", None).ok(200);
}

#[test]
fn a_title_is_completed_and_stays_as_it_was_typed() {
    let server = Server::start();
    let ann = server.user("ann");
    let idea = ann.post("/api/complete-bet-idea", json!({"title": "  Lakers vs Celtics tomorrow  "})).ok(200);
    assert_eq!(fields(&idea), FIELDS);
    let text = |name: &str| idea[name].as_str().unwrap_or_default().to_owned();
    assert_eq!(
        (text("title"), text("optionA")),
        ("Lakers vs Celtics tomorrow".to_owned(), "Lakers".to_owned())
    );
    assert_eq!((text("optionB"), text("category")), ("Celtics".to_owned(), "Sports".to_owned()));
    assert!(Timestamp::parse(&text("expiryDate")).is_ok(), "{idea}");
    for body in [json!({}), json!({"title": "abcd"}), json!({"title": 5}), json!({"title": "x".repeat(201)})]
    {
        ann.post("/api/complete-bet-idea", body).invalid(&["title"]);
    }
}

#[test]
fn a_wording_is_checked_while_it_is_being_written() {
    let server = Server::start();
    let ann = server.user("ann");
    assert_eq!(ann.post("/api/check-bet-wording", json!({})).ok(200), json!([]));
    let body = json!({"title": "Tea vs coffee at 9 PM", "optionA": "Tea", "optionB": "Tea or coffee", "stakeAmount": "?"});
    let remarks = ann.post("/api/check-bet-wording", body.clone()).ok(200);
    let remarks = remarks.as_array().expect("an array");
    assert!(remarks.len() >= 4, "{remarks:?}");
    let mut amended = body;
    for remark in remarks {
        assert_eq!(fields(remark), ["problem", "suggestion"]);
        assert_eq!(fields(&remark["suggestion"]), ["field", "value"]);
        assert!(remark["problem"].as_str().is_some_and(|problem| problem.ends_with('.')), "{remark}");
    }
    for _ in 0..8 {
        let remarks = ann.post("/api/check-bet-wording", amended.clone()).ok(200);
        let Some(remark) = remarks.as_array().and_then(|all| all.first()).cloned() else { break };
        let field = remark["suggestion"]["field"].as_str().expect("a field").to_owned();
        amended[field] = remark["suggestion"]["value"].clone();
    }
    assert_eq!(ann.post("/api/check-bet-wording", amended).ok(200), json!([]), "every amendment mends");
    for (field, value) in [
        ("title", json!("x".repeat(201))),
        ("description", json!("x".repeat(5_001))),
        ("optionA", json!("x".repeat(101))),
        ("optionB", json!(["x"])),
        ("sourceUrl", json!("x".repeat(2_049))),
        ("category", json!("Gossip")),
        ("expiresAt", json!("soon")),
    ] {
        ann.post("/api/check-bet-wording", json!({field: value})).invalid(&[field]);
    }
}

#[test]
fn a_hundred_and_twenty_checks_an_hour() {
    let server = Server::start();
    let ann = server.user("ann");
    for _ in 0..120 {
        ann.post("/api/check-bet-wording", json!({"title": "Tea vs coffee"})).ok(200);
    }
    let refused = ann.post("/api/check-bet-wording", json!({"title": "Tea vs coffee"}));
    refused.problem(429, "too_many_requests");
    assert!(refused.headers.contains_key("retry-after"), "{refused:?}");
    // Invalid fields are reported before the rate limit.
    ann.post("/api/check-bet-wording", json!({"title": 5})).invalid(&["title"]);
}

#[test]
fn twenty_an_hour_although_the_server_starts_again() {
    let mut server = Server::start();
    let mut ann = server.user("ann");
    for turn in 0..20 {
        if turn == 10 {
            server.kill();
            server.restart();
            ann = server.client().with_cookie(ann.cookie());
        }
        if turn % 3 == 0 {
            ann.post("/api/complete-bet-idea", json!({"title": "Will it snow?"})).ok(200);
        } else {
            ann.post("/api/generate-bet-idea", json!({})).ok(200);
        }
    }
    for (path, body) in
        [("/api/generate-bet-idea", json!({})), ("/api/complete-bet-idea", json!({"title": "Will it snow?"}))]
    {
        let refused = ann.post(path, body);
        refused.problem(429, "too_many_requests");
        let seconds: u64 = refused.headers["retry-after"].to_str().expect("text").parse().expect("seconds");
        assert!((3_000..=3_600).contains(&seconds), "{seconds}");
    }
    ann.post("/api/check-bet-wording", json!({})).ok(200);
    server.user("bob").post("/api/generate-bet-idea", json!({})).ok(200);
}

#[test]
fn a_failing_model_is_a_502_without_details() {
    let with = |fields: Value| says(&model_idea(fields));
    let base = model(vec![
        with(json!({})),
        with(json!({"sourceUrl": "javascript:alert(1)"})),
        (401, json!({"error": {"message": format!("wrong key {KEY}")}}).to_string()),
        (200, "<html>".to_owned()),
        with(json!({"expiryDate": "2020-01-01T00:00:00Z"})),
        with(json!({"description": "<script>alert(1)</script>"})),
    ]);
    let options = ["--log", "trace", "--ideas-url", &base, "--ideas-key", KEY, "--ideas-model", "tiny"];
    let server = Process::start(&options);
    let ann = server.client();
    ann.register("ann@example.com");
    let idea = ann.post("/api/generate-bet-idea", json!({})).ok(200);
    assert_eq!((&idea["title"], &idea["sourceUrl"]), (&json!("Will it snow in Oslo?"), &json!(null)));
    for (path, body) in [
        ("/api/generate-bet-idea", json!({})),
        ("/api/complete-bet-idea", json!({"title": "Will it snow?"})),
        ("/api/generate-bet-idea", json!({})),
        ("/api/complete-bet-idea", json!({"title": "Will it snow?"})),
    ] {
        let problem = ann.post(path, body).problem(502, "ideas_unavailable");
        assert_eq!(problem["detail"], "No idea came this time. Please try again.");
    }
    // For the server, a text that looks like HTML is an ordinary text. The pages escape it.
    let idea = ann.post("/api/generate-bet-idea", json!({})).ok(200);
    assert_eq!(idea["description"], "<script>alert(1)</script>");
    let log = server.log();
    assert!(log.contains("the source of ideas failed") && log.contains("answered 401"), "{log}");
    assert!(!log.contains(KEY), "the key is in the log");
}

/// The operator may have to pay for each call.
#[test]
fn calls_to_a_model_are_counted_by_their_result() {
    let base = model(vec![says(&model_idea(json!({}))), (401, "{}".to_owned())]);
    let bind = format!("127.0.0.1:{}", free_port());
    let server =
        Server::start_with(&["--metrics-bind", &bind, "--ideas-url", &base, "--ideas-model", "tiny"]);
    let ann = server.user("ann");
    ann.post("/api/generate-bet-idea", json!({})).ok(200);
    let title = || json!({"title": "Will it snow?"});
    ann.post("/api/complete-bet-idea", title()).problem(502, "ideas_unavailable");
    // The rules answer in the place of the model.
    ann.post("/api/check-bet-wording", title()).ok(200);
    let metrics = Client::new(&format!("http://{bind}")).get("/metrics").text;
    for (request, result) in
        [("bet_idea", "answered"), ("bet_completion", "failed"), ("bet_remarks", "failed")]
    {
        let line = format!("bolts_model_calls_total{{request=\"{request}\",result=\"{result}\"}} 1\n");
        assert!(metrics.contains(&line), "{line:?} in {metrics}");
    }
}

#[test]
fn an_operator_chooses_the_source_of_ideas() {
    let announced = |options: &[&str]| {
        let folder = TempDir::new().expect("a folder");
        let mut process = binary()
            .args(["serve", "--bind", "127.0.0.1:0", "--log", "warn", "--database-url", &url(folder.path())])
            .args(options)
            .stdout(std::process::Stdio::piped())
            .spawn()
            .expect("it starts");
        let said = BufReader::new(process.stdout.take().expect("standard output")).lines();
        let line = said.map(|line| line.expect("text")).find(|line| line.trim_start().starts_with("ideas"));
        process.kill().expect("it ends");
        process.wait().expect("it ended");
        line.expect("a line on ideas").split_whitespace().skip(1).collect::<Vec<_>>().join(" ")
    };
    let url = ["--ideas-url", "https://models.example.com/v1?key=secret", "--ideas-model", "tiny"];
    assert_eq!(announced(&[]), "built in");
    assert_eq!(announced(&url), "tiny at https://models.example.com");
    assert_eq!(announced(&[&url[..], &["--ideas", "built-in"]].concat()), "built in");
    for (options, about) in [
        (&["--ideas", "openai"][..], "--ideas-url"),
        (&["--ideas-url", "https://models.example.com/v1"], "--ideas-model"),
        (&["--ideas-url", "models.example.com", "--ideas-model", "m"], "--ideas-url"),
        (&["--ideas-url", "https://u:secret@models.example.com", "--ideas-model", "m"], "--ideas-url"),
        (
            &["--ideas-url", "https://m.example.com", "--ideas-model", "m", "--ideas-key", "se\u{e9}cret"],
            "--ideas-key",
        ),
    ] {
        let folder = TempDir::new().expect("a folder");
        let database = crate::database::url(folder.path());
        let output = binary()
            .args(["serve", "--bind", "127.0.0.1:0", "--database-url", &database])
            .args(options)
            .output();
        let output = output.expect("it runs");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), error.trim_end().lines().count()), (Some(2), 1), "{error}");
        assert!(error.contains(about) && !error.contains("secret") && !error.contains("cret"), "{error}");
    }
    let help = binary().args(["serve", "--help"]).env("BOLTS_IDEAS_KEY", KEY).output().expect("it runs");
    let help = String::from_utf8_lossy(&help.stdout);
    for name in ["BOLTS_IDEAS", "BOLTS_IDEAS_URL", "BOLTS_IDEAS_KEY", "BOLTS_IDEAS_MODEL"] {
        assert!(help.contains(name), "{name}");
    }
    assert!(!help.contains(KEY), "the help shows the key");
}
