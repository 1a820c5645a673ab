//! Who may do what with a bet that has an arbiter, over HTTP: every action by every actor, for every status of the bet and
//! every status of the arbiter. The expectations come from `docs/domain-rules.md#the-arbiter`.
//!
//! A row has the form `arbiters | situations | actors | answer`. The answer is the HTTP status with the code of a
//! refusal or with the new status of the bet. A message is `201`, or `201 evidence`. Each combination must occur in exactly
//! one row of an action.
//!
//! **Arbiters**: `invited`, `accepted`, `declined`, `resigned`, and `late`, whose time to rule is over. `active` is
//! invited and accepted, `gone` is declined and resigned.
//!
//! **Situations**: the statuses of a bet; `disputed` awaits its resolution with a dispute; `private` is pending, and the
//! request has no token. `public` are all others. `hidden` is private and disputed. On a bet without acceptance, the acceptor
//! is another stranger.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{Answer, Client, Server, eventually, id};
use crate::pictures::{png, upload_as};

const ACTORS: &str = "anonymous creator acceptor arbiter admin stranger";

const TABLE: &str = "
read, timeline, messages
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

/// What parties and admins do without the arbiter, and what all may write.
const OTHERS: &str = "
delete, end, propose, agree, reject, write, attach, remove
  any      | public private                         | anonymous                           | 401 not_signed_in
delete, end, propose, agree, reject, write, attach
  any      | private                                | acceptor stranger                   | 404 bet_not_found
  gone     | private                                | arbiter                             | 404 bet_not_found
  any      | private                                | admin                               | 403 not_a_party
delete, end, propose, agree, reject
  active   | private                                | arbiter                             | 403 not_a_party
  any      | public                                 | arbiter admin stranger              | 403 not_a_party
  any      | pending                                | acceptor                            | 403 not_a_party
delete
  any      | pending private                        | creator                             | 200 ok
  any      | live awaiting disputed resolved cancelled | creator                          | 409 bet_not_pending
  any      | live awaiting disputed resolved cancelled | acceptor                         | 403 not_allowed
end, propose, agree, reject
  any      | resolved                               | creator acceptor                    | 409 bet_already_resolved
end, propose
  any      | pending private                        | creator                             | 409 bet_not_accepted
  any      | cancelled                              | creator acceptor                    | 409 bet_not_accepted
  any      | disputed                               | creator acceptor                    | 409 bet_disputed
end
  any      | live                                   | creator                             | 200 awaiting_resolution
  any      | live                                   | acceptor                            | 409 bet_not_expired
  any      | awaiting                               | creator                             | 409 bet_not_accepted
  any      | awaiting                               | acceptor                            | 200 awaiting_resolution
propose
  any      | live awaiting                          | creator                             | 200 awaiting_resolution
  any      | live awaiting                          | acceptor                            | 403 not_allowed
agree, reject
  any      | pending private                        | creator                             | 409 bet_not_awaiting_resolution
  any      | live cancelled                         | creator acceptor                    | 409 bet_not_awaiting_resolution
  any      | awaiting                               | creator acceptor                    | 409 no_proposal
agree
  any      | disputed                               | creator acceptor                    | 409 no_proposal
reject
  any      | disputed                               | creator acceptor                    | 409 bet_disputed
write
  any      | pending live awaiting resolved cancelled | creator acceptor                  | 201
  any      | disputed                               | creator acceptor                    | 201 evidence
  any      | public                                 | arbiter admin stranger              | 201
  any      | private                                | creator                             | 201
  active   | private                                | arbiter                             | 201
attach
  any      | public private                         | creator                             | 201
  any      | pending                                | acceptor                            | 403 not_a_party
  any      | live awaiting disputed resolved cancelled | acceptor                         | 201
  accepted | public private                         | arbiter                             | 201
  invited  | public private                         | arbiter                             | 403 not_a_party
  gone     | public                                 | arbiter                             | 403 not_a_party
  any      | public                                 | admin stranger                      | 403 not_a_party
