//! The limit on exports of an account.

use bolts_usecases::Rules;
use bolts_usecases::accounts::{ExportError, SignedIn, StepUpRequired};
use futures_executor::block_on;

use crate::stage::{DAY, Stage, owner};

fn export(stage: &Stage, session: &SignedIn) -> Result<(), ExportError> {
    block_on(stage.app.begin_export(owner(session)))
}

#[test]
fn a_user_gets_five_exports_a_day() {
    let stage = Stage::new();
    let (ann, bob) = (stage.signed_up("ann"), stage.signed_up("bob"));
    for _ in 0..5 {
        assert_eq!(export(&stage, &ann), Ok(()));
    }
    assert!(matches!(export(&stage, &ann), Err(ExportError::TooMany(_))));
    assert_eq!(export(&stage, &bob), Ok(()));
    stage.clock.advance(DAY);
    assert_eq!(export(&stage, &ann), Ok(()));
}

#[test]
fn a_site_without_limits_on_writes_has_none_on_exports() {
    let stage = Stage::with_rules(Rules { writes_per_minute: 0, ..Rules::default() });
    let ann = stage.signed_up("ann");
    assert!((0..6).all(|_| export(&stage, &ann) == Ok(())));
}

#[test]
fn an_export_needs_a_proof_of_the_second_factor() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let user = ann.user.id;
    bolts_testkit::run(&*stage.store, move |tx| tx.factors().set_second_factor(user, true)).expect("stored");
    assert_eq!(export(&stage, &ann), Err(ExportError::StepUpRequired(StepUpRequired)));
}
