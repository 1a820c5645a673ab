//! Deposits that arrive after their users have deleted their accounts: what the operator can do with them.

use actix_web::rt::Runtime;
use bolts_kernel::Amount;
use bolts_ports::PageRequest;
use bolts_testkit::HOUR;
use bolts_testkit::provider::{Kind, Provider};
use futures_executor::block_on;

use crate::harness::binary;
use crate::stage::{Stage, owner};

/// A site with a deposit of 1,000 sats that arrived after Ann had deleted her account.
struct Scene {
    stage: Stage,
    id: String,
}

impl Scene {
    fn new() -> Self {
        // The calls to the provider need a runtime.
        let runtime = Runtime::new().expect("a runtime");
        let provider = Provider::start(Kind::Lnbits);
        let stage = Stage::over(&provider);
        let ann = stage.user("ann");
        let amount = Amount::new(1_000).expect("not below 0");
        let deposit = runtime.block_on(stage.wallets.create_deposit(ann.user.id, amount)).expect("made");
        stage.clock.advance(26 * HOUR);
        for due in stage.wallets.due_deposits().expect("readable") {
            runtime.block_on(stage.wallets.move_deposit_on(due)).expect("asked");
        }
        block_on(stage.app.delete_account(owner(&ann), "secret".to_owned())).expect("deleted");
        provider.receive(&deposit.payment_hash.to_string(), 1_000_000);
        let found = stage.queries().deposit(deposit.id).expect("readable");
        runtime.block_on(stage.wallets.hear_of_deposit(found)).expect("heard");
        Self { stage, id: deposit.id.to_string() }
    }

    /// Runs a command of the operator. Returns the exit status and the output.
    fn command(&self, words: &[&str]) -> (Option<i32>, String) {
        let url = self.stage.database.url();
        let output = binary().args(words).args(["--database-url", &url]).output().expect("it runs");
        let said = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&said).into_owned())
    }

    fn late(&self, words: &[&str]) -> (Option<i32>, String) {
        self.command(&[&["deposits", "late"], words].concat())
    }

    fn assert_audit_clean(&self) {
        let (status, said) = self.command(&["audit"]);
        assert_eq!(status, Some(0), "{said}");
    }
}

#[test]
fn the_operator_gives_a_late_deposit_to_another_user_once() {
    let scene = Scene::new();
    let (stage, id) = (&scene.stage, scene.id.as_str());
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
    scene.assert_audit_clean();
}

/// Sats that the operator pays in another way are no sats of users any more.
#[test]
fn the_operator_takes_a_late_deposit_over() {
    let scene = Scene::new();
    let (status, said) = scene.late(&[&scene.id, "--own", "--reason", "paid to the new wallet"]);
    assert!(status == Some(0) && said.contains("1,000 sats") && said.contains("the operator"), "{said}");
    let of_users = "accounts WHERE kind = 'available' AND currency = 'sats' AND balance <> 0";
    assert_eq!(scene.stage.database.rows(of_users), 0);
    scene.assert_audit_clean();
}

#[test]
fn a_site_without_late_deposits_says_so() {
    let database = crate::database::Database::new();
    let output = binary().args(["deposits", "late", "--database-url", &database.url()]).output();
    let said = String::from_utf8(output.expect("it runs").stdout).expect("text");
    assert_eq!(said, "No deposit has arrived for a deleted user.\n");
}
