//! Tests of the audit. Each test breaks an invariant by hand. The audit must report exactly the expected
//! checks.

use bolts_bets::{Bet, Outcome};
use bolts_kernel::UserId;
use bolts_ports::Audit;
use bolts_testkit::{Scene, terms};

use super::support::{Raw, TestStore};

/// A database without violations. Ann has created four bets: pending, live, resolved (A won) and cancelled.
/// Bob has accepted the last three.
struct Sound {
    store: TestStore,
    ann: UserId,
    bob: UserId,
    pending: Bet,
    live: Bet,
    resolved: Bet,
}

const SUM: &str = "1 all accounts of a currency sum to 0";
const BALANCE: &str = "2 each balance is the sum of its transfers";
const TRANSFER: &str = "2 each transfer moves something between two accounts of its currency";
const KIND: &str = "2 each transfer is what its kind says";
const OVERDRAWN: &str = "3 no account is overdrawn";
const ESCROW: &str = "4 escrow holds the stakes of open bets and nothing else";
const NO_BET: &str = "4 each escrow belongs to a bet of its currency";
const POSITIONS: &str = "4 each bet's positions are its parties and their stakes";
const STAKED: &str = "4 each position was staked once";
const STATUS: &str = "4 each bet has what its status says";
const ARBITER: &str = "4 each arbiter is no party, and decided only with the task accepted";
const PAID: &str = "5 each settled bet paid its escrow out once, to its winner or its owners";
const NOTHING_ELSE: &str = "5 nothing else left an escrow";
const PAYOUT: &str = "5 each position's payout is what was paid";
const REWARD: &str = "7 each achievement was rewarded at most once per user";
const CLAIM: &str = "7 each claim was rewarded, and each reward was claimed";
const GRANT: &str = "7 each user got the sign-up grant at most once";
const STATISTICS: &str = "8 each user's statistics are those of their bets";
const MARKET: &str = "8 the market figures are those of the public bets";

impl Sound {
    fn new() -> Self {
        let store = TestStore::new();
        let scene = Scene::new(&*store);
        let (ann, bob) = (scene.user("ann"), scene.user("bob"));
        let accepted = || scene.accept(&scene.create(ann, terms()), bob);
        let pending = scene.create(ann, terms());
        let live = accepted();
        let resolved = scene.settle(&accepted(), Outcome::A);
        scene.settle(&accepted(), Outcome::Void);
        Self { store, ann, bob, pending, live, resolved }
    }

    /// Breaks an invariant with `spoil`. Returns the checks that found violations, with their messages.
    fn broken(&self, spoil: impl FnOnce(&mut Raw)) -> Vec<(&'static str, Vec<String>)> {
        assert!(self.violations().is_empty(), "{:?}", self.violations());
        let mut raw = self.store.raw();
        raw.lift_all_rules();
        spoil(&mut raw);
        self.violations()
    }

    fn violations(&self) -> Vec<(&'static str, Vec<String>)> {
        let checks = self.store.audit().unwrap().into_iter();
        checks.filter(|check| !check.violations.is_empty()).map(|c| (c.name, c.violations)).collect()
    }
}

