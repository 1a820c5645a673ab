//! The cooldown after a password reset: sats leave an account by no bet, and bets in Bolts go on.

use bolts_bets::Outcome;
use bolts_kernel::BetId;
use bolts_resolution::Answer;
use bolts_testkit::{DAY, HOUR};
use bolts_usecases::Actor;
use bolts_usecases::accounts::ProfileDraft;
use bolts_usecases::bets::{AcceptError, ActionError, Create, CreateError};
use futures_executor::block_on;

use crate::stage::{Session, Stage, actor, email};

const SATS: (i64, &str) = (1_000, "sats");
const BOLTS: (i64, &str) = (100, "bolts");

fn reset(stage: &Stage, admin: Actor, name: &str) {
    block_on(stage.app.reset_password(admin, &email(name))).expect("reset");
}

/// A user with 10,000 sats.
fn rich(stage: &Stage, name: &str) -> Session {
    let session = stage.user(name);
    stage.add_sats(&session, 10_000);
    session
}

fn propose(stage: &Stage, session: &Session, bet: BetId, outcome: Outcome) -> Result<(), ActionError> {
    block_on(stage.app.propose_outcome(actor(session), bet, outcome, None)).map(drop)
}

fn respond(stage: &Stage, session: &Session, bet: BetId, answer: Answer) -> Result<(), ActionError> {
    block_on(stage.app.respond_to_proposal(actor(session), bet, answer, None, None)).map(drop)
}

fn assert_in_cooldown(answer: Result<(), ActionError>) {
    assert!(matches!(&answer, Err(ActionError::Cooldown(left)) if left.retry_after == DAY), "{answer:?}");
}

#[test]
fn sats_are_not_staked_in_a_cooldown_and_bolts_are() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    stage.add_sats(&ann, 10_000);
    stage.add_sats(&bob, 10_000);
    let root = stage.admin("root");
    let offers = [(); 2].map(|()| stage.create(&bob, (1_000, "sats"), 2 * DAY).expect("created"));
    block_on(stage.app.reset_password(root, "ann@example.com")).expect("reset");
    stage.clock.advance(DAY - HOUR);
    let staked = stage.create(&ann, (1_000, "sats"), DAY);
    assert!(matches!(&staked, Err(CreateError::Cooldown(left)) if left.retry_after == HOUR), "{staked:?}");
    let taken = stage.accept(&ann, offers[0]);
    assert!(matches!(&taken, Err(AcceptError::Cooldown(left)) if left.retry_after == HOUR), "{taken:?}");
    stage.create(&ann, (100, "bolts"), DAY).expect("Bolts go on");
    let bolts = stage.create(&bob, (100, "bolts"), DAY).expect("created");
    stage.accept(&ann, bolts).expect("Bolts go on");
    assert_eq!(stage.sats(&ann), 10_000);
    stage.clock.advance(HOUR);
    stage.create(&ann, (1_000, "sats"), DAY).expect("the cooldown is over");
    stage.accept(&ann, offers[1]).expect("the cooldown is over");
    assert_eq!(stage.sats(&ann), 8_000);
    stage.assert_audit_clean();
}

/// The attack: somebody resets the password of a user, takes the user's bet with an account of their own, and concedes the bet
/// as the user.
#[test]
fn sats_are_not_conceded_in_a_cooldown_and_bolts_are() {
    let stage = Stage::new();
    let (ann, bob, thief) = (rich(&stage, "ann"), rich(&stage, "bob"), rich(&stage, "root"));
    block_on(stage.app.set_admin(&email("root"), true)).expect("granted");
    let offers = [SATS, SATS, BOLTS].map(|stake| stage.create(&ann, stake, 3 * DAY).expect("created"));
    reset(&stage, Actor { is_admin: true, ..actor(&thief) }, "ann");
    for (taker, bet) in [(&thief, offers[0]), (&bob, offers[1]), (&bob, offers[2])] {
        stage.accept(taker, bet).expect("accepted");
    }
    assert_in_cooldown(propose(&stage, &ann, offers[0], Outcome::B));
    assert_in_cooldown(propose(&stage, &ann, offers[1], Outcome::B));
    propose(&stage, &ann, offers[2], Outcome::B).expect("Bolts go on");
    propose(&stage, &ann, offers[0], Outcome::Void).expect("her stake goes back");
    propose(&stage, &ann, offers[1], Outcome::A).expect("she wins");
    respond(&stage, &bob, offers[1], Answer::Reject).expect("rejected");
    stage.clock.advance(DAY);
    propose(&stage, &ann, offers[1], Outcome::B).expect("the cooldown is over");
    stage.assert_audit_clean();
}

