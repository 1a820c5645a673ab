//! Reads the tables of `table.rs`, creates every situation, and compares the server's answers.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Answer, Client, Server, id, in_seconds, seconds_for};

const ACTORS: &str = "anonymous stranger creator acceptor admin boss chief";

/// The minimum time from the start of a run until its bets expire, in seconds. Before that, the bets must be created
/// and accepted.
const EXPIRY: u64 = 8;

/// A cell of a table: an actor's action in a situation, and the expected answer.
#[derive(Clone, Debug)]
struct Case {
    action: &'static str,
    situation: &'static str,
    actor: &'static str,
    answer: &'static str,
}

/// The cells of one table. For each action, each pair of situation and actor occurs once.
pub(crate) struct Table {
    cases: Vec<Case>,
    method: &'static str,
}

/// The situations or actors that a word of a table stands for.
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
        other => other,
    };
    names.split_whitespace().collect()
}

impl Table {
    /// Parses a table. Its rows must cover each of these situations for every actor.
    pub(crate) fn parse(text: &'static str, situations: &'static str, method: &'static str) -> Self {
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
            let [wheres, whos, answer] = cells[..] else { panic!("three cells in {line:?}") };
            let expand = |cell: &'static str| {
                cell.split_whitespace().flat_map(|word| spelled(word, situations)).collect::<Vec<_>>()
            };
            for action in &actions {
                for situation in expand(wheres) {
                    let row = expand(whos).into_iter().map(|actor| Case { action, situation, actor, answer });
                    cases.extend(row);
                }
            }
        }
        Self::assert_whole(&cases, &all, situations);
        Self { cases, method }
    }

    fn assert_whole(cases: &[Case], actions: &[&str], situations: &str) {
        for action in actions {
            for situation in situations.split_whitespace() {
                for actor in ACTORS.split_whitespace() {
                    let named = |case: &&Case| {
                        (case.action, case.situation, case.actor) == (action, situation, actor)
                    };
                    let rows = cases.iter().filter(named).count();
                    assert_eq!(rows, 1, "rows that say what {actor} gets for {action:?} when {situation}");
                }
            }
        }
        let expected =
            actions.len() * situations.split_whitespace().count() * ACTORS.split_whitespace().count();
        assert_eq!(cases.len(), expected, "a row names a situation or an actor that there is not");
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
    Stage { situation: case.situation, method, creator, acceptor, own }
}

fn is_late(situation: &str) -> bool {
    matches!(situation, "expired" | "accepted+" | "awaiting+")
}

impl World {
    pub(crate) fn start(options: &[&str]) -> Self {
        let lifted = ["--signups-per-hour", "0", "--signins-per-minute", "0"];
        let server = Server::start_with(&[lifted.as_slice(), options].concat());
        let mut clients = HashMap::from([("anonymous", server.client())]);
        for name in ["stranger", "creator", "acceptor"] {
            clients.insert(name, server.user(name));
        }
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

    /// Creates all bets, beginning with those that expire, and waits until they have expired.
    fn set_up<'a>(&self, needed: impl Iterator<Item = &'a Stage> + Clone) -> HashMap<Stage, Value> {
        let late: HashSet<&Stage> = needed.clone().filter(|stage| is_late(stage.situation)).collect();
        let expiry = self.time_for(late.len());
        let started = Instant::now();
        let soon = in_seconds(expiry.cast_signed());
        let mut stages = HashMap::new();
        for late in [true, false] {
            for stage in needed.clone().filter(|stage| is_late(stage.situation) == late) {
                if !stages.contains_key(stage) {
                    let expiry = late.then_some(soon.as_str());
                    stages.insert(stage.clone(), self.make(stage, expiry));
                }
            }
            let taken = started.elapsed();
            assert!(!late || taken < Duration::from_secs(expiry), "set up too slowly to test: {taken:?}");
        }
        // Sleeps until one second after the expiry, so that waiting times of one second have passed too.
        std::thread::sleep(Duration::from_millis(expiry * 1_000 + 1_100).saturating_sub(started.elapsed()));
        stages
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
        fields["isPrivate"] = json!(stage.situation == "private");
        let bet = creator.bet_with(fields);
        if !matches!(stage.situation, "pending" | "expired" | "private" | "deleted") {
            acceptor.accept(&bet).ok(200);
        }
        let propose = || creator.act(&bet, "propose-resolution", json!({"winningOption": "A"})).ok(200);
        let end = || creator.act(&bet, "early-resolution", json!({})).ok(200);
        let dispute = || creator.act(&bet, "dispute", json!({"reason": "Please look."})).ok(200);
        match stage.situation {
            "pending" | "expired" | "private" | "accepted" | "accepted+" => Value::Null,
            "awaiting" | "awaiting+" => end(),
            "proposed" => propose(),
            "disputed" => [end(), dispute()].into(),
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
        let name = listed_as(case.action)?;
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
        let Case { action, situation, actor, answer: expected } = case;
        let listed = self.lists(case, bet);
        let answer = send(self.of(case.actor), case.action, bet);
        let said = told(&answer, case.answer.contains(' '));
        if let Some((name, is_listed)) = listed
            && is_listed != is_open(case, &said)
        {
            return Some(format!("{action} | {situation} | {actor}: {said}, but {name} listed: {is_listed}"));
        }
        (said != *expected).then(|| format!("{action} | {situation} | {actor}: {expected}, but got {said}"))
    }
}

/// The name of an action of the tables in a bet's `actions`. `None` for a request that only reads.
fn listed_as(action: &str) -> Option<&'static str> {
    match action {
        "read" | "timeline" | "messages" => None,
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
        "rule A" | "rule void" => Some("rule"),
        "refund" => Some("refund"),
        "admin delete" => Some("admin_delete"),
        other => panic!("no action is called {other}"),
    }
}

/// Whether the answer means that the actor may perform the action. This includes the refusal of a taken option, because
/// the actor may accept with the other option. A repeated early resolution gets a 200 but changes nothing, so the bet
/// does not list this action.
fn is_open(case: &Case, said: &str) -> bool {
    let is_repeated = case.action == "early-resolution" && matches!(case.situation, "awaiting" | "proposed");
    said == "409 option_taken" || (said.starts_with("200 ") && !is_repeated)
}

fn admins_path(bet: &Value, action: &str) -> String {
    format!("/api/admin/bets/{}{action}", id(bet))
}

/// An answer in the notation of the tables. The new state of the bet is included only if `whole`.
fn told(answer: &Answer, whole: bool) -> String {
    let body = answer.json();
    let status = answer.status;
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
        other => panic!("no action is called {other}"),
    }
}
