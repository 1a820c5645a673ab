use bolts_kernel::PictureId;
use bolts_messages::{
    PICTURES_PER_BET, PICTURES_PER_USER, Refusal, Uploads, alternative_text, check_attach, check_chosen,
    check_upload,
};

use crate::support::{ACCEPTOR, CREATOR, STAGES, STRANGER, Stage, bet, user};

#[test]
fn only_parties_upload() {
    for stage in STAGES {
        for is_private in [false, true] {
            let bet = bet(stage, is_private);
            for author in [CREATOR, ACCEPTOR, STRANGER] {
                let is_party = bet.party(user(author)).is_some();
                let expected = if is_party { Ok(()) } else { Err(Refusal::MayNotAttach) };
                assert_eq!(check_upload(&bet, user(author), Uploads::default()), expected);
                assert_eq!(check_attach(&bet, user(author)), expected);
            }
        }
    }
}

#[test]
fn a_bet_has_twenty_pictures_and_each_user_half_of_them() {
    let bet = bet(Stage::Live, false);
    let check = |of_bet, of_user| check_upload(&bet, user(CREATOR), Uploads { of_bet, of_user });
    assert_eq!((PICTURES_PER_BET, PICTURES_PER_USER), (20, 10));
    assert_eq!(check(19, 9), Ok(()));
    assert_eq!(check(20, 0), Err(Refusal::BetFull));
    assert_eq!(check(10, 10), Err(Refusal::ShareUsed));
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
fn the_alternative_text_may_be_empty() {
    assert_eq!(&*alternative_text("  ").unwrap(), "");
    assert!(alternative_text(&"x".repeat(300)).is_ok());
    assert!(alternative_text(&"x".repeat(301)).is_err());
}
