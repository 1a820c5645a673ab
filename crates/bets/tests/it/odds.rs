//! Tests of the two stakes of a bet and of the odds that pages show (`docs/domain-rules.md#stakes-and-odds`).

use bolts_bets::{Bet, CancelReason, NewBet, Odds, Side, Terms, Waits, opponent_stakes};
use bolts_kernel::{Amount, Currency, Money};
use proptest::prelude::*;

use crate::support::{NOW, at, changed, parse, refused, user};

fn terms(
    currency: &str,
    stake: i64,
    opponent_stake: Option<i64>,
) -> Result<Terms, Vec<bolts_kernel::FieldError>> {
    changed(|draft| {
        draft.currency = currency.to_owned();
        draft.stake_amount = stake;
        draft.opponent_stake = opponent_stake;
    })
}

fn pending(creator_side: Side, stake: i64, opponent_stake: i64) -> Bet {
    let terms = terms("bolts", stake, Some(opponent_stake)).unwrap();
    let new = NewBet {
        id: 77.into(),
        creator: user(0),
        creator_side,
        terms,
        waits: Waits::default(),
        arbiter: None,
    };
    Bet::create(new, at(NOW)).bet
}

#[test]
fn an_absent_opponent_stake_is_the_creators() {
    for units in [1, 250, 100_000_000] {
        assert_eq!(terms("bolts", units, None).unwrap().opponent_stake.get(), units);
    }
    assert_eq!(terms("sats", 100, None).unwrap().opponent_stake.get(), 100);
}

#[test]
fn the_larger_stake_is_at_most_100_times_the_smaller() {
    // The currency, the stake, and the smallest and largest stake against it.
    for (currency, stake, least, most) in [
        ("bolts", 1, 1, 100),
        ("bolts", 100, 1, 10_000),
        ("bolts", 101, 2, 10_100),
        ("bolts", 250, 3, 25_000),
        ("bolts", 1_000_000, 10_000, 100_000_000),
        ("bolts", 1_000_001, 10_001, 100_000_000),
        ("bolts", 100_000_000, 1_000_000, 100_000_000),
        ("sats", 100, 100, 10_000),
        ("sats", 10_000, 100, 1_000_000),
        ("sats", 10_001, 101, 1_000_100),
        ("sats", 100_000_000, 1_000_000, 100_000_000),
    ] {
        for units in [least, most] {
            assert_eq!(terms(currency, stake, Some(units)).unwrap().opponent_stake.get(), units);
        }
        let unit = if currency == "sats" { "sats" } else { "Bolts" };
        let [own, from, to] = [stake, least, most].map(|units| Amount::new(units).unwrap().grouped());
        let message = format!(
            "The larger stake may be at most 100 times the smaller one. \
             Against {own} {unit}, the opponent's stake must be from {from} to {to} {unit}."
        );
        for units in [i64::MIN, -1, 0, least - 1, most + 1, i64::MAX] {
            refused(terms(currency, stake, Some(units)), "opponentStake", &message);
        }
    }
}

#[test]
fn an_invalid_stake_is_the_only_error_of_the_stakes() {
    refused(terms("bolts", 0, Some(5)), "stakeAmount", "Minimum stake for Bolts bets is 1 bolt.");
    refused(terms("usd", 5, Some(5)), "currencyType", "Currency must be bolts or sats");
}

#[test]
fn odds_are_rounded_half_up_to_two_places() {
    // The own stake, the opponent's stake, and the odds of the own side in hundredths.
    for (own, opponents, hundredths) in [
        (100, 100, 200),
        (100, 40, 140),
        (40, 100, 350),
        (3, 1, 133),
        (3, 2, 167),
        (1, 100, 10_100),
        (100, 1, 101),
        (200, 1, 101), // 1.005
        (201, 1, 100), // 1.00497…
        (99_999_999, 100_000_000, 200),
        (8, 1, 113), // 1.125
        (1_000_000, 100_000_000, 10_100),
    ] {
        let [own, opponents] = [own, opponents].map(|units| Amount::new(units).unwrap());
        let pot = own.checked_add(opponents).unwrap();
        assert_eq!(Odds::of(pot, own).hundredths(), hundredths, "{own} against {opponents}");
    }
}

