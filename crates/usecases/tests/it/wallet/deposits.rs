//! Deposits: their invoices, the look-ups at the provider, and the credit.

use std::time::Duration;

use bolts_kernel::Timestamp;
use bolts_ports::{MadeInvoice, NoticeBody, SatsKind, Unclear, WalletQueries};
use bolts_usecases::wallet::{Claim, DepositError, WalletRules};
use bolts_wallet::{Deposit, DepositState, DepositStatus};
use futures_executor::block_on;
use futures_util::future::join;

use super::node::proof;
use super::{Member, Site, sats};
use crate::log::errors;
use crate::stage::{DAY, HOUR};

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);
const MILLISECOND: Duration = Duration::from_millis(1);

impl Site {
    fn create(&self, member: &Member) -> Result<Deposit, DepositError> {
        block_on(self.wallets.create_deposit(member.actor.user, sats(500)))
    }

    /// The page of this user asks about the deposit.
    fn poll(&self, member: &Member, deposit: &Deposit) -> Option<DepositStatus> {
        let found = Some(self.deposited(deposit));
        let polled = block_on(self.wallets.check_deposit(member.actor.user, found)).expect("readable");
        polled.map(|deposit| deposit.status(self.stage.now()))
    }

    /// A webhook about the deposit arrives. Returns the time that it must wait.
    fn hear(&self, deposit: &Deposit) -> Option<Duration> {
        block_on(self.wallets.hear_of_deposit(Some(self.deposited(deposit)))).expect("readable")
    }

    fn look_for_webhook(&self, deposit: &Deposit) -> Option<Duration> {
        block_on(self.wallets.look_for_webhook(deposit.id)).expect("readable")
    }

    /// Carries out the look-ups of deposits that are due. Returns their number.
    pub(super) fn look_up_due(&self) -> usize {
        let due = self.wallets.due_deposits().expect("readable");
        let count = due.len();
        due.into_iter().for_each(|one| block_on(self.wallets.move_deposit_on(one)).expect("looked up"));
        count
    }

    fn until(&self, then: Timestamp) {
        self.stage.clock.set(then);
    }
}

#[test]
fn an_invoice_that_does_not_fit_the_request_is_not_used() {
    let site = Site::new();
    let now = site.stage.now();
    let other_hash =
        MadeInvoice { invoice: site.node.invoice(500_000), payment_hash: proof(99).payment_hash() };
    let like = |change: fn(&mut bolts_ports::DecodedInvoice, Timestamp)| {
        let invoice = site.node.invoice_like(|one| {
            one.amount = Some(bolts_testkit::msat(500_000));
            change(one, now);
        });
        let payment_hash = site.node.decoded(&invoice).payment_hash;
        MadeInvoice { invoice, payment_hash }
    };
    for (made, what) in [
        (other_hash, "another hash"),
        (like(|one, _| one.amount = Some(bolts_testkit::msat(500_001))), "another amount"),
        (like(|one, _| one.amount = None), "another amount"),
        (like(|one, _| one.network = Some(SatsKind::Test)), "another network"),
        (like(|one, _| one.network = None), "another network"),
        (like(|one, now| one.expires_at = now), "another expiry"),
    ] {
        site.node.books().next_invoice = Some(made);
        let expected = Unclear(format!("the new invoice has {what} than asked for"));
        assert_eq!(site.create(&site.ann), Err(DepositError::Provider(expected)));
    }
    let open = site.stage.store.open_deposits_expiring_after(now).expect("readable");
    assert_eq!(open, [], "the site knows none of them");
    site.node.books().next_invoice = Some(like(|one, now| one.expires_at = now.after(SECOND)));
    assert_eq!(site.create(&site.ann).map(|made| made.expires_at), Ok(now.after(SECOND)));
}

