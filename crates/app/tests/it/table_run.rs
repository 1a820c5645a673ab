//! Reads the tables of `table.rs` and `arbiter_table.rs`, creates every situation, and compares the server's answers.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Answer, Client, Server, eventually, id, in_seconds, seconds_for};
use crate::pictures::{png, upload_as};

/// The actors of a table of bets without an arbiter, and of a table of bets with one.
const ACTORS: &str = "anonymous stranger creator acceptor admin boss chief";
const ACTORS_WITH_ARBITER: &str = "anonymous stranger creator acceptor admin arbiter";

/// The status of the arbiter of a bet that has none.
pub(crate) const NO_ARBITER: &str = "none";

/// The minimum time from the start of a run until its bets expire, in seconds. Before that, the bets must be created
/// and accepted.
const EXPIRY: u64 = 8;

/// A cell of a table: an actor's action in a situation, and the expected answer.
#[derive(Clone, Debug)]
struct Case {
    action: &'static str,
    arbiter: &'static str,
    situation: &'static str,
    actor: &'static str,
    answer: &'static str,
}

/// The cells of one table. For each action, each combination of arbiter, situation and actor occurs once.
pub(crate) struct Table {
    cases: Vec<Case>,
    method: &'static str,
}

/// The situations, actors or statuses of the arbiter that a word of a table stands for.
fn spelled(word: &'static str, situations: &'static str) -> Vec<&'static str> {
    let names = match word {
        "all" => situations,
        "users" => "stranger creator acceptor admin boss chief",
        "creators" => "creator boss",
        "acceptors" => "acceptor chief",
        "parties" => "creator boss acceptor chief",
        "outsiders" => "stranger admin",
        "others" => "stranger acceptor admin chief",
        "admins" => "admin boss chief",
        "everybody" => ACTORS_WITH_ARBITER,
        "public" => "pending accepted awaiting disputed resolved cancelled",
        "any" => "invited accepted declined resigned",
        "active" => "invited accepted",
        "gone" => "declined resigned",
        other => other,
    };
    names.split_whitespace().collect()
}

impl Table {
    /// Parses a table. Its rows must cover each of these statuses of the arbiter and each of these situations for every
    /// actor. Rows about bets without an arbiter lack the cell of the arbiter.
    pub(crate) fn parse(
        text: &'static str,
        arbiters: &'static str,
        situations: &'static str,
        method: &'static str,
    ) -> Self {
        let (mut actions, mut all, mut cases) = (Vec::new(), Vec::new(), Vec::new());
        for line in text.lines().filter(|line| !line.is_empty()) {
            if !line.starts_with(' ') {
                actions = line.split(", ").collect();
                all.extend(
                    actions.iter().copied().filter(|action| !all.contains(action)).collect::<Vec<_>>(),
                );
                continue;
            }
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let (arbiters, wheres, whos, answer) = match cells[..] {
                [wheres, whos, answer] => (NO_ARBITER, wheres, whos, answer),
                [arbiters, wheres, whos, answer] => (arbiters, wheres, whos, answer),
                _ => panic!("three or four cells in {line:?}"),
            };
            let expand = |cell: &'static str| {
                cell.split_whitespace().flat_map(|word| spelled(word, situations)).collect::<Vec<_>>()
            };
            for action in &actions {
                for arbiter in expand(arbiters) {
                    for situation in expand(wheres) {
                        let case = |actor| Case { action, arbiter, situation, actor, answer };
                        cases.extend(expand(whos).into_iter().map(case));
                    }
                }
            }
        }
        Self::assert_whole(&cases, &all, arbiters, situations);
        Self { cases, method }
    }

    fn assert_whole(cases: &[Case], actions: &[&str], arbiters: &str, situations: &str) {
        let actors = if arbiters == NO_ARBITER { ACTORS } else { ACTORS_WITH_ARBITER };
        let wheres: Vec<(&str, &str)> = arbiters
            .split_whitespace()
            .flat_map(|arbiter| situations.split_whitespace().map(move |situation| (arbiter, situation)))
            .collect();
        for action in actions.iter().copied() {
            for (arbiter, situation) in wheres.iter().copied() {
                for actor in actors.split_whitespace() {
                    let named = |case: &&Case| {
                        (case.action, case.arbiter, case.situation, case.actor)
                            == (action, arbiter, situation, actor)
                    };
                    let rows = cases.iter().filter(named).count();
                    assert_eq!(rows, 1, "rows about {actor}, {action:?}, {situation}, arbiter {arbiter}");
                }
            }
        }
        let expected = actions.len() * wheres.len() * actors.split_whitespace().count();
        assert_eq!(cases.len(), expected, "a row has a word that the table lacks");
    }
}

