//! The provider that a database belongs to: which provider may serve it, and when another one may.

use bolts_ports::SatsKind;
use bolts_usecases::wallet::{Claim, WalletRules, Wallets, WithdrawError};
use bolts_wallet::{Evidence, Unsettled, Verdict, Watch, WithdrawalStatus};
use futures_executor::block_on;

use super::Site;
use super::node::Node;
use crate::log::errors;
use crate::stage::HOUR;

impl Site {
    fn claim(&self, node: &Node) -> Claim {
        block_on(self.process(node).claim_database()).expect("stored")
    }

    /// A site with a payment whose result is open.
    fn paying() -> Self {
        let site = Self::new();
        site.node.books().pay = Evidence::InFlight;
        site.sent();
        site
    }

    /// A site whose provider has not told its identity, and says nothing about its rights.
    fn anonymous() -> Self {
        let site = Self::unchecked(WalletRules::default(), SatsKind::Real);
        let moved = site.stage.app.provider_moved("it is the same wallet".to_owned());
        block_on(moved).expect("noted");
        site.node.hide();
        assert_eq!(site.claim(&site.node), Claim::Taken);
        site
    }
}

impl Node {
    /// The provider tells neither its rights nor its identity.
    fn hide(&self) {
        (self.books().rights, self.books().identity) = (None, None);
    }

    /// The provider tells its rights and this identity.
    fn show(&self, identity: &'static str) {
        (self.books().rights, self.books().identity) = (Some(None), Some(identity));
    }
}

fn check(wallets: &Wallets) {
    block_on(wallets.check_solvency(&mut Watch::default())).expect("checked");
}

#[test]
fn a_database_keeps_its_kind_of_sats() {
    let site = Site::new();
    let test = Node::new(site.stage.clock.clone(), SatsKind::Test, 0);
    assert_eq!(site.claim(&test), Claim::OtherSats("real".to_owned()));
}

#[test]
fn a_provider_whose_keys_lack_a_right_does_not_serve() {
    let site = Site::new();
    site.node.books().rights = Some(Some("The key cannot pay."));
    assert_eq!(site.claim(&site.node), Claim::LacksRight("The key cannot pay.".to_owned()));
}

#[test]
fn the_same_provider_serves_again_while_payments_are_open() {
    let site = Site::paying();
    assert_eq!(site.claim(&site.node), Claim::Taken);
    site.node.hide();
    assert_eq!(site.claim(&site.node), Claim::Taken, "its address is known");
    site.node.show("another wallet");
    let known = Claim::OpenElsewhere("the node".to_owned());
    assert_eq!(site.claim(&site.node), known, "the wallet at the address is another one");
}

#[test]
fn another_provider_serves_only_after_all_payments_have_a_result() {
    let site = Site::paying();
    let other = site.other_node("another", "another wallet");
    let known = || Claim::OpenElsewhere("the node".to_owned());
    assert_eq!(site.claim(&other), known());
    other.hide();
    assert_eq!(site.claim(&other), known(), "its address is another one");
    other.show("another wallet");
    site.node.books().look_up = Evidence::Failed("no capacity".to_owned());
    site.stage.clock.advance(HOUR);
    for due in site.wallets.due_withdrawals().expect("readable") {
        block_on(site.wallets.move_on(due)).expect("moved on");
    }
    assert_eq!(site.claim(&other), Claim::Taken);
    let held = site.held();
    let logged = errors(|| check(&site.wallets));
    assert_eq!(logged, ["nothing is sent: the database belongs to another provider"]);
    assert!(!site.wallets.has_seen_agreement());
    site.move_on(&held);
    assert_eq!((site.status(&held), site.node.count("fee question")), (WithdrawalStatus::Held, 1));
    let wallets = site.process(&other);
    assert_eq!(errors(|| check(&wallets)), [""; 0]);
    block_on(wallets.move_on(held.id)).expect("moved on");
    assert_eq!(site.status(&held), WithdrawalStatus::Paid);
}

#[test]
fn a_provider_keeps_its_database_at_a_new_address() {
    let site = Site::paying();
    let moved = site.other_node("a new address", "the node");
    assert_eq!(site.claim(&moved), Claim::Taken);
    let wallets = site.process(&moved);
    check(&wallets);
    assert!(wallets.has_seen_agreement());
    assert_eq!(site.pause(), None);
    assert_eq!(site.claim(&site.node), Claim::Taken, "and at the old one again");
}

#[test]
fn another_wallet_at_the_known_address_pauses_withdrawals() {
    let site = Site::new();
    site.node.show("another wallet");
    assert_eq!(site.claim(&site.node), Claim::Taken, "the first check decides");
    let logged = errors(|| check(&site.wallets));
    assert_eq!(logged, ["withdrawals are paused"]);
    assert!(!site.wallets.has_seen_agreement());
    let reason = site.pause().expect("paused");
    assert!(
        reason.starts_with("another wallet or node than before answers as a node of a test: "),
        "{reason}"
    );
    assert_eq!(errors(|| check(&site.wallets)), [""; 0], "the operator knows");
}

