//! Contract of deposits, withdrawals and wallets.

use std::collections::BTreeSet;

use bolts_bets::Outcome;
use bolts_kernel::{Currency, DepositId, Timestamp, UserId};
use bolts_ledger::TransferKind;
use bolts_ports::{Cursor, Movement, OpenInvoices, Page, PageRequest, Result};
use bolts_wallet::{Deposit, DepositState, Evidence, Outflow, Step, Verdict, Withdrawal, WithdrawalStatus};

use super::{Subject, keep, read};
use crate::Scene;
use crate::fixtures::{DAY, HOUR, run, terms};
use crate::wallet_scene::{PATIENCE, WAITS, msat, preimage};

fn inserted(store: &dyn Subject, deposit: Deposit) -> Deposit {
    let row = deposit.clone();
    keep(store, move |tx| tx.deposits().insert(&row));
    deposit
}

fn updated(store: &dyn Subject, deposit: &Deposit) -> Result<()> {
    let row = deposit.clone();
    run(store, move |tx| tx.deposits().update(&row))
}

fn assert_deposit(store: &dyn Subject, deposit: &Deposit) {
    assert_eq!(read(store.deposit(deposit.id)).as_ref(), Some(deposit));
    let id = deposit.id;
    assert_eq!(keep(store, move |tx| tx.deposits().lock(id)).as_ref(), Some(deposit));
}

/// The store keeps a deposit in each state: open, looked up at the provider, lapsed, and paid with a fraction of
/// a sat.
pub fn every_state_of_a_deposit_is_kept(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let open = inserted(store, scene.invoice(ann, 1));
    assert_deposit(store, &open);
    let asked = open.clone().unpaid(scene.now().after(HOUR));
    updated(store, &asked).expect("it is open");
    assert_deposit(store, &asked);
    let lapsed = asked.unpaid(scene.now().after(2 * DAY));
    assert_eq!(lapsed.state, DepositState::Lapsed);
    updated(store, &lapsed).expect("it is not paid");
    assert_deposit(store, &lapsed);
    let paid = lapsed.paid(msat(4_999_999), scene.now().after(3 * DAY)).expect("once").deposit;
    updated(store, &paid).expect("it is not paid");
    assert_deposit(store, &paid);
    assert_eq!(read(store.deposit(scene.id::<DepositId>())), None);
}

/// A paid deposit cannot be changed, and no second deposit can have its payment hash.
pub fn a_paid_deposit_stays_as_it_is(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let open = inserted(store, scene.invoice(ann, 1));
    let paid = open.clone().paid(msat(5_000_000), scene.now()).expect("once").deposit;
    updated(store, &paid).expect("it is open");
    assert!(updated(store, &open).is_err(), "it cannot be opened again");
    assert!(updated(store, &paid).is_err(), "it cannot be paid again");
    assert_deposit(store, &paid);
    let twin = scene.invoice(ann, 1);
    assert!(run(store, move |tx| tx.deposits().insert(&twin)).is_err());
    assert!(updated(store, &scene.invoice(ann, 2)).is_err(), "it is not there");
}

/// The count of open invoices contains only the user's own unpaid invoices that have not expired.
pub fn open_invoices_are_counted(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let first = inserted(store, scene.invoice(ann, 1));
    scene.clock.advance(HOUR / 2);
    inserted(store, scene.invoice(ann, 2));
    let third = inserted(store, scene.invoice(ann, 3));
    inserted(store, scene.invoice(bob, 4));
    let open = |at: Timestamp| keep(store, move |tx| tx.deposits().open_invoices(ann, at));
    assert_eq!(open(scene.now()), OpenInvoices { count: 3, next_expiry: Some(first.expires_at) });
    updated(store, &third.clone().paid(msat(1), scene.now()).expect("once").deposit).expect("it is open");
    assert_eq!(open(first.expires_at), OpenInvoices { count: 1, next_expiry: Some(third.expires_at) });
    assert_eq!(open(third.expires_at), OpenInvoices::default());
    let hashes = [1, 9].map(|number| preimage(number).payment_hash());
    let known = hashes.map(|hash| keep(store, move |tx| tx.deposits().is_ours(hash)));
    assert_eq!(known, [true, false]);
}

