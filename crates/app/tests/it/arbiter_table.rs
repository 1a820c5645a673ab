//! Who may do what with a bet that has an arbiter, over HTTP: every action by every actor, for every status of the bet and
//! every status of the arbiter. The expectations come from `docs/domain-rules.md#the-arbiter`.
//!
//! A row has the form `arbiters | situations | actors | answer`. The answer is the HTTP status with the code of a
//! refusal or with the new status of the bet. Each combination must occur in exactly one row of an action.
//!
//! **Arbiters**: `invited`, `accepted`, `declined`, `resigned`, and `late`, whose time to rule is over. `active` is
//! invited and accepted, `gone` is declined and resigned.
//!
//! **Situations**: the statuses of a bet; `disputed` awaits its resolution with a dispute; `private` is pending, and the
//! request has no token. `public` are all others. On a bet without acceptance, the acceptor is another stranger.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{Answer, Client, Server, eventually, id};

const ACTORS: &str = "anonymous creator acceptor arbiter admin stranger";

const TABLE: &str = "
read
  any      | public                                 | all                                 | 200
  any      | private                                | anonymous acceptor stranger         | 404 bet_not_found
  any      | private                                | creator admin                       | 200
  active   | private                                | arbiter                             | 200
  gone     | private                                | arbiter                             | 404 bet_not_found
take
  any      | public private                         | anonymous                           | 401 not_signed_in
  any      | public private                         | creator                             | 403 own_bet
  any      | public                                 | arbiter                             | 403 is_arbiter
  active   | private                                | arbiter                             | 403 is_arbiter
  gone     | private                                | arbiter                             | 404 bet_not_found
  any      | private                                | acceptor stranger                   | 404 bet_not_found
  any      | private                                | admin                               | 200 accepted
  any      | pending                                | acceptor admin stranger             | 200 accepted
  any      | live awaiting disputed resolved cancelled | acceptor admin stranger          | 409 bet_not_pending
serve, leave, arbitrate
  any      | public private                         | anonymous                           | 401 not_signed_in
  any      | private                                | acceptor stranger                   | 404 bet_not_found
  gone     | private                                | arbiter                             | 404 bet_not_found
  any      | private                                | creator admin                       | 403 not_arbiter
  any      | public                                 | creator acceptor admin stranger     | 403 not_arbiter
serve, leave
  active   | pending private                        | arbiter                             | 200 pending
  active   | live                                   | arbiter                             | 200 accepted
  active   | awaiting                               | arbiter                             | 200 awaiting_resolution
  any      | resolved                               | arbiter                             | 409 bet_already_resolved
  any      | cancelled                              | arbiter                             | 409 bet_cancelled
  accepted | disputed                               | arbiter                             | 200 awaiting_resolution
serve
  invited  | disputed                               | arbiter                             | 409 bet_disputed
  gone     | pending live awaiting disputed         | arbiter                             | 409 arbiter_gone
leave
  invited  | disputed                               | arbiter                             | 200 awaiting_resolution
  gone     | pending                                | arbiter                             | 200 pending
  gone     | live                                   | arbiter                             | 200 accepted
  gone     | awaiting disputed                      | arbiter                             | 200 awaiting_resolution
arbitrate
  gone     | public                                 | arbiter                             | 403 not_arbiter
  active   | pending live cancelled private         | arbiter                             | 409 bet_not_awaiting_resolution
  active   | awaiting                               | arbiter                             | 409 bet_not_disputed
  active   | resolved                               | arbiter                             | 409 bet_already_resolved
  invited  | disputed                               | arbiter                             | 403 not_allowed
  accepted | disputed                               | arbiter                             | 200 resolved
rule, refund
  any      | public private                         | anonymous                           | 401 not_signed_in
  any      | public private                         | creator acceptor arbiter stranger   | 403 not_allowed
  any      | resolved                               | admin                               | 409 bet_already_resolved
  accepted | disputed                               | admin                               | 409 arbiter_rules
rule
  any      | pending live cancelled private         | admin                               | 409 bet_not_awaiting_resolution
  any      | awaiting                               | admin                               | 409 bet_not_disputed
  invited gone | disputed                           | admin                               | 200 resolved
refund
  any      | pending live awaiting private          | admin                               | 200 cancelled
  any      | cancelled                              | admin                               | 409 bet_cancelled
  invited gone | disputed                           | admin                               | 200 cancelled
