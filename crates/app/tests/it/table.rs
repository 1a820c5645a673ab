//! The rules of `docs/domain-rules.md` as answers over HTTP: every action by every actor in every situation.
//! The expectations come from the rules and not from the program's behaviour.
//!
//! A row has the form `situations | actors | answer`. The answer is the status with the error code of a
//! refusal, or with the new state of the bet. Each pair of situation and actor must occur in exactly one row
//! of an action. The run refuses gaps and overlaps.
//!
//! **Situations**: `pending`; `expired` (pending past its expiry, so the clock cancels the bet); `accepted`,
//! and `accepted+` past the expiry; `awaiting` without a proposal, and `awaiting+` past the expiry;
//! `proposed` with the creator's proposal of A; `disputed` without and `disputed/p` with this proposal;
//! `resolved`; `cancelled` (refunded); `deleted`; `private` (pending, and the request has no token).
//!
//! **Actors**: `anonymous`; `stranger`; `creator`; `acceptor`; `admin`, who is not a party; `boss`, an admin
//! who created the bet; `chief`, an admin who accepted it. On a bet without acceptance, the acceptor is
//! another stranger and the chief another admin. `users` are all signed-in actors; `creators` are creator and
//! boss; `acceptors` are acceptor and chief; `parties` are these four; `outsiders` are stranger and admin;
//! `others` are all signed-in actors except the creators; `admins` are admin, boss and chief.

use crate::table_run::{NO_ARBITER, Table, World};

/// All situations except `awaiting+`, which needs a waiting time to pass.
const ALL: &str = "pending expired accepted accepted+ awaiting proposed disputed disputed/p resolved cancelled deleted private";

const READING: &str = "
read, timeline, messages
  pending expired accepted accepted+ awaiting proposed | anonymous users             | 200
  disputed disputed/p resolved cancelled               | anonymous users             | 200
  deleted                                              | anonymous users             | 404 bet_not_found
  private                                              | anonymous stranger acceptor | 404 bet_not_found
  private                                              | creators admin chief        | 200
";

const ACCEPTING: &str = "
accept, accept taken
  all                                                  | anonymous                   | 401 not_signed_in
  deleted                                              | users                       | 404 bet_not_found
  private                                              | stranger acceptor           | 404 bet_not_found
  pending expired private accepted accepted+ awaiting  | creators                    | 403 own_bet
  proposed disputed disputed/p resolved cancelled      | creators                    | 403 own_bet
  expired                                              | others                      | 409 bet_expired
  accepted accepted+ awaiting proposed                 | others                      | 409 bet_not_pending
  disputed disputed/p resolved cancelled               | others                      | 409 bet_not_pending
accept
  pending                                              | others                      | 200 accepted
  private                                              | admin chief                 | 200 accepted
accept taken
  pending                                              | others                      | 409 option_taken
  private                                              | admin chief                 | 409 option_taken
";

/// Requests with a share token, in two forms, and requests with a wrong token. Only private bets have share tokens.
const ACCEPTING_BY_LINK: &str = "
accept by id and token, accept by token, accept by wrong token
  all                                                  | anonymous                   | 401 not_signed_in
accept by id and token, accept by token
  private                                              | creators                    | 403 own_bet
  private                                              | others                      | 200 accepted
accept by wrong token
  private                                              | users                       | 404 bet_not_found
read by token, read with token, timeline with token, messages with token
  private                                              | anonymous users             | 200
";

const DELETING: &str = "
delete
  all                                                  | anonymous                   | 401 not_signed_in
  deleted                                              | users                       | 404 bet_not_found
  private                                              | stranger acceptor           | 404 bet_not_found
  pending private                                      | creators                    | 200 ok
  private                                              | admin chief                 | 403 not_a_party
  pending expired                                      | others                      | 403 not_a_party
  expired accepted accepted+ awaiting proposed         | creators                    | 409 bet_not_pending
  disputed disputed/p resolved cancelled               | creators                    | 409 bet_not_pending
  accepted accepted+ awaiting proposed                 | acceptors                   | 403 not_allowed
  disputed disputed/p resolved cancelled               | acceptors                   | 403 not_allowed
  accepted accepted+ awaiting proposed                 | outsiders                   | 403 not_a_party
  disputed disputed/p resolved cancelled               | outsiders                   | 403 not_a_party
";

const RESOLVING: &str = "
early-resolution, propose A, propose void, agree, reject, dispute
  all                                                  | anonymous                   | 401 not_signed_in
  deleted                                              | users                       | 404 bet_not_found
  private                                              | stranger acceptor           | 404 bet_not_found
  private                                              | admin chief                 | 403 not_a_party
  pending expired                                      | others                      | 403 not_a_party
  accepted accepted+ awaiting proposed                 | outsiders                   | 403 not_a_party
  disputed disputed/p resolved cancelled               | outsiders                   | 403 not_a_party
  resolved                                             | parties                     | 409 bet_already_resolved
early-resolution, propose A, propose void, dispute
  pending expired private                              | creators                    | 409 bet_not_accepted
  cancelled                                            | parties                     | 409 bet_not_accepted
  disputed disputed/p                                  | parties                     | 409 bet_disputed
agree, reject
  pending expired private                              | creators                    | 409 bet_not_awaiting_resolution
  accepted accepted+ cancelled                         | parties                     | 409 bet_not_awaiting_resolution
  awaiting                                             | parties                     | 409 no_proposal
  proposed disputed/p                                  | creators                    | 403 not_allowed
