//! Checks the calls of a withdrawal to the provider: their order, their number, and the state of the store at the time
//! of each call.

use std::collections::BTreeMap;
use std::future::ready;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bolts_kernel::{Amount, Currency, Timestamp, WithdrawalId};
use bolts_ports::{
    AddressError, DecodedInvoice, InvalidInvoice, InvoiceState, Lightning, LightningAddresses, MadeInvoice,
    NewInvoice, NodeCheck, Payment, Pending, Received, Reference, SatsKind, Sent, Unclear, WalletQueries,
};
use bolts_testkit::{MemoryStore, msat, preimage};
use bolts_usecases::accounts::{PasswordOwner, session_hash};
use bolts_usecases::wallet::{Destination, WalletRules, Wallets, Withdraw};
use bolts_usecases::{Actor, Reply};
use bolts_wallet::{Evidence, Watch, Withdrawal, WithdrawalStatus};
use futures_executor::block_on;
use mockall::{Sequence, mock};

use crate::stage::{ADDRESS, HOUR, Stage};

mock! {
    pub(crate) Provider {}

    impl Lightning for Provider {
        fn sats(&self) -> SatsKind;
        fn describe(&self) -> String;
        fn provider_name(&self) -> String;
        fn may_resend(&self) -> bool;
        fn decode(&self, text: &str) -> Result<DecodedInvoice, InvalidInvoice>;
        fn create_invoice(&self, new: NewInvoice) -> Pending<'_, Result<MadeInvoice, Unclear>>;
        fn look_up_invoice(&self, reference: Reference) -> Pending<'_, Result<InvoiceState, Unclear>>;
        fn before_paying(&self, payment: Payment) -> Pending<'_, Result<(), String>>;
        fn pay(&self, payment: Payment) -> Pending<'_, Evidence>;
        fn answers(&self, about: Reference) -> Pending<'_, Result<NodeCheck, Unclear>>;
        fn look_up_payment(&self, reference: Reference) -> Pending<'_, Evidence>;
        fn balance(&self) -> Pending<'_, Result<bolts_wallet::Millisats, Unclear>>;
        fn withheld(
            &self,
            payments: Vec<Reference>,
        ) -> Pending<'_, Result<BTreeMap<bolts_wallet::PaymentHash, bolts_wallet::Millisats>, Unclear>>;
        fn identity(&self) -> Pending<'_, Result<String, Unclear>>;
        fn missing_right(&self) -> Pending<'_, Result<Option<String>, Unclear>>;
        fn received(&self, since: Timestamp) -> Pending<'_, Result<Vec<Received>, Unclear>>;
        fn sent(&self, since: Timestamp) -> Pending<'_, Result<Vec<Sent>, Unclear>>;
    }
}

mock! {
    Addresses {}

    impl LightningAddresses for Addresses {
        fn invoice(&self, address: String, amount: Amount) -> Pending<'_, Result<DecodedInvoice, AddressError>>;
    }
}

/// Lets a mock provider answer all requests except those about a payment. Each test sets its own expectations before,
/// and those are answered first.
fn answer_others(provider: &mut MockProvider, expires_at: Timestamp, may_resend: bool) {
    provider.expect_sats().return_const(SatsKind::Test);
    provider.expect_describe().return_const("a mock");
    provider.expect_provider_name().return_const("mock");
    provider.expect_may_resend().return_const(may_resend);
    provider.expect_identity().returning(|| Box::pin(ready(Ok("node".to_owned()))));
    provider.expect_missing_right().returning(|| Box::pin(ready(Ok(None))));
    provider.expect_balance().returning(|| Box::pin(ready(Ok(msat(1_000_000_000)))));
    provider.expect_withheld().returning(|_| Box::pin(ready(Ok(BTreeMap::new()))));
    provider.expect_sent().returning(|_| Box::pin(ready(Ok(Vec::new()))));
    provider.expect_received().returning(|_| Box::pin(ready(Ok(Vec::new()))));
    provider.expect_answers().returning(|_| Box::pin(ready(Ok(NodeCheck::Answers))));
    provider.expect_decode().returning(move |text| {
        Ok(DecodedInvoice {
            text: text.to_owned(),
            network: Some(SatsKind::Test),
            payment_hash: preimage(1).payment_hash(),
            amount: Some(msat(1_000_000)),
            created_at: expires_at.before(HOUR),
            expires_at,
            description: None,
            description_hash: None,
            payee: "02".repeat(33),
        })
    });
}

/// A user with 5,000 test sats, and wallets with this provider. A first check has shown that the provider's
/// books agree with the ledger.
pub(crate) struct Payer {
    pub(crate) stage: Stage,
    wallets: Wallets,
    actor: Actor,
    session: String,
}

