//! Rate limits on ideas and wording checks. Failed requests for ideas count too.

use std::time::Duration;

use bolts_kernel::FieldError;
use bolts_ports::{IdeasFailed, Wording};
use bolts_usecases::Actor;
use bolts_usecases::ideas::{CheckError, IdeaError};
use futures_executor::block_on;

use crate::stage::{DAY, HOUR, Stage};

fn generate(stage: &Stage, actor: Actor) -> Result<String, IdeaError> {
    block_on(stage.app.generate_idea(actor)).map(|idea| idea.title.to_string())
}

fn complete(stage: &Stage, actor: Actor, title: &str) -> Result<String, IdeaError> {
    block_on(stage.app.complete_idea(actor, title)).map(|idea| idea.title.to_string())
}

#[test]
fn twenty_ideas_an_hour_of_both_kinds_together() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    for _ in 0..10 {
        assert!(generate(&stage, ann).is_ok());
        stage.clock.advance(Duration::from_secs(60));
        assert_eq!(complete(&stage, ann, "  Will it snow?  ").as_deref(), Ok("Will it snow?"));
    }
    for _ in 0..2 {
        let refused = [generate(&stage, ann), complete(&stage, ann, "Will it snow?")];
        for refused in refused {
            let Err(IdeaError::TooMany(refused)) = refused else { panic!("{refused:?}") };
            assert_eq!(refused.retry_after, Duration::from_secs(50 * 60));
        }
    }
    assert!(generate(&stage, bob).is_ok(), "each user has a separate limit");
    assert!(block_on(stage.app.check_wording(ann, Wording::default())).is_ok(), "checks count separately");
    stage.clock.advance(Duration::from_secs(50 * 60));
    assert!(generate(&stage, ann).is_ok());
}

#[test]
fn a_failure_counts_towards_the_limit_and_an_invalid_title_does_not() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    for title in ["", "    ", "abcd", "  abcd  ", &"x".repeat(201), "nul \u{0} byte"] {
        let refused = complete(&stage, ann, title);
        let Err(IdeaError::Invalid(errors)) = refused else { panic!("{title:?}: {refused:?}") };
        assert!(matches!(errors.as_slice(), [FieldError { field: "title", .. }]), "{errors:?}");
    }
    stage.ideas.fail(true);
    let failed = Err(IdeaError::Unavailable(IdeasFailed("as the test wants it".to_owned())));
    for _ in 0..10 {
        assert_eq!(generate(&stage, ann), failed);
        assert_eq!(complete(&stage, ann, "Will it snow?"), failed);
    }
    stage.ideas.fail(false);
    assert!(matches!(generate(&stage, ann), Err(IdeaError::TooMany(_))));
}

#[test]
fn every_request_has_a_new_turn_even_after_days() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    for pause in [Duration::ZERO, HOUR, HOUR, DAY, 3 * DAY, 300 * DAY] {
        stage.clock.advance(pause);
        block_on(stage.app.tidy()).expect("tidied");
        assert!(generate(&stage, ann).is_ok());
    }
    let turns = stage.ideas.turns();
    assert!(turns.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{turns:?}");
}

/// A copy of the database has no counts. The ideas of a copy must not start again with the first ones.
#[test]
fn the_first_turn_of_a_user_is_the_number_of_the_day() {
    let stage = Stage::new();
    for user in ["ann", "bob"].map(|name| stage.user(name)) {
        assert!(generate(&stage, user).is_ok());
        stage.clock.advance(DAY);
    }
    // 5 and 6 January 2026, counted from 1 January 1970.
    assert_eq!(stage.ideas.turns(), [20_458, 20_459]);
}

#[test]
fn wording_is_checked_a_hundred_and_twenty_times_an_hour() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let check = || block_on(stage.app.check_wording(ann, Wording::default()));
    for _ in 0..120 {
        assert_eq!(check().map(|remarks| remarks.len()), Ok(1));
    }
    let Err(CheckError::TooMany(refused)) = check() else { panic!("too many") };
    assert_eq!(refused.retry_after, HOUR);
    assert!(generate(&stage, ann).is_ok());
    stage.clock.advance(HOUR);
    assert!(check().is_ok());
}
