//! Who may do what with a bet that has an arbiter, over HTTP: every action by every actor, for every status of the bet and
//! every status of the arbiter. The expectations come from `docs/domain-rules.md#the-arbiter`.
//!
//! A row has the form `arbiters | situations | actors | answer`, with the words of `table.rs`. A message is `201`, or
//! `201 evidence`. Each combination must occur in exactly one row of an action.
//!
//! **Arbiters**: `invited`, `accepted`, `declined`, `resigned`, and `late`, whose time to rule is over. `active` is
//! invited and accepted, `gone` is declined and resigned, `any` are these four.
//!
//! **Situations**: `disputed` is without a proposal; `public` are all but `private`; `hidden` is private and disputed.
//!
//! **Actors**: `everybody` are the six of these tables.

use crate::table_run::{Table, World};

const TABLE: &str = "
read, timeline, messages
  any      | public                                 | everybody                           | 200
  any      | private                                | anonymous acceptor stranger         | 404 bet_not_found
  any      | private                                | creator admin                       | 200
  active   | private                                | arbiter                             | 200
  gone     | private                                | arbiter                             | 404 bet_not_found
accept
  any      | public private                         | anonymous                           | 401 not_signed_in
  any      | public private                         | creator                             | 403 own_bet
  any      | public                                 | arbiter                             | 403 is_arbiter
  active   | private                                | arbiter                             | 403 is_arbiter
  gone     | private                                | arbiter                             | 404 bet_not_found
  any      | private                                | acceptor stranger                   | 404 bet_not_found
  any      | private                                | admin                               | 200 accepted
  any      | pending                                | acceptor admin stranger             | 200 accepted
  any      | accepted awaiting disputed resolved cancelled | acceptor admin stranger      | 409 bet_not_pending
serve, leave, arbitrate
  any      | public private                         | anonymous                           | 401 not_signed_in
  any      | private                                | acceptor stranger                   | 404 bet_not_found
  gone     | private                                | arbiter                             | 404 bet_not_found
  any      | private                                | creator admin                       | 403 not_arbiter
  any      | public                                 | creator acceptor admin stranger     | 403 not_arbiter
serve, leave
  active   | pending private                        | arbiter                             | 200 pending
  active   | accepted                               | arbiter                             | 200 accepted
  active   | awaiting                               | arbiter                             | 200 awaiting_resolution
  any      | resolved                               | arbiter                             | 409 bet_already_resolved
  any      | cancelled                              | arbiter                             | 409 bet_cancelled
  accepted | disputed                               | arbiter                             | 200 awaiting_resolution
serve
  invited  | disputed                               | arbiter                             | 409 bet_disputed
  gone     | pending accepted awaiting disputed     | arbiter                             | 409 arbiter_gone
leave
  invited  | disputed                               | arbiter                             | 200 awaiting_resolution
  gone     | pending                                | arbiter                             | 200 pending
  gone     | accepted                               | arbiter                             | 200 accepted
  gone     | awaiting disputed                      | arbiter                             | 200 awaiting_resolution
arbitrate
  gone     | public                                 | arbiter                             | 403 not_arbiter
  active   | pending accepted cancelled private     | arbiter                             | 409 bet_not_awaiting_resolution
  active   | awaiting                               | arbiter                             | 409 bet_not_disputed
  active   | resolved                               | arbiter                             | 409 bet_already_resolved
  invited  | disputed                               | arbiter                             | 403 not_allowed
  accepted | disputed                               | arbiter                             | 200 resolved
rule A, refund
  any      | public private                         | anonymous                           | 401 not_signed_in
  any      | public private                         | creator acceptor arbiter stranger   | 403 not_allowed
  any      | resolved                               | admin                               | 409 bet_already_resolved
  accepted | disputed                               | admin                               | 409 arbiter_rules
rule A
  any      | pending accepted cancelled private     | admin                               | 409 bet_not_awaiting_resolution
  any      | awaiting                               | admin                               | 409 bet_not_disputed
  invited gone | disputed                           | admin                               | 200 resolved
refund
  any      | pending accepted awaiting private      | admin                               | 200 cancelled
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
  any      | accepted                               | creator acceptor                    | 409 bet_not_expired
  any      | awaiting                               | creator acceptor                    | 200 awaiting_resolution
  any      | disputed                               | creator acceptor                    | 409 bet_disputed
  any      | resolved                               | creator acceptor                    | 409 bet_already_resolved
  any      | cancelled                              | creator acceptor                    | 409 bet_not_accepted
";

/// What parties and admins do without the arbiter, and what all may write.
const OTHERS: &str = "
delete, early-resolution, propose A, agree, reject, write, attach, admin delete
  any      | public private                         | anonymous                           | 401 not_signed_in
delete, early-resolution, propose A, agree, reject, write, attach
  any      | private                                | acceptor stranger                   | 404 bet_not_found
  gone     | private                                | arbiter                             | 404 bet_not_found
  any      | private                                | admin                               | 403 not_a_party