#[test]
fn a_number_names_the_odds_that_a_bet_can_have() {
    for (number, hundredths) in [
        (1.0, None),
        (1.004, None),
        (1.01, Some(101)),
        (2.0, Some(200)),
        (3.496, Some(350)),
        (101.0, Some(10_100)),
        (101.01, None),
        (-2.0, None),
        (f64::NAN, None),
        (f64::INFINITY, None),
    ] {
        assert_eq!(Odds::nearest(number).map(Odds::hundredths), hundredths, "{number}");
    }
}

#[test]
fn each_side_has_its_stake_whoever_takes_it() {
    for (creator_side, stake_a, stake_b) in [(Side::A, 100, 40), (Side::B, 40, 100)] {
        let bet = pending(creator_side, 100, 40);
        let units = |side| bet.stake_of(side).amount.get();
        assert_eq!((units(Side::A), units(Side::B)), (stake_a, stake_b));
        let free = creator_side.opposite();
        let odds = [creator_side, free].map(|side| bet.odds_of(side).hundredths());
        assert_eq!((bet.pot().amount.get(), odds), (140, [140, 350]));
    }
}

#[test]
fn lists_sort_by_the_cost_of_the_free_side_and_then_by_the_pot() {
    let bet = pending(Side::A, 100, 40);
    assert_eq!(bet.sort_stake().amount.get(), 40);
    let live = bet.clone().accept(user(1), Side::B, at(NOW)).unwrap().bet;
    assert_eq!(live.sort_stake().amount.get(), 140);
    let cancelled = bet.cancelled(CancelReason::Expired, at(NOW)).bet;
    assert_eq!(cancelled.sort_stake().amount.get(), 140);
}

fn stakes() -> impl Strategy<Value = (i64, i64)> {
    (1..=100_000_000_i64).prop_flat_map(|stake| {
        let money = Money::new(Amount::new(stake).unwrap(), Currency::Bolts);
        (Just(stake), opponent_stakes(money))
    })
}

proptest! {
    /// The range of stakes against a stake contains exactly the stakes that keep the ratio, and the relation is mutual.
    #[test]
    fn the_limits_of_both_stakes_agree(stake in 1..=100_000_000_i64, other in 1..=100_000_000_i64) {
        let allows = |one: i64, other: i64| {
            opponent_stakes(Money::new(Amount::new(one).unwrap(), Currency::Bolts)).contains(&other)
        };
        prop_assert_eq!(allows(stake, other), stake <= 100 * other && other <= 100 * stake);
        prop_assert_eq!(allows(stake, other), allows(other, stake));
    }

    /// The two stakes are the pot. Each stays its owner's, and the odds of both sides fit together.
    #[test]
    fn stakes_and_odds_fit_together((stake, other) in stakes(), is_a in any::<bool>()) {
        let side = if is_a { Side::A } else { Side::B };
        let bet = pending(side, stake, other);
        prop_assert_eq!(bet.staked().amount.get(), stake);
        let live = bet.accept(user(1), side.opposite(), at(NOW)).unwrap().bet;
        let units: Vec<_> = live.stakes().into_iter().map(|(user, money)| (user, money.amount.get())).collect();
        prop_assert_eq!(units, [(user(0), stake), (user(1), other)]);
        prop_assert_eq!(live.escrowed().get(), stake + other);
        prop_assert_eq!(live.pot().amount.get(), stake + other);
        for (odds, own) in [(live.odds_of(side), stake), (live.odds_of(side.opposite()), other)] {
            // Rounded half up: `odds - 1/2 <= 100 * pot / own < odds + 1/2`.
            let exact = 200 * (stake + other);
            prop_assert!((2 * odds.hundredths() - 1) * own <= exact && exact < (2 * odds.hundredths() + 1) * own);
        }
    }
}

#[test]
fn a_draft_keeps_both_stakes() {
    let draft = crate::support::draft();
    let terms = parse(&draft).unwrap();
    assert_eq!((terms.stake.amount.get(), terms.opponent_stake.get()), (100, 60));
}
