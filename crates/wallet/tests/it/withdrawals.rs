use std::time::Duration;

use bolts_kernel::Timestamp;
use bolts_wallet::{
    Doubt, EndedBy, Evidence, HoldEffect, Preimage, Step, Unsettled, Verdict, Withdrawal, WithdrawalState,
    WithdrawalStatus,
};

use crate::support::{HOUR, PATIENCE, WAITS, held, msat, now, preimage, sats, sending};

const SECOND: Duration = Duration::from_secs(1);

fn paid(fee: i64) -> Evidence {
    Evidence::Paid { preimage: Some(preimage()), fee: msat(fee) }
}

fn why() -> String {
    "why".to_owned()
}

#[test]
fn amount_and_reserve_are_held_in_whole_sats() {
    let withdrawal = held(5_000_001);
    assert_eq!(
        (withdrawal.amount(), withdrawal.fee_limit, withdrawal.held()),
        (sats(5_001), sats(51), sats(5_052))
    );
    assert_eq!(withdrawal.status(), WithdrawalStatus::Held);
}

#[test]
fn a_withdrawal_is_sent_once_and_then_looked_up() {
    let Step::Send(held) = held(5_000_000).due(now(), PATIENCE) else { panic!() };
    assert_eq!(
        (held.status(), held.attempts()),
        (WithdrawalStatus::Held, 0),
        "the provider knows nothing yet"
    );
    let sending = held.attempt(now(), &WAITS).unwrap();
    assert_eq!(sending.attempts(), 1);
    assert_eq!(sending.clone().due(now(), PATIENCE), Step::Wait, "it is not sent again");
    let at = now().after(PATIENCE);
    let Step::Ask(asked) = sending.due(at, PATIENCE) else { panic!() };
    assert_eq!(asked.attempts(), 1);
    assert_eq!(asked.due(at, PATIENCE), Step::Wait, "one question at a time");
}

#[test]
fn the_waits_between_look_ups_grow_up_to_ten_minutes() {
    let (mut withdrawal, mut at) = (sending(5_000_000, 1), now().after(PATIENCE));
    let mut waits = Vec::new();
    for _ in 0..14 {
        let Step::Ask(asked) = withdrawal.due(at, PATIENCE) else { panic!() };
        let next = asked.next_at().unwrap();
        waits.push(next.since(at).as_millis());
        (withdrawal, at) = (asked, next);
    }
    assert_eq!(waits[..4], [22_500, 33_750, 50_625, 75_937]);
    assert!(waits.is_sorted());
    assert_eq!(waits[9..], [600_000; 5]);
}

#[test]
fn times_of_a_wrong_clock_put_off_neither_the_look_up_nor_the_operator() {
    let ahead = now().after(365 * 24 * HOUR);
    let mut held = held(5_000_000);
    held.outgoing.expires_at = ahead.after(HOUR);
    let sent = held.attempt(ahead, &WAITS).unwrap();
    let Step::Ask(asked) = sent.due(now(), PATIENCE) else { panic!() };
    assert_eq!(asked.call_until(now()), Some(now().after(PATIENCE)), "the call may have begun just now");
    assert_eq!(asked.clone().due(now(), PATIENCE), Step::Wait);
    let later = now().after(HOUR);
    assert!(asked.is_in_doubt(later));
    assert_eq!(asked.may_be_settled(Verdict::Refunded, later, &WAITS), Ok(()));
}

#[test]
fn only_a_held_withdrawal_is_sent_and_only_before_its_invoice_expires() {
    let last = Timestamp::from_micros(now().after(HOUR).micros() - 1).unwrap();
    assert!(held(5_000_000).attempt(last, &WAITS).is_some());
    assert_eq!(held(5_000_000).attempt(now().after(HOUR), &WAITS), None);
    assert_eq!(sending(5_000_000, 1).attempt(now(), &WAITS), None);
}

