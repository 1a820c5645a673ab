//! The texts of notifications: outcomes, results, stakes and deadlines.

use bolts_bets::NoticeKind;
use bolts_kernel::{Amount, Currency, Timestamp};
use bolts_ports::{NoticeBody, NoticeParams};
use bolts_usecases::notifications::{Words, words};

fn amount(units: i64) -> Amount {
    Amount::new(units).expect("not below 0")
}

/// The values of a notification of a user who won with side A.
fn won() -> NoticeParams {
    NoticeParams {
        title: "Snow?".to_owned(),
        outcome: Some("A".to_owned()),
        outcome_text: Some("It snows".to_owned()),
        won: Some(true),
        stake: amount(2_000),
        opponent_stake: Some(amount(3_500)),
        currency: Currency::Bolts,
        taker: None,
        until: None,
        task: None,
    }
}

/// The values of a notification of a bet whose stakes went back.
fn void() -> NoticeParams {
    let outcome = Some("void".to_owned());
    NoticeParams { outcome, outcome_text: Some("Void".to_owned()), won: None, ..won() }
}

/// The values of a notification that names no outcome.
fn without_outcome() -> NoticeParams {
    NoticeParams { outcome: None, outcome_text: None, won: None, ..won() }
}

fn about(kind: NoticeKind, params: NoticeParams) -> Words {
    words(&NoticeBody::Bet { kind, params })
}

fn message(kind: NoticeKind, params: NoticeParams) -> String {
    about(kind, params).message
}

/// At noon of a summer day in New York.
fn noon() -> Timestamp {
    Timestamp::parse("2026-07-04T16:00:00Z").expect("a time")
}

const NOON: &str = "Jul 4, 2026, 12:00 PM New York time";

#[test]
fn a_result_names_what_the_reader_won_or_lost() {
    let undecided = NoticeParams { won: None, ..won() };
    for (params, result) in [
        (won(), " You won 3,500 Bolts."),
        // Earlier releases stored one stake for both sides.
        (NoticeParams { opponent_stake: None, ..won() }, " You won 2,000 Bolts."),
        (NoticeParams { won: Some(false), ..won() }, " You lost 2,000 Bolts."),
        (NoticeParams { currency: Currency::Sats, ..won() }, " You won 3,500 sats."),
        (void(), " Your stake of 2,000 Bolts is back in your balance."),
        (undecided, ""),
    ] {
        let expected = format!("Your outcome for “Snow?” was accepted.{result}");
        assert_eq!(message(NoticeKind::OutcomeAccepted, params), expected);
    }
}

#[test]
fn an_outcome_is_named_with_the_text_of_its_option() {
    let undecided = |params: NoticeParams| NoticeParams { won: None, ..params };
    for (params, outcome) in [
        (undecided(won()), "Option A (It snows)"),
        (undecided(NoticeParams { outcome_text: None, ..won() }), "Option A"),
        (without_outcome(), "No outcome"),
    ] {
        let expected = format!("An admin ruled on “Snow?”: {outcome}.");
        assert_eq!(message(NoticeKind::BetRuled, params), expected);
    }
    let back = "‘Void’ (both stakes go back). Your stake of 2,000 Bolts is back in your balance.";
    assert_eq!(message(NoticeKind::BetRuled, void()), format!("An admin ruled on “Snow?”: {back}"));
}

/// Silence is a consent to an outcome, but not to a void.
#[test]
fn a_proposal_names_its_deadline_only_if_it_stands_without_an_answer() {
    let until = Some(noon());
    let asked = "was proposed for “Snow?”. Accept or reject it.";
    for (params, expected, deadline) in [
        (
            NoticeParams { until, ..won() },
            format!("Option A (It snows) {asked} If you don’t answer, it stands on {NOON}."),
            until,
        ),
        (NoticeParams { until, ..void() }, format!("‘Void’ (both stakes go back) {asked}"), None),
        (won(), format!("Option A (It snows) {asked}"), None),
    ] {
        let words = about(NoticeKind::OutcomeProposed, params);
        assert_eq!((words.message, words.deadline), (expected, deadline));
    }
}

#[test]
fn a_party_of_an_expired_bet_is_told_who_may_do_what_until_when() {
    let end = format!("If nobody settles it by {NOON}, both stakes go back.");
    for (task, expected) in [
        (Some("propose"), "Propose the outcome now. The other side then accepts or rejects it."),
        (
            Some("open"),
            "The creator should propose the outcome now. If the creator does not, choose ‘Resolve Expired Bet’, and you \
             can propose it yourself later.",
        ),
        (Some("declare"), "Either of you may declare the outcome now. The first declaration is final."),
        // Earlier releases stored no task.
        (None, "It is time to settle it."),
    ] {
        let task = task.map(str::to_owned);
        let due = NoticeParams { task, until: Some(noon()), ..without_outcome() };
        let expected = format!("“Snow?” has expired. {expected} {end}");
        assert_eq!(message(NoticeKind::BetDue, due), expected);
    }
}

/// A page shows the deadline in the reader's local time too.
#[test]
fn a_message_with_a_deadline_gives_it_as_a_time_too() {
    let mut with_deadline = 0;
    for kind in NoticeKind::ALL {
        for params in [won(), void(), without_outcome()] {
            let words = about(kind, NoticeParams { until: Some(noon()), ..params });
            let named = words.message.contains(NOON).then(noon);
            assert_eq!(words.deadline, named, "{kind}: {}", words.message);
            with_deadline += usize::from(named.is_some());
        }
    }
    assert!(with_deadline > 0);
}

#[test]
fn a_stake_that_goes_back_is_named() {
    for kind in [NoticeKind::BetExpired, NoticeKind::BetLapsed, NoticeKind::BetRefunded] {
        let message = message(kind, without_outcome());
        assert!(message.ends_with("Your stake of 2,000 Bolts is back in your balance."), "{message}");
    }
}

/// An admin has no stake to win or lose.
#[test]
fn only_a_party_is_told_how_a_dispute_without_a_ruling_ended() {
    let ended = "Nobody ruled on “Snow?” in time";
    assert_eq!(
        message(NoticeKind::DisputeLapsed, without_outcome()),
        format!("{ended}, so the bet was settled without a ruling.")
    );
    assert_eq!(
        message(NoticeKind::DisputeLapsed, won()),
        format!("{ended}. It was settled as Option A (It snows). You won 3,500 Bolts.")
    );
}

#[test]
fn money_and_rewards_are_named_with_their_amount() {
    let achievement = &bolts_achievements::CATALOGUE[0];
    let reward = amount(achievement.reward.bolts).grouped();
    for (body, expected) in [
        (
            NoticeBody::BoltsGranted { amount: amount(1_500) },
            "An admin added 1,500 Bolts to your balance.".to_owned(),
        ),
        (
            NoticeBody::DepositReceived { amount: amount(1_500) },
            "1,500 sats have been added to your balance.".to_owned(),
        ),
        (
            NoticeBody::WithdrawalPaid { amount: amount(1_500), fee: amount(7) },
            "Your withdrawal of 1,500 sats has arrived. The routing fee was 7 sats.".to_owned(),
        ),
        (
            NoticeBody::WithdrawalRefunded { amount: amount(1_500) },
            "Your withdrawal was not paid. 1,500 sats are back in your balance.".to_owned(),
        ),
        (
            NoticeBody::AchievementUnlocked { achievement: achievement.id.to_owned() },
            format!("You unlocked “{}”: {reward} Bolts for you.", achievement.name),
        ),
    ] {
        assert_eq!(words(&body).message, expected);
    }
}
