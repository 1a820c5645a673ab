//! The status in the full text of bets. The full text does not follow the changes of an open bet's status, because each
//! change would write all words of the bet again. So it knows for certain only how a bet ended, and a search reads the
//! status of an open bet from `bets`.

use bolts_bets::Status;
use bolts_ports::ListFilter;

use super::lists::statuses;

const OPEN: [Status; 3] = [Status::Pending, Status::Accepted, Status::AwaitingResolution];

/// The statuses that the full text may have for the bets of this filter. `None` if the filter allows every status.
pub(super) fn tagged(filter: &ListFilter) -> Option<Vec<Status>> {
    filter.status?;
    let mut tags = statuses(filter.status);
    if tags.iter().any(|status| OPEN.contains(status)) {
        tags.retain(|status| !OPEN.contains(status));
        tags.extend(OPEN);
    }
    Some(tags)
}

/// The condition that a hit has a status of the filter, with ` AND ` in front. Empty if the full text knows it already.
/// `hit` is the column with the `seq` of the hit.
pub(super) fn has_status(filter: &ListFilter, hit: &str) -> String {
    let wanted = statuses(filter.status);
    if filter.status.is_none() || !wanted.iter().any(|status| OPEN.contains(status)) {
        return String::new();
    }
    let names: Vec<_> = wanted.iter().map(|status| format!("'{status}'")).collect();
    // A join would let PostgreSQL read the whole table of bets.
    format!(" AND (SELECT status FROM bets WHERE bets.seq = {hit}) IN ({})", names.join(", "))
}
