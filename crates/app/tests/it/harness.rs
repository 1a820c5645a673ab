//! Starts the binary on a free port with a new database, and sends requests like a page in a browser.

use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use ureq::Agent;
use ureq::http::{HeaderMap, Request};

use crate::database::Database;
use crate::secrets;
use crate::wire::{address_of, serve};

/// A running server. Dropping the value ends the server.
pub(crate) struct Server {
    process: Child,
    pub(crate) base: String,
    pub(crate) database: Arc<Database>,
    pub(crate) arguments: Vec<String>,
    log: Log,
}

/// The binary under test.
pub(crate) fn binary() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bolts"));
    // The environment variables of the machine must not influence the tests.
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("BOLTS_")) {
        command.env_remove(name);
    }
    command
}

impl Server {
    /// Starts a server on a new database.
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts a server with these options of `serve`.
    pub(crate) fn start_with(arguments: &[&str]) -> Self {
        let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        Self::on(Arc::new(Database::new()), arguments)
    }

    /// Starts a server on this database.
    pub(crate) fn on(database: Arc<Database>, arguments: Vec<String>) -> Self {
        let options = ["--log", "warn"].into_iter().chain(arguments.iter().map(String::as_str));
        let options: Vec<&str> = options.collect();
        let mut process = serve(binary(), &database.url(), &options, Stdio::piped());
        let log = kept(process.stderr.take().expect("standard error"));
        let base = address_of(&mut process);
        Self { process, base, database, arguments, log }
    }

    /// The log since the last start: warnings and errors.
    pub(crate) fn log(&self) -> String {
        self.log.kept.lock().expect("no panic").clone()
    }

    /// A new browser without a cookie.
    pub(crate) fn client(&self) -> Client {
        Client::new(&self.base)
    }

    /// A new user.
    pub(crate) fn user(&self, name: &str) -> Client {
        self.client().signed_up(name)
    }

    /// A new admin, created with the operator's command.
    pub(crate) fn admin(&self, name: &str) -> Client {
        let client = self.user(name);
        let granted = self.command(&["admin", "grant", &format!("{name}@example.com")]);
        assert!(granted.status.success(), "{granted:?}");
        client
    }

    /// Runs a command of the operator on this server's database.
    pub(crate) fn command(&self, arguments: &[&str]) -> Output {
        let output = binary().args(arguments).arg("--database-url").arg(self.database.url()).output();
        output.expect("the command runs")
    }

    /// Runs `bolts withdrawals settle` with the options of `serve` that name the Lightning provider.
    pub(crate) fn settle(&self, words: &[&str]) -> Output {
        let mut arguments = vec!["withdrawals", "settle"];
        arguments.extend(words);
        let names_provider = |option: &str| {
            ["--lightning", "--lnbits", "--lnd", "--withdrawal-patience"]
                .iter()
                .any(|prefix| option.starts_with(prefix))
        };
        for pair in self.arguments.windows(2).filter(|pair| names_provider(&pair[0])) {
            arguments.extend(pair.iter().map(String::as_str));
        }
        self.command(&arguments)
    }

    /// Runs `bolts withdrawals settle` until the withdrawals can be settled: no call to pay is under way, and the time
    /// of `--withdrawal-patience` is over.
    pub(crate) fn settle_when_possible(&self, words: &[&str]) -> Output {
        let is_early = |said: &str| said.contains("; settle it after that");
        eventually("it can be settled", Duration::from_secs(90), || {
            Some(self.settle(words)).filter(|output| !is_early(&String::from_utf8_lossy(&output.stderr)))
        })
    }

    /// Asserts that `bolts audit` finds nothing.
    pub(crate) fn assert_audit_clean(&self) {
        let audit = self.command(&["audit"]);
        let said = String::from_utf8_lossy(&audit.stdout);
        assert!(
            audit.status.success() && said.contains("ok"),
            "{said}{}",
            String::from_utf8_lossy(&audit.stderr)
        );
    }

    /// The id of the process.
    pub(crate) fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Kills the process, as in a crash.
    pub(crate) fn kill(&mut self) {
        self.process.kill().expect("the process can be killed");
        self.process.wait().expect("the process ended");
    }

