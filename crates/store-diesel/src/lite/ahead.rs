use bolts_kernel::{BetId, Currency, UserId};
use bolts_ledger::Account;
use bolts_ports::{BetKey, Standing};

use super::bets::StakedRow;
use super::rows::{PersonRow, ViewRow};
use super::transaction::Found;
use super::user_figures::Change;

/// SQLite reads no rows before a job. It is in the same process, so one statement for several jobs would save little.
#[derive(Default)]
pub(super) struct Ahead {}

#[expect(clippy::unused_self, reason = "PostgreSQL's has rows")]
impl Ahead {
    pub(super) fn clear(&mut self) {}

    pub(super) fn keep(&mut self, _: &[(Account, i64)], _: &[(UserId, i64, bool)], _: &[(UserId, String)]) {}

    pub(super) fn note_figures(&mut self, _: UserId, _: Currency, _: &Change) {}

    pub(super) fn stake(&mut self, _: &BetKey, _: UserId) -> Found<StakedRow> {
        None
    }

    pub(super) fn bet(&mut self, _: BetId) -> Found<ViewRow> {
        None
    }

    pub(super) fn accounts(&self, _: &[Account]) -> Option<Vec<Option<(i64, i64)>>> {
        None
    }

    pub(super) fn person(&self, _: UserId) -> Option<PersonRow> {
        None
    }

    pub(super) fn standing(&self, _: UserId) -> Option<Standing> {
        None
    }

    pub(super) fn results(&self, _: UserId) -> Option<Vec<(i64, bool)>> {
        None
    }

    pub(super) fn new_bet(&mut self) -> Option<i64> {
        None
    }

    pub(super) fn new_account(&mut self) -> Option<i64> {
        None
    }
}
