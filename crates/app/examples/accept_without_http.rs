//! Accepts bets without HTTP: the limit beside which `just bench` puts the server's rate on SQLite.
//!
//! `accept_without_http FILE REQUESTS SECONDS IN_FLIGHT` opens the database file and keeps IN_FLIGHT accepts of the prepared
//! requests in flight. With 1, each accept has a commit of its own, which is on the disk before the next accept begins. It
//! prints a line of JSON.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bolts_bets::Side;
use bolts_ideas::BuiltIn;
use bolts_kernel::{Timestamp, UserId};
use bolts_ports::{Clock, Ids};
use bolts_store_diesel::{SqliteOptions, SqliteStore};
use bolts_testkit::{CountingRandomness, FakePictures, PlainPasswords};
use bolts_usecases::bets::{Accept, AcceptKey};
use bolts_usecases::{Actor, App, Environment, Rules};
use futures_util::stream::{self, StreamExt};

type Failure = Box<dyn std::error::Error>;

struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the bench measures with the real clock")]
    fn now(&self) -> Timestamp {
        chrono::Utc::now().into()
    }
}

struct TimeOrderedIds;

impl Ids for TimeOrderedIds {
    #[expect(clippy::disallowed_methods, reason = "the bench measures with real ids")]
    fn next(&self) -> u128 {
        uuid::Uuid::now_v7().as_u128()
    }
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, requests, seconds, in_flight] = arguments.as_slice() else {
        return Err("usage: accept_without_http FILE REQUESTS SECONDS IN_FLIGHT".into());
    };
    let seconds = Duration::from_secs_f64(seconds.parse()?);
    let in_flight = in_flight.parse()?;
    let app = app(Path::new(file))?;
    let prepared: Vec<(Actor, Accept)> =
        std::fs::read_to_string(requests)?.lines().map(request).collect::<Result<_, _>>()?;
    let prepared_count = prepared.len();

    let started = Instant::now();
    let mut answers = stream::iter(prepared)
        .take_while(|_| std::future::ready(started.elapsed() < seconds))
        .map(|(actor, accept)| app.accept_bet(actor, accept, None))
        .buffer_unordered(in_flight);
    let accepted = futures_executor::block_on(async {
        let mut accepted = 0_usize;
        while let Some(answer) = answers.next().await {
            answer?;
            accepted += 1;
        }
        Ok::<_, Failure>(accepted)
    })?;
    let took = started.elapsed().as_secs_f64();
    let ran_out = accepted == prepared_count;
    writeln!(std::io::stdout(), r#"{{"requests": {accepted}, "seconds": {took:.6}, "ran_out": {ran_out}}}"#)?;
    Ok(())
}

/// The use cases on this file.
fn app(file: &Path) -> Result<App, Failure> {
    let store = Arc::new(SqliteStore::open(file, SqliteOptions::default())?);
    let environment = Environment {
        clock: Arc::new(SystemClock),
        ids: Arc::new(TimeOrderedIds),
        random: Arc::new(CountingRandomness::default()),
        passwords: Arc::new(PlainPasswords::default()),
        ideas: Arc::new(BuiltIn),
        pictures: Arc::new(FakePictures),
        passkeys: None,
    };
    Ok(App::new(store.clone(), store, environment, Rules::default()))
}

/// Reads a prepared request: user, header, method, path and body, separated by tabs.
fn request(line: &str) -> Result<(Actor, Accept), Failure> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [user, _, _, _, body] = fields.as_slice() else {
        return Err(format!("not a prepared request: {line}").into());
    };
    let user: UserId = user.parse().map_err(|_| format!("not a user: {user}"))?;
    let body: serde_json::Value = serde_json::from_str(body)?;
    let bet = body["betId"].as_str().and_then(|bet| bet.parse().ok()).ok_or("a request without a bet")?;
    let option = body["chosenOption"].as_str().and_then(Side::parse).ok_or("a request without a side")?;
    Ok((Actor { user, is_admin: false }, Accept { key: AcceptKey::Id(bet, None), option }))
}
