//! Tests of the evidence in an answer, for every provider, every call and every fault.

use std::sync::Arc;

use bolts_ports::{InvoiceState, Lightning, Reference};
use bolts_testkit::provider::{Call, Fault, Kind, Provider, Wanted};
use bolts_wallet::{Evidence, Millisats};

use crate::harness::{adapter, asking, impatient_adapter, payment, reference, run, sats};

/// The evidence of an answer, without its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proof {
    Paid,
    PaidWithAnotherPreimage,
    NotSent,
    Failed,
    InFlight,
    NotFound(bool),
    Unknown,
}

fn proof(evidence: &Evidence, reference: &Reference) -> Proof {
    match evidence {
        Evidence::Paid { preimage, .. } => match preimage {
            Some(preimage) if preimage.payment_hash() != reference.payment_hash => {
                Proof::PaidWithAnotherPreimage
            }
            Some(_) | None => Proof::Paid,
        },
        Evidence::NotSent(_) => Proof::NotSent,
        Evidence::Failed(_) => Proof::Failed,
        Evidence::InFlight => Proof::InFlight,
        Evidence::NotFound { is_proof } => Proof::NotFound(*is_proof),
        Evidence::NoAnswer(_) | Evidence::Unknown(_) => Proof::Unknown,
    }
}

/// Whether the right answer still arrives despite this fault.
const fn is_harmless(fault: Fault) -> bool {
    matches!(fault, Fault::Slow(_))
}

/// The adapter for a call with this fault. It waits long for an answer, unless the fault is that none comes.
fn adapter_facing(fault: Fault, provider: &Provider) -> Arc<dyn Lightning> {
    if matches!(fault, Fault::TimeOutBefore | Fault::TimeOutAfter) {
        impatient_adapter(provider)
    } else {
        adapter(provider)
    }
}

#[test]
fn every_fault_on_a_payment() {
    for kind in Kind::ALL {
        for fault in Fault::ALL {
            let provider = Provider::start(kind);
            let made = provider.invoice(&Wanted::sats(900));
            provider.fail_once(Call::Pay, fault);
            let evidence = run(adapter_facing(fault, &provider).pay(payment(&made)));
            let expected = match (fault, is_harmless(fault)) {
                (Fault::WrongPreimage, _) => Proof::PaidWithAnotherPreimage,
                (_, true) => Proof::Paid,
                // LND's last update is a separate line before the excessive data.
                (Fault::HugeBody, false) if kind == Kind::Lnd => Proof::Paid,
                (_, false) => Proof::Unknown,
            };
            assert_eq!(proof(&evidence, &reference(&made)), expected, "{kind:?} {fault:?}: {evidence:?}");
            let was_sent = !matches!(
                fault,
                Fault::TimeOutBefore | Fault::CloseBefore | Fault::ErrorBefore | Fault::Redirect
            );
            let times = provider.books(|books| books.times_paid(&made.payment_hash));
            assert_eq!(times, u32::from(was_sent), "{kind:?} {fault:?}: one call is one payment at most");
            assert_eq!(provider.calls(Call::Pay), 1, "{kind:?} {fault:?}: nothing is tried again");
        }
    }
}

#[test]
fn every_fault_on_the_fee_reserve() {
    for fault in Fault::ALL {
        let provider = Provider::start(Kind::Lnbits);
        let made = provider.invoice(&Wanted::sats(900));
        provider.fail_once(Call::FeeReserve, fault);
        let asked = run(adapter_facing(fault, &provider).before_paying(payment(&made)));
        // The answer about the fee reserve contains no hash, amount or preimage that could be wrong.
        let gets_through = is_harmless(fault)
            || matches!(
                fault,
                Fault::WrongHash | Fault::WrongAmount | Fault::WrongPreimage | Fault::Forgotten
            );
        assert_eq!(asked.is_ok(), gets_through, "{fault:?}: {asked:?}");
        assert_eq!(provider.calls(Call::Pay), 0, "{fault:?}: nothing is sent");
    }
}

#[test]
fn every_fault_on_looking_up_a_payment() {
    for kind in Kind::ALL {
        for fault in Fault::ALL {
            let provider = Provider::start(kind);
            let made = provider.invoice(&Wanted::sats(900));
            run(adapter(&provider).pay(payment(&made)));
            provider.fail_once(Call::LookUpPayment, fault);
            let evidence = run(adapter_facing(fault, &provider).look_up_payment(reference(&made)));
            let expected = match (fault, kind) {
                (Fault::WrongPreimage, _) => Proof::PaidWithAnotherPreimage,
                (Fault::Forgotten, kind) => Proof::NotFound(kind == Kind::Lnd),
                // LND's first update decides, and it comes before the excessive data.
                (Fault::HugeBody, Kind::Lnd) => Proof::Paid,
                (fault, _) if is_harmless(fault) => Proof::Paid,
                _ => Proof::Unknown,
            };
            assert_eq!(proof(&evidence, &reference(&made)), expected, "{kind:?} {fault:?}: {evidence:?}");
        }
    }
}