early-resolution
  accepted                                             | creators                    | 200 awaiting_resolution
  accepted                                             | acceptors                   | 409 bet_not_expired
  accepted+                                            | creators                    | 409 bet_expired
  accepted+                                            | acceptors                   | 200 awaiting_resolution
  awaiting proposed                                    | creators                    | 409 bet_not_accepted
  awaiting proposed                                    | acceptors                   | 200 awaiting_resolution
propose A, propose void
  accepted accepted+ awaiting                          | creators                    | 200 awaiting_resolution
  proposed                                             | creators                    | 409 proposal_pending
  accepted accepted+ awaiting proposed                 | acceptors                   | 403 not_allowed
agree
  proposed disputed/p                                  | acceptors                   | 200 resolved
  disputed                                             | parties                     | 409 no_proposal
reject
  proposed                                             | acceptors                   | 200 awaiting_resolution
  disputed                                             | parties                     | 409 bet_disputed
  disputed/p                                           | acceptors                   | 409 bet_disputed
dispute
  accepted                                             | parties                     | 409 bet_not_expired
  accepted+ awaiting proposed                          | parties                     | 200 awaiting_resolution
";

const ADMINISTERING: &str = "
rule A, rule void, refund, admin delete
  all                                                  | anonymous                   | 401 not_signed_in
  all                                                  | stranger creator acceptor   | 403 not_allowed
  deleted                                              | admins                      | 404 bet_not_found
  pending expired accepted accepted+ awaiting proposed | boss                        | 403 conflict_of_interest
  disputed disputed/p resolved cancelled private       | boss                        | 403 conflict_of_interest
  accepted accepted+ awaiting proposed                 | chief                       | 403 conflict_of_interest
  disputed disputed/p resolved cancelled               | chief                       | 403 conflict_of_interest
rule A, rule void
  pending expired private                              | admin chief                 | 409 bet_not_awaiting_resolution
  accepted accepted+ cancelled                         | admin                       | 409 bet_not_awaiting_resolution
  awaiting proposed                                    | admin                       | 409 bet_not_disputed
  resolved                                             | admin                       | 409 bet_already_resolved
rule A
  disputed disputed/p                                  | admin                       | 200 resolved
rule void
  disputed disputed/p                                  | admin                       | 200 cancelled
refund
  pending private                                      | admin chief                 | 200 cancelled
  expired                                              | admin chief                 | 409 bet_cancelled
  accepted accepted+ awaiting proposed                 | admin                       | 200 cancelled
  disputed disputed/p                                  | admin                       | 200 cancelled
  resolved                                             | admin                       | 409 bet_already_resolved
  cancelled                                            | admin                       | 409 bet_cancelled
admin delete
  pending expired private                              | admin chief                 | 200 ok
  accepted accepted+ awaiting proposed                 | admin                       | 200 ok
  disputed disputed/p resolved cancelled               | admin                       | 200 ok
";

/// The differences of Manual Verification: a declaration settles the bet at once, and no proposal waits for
/// an answer.
const DECLARING: &str = "
propose A, propose void, agree, reject
  all                                                  | anonymous                   | 401 not_signed_in
  all                                                  | outsiders                   | 403 not_a_party
propose A, propose void
  accepted                                             | creators                    | 409 bet_not_awaiting_resolution
  accepted awaiting                                    | acceptors                   | 409 bet_not_expired
propose A
  awaiting                                             | creators                    | 200 resolved
  accepted+ awaiting+                                  | parties                     | 200 resolved
propose void
  awaiting                                             | creators                    | 200 cancelled
  accepted+ awaiting+                                  | parties                     | 200 cancelled
agree, reject
  accepted accepted+                                   | parties                     | 409 bet_not_awaiting_resolution
  awaiting awaiting+                                   | parties                     | 409 no_proposal
";

/// After the waiting time for the creator's proposal, the acceptor may propose too. So a creator who has lost cannot
/// prevent the end of the bet by not proposing.
const PROPOSING_LATE: &str = "
propose A, propose void
  all                                                  | anonymous                   | 401 not_signed_in
  all                                                  | outsiders                   | 403 not_a_party
  accepted+ awaiting+                                  | creators                    | 200 awaiting_resolution
  accepted+                                            | acceptors                   | 403 not_allowed
  awaiting+                                            | acceptors                   | 200 awaiting_resolution
";

#[test]
fn every_action_by_every_actor_in_every_situation() {
    let world = World::start(&[]);
    let mutual = |text, situations| Table::parse(text, NO_ARBITER, situations, "Mutual Agreement");
    world.run(&[
        mutual(READING, ALL),
        mutual(ACCEPTING, ALL),
        mutual(ACCEPTING_BY_LINK, "private"),
        mutual(DELETING, ALL),
        mutual(RESOLVING, ALL),
        mutual(ADMINISTERING, ALL),
        Table::parse(DECLARING, NO_ARBITER, "accepted accepted+ awaiting awaiting+", "Manual Verification"),
    ]);
}

#[test]
fn the_acceptor_proposes_after_the_creators_silence() {
    let world = World::start(&["--stand-after", "1s", "--remind-before", "1s"]);
    world.run(&[Table::parse(PROPOSING_LATE, NO_ARBITER, "accepted+ awaiting+", "Mutual Agreement")]);
}
