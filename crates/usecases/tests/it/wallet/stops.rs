//! Sending stops after three payments in a row without an answer, and goes on with one payment.

use std::time::Duration;

use bolts_ports::NodeCheck;
use bolts_testkit::msat;
use bolts_usecases::wallet::Destination;
use bolts_wallet::{Evidence, Withdrawal, WithdrawalStatus};
use futures_executor::block_on;
use futures_util::future::{join, join_all};

use super::Site;
use super::node::one_turn;
use crate::log::errors;
use crate::stage::DAY;

const MINUTE: Duration = Duration::from_secs(60);
const MILLISECOND: Duration = Duration::from_millis(1);

/// The first wait of a stop: a sixteenth of the 90 seconds that the provider has to answer.
const WAIT: Duration = Duration::from_micros(5_625_000);

fn unanswered() -> Evidence {
    Evidence::NoAnswer("a time-out".to_owned())
}

fn paid() -> Evidence {
    Evidence::Paid { preimage: None, fee: msat(2_000) }
}

impl Site {
    /// A withdrawal of a new user. The limit of three withdrawals under way counts for each user.
    fn held_of(&self, name: &str) -> Withdrawal {
        let member = self.member(name);
        self.give(&member, 2_000);
        let invoice = self.node.invoice(1_000_000);
        self.request(&member, Destination::Invoice(invoice)).expect("held")
    }

    fn send(&self, withdrawal: &Withdrawal, answer: Evidence) -> WithdrawalStatus {
        self.node.books().pay = answer;
        self.move_on(withdrawal);
        self.status(withdrawal)
    }

    /// Three payments get no answer.
    fn stop_by(&self, withdrawals: [Withdrawal; 3]) {
        for one in withdrawals {
            assert_eq!(self.send(&one, unanswered()), WithdrawalStatus::Sending);
        }
        assert!(self.stop().is_some());
    }

    /// The reason of the stop.
    fn stop(&self) -> Option<String> {
        self.stage.app.sending_stop().expect("readable").map(|stop| stop.reason)
    }

    fn look_at_stop(&self) -> usize {
        block_on(self.wallets.look_at_stop()).expect("stored");
        self.node.count("answers")
    }

    /// Held withdrawals of this number of users.
    fn crowd<const N: usize>(&self) -> [Withdrawal; N] {
        std::array::from_fn(|number| self.held_of(&format!("user{number}")))
    }
}

#[test]
fn three_payments_in_a_row_without_an_answer_stop_sending() {
    let site = Site::new();
    let [first, second, third, fourth] = site.crowd();
    let logged = errors(|| {
        assert_eq!(site.send(&first, unanswered()), WithdrawalStatus::Sending);
        assert_eq!(site.send(&second, unanswered()), WithdrawalStatus::Sending);
    });
    assert_eq!((logged, site.stop()), (Vec::new(), None));
    let logged = errors(|| assert_eq!(site.send(&third, unanswered()), WithdrawalStatus::Sending));
    assert_eq!(logged, ["sending stops: the provider did not answer three payments in a row"]);
    assert_eq!(site.stop().as_deref(), Some("no clear answer: a time-out"));
    assert_eq!(site.send(&fourth, paid()), WithdrawalStatus::Held);
    assert_eq!(site.node.count("fee question"), 3);
}

#[test]
fn an_answered_payment_ends_the_row() {
    let answers = [paid(), Evidence::Failed("no capacity".to_owned())];
    for answer in answers {
        let site = Site::new();
        let [first, second, third, fourth, fifth] = site.crowd();
        site.send(&first, unanswered());
        site.send(&second, unanswered());
        site.send(&third, answer);
        site.send(&fourth, unanswered());
        site.send(&fifth, unanswered());
        assert_eq!(site.stop(), None);
    }
}

/// A wallet says 'in flight' also while its node is away. Then only a further question shows whether the node answers.
#[test]
fn a_payment_in_flight_counts_as_unanswered_if_the_node_is_away() {
    let answers = [
        (None, Some("it is on its way".to_owned())),
        (Some(NodeCheck::NotAsked), None),
        (Some(NodeCheck::Answers), None),
    ];
    for (answers, stop) in answers {
        let site = Site::new();
        site.node.books().answers = answers;
        for withdrawal in site.crowd::<3>() {
            assert_eq!(site.send(&withdrawal, Evidence::InFlight), WithdrawalStatus::Sending);
        }
        assert_eq!((site.stop(), site.node.count("answers")), (stop, 3));
    }
}