impl Payer {
    pub(crate) fn new(may_resend: bool, expect: impl FnOnce(&mut MockProvider, &Stage)) -> Self {
        let payer = Self::unchecked(may_resend, expect);
        block_on(payer.wallets.check_solvency(&mut Watch::default())).expect("checked");
        payer
    }

    /// A payer whose wallets have not yet made the first check of the provider.
    fn unchecked(may_resend: bool, expect: impl FnOnce(&mut MockProvider, &Stage)) -> Self {
        let stage = Stage::new();
        let signed_in =
            block_on(stage.app.register("ann@example.com".to_owned(), "secret".to_owned(), ADDRESS));
        let signed_in = signed_in.expect("registered");
        let mut provider = MockProvider::new();
        expect(&mut provider, &stage);
        answer_others(&mut provider, stage.now().after(HOUR), may_resend);
        let addresses = Arc::new(MockAddresses::new());
        let wallets = Wallets::new(stage.app.clone(), Arc::new(provider), addresses, WalletRules::default());
        block_on(wallets.claim_database()).expect("claimed");
        let (actor, session) = (Actor::from(&signed_in.user), session_hash(&signed_in.secret));
        block_on(wallets.add_test_sats(actor.user, Amount::new(5_000).expect("usable"), None))
            .expect("added");
        Self { stage, wallets, actor, session }
    }

    /// Requests a withdrawal of 1,000 sats.
    pub(crate) fn withdraw(&self) -> WithdrawalId {
        let owner = PasswordOwner {
            user: self.actor.user,
            email: "ann@example.com".to_owned(),
            session: self.session.clone(),
        };
        let destination = Destination::Invoice("lnbcrt1".to_owned());
        let withdraw = Withdraw { owner: owner.into(), password: "secret".to_owned(), destination };
        match block_on(self.wallets.withdraw(withdraw, None)).expect("held") {
            Reply::Done(withdrawal) => withdrawal.id,
            Reply::Replayed(answer) => panic!("repeated: {answer}"),
        }
    }

    pub(crate) fn move_on(&self, id: WithdrawalId) {
        block_on(self.wallets.move_on(id)).expect("moved on");
    }

    pub(crate) fn status(&self, id: WithdrawalId) -> WithdrawalStatus {
        stored(&self.stage.store, id).status()
    }

    pub(crate) fn sats(&self) -> i64 {
        use bolts_ports::Queries as _;
        self.stage.store.user(self.actor.user).expect("readable").expect("there").balances[Currency::Sats]
            .get()
    }
}

fn stored(store: &MemoryStore, id: WithdrawalId) -> Withdrawal {
    store.withdrawal(id).expect("readable").expect("there")
}

pub(crate) fn answer<T: Send + 'static>(answer: T) -> Pending<'static, T> {
    Box::pin(ready(answer))
}

pub(crate) fn paid() -> Evidence {
    Evidence::Paid { preimage: Some(preimage(1)), fee: msat(2_000) }
}

#[test]
fn the_provider_is_told_to_pay_once_and_after_the_attempt_is_recorded() {
    let payer = Payer::new(false, |provider, stage| {
        let mut order = Sequence::new();
        let store = Arc::clone(&stage.store);
        provider.expect_before_paying().once().in_sequence(&mut order).returning(move |payment| {
            assert_eq!(stored(&store, payment.owner.id).status(), WithdrawalStatus::Held);
            answer(Ok(()))
        });
        let store = Arc::clone(&stage.store);
        provider.expect_pay().once().in_sequence(&mut order).returning(move |payment| {
            let recorded = stored(&store, payment.owner.id);
            assert_eq!((recorded.status(), recorded.attempts()), (WithdrawalStatus::Sending, 1));
            assert_eq!(payment.reference.invoice, "lnbcrt1");
            assert_eq!(payment.fee_limit, recorded.fee_limit);
            answer(paid())
        });
    });
    let id = payer.withdraw();
    payer.move_on(id);
    payer.move_on(id);
    assert_eq!((payer.status(id), payer.sats()), (WithdrawalStatus::Paid, 3_998));
    payer.stage.assert_sound();
}

#[test]
fn a_refused_fee_question_gives_the_sats_back_without_a_call_to_pay() {
    let payer = Payer::new(false, |provider, _| {
        provider
            .expect_before_paying()
            .once()
            .returning(|_| answer(Err("The route costs too much.".to_owned())));
        provider.expect_pay().never();
    });
    let id = payer.withdraw();
    payer.move_on(id);
    payer.move_on(id);
    assert_eq!((payer.status(id), payer.sats()), (WithdrawalStatus::Refunded, 5_000));
    payer.stage.assert_sound();
}