#[test]
fn a_defeat_in_sats_is_not_accepted_in_a_cooldown() {
    let stage = Stage::new();
    let (ann, bob, root) = (rich(&stage, "ann"), rich(&stage, "bob"), stage.admin("root"));
    let outcomes = [(SATS, Outcome::A), (SATS, Outcome::Void), (BOLTS, Outcome::A)];
    let [won, void, bolts] = outcomes.map(|(stake, outcome)| {
        let bet = stage.create(&bob, stake, 3 * DAY).expect("created");
        stage.accept(&ann, bet).expect("accepted");
        stage.propose(&bob, bet, outcome);
        bet
    });
    reset(&stage, root, "ann");
    assert_in_cooldown(respond(&stage, &ann, won, Answer::Accept));
    respond(&stage, &ann, won, Answer::Reject).expect("rejected");
    respond(&stage, &ann, void, Answer::Accept).expect("her stake goes back");
    respond(&stage, &ann, bolts, Answer::Accept).expect("Bolts go on");
    let disputed = block_on(stage.app.dispute_bet(actor(&ann), won, "It snowed.".to_owned()));
    disputed.expect("a dispute gives nothing away");
    stage.assert_audit_clean();
}

/// The outcome of a dispute gives the stakes of others away.
#[test]
fn an_arbiter_in_a_cooldown_rules_on_bolts_alone() {
    let stage = Stage::new();
    let (ann, bob, root) = (rich(&stage, "ann"), rich(&stage, "bob"), stage.admin("root"));
    let eve = stage.user("eve");
    let draft = ProfileDraft { username: "eve".to_owned(), ..ProfileDraft::default() };
    block_on(stage.app.set_profile(eve.user.id, &draft)).expect("named");
    let [sats, bolts] = [SATS, BOLTS].map(|stake| {
        let create = Create { arbiter: Some("eve".to_owned()), ..stage.terms(stake, 3 * DAY) };
        let bet = stage.send(&ann, create).expect("created");
        block_on(stage.app.answer_invitation(actor(&eve), bet, true)).expect("accepted");
        stage.accept(&bob, bet).expect("accepted");
        stage.propose(&ann, bet, Outcome::A);
        block_on(stage.app.dispute_bet(actor(&bob), bet, "No.".to_owned())).expect("disputed");
        bet
    });
    reset(&stage, root, "eve");
    let rule = |bet, outcome| {
        let ruling = stage.app.rule_as_arbiter(actor(&eve), bet, outcome, "Seen.".to_owned(), None);
        block_on(ruling).map(drop)
    };
    assert_in_cooldown(rule(sats, Outcome::B));
    assert_in_cooldown(rule(sats, Outcome::Void));
    rule(bolts, Outcome::B).expect("Bolts go on");
    stage.clock.advance(DAY);
    rule(sats, Outcome::B).expect("the cooldown is over");
    stage.assert_audit_clean();
}

/// A refund has the effect of a ruling of `void`.
#[test]
fn an_admin_in_a_cooldown_refunds_bolts_alone() {
    let stage = Stage::new();
    let (ann, root, deputy) = (rich(&stage, "ann"), stage.admin("root"), stage.admin("deputy"));
    let [sats, text, bolts] =
        [SATS, SATS, BOLTS].map(|stake| stage.create(&ann, stake, 3 * DAY).expect("created"));
    reset(&stage, root, "deputy");
    let refund = |bet| block_on(stage.app.refund_bet(deputy, bet, None)).map(drop);
    assert_in_cooldown(refund(sats));
    refund(bolts).expect("Bolts go on");
    block_on(stage.app.remove_bet(deputy, text)).expect("a text that must not be published cannot wait");
    stage.clock.advance(DAY);
    refund(sats).expect("the cooldown is over");
    stage.assert_audit_clean();
}