remove
  any      | public private                         | creator acceptor arbiter stranger   | 403 not_allowed
  any      | public private                         | admin                               | 200 ok
";

/// The answers after the arbiter's time.
const LATE: &str = "
read, timeline, messages
  late     | disputed resolved cancelled            | all                                 | 200
  late     | hidden                                 | anonymous stranger                  | 404 bet_not_found
  late     | hidden                                 | creator acceptor arbiter admin      | 200
take, serve, leave, arbitrate, rule, refund, dispute, end, agree, write, attach, remove
  late     | disputed resolved cancelled hidden     | anonymous                           | 401 not_signed_in
take, serve, leave, arbitrate, dispute, end, agree, write, attach
  late     | hidden                                 | stranger                            | 404 bet_not_found
take
  late     | disputed resolved cancelled hidden     | creator                             | 403 own_bet
  late     | disputed resolved cancelled hidden     | arbiter                             | 403 is_arbiter
  late     | disputed resolved cancelled            | acceptor admin stranger             | 409 bet_not_pending
  late     | hidden                                 | acceptor admin                      | 409 bet_not_pending
serve, leave, arbitrate
  late     | disputed resolved cancelled            | creator acceptor admin stranger     | 403 not_arbiter
  late     | hidden                                 | creator acceptor admin              | 403 not_arbiter
  late     | disputed hidden                        | arbiter                             | 409 arbiter_out_of_time
  late     | resolved                               | arbiter                             | 409 bet_already_resolved
serve, leave
  late     | cancelled                              | arbiter                             | 409 bet_cancelled
arbitrate
  late     | cancelled                              | arbiter                             | 409 bet_not_awaiting_resolution
rule, refund, remove
  late     | disputed resolved cancelled hidden     | creator acceptor arbiter stranger   | 403 not_allowed
rule, refund
  late     | resolved                               | admin                               | 409 bet_already_resolved
rule
  late     | disputed hidden                        | admin                               | 200 resolved
  late     | cancelled                              | admin                               | 409 bet_not_awaiting_resolution
refund
  late     | disputed hidden                        | admin                               | 200 cancelled
  late     | cancelled                              | admin                               | 409 bet_cancelled
remove
  late     | disputed resolved cancelled hidden     | admin                               | 200 ok
dispute, end, agree
  late     | disputed resolved cancelled            | arbiter admin stranger              | 403 not_a_party
  late     | hidden                                 | arbiter admin                       | 403 not_a_party
  late     | resolved                               | creator acceptor                    | 409 bet_already_resolved
dispute, end
  late     | disputed hidden                        | creator acceptor                    | 409 bet_disputed
  late     | cancelled                              | creator acceptor                    | 409 bet_not_accepted
agree
  late     | disputed hidden                        | creator acceptor                    | 409 no_proposal
  late     | cancelled                              | creator acceptor                    | 409 bet_not_awaiting_resolution
write
  late     | disputed hidden                        | creator acceptor                    | 201 evidence
  late     | resolved cancelled                     | creator acceptor                    | 201
  late     | disputed resolved cancelled            | arbiter admin stranger              | 201
  late     | hidden                                 | arbiter                             | 201
attach
  late     | disputed resolved cancelled hidden     | creator acceptor arbiter            | 201
  late     | disputed resolved cancelled            | admin stranger                      | 403 not_a_party
