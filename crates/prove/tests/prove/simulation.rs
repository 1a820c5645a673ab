//! Simulations of a site over weeks, with faults. `just simulate` says how to run more of them.

use std::collections::BTreeMap;
use std::time::Instant;

use bolts_prove::{Fault, Outcome, SEED, from_environment, on_all_cores, simulate};

/// From this number of seeds on, every kind of fault must have struck.
const ENOUGH: u64 = 40;

#[test]
fn all_comes_to_rest_after_two_weeks_of_faults() {
    let seeds: u64 = from_environment("BOLTS_SIMULATE_SEEDS").unwrap_or(2);
    let first: u64 = from_environment("BOLTS_SIMULATE_SEED").unwrap_or(SEED);
    let (started, mut requests, mut rulings) = (Instant::now(), 0, 0);
    let mut struck: BTreeMap<Fault, u64> = Fault::ALL.iter().map(|fault| (*fault, 0)).collect();
    let run = |seed: u64| {
        let outcome = simulate(seed, 14);
        if outcome.wrong.is_empty() {
            return Ok(outcome);
        }
        let path = std::env::temp_dir().join(format!("bolts-simulation-{seed}.txt"));
        std::fs::write(&path, &outcome.journal).expect("a place for the journal");
        Err(format!(
            "seed {seed} after {:.1?}:\n  {}\nThe journal is in {}. Again: just simulate SEED={seed}",
            started.elapsed(),
            outcome.wrong.join("\n  "),
            path.display()
        ))
    };
    let add = |outcome: Outcome| {
        requests += outcome.requests;
        let ruled = |line: &&str| line.contains("Arbitrate(") && line.ends_with(": done");
        rulings += outcome.journal.lines().filter(ruled).count();
        for (fault, count) in outcome.struck {
            *struck.entry(fault).or_default() += count;
        }
    };
    if let Err(why) = on_all_cores(first..first + seeds, run, add) {
        panic!("{why}");
    }
    eprintln!(
        "{seeds} seeds from {first}, {requests} requests, {rulings} rulings of arbiters, in {:.1?}",
        started.elapsed()
    );
    assert!(rulings > 0, "no arbiter ruled");
    for (fault, count) in &struck {
        eprintln!("{count:>8}  {}", fault.words());
    }
    let missing: Vec<_> = struck.iter().filter(|(_, count)| **count == 0).collect();
    assert!(seeds < ENOUGH || missing.is_empty(), "these faults never struck: {missing:?}");
}

#[test]
fn a_seed_replays_exactly() {
    let (one, again, other) = (simulate(SEED, 2), simulate(SEED, 2), simulate(SEED + 1, 2));
    assert_eq!(one.hash, again.hash);
    assert_ne!(one.hash, other.hash);
}