/// The deposit that has waited longest is due first. A paid or lapsed deposit is never due.
pub fn due_deposits_come_in_line(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let all: Vec<Deposit> = (1..5).map(|number| inserted(store, scene.invoice(ann, number))).collect();
    let asked = all[0].clone().unpaid(scene.now().after(HOUR / 2));
    let paid = all[1].clone().paid(msat(0), scene.now()).expect("once").deposit;
    let lapsed = all[2].clone().unpaid(scene.now().after(2 * DAY));
    for changed in [&asked, &paid, &lapsed] {
        updated(store, changed).expect("it is open");
    }
    let due = |at, limit| read(store.due_deposits(at, limit));
    assert_eq!(due(scene.now(), 9), []);
    assert_eq!(due(scene.now().after(DAY), 9), [all[3].id, asked.id]);
    assert_eq!(due(scene.now().after(DAY), 1), [all[3].id]);
    assert_eq!(due(scene.now().before(DAY), 9), [all[3].id, asked.id], "a wrong clock gave their times");
    let expired = |at| read(store.open_deposits_expired_before(at));
    assert_eq!(expired(all[0].expires_at), 0);
    assert_eq!(expired(scene.now().after(DAY)), 2, "what is paid or lapsed is not open");
    assert_eq!(read(store.deposit_of(paid.payment_hash)), Some(paid));
    assert_eq!(read(store.deposit_of(preimage(99).payment_hash())), None);
}

/// Open deposits are found by the expiry of their invoice. The time of their next check does not matter. Paid
/// and lapsed deposits are not found.
pub fn open_deposits_are_found_by_expiry(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let open = |then| {
        let found = read(store.open_deposits_expiring_after(then));
        found.into_iter().map(|deposit| deposit.id).collect::<BTreeSet<_>>()
    };
    assert_eq!(open(scene.now().before(DAY)), BTreeSet::new());
    let early = inserted(store, scene.invoice(ann, 1));
    scene.clock.advance(HOUR / 2);
    let late = inserted(store, scene.invoice(ann, 2));
    let asked = inserted(store, scene.invoice(ann, 3)).unpaid(scene.now().after(HOUR));
    updated(store, &asked).expect("it is open");
    let lapsed = inserted(store, scene.invoice(ann, 4)).unpaid(scene.now().after(2 * DAY));
    updated(store, &lapsed).expect("it is open");
    scene.deposited(ann, 5, 5_000_000);
    assert_eq!(open(early.created_at), BTreeSet::from([early.id, late.id, asked.id]));
    assert_eq!(open(early.expires_at), BTreeSet::from([late.id, asked.id]), "it does not expire later");
    assert_eq!(open(late.expires_at), BTreeSet::new());
    let found = read(store.open_deposits_expiring_after(early.expires_at));
    assert!(found.contains(&asked) && found.contains(&late), "{found:?}");
}

/// Deposits and withdrawals are found by payment hash, because the provider's lists contain payment hashes. Paid
/// deposits are also found by their creation time.
pub fn deposits_and_withdrawals_are_found_by_hash(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let open = inserted(store, scene.invoice(ann, 1));
    let first = scene.deposited(ann, 2, 5_000_000);
    scene.clock.advance(HOUR);
    let second = scene.deposited(ann, 3, 1_000);
    let held = scene.held(ann, 4, 200_000);
    let hash = |number| preimage(number).payment_hash();
    assert_eq!(read(store.deposit_of(hash(1))).as_ref(), Some(&open));
    assert_eq!(read(store.deposit_of(hash(2))).as_ref(), Some(&first));
    assert_eq!(read(store.deposit_of(hash(4))), None, "it is a withdrawal's");
    assert_eq!(read(store.withdrawal_of(hash(4))).as_ref(), Some(&held));
    assert_eq!(read(store.withdrawal_of(hash(1))), None, "it is a deposit's");
    assert_eq!(read(store.paid_deposits(first.created_at)), [second.clone(), first]);
    assert_eq!(read(store.paid_deposits(second.created_at)), [second]);
}

