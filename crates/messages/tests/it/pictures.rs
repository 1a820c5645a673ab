use bolts_bets::{Arbiter, ArbiterStatus, Text};
use bolts_kernel::{BetId, MessageId, PictureId};
use bolts_messages::{
    Picture, PictureFormat, Refusal, alternative_text, check_attach, check_chosen, check_upload,
};

use crate::support::{ACCEPTOR, ARBITER, CREATOR, STAGES, STRANGER, Stage, bet, now, user};

#[test]
fn only_parties_upload() {
    for stage in STAGES {
        for is_private in [false, true] {
            let bet = bet(stage, is_private);
            // The bet invites the arbiter.
            for author in [CREATOR, ACCEPTOR, STRANGER, ARBITER] {
                let is_party = bet.party(user(author)).is_some();
                let expected = if is_party { Ok(()) } else { Err(Refusal::MayNotAttach) };
                assert_eq!(check_upload(&bet, user(author), 0), expected);
                assert_eq!(check_attach(&bet, user(author)), expected);
            }
        }
    }
}

#[test]
fn each_party_has_eight_pictures_and_the_arbiter_four() {
    let mut bet = bet(Stage::Live, false);
    bet.arbiter = Some(Arbiter { user: user(ARBITER), status: ArbiterStatus::Accepted });
    for (author, places) in [(CREATOR, 8), (ACCEPTOR, 8), (ARBITER, 4)] {
        let check = |uploads| check_upload(&bet, user(author), uploads);
        assert_eq!(check(places - 1), Ok(()), "{author}");
        // An arbiter may have more pictures than places, from an earlier version.
        for uploads in [places, places + 3] {
            assert_eq!(check(uploads), Err(Refusal::ShareUsed(places)), "{author}");
        }
    }
}

#[test]
fn a_message_takes_each_of_the_authors_loose_pictures_once() {
    let [one, two, three] = [1, 2, 3].map(PictureId::from);
    let loose = [one, two];
    for (chosen, fits) in [
        (vec![], true),
        (vec![one], true),
        (vec![two, one], true),
        (vec![one, one], false),
        (vec![three], false),
        (vec![one, three], false),
    ] {
        assert_eq!(check_chosen(&chosen, &loose).is_ok(), fits, "{chosen:?}");
    }
}

#[test]
fn a_picture_can_be_deleted_alone_until_a_message_has_it() {
    let loose = Picture {
        id: PictureId::from(1),
        bet: BetId::from(2),
        author: user(CREATOR),
        message: None,
        format: PictureFormat::Png,
        width: 1,
        height: 1,
        alt: Text::from_stored(String::new()),
        created_at: now(),
    };
    assert_eq!(loose.check_delete(), Ok(()));
    let sent = Picture { message: Some(MessageId::from(3)), ..loose };
    assert_eq!(sent.check_delete(), Err(Refusal::PictureInMessage));
}

#[test]
fn the_alternative_text_may_be_empty() {
    assert_eq!(&*alternative_text("  ").unwrap(), "");
    assert!(alternative_text(&"x".repeat(300)).is_ok());
    assert!(alternative_text(&"x".repeat(301)).is_err());
}
