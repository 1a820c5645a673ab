//! Payments of deposits that no webhook and no page reports. The tests set the clock and run the rounds of the workers
//! themselves. The provider is scripted.

use std::time::Duration;

use actix_web::rt::Runtime;
use bolts_kernel::{Amount, Timestamp};
use bolts_ports::Clock as _;
use bolts_testkit::HOUR;
use bolts_testkit::provider::{Call, Fault, Kind, Provider};
use bolts_usecases::wallet::{Claim, Listing, Wallets};
use bolts_wallet::{Deposit, DepositState};

use crate::sats::both;
use crate::stage::{Session, Stage};

const SECOND: Duration = Duration::from_secs(1);

/// The longest time from a payment to its credit.
const CREDITED_WITHIN: Duration = Duration::from_secs(15);

struct Site {
    stage: Stage,
    provider: Provider,
    runtime: Runtime,
    ann: Session,
}

impl Site {
    fn start(kind: Kind) -> Self {
        let provider = Provider::start(kind);
        let stage = Stage::over(&provider);
        let ann = stage.user("ann");
        Self { stage, provider, runtime: Runtime::new().expect("a runtime"), ann }
    }

    fn run<T>(&self, call: impl Future<Output = T>) -> T {
        self.runtime.block_on(call)
    }

    fn now(&self) -> Timestamp {
        self.stage.clock.now()
    }

    fn deposit(&self, sats: i64) -> Deposit {
        let amount = Amount::new(sats).expect("not below 0");
        self.run(self.stage.wallets.create_deposit(self.ann.user.id, amount)).expect("an invoice")
    }

    fn receive(&self, deposit: &Deposit, millisats: i64) {
        self.provider.receive(&deposit.payment_hash.to_string(), millisats);
    }

    fn look_ups(&self, deposit: &Deposit) -> usize {
        self.provider.calls_for(&deposit.payment_hash.to_string(), Call::LookUpInvoice)
    }

    fn lists(&self) -> usize {
        self.provider.calls(Call::List)
    }

    /// The deposit as it is in the database.
    fn stored(&self, deposit: &Deposit) -> Option<Deposit> {
        self.stage.app.queries().deposit(deposit.id).expect("readable")
    }

    fn is_credited(&self, deposit: &Deposit) -> bool {
        let stored = self.stored(deposit).expect("it is there");
        matches!(stored.state, DepositState::Paid(_))
    }

    fn sats(&self) -> i64 {
        self.stage.sats(&self.ann)
    }

    /// Runs one round of the workers of a process that look for paid deposits.
    fn round(&self, wallets: &Wallets) -> Listing {
        for due in wallets.due_deposits().expect("readable") {
            self.run(wallets.move_deposit_on(due)).expect("moved on");
        }
        let open = wallets.deposits_to_list().expect("readable");
        self.run(wallets.credit_listed(open)).expect("searched")
    }

    /// Moves the clock in steps, with a round of the workers after each step, until `is_done`. Returns the time that
    /// has passed.
    fn rounds_until(&self, step: Duration, is_done: impl Fn() -> bool) -> Duration {
        let began = self.now();
        while !is_done() {
            self.stage.clock.advance(step);
            self.round(&self.stage.wallets);
            assert!(self.now().since(began) < 2 * HOUR, "not within two hours");
        }
        self.now().since(began)
    }

    /// Moves the clock by this number of seconds, with a round of the workers after each second.
    fn rounds(&self, seconds: u32) -> Vec<Listing> {
        let round = |_| {
            self.stage.clock.advance(SECOND);
            self.round(&self.stage.wallets)
        };
        (0..seconds).map(round).collect()
    }
}

/// Pays invoices of different ages. The last two invoices have expired before they are paid.
#[test]
fn a_payment_that_nobody_reports_is_credited_within_15_seconds() {
    both(|kind| {
        let site = Site::start(kind);
        let began = site.now();
        let ages = [2, 30, 110, 700, 1_900, 3_590, 3_700, 7_000];
        for (age, deposit) in ages.map(|age| (Duration::from_secs(age), site.deposit(1_000))) {
            site.rounds_until(Duration::from_secs(30), || site.now().after(30 * SECOND) > began.after(age));
            site.rounds_until(SECOND, || site.now() >= began.after(age));
            site.receive(&deposit, 1_000_000);
            let waited = site.rounds_until(SECOND, || site.is_credited(&deposit));
            assert!(waited <= CREDITED_WITHIN, "{kind:?} at the age of {age:?}: only after {waited:?}");
        }
        assert_eq!(site.sats(), 8_000, "{kind:?}");
    });
}

