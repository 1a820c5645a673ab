//! Deposits that arrive after their users have deleted their accounts: what the operator can do with them.

use actix_web::rt::Runtime;
use bolts_bets::Outcome;
use bolts_kernel::Amount;
use bolts_ports::{Clock, PageRequest};
use bolts_resolution::Answer;
use bolts_testkit::provider::{Kind, Provider};
use bolts_testkit::{DAY, HOUR};
use bolts_wallet::Deposit;
use futures_executor::block_on;

use crate::harness::binary;
use crate::stage::{Session, Stage, actor, owner};

/// A site whose invoices are paid when a test says so.
struct Site {
    /// The calls to the provider need a runtime.
    runtime: Runtime,
    provider: Provider,
    stage: Stage,
}

impl Site {
    fn new() -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let provider = Provider::start(Kind::Lnbits);
        let stage = Stage::over(&provider);
        Self { runtime, provider, stage }
    }

    /// An unpaid invoice of 1,000 sats.
    fn invoice(&self, session: &Session) -> Deposit {
        let amount = Amount::new(1_000).expect("not below 0");
        let made = self.stage.wallets.create_deposit(session.user.id, amount);
        self.runtime.block_on(made).expect("made")
    }

    fn look_up_due(&self) {
        for due in self.stage.wallets.due_deposits().expect("readable") {
            self.runtime.block_on(self.stage.wallets.move_deposit_on(due)).expect("asked");
        }
    }

    /// The invoice is paid, and the site hears of it.
    fn pay(&self, invoice: &Deposit) {
        self.provider.receive(&invoice.payment_hash.to_string(), 1_000_000);
        let found = self.stage.queries().deposit(invoice.id).expect("readable");
        self.runtime.block_on(self.stage.wallets.hear_of_deposit(found)).expect("heard");
    }

    fn leave(&self, session: &Session) {
        block_on(self.stage.app.delete_account(owner(session), "secret".to_owned())).expect("deleted");
    }

    /// Runs a command of the operator. Returns the exit status and the output.
    fn command(&self, words: &[&str]) -> (Option<i32>, String) {
        let url = self.stage.database.url();
        let output = binary().args(words).args(["--database-url", &url]).output().expect("it runs");
        let said = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&said).into_owned())
    }

    fn assert_audit_clean(&self) {
        self.stage.assert_audit_clean();
    }
}

/// A site with a deposit of 1,000 sats that arrived after Ann had deleted her account.
struct Scene {
    site: Site,
    id: String,
}

impl Scene {
    fn new() -> Self {
        let site = Site::new();
        let ann = site.stage.user("ann");
        let invoice = site.invoice(&ann);
        site.stage.clock.advance(26 * HOUR);
        site.look_up_due();
        site.leave(&ann);
        site.pay(&invoice);
        Self { site, id: invoice.id.to_string() }
    }

    fn late(&self, words: &[&str]) -> (Option<i32>, String) {
        self.site.command(&[&["deposits", "late"], words].concat())
    }
}

