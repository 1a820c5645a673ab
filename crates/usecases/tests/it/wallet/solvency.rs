//! The solvency check: the provider's balance against the users' sats.

use std::time::Duration;

use bolts_ports::SatsKind;
use bolts_usecases::wallet::{Resumed, Solvency, WalletRules};
use bolts_wallet::{Evidence, Finding, Watch, WithdrawalStatus};

use super::node::Books;
use super::{Site, sats};
use crate::log::{errors, warnings};

/// A site on which the users have 10,000 sats, and the operator has 100 sats of the provider's balance.
fn site() -> Site {
    let site = Site::with_rules(rules());
    site.hold(10_100_000);
    site
}

fn rules() -> WalletRules {
    WalletRules { float: sats(100), ..WalletRules::default() }
}

impl Site {
    /// The provider holds this number of millisats.
    pub(super) fn hold(&self, msat: i64) {
        self.node.books().balance = Some(msat);
    }

    /// Checks so often that missing sats pause withdrawals.
    pub(super) fn check_three_times(&self, watch: &mut Watch) -> Finding {
        [(); 3].map(|()| self.check_with(watch))[2]
    }

    fn sample(&self) -> Solvency {
        self.stage.app.solvency().expect("readable").expect("a sample")
    }
}

#[test]
fn missing_sats_stop_sending_at_once_and_pause_withdrawals_after_three_checks() {
    let (site, mut watch) = (site(), Watch::default());
    let held = site.held();
    site.hold(9_100_500);
    let logged = errors(|| {
        for _ in 0..2 {
            assert_eq!((site.check_with(&mut watch), site.pause()), (Finding::Suspect, None));
            site.move_on(&held);
            assert_eq!(site.status(&held), WithdrawalStatus::Held);
        }
    });
    assert_eq!(logged, [""; 0]);
    let logged = errors(|| assert_eq!(site.check_with(&mut watch), Finding::Breach));
    assert_eq!(logged, ["users' sats are not covered; withdrawals are paused"]);
    assert_eq!(site.pause().as_deref(), Some("the provider holds 1000 sats less than the users have"));
    let expected = Solvency {
        at: site.stage.now(),
        liabilities: sats(10_000),
        in_flight: sats(0),
        holdings_msat: Some(9_100_500),
        float: sats(100),
        still_pending: Vec::new(),
        unclear_refunds: Vec::new(),
        is_covered: Some(false),
        is_suspect: true,
    };
    assert_eq!(site.sample(), expected);
}

#[test]
fn the_balance_covers_the_users_to_the_millisat() {
    let site = site();
    assert_eq!(site.check(), Finding::Sound);
    site.hold(10_099_999);
    assert_eq!(site.check_three_times(&mut Watch::default()), Finding::Breach);
    assert_eq!(site.pause().as_deref(), Some("the provider holds 1 sats less than the users have"));
}

#[test]
fn sats_of_the_operator_alone_cover_nothing() {
    let (site, mut watch) = (site(), Watch::default());
    site.hold(99_000);
    site.check_three_times(&mut watch);
    assert_eq!(site.pause().as_deref(), Some("the provider holds 10000 sats less than the users have"));
}

#[test]
fn a_provider_that_does_not_answer_neither_raises_nor_clears_an_alarm() {
    let site = site();
    let (first, second) = (site.held(), site.held());
    let silence = || site.node.books().balance = None;
    silence();
    assert_eq!(site.check(), Finding::Sound);
    assert!(!site.sample().is_suspect);
    site.move_on(&first);
    assert_eq!(site.status(&first), WithdrawalStatus::Paid);
    site.hold(0);
    site.check();
    silence();
    site.check();
    assert_eq!((site.sample().is_covered, site.sample().is_suspect), (None, true));
    site.move_on(&second);
    assert_eq!(site.status(&second), WithdrawalStatus::Held);
    site.hold(10_100_000);
    site.check();
    assert!(!site.sample().is_suspect);
    site.move_on(&second);
    assert_eq!(site.status(&second), WithdrawalStatus::Paid);
}

#[test]
fn only_a_sample_with_missing_sats_pauses_withdrawals_again() {
    let (site, mut watch) = (site(), Watch::default());
    site.hold(0);
    site.check_three_times(&mut watch);
    assert_eq!(site.resume(), Resumed::Yes);
    site.node.books().balance = None;
    assert_eq!((site.check_with(&mut watch), site.pause()), (Finding::Breach, None));
    site.hold(0);
    site.check_with(&mut watch);
    assert!(site.pause().is_some());
}

#[test]
fn a_server_sends_nothing_before_identity_lists_and_balance_are_clear() {
    let faults: [fn(&mut Books); 5] = [
        |books| books.identity = None,
        |books| books.sent = None,
        |books| books.received = None,
        |books| books.balance = None,
        |books| books.balance = Some(0),
    ];
    for (number, fault) in faults.into_iter().enumerate() {
        let site = Site::unchecked(rules(), SatsKind::Real);
        fault(&mut site.node.books());
        let warned = warnings(|| {
            site.check();
        });
        let expected = "nothing is sent until the provider's balance and lists agree with the ledger";
        assert_eq!(warned.last().map(String::as_str), Some(expected), "{number}");
        assert!(!site.wallets.has_seen_agreement(), "{number}");
    }
}

/// An alarm tells the operator for how long it has waited.
#[test]
fn the_oldest_withdrawal_that_waits_is_found() {
    let site = Site::unchecked(rules(), SatsKind::Real);
    site.node.books().look_up = Evidence::NotFound { is_proof: true };
    let oldest = || site.stage.app.oldest_held();
    assert_eq!(oldest(), Ok(None));
    let first = site.held();
    site.stage.clock.advance(Duration::from_secs(60));
    let second = site.held();
    assert_eq!(oldest(), Ok(Some(first.created_at)));
    site.check();
    site.move_on(&first);
    assert_eq!(oldest(), Ok(Some(second.created_at)));
    site.move_on(&second);
    assert_eq!(oldest(), Ok(None));
}

#[test]
fn an_unclear_list_stops_nothing_after_a_clean_check() {
    let site = site();
    site.node.books().sent = None;
    let warned = warnings(|| {
        site.check();
    });
    assert_eq!(warned, ["the provider's lists cannot be read"]);
    assert!(site.wallets.has_seen_agreement());
}
