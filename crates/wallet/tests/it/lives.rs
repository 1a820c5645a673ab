//! A property test: random sequences of the provider's answers about a withdrawal. The withdrawal ends at most
//! once, and it is never refunded while it may have been paid.

use bolts_kernel::Timestamp;
use bolts_wallet::{Evidence, HoldEffect, Preimage, Step, Withdrawal};
use proptest::prelude::*;

use crate::support::{PATIENCE, WAITS, held, msat, now, preimage};

#[derive(Clone, Debug)]
enum Event {
    Wait(u64),
    Due,
    Resend,
    /// An answer of the provider, and the number of attempts to pay since its look-up.
    Learn(Answer, u32),
}

#[derive(Clone, Copy, Debug)]
enum Answer {
    Paid,
    WrongPreimage,
    NotSent,
    InFlight,
    NotFound(bool),
    Unknown,
}

impl Answer {
    fn evidence(self) -> Evidence {
        match self {
            Self::Paid => Evidence::Paid { preimage: Some(preimage()), fee: msat(1_000) },
            Self::WrongPreimage => Evidence::Paid { preimage: Some(Preimage::new([1; 32])), fee: msat(1) },
            Self::NotSent => Evidence::NotSent("refused".to_owned()),
            Self::InFlight => Evidence::InFlight,
            Self::NotFound(is_proof) => Evidence::NotFound { is_proof },
            Self::Unknown => Evidence::Unknown("time-out".to_owned()),
        }
    }
}

fn event() -> impl Strategy<Value = Event> {
    let answer = prop_oneof![
        Just(Answer::Paid),
        Just(Answer::WrongPreimage),
        Just(Answer::NotSent),
        Just(Answer::InFlight),
        any::<bool>().prop_map(Answer::NotFound),
        Just(Answer::Unknown),
    ];
    prop_oneof![
        2 => (1_u64..4_000).prop_map(Event::Wait),
        3 => Just(Event::Due),
        1 => Just(Event::Resend),
        3 => (answer, 0_u32..2).prop_map(|(answer, ago)| Event::Learn(answer, ago)),
    ]
}

struct Life {
    withdrawal: Withdrawal,
    now: Timestamp,
    ends: Vec<HoldEffect>,
}

impl Life {
    fn live(&mut self, event: &Event) {
        match event {
            Event::Wait(seconds) => self.now = self.now.after(std::time::Duration::from_secs(*seconds)),
            Event::Due => match self.withdrawal.clone().due(self.now, PATIENCE) {
                Step::Wait => {}
                Step::Send(next) => {
                    self.withdrawal = next.attempt(self.now, &WAITS).expect("it is to be sent")
                }
                Step::Ask(next) => self.withdrawal = next,
                Step::End(next, effect) => self.end(next, effect),
            },
            Event::Resend => {
                if let Some(next) = self.withdrawal.clone().resend(self.now, &WAITS) {
                    self.withdrawal = next;
                }
            }
            Event::Learn(answer, ago) => {
                let attempts = self.withdrawal.attempts();
                let asked_at = attempts.saturating_sub(*ago);
                let is_current = asked_at == attempts;
                let is_late = self.now >= now().after(std::time::Duration::from_secs(7_200));
                if let Ok((next, effect)) =
                    self.withdrawal.clone().apply_evidence(answer.evidence(), asked_at, self.now)
                {
                    let refunds = effect == HoldEffect::GiveBack;
                    let may_refund = is_current
                        && (matches!(answer, Answer::NotSent if attempts == 1)
                            || matches!(answer, Answer::NotFound(true) if is_late));
                    assert_eq!(refunds, may_refund, "{answer:?} after {attempts} attempts");
                    assert!(attempts > 0, "no answer ends a withdrawal that was never sent");
                    self.end(next, effect);
                }
            }
        }
    }

    fn end(&mut self, withdrawal: Withdrawal, effect: HoldEffect) {
        self.withdrawal = withdrawal;
        self.ends.push(effect);
    }
}

proptest! {
    #[test]
    fn it_ends_at_most_once_and_every_state_is_sound(events in prop::collection::vec(event(), 0..40)) {
        let mut life = Life { withdrawal: held(123_456), now: now(), ends: Vec::new() };
        for event in &events {
            life.live(event);
            let withdrawal = &life.withdrawal;
            prop_assert_eq!(withdrawal.next_at().is_none(), life.ends.len() == 1);
            prop_assert_eq!(withdrawal.held(), held(123_456).held(), "the held amount never changes");
            if let Some(fee) = withdrawal.fee() {
                prop_assert!(fee <= withdrawal.fee_limit);
            }
        }
        prop_assert!(life.ends.len() <= 1);
    }
}
