//! Tests of the provider's lists, the identity of the wallet or node, and the rights of its keys.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bolts_kernel::Timestamp;
use bolts_lightning::{Lnbits, LnbitsOptions};
use bolts_ports::{Lightning as _, Reference, Unclear};
use bolts_testkit::provider::{
    ADMIN_KEY, Call, Fate, Fault, INVOICE_KEY, Kind, Provider, Reply, Request, Server, Wanted,
};
use bolts_wallet::Millisats;
use serde_json::{Value, json};

use crate::harness::{
    adapter, asking, impatient_adapter, lnbits_options, payment, real_now, reference, run, user,
};

/// A time one day before the tests create any record.
fn long_ago() -> Timestamp {
    real_now().before(Duration::from_secs(86_400))
}

#[test]
fn what_was_paid_in_is_listed_with_its_owner() {
    for kind in Kind::ALL {
        let provider = Provider::start(kind);
        let adapter = adapter(&provider);
        let made = [100, 200, 300].map(|sats| run(adapter.create_invoice(asking(sats))).unwrap());
        provider.receive(&made[0].payment_hash.to_string(), 100_000);
        provider.receive(&made[2].payment_hash.to_string(), 301_500);

        let mut listed = run(adapter.received(long_ago())).unwrap();
        listed.sort_by_key(|received| received.amount);
        let amounts: Vec<i64> = listed.iter().map(|received| received.amount.get()).collect();
        assert_eq!(amounts, [100_000, 301_500], "{kind:?}");
        let hashes = [listed[0].payment_hash, listed[1].payment_hash];
        assert_eq!(hashes, [made[0].payment_hash, made[2].payment_hash], "{kind:?}");
        assert_eq!(listed[0].invoice, made[0].invoice);
        let owner = listed[0].owner.expect("the record says whose it is");
        assert_eq!((owner.id, owner.user), (asking(1).owner.id, user()), "{kind:?}");
        assert!(listed.iter().all(|received| received.is_deposit));
        // Records from before the requested time are left out.
        let second = made[2].payment_hash.to_string();
        let earlier = bolts_testkit::provider::now() - Duration::from_secs(7_200);
        provider.books(|books| books.times.insert(second, earlier));
        assert_eq!(run(adapter.received(real_now().before(Duration::from_secs(3_600)))).unwrap().len(), 1);
    }
}

#[test]
fn what_was_paid_out_and_is_on_its_way_is_listed() {
    for kind in Kind::ALL {
        let provider = Provider::start(kind);
        let adapter = adapter(&provider);
        let [paid, held, failed] = [600, 900, 1_000].map(|sats| provider.invoice(&Wanted::sats(sats)));
        provider.books(|books| {
            books.fates.insert(held.payment_hash.clone(), Fate::IsHeld);
            books.fates.insert(failed.payment_hash.clone(), Fate::Fails);
        });
        run(adapter.pay(payment(&paid)));
        // For a held payment, LND's stream gives no result.
        run(impatient_adapter(&provider).pay(payment(&held)));
        run(adapter.pay(payment(&failed)));

        let mut listed = run(adapter.sent(long_ago())).unwrap();
        listed.sort_by_key(|sent| sent.amount);
        let shown: Vec<_> = listed.iter().map(|sent| (sent.amount.get(), sent.is_paid)).collect();
        assert_eq!(shown, [(600_000, true), (900_000, false)], "{kind:?}");
        let first = &listed[0];
        assert_eq!((first.payment_hash.to_string(), &first.invoice), (paid.payment_hash, &paid.text));
        assert_eq!(first.fee.get(), 1_000, "{kind:?}");
        assert_eq!(first.preimage.map(|preimage| preimage.to_string()), Some(paid.preimage), "{kind:?}");
        assert_eq!(listed[1].preimage, None);
        // LND does not store the owner of a payment.
        assert_eq!(first.owner.map(|owner| owner.user), (kind == Kind::Lnbits).then(user), "{kind:?}");
    }
}

/// A payment in flight reduces the balance by its amount and its reserve. The answer names only payments of the
/// request.
#[test]
fn what_payments_on_their_way_withhold_is_named() {
    for kind in Kind::ALL {
        let provider = Provider::start(kind);
        let adapter = adapter(&provider);
        let [paid, held, failed, other] =
            [600, 900, 1_000, 700].map(|sats| provider.invoice(&Wanted::sats(sats)));
        provider.books(|books| {
            books.fates.extend([&held, &other].map(|made| (made.payment_hash.clone(), Fate::IsHeld)));
            books.fates.insert(failed.payment_hash.clone(), Fate::Fails);
        });
        for made in [&paid, &failed] {
            run(adapter.pay(payment(made)));
        }
        // For a held payment, LND's stream gives no result.
        let impatient = impatient_adapter(&provider);
        run(impatient.pay(payment(&other)));
        let before = run(adapter.balance()).unwrap();
        run(impatient.pay(payment(&held)));
        let taken = before.get() - run(adapter.balance()).unwrap().get();

        let asked = || [&paid, &held, &failed].map(reference).to_vec();
        let named: Vec<_> = run(adapter.withheld(asked())).unwrap().into_iter().collect();
        assert_eq!(taken, 901_000);
        assert_eq!(named, [(reference(&held).payment_hash, Millisats::new(taken).unwrap())], "{kind:?}");
        for call in [Call::List, Call::LookUpPayment] {
            provider.fail(call, Fault::ErrorBefore);
        }
        assert!(run(adapter.withheld(asked())).is_err(), "{kind:?}");
        assert_eq!(run(adapter.withheld(Vec::new())).map(|found| found.len()), Ok(0), "{kind:?}");
    }
}

