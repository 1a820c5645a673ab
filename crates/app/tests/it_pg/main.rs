//! The tests of `it` on PostgreSQL instead of a SQLite file, and tests for PostgreSQL only.
//!
//! Tests of headers, of the limits of input, of pages and of the HTTP interface of keys run only in `it`, and so do the tests that
//! vary a provider's answers. They ask the store for nothing that its contract and its model do not test on PostgreSQL. Of the
//! tests with a real LNbits only `crash` runs here.

#![cfg(feature = "postgres")]

#[path = "../it/accounts.rs"]
mod accounts;
#[path = "../it/achievements.rs"]
mod achievements;
#[path = "../it/actions.rs"]
mod actions;
#[path = "../it/admin.rs"]
mod admin;
#[path = "../it/alike.rs"]
mod alike;
#[path = "../it/attacks.rs"]
mod attacks;
#[path = "../it/broken_text.rs"]
mod broken_text;
#[path = "../it/clock_jumps.rs"]
mod clock_jumps;
#[path = "../it/cooldowns.rs"]
mod cooldowns;
#[path = "../it/crash/mod.rs"]
mod crash;
#[path = "../it/departures.rs"]
mod departures;
#[path = "../it/events.rs"]
mod events;
#[path = "../it/exports.rs"]
mod exports;
#[path = "../it/factors.rs"]
mod factors;
#[path = "../it/fuzz.rs"]
mod fuzz;
#[path = "../it/harness.rs"]
mod harness;
#[path = "../it/journeys.rs"]
mod journeys;
#[path = "../it/keys.rs"]
mod keys;
#[path = "../it/late_deposits.rs"]
mod late_deposits;
#[path = "../it/listed_deposits.rs"]
mod listed_deposits;
#[expect(dead_code, reason = "the tests with lost messages and outages run on SQLite alone")]
#[path = "../it/lnbits_server.rs"]
mod lnbits_server;
#[path = "../it/mail.rs"]
mod mail;
#[path = "../it/messages.rs"]
mod messages;
#[path = "../it/metrics.rs"]
mod metrics;
#[path = "../it/odds.rs"]
mod odds;
#[path = "../it/operator.rs"]
mod operator;
#[path = "../it/own_sessions.rs"]
mod own_sessions;
#[path = "../it/ownership.rs"]
mod ownership;
#[path = "../it/passkeys.rs"]
mod passkeys;
#[path = "../it/pictures.rs"]
mod pictures;
#[path = "../it/races.rs"]
mod races;
#[path = "../it/recorder.rs"]
mod recorder;
#[path = "../it/refusals.rs"]
mod refusals;
#[path = "../it/released.rs"]
mod released;
#[path = "../it/routes.rs"]
mod routes;
#[path = "../it/sats/mod.rs"]
mod sats;
#[path = "../it/secrets.rs"]
mod secrets;
#[path = "../it/sign_ins.rs"]
mod sign_ins;
#[path = "../it/stage.rs"]
mod stage;
#[path = "../it/statements.rs"]
mod statements;
#[path = "../it/table.rs"]
mod table;
#[path = "../it/table_run.rs"]
mod table_run;
#[path = "../it/turns.rs"]
mod turns;
#[path = "../it/under_way.rs"]
mod under_way;
#[path = "../it/wallet.rs"]
mod wallet;
#[path = "../it/wallet_rules.rs"]
mod wallet_rules;
#[path = "../it/webhooks.rs"]
mod webhooks;
#[expect(dead_code, reason = "the tests that read the log or the memory of a server run on SQLite alone")]
#[path = "../it/wire.rs"]
mod wire;
#[path = "../it/writers.rs"]
mod writers;

mod commands;
mod copying;
mod database;
mod history;
mod outages;
mod payers;
mod plans;
mod processes;
mod replicas;
mod waiting;