/// A node may refuse the invoices of a user with a text that proves nothing. A wallet may send such a text also while its
/// node is away.
#[test]
fn an_answer_that_proves_nothing_counts_as_unanswered_only_if_the_node_is_away() {
    for (answers, is_stopped, end) in
        [(None, true, WithdrawalStatus::Held), (Some(NodeCheck::Answers), false, WithdrawalStatus::Paid)]
    {
        let site = Site::new();
        site.node.books().answers = answers;
        let [first, second, third, fourth] = site.crowd();
        for refused in [first, second, third] {
            let answer = Evidence::Unknown("status 520: Payment failed: x".to_owned());
            assert_eq!(site.send(&refused, answer), WithdrawalStatus::Sending);
        }
        assert_eq!((site.stop().is_some(), site.node.count("answers")), (is_stopped, 3));
        assert_eq!(site.send(&fourth, paid()), end);
    }
}

#[test]
fn payments_that_were_not_sent_stop_nothing() {
    let site = Site::new();
    for withdrawal in site.crowd::<3>() {
        site.send(&withdrawal, Evidence::NotSent("no route".to_owned()));
    }
    assert_eq!((site.stop(), site.node.count("answers")), (None, 0));
}

#[test]
fn only_a_result_ends_the_row_in_a_look_up() {
    for (answer, is_stopped) in [(Evidence::InFlight, true), (paid(), false)] {
        let site = Site::new();
        let [first, second, third] = site.crowd();
        site.send(&first, unanswered());
        site.send(&second, unanswered());
        site.stage.clock.advance(2 * MINUTE);
        site.node.books().look_up = answer;
        site.move_on(&first);
        site.send(&third, unanswered());
        assert_eq!(site.stop().is_some(), is_stopped);
    }
}

/// If the check waited for the time of the wrong clock, nothing would be sent until then.
#[test]
fn a_clock_that_was_ahead_does_not_put_off_the_next_check() {
    let site = Site::new();
    let [first, second, third] = site.crowd();
    site.stop_by([first, second, third]);
    let now = site.stage.now();
    site.stage.clock.advance(365 * DAY);
    site.node.books().answers = None;
    assert_eq!(site.look_at_stop(), 1);
    site.stage.clock.set(now.after(WAIT));
    site.node.books().answers = Some(NodeCheck::Answers);
    assert_eq!((site.look_at_stop(), site.stop()), (2, None));
}

#[test]
fn a_rate_limit_of_the_provider_does_not_end_a_stop() {
    let site = Site::new();
    let [first, second, third] = site.crowd();
    site.stop_by([first, second, third]);
    for (answers, is_stopped) in [(NodeCheck::NotAsked, true), (NodeCheck::Answers, false)] {
        site.node.books().answers = Some(answers);
        site.stage.clock.advance(WAIT);
        site.look_at_stop();
        assert_eq!(site.stop().is_some(), is_stopped, "{answers:?}");
    }
}

#[test]
fn sending_goes_on_with_one_payment_when_the_provider_answers_again() {
    let site = Site::new();
    let [first, second, third, trial, waiting, more] = site.crowd();
    site.stop_by([first, second, third]);
    site.stage.clock.advance(WAIT - MILLISECOND);
    assert_eq!(site.look_at_stop(), 0, "the wait is not over");
    site.stage.clock.advance(MILLISECOND);
    site.node.books().answers = None;
    assert_eq!(site.look_at_stop(), 1);
    assert!(site.stop().is_some(), "the provider does not answer");
    assert_eq!(site.look_at_stop(), 1, "the next check waits");
    site.stage.clock.advance(WAIT);
    site.node.books().answers = Some(NodeCheck::Answers);
    assert_eq!((site.look_at_stop(), site.stop()), (2, None));
    assert_eq!(site.look_at_stop(), 2, "sending goes on");
    // The trial gets no answer, so sending stops again, and the next check comes after twice the time.
    assert_eq!(site.send(&trial, unanswered()), WithdrawalStatus::Sending);
    assert!(site.stop().is_some());
    assert_eq!(site.send(&waiting, paid()), WithdrawalStatus::Held);
    site.stage.clock.advance(2 * WAIT - MILLISECOND);
    assert_eq!(site.look_at_stop(), 2);
    site.stage.clock.advance(MILLISECOND);
    assert_eq!(site.look_at_stop(), 3);
    assert_eq!(site.send(&waiting, paid()), WithdrawalStatus::Paid);
    assert_eq!(site.send(&more, unanswered()), WithdrawalStatus::Sending);
    assert_eq!(site.stop(), None, "the row began anew");
}

