//! The accounts as the database has them.

use bolts_kernel::{BetId, Currency, UserId, WithdrawalId};
use bolts_ledger::Account;

#[test]
fn an_account_has_a_kind_an_owner_and_a_currency() {
    let (user, bet, withdrawal) = (UserId::from(1_u128), BetId::from(2_u128), WithdrawalId::from(3_u128));
    let (bolts, sats) = (Currency::Bolts, Currency::Sats);
    for (account, kind, owner, currency) in [
        (Account::Available(user, bolts), "available", user.to_string(), bolts),
        (Account::Available(user, sats), "available", user.to_string(), sats),
        (Account::Escrow(bet, bolts), "escrow", bet.to_string(), bolts),
        (Account::Escrow(bet, sats), "escrow", bet.to_string(), sats),
        (Account::Hold(withdrawal), "hold", withdrawal.to_string(), sats),
        (Account::Issuance(bolts), "issuance", String::new(), bolts),
        (Account::Lightning(sats), "lightning", String::new(), sats),
        (Account::Fees(sats), "fees", String::new(), sats),
    ] {
        assert_eq!((account.kind(), account.owner(), account.currency()), (kind, owner, currency));
    }
}

#[test]
fn the_accounts_of_the_system_have_no_owner() {
    let all: Vec<Account> = Account::of_the_system().collect();
    let (bolts, sats) = (Currency::Bolts, Currency::Sats);
    assert_eq!(all, [Account::Issuance(bolts), Account::Lightning(sats), Account::Fees(sats)]);
    assert!(all.iter().all(|account| account.owner().is_empty()));
}