#[test]
fn a_payment_in_the_providers_list_settles_an_open_withdrawal() {
    let foreign = Preimage::new([8; 32]);
    for open in [held(5_000_000), sending(5_000_000, 1)] {
        for (named, kept) in [(Some(preimage()), Some(preimage())), (Some(foreign), None), (None, None)] {
            let (ended, effect) = open.clone().found_paid(msat(1_500), named, now()).unwrap();
            assert_eq!(effect, HoldEffect::Settle { fee: sats(2) });
            let state =
                WithdrawalState::Paid { fee: msat(1_500), preimage: kept, at: now(), by: EndedBy::Provider };
            assert_eq!((ended.attempts(), &ended.state), (1, &state));
            assert_eq!(ended.found_paid(msat(1_500), named, now()), None, "it has ended");
        }
    }
}

#[test]
fn an_unsent_withdrawal_is_refunded_when_its_invoice_expires() {
    let Step::End(ended, effect) = held(5_000_000).due(now().after(HOUR), PATIENCE) else { panic!() };
    assert_eq!(effect, HoldEffect::GiveBack);
    assert!(matches!(ended.state, WithdrawalState::Refunded { by: EndedBy::Clock, .. }));
}

#[test]
fn a_proved_payment_settles() {
    let (ended, effect) = sending(5_000_000, 1).apply_evidence(paid(1_500), 1, now()).unwrap();
    assert_eq!(effect, HoldEffect::Settle { fee: sats(2) });
    assert_eq!((ended.fee(), ended.dust()), (Some(sats(2)), 500));
    let without_proof = Evidence::Paid { preimage: None, fee: msat(0) };
    let (_, effect) = sending(5_000_000, 1).apply_evidence(without_proof, 1, now()).unwrap();
    assert_eq!(effect, HoldEffect::Settle { fee: sats(0) });
}

#[test]
fn a_user_never_pays_more_than_the_reserve() {
    let (ended, effect) = sending(5_000_000, 1).apply_evidence(paid(70_000), 1, now()).unwrap();
    assert_eq!((effect, ended.dust()), (HoldEffect::Settle { fee: sats(50) }, 0));
}

#[test]
fn a_preimage_of_another_payment_proves_nothing() {
    let evidence = Evidence::Paid { preimage: Some(Preimage::new([8; 32])), fee: msat(0) };
    assert_eq!(sending(5_000_000, 1).apply_evidence(evidence, 1, now()), Err(Doubt::WrongPreimage));
}

#[test]
fn only_a_proof_that_nothing_will_be_paid_refunds() {
    let late = now().after(2 * HOUR);
    let refunds = [
        (Evidence::Failed(why()), 1, now()),
        (Evidence::Failed(why()), 3, now()),
        (Evidence::NotSent(why()), 1, now()),
        (Evidence::NotFound { is_proof: true }, 1, late),
    ];
    for (evidence, attempts, at) in refunds {
        let ended = sending(5_000_000, attempts).apply_evidence(evidence.clone(), attempts, at);
        assert_eq!(ended.map(|(_, effect)| effect), Ok(HoldEffect::GiveBack), "{evidence:?}");
    }
    let stays = [
        // An earlier attempt may have been sent, so the withdrawal is not refunded.
        (Evidence::NotSent(why()), 2, now(), Doubt::Unknown(why())),
        (Evidence::NoAnswer(why()), 1, late, Doubt::Unknown(why())),
        (Evidence::Unknown(why()), 1, late, Doubt::Unknown(why())),
        (Evidence::InFlight, 1, late, Doubt::InFlight),
        (Evidence::NotFound { is_proof: false }, 1, late, Doubt::NotFound),
        (Evidence::NotFound { is_proof: true }, 1, now().after(HOUR), Doubt::NotFound),
    ];
    for (evidence, attempts, at, doubt) in stays {
        assert_eq!(sending(5_000_000, attempts).apply_evidence(evidence, attempts, at), Err(doubt));
    }
}

#[test]
fn answers_before_sending_or_after_the_end_change_nothing() {
    let (ended, _) = sending(5_000_000, 1).apply_evidence(paid(0), 1, now()).unwrap();
    for withdrawal in [held(5_000_000), ended] {
        for evidence in [paid(0), Evidence::Failed(why()), Evidence::NotSent(why())] {
            assert_eq!(
                withdrawal.clone().apply_evidence(evidence, withdrawal.attempts(), now()),
                Err(Doubt::NotSending)
            );
        }
    }
}

