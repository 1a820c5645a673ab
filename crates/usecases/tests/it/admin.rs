//! The actions of admins on users: gifts of Bolts and one-time passwords. The rights of admins, which the operator grants.

use std::collections::HashSet;

use bolts_bets::{Outcome, Refusal};
use bolts_kernel::{Amount, FieldError};
use bolts_ports::{NoticeBody, Queries, name_of_deleted};
use bolts_resolution::Answer;
use bolts_usecases::admin::{GrantedBolts, UserActionError, grant_amount, ruling_note};
use bolts_usecases::bets::Create;
use bolts_usecases::{Actor, Idempotent, Reply};
use futures_executor::block_on;

use crate::stage::{self, DAY, Stage};

fn amount(units: i64) -> Amount {
    Amount::new(units).expect("a valid amount")
}

fn once(actor: Actor, key: &str) -> Option<Idempotent<GrantedBolts>> {
    stage::once(actor, key, |granted: &GrantedBolts| granted.balance.to_string())
}

fn grant(
    stage: &Stage,
    actor: Actor,
    email: &str,
    key: Option<Idempotent<GrantedBolts>>,
) -> Result<Reply<GrantedBolts>, UserActionError> {
    block_on(stage.app.grant_bolts(actor, email, amount(250), key))
}

#[test]
fn the_amount_of_a_gift_and_the_length_of_a_note_have_limits() {
    for units in [1, 2, 100_000_000] {
        assert_eq!(grant_amount(units).map(Amount::get), Ok(units));
    }
    let [too_little, too_much] = ["Amount must be at least 1", "Amount must be at most 100,000,000"]
        .map(|message| Err(FieldError::new("amount", message)));
    for units in [i64::MIN, -1, 0] {
        assert_eq!(grant_amount(units), too_little, "{units}");
    }
    for units in [100_000_001, i64::MAX] {
        assert_eq!(grant_amount(units), too_much, "{units}");
    }
    assert_eq!(ruling_note("  The rain was snow.  ").as_deref(), Ok("The rain was snow."));
    assert_eq!(ruling_note(&"x".repeat(2_000)).map(|note| note.len()), Ok(2_000));
    assert_eq!(ruling_note("").as_deref(), Ok(""));
    assert_eq!(ruling_note(&"x".repeat(2_001)).expect_err("refused").field, "note");
}

#[test]
fn a_gift_moves_bolts_once_and_is_recorded() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let root = stage.admin("root");
    let before = stage.bolts(ann);
    assert_eq!(grant(&stage, ann, "ann@example.com", None), Err(Refusal::NotAllowed.into()));
    assert_eq!(grant(&stage, root, "eve@example.com", None), Err(UserActionError::NotFound));
    assert_eq!(stage.bolts(ann), before);
    assert_eq!(stage.store.admin_actions().len(), 0);

    let Ok(Reply::Done(given)) = grant(&stage, root, "  ANN@example.com ", once(root, "first")) else {
        panic!("not given")
    };
    let expected = GrantedBolts {
        email: "ann@example.com".to_owned(),
        amount: amount(250),
        balance: amount(before + 250),
    };
    assert_eq!(given, expected);
    let again = grant(&stage, root, "ann@example.com", once(root, "first"));
    assert_eq!(again, Ok(Reply::Replayed((before + 250).to_string())));
    assert_eq!(stage.bolts(ann), before + 250);

    let told = stage.store.notifications(ann.user).expect("readable");
    assert_eq!(
        told.iter().map(|one| &one.body).collect::<Vec<_>>(),
        [&NoticeBody::BoltsGranted { amount: amount(250) }]
    );
    let actions = stage.store.admin_actions();
    let [action] = &*actions else { panic!("{actions:?}") };
    assert_eq!((action.admin, action.action, action.user), (Some(root.user), "grant_bolts", Some(ann.user)));
    assert_eq!(action.detail.as_deref(), Some("250"));
    stage.assert_sound();
}

#[test]
fn a_ruling_is_recorded_with_its_note_if_it_has_one() {
    let stage = Stage::new();
    let (ann, bob, root) = (stage.user("ann"), stage.user("bob"), stage.admin("root"));
    for (note, detail) in [("", "A"), ("The rain was snow.", "A: The rain was snow.")] {
        let bet = stage.live(ann, bob, DAY);
        stage.propose(ann, bet, Outcome::A);
        block_on(stage.app.dispute_bet(bob, bet, "No.".to_owned())).expect("disputed");
        block_on(stage.app.rule_on_bet(root, bet, Outcome::A, note.to_owned(), None)).expect("ruled");
        let recorded = stage.store.admin_actions().pop().expect("an action");
        assert_eq!((recorded.action, recorded.detail.as_deref()), ("rule_on_bet", Some(detail)));
    }
}

