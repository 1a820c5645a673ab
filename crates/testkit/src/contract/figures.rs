//! Contract of figures: the market figures and the statistics of a user.

use bolts_bets::{Bet, Outcome, Party, Terms};
use bolts_kernel::{Amount, Currency, Money, PerCurrency, UserId};
use bolts_ports::{CurrencyStats, MarketStats, Stats};
use bolts_resolution::deadlines;

use super::{Subject, read};
use crate::Scene;
use crate::fixtures::{DAY, HOUR, bolts, private, sats, terms};

fn staking(scene: &Scene<'_>, stake: Money) -> Terms {
    at_odds(scene, stake, stake.amount.get())
}

fn at_odds(scene: &Scene<'_>, stake: Money, against: i64) -> Terms {
    let opponent_stake = Amount::new(against).expect("not below 0");
    Terms { stake, opponent_stake, expires_at: scene.now().after(DAY), ..terms() }
}

/// After each transition of a bet, the market figures are correct. The test runs several bets one after
/// another.
pub fn tiles_follow_every_transition(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob, admin) = (scene.user("ann"), scene.user("bob"), scene.user("admin"));
    let assert_tiles = |active_bets, bolts_volume, total_bets, when: &str| {
        let volume = PerCurrency::only(Currency::Bolts, bolts_volume);
        let expected = MarketStats { active_bets, volume, total_bets };
        assert_eq!(read(store.market_stats()), expected, "{when}");
    };
    assert_tiles(0, 0, 0, "empty");
    let bet = scene.create(ann, staking(&scene, bolts(10)));
    assert_tiles(1, 10, 1, "created");
    let bet = scene.accept(&bet, bob);
    assert_tiles(1, 20, 1, "accepted");
    let bet = scene.propose(&bet, Party::Creator, Outcome::A);
    assert_tiles(0, 20, 1, "awaiting resolution");
    let bet = scene.dispute(&bet, Party::Acceptor, "No.");
    assert_tiles(0, 20, 1, "disputed");
    let ruling = bolts_resolution::rule(bet, admin, Outcome::B, "", scene.now()).expect("may be ruled");
    let resolved = scene.record(ruling);
    assert_tiles(0, 20, 1, "resolved");

    let second = scene.create(ann, staking(&scene, bolts(100)));
    assert_tiles(1, 120, 2, "a second one");
    scene.record(second.delete(ann, scene.now()).expect("may be deleted"));
    assert_tiles(0, 20, 1, "deleted by its creator");
    let third = scene.create(ann, staking(&scene, bolts(100)));
    scene.clock.advance(DAY);
    scene.record(deadlines::due(&third, scene.now()).expect("it expired"));
    assert_tiles(0, 120, 2, "expired without a challenger");
    let fourth = scene.accept(&scene.create(ann, staking(&scene, bolts(100))), bob);
    assert_tiles(1, 320, 3, "a live one");
    scene.record(bolts_resolution::refund(fourth, admin, scene.now()).expect("may be refunded"));
    assert_tiles(0, 320, 3, "refunded");
    let removed = bolts_resolution::admin_delete(resolved, admin, scene.now());
    scene.record(removed.expect("may be removed"));
    assert_tiles(0, 300, 2, "removed by an admin");
}

/// The market figures have a separate volume for each currency. They leave out private bets.
pub fn tiles_show_public_bets_only(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let hidden = Terms { visibility: private("secret"), ..staking(&scene, bolts(7)) };
    scene.accept(&scene.create(ann, hidden), bob);
    assert_eq!(read(store.market_stats()), MarketStats::default());
    scene.accept(&scene.create(ann, staking(&scene, sats(100_000_000))), bob);
    scene.create(ann, staking(&scene, bolts(3)));
    let mut volume = PerCurrency::only(Currency::Bolts, 3);
    volume[Currency::Sats] = 200_000_000;
    assert_eq!(read(store.market_stats()), MarketStats { active_bets: 2, volume, total_bets: 2 });
}

/// At odds, the volume is the sum of both stakes. A win adds the loser's stake, and a loss costs the own stake.
pub fn figures_count_each_side_by_its_stake(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let volume = || read(store.market_stats()).volume[Currency::Bolts];
    let pending = scene.create(ann, at_odds(&scene, bolts(100), 40));
    assert_eq!(volume(), 100);
    scene.settle(&scene.accept(&pending, bob), Outcome::A);
    assert_eq!(volume(), 140);
    let long = scene.accept(&scene.create(bob, at_odds(&scene, bolts(3), 300)), ann);
    scene.settle(&long, Outcome::A);
    assert_eq!(volume(), 443);
    let lost = scene.accept(&scene.create(ann, at_odds(&scene, bolts(7), 1)), bob);
    scene.settle(&lost, Outcome::B);
    let void = scene.accept(&scene.create(ann, at_odds(&scene, bolts(90), 9)), bob);
    scene.settle(&void, Outcome::Void);
    let stats = |user| read(store.stats(user))[Currency::Bolts];
    let anns = CurrencyStats {
        wins: 1,
        losses: 2,
        winnings: 40,
        losings: 307,
        best_win: 40,
        biggest_loss: 300,
        total_bets: 4,
        active_bets: 0,
    };
    let bobs = CurrencyStats {
        wins: 2,
        losses: 1,
        winnings: 307,
        losings: 40,
        best_win: 300,
        biggest_loss: 40,
        ..anns
    };
    assert_eq!((stats(ann), stats(bob)), (anns, bobs));
}