    /// Stops the server with SIGTERM, as an operator does, and waits for its end. Returns the exit code and the
    /// duration of the stop.
    pub(crate) fn stop(&mut self) -> (Option<i32>, Duration) {
        let started = Instant::now();
        self.ask_to_stop();
        let status = self.process.wait().expect("the process ended");
        (status.code(), started.elapsed())
    }

    /// Sends SIGTERM to the server, and does not wait for its end.
    pub(crate) fn ask_to_stop(&self) {
        let asked = Command::new("kill").args(["-TERM", &self.process.id().to_string()]).status();
        assert!(asked.expect("kill runs").success());
    }

    /// Sends SIGTERM to the server, and waits until it accepts no more connections. Then it ends, unless it waits for work
    /// under way.
    pub(crate) fn stop_accepting(&self) {
        self.ask_to_stop();
        let address = self.base.trim_start_matches("http://");
        let is_refused = || TcpStream::connect(address).is_err();
        eventually("connections are refused", Duration::from_secs(60), || is_refused().then_some(()));
    }

    /// Starts a new server process on the same database. The old process must have ended.
    pub(crate) fn restart(&mut self) {
        *self = Self::on(self.database.clone(), self.arguments.clone());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The process may have ended already, so errors are ignored.
        drop(self.process.kill());
        drop(self.process.wait());
        if !std::thread::panicking() {
            assert_eq!(secrets::found_in(&self.log.whole()), None, "a secret is in the log");
        }
    }
}

/// The log of a server so far.
struct Log {
    kept: Arc<Mutex<String>>,
    /// The thread that reads the log. It ends with the server.
    reader: Option<JoinHandle<()>>,
}

impl Log {
    /// The log of a server that has ended.
    fn whole(&mut self) -> String {
        drop(self.reader.take().map(JoinHandle::join));
        self.kept.lock().expect("no panic").clone()
    }
}

/// Stores the server's log, and prints it.
fn kept(log: ChildStderr) -> Log {
    let kept = Arc::new(Mutex::new(String::new()));
    let keeping = kept.clone();
    let reader = std::thread::spawn(move || {
        for line in BufReader::new(log).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line);
            eprintln!("{line}");
            let mut kept = keeping.lock().expect("no panic");
            kept.push_str(&line);
            kept.push('\n');
        }
    });
    Log { kept, reader: Some(reader) }
}

/// A browser, which keeps its cookies and sends requests as the server's own pages do.
pub(crate) struct Client {
    agent: Agent,
    base: String,
    origin: String,
    cookie: Mutex<Option<String>>,
    /// The device cookie.
    device: Mutex<Option<String>>,
}

/// An answer of the server.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    /// The body as text. Bytes that are no text are replaced.
    pub(crate) text: String,
    pub(crate) bytes: Vec<u8>,
}

impl Answer {
    /// The JSON body.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }

    /// Asserts that the answer has this status, and returns the JSON body.
    pub(crate) fn ok(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        self.json()
    }

    /// Asserts that the answer is a problem with this status and code, and returns it.
    pub(crate) fn problem(&self, status: u16, code: &str) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        let kind = self.headers.get("content-type").and_then(|value| value.to_str().ok());
        assert_eq!(kind, Some("application/problem+json"), "{self:?}");
        let problem = self.json();
        assert_eq!((&problem["code"], &problem["status"]), (&json!(code), &json!(status)), "{problem}");
        assert!(problem["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{problem}");
        assert!(self.headers.contains_key("x-request-id"), "{self:?}");
        problem
    }

    /// Asserts that the answer is a 422 on these fields.
    pub(crate) fn invalid(&self, fields: &[&str]) {
        let problem = self.problem(422, "invalid_fields");
        let errors = problem["errors"].as_array().cloned().unwrap_or_default();
        let found: Vec<&str> = errors.iter().filter_map(|error| error["field"].as_str()).collect();
        assert_eq!(found, fields, "{problem}");
    }
}

