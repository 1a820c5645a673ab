//! Restores of a backup with a real LNbits. A restore does not roll back the records of LNbits.

use std::time::Duration;

use serde_json::{Value, json};

use crate::database::Database;
use crate::harness::{Client, Server, eventually};
use crate::lnbits_server::Lnbits;
use crate::restores::{back_up, put_back, snapshot};
use crate::sats::sats;

/// More time than any step needs, even on a busy machine.
const SOON: Duration = Duration::from_secs(60);

struct Site {
    lnbits: Lnbits,
    server: Server,
}

impl Site {
    fn user(&self, name: &str) -> Client {
        self.server.user(name)
    }

    fn again(&mut self, users: [&Client; 2]) -> [Client; 2] {
        self.server.restart();
        users.map(|user| self.server.client().with_cookie(user.cookie()))
    }

    fn withdraw(&self, user: &Client, invoice: &str) -> Value {
        let asked = json!({"invoice": invoice, "password": "secret"});
        let held = user.post("/api/withdrawals", asked).ok(201);
        let path = format!("/api/withdrawals/{}", held["id"].as_str().expect("an id"));
        eventually("it is paid", SOON, || {
            Some(user.get(&path).ok(200)).filter(|withdrawal| withdrawal["status"] == "paid")
        })
    }

    fn reconcile(&self, side: &str, further: &[&str]) -> (Option<i32>, String) {
        let options = self.lnbits.site.options(&self.lnbits.site.url);
        let arguments = [side, "reconcile"].into_iter().chain(further.iter().copied());
        let arguments: Vec<&str> = arguments.chain(options.iter().map(String::as_str)).collect();
        let output = self.server.command(&arguments);
        let said = [&output.stdout[..], &output.stderr].map(String::from_utf8_lossy).concat();
        (output.status.code(), said)
    }

    fn resume(&self) -> bool {
        self.server.command(&["withdrawals", "resume"]).status.success()
    }
}

/// At the start the wallet contains a million sats of the operator. So the provider's balance is always high enough,
/// and does not show that a backup was restored.
#[test]
fn a_restored_backup_pays_nothing_twice_and_loses_no_deposit() {
    let lnbits = Lnbits::start();
    let mut options = lnbits.site.options(&lnbits.site.url);
    options.extend(["--withdrawal-patience", "2s"].map(str::to_owned));
    let server = Server::on(Database::new().into(), options);
    let mut site = Site { lnbits, server };
    let (ann, bob) = (site.user("ann"), site.user("bob"));
    site.lnbits.deposit(&ann, 10_000);
    let copy = back_up(&site.server);
    let paid_before = site.lnbits.customer.balance();
    let invoice = site.lnbits.customer.invoice(4_000);
    site.withdraw(&ann, &invoice);
    site.lnbits.deposit(&bob, 25_000);

    // The provider's balance is high enough, because the wallet contains the operator's sats and because 25,000 sats
    // arrived after the backup.
    site.server.stop();
    put_back(&site.server, &copy);
    let [ann, bob] = site.again([&ann, &bob]);
    assert_eq!((sats(&ann), sats(&bob)), (10_000, 0));
    let once_more = json!({"invoice": invoice, "password": "secret"});
    ann.post("/api/withdrawals", once_more.clone()).problem(409, "withdrawals_paused");
    assert!(!site.resume(), "nothing was reconciled");

    let (status, said) = site.reconcile("withdrawals", &[]);
    assert!(status == Some(1) && said.contains("4000 sats") && said.contains("ann@example.com"), "{said}");
    let (status, said) = site.reconcile("deposits", &[]);
    assert!(status == Some(1) && said.contains("25000 sats") && said.contains("bob@example.com"), "{said}");
    for side in ["deposits", "withdrawals"] {
        let (status, said) = site.reconcile(side, &["--apply", "--reason", "the backup was restored"]);
        assert_eq!(status, Some(0), "{said}");
    }
    assert_eq!((sats(&ann), sats(&bob)), (6_000, 25_000));
    assert!(site.resume());
    ann.post("/api/withdrawals", once_more).problem(409, "invoice_used");
    site.withdraw(&ann, &site.lnbits.customer.invoice(1_000));
    assert_eq!(site.lnbits.customer.balance(), paid_before + 4_000 - 25_000 + 1_000, "each once");
    assert_eq!(sats(&ann), 5_000);
    site.server.assert_audit_clean();

    a_snapshot_is_noticed_without_a_pause_in_it(&mut site, &ann, &bob);
    the_float_hides_no_loss(&site);
    the_invoice_key_is_no_admin_key(&site);
}