/// A server, and a client for each actor.
pub(crate) struct World {
    server: Server,
    clients: HashMap<&'static str, Client>,
}

/// The bet that a case acts on. Refusals share a bet, because they must not change it. Each success has its
/// own bet.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Stage {
    arbiter: &'static str,
    situation: &'static str,
    method: &'static str,
    creator: &'static str,
    acceptor: &'static str,
    own: Option<usize>,
}

fn stage_of(case: &Case, method: &'static str, index: usize) -> Stage {
    let creator = if case.actor == "boss" { "boss" } else { "creator" };
    let acceptor = if case.actor == "chief" { "chief" } else { "acceptor" };
    let own = case.answer.starts_with("200 ").then_some(index);
    Stage { arbiter: case.arbiter, situation: case.situation, method, creator, acceptor, own }
}

fn is_late(situation: &str) -> bool {
    matches!(situation, "expired" | "accepted+" | "awaiting+")
}

impl World {
    pub(crate) fn start(options: &[&str]) -> Self {
        let server = Server::start_with(options);
        let mut clients = HashMap::from([("anonymous", server.client())]);
        for name in ["stranger", "creator", "acceptor", "arbiter"] {
            clients.insert(name, server.user(name));
        }
        let named = json!({"username": "umpire"});
        clients["arbiter"].page("PATCH", "/api/auth/profile", Some(&named)).ok(200);
        for name in ["admin", "boss", "chief"] {
            clients.insert(name, server.admin(name));
        }
        Self { server, clients }
    }

    fn of(&self, name: &str) -> &Client {
        self.clients.get(name).unwrap_or_else(|| panic!("nobody is called {name}"))
    }

    /// Runs all cases of these tables. Fails with a list of the cases whose answers differ from the tables.
    pub(crate) fn run(&self, tables: &[Table]) {
        let cases: Vec<(Case, Stage)> = tables
            .iter()
            .flat_map(|table| table.cases.iter().map(|case| (case.clone(), table.method)))
            .enumerate()
            .map(|(index, (case, method))| (case.clone(), stage_of(&case, method, index)))
            .collect();
        let stages = self.set_up(cases.iter().map(|(_, stage)| stage));
        let before = self.untouched(&stages);
        let wrong: Vec<String> =
            cases.iter().filter_map(|(case, stage)| self.judge(case, &stages[stage])).collect();
        assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
        assert_eq!(before, self.untouched(&stages), "a refusal changed a bet");
        self.server.assert_audit_clean();
    }