impl Client {
    pub(crate) fn new(base: &str) -> Self {
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(Duration::from_secs(240)))
            // The server closes a connection that is idle for 5 s, and a new request may be under way at that moment.
            // So the client stops using an idle connection earlier.
            .max_idle_age(Duration::from_secs(2))
            .build()
            .into();
        let origin = base.to_owned();
        Self { agent, base: base.to_owned(), origin, cookie: Mutex::new(None), device: Mutex::new(None) }
    }

    /// Makes the browser show pages of this origin, which a proxy leads to the server.
    pub(crate) fn at(self, origin: &str) -> Self {
        Self { origin: origin.to_owned(), ..self }
    }

    /// The session cookie that this browser would send.
    pub(crate) fn cookie(&self) -> Option<String> {
        self.cookie.lock().expect("no panic").clone()
    }

    /// Makes the browser send this cookie from now on.
    pub(crate) fn with_cookie(self, cookie: Option<String>) -> Self {
        *self.cookie.lock().expect("no panic") = cookie;
        self
    }

    /// Sends a request. `None` if the connection broke.
    pub(crate) fn try_send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Vec<u8>,
    ) -> Option<Answer> {
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.base));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let device = self.device.lock().expect("no panic").clone();
        let cookies: Vec<String> = self.cookie().into_iter().chain(device).collect();
        if !cookies.is_empty() {
            request = request.header("Cookie", cookies.join("; "));
        }
        let request = request.body(body).expect("a request");
        let mut response = self.agent.run(request).ok()?;
        self.keep_cookies(response.headers());
        let mut bytes = Vec::new();
        response.body_mut().as_reader().read_to_end(&mut bytes).ok()?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let answer = Answer { status, headers, text, bytes };
        secrets::note_those_in(&answer);
        Some(answer)
    }

    fn keep_cookies(&self, headers: &HeaderMap) {
        for value in headers.get_all("set-cookie").iter().filter_map(|value| value.to_str().ok()) {
            let pair = value.split(';').next().unwrap_or_default();
            let is_gone = pair.ends_with('=') || value.contains("Max-Age=0");
            let is_device = pair.split('=').next().is_some_and(|name| name.ends_with("-device"));
            let kept = if is_device { &self.device } else { &self.cookie };
            *kept.lock().expect("no panic") = (!is_gone).then(|| pair.to_owned());
        }
    }

    /// Sends a request and returns the answer.
    pub(crate) fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        self.try_send(method, path, headers, body.as_bytes().to_vec())
            .unwrap_or_else(|| panic!("no answer to {method} {path}"))
    }

    /// Sends a request as our own pages do.
    pub(crate) fn page(&self, method: &str, path: &str, body: Option<&Value>) -> Answer {
        self.page_with(method, path, &[], body)
    }

    /// Sends a request as our own pages do, with further headers.
    pub(crate) fn page_with(
        &self,
        method: &str,
        path: &str,
        further: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Answer {
        let mut headers = vec![("Origin", self.origin.as_str())];
        let text = body.map(Value::to_string).unwrap_or_default();
        if body.is_some() {
            headers.push(("Content-Type", "application/json"));
        }
        headers.extend_from_slice(further);
        self.send(method, path, &headers, &text)
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.page("GET", path, None)
    }

    pub(crate) fn post(&self, path: &str, body: Value) -> Answer {
        self.page("POST", path, Some(&body))
    }

    pub(crate) fn delete(&self, path: &str) -> Answer {
        self.page("DELETE", path, None)
    }

    /// Registers a user, who stays signed in.
    pub(crate) fn register(&self, email: &str) -> Value {
        self.post("/api/auth/register", json!({"email": email, "password": "secret"})).ok(201)
    }

    /// The same client after it has registered a user of this name.
    pub(crate) fn signed_up(self, name: &str) -> Self {
        self.register(&format!("{name}@example.com"));
        self
    }

    /// The user's balance in Bolts.
    pub(crate) fn bolts(&self) -> i64 {
        self.get("/api/auth/user").ok(200)["boltsBalance"].as_i64().expect("a number")
    }

    /// Creates a public bet with this stake on option A that expires in an hour.
    pub(crate) fn bet(&self, stake: i64) -> Value {
        self.bet_with(json!({"stakeAmount": stake}))
    }

    /// Creates a bet. The given fields replace the default fields.
    pub(crate) fn bet_with(&self, fields: Value) -> Value {
        self.post("/api/bets", new_bet(fields)).ok(201)
    }

    /// Accepts the bet on the free side.
    pub(crate) fn accept(&self, bet: &Value) -> Answer {
        let other = if bet["creatorChoice"] == "A" { "B" } else { "A" };
        self.post(
            "/api/bets/accept",
            json!({"betId": bet["id"], "chosenOption": other, "shareToken": bet["shareToken"]}),
        )
    }

    /// Performs an action on a bet.
    pub(crate) fn act(&self, bet: &Value, action: &str, body: Value) -> Answer {
        self.post(&format!("/api/bets/{}/{action}", id(bet)), body)
    }

    /// The current state of the bet.
    pub(crate) fn see(&self, bet: &Value) -> Value {
        self.get(&format!("/api/bets/{}", id(bet))).ok(200)
    }
}