fn a_snapshot_is_noticed_without_a_pause_in_it(site: &mut Site, ann: &Client, bob: &Client) {
    site.server.stop();
    let copy = snapshot(&site.server);
    let [ann, bob] = site.again([ann, bob]);
    site.withdraw(&ann, &site.lnbits.customer.invoice(2_000));
    let before = site.lnbits.customer.balance();

    site.server.stop();
    put_back(&site.server, &copy);
    let [ann, _bob] = site.again([&ann, &bob]);
    let asked = json!({"invoice": site.lnbits.customer.invoice(4_500), "password": "secret"});
    ann.post("/api/withdrawals", asked);
    let is_paused = || ann.get("/api/config").ok(200)["withdrawalsPaused"] == true;
    eventually("withdrawals are paused", SOON, || is_paused().then_some(()));
    assert_eq!(site.lnbits.customer.balance(), before, "nothing is sent before the first look");
    site.server.assert_audit_clean();
}

/// The option `--float` names one sat as the operator's, but this sat is a user's. So one sat of the users is missing.
fn the_float_hides_no_loss(site: &Site) {
    let wallet = site.lnbits.site.neighbour();
    let mut options = wallet.options(&wallet.url);
    options.extend(["--float", "1"].map(str::to_owned));
    let mut server = Server::on(Database::new().into(), options);
    let user = server.user("carl");
    let made = user.post("/api/deposit/create-invoice", json!({"amount": 500})).ok(201);
    site.lnbits.customer.pay(made["lightningInvoice"].as_str().expect("an invoice"));
    eventually("the deposit is credited", SOON, || (sats(&user) == 500).then_some(()));
    // The solvency check runs at the start. The third check that finds missing sats pauses withdrawals.
    server.stop();
    server.restart();
    let listed = || server.command(&["withdrawals", "list"]);
    eventually("withdrawals are paused", SOON, || {
        String::from_utf8_lossy(&listed().stdout).contains("holds 1 sats less").then_some(())
    });
    server.assert_audit_clean();
}

fn the_invoice_key_is_no_admin_key(site: &Site) {
    let mut options = site.lnbits.site.options(&site.lnbits.site.url);
    let named = options.iter().position(|option| option == "--lnbits-admin-key").expect("it is there");
    options[named + 1] = site.lnbits.site.invoice_key.clone();
    let database = Database::new();
    let mut command = crate::harness::binary();
    command.args(["serve", "--bind", "127.0.0.1:0", "--database-url", &database.url()]).args(&options);
    let refused = command.output().expect("it runs");
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(refused.status.code() == Some(2) && said.contains("is an invoice key"), "{said}");

    // The server also refuses an invoice key of another wallet, but only at the first invoice. Before that, the other
    // wallet has no payment by which the server could recognise the wallet.
    let neighbour = site.lnbits.site.neighbour();
    options[named + 1] = site.lnbits.site.admin_key.clone();
    options[named + 3] = neighbour.invoice_key.clone();
    let server = Server::on(database.into(), options);
    let user = server.user("dora");
    let asked = json!({"amount": 500});
    user.post("/api/deposit/create-invoice", asked).problem(503, "lightning_unavailable");
}
