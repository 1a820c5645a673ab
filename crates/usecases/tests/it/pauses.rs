//! Pauses of withdrawals.

use bolts_ports::submit;
use bolts_usecases::wallet::CopyKind;
use futures_executor::block_on;

use crate::stage::{DAY, Stage};

#[test]
fn a_copy_of_a_copy_quotes_only_the_first_reason() {
    let stage = Stage::new();
    assert!(block_on(stage.app.pause_withdrawals("an incident".to_owned())).expect("paused"));
    for _ in 0..3 {
        stage.clock.advance(DAY);
        let (name, value) = stage.app.pause_of_copy(CopyKind::Backup).expect("readable");
        block_on(submit(&*stage.store, move |tx| tx.settings().put(name, &value))).expect("written");
    }
    let pause = stage.app.withdrawals_pause().expect("readable").expect("paused");
    assert!(pause.needs_reconciling);
    assert!(pause.reason.ends_with("(withdrawals were paused before: an incident)"), "{}", pause.reason);
    assert_eq!(pause.reason.matches("paused before").count(), 1, "{}", pause.reason);
}