/// Creates a bet with this stake and settles it with this outcome. The creator is on side A.
fn settled(scene: &Scene<'_>, stake: Money, creator: UserId, acceptor: UserId, outcome: Outcome) -> Bet {
    scene.clock.advance(HOUR);
    scene.settle(&scene.accept(&scene.create(creator, staking(scene, stake)), acceptor), outcome)
}

/// The statistics count wins, losses and their amounts for each currency. They cover public and private bets
/// that the user created or accepted (`docs/product.md#statistics-and-achievements`).
pub fn stats_count_what_the_decisions_say(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob, cay) = (scene.user("ann"), scene.user("bob"), scene.user("cay"));
    assert_eq!(read(store.stats(ann)), Stats::default());
    settled(&scene, bolts(10), ann, bob, Outcome::A);
    settled(&scene, bolts(40), bob, ann, Outcome::B);
    settled(&scene, bolts(30), ann, bob, Outcome::A);
    settled(&scene, bolts(5), ann, bob, Outcome::B);
    settled(&scene, bolts(25), bob, ann, Outcome::A);
    settled(&scene, bolts(99), ann, bob, Outcome::Void);
    settled(&scene, bolts(77), bob, cay, Outcome::A);
    settled(&scene, sats(500), ann, bob, Outcome::A);
    let hidden = Terms { visibility: private("secret"), ..staking(&scene, bolts(1)) };
    scene.create(ann, hidden);
    scene.accept(&scene.create(bob, staking(&scene, bolts(1))), ann);
    let live = scene.accept(&scene.create(ann, staking(&scene, sats(100))), bob);
    scene.propose(&live, Party::Creator, Outcome::A);
    let in_bolts = CurrencyStats {
        wins: 3,
        losses: 2,
        winnings: 80,
        losings: 30,
        best_win: 40,
        biggest_loss: 25,
        total_bets: 8,
        active_bets: 2,
    };
    let in_sats = CurrencyStats {
        wins: 1,
        winnings: 500,
        best_win: 500,
        total_bets: 2,
        active_bets: 1,
        ..CurrencyStats::default()
    };
    let mut expected = Stats::only(Currency::Bolts, in_bolts);
    expected[Currency::Sats] = in_sats;
    assert_eq!(read(store.stats(ann)), expected);
    let cays =
        CurrencyStats { losses: 1, losings: 77, biggest_loss: 77, total_bets: 1, ..CurrencyStats::default() };
    assert_eq!(read(store.stats(cay)), Stats::only(Currency::Bolts, cays));
}

/// The statistics leave out bets that were deleted or cancelled before acceptance. A bet that was refunded
/// after its acceptance counts.
pub fn stats_leave_out_what_never_was_a_bet(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob, admin) = (scene.user("ann"), scene.user("bob"), scene.user("admin"));
    let create = || scene.create(ann, staking(&scene, bolts(10)));
    scene.record(create().delete(ann, scene.now()).expect("may be deleted"));
    scene.record(bolts_resolution::refund(create(), admin, scene.now()).expect("may be refunded"));
    let pending = create();
    scene.clock.advance(DAY);
    scene.record(deadlines::due(&pending, scene.now()).expect("it expired"));
    let won = settled(&scene, bolts(10), ann, bob, Outcome::A);
    scene.record(bolts_resolution::admin_delete(won, admin, scene.now()).expect("may be removed"));
    assert_eq!(read(store.stats(ann)), Stats::default());

    // After the deletion of the bet with the best win, the second best win becomes the best win.
    let larger = settled(&scene, bolts(30), ann, bob, Outcome::A);
    let smaller = settled(&scene, bolts(20), ann, bob, Outcome::A);
    let extremes = || {
        let [ann, bob] = [ann, bob].map(|user| read(store.stats(user))[Currency::Bolts]);
        (ann.best_win, bob.biggest_loss)
    };
    assert_eq!(extremes(), (30, 30));
    scene.record(bolts_resolution::admin_delete(larger, admin, scene.now()).expect("may be removed"));
    assert_eq!(extremes(), (20, 20));
    scene.record(bolts_resolution::admin_delete(smaller, admin, scene.now()).expect("may be removed"));
    assert_eq!(read(store.stats(bob)), Stats::default());

    let accepted = scene.accept(&scene.create(ann, staking(&scene, bolts(10))), bob);
    scene.record(bolts_resolution::refund(accepted, admin, scene.now()).expect("may be refunded"));
    let once = CurrencyStats { total_bets: 1, ..CurrencyStats::default() };
    for user in [ann, bob] {
        assert_eq!(read(store.stats(user)), Stats::only(Currency::Bolts, once));
    }
}