delete, early-resolution, propose A, agree, reject
  active   | private                                | arbiter                             | 403 not_a_party
  any      | public                                 | arbiter admin stranger              | 403 not_a_party
  any      | pending                                | acceptor                            | 403 not_a_party
delete
  any      | pending private                        | creator                             | 200 ok
  any      | accepted awaiting disputed resolved cancelled | creator                      | 409 bet_not_pending
  any      | accepted awaiting disputed resolved cancelled | acceptor                     | 403 not_allowed
early-resolution, propose A, agree, reject
  any      | resolved                               | creator acceptor                    | 409 bet_already_resolved
early-resolution, propose A
  any      | pending private                        | creator                             | 409 bet_not_accepted
  any      | cancelled                              | creator acceptor                    | 409 bet_not_accepted
  any      | disputed                               | creator acceptor                    | 409 bet_disputed
early-resolution
  any      | accepted                               | creator                             | 200 awaiting_resolution
  any      | accepted                               | acceptor                            | 409 bet_not_expired
  any      | awaiting                               | creator                             | 409 bet_not_accepted
  any      | awaiting                               | acceptor                            | 200 awaiting_resolution
propose A
  any      | accepted awaiting                      | creator                             | 200 awaiting_resolution
  any      | accepted awaiting                      | acceptor                            | 403 not_allowed
agree, reject
  any      | pending private                        | creator                             | 409 bet_not_awaiting_resolution
  any      | accepted cancelled                     | creator acceptor                    | 409 bet_not_awaiting_resolution
  any      | awaiting                               | creator acceptor                    | 409 no_proposal
agree
  any      | disputed                               | creator acceptor                    | 409 no_proposal
reject
  any      | disputed                               | creator acceptor                    | 409 bet_disputed
write
  any      | pending accepted awaiting resolved cancelled | creator acceptor              | 201
  any      | disputed                               | creator acceptor                    | 201 evidence
  any      | public                                 | arbiter admin stranger              | 201
  any      | private                                | creator                             | 201
  active   | private                                | arbiter                             | 201
attach
  any      | public private                         | creator                             | 201
  any      | pending                                | acceptor                            | 403 not_a_party
  any      | accepted awaiting disputed resolved cancelled | acceptor                     | 201
  accepted | public private                         | arbiter                             | 201
  invited  | public private                         | arbiter                             | 403 not_a_party
  gone     | public                                 | arbiter                             | 403 not_a_party
  any      | public                                 | admin stranger                      | 403 not_a_party
admin delete
  any      | public private                         | creator acceptor arbiter stranger   | 403 not_allowed
  any      | public private                         | admin                               | 200 ok
";

/// The answers after the arbiter's time.
const LATE: &str = "
read, timeline, messages
  late     | disputed resolved cancelled            | everybody                           | 200
  late     | hidden                                 | anonymous stranger                  | 404 bet_not_found
  late     | hidden                                 | creator acceptor arbiter admin      | 200
accept, serve, leave, arbitrate, rule A, refund, dispute, early-resolution, agree, write, attach, admin delete
  late     | disputed resolved cancelled hidden     | anonymous                           | 401 not_signed_in
accept, serve, leave, arbitrate, dispute, early-resolution, agree, write, attach
  late     | hidden                                 | stranger                            | 404 bet_not_found
accept
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
rule A, refund, admin delete
  late     | disputed resolved cancelled hidden     | creator acceptor arbiter stranger   | 403 not_allowed
rule A, refund
  late     | resolved                               | admin                               | 409 bet_already_resolved
rule A
  late     | disputed hidden                        | admin                               | 200 resolved
  late     | cancelled                              | admin                               | 409 bet_not_awaiting_resolution
refund
  late     | disputed hidden                        | admin                               | 200 cancelled
  late     | cancelled                              | admin                               | 409 bet_cancelled
admin delete
  late     | disputed resolved cancelled hidden     | admin                               | 200 ok
dispute, early-resolution, agree
  late     | disputed resolved cancelled            | arbiter admin stranger              | 403 not_a_party
  late     | hidden                                 | arbiter admin                       | 403 not_a_party
  late     | resolved                               | creator acceptor                    | 409 bet_already_resolved
dispute, early-resolution
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

const METHOD: &str = "Mutual Agreement";

#[test]
fn every_action_by_every_actor_with_an_arbiter_of_every_status() {
    let arbiters = "invited accepted declined resigned";
    let situations = "pending accepted awaiting disputed resolved cancelled private";
    let tables = [TABLE, OTHERS].map(|text| Table::parse(text, arbiters, situations, METHOD));
    World::start(&[]).run(&tables);
}

#[test]
fn every_action_by_every_actor_after_the_arbiters_time() {
    let table = Table::parse(LATE, "late", "disputed resolved cancelled hidden", METHOD);
    World::start(&["--arbiter-rules-within", "1s"]).run(&[table]);
}
