use std::time::Duration;

use bolts_messages::{Content, DELETABLE_FOR, DeletedBy, Refusal};
use proptest::prelude::*;

use crate::support::{ACCEPTOR, CREATOR, STAGES, STRANGER, Stage, bet, now, user, write};

/// Who wrote the message, in which stage, who deletes it in which stage, whether as an admin, whether in time, and the
/// result.
type Line = (u128, Stage, u128, Stage, bool, bool, Result<DeletedBy, Refusal>);

#[test]
fn the_table_of_deletions() {
    use DeletedBy::{Admin, Author};
    use Refusal::{ConflictOfInterest, Evidence, NotAllowed, TooOld};
    use Stage::{Awaiting, Disputed, Live};
    let lines: [Line; 17] = [
        (CREATOR, Live, CREATOR, Live, false, true, Ok(Author)),
        (CREATOR, Live, CREATOR, Live, false, false, Err(TooOld)),
        (CREATOR, Live, ACCEPTOR, Live, false, true, Err(NotAllowed)),
        (CREATOR, Live, STRANGER, Live, false, true, Err(NotAllowed)),
        (CREATOR, Live, STRANGER, Live, true, true, Ok(Admin)),
        (CREATOR, Live, STRANGER, Live, true, false, Ok(Admin)),
        (CREATOR, Live, ACCEPTOR, Live, true, true, Err(ConflictOfInterest)),
        (CREATOR, Live, CREATOR, Live, true, true, Ok(Author)),
        (CREATOR, Live, CREATOR, Live, true, false, Err(TooOld)),
        (CREATOR, Live, CREATOR, Disputed, false, true, Err(Evidence)),
        (CREATOR, Disputed, CREATOR, Disputed, false, true, Err(Evidence)),
        (CREATOR, Disputed, CREATOR, Awaiting, false, true, Err(Evidence)),
        (CREATOR, Disputed, STRANGER, Disputed, true, true, Ok(Admin)),
        (CREATOR, Disputed, ACCEPTOR, Disputed, true, true, Err(ConflictOfInterest)),
        (STRANGER, Disputed, STRANGER, Disputed, false, true, Ok(Author)),
        (STRANGER, Disputed, STRANGER, Disputed, false, false, Err(TooOld)),
        (STRANGER, Disputed, STRANGER, Disputed, true, false, Ok(Admin)),
    ];
    for (author, written_in, deleter, deleted_in, is_admin, in_time, expected) in lines {
        let message = write(author, &bet(written_in, false), now()).unwrap();
        let wait = if in_time { DELETABLE_FOR - Duration::from_micros(1) } else { DELETABLE_FOR };
        let bet = bet(deleted_in, false);
        let found = message.check_delete(&bet, user(deleter), is_admin, now().after(wait));
        assert_eq!(found, expected, "{author} {written_in:?}, {deleter} {deleted_in:?} {is_admin} {in_time}");
    }
}

#[test]
fn a_deleted_message_keeps_its_author_and_time_only() {
    let message = write(CREATOR, &bet(Stage::Live, false), now()).unwrap();
    let later = now().after(Duration::from_secs(60));
    let deleted = message.clone().deleted(user(STRANGER), later);
    assert_eq!((deleted.text(), deleted.deleted_at()), (None, Some(later)));
    assert!(matches!(deleted.content, Content::Deleted(deletion) if deletion.by == user(STRANGER)));
    assert_eq!((deleted.author, deleted.created_at), (message.author, message.created_at));
}

proptest! {
    /// Nobody but an admin who is no party deletes evidence, whatever happened since.
    #[test]
    fn evidence_stays(
        author in 1_u128..=2,
        deleter in 1_u128..=4,
        is_admin: bool,
        stage in 0_usize..4,
        after in 0_u64..100_000,
    ) {
        let message = write(author, &bet(Stage::Disputed, false), now()).unwrap();
        let bet = bet(STAGES[stage], false);
        let found = message.check_delete(&bet, user(deleter), is_admin, now().after(Duration::from_secs(after)));
        let is_other_admin = is_admin && bet.party(user(deleter)).is_none();
        prop_assert_eq!(found == Ok(DeletedBy::Admin), is_other_admin);
        prop_assert_ne!(found, Ok(DeletedBy::Author));
    }
}