    /// Creates all bets, beginning with those that expire. Waits until these have expired, and until the time of each late
    /// arbiter is over.
    fn set_up<'a>(&self, needed: impl Iterator<Item = &'a Stage> + Clone) -> HashMap<Stage, Value> {
        let late: HashSet<&Stage> = needed.clone().filter(|stage| is_late(stage.situation)).collect();
        let expiry = (!late.is_empty()).then(|| self.time_for(late.len()));
        let started = Instant::now();
        let soon = expiry.map(|expiry| in_seconds(expiry.cast_signed()));
        let mut stages = HashMap::new();
        for late in [true, false] {
            for stage in needed.clone().filter(|stage| is_late(stage.situation) == late) {
                if !stages.contains_key(stage) {
                    stages.insert(stage.clone(), self.make(stage, soon.as_deref().filter(|_| late)));
                }
            }
            let (taken, limit) = (started.elapsed(), expiry.filter(|_| late).map(Duration::from_secs));
            assert!(limit.is_none_or(|limit| taken < limit), "set up too slowly to test: {taken:?}");
        }
        if let Some(expiry) = expiry {
            // Sleeps until one second after the expiry, so that waiting times of one second have passed too.
            let wait = Duration::from_millis(expiry * 1_000 + 1_100);
            std::thread::sleep(wait.saturating_sub(started.elapsed()));
        }
        for (stage, bet) in stages.iter().filter(|(stage, _)| stage.arbiter == "late") {
            self.pass(stage, bet);
        }
        stages
    }

    /// Waits until the arbiter's time is over. Then an admin ends the bet, if it has ended in this situation.
    fn pass(&self, stage: &Stage, bet: &Value) {
        eventually("the hand-over", Duration::from_secs(60), || {
            (self.of("creator").see(bet)["arbiter"]["status"] == "out_of_time").then_some(())
        });
        match stage.situation {
            "disputed" | "hidden" => {}
            "resolved" => drop(send(self.of("admin"), "rule A", bet).ok(200)),
            "cancelled" => drop(send(self.of("admin"), "refund", bet).ok(200)),
            other => panic!("no arbiter is late when a bet is {other}"),
        }
    }

    /// The number of seconds that suffices to create this number of bets.
    fn time_for(&self, bets: usize) -> u64 {
        seconds_for(bets, EXPIRY, || {
            let bet = self.of("creator").bet(1);
            self.of("acceptor").accept(&bet).ok(200);
        })
    }

    fn make(&self, stage: &Stage, expiry: Option<&str>) -> Value {
        let (creator, acceptor) = (self.of(stage.creator), self.of(stage.acceptor));
        let mut fields = json!({"stakeAmount": 1, "resolutionMethod": stage.method});
        if let Some(expiry) = expiry {
            fields["expiresAt"] = json!(expiry);
        }
        fields["isPrivate"] = json!(matches!(stage.situation, "private" | "hidden"));
        if stage.arbiter != NO_ARBITER {
            fields["arbiter"] = json!("Umpire");
        }
        let bet = creator.bet_with(fields);
        for action in answers_of(stage.arbiter) {
            send(self.of("arbiter"), action, &bet).ok(200);
        }
        if !matches!(stage.situation, "pending" | "expired" | "private" | "deleted") {
            acceptor.accept(&bet).ok(200);
        }
        let propose = || creator.act(&bet, "propose-resolution", json!({"winningOption": "A"})).ok(200);
        let end = || creator.act(&bet, "early-resolution", json!({})).ok(200);
        let dispute = || creator.act(&bet, "dispute", json!({"reason": "Please look."})).ok(200);
        // The arbiter's time begins with a dispute.
        let situation = if stage.arbiter == "late" { "disputed" } else { stage.situation };
        match situation {
            "pending" | "expired" | "private" | "accepted" | "accepted+" => Value::Null,
            "awaiting" | "awaiting+" => end(),
            "proposed" => propose(),
            "disputed" | "hidden" => [end(), dispute()].into(),
            "disputed/p" => [propose(), dispute()].into(),
            "resolved" => {
                propose();
                acceptor.act(&bet, "respond-resolution", json!({"accept": true})).ok(200)
            }
            "cancelled" => self.of("admin").post(&admins_path(&bet, "/refund"), json!({})).ok(200),
            "deleted" => creator.delete(&format!("/api/bets/{}", id(&bet))).ok(200),
            other => panic!("no situation is called {other}"),
        };
        bet
    }

    /// The bets on which every action was refused, as an admin sees them. Bets that the clock may change are left out.
    fn untouched(&self, stages: &HashMap<Stage, Value>) -> HashMap<String, Value> {
        let shared = stages.iter().filter(|(stage, _)| stage.own.is_none() && !is_late(stage.situation));
        let see = |bet: &Value| self.of("admin").get(&format!("/api/bets/{}", id(bet))).json();
        shared.map(|(_, bet)| (id(bet).to_owned(), see(bet))).collect()
    }

    /// The name of this case's action in the field `actions`, and whether this actor's answer lists the action. `None`
    /// if the actor does not see the bet, or if the case only reads.
    fn lists(&self, case: &Case, bet: &Value) -> Option<(&'static str, bool)> {
        let name = listed_as(case)?;
        let by_link = matches!(case.action, "accept by id and token" | "accept by token");
        let read = if by_link { "read by token" } else { "read" };
        let answer = send(self.of(case.actor), read, bet);
        if answer.status == 404 {
            return None;
        }
        let seen = answer.ok(200);
        let actions = seen["actions"].as_array().unwrap_or_else(|| panic!("no actions in {seen}"));
        Some((name, actions.iter().any(|action| action == name)))
    }

    /// The difference between the server's answer to this case and the expected answer, if they differ.
    fn judge(&self, case: &Case, bet: &Value) -> Option<String> {
        let Case { action, arbiter, situation, actor, answer: expected } = case;
        let listed = self.lists(case, bet);
        let answer = send(self.of(case.actor), case.action, bet);
        let said = told(&answer, case.answer.contains(' '));
        if let Some((name, is_listed)) = listed
            && is_listed != is_open(case, &said)
        {
            let listed = format!("{said}, but {name} listed: {is_listed}");
            return Some(format!("{action} | {arbiter} | {situation} | {actor}: {listed}"));
        }
        let wrong = || format!("{action} | {arbiter} | {situation} | {actor}: {expected}, but got {said}");
        (said != *expected).then(wrong)
    }
}