#[test]
fn a_long_list_is_read_to_its_end() {
    for kind in Kind::ALL {
        let provider = Provider::start(kind);
        let adapter = adapter(&provider);
        for _ in 0..230 {
            let made = run(adapter.create_invoice(asking(100))).unwrap();
            provider.receive(&made.payment_hash.to_string(), 100_000);
        }
        assert_eq!(run(adapter.received(long_ago())).unwrap().len(), 230, "{kind:?}");
        // The adapter reads only the pages that it needs: here, the first page.
        let asked = provider.calls(Call::List);
        assert_eq!(run(adapter.received(real_now().after(Duration::from_secs(60)))).unwrap(), [], "{kind:?}");
        assert_eq!(provider.calls(Call::List), asked + 1, "{kind:?}");
    }
}

/// A page of a list of payments with these numbers, latest first.
fn page(request: &Request, numbers: std::ops::Range<usize>) -> Reply {
    let asked = |name: &str| -> usize {
        let mut pairs = request.query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.find(|(known, _)| *known == name).and_then(|(_, value)| value.parse().ok()).unwrap_or(0)
    };
    let record = |number: usize| {
        json!({
            "payment_hash": hash(number), "bolt11": "", "amount": -100_000, "status": "success",
            "time": "2026-11-20T21:00:00",
        })
    };
    let listed: Vec<Value> = numbers.map(record).skip(asked("offset")).take(asked("limit")).collect();
    Reply::json(200, &json!(listed))
}

fn hash(number: usize) -> String {
    format!("{number:064x}")
}

/// Payments that fail leave the list of LNbits, and the records after them move up.
#[test]
fn records_that_leave_the_list_of_lnbits_between_two_pages_hide_no_others() {
    for gone in [1, 50] {
        let asked = AtomicUsize::new(0);
        let server = Server::start(None, move |request| {
            let first = if asked.fetch_add(1, Ordering::SeqCst) == 0 { 0 } else { gone };
            page(request, first..230)
        });
        let adapter = Lnbits::new(&lnbits_options(&server.url())).unwrap();
        let since = Timestamp::parse("2026-11-20T20:00:00Z").unwrap();
        let sent = run(adapter.sent(since)).unwrap();
        let listed: BTreeSet<String> = sent.iter().map(|sent| sent.payment_hash.to_string()).collect();
        assert!((gone..230).all(|number| listed.contains(&hash(number))), "{gone}: {}", listed.len());
    }
}

#[test]
fn a_list_of_lnbits_that_never_stays_the_same_is_no_list() {
    let asked = AtomicUsize::new(0);
    let server = Server::start(None, move |request| {
        let first = 1_000 * asked.fetch_add(1, Ordering::SeqCst);
        page(request, first..first + 500)
    });
    let adapter = Lnbits::new(&lnbits_options(&server.url())).unwrap();
    let since = Timestamp::parse("2026-11-20T20:00:00Z").unwrap();
    assert!(matches!(run(adapter.sent(since)), Err(Unclear(why)) if why.contains("changed")));
}

/// A server that ignores the filter lists unpaid invoices too. The adapter must not report them as paid.
#[test]
fn an_unpaid_invoice_in_the_list_of_lnbits_is_not_received() {
    let records = ["pending", "failed", "success"].map(|status| {
        let made = bolts_testkit::provider::make(&Wanted::sats(100));
        json!({
            "payment_hash": made.payment_hash, "bolt11": made.text, "amount": 100_000, "status": status,
            "time": "2026-11-20T21:00:00",
        })
    });
    let paid = records[2]["payment_hash"].as_str().unwrap().to_owned();
    let server = Server::start(None, move |_| Reply::json(200, &json!(records)));
    let adapter = Lnbits::new(&lnbits_options(&server.url())).unwrap();
    let since = Timestamp::parse("2026-11-20T20:00:00Z").unwrap();
    let hashes = run(adapter.received(since)).unwrap().into_iter().map(|received| received.payment_hash);
    assert_eq!(hashes.map(|hash| hash.to_string()).collect::<Vec<_>>(), [paid]);
}

