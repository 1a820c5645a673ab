//! Random batches of transfers, posted to the book and to a second implementation of a ledger. Many of the
//! batches overdraw an account, repeat a transfer or overflow a balance.

use std::collections::{BTreeMap, BTreeSet};

use bolts_kernel::{Currency, Money};
use bolts_ledger::{
    Account, Book, PostError, Transfer, admin_grant, pay_out, refund, reward, sign_up_grant, stake,
};
use proptest::prelude::*;

use crate::support::{amount, available, bet, bolts, now, operation, sats, user};

/// The parameters of a transfer. The ranges of the numbers are small, so that keys and accounts repeat.
#[derive(Clone, Copy, Debug)]
enum Request {
    SignUp { who: u128 },
    Grant { who: u128, units: i64, operation: u128 },
    Reward { who: u128, units: i64 },
    Stake { which: u128, who: u128, money: Money },
    PayOut { which: u128, who: u128, money: Money },
    Refund { which: u128, first: u128, second: u128, money: Money },
}

fn requests() -> impl Strategy<Value = Request> {
    let who = || 1..4_u128;
    let which = || 1..4_u128;
    let units = || prop_oneof![10 => 1..1_500_i64, 1 => i64::MAX - 2..=i64::MAX];
    let money = || {
        (units(), prop::bool::weighted(0.8))
            .prop_map(|(n, is_bolts)| if is_bolts { bolts(n) } else { sats(n) })
    };
    prop_oneof![
        2 => who().prop_map(|who| Request::SignUp { who }),
        2 => (who(), units(), 1..40_u128).prop_map(|(who, units, operation)| Request::Grant { who, units, operation }),
        1 => (who(), units()).prop_map(|(who, units)| Request::Reward { who, units }),
        4 => (which(), who(), money()).prop_map(|(which, who, money)| Request::Stake { which, who, money }),
        2 => (which(), who(), money()).prop_map(|(which, who, money)| Request::PayOut { which, who, money }),
        2 => (which(), who(), who(), money())
            .prop_map(|(which, first, second, money)| Request::Refund { which, first, second, money }),
    ]
}

fn transfers(request: Request) -> Vec<Transfer> {
    let (op, at) = (operation(7), now());
    match request {
        Request::SignUp { who } => vec![sign_up_grant(user(who), op, at).unwrap()],
        Request::Grant { who, units, operation: own } => {
            vec![admin_grant(user(who), amount(units), operation(own), at).unwrap()]
        }
        Request::Reward { who, units } => {
            vec![reward(user(who), "first_bet", amount(units), op, at).unwrap()]
        }
        Request::Stake { which, who, money } => vec![stake(bet(which), user(who), money, op, at).unwrap()],
        Request::PayOut { which, who, money } => vec![pay_out(bet(which), user(who), money, op, at).unwrap()],
        Request::Refund { which, first, second, money } => {
            refund(bet(which), &[(user(first), money), (user(second), money)], op, at).unwrap()
        }
    }
}

/// A second implementation of the book, with balances in `i128`.
#[derive(Clone, Default)]
struct Model {
    balances: BTreeMap<Account, i128>,
    keys: BTreeSet<String>,
    count: usize,
}

impl Model {
    fn post(&mut self, transfers: &[Transfer]) -> Result<(), PostError> {
        let mut next = self.clone();
        for transfer in transfers {
            if !next.keys.insert(transfer.key().to_owned()) {
                return Err(PostError::Duplicate(transfer.key().to_owned()));
            }
            let units = i128::from(transfer.money().amount.get());
            for (account, change) in [(transfer.from(), -units), (transfer.to(), units)] {
                let balance = next.balances.entry(account).or_default();
                *balance += change;
                if i64::try_from(*balance).is_err() {
                    return Err(PostError::Overflow(account));
                }
                let may_overdraw = matches!(account, Account::Issuance(_) | Account::Lightning(_));
                if *balance < 0 && !may_overdraw {
                    return Err(PostError::Overdrawn(account));
                }
            }
            next.count += 1;
        }
        *self = next;
        Ok(())
    }
}

proptest! {
    #[test]
    fn a_batch_is_posted_as_a_whole_or_not_at_all(batches in prop::collection::vec(prop::collection::vec(requests(), 1..4), 1..30)) {
        let (mut book, mut model) = (Book::default(), Model::default());
        for batch in batches {
            let batch: Vec<Transfer> = batch.into_iter().flat_map(transfers).collect();
            let before: Vec<Transfer> = book.transfers().to_vec();
            let result = book.post(&batch);
            prop_assert_eq!(&result, &model.post(&batch));
            let expected = if result.is_ok() { [before, batch].concat() } else { before };
            prop_assert_eq!(book.transfers(), expected);
            prop_assert_eq!(book.transfers().len(), model.count);
            for (account, balance) in &model.balances {
                prop_assert_eq!(i128::from(book.balance(*account)), *balance, "{:?}", account);
            }
            prop_assert_eq!(book.violations(), [""; 0]);
        }
    }

    #[test]
    fn every_transfer_has_one_currency_and_an_amount(request in requests()) {
        for transfer in transfers(request) {
            let currency = transfer.money().currency;
            prop_assert_eq!((transfer.from().currency(), transfer.to().currency()), (currency, currency));
            prop_assert_ne!(transfer.from(), transfer.to());
            prop_assert!(!transfer.money().amount.is_zero());
        }
    }
}

#[test]
fn only_accounts_through_which_money_enters_may_overdraw() {
    let mut book = Book::default();
    book.post(&[sign_up_grant(user(1), operation(1), now()).unwrap()]).unwrap();
    assert_eq!(book.balance(Account::Issuance(Currency::Bolts)), -1_000);
    assert_eq!(book.balance(available(1)), 1_000);
    let too_much = stake(bet(1), user(1), bolts(1_001), operation(2), now()).unwrap();
    assert_eq!(book.post(&[too_much]), Err(PostError::Overdrawn(available(1))));
    let other_currency = stake(bet(1), user(1), sats(100), operation(2), now()).unwrap();
    let sats_account = Account::Available(user(1), Currency::Sats);
    assert_eq!(book.post(&[other_currency]), Err(PostError::Overdrawn(sats_account)));
    assert_eq!((book.balance(available(1)), book.transfers().len()), (1_000, 1));
}

#[test]
fn a_later_credit_in_a_batch_does_not_cover_an_earlier_debit() {
    let grant = sign_up_grant(user(1), operation(1), now()).unwrap();
    let stake = stake(bet(1), user(1), bolts(1_000), operation(1), now()).unwrap();
    let mut book = Book::default();
    let early = book.post(&[stake.clone(), grant.clone()]);
    assert_eq!(early, Err(PostError::Overdrawn(available(1))));
    assert_eq!(book.transfers(), []);
    book.post(&[grant, stake]).unwrap();
    assert_eq!(book.balance(available(1)), 0);
}