/// The row of a deleted user stays, and this name is its address.
#[test]
fn a_deleted_user_gets_neither_bolts_nor_a_password() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let root = stage.admin("root");
    assert_eq!(stage.leave("ann"), Ok(()));
    for email in ["ann@example.com", &name_of_deleted(ann.user)] {
        assert_eq!(grant(&stage, root, email, None), Err(UserActionError::NotFound), "{email}");
        let reset = block_on(stage.app.reset_password(root, email));
        assert_eq!(reset, Err(UserActionError::NotFound), "{email}");
    }
    assert_eq!(stage.store.admin_actions().len(), 0);
}

#[test]
fn the_operator_grants_and_revokes_admin_rights_on_record() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let set = |email: &str, is_admin| block_on(stage.app.set_admin(email, is_admin)).expect("answered");
    for is_admin in [true, false] {
        assert_eq!(set(" Ann@example.com", is_admin), Some(ann.user));
        let view = stage.store.user(ann.user).expect("readable").expect("there");
        assert_eq!(Actor::from(&view), Actor { is_admin, ..ann });
    }
    assert_eq!(set("eve@example.com", true), None);
    let actions = stage.store.admin_actions();
    let actions: Vec<_> = actions.iter().map(|one| (one.admin, one.action, one.user, one.at)).collect();
    let at = stage.now();
    let expected = ["grant_admin", "revoke_admin"].map(|action| (None, action, Some(ann.user), at));
    assert_eq!(actions, expected, "no admin did it");
}

#[test]
fn an_admin_with_an_open_bet_against_a_user_sets_no_password() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let root = stage.admin("root");
    let reset = |actor, email: &str| block_on(stage.app.reset_password(actor, email));
    assert_eq!(reset(bob, "ann@example.com"), Err(Refusal::NotAllowed.into()));
    assert_eq!(reset(root, "eve@example.com"), Err(UserActionError::NotFound));
    let bet = stage.live(ann, root, DAY);
    assert_eq!(reset(root, "ann@example.com"), Err(Refusal::ConflictOfInterest.into()));
    assert!(reset(root, "bob@example.com").is_ok(), "the conflict is with the opponent alone");
    block_on(stage.app.end_bet_early(ann, bet)).expect("ended");
    stage.propose(ann, bet, Outcome::Void);
    stage.answer(root, bet, Answer::Accept).expect("settled");
    assert!(reset(root, "ann@example.com").is_ok());
}

#[test]
fn an_admin_sets_no_password_of_an_arbiter_of_an_own_bet() {
    let stage = Stage::new();
    let (root, eve) = (stage.admin("root"), stage.user("eve"));
    stage.name(eve, "eve");
    let reset = || block_on(stage.app.reset_password(root, "eve@example.com"));
    let create = Create { arbiter: Some("eve".to_owned()), ..stage.wanted(DAY) };
    let bet = stage.created(root, create).bet.id;
    assert_eq!(reset(), Err(Refusal::ConflictOfInterest.into()), "the arbiter is invited");
    let answer = |accept| block_on(stage.app.answer_invitation(eve, bet, accept));
    answer(true).expect("accepted");
    stage.accept(stage.user("ann"), bet);
    assert_eq!(reset(), Err(Refusal::ConflictOfInterest.into()), "the arbiter rules");
    answer(false).expect("resigned");
    assert!(reset().is_ok());
}

/// Each admin rules on disputes. So with the password of another admin, an admin could rule on an own bet.
#[test]
fn an_admin_with_an_open_bet_sets_no_password_of_another_admin() {
    let stage = Stage::new();
    let (root, _) = (stage.admin("root"), stage.user("deputy"));
    block_on(stage.app.set_admin("deputy@example.com", true)).expect("granted");
    let reset = |name: &str| block_on(stage.app.reset_password(root, &format!("{name}@example.com")));
    assert!(reset("deputy").is_ok());
    let bet = stage.created(root, stage.wanted(DAY)).bet.id;
    assert_eq!(reset("deputy"), Err(Refusal::ConflictOfInterest.into()));
    assert!(reset("root").is_ok(), "the own password");
    block_on(stage.app.delete_bet(root, bet)).expect("deleted");
    assert!(reset("deputy").is_ok());
}

/// Users read these passwords aloud, so no two characters look alike.
#[test]
fn a_one_time_password_has_sixteen_characters_that_differ_in_looks() {
    let stage = Stage::new();
    let passwords: Vec<String> = (0..40).map(|_| stage.app.one_time_password()).collect();
    for password in &passwords {
        assert_eq!(password.len(), 16);
        assert!(!password.contains(['0', '1', 'l', 'o']), "{password}");
        assert!(password.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()), "{password}");
    }
    let used: HashSet<char> = passwords.iter().flat_map(|one| one.chars()).collect();
    assert_eq!(used.len(), 32, "every character occurs");
}
