//! Rate limits for one user.

use std::time::Duration;

use bolts_bets::Outcome;
use bolts_kernel::BetId;
use bolts_ports::BetView;
use bolts_resolution::Answer;
use bolts_usecases::bets::{ActionError, CreateError};
use bolts_usecases::messages::MessageError;
use bolts_usecases::{Actor, App, Hourly, HourlyLimit, Idempotent, Reply, Rules};
use futures_executor::block_on;

use crate::stage::{self, DAY, HOUR, Stage};

/// A bet that does not exist.
fn unknown() -> BetId {
    BetId::from(7)
}

fn create(
    stage: &Stage,
    app: &App,
    actor: Actor,
    repeat: Option<Idempotent<BetView>>,
) -> Result<Reply<BetView>, CreateError> {
    block_on(app.create_bet(actor, stage.wanted(DAY), repeat))
}

/// Creates a bet and deletes it again, so that the balance of the user covers the next stake.
fn create_and_delete(stage: &Stage, actor: Actor) -> Result<BetId, CreateError> {
    match create(stage, &stage.app, actor, None)? {
        Reply::Done(view) => {
            block_on(stage.app.delete_bet(actor, view.bet.id)).expect("deleted");
            Ok(view.bet.id)
        }
        Reply::Replayed(answer) => panic!("repeated: {answer}"),
    }
}

fn bets(retry_after: Duration) -> CreateError {
    CreateError::TooMany(HourlyLimit { kind: Hourly::Bets, retry_after })
}

fn once(actor: Actor, key: &str) -> Option<Idempotent<BetView>> {
    stage::once(actor, key, |view: &BetView| view.bet.id.to_string())
}

#[test]
fn a_user_creates_sixty_bets_an_hour() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let first = create(&stage, &stage.app, ann, once(ann, "first")).expect("created");
    let Reply::Done(first) = first else { panic!("repeated") };
    for _ in 1..60 {
        create_and_delete(&stage, ann).expect("created");
    }
    stage.clock.advance(HOUR / 2);
    for _ in 0..3 {
        assert_eq!(create_and_delete(&stage, ann), Err(bets(HOUR / 2)));
    }
    // Another process shares the count. A repeated request gets its first answer. Another user has a separate
    // limit.
    let other = stage.other_process();
    assert_eq!(create(&stage, &other, ann, None).err(), Some(bets(HOUR / 2)));
    assert_eq!(create(&stage, &stage.app, ann, once(ann, "new")).err(), Some(bets(HOUR / 2)));
    let again = create(&stage, &stage.app, ann, once(ann, "first"));
    assert_eq!(again, Ok(Reply::Replayed(first.bet.id.to_string())));
    create_and_delete(&stage, bob).expect("created");
    stage.clock.advance(HOUR / 2);
    create_and_delete(&stage, ann).expect("created");
    stage.assert_sound();
}

/// The request was valid when it was sent first. Its repeat may come after the expiry that it names.
#[test]
fn a_repeated_creation_gets_its_first_answer_after_the_expiry() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let wanted = stage.wanted(HOUR);
    let send = |repeat| block_on(stage.app.create_bet(ann, wanted.clone(), repeat));
    let Ok(Reply::Done(first)) = send(once(ann, "first")) else { panic!("not created") };
    for passed in [HOUR, 22 * HOUR] {
        stage.clock.advance(passed);
        assert_eq!(send(once(ann, "first")), Ok(Reply::Replayed(first.bet.id.to_string())));
        assert!(matches!(send(once(ann, "other")), Err(CreateError::Invalid(_))));
        assert!(matches!(send(None), Err(CreateError::Invalid(_))));
    }
    stage.clock.advance(HOUR + Duration::from_micros(1));
    assert!(
        matches!(send(once(ann, "first")), Err(CreateError::Invalid(_))),
        "no answer is kept for more than a day"
    );
    stage.assert_sound();
}

#[test]
fn what_was_not_created_does_not_count() {
    let stage = Stage::with_rules(Rules { bets_per_hour: 3, ..Rules::default() });
    let ann = stage.user("ann");
    for _ in 0..5 {
        let mut wanted = stage.wanted(DAY);
        wanted.draft.stake_amount = 1_001;
        let refused = block_on(stage.app.create_bet(ann, wanted, None));
        assert!(matches!(refused, Err(CreateError::Insufficient(_))), "{refused:?}");
    }
    for _ in 0..3 {
        create_and_delete(&stage, ann).expect("created");
    }
    assert_eq!(create_and_delete(&stage, ann), Err(bets(HOUR)));
}

