//! Tests of the accounts, the amount and the key of each kind of transfer.

use bolts_kernel::{Amount, Currency};
use bolts_ledger::{
    Account, SIGN_UP_GRANT, Subject, Transfer, TransferError, TransferKind, account_closed, admin_grant,
    covers, pay_out, refund, reward, sign_up_grant, stake,
};

use crate::support::{amount, available, bet, bolts, escrow, now, operation, sats, user};

const ISSUANCE: Account = Account::Issuance(Currency::Bolts);

fn way(transfer: &Transfer) -> (TransferKind, Account, Account, i64) {
    (transfer.kind(), transfer.from(), transfer.to(), transfer.money().amount.get())
}

#[test]
fn each_transfer_has_its_accounts_and_amount() {
    let (op, at) = (operation(1), now());
    let grant = sign_up_grant(user(1), op, at).unwrap();
    assert_eq!(way(&grant), (TransferKind::SignUpGrant, ISSUANCE, available(1), 1_000));
    assert_eq!(SIGN_UP_GRANT, 1_000);
    let gift = admin_grant(user(1), amount(5), op, at).unwrap();
    assert_eq!(way(&gift), (TransferKind::AdminGrant, ISSUANCE, available(1), 5));
    let prize = reward(user(1), "whale", amount(10_000), op, at).unwrap();
    assert_eq!(way(&prize), (TransferKind::Reward, ISSUANCE, available(1), 10_000));
    let closed = account_closed(user(1), amount(7), op, at).unwrap();
    assert_eq!(way(&closed), (TransferKind::AccountClosed, available(1), ISSUANCE, 7));
    assert_eq!(closed.key(), format!("closed:{}", user(1)));
    let staked = stake(bet(1), user(1), bolts(7), op, at).unwrap();
    assert_eq!(way(&staked), (TransferKind::Stake, available(1), escrow(1), 7));
    let won = pay_out(bet(1), user(2), bolts(14), op, at).unwrap();
    assert_eq!(way(&won), (TransferKind::Payout, escrow(1), available(2), 14));
    let back = refund(bet(1), &[(user(1), bolts(7)), (user(2), bolts(7))], op, at).unwrap();
    let ways: Vec<_> = back.iter().map(way).collect();
    let expected = [1, 2].map(|who| (TransferKind::Refund, escrow(1), available(who), 7));
    assert_eq!(ways, expected);
    for transfer in [grant, gift, prize] {
        assert_eq!(transfer.subject(), Subject::None);
    }
    for transfer in [vec![staked, won], back].concat() {
        assert_eq!((transfer.subject(), transfer.operation(), transfer.at()), (Subject::Bet(bet(1)), op, at));
    }
}

#[test]
fn sats_move_between_sats_accounts() {
    let staked = stake(bet(1), user(1), sats(100), operation(1), now()).unwrap();
    let (from, to) = (Account::Available(user(1), Currency::Sats), Account::Escrow(bet(1), Currency::Sats));
    assert_eq!(way(&staked), (TransferKind::Stake, from, to, 100));
}

#[test]
fn an_amount_of_0_is_refused() {
    let (op, at) = (operation(1), now());
    let nothing = Some(TransferError::Nothing);
    assert_eq!(admin_grant(user(1), Amount::ZERO, op, at).err(), nothing);
    assert_eq!(reward(user(1), "whale", Amount::ZERO, op, at).err(), nothing);
    assert_eq!(stake(bet(1), user(1), bolts(0), op, at).err(), nothing);
    assert_eq!(pay_out(bet(1), user(1), bolts(0), op, at).err(), nothing);
    assert_eq!(refund(bet(1), &[(user(1), bolts(5)), (user(2), bolts(0))], op, at).err(), nothing);
}

#[test]
fn a_second_attempt_has_the_same_key() {
    let key = |transfer: Transfer| transfer.key().to_owned();
    let keys = |op: u128| {
        let (op, at) = (operation(op), now());
        [
            key(sign_up_grant(user(1), op, at).unwrap()),
            key(reward(user(1), "whale", amount(1), op, at).unwrap()),
            key(stake(bet(1), user(1), bolts(1), op, at).unwrap()),
            key(pay_out(bet(1), user(1), bolts(1), op, at).unwrap()),
        ]
    };
    assert_eq!(keys(1), keys(2));
    // An admin may give Bolts to the same user again, so the key contains the id of the operation.
    let gift = |op| key(admin_grant(user(1), amount(1), operation(op), now()).unwrap());
    assert_ne!(gift(1), gift(2));
    let rewards =
        ["whale", "big_win"].map(|name| key(reward(user(1), name, amount(1), operation(1), now()).unwrap()));
    assert_ne!(rewards[0], rewards[1]);
}

#[test]
fn a_balance_covers_the_same_amount() {
    assert!(covers(amount(100), amount(100)));
    assert!(!covers(amount(99), amount(100)));
}