#[test]
fn after_another_attempt_only_paid_is_a_proof() {
    for evidence in [Evidence::Failed(why()), Evidence::NotSent(why()), Evidence::NotFound { is_proof: true }]
    {
        let late = now().after(2 * HOUR);
        assert_eq!(sending(5_000_000, 2).apply_evidence(evidence, 1, late), Err(Doubt::Outdated));
    }
    let (_, effect) = sending(5_000_000, 2).apply_evidence(paid(0), 1, now()).unwrap();
    assert_eq!(effect, HoldEffect::Settle { fee: sats(0) });
}

#[test]
fn a_payment_after_its_refund_is_reported() {
    let told = (&Evidence::NotFound { is_proof: false }, false);
    let (refunded, _) =
        answered().settle_by_operator(Verdict::Refunded, told, now().after(PATIENCE), &WAITS).unwrap();
    assert_eq!(refunded.clone().apply_evidence(paid(0), 1, now()), Err(Doubt::PaidThoughRefunded));
    assert_eq!(refunded.apply_evidence(Evidence::Failed(why()), 1, now()), Err(Doubt::NotSending));
}

#[test]
fn a_payment_is_sent_again_only_before_its_invoice_expires_and_no_call_is_under_way() {
    let at = now().after(PATIENCE);
    let again = answered().resend(at, &WAITS).unwrap();
    assert_eq!(again.attempts(), 2);
    assert_eq!(answered().resend(now().after(HOUR), &WAITS), None);
    assert_eq!(held(5_000_000).resend(now(), &WAITS), None);
    let lease_end = sending(5_000_000, 1).call_until(now()).unwrap();
    assert_eq!(sending(5_000_000, 1).resend(lease_end.before(SECOND), &WAITS), None);
    assert!(sending(5_000_000, 1).resend(lease_end, &WAITS).is_some());
}

#[test]
fn an_hour_in_doubt_alarms() {
    let sending = sending(5_000_000, 1);
    assert!(!sending.is_in_doubt(now().after(HOUR).before(SECOND)));
    assert!(sending.is_in_doubt(now().after(HOUR)));
    assert!(!held(5_000_000).is_in_doubt(now().after(48 * HOUR)));
}

/// A withdrawal in the state `sending`. Its call to the provider has ended without a clear answer.
fn answered() -> Withdrawal {
    sending(5_000_000, 1).heard(&Evidence::Unknown(why()), true, now())
}

fn settle(
    withdrawal: Withdrawal,
    verdict: Verdict,
    said: (&Evidence, bool),
) -> Result<HoldEffect, Unsettled> {
    withdrawal.settle_by_operator(verdict, said, now().after(PATIENCE), &WAITS).map(|(_, effect)| effect)
}

#[test]
fn the_operator_settles_what_the_provider_cannot_tell_of() {
    let (called_paid, forgotten) = (Verdict::Paid(msat(3_000)), Evidence::NotFound { is_proof: false });
    let gone = (&forgotten, false);
    assert_eq!(settle(answered(), Verdict::Refunded, gone), Ok(HoldEffect::GiveBack));
    assert_eq!(settle(held(5_000_000), Verdict::Refunded, gone), Ok(HoldEffect::GiveBack));
    let never_sent = settle(held(5_000_000), called_paid, (&forgotten, true));
    assert_eq!(never_sent, Err(Unsettled::NotOpen("held")));
    let (ended, _) = answered().apply_evidence(paid(0), 1, now()).unwrap();
    for verdict in [Verdict::Refunded, called_paid] {
        assert_eq!(settle(ended.clone(), verdict, gone), Err(Unsettled::NotOpen("paid")));
    }
}