#[test]
fn a_limit_of_nothing_is_lifted() {
    let stage = Stage::with_rules(Rules { bets_per_hour: 0, writes_per_minute: 0, ..Rules::default() });
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    for _ in 0..70 {
        create_and_delete(&stage, ann).expect("created");
    }
    let bet = stage.live(ann, bob, DAY);
    for _ in 0..125 {
        stage.propose(ann, bet, Outcome::Void);
        stage.answer(bob, bet, Answer::Reject).expect("rejected");
    }
    for _ in 0..35 {
        stage.write(ann, bet);
    }
    for _ in 0..1_000 {
        assert_eq!(stage.app.count_write(ann.user), Ok(()));
        assert_eq!(stage.app.count_search(ann.user), Ok(()));
    }
}

#[test]
fn proposals_answers_and_disputes_have_one_limit() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let (bet, other) = (stage.live(ann, bob, DAY), stage.live(ann, bob, DAY));
    let reached = |answer: Result<Reply<BetView>, ActionError>| {
        let limit = HourlyLimit { kind: Hourly::Actions, retry_after: HOUR };
        assert_eq!(answer.err(), Some(ActionError::TooMany(limit)));
    };
    for _ in 0..120 {
        stage.propose(ann, bet, Outcome::Void);
        stage.answer(bob, bet, Answer::Reject).expect("rejected");
    }
    reached(block_on(stage.app.propose_outcome(ann, bet, Outcome::Void, None)));
    reached(block_on(stage.app.dispute_bet(bob, bet, "Reason".to_owned())));
    reached(block_on(stage.app.propose_outcome(ann, unknown(), Outcome::Void, None)));
    // Other actions have no hourly limit.
    block_on(stage.app.end_bet_early(ann, other)).expect("ended");
    stage.clock.advance(HOUR);
    stage.propose(ann, bet, Outcome::Void);
    stage.answer(bob, bet, Answer::Accept).expect("accepted");
    stage.assert_sound();
}

#[test]
fn writes_are_limited_per_minute() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let into_the_minute = stage.now().micros().rem_euclid(60_000_000);
    stage.clock.advance(Duration::from_micros(60_000_000 - into_the_minute.unsigned_abs()));
    for _ in 0..300 {
        assert_eq!(stage.app.count_write(ann.user), Ok(()));
    }
    stage.clock.advance(Duration::from_secs(20));
    let refused = stage.app.count_write(ann.user).expect_err("the 301st");
    assert_eq!(refused.retry_after, Duration::from_secs(40));
    assert_eq!(stage.app.count_write(bob.user), Ok(()));
    stage.clock.advance(Duration::from_secs(40));
    assert_eq!(stage.app.count_write(ann.user), Ok(()));
}

/// A user who has reached a limit costs no job. So the process does not even look for the bet of the request.
#[test]
fn a_process_refuses_users_of_whom_it_knows_that_they_have_reached_a_limit() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let bet = stage.live(ann, bob, DAY);
    let start = stage.now();
    let limit = |minutes: u64| {
        let retry_after = Duration::from_secs(minutes * 60);
        MessageError::TooMany(HourlyLimit { kind: Hourly::Messages, retry_after })
    };
    let refused = |actor: Actor| stage.try_write(actor, unknown(), &[]).expect_err("refused");
    for actor in [ann, bob] {
        for _ in 0..30 {
            stage.write(actor, bet);
        }
        assert_eq!(refused(actor), MessageError::BetNotFound);
        assert_eq!(stage.try_write(actor, bet, &[]).err(), Some(limit(60)));
        assert_eq!(refused(actor), limit(60));
        stage.clock.advance(HOUR / 6);
    }
    assert_eq!((refused(ann), refused(bob)), (limit(40), limit(50)));
    stage.clock.advance(HOUR / 3 * 2);
    assert_eq!((refused(ann), refused(bob)), (MessageError::BetNotFound, limit(10)));
    stage.write(ann, bet);
    // A limit that ends in more than an hour shows that the clock was set back, so the limit is ignored.
    stage.clock.set(start);
    assert_eq!(refused(bob), MessageError::BetNotFound);
}

#[test]
fn a_user_searches_sixty_times_a_minute() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    for _ in 0..60 {
        assert_eq!(stage.app.count_search(ann.user), Ok(()));
    }
    assert!(stage.app.count_search(ann.user).is_err());
    assert_eq!(stage.app.count_search(bob.user), Ok(()));
    assert_eq!(stage.app.count_write(ann.user), Ok(()), "writes count separately");
    stage.clock.advance(Duration::from_secs(60));
    assert_eq!(stage.app.count_search(ann.user), Ok(()));
}
