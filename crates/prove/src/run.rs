//! Runs random sequences against the model and the site, and shrinks a sequence that fails.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use proptest_state_machine::ReferenceStateMachine;

use crate::backend::Backend;
use crate::compare::{self, Scope};
use crate::cores::on_all_cores;
use crate::model::{Action, Answer, HOUR, SECOND, Sequences, World};
use crate::subject::{Subject, Way};

/// The size of a run.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// The number of sequences.
    pub cases: u32,
    /// The number of actions of a sequence.
    pub steps: usize,
    /// The seed of the first sequence. Sequence number `n` has the seed `seed + n`.
    pub seed: u64,
}

/// A number from the environment.
pub fn from_environment<T: std::str::FromStr>(name: &str) -> Option<T> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().ok().unwrap_or_else(|| panic!("{name} must be a number, not {text:?}")))
}

/// The seed of the tests, so that they do the same each time. `just model` and `just simulate` choose another one each
/// time.
pub const SEED: u64 = 1;

impl Size {
    /// The size that `BOLTS_MODEL_CASES`, `BOLTS_MODEL_STEPS` and `BOLTS_MODEL_SEED` name.
    pub fn or(cases: u32, steps: usize) -> Self {
        Self {
            cases: from_environment("BOLTS_MODEL_CASES").unwrap_or(cases),
            steps: from_environment("BOLTS_MODEL_STEPS").unwrap_or(steps),
            seed: from_environment("BOLTS_MODEL_SEED").unwrap_or(SEED),
        }
    }
}

/// How often each action got each answer.
#[derive(Clone, Debug, Default)]
pub struct Tally(BTreeMap<(String, String), u64>);

impl Tally {
    fn count(&mut self, action: &Action, answer: &Answer) {
        let name = action.name();
        let said = match answer {
            Answer::Done | Answer::Counted(_) => "done".to_owned(),
            Answer::Repeated => "repeated".to_owned(),
            Answer::Refused { code, field: None } => code.clone(),
            Answer::Refused { code, field: Some(field) } => format!("{code} {field}"),
        };
        *self.0.entry((name, said)).or_default() += 1;
    }

    fn add(&mut self, other: &Self) {
        for (key, count) in &other.0 {
            *self.0.entry(key.clone()).or_default() += count;
        }
    }

    /// The number of actions.
    pub fn actions(&self) -> u64 {
        self.0.values().sum()
    }

    /// How often the action got the answer.
    pub fn of(&self, action: &str, answer: &str) -> u64 {
        self.0.get(&(action.to_owned(), answer.to_owned())).copied().unwrap_or_default()
    }

    /// The number of different answers.
    pub fn kinds(&self) -> usize {
        self.0.len()
    }

    /// One line for each action, with its answers.
    pub fn table(&self) -> String {
        let mut lines: BTreeMap<&str, String> = BTreeMap::new();
        for ((action, answer), count) in &self.0 {
            // Writing to a text cannot fail.
            let _ = write!(lines.entry(action).or_default(), "  {answer} {count}");
        }
        lines.into_iter().fold(String::new(), |text, (action, line)| format!("{text}{action:>14}{line}\n"))
    }
}

/// One sequence on the model and on the site.
struct Case {
    world: World,
    subject: Subject,
    every: usize,
    done: usize,
    tally: Tally,
}

impl Case {
    fn step(&mut self, action: &Action) -> Result<(), String> {
        let said = self.subject.act(action)?;
        let heard = self.subject.site().heard();
        let expected = self.world.step(action, &heard);
        if said != expected {
            return Err(format!("the answer:\n  the model: {expected:?}\n  the site:  {said:?}"));
        }
        let complaints = self.world.complaints();
        if !complaints.is_empty() {
            return Err(complaints.join("\n"));
        }
        self.tally.count(action, &said);
        self.done += 1;
        let scope = if self.done.is_multiple_of(self.every) { Scope::Everything } else { Scope::Touched };
        compare::all(&self.world, &mut self.subject, action, scope)
    }