/// In a restored copy of the database, a withdrawal that was paid shows as never sent.
#[test]
fn what_was_never_sent_here_is_refunded_only_if_the_provider_does_not_know_it() {
    let refund = |said: &Evidence, is_despite| settle(held(5_000_000), Verdict::Refunded, (said, is_despite));
    for known in [paid(1_000), Evidence::InFlight] {
        let refused = Err(Unsettled::NeverSentHere(known.to_string()));
        assert_eq!([refund(&known, false), refund(&known, true)], [refused.clone(), refused]);
    }
    assert_eq!(refund(&Evidence::Failed(why()), false), Ok(HoldEffect::GiveBack));
    let unclear = Evidence::Unknown(why());
    assert_eq!(refund(&unclear, false), Err(Unsettled::Contradicted(unclear.to_string())));
    assert_eq!(refund(&unclear, true), Ok(HoldEffect::GiveBack));
}

#[test]
fn no_word_of_the_operator_overrides_a_call_that_may_be_under_way() {
    let sending = sending(5_000_000, 1);
    let until = sending.call_until(now()).unwrap();
    let said = Evidence::Unknown(why());
    for verdict in [Verdict::Refunded, Verdict::Paid(msat(0))] {
        let at = until.before(SECOND);
        let refused = sending.clone().settle_by_operator(verdict, (&said, true), at, &WAITS);
        assert_eq!(refused.unwrap_err(), Unsettled::CallUnderWay(until));
        // The call has ended, but the provider still has time to answer.
        let refused = answered().settle_by_operator(verdict, (&said, true), now(), &WAITS);
        assert_eq!(refused.unwrap_err(), Unsettled::TooEarly(now().after(PATIENCE)));
    }
    // If the process that made the call has stopped, the operator can settle the withdrawal after the end of
    // the lease.
    let at = until.after(PATIENCE);
    let settled = sending.settle_by_operator(Verdict::Refunded, (&said, true), at, &WAITS);
    assert_eq!(settled.unwrap().1, HoldEffect::GiveBack);
}

#[test]
fn what_the_provider_says_stands_unless_the_operator_says_why_not() {
    let open = [Evidence::InFlight, Evidence::Unknown(why())];
    for said in &open {
        for verdict in [Verdict::Refunded, Verdict::Paid(msat(0))] {
            let words = said.to_string();
            assert_eq!(settle(answered(), verdict, (said, false)), Err(Unsettled::Contradicted(words)));
            assert!(settle(answered(), verdict, (said, true)).is_ok());
        }
    }
    let forgotten = Evidence::NotFound { is_proof: true };
    let called_paid = Verdict::Paid(msat(0));
    assert!(matches!(settle(answered(), called_paid, (&forgotten, false)), Err(Unsettled::Contradicted(_))));
    // A proof of the provider overrides the operator.
    let refused = settle(answered(), Verdict::Refunded, (&paid(1_000), true));
    assert_eq!(refused, Err(Unsettled::Proved(paid(1_000).to_string())));
    let failed = Evidence::Failed(why());
    assert_eq!(settle(answered(), called_paid, (&failed, true)), Err(Unsettled::Proved(failed.to_string())));
    // If the operator and the provider declare the same result, the provider's fee counts.
    let settled = settle(answered(), Verdict::Paid(msat(9_000)), (&paid(1_000), false));
    assert_eq!(settled, Ok(HoldEffect::Settle { fee: sats(1) }));
    assert_eq!(settle(answered(), Verdict::Refunded, (&failed, false)), Ok(HoldEffect::GiveBack));
}

#[test]
fn what_was_never_sent_goes_back_on_what_came_before() {
    let (ended, effect) = held(5_000_000).not_sent(why(), now()).unwrap();
    assert_eq!((ended.status(), effect), (WithdrawalStatus::Refunded, HoldEffect::GiveBack));
    assert_eq!(sending(5_000_000, 1).not_sent(why(), now()), None, "the provider may have been told");
}

#[test]
fn the_last_word_is_kept() {
    let heard = sending(5_000_000, 1).heard(&Evidence::InFlight, false, now());
    let trail = heard.trail.clone().unwrap();
    assert_eq!(trail.word.unwrap().text, "it is on its way");
    assert!(heard.call_until(now()).is_some(), "the answer to a question does not end the call");
    assert_eq!(answered().call_until(now()), None);
}