#[test]
fn a_user_has_at_most_twenty_unpaid_invoices() {
    let site = Site::new();
    for _ in 0..20 {
        site.create(&site.ann).expect("an invoice");
        site.stage.clock.advance(MINUTE);
    }
    let made = site.node.count("create");
    let retry_after = 40 * MINUTE;
    assert_eq!(site.create(&site.ann), Err(DepositError::TooManyOpen { retry_after }));
    assert_eq!(site.node.count("create"), made, "the provider is not asked");
    assert!(site.create(&site.member("bob")).is_ok(), "each user has own invoices");
    site.stage.clock.advance(retry_after);
    assert!(site.create(&site.ann).is_ok(), "the first invoice has expired");
    assert!(site.create(&site.ann).is_err());
}

/// Two tabs ask at once for the last invoice. The provider makes only one.
#[test]
fn requests_of_one_user_are_served_one_after_another() {
    let site = Site::new();
    for _ in 0..19 {
        site.create(&site.ann).expect("an invoice");
    }
    let made = site.node.count("create");
    let create = || site.wallets.create_deposit(site.ann.actor.user, sats(500));
    let (first, second) = block_on(join(create(), create()));
    assert!(first.is_ok());
    assert!(matches!(second, Err(DepositError::TooManyOpen { .. })), "{second:?}");
    assert_eq!(site.node.count("create"), made + 1);
}

#[test]
fn no_invoice_is_made_after_another_provider_took_the_database() {
    let site = Site::new();
    let other = site.other_node("another", "another wallet");
    let wallets = site.process(&other);
    assert_eq!(block_on(wallets.claim_database()), Ok(Claim::Taken));
    let made = site.node.count("create");
    assert!(matches!(site.create(&site.ann), Err(DepositError::Provider(_))));
    assert_eq!(site.node.count("create"), made);
    block_on(wallets.create_deposit(site.ann.actor.user, sats(500))).expect("an invoice");
}

/// The machine sleeps while the provider answers, and the payment arrives after the answer.
#[test]
fn an_answer_about_an_invoice_counts_for_the_time_of_the_question() {
    let site = Site::new();
    let deposit = site.deposit(&site.ann, 500);
    site.until(deposit.created_at.after(MINUTE));
    let (clock, node, hash) = (site.stage.clock.clone(), site.node.clone(), deposit.payment_hash);
    site.node.meanwhile("look up invoice", move || {
        node.receive(hash, 500_000);
        clock.advance(30 * HOUR);
        std::future::ready(())
    });
    assert_eq!(site.look_up_due(), 1);
    let state = site.deposited(&deposit).state;
    assert!(matches!(state, DepositState::Open { .. }), "{state:?}");
    assert_eq!(site.look_up_due(), 1);
    assert_eq!(site.sats(&site.ann), 10_500);
}

#[test]
fn a_page_that_polls_causes_one_look_up_a_second() {
    let site = Site::new();
    let (deposit, bob) = (site.deposit(&site.ann, 500), site.member("bob"));
    let asked = site.node.count("look up invoice");
    let count = || site.node.count("look up invoice") - asked;
    assert_eq!((site.poll(&bob, &deposit), count()), (None, 0), "a deposit of another user");
    assert_eq!(block_on(site.wallets.check_deposit(site.ann.actor.user, None)), Ok(None));
    for expected in [1, 1, 1] {
        assert_eq!((site.poll(&site.ann, &deposit), count()), (Some(DepositStatus::Pending), expected));
    }
    site.stage.clock.advance(SECOND);
    assert_eq!((site.poll(&site.ann, &deposit), count()), (Some(DepositStatus::Pending), 2));
    site.node.receive(deposit.payment_hash, 500_000);
    site.stage.clock.advance(SECOND - MILLISECOND);
    assert_eq!((site.poll(&site.ann, &deposit), count()), (Some(DepositStatus::Pending), 2));
    site.stage.clock.advance(MILLISECOND);
    assert_eq!((site.poll(&site.ann, &deposit), count()), (Some(DepositStatus::Paid), 3));
    assert_eq!(site.sats(&site.ann), 10_500);
    site.stage.clock.advance(HOUR);
    assert_eq!((site.poll(&site.ann, &deposit), count()), (Some(DepositStatus::Paid), 3));
    site.stage.assert_sound();
}

