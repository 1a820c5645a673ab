//! The removal of some of the old rows of a table.

/// Counts the rows that are removed, and keeps all others after the maximum number.
pub(super) struct Removal {
    limit: u64,
    removed: u64,
}

impl Removal {
    /// The removal of at most `limit` rows.
    pub(super) fn of(limit: u32) -> Self {
        Self { limit: limit.into(), removed: 0 }
    }

    /// Whether the next row stays. `is_new` says whether it stays in any case.
    pub(super) fn keeps(&mut self, is_new: bool) -> bool {
        let is_kept = is_new || self.removed == self.limit;
        self.removed += u64::from(!is_kept);
        is_kept
    }

    pub(super) const fn removed(&self) -> u64 {
        self.removed
    }
}
