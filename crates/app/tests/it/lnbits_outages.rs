//! Outages of the node behind a real LNbits while withdrawals are sent. The node is a second LNbits, which is
//! frozen, killed, and cut off.

use serde_json::{Value, json};

use crate::database::Database;
use crate::harness::{Client, Server, eventually};
use crate::lnbits_server::{Lnbits, Loss, Relay, Wallet};
use crate::sats::{WHILE, sats, see, until};
use crate::wallet::withdraw;

/// The amount of every withdrawal, in sats.
const AMOUNT: i64 = 1_000;

/// The sats that LNbits subtracts from its balance for a pending payment: the amount and 1 % for the route.
const WITHHELD: i64 = 1_010;

/// The kinds of outage.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// The node accepts connections and does not answer.
    Frozen,
    /// The node accepts no connections. Its unfinished work is lost.
    Killed,
    /// The node carries out requests, but its answers are lost.
    CutOff,
}

/// A withdrawal that waits for the operator.
struct Left {
    id: String,
    hash: String,
}

struct Site {
    lnbits: Lnbits,
    /// The relay between LNbits and its node.
    link: Relay,
    /// The site's wallet, which holds only the users' sats.
    wallet: Wallet,
    server: Server,
}

impl Site {
    fn start() -> Self {
        let (lnbits, link) = Lnbits::start_with_link();
        let wallet = lnbits.site.neighbour();
        let mut options = wallet.options(&wallet.url);
        // LNbits does not answer while its node does not answer. The server's time-out is shorter than the default, so
        // that the server gives up soon.
        let waits = ["--lightning-timeout", "5s", "--withdrawal-patience", "2s"];
        options.extend(waits.map(str::to_owned));
        let server = Server::on(Database::new().into(), options);
        let site = Self { lnbits, link, wallet, server };
        // Before the first clean check, a request for a withdrawal needs an answer of LNbits.
        eventually("the first check is clean", WHILE, || (!site.is_waiting()).then_some(()));
        site
    }

    fn begin(&mut self, fault: Fault) {
        match fault {
            Fault::Frozen => self.lnbits.tell("pause customer"),
            Fault::Killed => self.lnbits.tell("kill customer"),
            Fault::CutOff => {
                self.link.lose(Loss::Answers);
                self.link.disconnect();
            }
        }
    }

    fn end(&mut self, fault: Fault) {
        match fault {
            Fault::Frozen => self.lnbits.tell("resume customer"),
            Fault::Killed => self.lnbits.tell("start customer"),
            Fault::CutOff => self.link.lose(Loss::Nothing),
        }
    }

    /// Whether the server tells the pages that withdrawals wait.
    fn is_waiting(&self) -> bool {
        self.server.client().get("/api/config").ok(200)["withdrawalsWaiting"] == true
    }

    fn said(&self, command: &[&str]) -> String {
        String::from_utf8_lossy(&self.server.command(command).stdout).into_owned()
    }
}

/// The requested withdrawals, each with its user.
type Asked<'a> = Vec<(&'a Client, String)>;

fn ask<'a>(asked: &mut Asked<'a>, users: &[&'a Client], invoices: &[String]) {
    for (user, invoice) in users.iter().zip(invoices) {
        let held = withdraw(user, invoice).ok(201);
        asked.push((user, held["id"].as_str().expect("an id").to_owned()));
    }
}

fn with_status(asked: &Asked<'_>, status: &str) -> usize {
    asked.iter().filter(|(user, id)| see(user, id)["status"] == status).count()
}

/// Three withdrawals are sent during the outage. Their missing answers stop the sending. Two more withdrawals wait, and
/// are sent when the node is back. Returns the withdrawals whose result the provider does not know.
fn outage(site: &mut Site, [ann, bob]: [&Client; 2], fault: Fault) -> Vec<Left> {
    let invoices = |site: &Site| [(); 5].map(|()| site.lnbits.customer.invoice(AMOUNT));
    let (made, mut asked) = (invoices(site), Vec::new());
    let before = site.lnbits.customer.balance();
    site.begin(fault);
    ask(&mut asked, &[ann, bob, ann], &made[..3]);
    eventually("sending stops", WHILE, || site.is_waiting().then_some(()));
    assert_eq!(with_status(&asked, "sending"), 3, "{fault:?}");
    let listed = site.said(&["withdrawals", "list"]);
    assert!(listed.contains("Withdrawals wait since"), "{fault:?}: {listed}");
    // The customer's server loses its open invoices when it is killed. In this case the test creates the other two
    // invoices after the outage.
    let is_killed = matches!(fault, Fault::Killed);
    if !is_killed {
        ask(&mut asked, &[bob, ann], &made[3..]);
        assert_eq!((with_status(&asked, "sending"), with_status(&asked, "held")), (3, 2), "{fault:?}");
    }
    site.server.assert_audit_clean();

    site.end(fault);
    if is_killed {
        ask(&mut asked, &[bob, ann], &invoices(site));
    }
    eventually("sending goes on", WHILE, || (!site.is_waiting()).then_some(()));
    eventually("no withdrawal is held", WHILE, || (with_status(&asked, "held") == 0).then_some(()));
    // The node gets these two requests after the other three. When they are paid, it has seen all five.
    let (during, afterwards) = asked.split_at(3);
    for (user, id) in afterwards {
        until(user, id, "paid");
    }
    let mut left = Vec::new();
    for (user, id) in during {
        let seen = see(user, id);
        let hash = seen["paymentHash"].as_str().expect("a hash").to_owned();
        // LNbits knows the result of each payment that its node knows.
        if site.lnbits.node.knows(&hash) {
            until(user, id, "paid");
        } else {
            assert_eq!(seen["status"], "sending", "{fault:?}");
            left.push(Left { id: id.clone(), hash });
        }
    }
    let arrived = i64::try_from(asked.len() - left.len()).expect("a number") * AMOUNT;
    assert_eq!(site.lnbits.customer.balance(), before + arrived, "{fault:?}");
    left
}