/// A withdrawal that may not be sent stays due, and one call names only 16 due withdrawals.
#[test]
fn an_expired_withdrawal_is_refunded_while_many_older_ones_wait() {
    let site = Site::new();
    site.stop_by(site.crowd());
    for number in 0..6 {
        let member = site.member(&format!("waiting{number}"));
        site.give(&member, 4_000);
        for _ in 0..3 {
            let invoice = site.node.invoice(1_000_000);
            site.request(&member, Destination::Invoice(invoice)).expect("held");
        }
    }
    let expires_at = site.stage.now().after(MINUTE);
    let invoice = site.node.invoice_like(|invoice| invoice.expires_at = expires_at);
    let short = site.request(&site.ann, Destination::Invoice(invoice)).expect("held");
    site.stage.clock.advance(2 * MINUTE);
    for id in site.wallets.due_withdrawals().expect("readable") {
        block_on(site.wallets.move_on(id)).expect("moved on");
    }
    assert_eq!((site.status(&short), site.sats(&site.ann)), (WithdrawalStatus::Refunded, 10_000));
}

/// Refunds are looked up for 30 days. An answer about an old payment says nothing about new payments.
#[test]
fn a_look_up_of_a_refund_ends_no_stop() {
    let site = Site::new();
    let refunded = site.refunded_by_operator();
    site.stop_by(site.crowd());
    site.paid_after_all();
    site.look_at(&refunded);
    assert!(site.stop().is_some());
}

/// Two servers look at the stop, because the first one gets its answer late. Only one of them ends the stop.
#[test]
fn a_late_answer_does_not_end_the_stop_again() {
    let site = Site::new();
    let [first, second, third, trial] = site.crowd();
    site.stop_by([first, second, third]);
    site.stage.clock.advance(MINUTE);
    let (other, clock) = (site.process(&site.node), site.stage.clock.clone());
    site.node.meanwhile("answers", move || async move {
        clock.advance(WAIT);
        other.look_at_stop().await.expect("stored");
    });
    assert_eq!((site.look_at_stop(), site.stop()), (2, None));
    // There was one trial, so the next wait is twice the first one, and not four times.
    site.send(&trial, unanswered());
    site.stage.clock.advance(2 * WAIT);
    assert_eq!((site.look_at_stop(), site.stop()), (3, None));
}

#[test]
fn a_stop_is_logged_once() {
    let site = Site::new();
    let all = site.crowd::<4>();
    site.node.books().pay = unanswered();
    let (stage, wallets) = (&site.stage, &site.wallets);
    let logged = errors(|| {
        let moving = all.iter().map(|one| wallets.move_on(one.id));
        block_on(join_all(moving));
    });
    assert_eq!(logged.len(), 1, "{logged:?}");
    assert_eq!(site.node.count("pay"), 3, "the fourth waits for the answer to another payment");
    stage.assert_sound();
}

#[test]
fn a_withdrawal_that_waits_for_an_answer_goes_on_after_it() {
    let site = Site::new();
    let [first, second, third, late] = site.crowd();
    let three = [first, second, third].map(|one| {
        let wallets = site.wallets.clone();
        async move { wallets.move_on(one.id).await }
    });
    let fourth = async {
        // The other three are paying now.
        one_turn().await;
        site.wallets.move_on(late.id).await
    };
    let (moved, last) = block_on(join(join_all(three), fourth));
    assert!(moved.into_iter().chain([last]).all(|moved| moved.is_ok()));
    assert_eq!((site.status(&late), site.node.count("fee question")), (WithdrawalStatus::Paid, 4));
}

/// The attempts of these withdrawals are not recorded yet, so the store does not count them. A provider may limit the rate of
/// questions.
#[test]
fn no_more_withdrawals_are_asked_about_than_may_be_sent() {
    let site = Site::new();
    let all = site.crowd::<16>();
    let moving = join_all(all.iter().map(|one| site.wallets.move_on(one.id)));
    // Each withdrawal had its first turn, and no question is answered.
    let asked = async { site.node.count("fee question") };
    let (moved, asked) = block_on(join(moving, asked));
    assert!(moved.into_iter().all(|moved| moved.is_ok()));
    assert_eq!(asked, 3);
}

#[test]
fn a_step_moves_on_one_withdrawal() {
    let site = Site::new();
    let (first, second) = (site.held(), site.held());
    assert_eq!(site.send(&first, paid()), WithdrawalStatus::Paid);
    assert_eq!(site.status(&second), WithdrawalStatus::Held);
}

#[test]
fn the_last_answer_is_kept_for_the_operator() {
    let site = Site::new();
    let held = site.held();
    site.send(&held, unanswered());
    assert_eq!(site.word(&held).as_deref(), Some("no clear answer: a time-out"));
    site.stage.clock.advance(2 * MINUTE);
    site.node.books().look_up = Evidence::InFlight;
    site.move_on(&held);
    assert_eq!(site.word(&held).as_deref(), Some("it is on its way"));
}