#[test]
fn many_accounts_cause_a_limited_number_of_look_ups() {
    let site = Site::new();
    let members = ["bob", "cleo", "dan"].map(|name| site.member(name));
    let deposits: Vec<_> = members
        .iter()
        .flat_map(|member| [member; 20])
        .map(|member| (member, site.deposit(member, 500)))
        .collect();
    let asked = site.node.count("look up invoice");
    let count = || site.node.count("look up invoice") - asked;
    for (member, deposit) in &deposits {
        assert_eq!(site.poll(member, deposit), Some(DepositStatus::Pending));
    }
    assert_eq!(count(), 50);
    let (_, last) = &deposits[59];
    site.node.receive(last.payment_hash, 500_000);
    assert_eq!((site.hear(last), count()), (Some(SECOND), 50), "a webhook waits too");
    assert_eq!((site.hear(last), count()), (None, 50), "the first webhook waits for both");
    site.stage.clock.advance(SECOND);
    assert_eq!((site.look_for_webhook(last), count()), (None, 51));
    assert_eq!(site.sats(&members[2]), 500);
}

#[test]
fn an_expired_invoice_is_looked_up_once_a_minute_and_still_credited() {
    let site = Site::new();
    let deposit = site.deposit(&site.ann, 500);
    site.until(deposit.expires_at);
    assert_eq!(site.poll(&site.ann, &deposit), Some(DepositStatus::Expired));
    site.node.receive(deposit.payment_hash, 500_000);
    site.stage.clock.advance(MINUTE - MILLISECOND);
    assert_eq!(site.poll(&site.ann, &deposit), Some(DepositStatus::Expired));
    site.stage.clock.advance(MILLISECOND);
    assert_eq!(site.poll(&site.ann, &deposit), Some(DepositStatus::Paid));
}

#[test]
fn look_ups_go_on_after_the_clock_was_set_back() {
    let site = Site::new();
    let deposit = site.deposit(&site.ann, 500);
    site.stage.clock.advance(MINUTE);
    site.poll(&site.ann, &deposit);
    site.node.receive(deposit.payment_hash, 500_000);
    site.until(site.stage.now().before(MINUTE));
    assert_eq!(site.poll(&site.ann, &deposit), Some(DepositStatus::Paid));
}

#[test]
fn webhooks_within_a_second_share_the_next_look_up() {
    let site = Site::new();
    let deposit = site.deposit(&site.ann, 500);
    let asked = site.node.count("look up invoice");
    let count = || site.node.count("look up invoice") - asked;
    assert_eq!((site.hear(&deposit), count()), (None, 1));
    site.node.receive(deposit.payment_hash, 500_000);
    site.stage.clock.advance(400 * MILLISECOND);
    let wait = 600 * MILLISECOND;
    assert_eq!((site.hear(&deposit), count()), (Some(wait), 1), "the webhook waits");
    assert_eq!((site.hear(&deposit), count()), (None, 1), "the first webhook waits for both");
    assert_eq!((site.look_for_webhook(&deposit), count()), (Some(wait), 1), "the wait is not over");
    site.stage.clock.advance(wait);
    assert_eq!((site.look_for_webhook(&deposit), count()), (None, 2));
    assert_eq!(site.sats(&site.ann), 10_500);
    site.stage.clock.advance(MINUTE);
    assert_eq!((site.hear(&deposit), count()), (None, 2), "the payment is known");
    assert_eq!((site.look_for_webhook(&deposit), count()), (None, 2));
    assert_eq!(block_on(site.wallets.hear_of_deposit(None)), Ok(None));
}