#[test]
fn a_node_that_is_away_loses_nobody_any_sats() {
    let mut site = Site::start();
    let [ann, bob] = ["ann", "bob"].map(|name| site.server.user(name));
    for user in [&ann, &bob] {
        site.lnbits.deposit(user, 22_000);
    }
    let mut refunded = Vec::new();
    for fault in [Fault::CutOff, Fault::Frozen, Fault::Killed] {
        let left = outage(&mut site, [&ann, &bob], fault);
        match fault {
            Fault::CutOff => assert_eq!(left.len(), 0, "the provider can tell of all"),
            Fault::Killed => assert_eq!(left.len(), 3, "nothing arrived"),
            Fault::Frozen => {}
        }
        if !left.is_empty() {
            let ids: Vec<&str> = left.iter().map(|left| left.id.as_str()).collect();
            let words = ["refunded", "--reason", "the node was away", "--despite", "not in the node's books"];
            let settled = site.server.settle_when_possible(&[&ids[..], &words].concat());
            assert!(settled.status.success(), "{settled:?}");
        }
        refunded.extend(left);
        site.server.assert_audit_clean();
    }

    let withheld = i64::try_from(refunded.len()).expect("a number") * WITHHELD;
    assert_eq!(site.wallet.balance() + withheld, sats(&ann) + sats(&bob), "no sat is lost");
    refunds_that_are_still_pending_do_not_pause(&mut site, &ann, &refunded);
}

/// No sat of the users is missing, but LNbits' balance is lower, because LNbits withholds the pending payments and
/// their reserves.
fn refunds_that_are_still_pending_do_not_pause(site: &mut Site, ann: &Client, refunded: &[Left]) {
    site.server.kill();
    site.server.restart();
    // After a start the server sends nothing until a solvency check finds no missing sats.
    let ann = site.server.client().with_cookie(ann.cookie());
    let paid = withdraw(&ann, &site.lnbits.customer.invoice(AMOUNT)).ok(201);
    until(&ann, paid["id"].as_str().expect("an id"), "paid");
    let admin = site.server.admin("admin");
    let wallet = admin.get("/api/admin/wallet").ok(200);
    assert_eq!((&wallet["pause"], &wallet["sendingStop"]), (&Value::Null, &Value::Null), "{wallet}");
    let count = refunded.len();
    assert_eq!(wallet["solvency"]["stillPending"], count, "{wallet}");
    let withheld = i64::try_from(count).expect("a number") * WITHHELD;
    assert_eq!(wallet["solvency"]["withheld"], json!(withheld), "{wallet}");
    assert_eq!(wallet["solvency"]["isCovered"], true, "{wallet}");
    for command in [&["withdrawals", "list"][..], &["audit"]] {
        let said = site.said(command);
        for Left { id, .. } in refunded {
            let named = said.lines().find(|line| line.starts_with("PENDING") && line.contains(id.as_str()));
            assert!(named.is_some_and(|line| line.contains("withholds 1010 sats")), "{said}");
        }
        assert!(!said.contains("LOST"), "{said}");
    }

    // The operator has checked the node's records and removes the pending payments.
    let before = site.wallet.balance();
    site.lnbits.fail_pending_payments(refunded.iter().map(|left| &left.hash));
    assert_eq!(site.wallet.balance(), before + withheld, "LNbits has given back what it withheld");
    site.server.kill();
    site.server.restart();
    eventually("none is pending any more", WHILE, || {
        (!site.said(&["withdrawals", "list"]).contains("PENDING")).then_some(())
    });
    site.server.assert_audit_clean();
}
