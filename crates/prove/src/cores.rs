//! Runs of many seeds on all cores.

use std::num::NonZero;
use std::ops::Range;
use std::sync::Mutex;
use std::thread;

/// Each thread gets at least this number of seeds. A short run has one thread, because other tests run beside it.
const SEEDS_OF_A_THREAD: u64 = 400;

/// Calls `run` for each number, and `add` with each result, in any order. After the first failure, `run`
/// is called for no other number.
///
/// # Errors
/// The first failure.
///
/// # Panics
/// If `run` or `add` panics.
pub fn on_all_cores<R>(
    numbers: Range<u64>,
    run: impl Fn(u64) -> Result<R, String> + Sync,
    add: impl FnMut(R) + Send,
) -> Result<(), String> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get) as u64;
    let threads = cores.min((numbers.end - numbers.start) / SEEDS_OF_A_THREAD).max(1);
    let state = Mutex::new((numbers, add, Ok(())));
    let locked = || state.lock().expect("no thread panicked");
    let next = || locked().0.next();
    let work = || {
        while let Some(number) = next() {
            let result = run(number);
            let (numbers, add, failure) = &mut *locked();
            match result {
                Ok(result) => add(result),
                Err(why) if failure.is_ok() => (*numbers, *failure) = (0..0, Err(why)),
                Err(_) => {}
            }
        }
    };
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    state.into_inner().expect("no thread panicked").2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_runs_once() {
        let mut seen = Vec::new();
        on_all_cores(5..1_500, Ok, |number| seen.push(number)).expect("no failure");
        seen.sort_unstable();
        assert_eq!(seen, (5..1_500).collect::<Vec<_>>());
    }

    #[test]
    fn a_failure_is_returned_and_ends_the_run() {
        let (mut most, end) = (0, 20_000_000);
        let run = |number| if number == 700 { Err("no".to_owned()) } else { Ok(number) };
        assert_eq!(on_all_cores(0..end, run, |number| most = most.max(number)), Err("no".to_owned()));
        assert!(most < end - 1, "the run went on to its end");
    }
}
