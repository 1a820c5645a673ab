//! Every course of a payment with every kind of fault in the provider's answers, on a fake clock. Nothing is paid twice, no
//! paid withdrawal is refunded, and a withdrawal without proof waits for the operator.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bolts_testkit::{msat, preimage};
use bolts_wallet::{Evidence, WithdrawalStatus};

use crate::sending::{MockProvider, Payer, answer, paid};

/// The time between two looks at the withdrawal. It is longer than all waiting times between two questions.
const STEP: Duration = Duration::from_secs(600);

/// The number of steps after which a withdrawal must be at rest: the invoice expired long before.
const STEPS: u32 = 60;

/// What the node does with a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Course {
    PaidAtOnce,
    /// The payment is in flight at first.
    PaidLater,
    /// The payment is in flight at first and fails then.
    Fails,
    /// The node finds no route, so nothing is sent.
    NotSent,
}

/// How the answer to the call to pay arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Arrives,
    /// The call reaches the node, but its answer is lost.
    Lost,
    /// The call never reaches the node.
    CallLost,
    /// The answer says 'paid' with the preimage of another payment.
    WrongPreimage,
}

/// What goes wrong with the first look-ups of the payment.
#[derive(Clone, Copy, Debug)]
enum LookUp {
    Works,
    Unclear,
    /// The provider forgets the payment for a while.
    Forgets,
}

#[derive(Clone, Copy, Debug)]
struct Scenario {
    course: Course,
    answer: Answer,
    look_up: LookUp,
    /// Whether the provider pays a hash at most once and never forgets a payment, like LND.
    pays_once: bool,
}

/// The state of the provider.
#[derive(Default)]
struct Node {
    calls_to_pay: u32,
    is_asked: bool,
    times_paid: u32,
    look_ups: u32,
}

impl Scenario {
    fn all() -> Vec<Self> {
        use Course::{Fails, NotSent, PaidAtOnce, PaidLater};
        let mut all = Vec::new();
        for course in [PaidAtOnce, PaidLater, Fails, NotSent] {
            for answer in [Answer::Arrives, Answer::Lost, Answer::CallLost, Answer::WrongPreimage] {
                for look_up in [LookUp::Works, LookUp::Unclear, LookUp::Forgets] {
                    for pays_once in [false, true] {
                        all.push(Self { course, answer, look_up, pays_once });
                    }
                }
            }
        }
        // A provider that never forgets a payment does not forget one for a while either.
        all.retain(|one| !(one.pays_once && matches!(one.look_up, LookUp::Forgets)));
        all
    }

    fn pay(self, node: &mut Node) -> Evidence {
        node.calls_to_pay += 1;
        let is_first = node.calls_to_pay == 1;
        if is_first && self.answer == Answer::CallLost {
            return Evidence::NoAnswer("a time-out".to_owned());
        }
        let is_known = std::mem::replace(&mut node.is_asked, true);
        if self.course == Course::PaidAtOnce && !(is_known && self.pays_once) {
            node.times_paid += 1;
        }
        if is_first && self.answer == Answer::Lost {
            return Evidence::NoAnswer("a cut connection".to_owned());
        }
        if is_first && self.answer == Answer::WrongPreimage {
            return Evidence::Paid { preimage: Some(preimage(9)), fee: msat(2_000) };
        }
        match self.course {
            Course::PaidAtOnce => paid(),
            Course::PaidLater | Course::Fails => Evidence::InFlight,
            Course::NotSent => Evidence::NotSent("no route".to_owned()),
        }
    }

    fn look_up(self, node: &mut Node) -> Evidence {
        node.look_ups += 1;
        let not_found = Evidence::NotFound { is_proof: self.pays_once };
        match self.look_up {
            LookUp::Unclear if node.look_ups < 3 => return Evidence::NoAnswer("HTTP status 502".to_owned()),
            LookUp::Forgets if node.look_ups < 3 => return not_found,
            LookUp::Works | LookUp::Unclear | LookUp::Forgets => {}
        }
        let is_early = node.look_ups < 5;
        match self.course {
            _ if !node.is_asked => not_found,
            Course::NotSent => not_found,
            Course::PaidAtOnce => paid(),
            Course::PaidLater | Course::Fails if is_early => Evidence::InFlight,
            Course::PaidLater => {
                node.times_paid = 1;
                paid()
            }
            Course::Fails => Evidence::Failed("no capacity".to_owned()),
        }
    }

    /// The status in which the withdrawal must rest.
    fn end(self) -> WithdrawalStatus {
        let reaches_the_node = self.answer != Answer::CallLost || self.pays_once;
        match self.course {
            Course::NotSent if self.answer == Answer::Arrives || self.pays_once => WithdrawalStatus::Refunded,
            // Nothing proves that the provider will never pay.
            Course::NotSent => WithdrawalStatus::Sending,
            _ if !reaches_the_node => WithdrawalStatus::Sending,
            Course::Fails => WithdrawalStatus::Refunded,
            Course::PaidAtOnce | Course::PaidLater => WithdrawalStatus::Paid,
        }
    }
}

#[test]
fn every_course_of_a_payment_with_every_fault_rests_where_it_must() {
    for scenario in Scenario::all() {
        let node = Arc::new(Mutex::new(Node::default()));
        let payer = Payer::new(scenario.pays_once, |provider: &mut MockProvider, _| {
            provider.expect_before_paying().returning(|_| answer(Ok(())));
            let state = node.clone();
            provider
                .expect_pay()
                .returning(move |_| answer(scenario.pay(&mut state.lock().expect("no panic"))));
            let state = node.clone();
            let look_up = move |_| answer(scenario.look_up(&mut state.lock().expect("no panic")));
            provider.expect_look_up_payment().returning(look_up);
        });
        let id = payer.withdraw();
        for _ in 0..STEPS {
            payer.move_on(id);
            let times_paid = node.lock().expect("no panic").times_paid;
            assert!(times_paid == 0 || payer.status(id) != WithdrawalStatus::Refunded, "{scenario:?}");
            payer.stage.clock.advance(STEP);
        }
        let node = node.lock().expect("no panic");
        assert_eq!(payer.status(id), scenario.end(), "{scenario:?}");
        assert!(node.times_paid <= 1, "{scenario:?}");
        assert!(scenario.pays_once || node.calls_to_pay == 1, "{scenario:?}");
        let (left, is_at_rest) = match payer.status(id) {
            WithdrawalStatus::Paid => (3_998, true),
            WithdrawalStatus::Refunded => (5_000, true),
            WithdrawalStatus::Held | WithdrawalStatus::Sending => (3_990, false),
        };
        assert_eq!(payer.sats(), left, "{scenario:?}");
        assert!(is_at_rest || node.look_ups > 10, "the provider is asked again and again: {scenario:?}");
        payer.stage.assert_sound();
    }
}