    /// At the end all must come to rest: time passes, and nobody acts.
    fn rest(&mut self) -> Result<(), String> {
        for _ in 0..12 {
            self.step(&Action::Pass { micros: 20 * 60 * SECOND })?;
            self.step(&Action::Work { is_unclear: false })?;
        }
        // After an outage, a dispute may get a grace period for its arbiter, and then one for the admins.
        for _ in 0..3 {
            self.step(&Action::Outage { micros: 80 * HOUR })?;
            self.step(&Action::Sweep)?;
            self.step(&Action::Work { is_unclear: false })?;
        }
        compare::all(&self.world, &mut self.subject, &Action::Sweep, Scope::Everything)?;
        let open = self.world.not_at_rest();
        if !open.is_empty() {
            return Err(format!("not at rest: {}", open.join(", ")));
        }
        let violations = self.subject.site().violations()?;
        if violations.is_empty() { Ok(()) } else { Err(format!("the audit: {}", violations.join("\n"))) }
    }
}

/// Where sequences run, and how much is compared.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// The store.
    pub backend: Backend,
    /// The way to the product.
    pub way: Way,
    /// Everything is compared after each step with a number that this number divides. After the other steps, only
    /// what the action concerns.
    pub every: usize,
    /// The maximum number of attempts to shrink a sequence that fails.
    pub shrinks: u32,
}

impl Run {
    fn case(&self, world: World, actions: &[Action], seen: impl Fn()) -> Result<Tally, String> {
        let subject = Subject::new(self.backend, self.way, world.is_lnd)?;
        let mut case = Case { world, subject, every: self.every, done: 0, tally: Tally::default() };
        for (number, action) in actions.iter().enumerate() {
            seen();
            case.step(action).map_err(|why| format!("step {number}, {action:?}: {why}"))?;
        }
        case.rest().map_err(|why| format!("at rest after the last step: {why}"))?;
        Ok(case.tally)
    }

    /// Runs one sequence.
    ///
    /// # Errors
    /// The shortest failing sequence that was found, and its difference.
    pub fn one(&self, seed: u64, steps: usize) -> Result<Tally, String> {
        let config = Config {
            cases: 1,
            failure_persistence: None,
            max_shrink_iters: self.shrinks,
            ..Config::default()
        };
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
        let tally = RefCell::new(Tally::default());
        let found = runner.run(&Sequences::sequential_strategy(steps), |(world, actions, counter)| {
            let seen = || {
                if let Some(counter) = &counter {
                    counter.fetch_add(1, Ordering::SeqCst);
                }
            };
            match self.case(world, &actions, seen) {
                Ok(one) => {
                    *tally.borrow_mut() = one;
                    Ok(())
                }
                Err(why) => Err(TestCaseError::fail(why)),
            }
        });
        match found {
            Ok(()) => Ok(tally.into_inner()),
            Err(TestError::Abort(why)) => Err(format!("aborted: {why}")),
            Err(TestError::Fail(why, (world, actions, _))) => {
                let lines =
                    actions.iter().enumerate().map(|(number, action)| format!("  {number}: {action:?}\n"));
                let provider = if world.is_lnd { "LND" } else { "LNbits" };
                Err(format!(
                    "{why}\nthe shortest sequence found (provider like {provider}):\n{}",
                    lines.collect::<String>()
                ))
            }
        }
    }

    /// Runs all sequences. Returns the answers and the duration.
    ///
    /// # Panics
    /// A sequence failed. The message has the seed and the shortest failing sequence.
    pub fn all(&self, size: Size) -> (Tally, Duration) {
        let (started, mut tally) = (Instant::now(), Tally::default());
        let run = |number: u64| {
            let seed = size.seed.wrapping_add(number);
            self.one(seed, size.steps).map_err(|why| {
                format!(
                    "seed {seed} on {self:?}, sequence {number} after {:?}.\n{why}\nAgain: BOLTS_MODEL_SEED={seed} \
                     BOLTS_MODEL_CASES=1 BOLTS_MODEL_STEPS={}",
                    started.elapsed(),
                    size.steps
                )
            })
        };
        if let Err(why) = on_all_cores(0..u64::from(size.cases), run, |one| tally.add(&one)) {
            panic!("{why}");
        }
        (tally, started.elapsed())
    }
}
