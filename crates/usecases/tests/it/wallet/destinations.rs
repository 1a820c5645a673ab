//! Destinations of withdrawals: invoices and Lightning addresses.

use std::time::Duration;

use bolts_kernel::FieldError;
use bolts_ports::{AddressError, SatsKind};
use bolts_testkit::msat;
use bolts_usecases::wallet::{
    Destination, DestinationError, Quote, TestInvoice, TestInvoiceError, WalletRules, WithdrawError,
};
use bolts_wallet::WithdrawalStatus;
use futures_executor::block_on;

use super::{Site, sats};
use crate::stage::HOUR;

const SECOND: Duration = Duration::from_secs(1);

impl Site {
    /// The preview of a withdrawal to an invoice.
    fn quote(&self, invoice: &str) -> Result<Quote, WithdrawError> {
        self.wallets.look_at_destination(&Destination::Invoice(invoice.to_owned()))
    }

    /// The address of the preview of a withdrawal of 1,000 sats to a Lightning address.
    fn quoted(&self, address: &str) -> Option<String> {
        let quote = self.wallets.look_at_destination(&Destination::Address(address.to_owned(), sats(1_000)));
        quote.ok().and_then(|quote| quote.address)
    }
}

fn invalid<T>(message: &str) -> Result<T, WithdrawError> {
    Err(DestinationError::Invalid(FieldError::new("invoice", message)).into())
}

#[test]
fn the_preview_of_an_invoice_shows_what_it_costs_and_whom_it_pays() {
    let site = Site::new();
    let invoice = site.node.invoice(123_456_001);
    let decoded = site.node.decoded(&invoice);
    let quote = site.quote(&invoice).expect("payable");
    assert_eq!(quote.held(), sats(123_457 + 1_235));
    let expected = Quote {
        amount: sats(123_457),
        fee_limit: sats(1_235),
        payee: Some("02".repeat(33)),
        payment_hash: Some(decoded.payment_hash),
        address: None,
        description: Some("a coffee".to_owned()),
        expires_at: Some(decoded.expires_at),
    };
    assert_eq!(quote, expected);
}

#[test]
fn an_invoice_that_the_site_cannot_pay_is_refused() {
    let site = Site::new();
    let (now, node) = (site.stage.now(), &site.node);
    let network = "This invoice is of another network than the sats of this site";
    let amount = "This invoice names no amount; ask for one that does";
    for (invoice, message) in [
        ("lnbc".to_owned(), "This is not a valid Lightning invoice"),
        (node.invoice_like(|one| one.network = Some(SatsKind::Test)), network),
        (node.invoice_like(|one| one.network = None), network),
        (node.invoice_like(|one| one.amount = None), amount),
        (node.invoice(0), amount),
        (node.invoice(99_000), "Minimum withdrawal is 100 sats"),
        (node.invoice(100_000_000_001), "Maximum withdrawal is 100,000,000 sats"),
        (node.invoice_like(|one| one.expires_at = now), "This invoice has expired"),
        (
            site.deposit(&site.ann, 500).invoice,
            "This is a deposit invoice of this site; sats cannot be withdrawn to it",
        ),
    ] {
        assert_eq!(site.quote(&invoice), invalid(message), "{invoice}");
        assert_eq!(site.request(&site.ann, Destination::Invoice(invoice)), invalid(message));
    }
    for invoice in [
        node.invoice(99_001),
        node.invoice(100_000_000_000),
        node.invoice_like(|one| one.expires_at = now.after(SECOND)),
    ] {
        assert!(site.quote(&invoice).is_ok(), "{invoice}");
    }
    assert_eq!(site.sats(&site.ann), 10_000);
}