fn assert_withdrawal(store: &dyn Subject, withdrawal: &Withdrawal) {
    assert_eq!(read(store.withdrawal(withdrawal.id)).as_ref(), Some(withdrawal));
    let id = withdrawal.id;
    assert_eq!(keep(store, move |tx| tx.withdrawals().lock(id)).as_ref(), Some(withdrawal));
    assert_eq!(keep(store, move |tx| tx.withdrawals().attempts(id)), withdrawal.attempts());
}

fn failed() -> Evidence {
    Evidence::Failed("no route".to_owned())
}

/// The store keeps a withdrawal in each state, with and without a Lightning address, a preimage and a second
/// attempt.
pub fn every_state_of_a_withdrawal_is_kept(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let unknown = scene.id();
    assert_eq!(keep(store, move |tx| tx.withdrawals().attempts(unknown)), 0);
    for number in [1, 2] {
        let withdrawal = scene.held(ann, number, 5_000_001);
        assert_withdrawal(store, &withdrawal);
        let sending = scene.sent(withdrawal);
        assert_withdrawal(store, &sending);
        let at = scene.now().after(PATIENCE);
        let Step::Ask(asked) = sending.due(at, PATIENCE) else { panic!("it is to be asked about") };
        scene.step(&asked, None);
        assert_withdrawal(store, &asked);
        let heard = asked.heard(&Evidence::NoAnswer("a time-out".to_owned()), number == 1, at);
        scene.step(&heard, None);
        assert_withdrawal(store, &heard);
        let later = at.after(HOUR / 2);
        let again = heard.resend(later, &WAITS).expect("its invoice lives");
        scene.step(&again, None);
        assert_withdrawal(store, &again);
        let proof = (number == 1).then(|| preimage(1));
        let paid = scene.ended(again, Evidence::Paid { preimage: proof, fee: msat(1_500) });
        assert_withdrawal(store, &paid);
    }
    let refunded = scene.sent(scene.held(ann, 3, 100_000));
    let refunded = scene.ended(refunded, failed());
    assert_withdrawal(store, &refunded);
    let held = scene.held(ann, 4, 100_000);
    let told = (&Evidence::NotFound { is_proof: false }, false);
    let (by_hand, effect) =
        held.settle_by_operator(Verdict::Refunded, told, scene.now(), &WAITS).expect("it is open");
    scene.step(&by_hand, Some(effect));
    assert_withdrawal(store, &by_hand);
    assert!(super::audit::violations(store).is_empty(), "{:?}", super::audit::violations(store));
}

/// Only one withdrawal can have a given payment hash. A second one is refused for any user, and even after the
/// first one has failed.
pub fn a_hash_is_withdrawn_to_once(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let first = scene.sent(scene.held(ann, 1, 100_000));
    let again = |user| {
        let twin = scene.request(user, 1, 200_000);
        keep(store, move |tx| tx.withdrawals().insert(&twin))
    };
    assert!(!again(ann) && !again(bob));
    scene.ended(first, failed());
    assert!(!again(ann));
}

/// A user's outflow of one day is the withdrawals that were not refunded, minus the paid deposits. The outflow of
/// all users adds only outflows above 0, so that one user's deposits do not raise the limit for other users.
pub fn outflow_is_what_left_beyond_what_came(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob, cay) = (scene.user("ann"), scene.user("bob"), scene.user("cay"));
    let paid = |deposit: Deposit, amount| {
        let open = inserted(store, deposit);
        updated(store, &open.paid(msat(amount), scene.now()).expect("once").deposit).expect("it is open");
    };
    // Deposits and withdrawals before the day do not count. Unpaid invoices do not count either.
    paid(scene.invoice(ann, 1), 5_000_000);
    scene.held(ann, 1, 1_000_000);
    scene.clock.advance(DAY);
    let since = scene.now();
    inserted(store, scene.invoice(ann, 2));
    let outflow = |user| keep(store, move |tx| tx.withdrawals().outflow(user, since));
    assert_eq!(outflow(ann), Outflow::default());

    scene.held(ann, 2, 4_000_500);
    let refunded = scene.sent(scene.held(ann, 3, 8_000_000));
    scene.ended(refunded, failed());
    scene.held(bob, 4, 3_000_000);
    paid(scene.invoice(bob, 3), 5_000_999);
    scene.held(cay, 5, 7_000_000);
    paid(scene.invoice(cay, 4), 2_000_000);
    assert_eq!(outflow(ann), Outflow { own: 4_001, all: 9_001 });
    assert_eq!(outflow(bob), Outflow { own: -2_000, all: 9_001 });
    assert_eq!(outflow(cay), Outflow { own: 5_000, all: 9_001 });
}