#[test]
fn every_fault_on_creating_an_invoice() {
    for kind in Kind::ALL {
        for fault in Fault::ALL {
            let provider = Provider::start(kind);
            let adapter = adapter_facing(fault, &provider);
            provider.fail_once(Call::CreateInvoice, fault);
            let made = run(adapter.create_invoice(asking(900)));
            let is_whole = is_harmless(fault)
                || matches!(
                    fault,
                    Fault::WrongHash | Fault::WrongAmount | Fault::WrongPreimage | Fault::Forgotten
                );
            assert_eq!(made.is_ok(), is_whole, "{kind:?} {fault:?}: {made:?}");
            // The use case, and not the adapter, compares the invoice with the request.
            let Ok(made) = made else { continue };
            let decoded = adapter.decode(&made.invoice).unwrap();
            let has_right_amount = decoded.amount == Some(Millisats::from_sats(sats(900)));
            assert_eq!(has_right_amount, fault != Fault::WrongAmount, "{kind:?} {fault:?}");
            assert_eq!(
                decoded.payment_hash == made.payment_hash,
                fault != Fault::WrongHash,
                "{kind:?} {fault:?}"
            );
        }
    }
}

#[test]
fn every_fault_on_looking_up_an_invoice() {
    for kind in Kind::ALL {
        for fault in Fault::ALL {
            let provider = Provider::start(kind);
            let adapter = adapter(&provider);
            let made = run(adapter.create_invoice(asking(900))).unwrap();
            let reference = Reference { payment_hash: made.payment_hash, invoice: made.invoice };
            assert_eq!(run(adapter.look_up_invoice(reference.clone())), Ok(InvoiceState::Unpaid), "{kind:?}");
            provider.receive(&made.payment_hash.to_string(), 900_000);
            provider.fail_once(Call::LookUpInvoice, fault);
            let state = run(adapter_facing(fault, &provider).look_up_invoice(reference));
            match (fault, is_harmless(fault)) {
                // The adapter reports the received amount that the provider names, not the amount of the invoice.
                (Fault::WrongAmount, _) => {
                    assert_eq!(state, Ok(InvoiceState::Paid(Millisats::new(450_000).unwrap())), "{kind:?}");
                }
                (Fault::WrongPreimage, _) | (_, true) => {
                    let paid = Millisats::from_sats(sats(900));
                    assert_eq!(state, Ok(InvoiceState::Paid(paid)), "{kind:?} {fault:?}");
                }
                (_, false) => assert!(state.is_err(), "{kind:?} {fault:?}: {state:?}"),
            }
        }
    }
}

#[test]
fn every_fault_on_the_balance() {
    for kind in Kind::ALL {
        for fault in Fault::ALL {
            let provider = Provider::start(kind);
            provider.fail_once(Call::Balance, fault);
            let balance = run(adapter_facing(fault, &provider).balance());
            let is_whole = is_harmless(fault)
                || matches!(
                    fault,
                    Fault::WrongHash | Fault::WrongAmount | Fault::WrongPreimage | Fault::Forgotten
                );
            assert_eq!(balance.is_ok(), is_whole, "{kind:?} {fault:?}: {balance:?}");
            if let Ok(balance) = balance {
                assert_eq!(balance, Millisats::from_sats(sats(100_000_000)));
            }
        }
    }
}

#[test]
fn an_unreachable_provider_proves_that_nothing_was_sent() {
    for kind in Kind::ALL {
        let provider = Provider::start(kind);
        let adapter = adapter(&provider);
        let made = provider.invoice(&Wanted::sats(100));
        drop(provider);
        let (payment, reference) = (payment(&made), reference(&made));
        assert_eq!(proof(&run(adapter.pay(payment)), &reference), Proof::NotSent, "{kind:?}");
        assert_eq!(proof(&run(adapter.look_up_payment(reference.clone())), &reference), Proof::Unknown);
        assert!(run(adapter.look_up_invoice(reference)).is_err());
        assert!(run(adapter.create_invoice(asking(100))).is_err());
        assert!(run(adapter.balance()).is_err());
    }
}