/// The id of a bet.
pub(crate) fn id(bet: &Value) -> &str {
    bet["id"].as_str().expect("a bet has an id")
}

/// The time `seconds` from now, in RFC 3339.
pub(crate) fn in_seconds(seconds: i64) -> String {
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed().expect("after 1970");
    let micros = i64::try_from(now.as_micros()).expect("before 9999") + seconds * 1_000_000;
    bolts_kernel::Timestamp::from_micros(micros).expect("in range").to_string()
}

/// The body of a request to create a bet. The given fields replace the default fields.
pub(crate) fn new_bet(fields: Value) -> Value {
    let mut body = json!({
        "title": "Will it snow on Friday?",
        "description": "In Central Park, by the weather service's daily report.",
        "optionA": "Snow",
        "optionB": "No snow",
        "stakeAmount": 200,
        "currencyType": "bolts",
        "category": "Weather",
        "isPrivate": false,
        "isPublic": true,
        "resolutionMethod": "Mutual Agreement",
        "sourceUrl": "https://example.com/report",
        "creatorOption": "A",
        "expiresAt": in_seconds(3_600),
    });
    for (name, value) in fields.as_object().expect("an object") {
        body[name] = value.clone();
    }
    // `isPublic` must be the opposite of `isPrivate`. If the test sets only `isPrivate`, the harness adds `isPublic`.
    if let (Some(private), None) = (fields["isPrivate"].as_bool(), fields.get("isPublic")) {
        body["isPublic"] = json!(!private);
    }
    body
}

/// The number in a variable of the environment. `just prove-long` sets such variables, which make tests longer.
pub(crate) fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().and_then(|number| number.parse().ok())
}

/// Measures until one time is within the limit, at most five times, because other load can only make a time
/// longer.
pub(crate) fn at_best_within(limit: Duration, mut time: impl FnMut(u32) -> Duration) {
    let is_within = (1..=5).any(|attempt| time(attempt) < limit);
    assert!(is_within, "never within {limit:?}");
}

/// The number of seconds that suffices for this number of rounds, at least `least`. Plays one round to measure it, because a
/// busy machine needs more seconds.
pub(crate) fn seconds_for(rounds: usize, least: u64, round: impl FnOnce()) -> u64 {
    let started = Instant::now();
    round();
    least.max((6.0 * started.elapsed().as_secs_f64() * rounds as f64).ceil() as u64)
}

/// A lifetime in seconds, at least `least`, that is long enough to create and accept this number of bets on this machine. To measure
/// the machine, `user` creates and deletes a bet.
pub(crate) fn lifetime(bets: usize, least: u64, user: &Client) -> i64 {
    let round = || drop(user.delete(&format!("/api/bets/{}", id(&user.bet(1)))).ok(200));
    seconds_for(bets, least, round).cast_signed()
}

/// Repeats the attempt until it succeeds. Fails after `within`.
pub(crate) fn eventually<T>(what: &str, within: Duration, mut attempt: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = attempt() {
            return found;
        }
        assert!(started.elapsed() < within, "not within {within:?}: {what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}