/// A withdrawal that has ended cannot change any more: neither back to `sending` nor to another result.
pub fn an_ended_withdrawal_stays_as_it_is(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let sending = scene.sent(scene.held(ann, 1, 100_000));
    let paid = scene.ended(sending.clone(), Evidence::Paid { preimage: None, fee: msat(0) });
    let (refunded, _) = sending.clone().apply_evidence(failed(), 1, scene.now()).expect("it decides");
    for other in [sending, refunded, paid.clone()] {
        assert!(run(store, move |tx| tx.withdrawals().update(&other)).is_err());
    }
    assert_withdrawal(store, &paid);
    let unknown = scene.request(ann, 2, 100_000);
    assert!(run(store, move |tx| tx.withdrawals().update(&unknown)).is_err());
}

/// The figures for limits and workers are correct: withdrawals under way, sats withdrawn since a time, and due
/// withdrawals.
pub fn withdrawals_are_counted(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let old = scene.sent(scene.held(ann, 1, 1_000_000));
    scene.ended(old, Evidence::Paid { preimage: None, fee: msat(0) });
    scene.clock.advance(DAY);
    let since = scene.now();
    let waiting = scene.held(ann, 2, 2_000_000);
    let sending = scene.sent(scene.held(ann, 3, 4_000_500));
    let refunded = scene.sent(scene.held(ann, 4, 8_000_000));
    scene.ended(refunded, failed());
    scene.held(bob, 5, 16_000_000);

    let calls = |at| keep(store, move |tx| tx.withdrawals().calls_under_way(at));
    assert_eq!(calls(scene.now()), 1, "those of what has ended are over");
    assert_eq!(calls(scene.now().after(HOUR)), 0, "leases end");

    let counted = move |user| {
        keep(store, move |tx| {
            let sum = tx.withdrawals().withdrawn(user, since)?;
            Ok((tx.withdrawals().in_flight(user)?, sum))
        })
    };
    assert_eq!((counted(ann), counted(bob)), ((2, 6_001), (1, 16_000)));
    let before = since.before(2 * DAY);
    assert_eq!(keep(store, move |tx| tx.withdrawals().withdrawn(ann, before)), 7_001);

    let due = read(store.due_withdrawals(scene.now(), 9));
    assert_eq!((due.len(), due.contains(&waiting.id)), (2, true));
    // A withdrawal in `sending` comes first, even if a held withdrawal has waited longer.
    assert_eq!(read(store.due_withdrawals(scene.now().after(PATIENCE), 9)).first(), Some(&sending.id));
    assert_eq!(read(store.due_withdrawals(scene.now().after(PATIENCE), 1)).len(), 1);
    let any_sending = || keep(store, |tx| tx.withdrawals().any_sending());
    assert!(any_sending());
    scene.ended(sending, failed());
    assert!(!any_sending(), "one that is held was told to nobody");
}

