//! Contract of the ledger: accounts and transfers.

use std::thread;

use bolts_kernel::{BetId, Currency, OperationId, PerCurrency, UserId};
use bolts_ledger::{Account, SIGN_UP_GRANT, Transfer};
use bolts_ports::{StoreError, Verdict};

use super::{Subject, enqueue, keep, setting, user};
use crate::Scene;
use crate::fixtures::{bolts, run};

const ISSUED: Account = Account::Issuance(Currency::Bolts);

fn available(user: UserId) -> Account {
    Account::Available(user, Currency::Bolts)
}

fn balances<const N: usize>(store: &dyn Subject, accounts: [Account; N]) -> Vec<i64> {
    keep(store, move |tx| tx.ledger().lock(&accounts))
}

fn grant(scene: &Scene<'_>, user: UserId, units: i64) -> Transfer {
    let operation = scene.id::<OperationId>();
    bolts_ledger::admin_grant(user, bolts(units).amount, operation, scene.now()).expect("more than nothing")
}

fn stake(scene: &Scene<'_>, bet: BetId, user: UserId, units: i64) -> Transfer {
    let operation = scene.id::<OperationId>();
    bolts_ledger::stake(bet, user, bolts(units), operation, scene.now()).expect("more than nothing")
}

fn open_escrow(store: &dyn Subject, scene: &Scene<'_>) -> (BetId, Account) {
    let bet = scene.id::<BetId>();
    let escrow = Account::Escrow(bet, Currency::Bolts);
    keep(store, move |tx| tx.ledger().open(&[escrow]));
    (bet, escrow)
}

/// Posts transfers in a job that first writes a setting. Returns the result of the job.
fn post(store: &dyn Subject, transfers: Vec<Transfer>) -> Result<(), StoreError> {
    run(store, move |tx| {
        tx.settings().put("beside the transfers", "kept")?;
        tx.ledger().post(&transfers)
    })
}

/// A new account has balance 0. Opening an account again keeps its balance.
pub fn accounts_open_empty_and_once(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let (_, escrow) = open_escrow(store, &scene);
    assert_eq!(balances(store, [escrow, available(ann)]), [0, SIGN_UP_GRANT]);
    keep(store, move |tx| tx.ledger().open(&[available(ann), escrow, available(ann)]));
    assert_eq!(balances(store, [escrow, available(ann)]), [0, SIGN_UP_GRANT]);
}

/// A lock of an account that was never opened fails, and so does a transfer to this account. The store does
/// not treat the account as empty.
pub fn an_account_that_was_never_opened_is_a_failure(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let bet = scene.id::<BetId>();
    let unopened = Account::Escrow(bet, Currency::Bolts);
    let locked = run(store, move |tx| tx.ledger().lock(&[available(ann), unopened]));
    assert!(locked.is_err(), "{locked:?}");
    assert!(post(store, vec![stake(&scene, bet, ann, 1)]).is_err());
    assert_eq!(balances(store, [available(ann)]), [SIGN_UP_GRANT]);
}

/// The balances are in the order of the requested accounts. The store may lock the accounts in another order.
pub fn balances_come_in_the_order_asked(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob, cay) = (scene.user("ann"), scene.user("bob"), scene.user("cay"));
    for (user, units) in [(ann, 1), (bob, 2), (cay, 3)] {
        scene.grant(user, units);
    }
    let issued = -3 * SIGN_UP_GRANT - 6;
    let [a, b, c] = [ann, bob, cay].map(available);
    let with = |units| SIGN_UP_GRANT + units;
    assert_eq!(balances(store, [a, b, c, ISSUED]), [with(1), with(2), with(3), issued]);
    assert_eq!(balances(store, [ISSUED, c, a, b]), [issued, with(3), with(1), with(2)]);
    assert_eq!(balances(store, [b]), [with(2)]);
    assert_eq!(balances(store, []), [0_i64; 0]);
}