/// Asserts that exactly these checks found violations, and that a message of each check contains `of`.
fn assert_found(found: &[(&'static str, Vec<String>)], checks: &[&str], of: &str) {
    let names: Vec<_> = found.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, checks, "{found:?}");
    for (name, violations) in found {
        assert!(violations.iter().any(|violation| violation.contains(of)), "{name}: {violations:?}");
    }
}

fn account(kind: &str, owner: &str, currency: &str) -> String {
    format!(
        "(SELECT id FROM accounts WHERE kind = '{kind}' AND owner = '{owner}' AND currency = '{currency}')"
    )
}

fn available(user: UserId) -> String {
    account("available", &user.to_string(), "bolts")
}

fn escrow(bet: &Bet) -> String {
    account("escrow", &bet.id.to_string(), "bolts")
}

/// Inserts a transfer and changes both balances, as the trigger would do.
fn post(raw: &mut Raw, key: &str, kind: &str, from: &str, to: &str, amount: i64) {
    raw.run(&format!(
        "INSERT INTO transfers (key, operation_id, from_account, to_account, amount, currency, kind, created_at)
         SELECT '{key}', 'op', {from}, {to}, {amount}, currency, '{kind}', 0 FROM accounts WHERE id = {from};
         UPDATE accounts SET balance = balance - {amount} WHERE id = {from};
         UPDATE accounts SET balance = balance + {amount} WHERE id = {to};"
    ));
}

#[test]
fn money_from_nowhere_breaks_the_sum() {
    let sound = Sound::new();
    let found = sound.broken(|raw| {
        raw.run(&format!("UPDATE accounts SET balance = balance + 5 WHERE id = {}", available(sound.ann)))
    });
    assert_found(&found[..1], &[SUM], "the bolts accounts sum to 5");
    assert_found(&found[1..], &[BALANCE], &sound.ann.to_string());
}

#[test]
fn a_balance_changed_without_a_transfer_is_found() {
    let sound = Sound::new();
    let found = sound.broken(|raw| {
        raw.run(&format!("UPDATE accounts SET balance = balance - 5 WHERE id = {}", available(sound.ann)));
        raw.run(&format!("UPDATE accounts SET balance = balance + 5 WHERE id = {}", available(sound.bob)));
    });
    assert_found(&found, &[BALANCE], &sound.ann.to_string());
    assert_found(&found, &[BALANCE], &sound.bob.to_string());
}

#[test]
fn a_transfer_of_nothing_and_one_from_nowhere_are_found() {
    let sound = Sound::new();
    let found = sound.broken(|raw| {
        post(raw, "of nothing", "admin_grant", &available(sound.ann), &available(sound.bob), 0);
        raw.run("UPDATE transfers SET from_account = 999 WHERE key = 'of nothing'");
    });
    assert_found(&found[..1], &[TRANSFER], "(of nothing) moves 0 bolts from nowhere to available in bolts");
    assert_found(&found[1..], &[KIND], "(of nothing) is no admin_grant: 0 bolts from nowhere");
}

#[test]
fn a_transfer_between_currencies_is_found() {
    let sound = Sound::new();
    let sats = account("available", &sound.ann.to_string(), "sats");
    let found = sound.broken(|raw| post(raw, "across", "admin_grant", &available(sound.bob), &sats, 7));
    assert_found(&found[..1], &[SUM], "the sats accounts sum to 7");
    assert_found(
        &found[1..2],
        &[TRANSFER],
        "(across) moves 7 bolts from available in bolts to available in sats",
    );
    assert_found(&found[2..], &[KIND], "(across)");
}

#[test]
fn a_transfer_that_is_not_what_its_kind_says_is_found() {
    let spoilt: [fn(&Sound, &mut Raw); 6] = [
        |sound, raw| {
            post(raw, "admin:op", "admin_grant", &available(sound.ann), &available(sound.bob), 7);
        },
        |sound, raw| post(raw, "gift", "gift", &account("issuance", "", "bolts"), &available(sound.bob), 7),
        |sound, raw| {
            let key = format!("closed:{}", sound.bob);
            post(raw, &key, "account_closed", &available(sound.bob), &account("issuance", "", "bolts"), 7);
        },
        |sound, raw| {
            let issuance = account("issuance", "", "bolts");
            post(raw, "admin:another", "admin_grant", &issuance, &available(sound.bob), 7);
        },
        |sound, raw| {
            let grant = format!("key = 'grant:{}'", sound.bob);
            raw.run(&format!("UPDATE transfers SET amount = 999 WHERE {grant}"));
            raw.run(&format!(
                "UPDATE accounts SET balance = balance - 1 WHERE id = {}",
                available(sound.bob)
            ));
            raw.run("UPDATE accounts SET balance = balance + 1 WHERE kind = 'issuance'");
        },
        |sound, raw| {
            let id = sound.live.id;
            raw.run(&format!("UPDATE transfers SET withdrawal_id = bet_id WHERE bet_id = '{id}'"));
        },
    ];
    for spoil in spoilt {
        let sound = Sound::new();
        let found = sound.broken(|raw| spoil(&sound, raw));
        assert_found(&found, &[KIND], &sound.bob.to_string());
    }
}

#[test]
fn the_transfers_of_an_ended_bet_once_more_are_found() {
    let sound = Sound::new();
    let id = sound.resolved.id;
    let found = sound.broken(|raw| {
        let sum = |side: &str| {
            format!("COALESCE((SELECT SUM(amount) FROM transfers WHERE bet_id = '{id}' AND {side} = accounts.id), 0)")
        };
        raw.run(&format!(
            "UPDATE accounts SET balance = balance + {} - {}",
            sum("to_account"),
            sum("from_account")
        ));
        let columns = "operation_id, from_account, to_account, amount, currency, kind, created_at";
        raw.run(&format!(
            "INSERT INTO transfers (key, {columns})
             SELECT 'again:' || key, {columns} FROM transfers WHERE bet_id = '{id}'"
        ));
    });
    assert_found(&found, &[KIND, STAKED], &id.to_string());
    assert!(found[0].1[2].contains(&format!("(again:empty:{id}:0) is no payout")), "{found:?}");
    assert_eq!(found[0].1.len(), 3, "{found:?}");
}

#[test]
fn an_overdrawn_account_is_found() {
    let sound = Sound::new();
    let found = sound.broken(|raw| {
        post(raw, "too much", "admin_grant", &available(sound.bob), &available(sound.ann), 5_000);
    });
    assert_found(&found, &[KIND, OVERDRAWN], &sound.bob.to_string());
}

#[test]
fn a_payment_out_of_an_open_escrow_is_found() {
    let sound = Sound::new();
    let found =
        sound.broken(|raw| post(raw, "tapped", "refund", &escrow(&sound.live), &available(sound.bob), 30));
    assert_found(&found, &[KIND, ESCROW, NOTHING_ELSE], &sound.live.id.to_string());
    assert!(found[1].1[0].contains("is accepted and holds 130 instead of 160 bolts"), "{found:?}");
}

#[test]
fn an_escrow_without_a_bet_is_found() {
    let sound = Sound::new();
    let stray = "f".repeat(32);
    let found = sound.broken(|raw| {
        raw.run(&format!(
            "INSERT INTO accounts (kind, owner, currency) VALUES ('escrow', '{stray}', 'bolts')"
        ));
        post(raw, "astray", "stake", &available(sound.ann), &account("escrow", &stray, "bolts"), 10);
    });
    assert_found(&found, &[KIND, NO_BET, STAKED], &stray);
}

#[test]
fn positions_that_are_not_the_parties_are_found() {
    let sound = Sound::new();
    let (live, ann, bob) = (sound.live.id, sound.ann, sound.bob);
    let found = sound.broken(|raw| {
        raw.run(&format!(
            "UPDATE positions SET side = 'A', user_id = '{bob}'
             WHERE user_id = '{ann}' AND bet_seq = (SELECT seq FROM bets WHERE id = '{}')",
            sound.pending.id
        ));
        raw.run(&format!(
            "DELETE FROM positions
             WHERE user_id = '{bob}' AND bet_seq = (SELECT seq FROM bets WHERE id = '{live}')"
        ));
    });
    assert_found(&found[..3], &[ESCROW, POSITIONS, STAKED], &live.to_string());
    assert_found(&found[3..4], &[STATISTICS], &ann.to_string());
    assert_found(&found[4..], &[MARKET], "bolts_volume");
    let words = found[1].1.join("; ");
    assert!(words.contains(&format!("bet {live} lacks the position of {bob}")), "{words}");
    assert!(words.contains(&format!("bet {} lacks the position of {ann}", sound.pending.id)), "{words}");
    assert!(words.contains(&format!("position A of {bob} is on a bet that is not theirs")), "{words}");
}

#[test]
fn an_acceptor_with_the_stake_of_the_creator_is_found() {
    let sound = Sound::new();
    let (live, bob) = (sound.live.id, sound.bob);
    let found = sound.broken(|raw| {
        raw.run(&format!(
            "UPDATE positions SET stake = 100
             WHERE user_id = '{bob}' AND bet_seq = (SELECT seq FROM bets WHERE id = '{live}')"
        ));
    });
    assert_found(&found[..3], &[ESCROW, POSITIONS, STAKED], &live.to_string());
    assert_found(&found[3..], &[MARKET], "bolts_volume");
    assert!(found[0].1[0].contains("is accepted and holds 160 instead of 200 bolts"), "{found:?}");
}

#[test]
fn a_stake_that_was_taken_twice_is_found() {
    let sound = Sound::new();
    let found = sound.broken(|raw| {
        post(raw, "again", "stake", &available(sound.bob), &escrow(&sound.live), 60);
        raw.run(&format!("UPDATE transfers SET bet_id = '{}' WHERE key = 'again'", sound.live.id));
    });
    assert_found(&found, &[KIND, ESCROW, STAKED], &sound.live.id.to_string());
}

#[test]
fn a_bet_without_what_its_status_needs_is_found() {
    for spoil in [
        "next_deadline_at = NULL, next_deadline_kind = NULL",
        "winning_side = 'A'",
        "deleted_at = 1, deleted_by = creator_id",
        "settled_at = 1",
        "cancel_reason = 'expired'",
    ] {
        let sound = Sound::new();
        let id = sound.live.id;
        let found = sound.broken(|raw| raw.run(&format!("UPDATE bets SET {spoil} WHERE id = '{id}'")));
        assert_found(&found[..1], &[STATUS], &id.to_string());
        // Some of these changes also make the statistics of the parties and the market figures wrong.
        assert!(found[1..].iter().all(|(name, _)| [STATISTICS, MARKET].contains(name)), "{found:?}");
    }
}

#[test]
fn a_winner_who_was_not_paid_is_found() {
    let sound = Sound::new();
    let id = sound.resolved.id;
    let found = sound.broken(|raw| raw.run(&format!("UPDATE bets SET winning_side = 'B' WHERE id = '{id}'")));
    assert_found(&found[..3], &[PAID, NOTHING_ELSE, PAYOUT], &id.to_string());
    assert_found(&found[3..], &[STATISTICS], &sound.bob.to_string());
    assert!(found[0].1[0].contains(&format!("paid 160 to {} 0 times", sound.bob)), "{found:?}");
}

#[test]
fn a_winner_who_was_paid_twice_is_found() {
    let sound = Sound::new();
    let id = sound.resolved.id;
    let found = sound.broken(|raw| {
        post(raw, "again", "payout", &escrow(&sound.resolved), &available(sound.ann), 160);
        raw.run(&format!("UPDATE transfers SET bet_id = '{id}' WHERE key = 'again'"));
    });
    assert_found(&found, &[KIND, OVERDRAWN, ESCROW, PAID], &id.to_string());
}

#[test]
fn a_position_with_a_wrong_payout_is_found() {
    let sound = Sound::new();
    let id = sound.resolved.id;
    let found = sound.broken(|raw| {
        raw.run(&format!(
            "UPDATE positions SET payout = payout + 1 WHERE bet_seq = (SELECT seq FROM bets WHERE id = '{id}')"
        ));
    });
    assert_found(&found[..1], &[PAYOUT], &id.to_string());
    assert_found(&found[1..], &[STATISTICS], &sound.ann.to_string());
    assert_eq!(found[0].1.len(), 2);
}

#[test]
fn statistics_that_are_not_those_of_the_bets_are_found() {
    for figure in
        ["total_bets", "active_bets", "wins", "losses", "winnings", "losings", "best_win", "biggest_loss"]
    {
        let sound = Sound::new();
        let ann = sound.ann;
        let found = sound.broken(|raw| {
            raw.run(&format!(
                "UPDATE user_figures SET {figure} = {figure} + 1 WHERE user_id = '{ann}' AND currency = 'bolts'"
            ));
        });
        assert_found(&found, &[STATISTICS], &ann.to_string());
    }
    let sound = Sound::new();
    let bob = sound.bob;
    let found = sound.broken(|raw| raw.run(&format!("DELETE FROM user_figures WHERE user_id = '{bob}'")));
    assert_found(&found, &[STATISTICS], &bob.to_string());
}

#[test]
fn market_figures_that_are_not_those_of_the_bets_are_found() {
    // The public bets are one pending bet of 100 Bolts, and three of 100 against 60.
    for (figure, is, instead) in [("active_bets", 3, 2), ("total_bets", 5, 4), ("bolts_volume", 581, 580)] {
        let sound = Sound::new();
        // On PostgreSQL a figure has a row for each slot.
        let found = sound.broken(|raw| {
            raw.run(&format!(
                "UPDATE tile_counters SET value = value + 1 WHERE metric = '{figure}'
                 AND slot = (SELECT MIN(slot) FROM tile_counters WHERE metric = '{figure}')"
            ));
        });
        assert_found(&found, &[MARKET], &format!("the market figure {figure} is {is} instead of {instead}"));
    }
    for (change, words) in [
        ("DELETE FROM tile_counters", "the market figure bolts_volume is 0 instead of 580"),
        (
            "INSERT INTO tile_counters VALUES ('sats_volume', 7, 5)",
            "the market figure sats_volume is 5 instead of 0",
        ),
    ] {
        let sound = Sound::new();
        assert_found(&sound.broken(|raw| raw.run(change)), &[MARKET], words);
    }
}

#[test]
fn a_reward_under_another_users_key_is_found() {
    let sound = Sound::new();
    let key = format!("reward:{}:first_bet", sound.bob);
    let issuance = account("issuance", "", "bolts");
    let found = sound.broken(|raw| post(raw, &key, "reward", &issuance, &available(sound.ann), 100));
    assert_found(&found, &[REWARD, CLAIM], &key);
}

#[test]
fn a_second_sign_up_grant_is_found() {
    let sound = Sound::new();
    let issuance = account("issuance", "", "bolts");
    let found =
        sound.broken(|raw| post(raw, "again", "sign_up_grant", &issuance, &available(sound.ann), 1_000));
    assert_found(&found, &[KIND, GRANT], &sound.ann.to_string());
}

#[test]
fn a_check_names_100_violations_and_says_that_there_are_more() {
    let sound = Sound::new();
    let found = sound.broken(|raw| {
        for number in 0..130 {
            raw.run(&format!(
                "INSERT INTO accounts (kind, owner, currency, balance) VALUES ('fees', 'x{number}', 'sats', -1)"
            ));
        }
    });
    let overdrawn =
        found.iter().find(|(name, _)| *name == OVERDRAWN).map(|(_, violations)| violations.as_slice());
    let overdrawn = overdrawn.unwrap_or_default();
    assert_eq!(overdrawn.len(), 101);
    assert_eq!(overdrawn[100], "and more than these 100");
}

#[test]
fn an_arbiter_who_is_a_party_or_ruled_without_the_task_is_found() {
    let spoilt: [fn(&Sound) -> String; 4] = [
        |sound| format!("arbiter_id = '{}', arbiter_status = 'accepted'", sound.ann),
        |sound| format!("arbiter_id = '{}', arbiter_status = 'accepted'", sound.bob),
        |_| "settled_by = 'arbiter_ruling'".to_owned(),
        |_| "arbiter_status = 'invited'".to_owned(),
    ];
    for spoil in spoilt {
        let sound = Sound::new();
        let (bet, values) = (sound.resolved.id, spoil(&sound));
        let found = sound.broken(|raw| raw.run(&format!("UPDATE bets SET {values} WHERE id = '{bet}'")));
        assert_found(&found, &[ARBITER], &bet.to_string());
    }
}
