//! Deposits that the provider's list of paid invoices shows.

use std::time::Duration;

use bolts_usecases::wallet::{Claim, Listing};
use bolts_wallet::Deposit;
use futures_executor::block_on;

use super::Site;
use crate::stage::HOUR;

const SECOND: Duration = Duration::from_secs(1);
const MILLISECOND: Duration = Duration::from_millis(1);

impl Site {
    fn to_list(&self) -> Vec<Deposit> {
        self.wallets.deposits_to_list().expect("readable")
    }

    fn list(&self, open: Vec<Deposit>) -> Listing {
        block_on(self.wallets.credit_listed(open)).expect("stored")
    }
}

#[test]
fn the_list_is_read_at_most_every_ten_seconds() {
    let site = Site::new();
    assert_eq!(site.to_list(), [], "there is no open deposit");
    assert_eq!(site.list(Vec::new()), Listing::NotAsked);
    let deposit = site.deposit(&site.ann, 500);
    assert_eq!(site.to_list(), vec![deposit.clone()]);
    assert_eq!(site.list(site.to_list()), Listing::Read(0));
    for wait in [Duration::ZERO, 10 * SECOND - MILLISECOND] {
        site.stage.clock.advance(wait);
        assert_eq!(site.to_list(), []);
        assert_eq!(site.list(vec![deposit.clone()]), Listing::NotAsked, "another process has just asked");
    }
    site.stage.clock.advance(MILLISECOND);
    assert_eq!(site.list(site.to_list()), Listing::Read(0));
    assert_eq!(site.node.count("list"), 2);
    site.stage.clock.set(site.stage.now().before(SECOND));
    assert_eq!(site.list(site.to_list()), Listing::Read(0), "the clock was set back");
}

#[test]
fn the_list_credits_paid_deposits_and_no_others() {
    let site = Site::new();
    let (first, second) = (site.deposit(&site.ann, 500), site.deposit(&site.ann, 700));
    let third = site.deposit(&site.ann, 900);
    site.node.receive(first.payment_hash, 500_000);
    site.node.receive(third.payment_hash, 900_000);
    site.stage.clock.advance(SECOND);
    assert_eq!(site.list(site.to_list()), Listing::Read(2));
    assert_eq!(site.node.latest("list"), first.created_at.before(600 * SECOND).to_string());
    assert_eq!(site.sats(&site.ann), 11_400);
    site.stage.clock.advance(10 * SECOND);
    assert_eq!(site.to_list(), [second]);
}

#[test]
fn an_unreadable_list_credits_nothing() {
    let site = Site::new();
    site.deposit(&site.ann, 500);
    site.node.books().arrived = None;
    assert!(matches!(site.list(site.to_list()), Listing::Unreadable(_)));
}

#[test]
fn an_invoice_is_listed_until_an_hour_after_its_expiry() {
    let site = Site::new();
    let deposit = site.deposit(&site.ann, 500);
    site.stage.clock.set(deposit.expires_at.after(HOUR - SECOND));
    assert_eq!(site.to_list(), [deposit]);
    site.stage.clock.advance(SECOND);
    assert_eq!(site.to_list(), []);
}

#[test]
fn the_list_of_another_provider_is_not_read() {
    let site = Site::new();
    let deposit = site.deposit(&site.ann, 500);
    let other = site.other_node("another", "another wallet");
    assert_eq!(block_on(site.process(&other).claim_database()), Ok(Claim::Taken));
    assert_eq!(site.list(vec![deposit]), Listing::NotAsked);
    assert_eq!(site.node.count("list"), 0);
}