#[test]
fn a_pause_during_the_fee_question_stops_the_call_to_pay() {
    let payer = Payer::new(false, |provider, stage| {
        let app = stage.app.clone();
        provider.expect_before_paying().once().returning(move |_| {
            let app = app.clone();
            Box::pin(async move {
                assert!(app.pause_withdrawals("an incident".to_owned()).await.expect("paused"));
                Ok(())
            })
        });
        provider.expect_pay().never();
    });
    let id = payer.withdraw();
    payer.move_on(id);
    payer.move_on(id);
    assert_eq!(payer.status(id), WithdrawalStatus::Held);
    payer.stage.assert_sound();
}

#[test]
fn nothing_is_asked_or_sent_before_the_first_check() {
    let payer = Payer::unchecked(false, |provider, _| {
        provider.expect_before_paying().never();
        provider.expect_pay().never();
    });
    let id = payer.withdraw();
    payer.move_on(id);
    assert_eq!(payer.status(id), WithdrawalStatus::Held);
}

#[test]
fn a_payment_without_an_answer_is_looked_up_and_never_sent_again() {
    let payer = Payer::new(false, |provider, _| {
        provider.expect_before_paying().once().returning(|_| answer(Ok(())));
        provider.expect_pay().once().returning(|_| answer(Evidence::NoAnswer("a time-out".to_owned())));
        let mut order = Sequence::new();
        for said in [Evidence::NotFound { is_proof: false }, Evidence::InFlight, paid()] {
            let mut said = Some(said);
            let look_up = provider.expect_look_up_payment().once().in_sequence(&mut order);
            look_up.returning(move |_| answer(said.take().expect("once")));
        }
    });
    let id = payer.withdraw();
    payer.move_on(id);
    for expected in [WithdrawalStatus::Sending, WithdrawalStatus::Sending, WithdrawalStatus::Paid] {
        assert_eq!(payer.status(id), WithdrawalStatus::Sending);
        payer.stage.clock.advance(Duration::from_secs(600));
        payer.move_on(id);
        assert_eq!(payer.status(id), expected);
    }
    payer.move_on(id);
    assert_eq!(payer.sats(), 3_998);
    payer.stage.assert_sound();
}

#[test]
fn a_provider_that_pays_a_hash_once_is_told_again_after_it_does_not_know_the_payment() {
    let payer = Payer::new(true, |provider, _| {
        provider.expect_before_paying().once().returning(|_| answer(Ok(())));
        let mut order = Sequence::new();
        let first = provider.expect_pay().once().in_sequence(&mut order);
        first.returning(|_| answer(Evidence::NoAnswer("a cut connection".to_owned())));
        let look_up = provider.expect_look_up_payment().once().in_sequence(&mut order);
        look_up.returning(|_| answer(Evidence::NotFound { is_proof: false }));
        let second = provider.expect_pay().once().in_sequence(&mut order);
        second.returning(|_| answer(paid()));
    });
    let id = payer.withdraw();
    payer.move_on(id);
    payer.stage.clock.advance(Duration::from_secs(600));
    payer.move_on(id);
    assert_eq!((payer.status(id), payer.sats()), (WithdrawalStatus::Paid, 3_998));
    payer.stage.assert_sound();
}

/// The database is a copy from before the invoice. The invoice is paid after the copy has passed its first checks.
#[test]
fn a_late_payment_to_an_invoice_that_the_database_does_not_know_is_noticed() {
    let is_paid = Arc::new(AtomicBool::new(false));
    let payer = Payer::new(false, |provider, stage| {
        let (created_at, is_paid) = (stage.now().after(HOUR), is_paid.clone());
        provider.expect_received().returning(move |since| {
            let is_listed = created_at >= since && is_paid.load(Ordering::SeqCst);
            answer(Ok(is_listed.then(|| deposit_of_another(created_at)).into_iter().collect()))
        });
    });
    let check = || {
        block_on(payer.wallets.check_solvency(&mut Watch::default())).expect("checked");
        payer.stage.app.withdrawals_pause().expect("readable").is_some()
    };
    for _ in 0..4 {
        payer.stage.clock.advance(HOUR / 2);
        assert!(!check(), "the invoice is not paid yet");
    }
    is_paid.store(true, Ordering::SeqCst);
    assert!(check());
}

/// A paid invoice for a deposit that is not in the database.
fn deposit_of_another(created_at: Timestamp) -> Received {
    Received {
        payment_hash: preimage(7).payment_hash(),
        invoice: "lnbcrt7".to_owned(),
        amount: msat(1_000_000),
        created_at,
        is_deposit: true,
        owner: None,
    }
}
