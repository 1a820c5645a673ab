//! Achievements: an action unlocks them, and the user claims each reward once.

use bolts_bets::Outcome;
use bolts_ports::{NoticeBody, Queries};
use bolts_resolution::Answer;
use bolts_usecases::Actor;
use bolts_usecases::achievements::ClaimError;
use futures_executor::block_on;

use crate::stage::{DAY, Stage};

impl Stage {
    fn claim(&self, actor: Actor, id: &str) -> Result<(), ClaimError> {
        block_on(self.app.claim_reward(actor.user, id, None)).map(drop)
    }

    /// The ids of the achievements that the user was told about, newest first.
    fn unlocked(&self, actor: Actor) -> Vec<String> {
        let all = self.store.notifications(actor.user).expect("readable");
        let ids = all.into_iter().filter_map(|one| {
            if let NoticeBody::AchievementUnlocked { achievement } = one.body {
                Some(achievement)
            } else {
                None
            }
        });
        ids.collect()
    }
}

#[test]
fn a_reward_is_given_once_and_only_for_an_unlocked_achievement() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let Err(ClaimError::Unknown(field)) = stage.claim(ann, "nothing") else { panic!("not refused") };
    assert_eq!(field.field, "achievementId");
    assert_eq!(stage.claim(ann, "first_bet"), Err(ClaimError::Locked));
    stage.create(ann, DAY);
    let before = stage.bolts(ann);
    for _ in 0..2 {
        assert_eq!(stage.claim(ann, "first_bet"), Ok(()));
        assert_eq!(stage.bolts(ann), before + 100, "a second claim has no effect");
    }
    assert_eq!(stage.claim(ann, "first_win"), Err(ClaimError::Locked));
    assert_eq!(stage.claim(bob, "first_bet"), Err(ClaimError::Locked), "each user unlocks their own");
    stage.assert_sound();
}

/// An admin deletes the lost bet between the won ones, so the wins are in a row now. No win of the user caused this.
#[test]
fn a_claim_unlocks_what_is_reached_but_not_unlocked() {
    let stage = Stage::new();
    let (ann, bob, root) = (stage.user("ann"), stage.user("bob"), stage.admin("root"));
    let ended = [Outcome::A, Outcome::A, Outcome::B, Outcome::A].map(|outcome| {
        let bet = stage.live(ann, bob, DAY);
        stage.propose(ann, bet, outcome);
        stage.answer(bob, bet, Answer::Accept).expect("accepted");
        bet
    });
    assert_eq!(stage.claim(ann, "win_streak_3"), Err(ClaimError::Locked));
    block_on(stage.app.remove_bet(root, ended[2])).expect("deleted");
    assert!(!stage.unlocked(ann).contains(&"win_streak_3".to_owned()));
    let before = stage.bolts(ann);
    for _ in 0..2 {
        assert_eq!(stage.claim(ann, "win_streak_3"), Ok(()));
        assert_eq!(stage.bolts(ann), before + 750);
    }
    assert_eq!(stage.unlocked(ann)[0], "win_streak_3");
    assert_eq!(stage.claim(ann, "win_streak_5"), Err(ClaimError::Locked));
    stage.assert_sound();
}

#[test]
fn only_the_winner_unlocks_what_wins_unlock() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    for won in 1..=3 {
        let bet = stage.live(ann, bob, DAY);
        stage.propose(ann, bet, Outcome::A);
        stage.answer(bob, bet, Answer::Accept).expect("accepted");
        let streaks = stage.unlocked(ann).iter().filter(|id| *id == "win_streak_3").count();
        assert_eq!(streaks, usize::from(won == 3), "after {won} wins");
    }
    let mut unlocked = stage.unlocked(ann);
    unlocked.sort();
    assert_eq!(unlocked, ["first_bet", "first_win", "win_streak_3"]);
    assert_eq!(stage.unlocked(bob), ["first_bet"]);
    stage.assert_sound();
}