#[test]
fn a_lightning_address_has_a_name_and_a_host() {
    let site = Site::new();
    let longest = format!("{}@pay.example", "a".repeat(320 - "@pay.example".len()));
    for (address, expected) in [
        ("ann@pay.example", "ann@pay.example"),
        (" Ann@Pay.Example ", "ann@pay.example"),
        ("a-b_c.d+e1@pay.example", "a-b_c.d+e1@pay.example"),
        (&longest, &longest),
    ] {
        assert_eq!(site.quoted(address).as_deref(), Some(expected));
    }
    let too_long = format!("a{longest}");
    for address in [
        "",
        "ann",
        "@pay.example",
        "ann@",
        "an n@pay.example",
        "änn@pay.example",
        "ann!@pay.example",
        "ann@pay@example",
        "ann@pay.example/x",
        "ann@pay example",
        &too_long,
    ] {
        let destination = Destination::Address(address.to_owned(), sats(1_000));
        let error = FieldError::new("lightningAddress", "This is not a Lightning address");
        let refused = Err(DestinationError::Invalid(error).into());
        assert_eq!(site.wallets.look_at_destination(&destination), refused, "{address}");
    }
    let small = Destination::Address("ann@pay.example".to_owned(), sats(99));
    assert!(site.wallets.look_at_destination(&small).is_err());
    assert_eq!(site.node.count("address"), 0, "a preview asks no server");
}

#[test]
fn a_withdrawal_to_an_address_pays_the_invoice_of_its_server() {
    let site = Site::new();
    let withdraw =
        |address: &str| site.request(&site.ann, Destination::Address(address.to_owned(), sats(1_000)));
    let held = withdraw("Bob@pay.example").expect("held");
    assert_eq!((held.outgoing.address.as_deref(), held.amount()), (Some("bob@pay.example"), sats(1_000)));
    site.move_on(&held);
    assert_eq!((site.status(&held), site.sats(&site.ann)), (WithdrawalStatus::Paid, 8_998));
    // The server at this address answers with an invoice of 1,001 sats.
    let other_amount = AddressError::WrongInvoice("another amount".to_owned());
    let refused = Err(WithdrawError::Destination(other_amount.into()));
    assert_eq!(withdraw("1001@pay.example"), refused);
    assert_eq!(site.sats(&site.ann), 8_998);
}

/// A user cannot let the site call servers of Lightning addresses without the sats and the right to withdraw.
#[test]
fn the_server_of_an_address_is_asked_only_for_a_withdrawal_that_is_possible() {
    let site = Site::new();
    let withdraw =
        |amount| site.request(&site.ann, Destination::Address("bob@pay.example".to_owned(), sats(amount)));
    assert!(matches!(withdraw(9_901), Err(WithdrawError::Insufficient(_))), "9,901 and a reserve of 100");
    site.pause_by_operator();
    assert_eq!(withdraw(1_000), Err(WithdrawError::Paused));
    assert_eq!(site.node.count("address"), 0);
}

#[test]
fn a_small_invoice_is_paid_to_the_millisat() {
    let site = Site::new();
    let invoice = site.node.invoice_like(|one| one.amount = Some(msat(100_001)));
    let held = site.request(&site.ann, Destination::Invoice(invoice)).expect("held");
    assert_eq!((held.outgoing.amount, held.held()), (msat(100_001), sats(111)));
}

#[test]
fn a_user_tries_a_withdrawal_with_a_test_invoice() {
    let site = Site::unchecked(WalletRules::default(), SatsKind::Test);
    site.check();
    let made = block_on(site.wallets.test_invoice(site.ann.actor.user, sats(500))).expect("an invoice");
    let expires_at = site.stage.now().after(HOUR);
    assert_eq!(made, TestInvoice { invoice: made.invoice.clone(), amount: sats(500), expires_at });
    let held = site.request(&site.ann, Destination::Invoice(made.invoice)).expect("held");
    site.move_on(&held);
    assert_eq!((site.status(&held), site.sats(&site.ann)), (WithdrawalStatus::Paid, 9_498));
    let real = Site::new();
    let refused = block_on(real.wallets.test_invoice(real.ann.actor.user, sats(500)));
    assert_eq!(refused, Err(TestInvoiceError::NotTest));
}