#[test]
fn one_process_asks_for_the_list_and_none_while_no_invoice_is_open() {
    both(|kind| {
        let site = Site::start(kind);
        let other = site.stage.other_process(&site.provider);
        let rounds = |seconds: u32| {
            for _ in 0..seconds {
                site.stage.clock.advance(SECOND);
                site.round(&site.stage.wallets);
                site.round(&other);
            }
        };
        rounds(30);
        assert_eq!(site.lists(), 0, "{kind:?}: no invoice is open");
        let (paid, unpaid) = (site.deposit(1_000), site.deposit(2_000));
        rounds(100);
        assert_eq!(site.lists(), 10, "{kind:?}: every 10 seconds");

        site.stage.clock.set(site.now().before(HOUR / 2));
        rounds(100);
        assert_eq!(site.lists(), 20, "{kind:?}: the clock was set back");

        site.receive(&paid, 1_000_000);
        rounds(15);
        assert!(site.is_credited(&paid) && !site.is_credited(&unpaid), "{kind:?}");
        site.stage.clock.advance(2 * HOUR + HOUR / 2);
        let before = site.lists();
        rounds(30);
        assert_eq!(site.lists(), before, "{kind:?}: the invoice expired more than an hour ago");
    });
}

/// Look-ups of single invoices fail, so only the provider's list can cause a credit.
#[test]
fn the_list_credits_what_arrived_for_deposits_of_this_site() {
    both(|kind| {
        let site = Site::start(kind);
        site.provider.fail(Call::LookUpInvoice, Fault::ErrorBefore);
        let (paid, less, unpaid) = (site.deposit(1_000), site.deposit(1_000), site.deposit(1_000));
        let hash = paid.payment_hash.to_string();
        // Later payments to the same wallet fill the first pages of the list.
        site.provider.books(|books| {
            let (own, made_at) = (books.invoices[&hash].clone(), books.times[&hash]);
            for number in 0..430 {
                let (foreign, mut other) = (format!("{number:064x}"), own.clone());
                other.received = Some(7_000_000);
                books.invoices.insert(foreign.clone(), other);
                books.times.insert(foreign, made_at + Duration::from_secs(number));
            }
        });
        assert!(site.rounds(12).contains(&Listing::Read(0)), "{kind:?}");
        assert_eq!(site.sats(), 0, "{kind:?}");

        site.receive(&paid, 1_000_000);
        site.receive(&less, 400_999);
        // The answer with the second page of the list is cut off, so the list cannot be read and nothing is credited.
        site.provider.fail_once(Call::List, Fault::Slow(Duration::ZERO));
        site.provider.fail_once(Call::List, Fault::CutBody);
        let listings = site.rounds(10);
        assert!(listings.iter().any(|listing| matches!(listing, Listing::Unreadable(_))), "{kind:?}");
        assert_eq!(site.sats(), 0, "{kind:?}");

        assert!(site.rounds(10).contains(&Listing::Read(2)), "{kind:?}");
        assert_eq!(site.sats(), 1_400, "{kind:?}");
        assert!(!site.is_credited(&unpaid), "{kind:?}");
        site.provider.heal();
        site.rounds(60);
        assert_eq!(site.sats(), 1_400, "{kind:?}: each is credited once");
    });
}

#[test]
fn single_look_ups_credit_while_the_list_cannot_be_read() {
    both(|kind| {
        let site = Site::start(kind);
        for fault in [Fault::ErrorBefore, Fault::CloseAfter, Fault::CutBody, Fault::Garbage, Fault::Redirect]
        {
            site.provider.fail(Call::List, fault);
            let before = site.sats();
            let deposit = site.deposit(1_000);
            let mut listings = site.rounds(11);
            site.receive(&deposit, 1_000_000);
            listings.extend(site.rounds(20));
            assert_eq!(site.sats(), before + 1_000, "{kind:?} {fault:?}");
            assert!(listings.iter().any(|listing| matches!(listing, Listing::Unreadable(_))));
            assert!(
                !listings.iter().any(|listing| matches!(listing, Listing::Read(_))),
                "{kind:?} {fault:?}"
            );
            site.provider.heal();
        }
    });
}