dispute
  any      | public private                         | anonymous                           | 401 not_signed_in
  any      | private                                | acceptor stranger                   | 404 bet_not_found
  gone     | private                                | arbiter                             | 404 bet_not_found
  active   | private                                | arbiter                             | 403 not_a_party
  any      | private                                | admin                               | 403 not_a_party
  any      | public                                 | arbiter admin stranger              | 403 not_a_party
  any      | pending                                | acceptor                            | 403 not_a_party
  any      | pending private                        | creator                             | 409 bet_not_accepted
  any      | live                                   | creator acceptor                    | 409 bet_not_expired
  any      | awaiting                               | creator acceptor                    | 200 awaiting_resolution
  any      | disputed                               | creator acceptor                    | 409 bet_disputed
  any      | resolved                               | creator acceptor                    | 409 bet_already_resolved
  any      | cancelled                              | creator acceptor                    | 409 bet_not_accepted
";

/// The answers after the arbiter's time.
const LATE: &str = "
read
  late     | disputed                               | all                                 | 200
take
  late     | disputed                               | anonymous                           | 401 not_signed_in
  late     | disputed                               | creator                             | 403 own_bet
  late     | disputed                               | arbiter                             | 403 is_arbiter
  late     | disputed                               | acceptor admin stranger             | 409 bet_not_pending
serve, leave, arbitrate
  late     | disputed                               | anonymous                           | 401 not_signed_in
  late     | disputed                               | creator acceptor admin stranger     | 403 not_arbiter
  late     | disputed                               | arbiter                             | 409 arbiter_out_of_time
rule, refund
  late     | disputed                               | anonymous                           | 401 not_signed_in
  late     | disputed                               | creator acceptor arbiter stranger   | 403 not_allowed
rule
  late     | disputed                               | admin                               | 200 resolved
refund
  late     | disputed                               | admin                               | 200 cancelled
dispute
  late     | disputed                               | anonymous                           | 401 not_signed_in
  late     | disputed                               | arbiter admin stranger              | 403 not_a_party
  late     | disputed                               | creator acceptor                    | 409 bet_disputed
";

/// An action, the status of the arbiter, a situation and an actor.
type Case = (&'static str, &'static str, &'static str, &'static str);