#[test]
fn paid_invoices_are_found_among_those_that_are_asked_about() {
    for kind in Kind::ALL {
        let provider = Provider::start(kind);
        let adapter = adapter(&provider);
        let made = [100, 200, 300].map(|sats| run(adapter.create_invoice(asking(sats))).unwrap());
        provider.receive(&made[0].payment_hash.to_string(), 100_000);
        provider.receive(&made[1].payment_hash.to_string(), 150_999);
        let asked = [&made[1], &made[2]]
            .map(|made| Reference { payment_hash: made.payment_hash, invoice: made.invoice.clone() });
        let paid = run(adapter.paid_among(asked.to_vec(), long_ago())).unwrap();
        let paid: Vec<_> = paid.into_iter().map(|(hash, amount)| (hash, amount.get())).collect();
        assert_eq!(paid, [(made[1].payment_hash, 150_999)], "{kind:?}");
        assert_eq!((provider.calls(Call::List), provider.calls(Call::LookUpInvoice)), (1, 0), "{kind:?}");
    }
}

#[test]
fn an_unclear_list_is_no_list() {
    for kind in Kind::ALL {
        let provider = Provider::start(kind);
        let adapter = adapter(&provider);
        for fault in [Fault::ErrorBefore, Fault::CloseAfter, Fault::CutBody, Fault::Garbage, Fault::Redirect]
        {
            provider.fail(Call::List, fault);
            assert!(run(adapter.received(long_ago())).is_err(), "{kind:?} {fault:?}");
            assert!(run(adapter.sent(long_ago())).is_err(), "{kind:?} {fault:?}");
            provider.heal();
        }
    }
}

#[test]
fn it_says_which_one_it_is() {
    for kind in Kind::ALL {
        let provider = Provider::start(kind);
        let adapter = adapter(&provider);
        let first = run(adapter.identity()).unwrap();
        assert_eq!(run(adapter.identity()).unwrap(), first);
        provider.books(|books| books.identity = "04".repeat(32));
        assert_ne!(run(adapter.identity()).unwrap(), first, "{kind:?}");
        assert_eq!(run(adapter.missing_right()), Ok(None), "{kind:?}");
        provider.fail(Call::Introduce, Fault::ErrorBefore);
        assert!(run(adapter.identity()).is_err() && run(adapter.missing_right()).is_err(), "{kind:?}");
        assert_eq!(provider.calls(Call::Pay), 0);
    }
}

#[test]
fn a_macaroon_that_may_not_pay_is_found_out_without_paying() {
    let provider = Provider::start(Kind::Lnd);
    provider.books(|books| books.may_pay = false);
    let lacking = run(adapter(&provider).missing_right()).unwrap();
    assert!(lacking.as_deref().is_some_and(|words| words.contains("offchain:write")), "{lacking:?}");
    assert!(provider.books(|books| books.paid.is_empty() && books.payments.is_empty()));
}

#[test]
fn the_wrong_key_in_the_wrong_place_is_found_out() {
    let provider = Provider::start(Kind::Lnbits);
    let lacking = |admin_key: &str, invoice_key: &str| {
        let options = LnbitsOptions {
            admin_key: admin_key.to_owned(),
            invoice_key: Some(invoice_key.to_owned()),
            ..lnbits_options(&provider.url())
        };
        run(Lnbits::new(&options).unwrap().missing_right()).unwrap()
    };
    assert_eq!(lacking(ADMIN_KEY, INVOICE_KEY), None);
    assert_eq!(lacking(ADMIN_KEY, ADMIN_KEY), None);
    let unknown = "ab".repeat(16);
    for (admin, invoice, words) in [
        (INVOICE_KEY, INVOICE_KEY, "is an invoice key"),
        (INVOICE_KEY, ADMIN_KEY, "is an invoice key"),
        (unknown.as_str(), INVOICE_KEY, "the admin key"),
        (ADMIN_KEY, unknown.as_str(), "the invoice key"),
    ] {
        let said = lacking(admin, invoice);
        assert!(said.as_deref().is_some_and(|said| said.contains(words)), "{words}: {said:?}");
    }
}

/// Both keys work, but they belong to two wallets. So the admin key never sees the invoices of the invoice key.
#[test]
fn keys_of_two_wallets_are_found_out() {
    let server = Server::start(None, |request| {
        let is_admin = request.header("x-api-key") == Some(ADMIN_KEY);
        let made = bolts_testkit::provider::make(&Wanted::sats(100));
        let record = json!({
            "payment_hash": made.payment_hash, "bolt11": made.text, "amount": 100_000, "status": "success",
            "time": "2026-11-20T21:00:00", "wallet_id": if is_admin { "one" } else { "two" },
        });
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/api/v1/wallet") if is_admin => Reply::json(200, &json!({"balance": 0, "id": "one"})),
            ("GET", "/api/v1/wallet") => Reply::json(200, &json!({"balance": 0})),
            ("GET", _) => Reply::json(200, &json!([record])),
            _ => Reply::json(201, &record),
        }
    });
    let adapter = Lnbits::new(&lnbits_options(&server.url())).unwrap();
    let said = run(adapter.missing_right()).unwrap();
    assert!(said.as_deref().is_some_and(|said| said.contains("of two wallets")), "{said:?}");
    // If the invoice key's wallet has no payments yet, its first invoice shows the mistake.
    run(adapter.identity()).unwrap();
    let Err(Unclear(why)) = run(adapter.create_invoice(asking(100))) else { panic!("it is shown to nobody") };
    assert!(why.contains("another wallet"), "{why}");
}
