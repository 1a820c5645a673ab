use bolts_wallet::{Doubt, EndedBy, Evidence, HoldEffect, Preimage, Step, WithdrawalState, WithdrawalStatus};

use crate::support::{HOUR, PATIENCE, held, msat, now, preimage, sats, sending};

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
fn it_is_sent_once_and_then_asked_about() {
    let Step::Send(sending) = held(5_000_000).due(now(), PATIENCE) else { panic!() };
    assert_eq!(sending.trail.unwrap().attempts, 1);
    assert_eq!(sending.clone().due(now(), PATIENCE), Step::Wait, "it is not sent again");
    let at = now().after(PATIENCE);
    let Step::Ask(asked) = sending.due(at, PATIENCE) else { panic!() };
    assert_eq!(asked.trail.unwrap().attempts, 1);
    assert_eq!(asked.due(at, PATIENCE), Step::Wait, "one question at a time");
}

#[test]
fn what_was_never_sent_goes_back_when_its_invoice_expires() {
    let Step::End(ended, effect) = held(5_000_000).due(now().after(HOUR), PATIENCE) else { panic!() };
    assert_eq!(effect, HoldEffect::GiveBack);
    assert!(matches!(ended.state, WithdrawalState::Refunded { by: EndedBy::Clock, .. }));
}

#[test]
fn a_proved_payment_settles() {
    let (ended, effect) = sending(5_000_000, 1).learn(paid(1_500), 1, now()).unwrap();
    assert_eq!(effect, HoldEffect::Settle { fee: sats(2) });
    assert_eq!((ended.fee(), ended.dust()), (Some(sats(2)), 500));
    let without_proof = Evidence::Paid { preimage: None, fee: msat(0) };
    let (_, effect) = sending(5_000_000, 1).learn(without_proof, 1, now()).unwrap();
    assert_eq!(effect, HoldEffect::Settle { fee: sats(0) });
}

#[test]
fn a_user_never_pays_more_than_the_reserve() {
    let (ended, effect) = sending(5_000_000, 1).learn(paid(70_000), 1, now()).unwrap();
    assert_eq!((effect, ended.dust()), (HoldEffect::Settle { fee: sats(50) }, 0));
}

#[test]
fn a_wrong_proof_proves_nothing() {
    let evidence = Evidence::Paid { preimage: Some(Preimage::new([8; 32])), fee: msat(0) };
    assert_eq!(sending(5_000_000, 1).learn(evidence, 1, now()), Err(Doubt::WrongPreimage));
}

#[test]
fn only_what_means_that_nothing_will_be_paid_refunds() {
    let late = now().after(2 * HOUR);
    let refunds = [
        (Evidence::Failed(why()), 1, now()),
        (Evidence::Failed(why()), 3, now()),
        (Evidence::NotSent(why()), 1, now()),
        (Evidence::NotFound { is_proof: true }, 1, late),
    ];
    for (evidence, attempts, at) in refunds {
        let ended = sending(5_000_000, attempts).learn(evidence.clone(), attempts, at);
        assert_eq!(ended.map(|(_, effect)| effect), Ok(HoldEffect::GiveBack), "{evidence:?}");
    }
    let stays = [
        // An earlier attempt may have been sent.
        (Evidence::NotSent(why()), 2, now(), Doubt::Unknown(why())),
        (Evidence::Unknown(why()), 1, late, Doubt::Unknown(why())),
        (Evidence::InFlight, 1, late, Doubt::InFlight),
        (Evidence::NotFound { is_proof: false }, 1, late, Doubt::NotFound),
        (Evidence::NotFound { is_proof: true }, 1, now().after(HOUR), Doubt::NotFound),
    ];
    for (evidence, attempts, at, doubt) in stays {
        assert_eq!(sending(5_000_000, attempts).learn(evidence, attempts, at), Err(doubt));
    }
}

#[test]
fn nothing_is_learned_before_it_is_sent_or_after_it_ended() {
    let (ended, _) = sending(5_000_000, 1).learn(paid(0), 1, now()).unwrap();
    for withdrawal in [held(5_000_000), ended] {
        for evidence in [paid(0), Evidence::Failed(why()), Evidence::NotSent(why())] {
            assert_eq!(
                withdrawal.clone().learn(evidence, withdrawal.attempts(), now()),
                Err(Doubt::NotSending)
            );
        }
    }
}

#[test]
fn only_paid_is_believed_of_an_attempt_that_was_followed_by_another() {
    for evidence in [Evidence::Failed(why()), Evidence::NotSent(why()), Evidence::NotFound { is_proof: true }]
    {
        let late = now().after(2 * HOUR);
        assert_eq!(sending(5_000_000, 2).learn(evidence, 1, late), Err(Doubt::Outdated));
    }
    let (_, effect) = sending(5_000_000, 2).learn(paid(0), 1, now()).unwrap();
    assert_eq!(effect, HoldEffect::Settle { fee: sats(0) });
}

#[test]
fn a_payment_that_was_refunded_and_made_is_told_apart() {
    let (refunded, _) = sending(5_000_000, 1).settle_by_operator(None, now()).unwrap();
    assert_eq!(refunded.clone().learn(paid(0), 1, now()), Err(Doubt::PaidThoughRefunded));
    assert_eq!(refunded.learn(Evidence::Failed(why()), 1, now()), Err(Doubt::NotSending));
}

#[test]
fn a_payment_is_tried_again_only_while_its_invoice_lives() {
    let again = sending(5_000_000, 1).resend(now().after(PATIENCE), PATIENCE).unwrap();
    assert_eq!(again.trail.unwrap().attempts, 2);
    assert_eq!(sending(5_000_000, 1).resend(now().after(HOUR), PATIENCE), None);
    assert_eq!(held(5_000_000).resend(now(), PATIENCE), None);
}

#[test]
fn a_day_in_doubt_alarms() {
    let sending = sending(5_000_000, 1);
    assert!(!sending.is_in_doubt(now().after(23 * HOUR)));
    assert!(sending.is_in_doubt(now().after(24 * HOUR)));
    assert!(!held(5_000_000).is_in_doubt(now().after(48 * HOUR)));
}

#[test]
fn the_operator_settles_what_is_open() {
    let settled = |withdrawal: bolts_wallet::Withdrawal, fee| {
        withdrawal.settle_by_operator(fee, now()).map(|(_, effect)| effect)
    };
    assert_eq!(settled(sending(5_000_000, 1), Some(msat(3_000))), Some(HoldEffect::Settle { fee: sats(3) }));
    assert_eq!(settled(sending(5_000_000, 1), None), Some(HoldEffect::GiveBack));
    assert_eq!(settled(held(5_000_000), None), Some(HoldEffect::GiveBack));
    assert_eq!(settled(held(5_000_000), Some(msat(0))), None, "it was never sent");
    let (ended, _) = sending(5_000_000, 1).learn(paid(0), 1, now()).unwrap();
    assert_eq!((settled(ended.clone(), None), settled(ended, Some(msat(0)))), (None, None));
}
