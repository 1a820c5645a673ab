//! Tests of the achievements. They compare the catalogue with a second copy of its table, and check the progress of
//! users.

use bolts_achievements::{CATALOGUE, Figures, LONGEST_STREAK, find, newly_unlocked, win_streak};
use proptest::prelude::*;

/// A row of the table: id, name, rarity, condition, target, Bolts, title.
type Row = (&'static str, &'static str, &'static str, &'static str, i64, i64, Option<&'static str>);

/// The table in `docs/product.md#statistics-and-achievements`. The catalogue must match it.
const TABLE: [Row; 9] = [
    ("first_bet", "First Steps", "common", "total_bets", 1, 100, None),
    ("high_roller", "High Roller", "rare", "total_bets", 10, 500, None),
    ("betting_master", "Betting Master", "epic", "total_bets", 50, 2_000, Some("Master Bettor")),
    ("first_win", "Beginner's Luck", "common", "wins", 1, 200, None),
    ("win_streak_3", "Hot Streak", "rare", "win_streak", 3, 750, None),
    ("win_streak_5", "Unstoppable", "epic", "win_streak", 5, 1_500, None),
    ("win_streak_10", "Legendary Streak", "legendary", "win_streak", 10, 5_000, Some("Streak Legend")),
    ("big_win", "Big Winner", "epic", "total_winnings", 10_000, 1_000, None),
    ("whale", "Whale Status", "legendary", "total_winnings", 100_000, 10_000, Some("Whale")),
];

#[test]
fn the_catalogue_matches_the_documentation() {
    let found = CATALOGUE.map(|a| {
        let (condition, reward) = (a.condition, a.reward);
        (a.id, a.name, a.rarity.as_str(), condition.as_str(), condition.target(), reward.bolts, reward.title)
    });
    assert_eq!(found, TABLE);
    assert!(
        CATALOGUE.iter().all(|a| find(a.id) == Some(a) && !a.icon.is_empty() && !a.description.is_empty())
    );
    assert_eq!(find("nothing"), None);
    let longest = CATALOGUE.iter().filter(|a| a.condition.as_str() == "win_streak");
    assert_eq!(longest.map(|a| a.condition.target()).max(), Some(LONGEST_STREAK));
}

#[test]
fn progress_is_100_percent_from_the_target_and_unlocks_the_achievement() {
    let figures = |total_bets| Figures { total_bets, ..Figures::default() };
    let roller = find("high_roller").unwrap();
    assert_eq!(roller.progress(&figures(4)).percentage, 40.0);
    assert!(!roller.is_reached(&figures(9)));
    assert!(roller.is_reached(&figures(10)));
    assert_eq!(roller.progress(&figures(25)).percentage, 100.0);
    assert_eq!(roller.progress(&figures(25)).current, 25);
}

#[test]
fn a_streak_stops_at_the_first_loss() {
    assert_eq!(win_streak([]), 0);
    assert_eq!(win_streak([false, true, true]), 0);
    assert_eq!(win_streak([true, true, false, true]), 2);
}

proptest! {
    #[test]
    fn complete_achievements_are_unlocked_once(
        total_bets in 0..60_i64, wins in 0..60_i64, win_streak in 0..=LONGEST_STREAK, total_winnings_sats in 0..200_000_i64,
        known in prop::collection::vec(0..CATALOGUE.len(), 0..9),
    ) {
        let figures = Figures { total_bets, wins, win_streak, total_winnings_sats };
        let known: Vec<String> = known.into_iter().map(|index| CATALOGUE[index].id.to_owned()).collect();
        let new = newly_unlocked(&figures, &known);
        for achievement in &CATALOGUE {
            let progress = achievement.progress(&figures);
            prop_assert!((0.0..=100.0).contains(&progress.percentage));
            let is_complete = progress.percentage >= 100.0;
            prop_assert_eq!(is_complete, progress.current >= progress.target);
            let was_known = known.iter().any(|id| id == achievement.id);
            prop_assert_eq!(new.contains(&achievement), is_complete && !was_known);
        }
    }

    #[test]
    fn higher_figures_unlock_at_least_the_same_achievements(total in 0..60_i64, wins in 0..60_i64, more in 0..5_i64) {
        let less = Figures { total_bets: total, wins, ..Figures::default() };
        let richer = Figures { total_bets: total + more, wins: wins + more, ..less };
        let (before, after) = (newly_unlocked(&less, &[]), newly_unlocked(&richer, &[]));
        prop_assert!(before.iter().all(|achievement| after.contains(achievement)));
    }
}