#[test]
fn the_operator_gives_a_late_deposit_to_another_user_once() {
    let scene = Scene::new();
    let (stage, id) = (&scene.site.stage, scene.id.as_str());
    let bob = stage.user("bob");
    let (status, listed) = scene.late(&[]);
    assert_eq!((status, listed.lines().count()), (Some(0), 1), "{listed}");
    assert!(listed.contains(id) && listed.contains("1000 sats") && listed.contains("NOT BOOKED"), "{listed}");

    let unknown = "f".repeat(32);
    for (words, expected) in [
        (&[id, "--user", "bob@example.com"][..], 2),
        (&[id, "--reason", "nobody is named"], 2),
        (&["nonsense", "--own", "--reason", "this is no id"], 2),
        (&[id, "--user", "ann@example.com", "--reason", "she is deleted"], 1),
        (&[&unknown, "--own", "--reason", "there is no such deposit"], 1),
    ] {
        let (status, said) = scene.late(words);
        assert_eq!(status, Some(expected), "{words:?}: {said}");
    }
    assert_eq!(stage.sats(&bob), 0, "a refused booking moves nothing");

    let why = ["--reason", "he showed the preimage"];
    let (status, said) = scene.late(&[&[id, "--user", "bob@example.com"], &why[..]].concat());
    assert_eq!((status, stage.sats(&bob)), (Some(0), 1_000), "{said}");
    let (status, said) = scene.late(&[&[id, "--own"], &why[..]].concat());
    assert!(status == Some(1) && said.contains("was booked at"), "{said}");
    assert!(scene.late(&[]).1.contains("booked at"), "it stays in the list");

    let page = PageRequest { limit: 1, after: None };
    let recorded = stage.queries().admin_actions(page).expect("readable").items.remove(0);
    let whose = (recorded.action.as_str(), recorded.user.as_deref());
    assert_eq!(whose, ("move_late_deposit", Some("bob@example.com")));
    assert!(recorded.detail.is_some_and(|detail| detail.contains(why[1]) && detail.contains(id)));
    let told = stage.queries().notifications(bob.user.id).expect("readable");
    assert_eq!(told[0].body.kind(), "deposit_received");
    scene.site.assert_audit_clean();
}

/// Sats that the operator pays in another way are no sats of users any more.
#[test]
fn the_operator_takes_a_late_deposit_over() {
    let scene = Scene::new();
    let (status, said) = scene.late(&[&scene.id, "--own", "--reason", "paid to the new wallet"]);
    assert!(status == Some(0) && said.contains("1,000 sats") && said.contains("the operator"), "{said}");
    let of_users = "accounts WHERE kind = 'available' AND currency = 'sats' AND balance <> 0";
    assert_eq!(scene.site.stage.database.rows(of_users), 0);
    scene.site.assert_audit_clean();
}

/// The sats arrive while the clock is three days ahead, and Ann loses them in a bet. She leaves after the clock is right again.
#[test]
fn sats_that_arrived_by_a_clock_that_was_ahead_are_not_late() {
    let site = Site::new();
    let stage = &site.stage;
    let (ann, bob, right) = (stage.user("ann"), stage.user("bob"), stage.clock.now());
    let invoices = [&ann, &bob].map(|session| site.invoice(session));
    stage.clock.advance(3 * DAY);
    invoices.iter().for_each(|invoice| site.pay(invoice));
    let bet = stage.create(&ann, (1_000, "sats"), HOUR).expect("created");
    stage.accept(&bob, bet).expect("accepted");
    block_on(stage.app.end_bet_early(actor(&ann), bet)).expect("ended");
    stage.propose(&ann, bet, Outcome::B);
    let answer = stage.app.respond_to_proposal(actor(&bob), bet, Answer::Accept, None, None);
    block_on(answer).expect("settled");
    assert_eq!((stage.sats(&ann), stage.sats(&bob)), (0, 2_000));
    stage.clock.set(right);
    site.leave(&ann);
    assert_eq!(stage.app.late_deposits(), Ok(vec![]));
    site.assert_audit_clean();
}

/// Ann leaves while the clock is three days ahead. The sats arrive after the clock is right again.
#[test]
fn sats_for_a_user_who_left_by_a_clock_that_was_ahead_are_late() {
    let site = Site::new();
    let stage = &site.stage;
    let (ann, right) = (stage.user("ann"), stage.clock.now());
    let invoice = site.invoice(&ann);
    stage.clock.advance(3 * DAY);
    site.look_up_due();
    site.leave(&ann);
    stage.clock.set(right.after(HOUR));
    site.pay(&invoice);
    let late = stage.app.late_deposits().expect("readable");
    let found: Vec<_> = late.iter().map(|one| (one.id, one.paid_at)).collect();
    assert_eq!(found, [(invoice.id, right.after(3 * DAY))]);
    site.assert_audit_clean();
}

#[test]
fn a_site_without_late_deposits_says_so() {
    let database = crate::database::Database::new();
    let output = binary().args(["deposits", "late", "--database-url", &database.url()]).output();
    let said = String::from_utf8(output.expect("it runs").stdout).expect("text");
    assert_eq!(said, "No deposit has arrived for a deleted user.\n");
}