write, attach
  late     | hidden                                 | admin                               | 403 not_a_party
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
        let private = matches!(situation, "private" | "hidden");
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
        if arbiter == "late" || matches!(situation, "disputed" | "hidden") {
            end();
            acceptor.act(&bet, "dispute", json!({"reason": "Please look."})).ok(200);
        }
        if arbiter == "late" {
            eventually("the hand-over", Duration::from_secs(60), || {
                (creator.see(&bet)["arbiter"]["status"] == "out_of_time").then_some(())
            });
        }
        match situation {
            "live" | "disputed" | "hidden" => {}
            "awaiting" => drop(end()),
            "resolved" if arbiter == "late" => {
                let ruling = json!({"outcome": "A", "note": "Seen on the radar."});
                self.of("admin").post(&admins(&bet, "/rule"), ruling).ok(200);
            }
            "resolved" => {
                creator.act(&bet, "propose-resolution", json!({"winningOption": "A"})).ok(200);
                acceptor.act(&bet, "respond-resolution", json!({"accept": true})).ok(200);
            }
            "cancelled" => drop(self.of("admin").post(&admins(&bet, "/refund"), json!({})).ok(200)),
            other => panic!("no situation is called {other}"),
        }
        bet
    }

    fn act(&self, action: &str, actor: &str, bet: &Value) -> Answer {
        let client = self.of(actor);
        let ruling = json!({"outcome": "A", "note": "Seen on the radar."});
        match action {
            "read" => client.get(&format!("/api/bets/{}", id(bet))),
            "timeline" => client.get(&format!("/api/bets/{}/timeline", id(bet))),
            "messages" => client.get(&format!("/api/bets/{}/messages", id(bet))),
            "take" => client.post("/api/bets/accept", json!({"betId": bet["id"], "chosenOption": "B"})),
            "serve" => client.act(bet, "arbiter", json!({"accept": true})),
            "leave" => client.act(bet, "arbiter", json!({"accept": false})),
            "arbitrate" => client.act(bet, "rule", ruling),
            "rule" => client.post(&admins(bet, "/rule"), ruling),
            "refund" => client.post(&admins(bet, "/refund"), json!({})),
            "remove" => client.delete(&admins(bet, "")),
            "dispute" => client.act(bet, "dispute", json!({"reason": "Please look."})),
            "delete" => client.delete(&format!("/api/bets/{}", id(bet))),
            "end" => client.act(bet, "early-resolution", json!({})),
            "propose" => client.act(bet, "propose-resolution", json!({"winningOption": "A"})),
            "agree" => client.act(bet, "respond-resolution", json!({"accept": true})),
            "reject" => client.act(bet, "respond-resolution", json!({"accept": false})),
            "write" => client.act(bet, "messages", json!({"text": "I was there."})),
            "attach" => upload_as(client, bet, &[("picture", &png())]),
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
            let found = told(&answer);
            if found != **expected && !(answer.status == 200 && *expected == "200") {
                wrong.push(format!("{action} by {actor}, {situation}, {arbiter}: {found}, not {expected}"));
            }
        }
        assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
        self.server.assert_audit_clean();
    }
}

/// An answer in the notation of the tables.
fn told(answer: &Answer) -> String {
    let body = answer.json();
    // A refund answers with the bet inside.
    let became = [&body["status"], &body["bet"]["status"]].into_iter().find_map(Value::as_str);
    match answer.status {
        200 => format!("200 {}", became.or((body["ok"] == true).then_some("ok")).unwrap_or_default()),
        201 if body["isEvidence"] == true => "201 evidence".to_owned(),
        201 => "201".to_owned(),
        status => format!("{status} {}", body["code"].as_str().unwrap_or_default()),
    }
}

fn admins(bet: &Value, action: &str) -> String {
    format!("/api/admin/bets/{}{action}", id(bet))
}

#[test]
fn every_action_by_every_actor_with_an_arbiter_of_every_status() {
    // 10 and 8 actions, 4 statuses of the arbiter, 7 situations, 6 actors.
    let world = World::start(&[]);
    world.run(&parsed(TABLE, 10 * 4 * 7 * 6));
    world.run(&parsed(OTHERS, 8 * 4 * 7 * 6));
}

#[test]
fn every_action_by_every_actor_after_the_arbiters_time() {
    // 15 actions, 4 situations, 6 actors.
    World::start(&["--arbiter-rules-within", "1s"]).run(&parsed(LATE, 15 * 4 * 6));
}