/// While nothing may be sent, held withdrawals stay due. They come after the withdrawals that can still get a step:
/// those in `sending`, and those whose invoice has expired.
pub fn withdrawals_that_can_only_wait_are_due_last(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let asked = scene.sent(scene.held(ann, 1, 100_000));
    let old = [2, 3].map(|number| scene.held(ann, number, 100_000));
    scene.clock.advance(HOUR / 2);
    for number in [4, 5] {
        scene.held(ann, number, 100_000);
    }
    let mut short = scene.request(ann, 6, 100_000);
    short.outgoing.expires_at = scene.now().after(HOUR / 4);
    let short = scene.hold(short);
    let due = |limit| read(store.due_withdrawals(scene.now(), limit));
    let first = |limit| BTreeSet::from_iter(due(limit));
    assert_eq!(due(1), [asked.id]);
    assert_eq!(first(3), BTreeSet::from([asked.id, old[0].id, old[1].id]));
    scene.clock.advance(HOUR / 4);
    assert_eq!(due(2), [asked.id, short.id]);
    assert_eq!(first(4), BTreeSet::from([asked.id, short.id, old[0].id, old[1].id]));
    assert_eq!(due(9).len(), 6);
}

/// A clock was a year ahead for a while. The times that it has given do not delay the next steps.
pub fn withdrawals_with_times_of_a_wrong_clock_are_due(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, now) = (scene.user("ann"), scene.now());
    scene.clock.advance(365 * 24 * HOUR);
    let (sending, held) = (scene.sent(scene.held(ann, 1, 100_000)), scene.held(ann, 2, 100_000));
    assert_eq!(read(store.due_withdrawals(now, 9)), [sending.id, held.id]);
}

/// Users take turns. Otherwise a user whose payees delay payments could hold up the withdrawals of all others.
pub fn users_take_turns_in_due_withdrawals(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let held = |user, number| {
        scene.clock.advance(HOUR / 60);
        scene.held(user, number, 100_000)
    };
    let [first, second, third] = [1, 2, 3].map(|number| held(ann, number));
    let other = held(bob, 4);
    let due = || read(store.due_withdrawals(scene.now(), 9));
    assert_eq!(due(), [first.id, other.id, second.id, third.id]);
    let sending = scene.sent(first);
    assert_eq!(due(), [other.id, second.id, third.id], "a withdrawal without a result counts");
    scene.ended(sending, failed());
    assert_eq!(due(), [second.id, other.id, third.id], "the second has waited longer");
}

/// Users list their own withdrawals, and admins list all withdrawals. The lists have pages, newest first.
pub fn withdrawals_are_listed(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let first = scene.held(ann, 1, 100_000);
    let other = scene.held(bob, 2, 100_000);
    let last = scene.sent(scene.held(ann, 3, 100_000));
    let page = |after| PageRequest { limit: 1, after };
    let own = read(store.withdrawals_of(ann, page(None)));
    assert_eq!(own.items, std::slice::from_ref(&last));
    let rest = read(store.withdrawals_of(ann, page(own.next)));
    assert_eq!((rest.items, rest.next), (vec![first.clone()], None));
    let all = |status| {
        let page = read(store.withdrawals(status, PageRequest { limit: 9, after: None }));
        page.items.into_iter().map(|view| (view.withdrawal.id, view.email)).collect::<Vec<_>>()
    };
    let (ann, bob) = ("ann@example.com".to_owned(), "bob@example.com".to_owned());
    let expected = [(last.id, ann.clone()), (other.id, bob.clone()), (first.id, ann.clone())];
    assert_eq!(all(None), expected);
    assert_eq!(all(Some(WithdrawalStatus::Held)), expected[1..]);
    assert_eq!(all(Some(WithdrawalStatus::Sending)), expected[..1]);
    assert_eq!(all(Some(WithdrawalStatus::Paid)), []);
}