/// The node at the address was rebuilt with a new key. It was locked when the server started, so only its address was known.
#[test]
fn a_payment_that_another_node_does_not_know_is_neither_refunded_nor_sent_again() {
    for is_resent in [false, true] {
        let site = Site::paying();
        site.node.hide();
        assert_eq!(site.claim(&site.node), Claim::Taken);
        (site.node.books().may_resend, site.node.books().look_up) =
            (is_resent, Evidence::NotFound { is_proof: true });
        site.stage.clock.advance(if is_resent { HOUR / 12 } else { 3 * HOUR });
        let [sent] = site.wallets.due_withdrawals().expect("readable")[..] else { panic!("one is open") };
        let ask = || {
            site.stage.clock.advance(HOUR / 4);
            block_on(site.wallets.move_on(sent)).expect("moved on");
            (site.withdrawal(sent).status(), site.node.count("pay"))
        };
        assert_eq!(ask(), (WithdrawalStatus::Sending, 1), "the node does not say which one it is");
        site.node.show("another node");
        assert_eq!(ask(), (WithdrawalStatus::Sending, 1));
        let said = "no clear answer: another wallet or node than before knows no such payment".to_owned();
        assert_eq!(site.word(&site.withdrawal(sent)), Some(said.clone()));
        assert_eq!(site.settle(sent, Verdict::Refunded), Err(Unsettled::Contradicted(said).into()));
        site.node.show("the node");
        let end = if is_resent { (WithdrawalStatus::Sending, 2) } else { (WithdrawalStatus::Refunded, 1) };
        assert_eq!(ask(), end);
    }
}

/// The operator has emptied the identity, and only the next start stores another one.
#[test]
fn what_a_provider_without_a_known_identity_does_not_know_proves_nothing() {
    let site = Site::paying();
    block_on(site.stage.app.provider_moved("a new node".to_owned())).expect("noted");
    site.node.books().look_up = Evidence::NotFound { is_proof: true };
    site.stage.clock.advance(3 * HOUR);
    let due = || site.wallets.due_withdrawals().expect("readable");
    let [sent] = due()[..] else { panic!("one is open") };
    block_on(site.wallets.move_on(sent)).expect("moved on");
    assert_eq!(site.withdrawal(sent).status(), WithdrawalStatus::Sending);
    let said = "no clear answer: it knows no such payment, and the database does not know yet which wallet or node it belongs to";
    assert_eq!(site.word(&site.withdrawal(sent)).as_deref(), Some(said));
    assert_eq!(site.claim(&site.node), Claim::Taken);
    site.stage.clock.advance(HOUR);
    block_on(site.wallets.move_on(sent)).expect("moved on");
    assert_eq!(site.withdrawal(sent).status(), WithdrawalStatus::Refunded);
}

#[test]
fn a_provider_is_known_by_its_identity_from_its_start_on() {
    let site = Site::unchecked(WalletRules::default(), SatsKind::Real);
    site.node.show("another wallet");
    site.check();
    assert!(site.pause().is_some());
}

#[test]
fn a_silent_provider_is_known_by_its_address_until_a_check() {
    let site = Site::anonymous();
    site.node.show("the node");
    check(&site.wallets);
    assert_eq!(site.pause(), None);
    site.node.show("another wallet");
    check(&site.wallets);
    assert!(site.pause().is_some(), "the check has stored the identity");
}

#[test]
fn a_check_without_an_identity_lets_a_server_send_nothing() {
    let site = Site::anonymous();
    site.node.books().look_up = Evidence::NotFound { is_proof: true };
    let held = site.held();
    check(&site.wallets);
    assert!(!site.wallets.has_seen_agreement());
    site.move_on(&held);
    assert_eq!(site.status(&held), WithdrawalStatus::Held);
    site.node.show("the node");
    check(&site.wallets);
    site.move_on(&held);
    assert_eq!(site.status(&held), WithdrawalStatus::Paid);
}

/// The other wallet knows nothing of a payment that the database has lost.
#[test]
fn no_withdrawal_is_requested_while_another_wallet_answers_before_a_clean_check() {
    let site = Site::unchecked(WalletRules::default(), SatsKind::Real);
    site.node.books().look_up = Evidence::NotFound { is_proof: true };
    site.node.show("another wallet");
    assert_eq!(site.withdraw(1_000), Err(WithdrawError::Paused));
    site.node.show("the node");
    assert!(site.withdraw(1_000).is_ok());
}

/// The operator says that the provider of the open payments has moved. A server that still runs with the old provider
/// changes nothing about that.
#[test]
fn the_operator_lets_another_provider_serve_while_payments_are_open() {
    let site = Site::paying();
    let moved = site.stage.app.provider_moved("a new node with the old keys".to_owned());
    block_on(moved).expect("noted");
    let detail = "from node: a new node with the old keys".to_owned();
    assert_eq!(site.latest_action(), ("provider_moved", detail));
    check(&site.wallets);
    assert_eq!(site.pause(), None);
    let other = site.other_node("another", "another wallet");
    assert_eq!(site.claim(&other), Claim::Taken);
    assert_eq!(site.claim(&site.node), Claim::OpenElsewhere("another wallet".to_owned()));
}
