//! Contract of achievements: unlocks, claims, and the figures that unlock an achievement.

use bolts_bets::{Outcome, Terms};
use bolts_kernel::Currency;
use bolts_ports::{Standing, Unlocked};

use super::{Subject, keep, read};
use crate::Scene;
use crate::fixtures::{DAY, HOUR, sats, terms};

/// A repeated unlock or claim has no effect. Each user has their own unlocks. A locked achievement cannot be
/// claimed.
pub fn an_unlock_and_its_claim_are_noted_once(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let first = scene.now();
    scene.clock.advance(HOUR);
    let second = scene.now();
    let unlock = |id: &'static str, at| keep(store, move |tx| tx.achievements().unlock(ann, id, at));
    let claim = |user, id: &'static str| keep(store, move |tx| tx.achievements().claim(user, id, second));
    assert!(!claim(ann, "first_bet"), "it is locked");
    assert!(unlock("first_bet", first));
    assert!(!unlock("first_bet", second));
    assert!(unlock("first_win", second));
    assert!(!claim(bob, "first_bet"), "it is another user's");
    assert!(claim(ann, "first_bet"));
    assert!(!claim(ann, "first_bet"));
    let expected = [("first_bet", first, Some(second)), ("first_win", second, None)];
    let expected = expected.map(|(achievement, unlocked_at, claimed_at)| Unlocked {
        achievement: achievement.to_owned(),
        unlocked_at,
        claimed_at,
    });
    assert_eq!(keep(store, move |tx| tx.achievements().unlocked(ann)), expected);
    assert_eq!(read(store.achievements(ann)).unlocked, expected);
    assert_eq!(keep(store, move |tx| tx.achievements().unlocked(bob)), []);
    let standing = |user| keep(store, move |tx| tx.achievements().standing(user));
    assert_eq!(standing(ann).unlocked, ["first_bet", "first_win"]);
    assert_eq!(standing(bob), Standing::default());
}

/// The statistics leave out deleted bets. The latest results are in the order in which the bets were created,
/// not in the order in which they were settled.
pub fn what_counts_is_counted(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let bets = [(); 4].map(|()| scene.create(ann, terms()));
    scene.record(bets[3].clone().delete(ann, scene.now()).expect("may be deleted"));
    let stats = |user| keep(store, move |tx| tx.achievements().standing(user)).stats;
    let total = |user| stats(user).sum(|figures| figures.total_bets);
    assert_eq!((total(ann), total(bob)), (3, 0));

    let live: Vec<_> = bets[..3].iter().map(|bet| scene.accept(bet, bob)).collect();
    assert_eq!(total(bob), 3);
    scene.settle(&live[2], Outcome::A);
    scene.settle(&live[0], Outcome::B);
    scene.settle(&live[1], Outcome::Void);
    let results = |user, count| keep(store, move |tx| tx.achievements().latest_results(user, count));
    assert_eq!(
        (results(ann, 10), results(bob, 10), results(ann, 1)),
        (vec![true, false], vec![false, true], vec![true])
    );
    assert_eq!(total(ann), 3, "a void bet was a bet");
    let wins = |user| stats(user).sum(|figures| figures.wins);
    let sats_won = |user| stats(user)[Currency::Sats].winnings;
    assert_eq!((wins(ann), wins(bob), sats_won(ann)), (1, 1, 0));

    let in_sats = Terms { stake: sats(700), opponent_stake: sats(300).amount, ..terms() };
    for outcome in [Outcome::A, Outcome::A, Outcome::B] {
        scene.settle(&scene.accept(&scene.create(ann, in_sats.clone()), bob), outcome);
    }
    assert_eq!((sats_won(ann), sats_won(bob), wins(ann), wins(bob)), (600, 700, 3, 2));
}

/// The query for the achievements page counts all bets of the user. Its win streak stops at the highest target
/// of an achievement.
pub fn progress_is_shown_from_everything(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    assert_eq!(read(store.achievements(ann)), bolts_ports::AchievementsView::default());
    for _ in 0..12 {
        scene.clock.advance(DAY);
        let expires_at = scene.now().after(DAY);
        let opponent_stake = sats(150).amount;
        let expiry = Terms { expires_at, stake: sats(100), opponent_stake, ..terms() };
        scene.settle(&scene.accept(&scene.create(ann, expiry), bob), Outcome::A);
    }
    let figures = read(store.achievements(ann)).figures;
    assert_eq!((figures.total_bets, figures.wins, figures.win_streak), (12, 12, 10));
    assert_eq!(figures.total_winnings_sats, 1_800);
    let loser = read(store.achievements(bob)).figures;
    assert_eq!((loser.total_bets, loser.wins, loser.win_streak, loser.total_winnings_sats), (12, 0, 0, 0));
}
