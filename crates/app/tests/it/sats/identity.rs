//! The identity of a wallet or node, which does not depend on its address, and the rights of the provider's keys.

use bolts_testkit::provider::{Call, INVOICE_KEY, Kind, Point};

use super::refusals::refused;
use super::{Site, WHILE, both, provider_options, sats, try_withdraw, until, withdraw};
use crate::harness::{Client, Server, eventually};

/// A withdrawal without a result: the server was killed before the provider answered the payment.
pub(super) fn left_open(site: &mut Site) -> (Client, String) {
    let ann = site.user("ann", 50_000);
    let gate = site.provider.stall(Call::Pay, Point::BeforeAnswering);
    let id = withdraw(&ann, &site.invoice(900));
    gate.wait();
    site.server.kill();
    drop(gate);
    (ann, id)
}

#[test]
fn the_same_wallet_is_known_again_at_another_address() {
    let mut site = Site::start(Kind::Lnbits);
    let (ann, id) = left_open(&mut site);
    let moved = |option: String| option.replace("http://127.0.0.1", "http://localhost");
    let options = provider_options(&site.provider, site.files.path());
    let server = Server::on(site.server.database.clone(), options.into_iter().map(moved).collect());
    let ann = server.client().with_cookie(ann.cookie());
    until(&ann, &id, "paid");
    server.assert_audit_clean();
}

/// A rebuilt node, or another node, does not know the payments of the previous node.
#[test]
fn another_one_at_the_same_address_waits_for_the_operators_word() {
    both(|kind| {
        let mut site = Site::start(kind);
        let (ann, id) = left_open(&mut site);
        let known = site.provider.books(|books| std::mem::replace(&mut books.identity, "02".repeat(33)));
        let said = refused(&site, &provider_options(&site.provider, site.files.path()));
        assert!(said.contains(&known) && said.contains("bolts withdrawals same-provider"), "{said}");
        assert_eq!(site.provider.calls(Call::LookUpPayment), 0, "{kind:?}");

        let told = site.server.command(&["withdrawals", "same-provider", "--reason", "its key was changed"]);
        assert!(told.status.success(), "{told:?}");
        site.server.restart();
        let ann = site.server.client().with_cookie(ann.cookie());
        until(&ann, &id, "paid");
        let actions = site.server.admin("admin").get("/api/admin/actions").ok(200).to_string();
        assert!(actions.contains("provider_moved") && actions.contains("its key was changed"), "{actions}");
        site.assert_sound();
    });
}

fn pause(site: &Site) -> Option<String> {
    let listed = site.server.command(&["withdrawals", "list"]);
    let said = String::from_utf8_lossy(&listed.stdout).into_owned();
    said.lines().find(|line| line.contains("are paused since")).map(str::to_owned)
}

/// If no payment is open, the server starts with another node. But the operator must confirm the node before anything
/// is sent.
#[test]
fn another_one_at_the_same_address_is_sent_nothing() {
    both(|kind| {
        let mut site = Site::start(kind);
        let ann = site.user("ann", 50_000);
        site.server.kill();
        // A database of an earlier version contains the provider's address but not its identity. The next start stores
        // the identity.
        site.server.database.execute("UPDATE settings SET value = '' WHERE name = 'provider_identity'");
        site.server.restart();
        let ann = site.server.client().with_cookie(ann.cookie());
        let first = withdraw(&ann, &site.invoice(500));
        until(&ann, &first, "paid");
        assert_eq!(pause(&site), None, "{kind:?}");

        site.server.kill();
        let paid = site.provider.calls(Call::Pay);
        site.provider.books(|books| books.identity = "03".repeat(33));
        site.server.restart();
        let ann = site.server.client().with_cookie(ann.cookie());
        let reason = eventually("withdrawals are paused", WHILE, || pause(&site));
        assert!(reason.contains("another wallet or node"), "{reason}");
        let made = site.invoice(700);
        try_withdraw(&ann, &made.text).problem(409, "withdrawals_paused");

        for arguments in [&["same-provider", "--reason", "a new key"][..], &["resume"]] {
            let told = site.server.command(&[&["withdrawals"], arguments].concat());
            assert!(told.status.success(), "{told:?}");
        }
        // After the operator's confirmation, the next check or start accepts the node.
        site.server.kill();
        site.server.restart();
        let ann = site.server.client().with_cookie(ann.cookie());
        let second = withdraw(&ann, &made);
        until(&ann, &second, "paid");
        assert_eq!((site.provider.calls(Call::Pay), sats(&ann)), (paid + 1, 50_000 - 501 - 701), "{kind:?}");
        site.assert_sound();
    });
}

/// The server refuses a key that cannot pay, because every withdrawal would be refunded.
#[test]
fn keys_without_the_right_to_pay_are_refused_at_the_start() {
    let mut site = Site::start(Kind::Lnbits);
    site.server.kill();
    let mut options = provider_options(&site.provider, site.files.path());
    let named = options.iter().position(|option| option == "--lnbits-admin-key").expect("it is there");
    options[named + 1] = INVOICE_KEY.to_owned();
    let said = refused(&site, &options);
    assert!(said.contains("is an invoice key, which cannot pay"), "{said}");
    options[named + 1] = "ab".repeat(16);
    let said = refused(&site, &options);
    assert!(said.contains("bolts: LNbits does not take the admin key"), "{said}");

    let mut site = Site::start(Kind::Lnd);
    site.server.kill();
    site.provider.books(|books| books.may_pay = false);
    let said = refused(&site, &provider_options(&site.provider, site.files.path()));
    assert!(said.contains("lacks offchain:write"), "{said}");
}