/// The answers to the invitation after which the arbiter has this status.
fn answers_of(arbiter: &str) -> &'static [&'static str] {
    match arbiter {
        NO_ARBITER | "invited" => &[],
        "accepted" | "late" => &["serve"],
        "declined" => &["leave"],
        "resigned" => &["serve", "leave"],
        other => panic!("no arbiter is {other}"),
    }
}

/// The name of a case's action in a bet's `actions`. `None` for a request that reads or writes a message.
fn listed_as(case: &Case) -> Option<&'static str> {
    match case.action {
        "read" | "timeline" | "messages" | "write" | "attach" => None,
        "read by token" | "read with token" | "timeline with token" | "messages with token" => None,
        "accept" | "accept taken" => Some("accept"),
        "accept by id and token" | "accept by token" => Some("accept"),
        // A wrong token is an error of the request, and not a rule about the action.
        "accept by wrong token" => None,
        "delete" => Some("delete"),
        "early-resolution" => Some("end_early"),
        "propose A" | "propose void" => Some("propose"),
        "agree" => Some("accept_proposal"),
        "reject" => Some("reject_proposal"),
        "dispute" => Some("dispute"),
        // The arbiter and the admins rule by different requests, and both have the same name in the list.
        "rule A" | "rule void" => (case.actor != "arbiter").then_some("rule"),
        "arbitrate" => (case.actor != "admin").then_some("rule"),
        "refund" => Some("refund"),
        "admin delete" => Some("admin_delete"),
        "serve" => Some("accept_arbitration"),
        "leave" if case.arbiter == "invited" => Some("decline_arbitration"),
        "leave" => Some("resign_arbitration"),
        other => panic!("no action is called {other}"),
    }
}

