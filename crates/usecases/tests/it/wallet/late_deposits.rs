//! Deposits that arrive after their users have deleted their accounts.

use std::sync::Arc;

use bolts_kernel::DepositId;
use bolts_ports::{LateDeposit, NoticeBody, name_of_deleted};
use bolts_usecases::wallet::{LateDepositError, WalletRules};
use bolts_wallet::Deposit;
use futures_executor::block_on;

use super::{Member, Site, sats, wallets};
use crate::contention::Contended;
use crate::log::errors;
use crate::stage::DAY;

impl Site {
    /// A deposit of 1,000 sats that is paid after its user has deleted the account. The site does not know of the payment yet.
    fn paid_late(&self, member: &Member) -> Deposit {
        let deposit = self.deposit(member, 1_000);
        self.stage.clock.advance(2 * DAY);
        self.look_up_due();
        let deleted = self.stage.app.delete_account(member.owner.clone(), "secret".to_owned());
        assert_eq!(block_on(deleted), Ok(()));
        self.node.receive(deposit.payment_hash, 1_000_000);
        deposit
    }

    /// A deposit of 1,000 sats that arrives after its user has deleted the account.
    fn late(&self, member: &Member) -> Deposit {
        let deposit = self.paid_late(member);
        let heard = block_on(self.wallets.hear_of_deposit(Some(self.deposited(&deposit))));
        assert_eq!(heard, Ok(None));
        deposit
    }

    fn book(&self, id: DepositId, to: Option<&Member>) -> Result<i64, LateDepositError> {
        let to = to.map(|member| member.actor.user);
        let booked = block_on(self.stage.app.book_late_deposit(id, to, "he showed the preimage".to_owned()));
        booked.map(|amount| amount.get())
    }
}

#[test]
fn the_operator_gives_a_late_deposit_to_another_user_once() {
    let site = Site::new();
    let (bob, eve, own) = (site.member("bob"), site.member("eve"), site.deposit(&site.ann, 500));
    let deposit = site.late(&bob);
    let (id, user, paid_at) = (deposit.id, bob.actor.user, site.stage.now());
    assert_eq!(site.latest_action(), ("late_deposit", format!("1,000 sats by deposit {id}")));
    let late = LateDeposit { id, user, amount: sats(1_000), paid_at, booked_at: None };
    assert_eq!(site.stage.app.late_deposits(), Ok(vec![late]));
    assert_eq!(site.book(own.id, Some(&eve)), Err(LateDepositError::NotLate));
    assert_eq!(site.book(id, Some(&bob)), Err(LateDepositError::UserGone));
    assert_eq!(site.sats(&eve), 0);
    assert_eq!(site.book(id, Some(&eve)), Ok(1_000));
    assert_eq!(site.sats(&eve), 1_000);
    assert_eq!(site.told(&eve), [NoticeBody::DepositReceived { amount: sats(1_000) }]);
    let detail = format!("1,000 sats of {} by deposit {id}: he showed the preimage", name_of_deleted(user));
    assert_eq!(site.latest_action(), ("move_late_deposit", detail));
    assert_eq!(site.book(id, Some(&eve)), Err(LateDepositError::Booked(paid_at)));
    assert_eq!(site.book(id, None), Err(LateDepositError::Booked(paid_at)));
    site.stage.assert_sound();
}

#[test]
fn a_late_deposit_is_reported_once_even_if_its_job_runs_twice() {
    let site = Site::new();
    let deposit = site.paid_late(&site.member("bob"));
    let app = site.stage.other_process_by(Arc::new(Contended(site.stage.store.clone())));
    let process = wallets(&app, &site.node, WalletRules::default());
    let logged = errors(|| {
        let heard = block_on(process.hear_of_deposit(Some(site.deposited(&deposit))));
        assert_eq!(heard, Ok(None));
    });
    assert_eq!(logged, ["a deposit of a deleted user arrived"]);
    assert_eq!(site.latest_action().0, "late_deposit");
}

#[test]
fn the_operator_keeps_a_late_deposit() {
    let site = Site::new();
    let deposit = site.late(&site.member("bob"));
    assert_eq!(site.book(deposit.id, None), Ok(1_000));
    assert_eq!(site.latest_action().0, "keep_late_deposit");
    let late = site.stage.app.late_deposits().expect("readable");
    assert_eq!(late[0].booked_at, Some(site.stage.now()));
    site.stage.assert_sound();
}