fn spelled(word: &'static str) -> Vec<&'static str> {
    let names = match word {
        "any" => "invited accepted declined resigned",
        "active" => "invited accepted",
        "gone" => "declined resigned",
        "public" => "pending live awaiting disputed resolved cancelled",
        "all" => ACTORS,
        other => other,
    };
    names.split_whitespace().collect()
}

/// The cases of a table with their answers. Each combination of the words of a table must occur once.
fn parsed(table: &'static str, combinations: usize) -> HashMap<Case, &'static str> {
    let (mut actions, mut cases) = (Vec::new(), HashMap::new());
    for line in table.lines().filter(|line| !line.is_empty()) {
        if !line.starts_with(' ') {
            actions = line.split(", ").collect();
            continue;
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [arbiters, situations, actors, answer] = cells[..] else { panic!("four cells in {line:?}") };
        let words = |cell: &'static str| cell.split_whitespace().flat_map(spelled).collect::<Vec<_>>();
        for (action, arbiter) in
            actions.iter().flat_map(|a| words(arbiters).into_iter().map(move |w| (*a, w)))
        {
            for situation in words(situations) {
                for actor in words(actors) {
                    let case = (action, arbiter, situation, actor);
                    assert_eq!(cases.insert(case, answer), None, "two rows for {case:?}");
                }
            }
        }
    }
    assert_eq!(cases.len(), combinations, "a combination has no row");
    cases
}

/// A server with a client for each actor.
struct World {
    server: Server,
    clients: HashMap<&'static str, Client>,
}

impl World {
    fn start(options: &[&str]) -> Self {
        let lifted = ["--signups-per-hour", "0", "--signins-per-minute", "0", "--bets-per-hour", "0"];
        let lifted = [lifted.as_slice(), &["--writes-per-minute", "0"], options].concat();
        let server = Server::start_with(&lifted);
        let mut clients = HashMap::from([("anonymous", server.client()), ("admin", server.admin("admin"))]);
        for name in ["creator", "acceptor", "arbiter", "stranger"] {
            clients.insert(name, server.user(name));
        }
        let named =
            clients["arbiter"].page("PATCH", "/api/auth/profile", Some(&json!({"username": "umpire"})));
        named.ok(200);
        Self { server, clients }
    }

    fn of(&self, name: &str) -> &Client {
        &self.clients[name]
    }

    /// A bet in this situation, with an arbiter of this status.
    fn bet(&self, arbiter: &str, situation: &str) -> Value {
        let (creator, acceptor) = (self.of("creator"), self.of("acceptor"));
        let private = situation == "private";
        let bet = creator.bet_with(json!({"stakeAmount": 1, "isPrivate": private, "arbiter": "Umpire"}));
        let answer =
            |accept: bool| self.of("arbiter").act(&bet, "arbiter", json!({"accept": accept})).ok(200);
        if matches!(arbiter, "accepted" | "resigned" | "late") {
            answer(true);
        }
        if matches!(arbiter, "declined" | "resigned") {
            answer(false);
        }
        if matches!(situation, "pending" | "private") {
            return bet;
        }
        acceptor.accept(&bet).ok(200);
        let end = || creator.act(&bet, "early-resolution", json!({})).ok(200);
        match situation {
            "live" => {}
            "awaiting" => drop(end()),
            "disputed" => {
                end();
                acceptor.act(&bet, "dispute", json!({"reason": "Please look."})).ok(200);
            }
            "resolved" => {
                creator.act(&bet, "propose-resolution", json!({"winningOption": "A"})).ok(200);
                acceptor.act(&bet, "respond-resolution", json!({"accept": true})).ok(200);
            }
            "cancelled" => drop(self.of("admin").post(&admins(&bet, "refund"), json!({})).ok(200)),
            other => panic!("no situation is called {other}"),
        }
        if arbiter == "late" {
            eventually("the hand-over", Duration::from_secs(60), || {
                (creator.see(&bet)["arbiter"]["status"] == "out_of_time").then_some(())
            });
        }
        bet
    }

    fn act(&self, action: &str, actor: &str, bet: &Value) -> Answer {
        let client = self.of(actor);
        let ruling = json!({"outcome": "A", "note": "Seen on the radar."});
        match action {
            "read" => client.get(&format!("/api/bets/{}", id(bet))),
            "take" => client.post("/api/bets/accept", json!({"betId": bet["id"], "chosenOption": "B"})),
            "serve" => client.act(bet, "arbiter", json!({"accept": true})),
            "leave" => client.act(bet, "arbiter", json!({"accept": false})),
            "arbitrate" => client.act(bet, "rule", ruling),
            "rule" => client.post(&admins(bet, "rule"), ruling),
            "refund" => client.post(&admins(bet, "refund"), json!({})),
            "dispute" => client.act(bet, "dispute", json!({"reason": "Please look."})),
            other => panic!("no action is called {other}"),
        }
    }

    /// Compares the answers with the table. Refusals and reads share a bet, because they must not change it.
    fn run(&self, cases: &HashMap<Case, &'static str>) {
        let mut shared: HashMap<(&str, &str), Value> = HashMap::new();
        let mut wrong = Vec::new();
        let mut sorted: Vec<_> = cases.iter().collect();
        sorted.sort_unstable();
        for ((action, arbiter, situation, actor), expected) in sorted {
            let answer = if expected.starts_with("200 ") {
                self.act(action, actor, &self.bet(arbiter, situation))
            } else {
                let bet =
                    shared.entry((*arbiter, *situation)).or_insert_with(|| self.bet(arbiter, situation));
                self.act(action, actor, bet)
            };
            let body = answer.json();
            // A refund answers with the bet inside.
            let bet = if body["bet"].is_object() { &body["bet"] } else { &body };
            let word = if answer.status == 200 { &bet["status"] } else { &body["code"] };
            let found = format!("{} {}", answer.status, word.as_str().unwrap_or_default());
            if found != **expected && !(*action == "read" && answer.status == 200 && *expected == "200") {
                wrong.push(format!("{action} by {actor}, {situation}, {arbiter}: {found}, not {expected}"));
            }
        }
        assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
        self.server.assert_audit_clean();
    }
}

fn admins(bet: &Value, action: &str) -> String {
    format!("/api/admin/bets/{}/{action}", id(bet))
}

#[test]
fn every_action_by_every_actor_with_an_arbiter_of_every_status() {
    // 8 actions, 4 statuses of the arbiter, 7 situations, 6 actors.
    World::start(&[]).run(&parsed(TABLE, 8 * 4 * 7 * 6));
}

#[test]
fn every_action_by_every_actor_after_the_arbiters_time() {
    World::start(&["--arbiter-rules-within", "1s"]).run(&parsed(LATE, 8 * 6));
}