#[test]
fn only_the_current_provider_is_asked_for_its_list() {
    let site = Site::start(Kind::Lnbits);
    let moved_to = Provider::start(Kind::Lnd);
    let current = site.stage.other_process(&moved_to);
    assert_eq!(site.run(site.stage.wallets.claim_database()), Ok(Claim::Taken));
    let deposit = site.deposit(1_000);
    site.receive(&deposit, 1_000_000);
    site.provider.fail(Call::LookUpInvoice, Fault::ErrorBefore);
    assert_eq!(site.run(current.claim_database()), Ok(Claim::Taken));
    let before = site.lists();
    assert!(site.rounds(30).iter().all(|listing| *listing == Listing::NotAsked));
    assert_eq!(site.lists(), before);
    assert_eq!(site.round(&current), Listing::Read(0), "the former provider has not taken the turn");
    assert_eq!(moved_to.calls(Call::List), 1);
}

#[test]
fn a_webhook_right_after_another_question_waits_for_the_next_one() {
    both(|kind| {
        let site = Site::start(kind);
        let wallets = &site.stage.wallets;
        let deposit = site.deposit(1_000);
        let hear = || site.run(wallets.hear_of_deposit(site.stored(&deposit))).expect("heard");
        let wait_is_over = || site.run(wallets.look_for_webhook(deposit.id)).expect("looked up");
        let pass = |millis| site.stage.clock.advance(Duration::from_millis(millis));
        let poll =
            || drop(site.run(wallets.check_deposit(site.ann.user.id, site.stored(&deposit))).expect("read"));

        poll();
        site.receive(&deposit, 1_000_000);
        pass(400);
        assert_eq!(hear(), Some(Duration::from_millis(600)), "{kind:?}: the page asked 400 ms ago");
        pass(100);
        assert_eq!(hear(), None, "{kind:?}: one look-up answers both webhooks");
        poll();
        assert_eq!((site.look_ups(&deposit), site.sats()), (1, 0), "{kind:?}");
        pass(490);
        assert_eq!(wait_is_over(), Some(Duration::from_millis(10)), "{kind:?}: a timer may end early");
        pass(10);
        assert_eq!(wait_is_over(), None);
        assert_eq!((site.look_ups(&deposit), site.sats()), (2, 1_000), "{kind:?}");
        assert_eq!((hear(), wait_is_over()), (None, None));
        assert_eq!(site.look_ups(&deposit), 2, "{kind:?}: a credited deposit is not looked up");
    });
}

#[test]
fn a_waiting_webhook_gives_way_to_a_page_and_asks_after_it() {
    let site = Site::start(Kind::Lnbits);
    let wallets = &site.stage.wallets;
    let deposit = site.deposit(1_000);
    let hear = || site.run(wallets.hear_of_deposit(site.stored(&deposit))).expect("heard");
    let wait_is_over = || site.run(wallets.look_for_webhook(deposit.id)).expect("looked up");
    assert_eq!(hear(), None, "the first webhook asks at once");
    assert_eq!(hear(), Some(SECOND));
    site.stage.clock.advance(SECOND);
    site.run(wallets.check_deposit(site.ann.user.id, site.stored(&deposit))).expect("read");
    site.receive(&deposit, 1_000_000);
    assert_eq!(wait_is_over(), Some(SECOND), "the page was first");
    assert_eq!(hear(), None, "the webhook before still waits");
    site.stage.clock.advance(SECOND);
    assert_eq!((wait_is_over(), site.sats()), (None, 1_000));

    // The server looks up an expired invoice at most once a minute.
    let late = site.deposit(2_000);
    site.stage.clock.set(late.expires_at);
    let hear = || site.run(wallets.hear_of_deposit(site.stored(&late))).expect("heard");
    assert_eq!((hear(), hear()), (None, Some(60 * SECOND)));
    site.receive(&late, 2_000_000);
    site.stage.clock.advance(60 * SECOND);
    assert_eq!(site.run(wallets.look_for_webhook(late.id)), Ok(None));
    assert_eq!(site.sats(), 3_000);
}
