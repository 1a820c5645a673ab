use bolts_bets::{Arbiter, ArbiterStatus};
use bolts_messages::{MAX_TEXT, Refusal, Role, check_attach, message_text};
use proptest::prelude::*;

use crate::support::{ACCEPTOR, ARBITER, CREATOR, STAGES, STRANGER, Stage, bet, now, user, write};

#[test]
fn parties_write_on_every_bet_and_others_on_public_bets() {
    for stage in STAGES {
        for is_private in [false, true] {
            let bet = bet(stage, is_private);
            for author in [CREATOR, ACCEPTOR, STRANGER] {
                let is_party = bet.party(user(author)).is_some();
                let written = write(author, &bet, now());
                if is_private && !is_party {
                    assert_eq!(written, Err(Refusal::MayNotWrite), "{stage:?} {author}");
                } else {
                    let is_evidence = stage == Stage::Disputed && is_party;
                    assert_eq!(written.unwrap().is_evidence, is_evidence, "{stage:?} {author}");
                }
            }
        }
    }
}

#[test]
fn an_arbiter_who_takes_part_writes_and_attaches_pictures_once_accepted() {
    for (status, takes_part, pictures) in [
        (ArbiterStatus::Invited, true, 0),
        (ArbiterStatus::Accepted, true, 4),
        (ArbiterStatus::OutOfTime, true, 4),
        (ArbiterStatus::Declined, false, 0),
        (ArbiterStatus::Resigned, false, 0),
    ] {
        for is_private in [false, true] {
            let mut bet = bet(Stage::Disputed, is_private);
            bet.arbiter = Some(Arbiter { user: user(ARBITER), status });
            let written = write(ARBITER, &bet, now()).map(|message| message.is_evidence);
            let may_write = takes_part || !is_private;
            assert_eq!(written, if may_write { Ok(false) } else { Err(Refusal::MayNotWrite) }, "{status:?}");
            assert_eq!(Role::of(&bet, user(ARBITER)).map_or(0, Role::pictures), pictures, "{status:?}");
            assert_eq!(check_attach(&bet, user(ARBITER)).is_ok(), pictures > 0, "{status:?}");
        }
    }
}

#[test]
fn the_text_is_trimmed_and_has_one_to_a_thousand_characters() {
    assert_eq!(&*message_text("  Hello\nthere \n").unwrap(), "Hello\nthere");
    assert_eq!(message_text(" \n ").unwrap_err().message, "Message is required");
    assert_eq!(
        message_text("\u{7}").unwrap_err().message,
        "Message contains characters that cannot be shown"
    );
}

proptest! {
    #[test]
    fn lengths_count_characters(count in 1_usize..1_200, letter in "[a-zé世🎲]") {
        let text = letter.repeat(count);
        prop_assert_eq!(message_text(&text).is_ok(), count <= MAX_TEXT);
    }
}
