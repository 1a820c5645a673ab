//! Random sequences of actions, compared with the model after every step. `just model` says how to run more of them.

use bolts_prove::{Backend, Run, Size, Tally, Way};

const MEMORY: Run = Run { backend: Backend::Memory, way: Way::UseCases, every: 1, shrinks: 3_000 };

fn report(run: Run, (cases, steps): (u32, usize)) -> Tally {
    let size = Size::or(cases, steps);
    let (tally, took) = run.all(size);
    let (actions, kinds) = (tally.actions(), tally.kinds());
    eprintln!(
        "{:?} by {:?}: {} sequences of {} steps from seed {}, {actions} actions with {kinds} kinds of answers, in {took:.1?}\n{}",
        run.backend,
        run.way,
        size.cases,
        size.steps,
        size.seed,
        tally.table()
    );
    tally
}

#[test]
fn every_answer_on_memory_is_the_models() {
    report(MEMORY, (300, 60));
}

#[test]
fn every_answer_on_sqlite_is_the_models() {
    report(Run { backend: Backend::Sqlite, every: 10, shrinks: 400, ..MEMORY }, (300, 60));
}

#[test]
fn every_answer_on_postgresql_is_the_models() {
    report(Run { backend: Backend::Postgres, every: 30, shrinks: 100, ..MEMORY }, (300, 60));
}

#[test]
fn every_answer_over_http_is_the_models() {
    report(Run { way: Way::Http, every: 20, shrinks: 400, ..MEMORY }, (300, 60));
}