#[test]
fn an_unpaid_deposit_is_looked_up_less_and_less_often_for_a_day() {
    let site = Site::new();
    let deposit = site.deposit(&site.ann, 500);
    site.stage.clock.advance(5 * SECOND - MILLISECOND);
    assert_eq!(site.look_up_due(), 0);
    site.stage.clock.advance(MILLISECOND);
    assert_eq!(site.look_up_due(), 1);
    site.stage.clock.advance(7 * SECOND);
    assert_eq!(site.look_up_due(), 0);
    site.stage.clock.advance(SECOND);
    assert_eq!(site.look_up_due(), 1);
    site.until(deposit.expires_at.after(DAY));
    assert_eq!(errors(|| assert_eq!(site.look_up_due(), 1)), [""; 0]);
    assert_eq!(site.deposited(&deposit).state, DepositState::Lapsed);
    site.stage.clock.advance(30 * DAY);
    assert_eq!(site.look_up_due(), 0);
}

#[test]
fn a_deposit_without_a_clear_answer_is_looked_up_for_thirty_days_and_reported() {
    let site = Site::new();
    let deposit = site.deposit(&site.ann, 500);
    let overdue = || site.stage.app.unanswered_deposits().expect("readable");
    site.node.books().arrived = None;
    site.until(deposit.expires_at.after(DAY + HOUR));
    assert_eq!(errors(|| assert_eq!(site.look_up_due(), 1)), [""; 0]);
    assert_eq!(overdue(), 0);
    site.stage.clock.advance(SECOND);
    assert_eq!(overdue(), 1);
    site.until(deposit.expires_at.after(30 * DAY));
    let logged = errors(|| assert_eq!(site.look_up_due(), 1));
    assert_eq!(logged.len(), 1);
    assert!(logged[0].starts_with("a deposit is not looked up any more"), "{logged:?}");
    assert_eq!((site.deposited(&deposit).state, overdue()), (DepositState::Lapsed, 0));
}

/// The scheduled look-up asks before the payment arrives. A webhook credits it while the older answer is on its way.
#[test]
fn an_older_answer_does_not_undo_a_credit() {
    let site = Site::new();
    let deposit = site.deposit(&site.ann, 500);
    let (node, wallets, known) = (site.node.clone(), site.wallets.clone(), deposit.clone());
    site.node.meanwhile("look up invoice", move || async move {
        node.receive(known.payment_hash, 500_000);
        wallets.look_for_webhook(known.id).await.expect("looked up");
    });
    site.stage.clock.advance(MINUTE);
    assert_eq!(site.look_up_due(), 1);
    assert_eq!(site.deposited(&deposit).status(site.stage.now()), DepositStatus::Paid);
    assert_eq!(site.sats(&site.ann), 10_500);
    site.stage.assert_sound();
}

#[test]
fn whole_sats_are_credited_and_told() {
    let site = Site::new();
    let bob = site.member("bob");
    let (less, more) = (site.deposit(&bob, 100), site.deposit(&bob, 100));
    site.node.receive(less.payment_hash, 999);
    site.node.receive(more.payment_hash, 2_999);
    site.stage.clock.advance(MINUTE);
    assert_eq!(site.look_up_due(), 2);
    for deposit in [less, more] {
        assert_eq!(site.deposited(&deposit).status(site.stage.now()), DepositStatus::Paid);
    }
    assert_eq!(site.sats(&bob), 2);
    assert_eq!(site.told(&bob), [NoticeBody::DepositReceived { amount: sats(2) }]);
    site.stage.assert_sound();
}

#[test]
fn sats_without_a_payment_are_added_only_where_they_are_test_sats() {
    let real = Site::new();
    let added = block_on(real.wallets.add_test_sats(real.ann.actor.user, sats(500), None));
    assert_eq!((added, real.sats(&real.ann)), (Err(DepositError::NotTest), 10_000));
    let test = Site::unchecked(WalletRules::default(), SatsKind::Test);
    block_on(test.wallets.add_test_sats(test.ann.actor.user, sats(500), None)).expect("added");
    assert_eq!(test.sats(&test.ann), 10_500);
}