/// Jobs that lock the same accounts in opposite order all succeed.
pub fn opposite_lock_orders_do_not_block_each_other(store: &dyn Subject) {
    const JOBS: usize = 20;
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let grants: Vec<_> = (0..2 * JOBS).map(|_| [grant(&scene, ann, 1), grant(&scene, bob, 2)]).collect();
    let (one, other) = grants.split_at(JOBS);
    thread::scope(|scope| {
        for (accounts, grants) in [([ann, bob], one), ([bob, ann], other)] {
            let grants = grants.to_vec();
            scope.spawn(move || {
                for transfers in grants {
                    keep(store, move |tx| {
                        tx.ledger().lock(&accounts.map(available))?;
                        tx.ledger().post(&transfers)
                    });
                }
            });
        }
    });
    let rounds = i64::try_from(2 * JOBS).expect("a small number");
    let expected = [SIGN_UP_GRANT + rounds, SIGN_UP_GRANT + 2 * rounds];
    assert_eq!(balances(store, [ann, bob].map(available)), expected);
}

/// A transfer takes an amount from one account and adds the amount to another. The views of the users show the
/// new balances. A transfer may take the whole balance.
pub fn transfers_move_balances(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let (bet, escrow) = open_escrow(store, &scene);
    let stakes = vec![stake(&scene, bet, ann, 300), stake(&scene, bet, bob, SIGN_UP_GRANT)];
    assert_eq!(post(store, stakes), Ok(()));
    assert_eq!(balances(store, [ann, bob].map(available)), [SIGN_UP_GRANT - 300, 0]);
    assert_eq!(balances(store, [escrow, ISSUED]), [SIGN_UP_GRANT + 300, -2 * SIGN_UP_GRANT]);
    assert_eq!(user(store, ann).balances[Currency::Bolts].get(), SIGN_UP_GRANT - 300);
    assert_eq!(user(store, bob).balances, PerCurrency::default());
}

/// If a transfer would overdraw an account, the store undoes the whole job, with its earlier transfers and its
/// other writes.
pub fn an_overdraft_keeps_nothing(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let (bet, escrow) = open_escrow(store, &scene);
    let stakes = vec![stake(&scene, bet, ann, 300), stake(&scene, bet, bob, SIGN_UP_GRANT + 1)];
    assert!(matches!(post(store, stakes), Err(StoreError::Broken(_))));
    assert_untouched(store, ann, escrow);
}

/// Each key of a transfer can be used only once. The rule holds within one job and across jobs.
pub fn a_used_key_keeps_nothing(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let (bet, escrow) = open_escrow(store, &scene);
    let twice = vec![stake(&scene, bet, ann, 300), stake(&scene, bet, ann, 300)];
    assert!(matches!(post(store, twice.clone()), Err(StoreError::Broken(_))));
    assert_untouched(store, ann, escrow);

    keep(store, move |tx| tx.ledger().post(&twice[..1]));
    let again = vec![grant(&scene, ann, 5), stake(&scene, bet, ann, 300)];
    assert!(matches!(post(store, again), Err(StoreError::Broken(_))));
    assert_eq!(balances(store, [available(ann), escrow]), [SIGN_UP_GRANT - 300, 300]);
    assert_eq!(setting(store, "beside the transfers"), None);
}

/// If a job continues after a failed transfer and reports success, the store still undoes its changes.
pub fn a_failed_post_cannot_be_overlooked(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let (bet, escrow) = open_escrow(store, &scene);
    let overdraft = stake(&scene, bet, ann, SIGN_UP_GRANT + 1);
    let outcome = enqueue(store, move |tx| {
        tx.settings().put("beside the transfers", "kept")?;
        assert!(tx.ledger().post(std::slice::from_ref(&overdraft)).is_err());
        Ok(Verdict::Keep)
    });
    assert!(outcome.outcome().is_err());
    assert_untouched(store, ann, escrow);
}

fn assert_untouched(store: &dyn Subject, user: UserId, escrow: Account) {
    assert_eq!(balances(store, [available(user), escrow]), [SIGN_UP_GRANT, 0]);
    assert_eq!(setting(store, "beside the transfers"), None);
}