/// Whether the answer means that the actor may perform the action. This includes the refusal of a taken option, because
/// the actor may accept with the other option. A repeated early resolution or answer of the arbiter gets a 200 but changes
/// nothing, so the bet does not list this action.
fn is_open(case: &Case, said: &str) -> bool {
    let is_repeated = match case.action {
        "early-resolution" => matches!(case.situation, "awaiting" | "proposed"),
        "serve" => case.arbiter == "accepted",
        "leave" => matches!(case.arbiter, "declined" | "resigned"),
        _ => false,
    };
    said == "409 option_taken" || (said.starts_with("200 ") && !is_repeated)
}

fn admins_path(bet: &Value, action: &str) -> String {
    format!("/api/admin/bets/{}{action}", id(bet))
}

/// An answer in the notation of the tables. The new state of the bet is included only if `whole`.
fn told(answer: &Answer, whole: bool) -> String {
    let body = answer.json();
    let status = answer.status;
    if status == 201 {
        let kind = if body["isEvidence"] == true { " evidence" } else { "" };
        return format!("201{kind}");
    }
    if status != 200 {
        let code = body["code"].as_str().unwrap_or("without a code");
        answer.problem(status, code);
        return format!("{status} {code}");
    }
    let became = [&body["status"], &body["bet"]["status"]].into_iter().find_map(Value::as_str);
    let became = became.or((body["ok"] == true).then_some("ok")).unwrap_or("without a bet");
    if whole { format!("{status} {became}") } else { status.to_string() }
}

fn send(client: &Client, action: &str, bet: &Value) -> Answer {
    let (token, path) = (bet["shareToken"].as_str().unwrap_or_default(), format!("/api/bets/{}", id(bet)));
    let accept = |body: Value| client.post("/api/bets/accept", body);
    let rule = |outcome| client.post(&admins_path(bet, "/rule"), json!({"outcome": outcome, "note": ""}));
    match action {
        "read" => client.get(&path),
        "timeline" => client.get(&format!("{path}/timeline")),
        "messages" => client.get(&format!("{path}/messages")),
        "messages with token" => client.get(&format!("{path}/messages?token={token}")),
        "read by token" => client.get(&format!("/api/bets/{token}")),
        "read with token" => client.get(&format!("{path}?token={token}")),
        "timeline with token" => client.get(&format!("{path}/timeline?token={token}")),
        "accept" => accept(json!({"betId": bet["id"], "chosenOption": "B"})),
        "accept taken" => accept(json!({"betId": bet["id"], "chosenOption": "A"})),
        "accept by id and token" => {
            accept(json!({"betId": bet["id"], "chosenOption": "B", "shareToken": token}))
        }
        "accept by token" => accept(json!({"shareToken": token, "option": "B"})),
        "accept by wrong token" => accept(json!({"shareToken": token.to_lowercase() + "x", "option": "B"})),
        "delete" => client.delete(&path),
        "early-resolution" => client.act(bet, action, json!({})),
        "propose A" => client.act(bet, "propose-resolution", json!({"winningOption": "A"})),
        "propose void" => client.act(bet, "propose-resolution", json!({"winningOption": "void"})),
        "agree" => client.act(bet, "respond-resolution", json!({"accept": true})),
        "reject" => client.act(bet, "respond-resolution", json!({"accept": false})),
        "dispute" => client.act(bet, action, json!({"reason": "Please look."})),
        "rule A" => rule("A"),
        "rule void" => rule("void"),
        "refund" => client.post(&admins_path(bet, "/refund"), json!({})),
        "admin delete" => client.delete(&admins_path(bet, "")),
        "serve" => client.act(bet, "arbiter", json!({"accept": true})),
        "leave" => client.act(bet, "arbiter", json!({"accept": false})),
        "arbitrate" => client.act(bet, "rule", json!({"outcome": "A", "note": "Seen on the radar."})),
        "write" => client.act(bet, "messages", json!({"text": "I was there."})),
        "attach" => upload_as(client, bet, &[("picture", &png())]),
        other => panic!("no action is called {other}"),
    }
}