/// The store lists the withdrawals that were refunded after an attempt to pay, since a given time. The latest
/// refund comes first.
pub fn refunds_after_attempts_are_listed(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let refund = |sending| scene.ended(sending, failed());
    refund(scene.sent(scene.held(ann, 1, 100_000)));
    let [second, third] = [2, 3].map(|number| scene.sent(scene.held(ann, number, 100_000)));
    let paid = scene.sent(scene.held(ann, 4, 100_000));
    scene.clock.advance(HOUR);
    let since = scene.now();
    let third = refund(third);
    scene.clock.advance(HOUR);
    let second = refund(second);
    scene.ended(paid, Evidence::Paid { preimage: None, fee: msat(0) });
    scene.sent(scene.held(ann, 5, 100_000));
    let never_sent = scene.held(ann, 6, 100_000);
    let (refunded, effect) = never_sent.not_sent("No route.".to_owned(), scene.now()).expect("it is held");
    scene.step(&refunded, Some(effect));

    let listed = |limit| read(store.refunded_after_attempts(since, limit));
    assert_eq!(listed(9), [second.clone(), third]);
    assert_eq!(listed(1), [second]);
}

fn history(store: &dyn Subject, user: UserId, limit: u32) -> Vec<Movement> {
    let (mut found, mut after) = (Vec::new(), None::<Cursor>);
    loop {
        let Page { items, next } = read(store.history(user, PageRequest { limit, after }));
        assert!(items.len() <= limit as usize);
        found.extend(items);
        if next.is_none() {
            return found;
        }
        after = next;
    }
}

/// A user's history contains all movements of this user in both currencies, and no movements of other users.
/// Each movement names its bet, deposit or withdrawal, if there is one.
pub fn a_wallets_history_is_complete(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let bet = scene.settle(&scene.accept(&scene.create(ann, terms()), bob), Outcome::A);
    let withdrawal = scene.sent(scene.held(ann, 1, 100_000));
    scene.ended(withdrawal.clone(), Evidence::Paid { preimage: None, fee: msat(2_000) });
    let gone = scene.create(ann, terms());
    scene.record(gone.clone().delete(ann, scene.now()).expect("may be deleted"));

    let shown: Vec<_> = history(store, ann, 2)
        .into_iter()
        .map(|moved| {
            let units = moved.money.amount.get();
            let signed = if moved.is_incoming { units } else { -units };
            (
                moved.kind,
                moved.money.currency,
                signed,
                moved.bet.map(|bet| (bet.id, bet.has_page)),
                moved.withdrawal,
            )
        })
        .collect();
    let (bolts, sats) = (Currency::Bolts, Currency::Sats);
    let out = Some(withdrawal.id);
    let expected = vec![
        (TransferKind::Refund, bolts, 100, Some((gone.id, false)), None),
        (TransferKind::Stake, bolts, -100, Some((gone.id, false)), None),
        (TransferKind::ReserveBack, sats, 8, None, out),
        (TransferKind::Hold, sats, -110, None, out),
        (TransferKind::TestDeposit, sats, 110, None, None),
        (TransferKind::Payout, bolts, 160, Some((bet.id, true)), None),
        (TransferKind::Stake, bolts, -100, Some((bet.id, true)), None),
        (TransferKind::SignUpGrant, bolts, 1_000, None, None),
    ];
    assert_eq!(shown, expected);
    let places: BTreeSet<i64> = history(store, ann, 3).iter().map(|moved| moved.seq).collect();
    assert_eq!(places.len(), expected.len());
    assert_eq!(history(store, bob, 100).len(), 2);
}

/// The reserves are the available sats, the escrows and the holds of all users. A separate figure contains the
/// holds of withdrawals in `sending`.
pub fn reserves_are_the_users_sats(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let figures = || {
        let reserves = read(store.reserves());
        (reserves.owed.get(), reserves.in_flight.get())
    };
    assert_eq!(figures(), (0, 0));
    let withdrawal = scene.held(ann, 1, 100_000);
    assert_eq!(figures(), (110, 0));
    let sending = scene.sent(withdrawal);
    assert_eq!(figures(), (110, 110));
    scene.ended(sending, Evidence::Paid { preimage: None, fee: msat(3_000) });
    assert_eq!(figures(), (7, 0));
}

/// A query reads a setting that a job wrote.
pub fn settings_can_be_read(store: &dyn Subject) {
    assert_eq!(read(store.setting("name")), None);
    keep(store, |tx| tx.settings().put("name", "value"));
    assert_eq!(read(store.setting("name")).as_deref(), Some("value"));
}
