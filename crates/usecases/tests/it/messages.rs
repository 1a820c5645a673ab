//! Messages and pictures whose rules depend on the time.

use std::time::Duration;

use bolts_bets::{EventKind, Outcome, Text, Visibility};
use bolts_kernel::{BetId, MessageId, PictureId};
use bolts_messages::{DELETABLE_FOR, LOOSE_KEPT, Refusal};
use bolts_ports::{BetKey, MessageOrder, MessageQueries, MessageView, PageRequest};
use bolts_usecases::bets::Create;
use bolts_usecases::messages::{MessageError, NewMessage, NewPicture, On};
use bolts_usecases::notifications::words;
use bolts_usecases::{Actor, Hourly, Reply, Rules};
use futures_executor::block_on;

use crate::stage::{DAY, HOUR, Stage};

fn text(words: &str) -> Text {
    Text::from_stored(words.to_owned())
}

fn on(bet: BetId) -> On {
    On { bet, token: None }
}

impl Stage {
    pub(crate) fn try_write(
        &self,
        actor: Actor,
        bet: BetId,
        pictures: &[PictureId],
    ) -> Result<MessageView, MessageError> {
        let new = NewMessage { text: text("Look."), pictures: pictures.to_vec() };
        match block_on(self.app.write_message(actor, on(bet), new, None))? {
            Reply::Done(view) => Ok(view),
            Reply::Replayed(answer) => panic!("repeated: {answer}"),
        }
    }

    pub(crate) fn write(&self, actor: Actor, bet: BetId) -> MessageView {
        self.try_write(actor, bet, &[]).expect("written")
    }

    pub(crate) fn upload(&self, actor: Actor, bet: BetId) -> Result<PictureId, MessageError> {
        let new = NewPicture { file: vec![1, 2, 3], alt: text("A thermometer") };
        block_on(self.app.upload_picture(actor, on(bet), new)).map(|picture| picture.id)
    }

    /// Whether an upload of a user who sees the bet may begin.
    fn begins(&self, actor: Actor, bet: BetId) -> Result<(), MessageError> {
        let seen = self.app.see_bet(&BetKey::Id(bet), Some(actor), None).expect("readable");
        self.app.check_upload_begins(actor, &seen.expect("seen").view.bet)
    }

    pub(crate) fn delete(&self, actor: Actor, bet: BetId, id: MessageId) -> Result<(), MessageError> {
        block_on(self.app.delete_message(actor, on(bet), id))
    }

    fn delete_picture(&self, actor: Actor, id: PictureId) -> Result<(), MessageError> {
        block_on(self.app.delete_picture(actor, id))
    }

    fn messages(&self, bet: BetId) -> Vec<MessageView> {
        let page = PageRequest { limit: 100, after: None };
        self.store.messages(bet, MessageOrder::OldestFirst, page).expect("readable").items
    }
}

#[test]
fn an_author_deletes_for_fifteen_minutes() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let bet = stage.live(ann, bob, DAY);
    let (early, late) = (stage.write(ann, bet).message.id, stage.write(ann, bet).message.id);
    stage.clock.advance(DELETABLE_FOR - Duration::from_secs(1));
    assert_eq!(stage.delete(ann, bet, early), Ok(()));
    stage.clock.advance(Duration::from_secs(1));
    assert_eq!(stage.delete(ann, bet, late), Err(Refusal::TooOld.into()));
    assert_eq!(stage.delete(ann, bet, early), Ok(()), "a repeat changes nothing");
    let root = stage.admin("root");
    assert_eq!(stage.delete(root, bet, late), Ok(()));
    assert!(stage.messages(bet).iter().all(|view| view.message.text().is_none()));
    let recorded = stage.store.admin_actions();
    assert_eq!(recorded.iter().map(|action| action.action).collect::<Vec<_>>(), ["delete_message"]);
    assert_eq!((recorded[0].admin, recorded[0].user), (Some(root.user), Some(ann.user)));
    let other = stage.live(ann, bob, DAY);
    assert_eq!(stage.delete(ann, other, late), Err(MessageError::MessageNotFound));
}

/// Until then the picture is part of no message, so the bet does not show it.
#[test]
fn only_its_author_sees_a_picture_before_a_message_attaches_it() {
    let stage = Stage::new();
    let (ann, bob, root) = (stage.user("ann"), stage.user("bob"), stage.admin("root"));
    let bet = stage.live(ann, bob, DAY);
    let picture = stage.upload(ann, bet).expect("stored");
    let seen_by_all = || {
        let seen = |viewer| stage.app.see_picture(picture, viewer, None).expect("readable").is_some();
        [Some(ann), Some(bob), Some(root), None].map(seen)
    };
    assert_eq!(seen_by_all(), [true, false, false, false]);
    stage.try_write(ann, bet, &[picture]).expect("written");
    assert_eq!(seen_by_all(), [true; 4]);
}

#[test]
fn a_picture_of_a_private_bet_is_seen_by_the_viewers_of_the_bet() {
    let stage = Stage::new();
    let (ann, eve, root) = (stage.user("ann"), stage.user("eve"), stage.admin("root"));
    let bet = stage.created(ann, Create { is_private: true, ..stage.wanted(DAY) }).bet;
    let Visibility::Private(link) = &bet.terms.visibility else { panic!("a public bet") };
    let picture = stage.upload(ann, bet.id).expect("stored");
    stage.try_write(ann, bet.id, &[picture]).expect("written");
    let seen = |viewer, token| stage.app.see_picture(picture, viewer, token).expect("readable").is_some();
    assert_eq!(
        [Some(ann), Some(root), Some(eve), None].map(|viewer| seen(viewer, None)),
        [true, true, false, false]
    );
    assert!(seen(Some(eve), Some(link)) && seen(None, Some(link)));
}

/// A deadline that is due comes before the message, so that a message after the end of a dispute is no evidence.
#[test]
fn a_due_deadline_is_applied_before_a_message() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let bet = stage.live(ann, bob, DAY);
    stage.clock.advance(DAY);
    block_on(stage.app.dispute_bet(bob, bet, "It snowed.".to_owned())).expect("disputed");
    assert!(stage.write(ann, bet).message.is_evidence);
    stage.clock.advance(31 * DAY);
    assert!(!stage.write(ann, bet).message.is_evidence);
    assert_eq!(stage.status(bet), "cancelled");
    let events = bolts_ports::Queries::events(&*stage.store, bet).expect("readable");
    assert!(events.iter().any(|event| event.kind == EventKind::DisputeLapsed));
    stage.assert_sound();
}

/// An admin has no stake in the bet, so the text for the parties would be wrong.
#[test]
fn admins_read_that_a_dispute_is_closed_and_nothing_about_a_stake() {
    let stage = Stage::new();
    let (ann, bob, root) = (stage.user("ann"), stage.user("bob"), stage.user("root"));
    block_on(stage.app.set_admin("root@example.com", true)).expect("an admin");
    for outcome in [Some(Outcome::A), None] {
        let bet = stage.live(ann, bob, DAY);
        stage.clock.advance(DAY);
        if let Some(outcome) = outcome {
            block_on(stage.app.propose_outcome(ann, bet, outcome, None)).expect("proposed");
        }
        block_on(stage.app.dispute_bet(bob, bet, "It snowed.".to_owned())).expect("disputed");
        stage.clock.advance(31 * DAY);
        stage.write(ann, bet);
        let read = |user: Actor| {
            let all = bolts_ports::Queries::notifications(&*stage.store, user.user).expect("readable");
            let texts = all.iter().filter(|one| one.bet == Some(bet)).map(|one| words(&one.body));
            texts.filter(|text| text.title == "Dispute Closed").map(|text| text.message).collect::<Vec<_>>()
        };
        let told = read(root);
        assert_eq!(told.len(), 1);
        assert!(
            told[0].starts_with("Nobody ruled on “")
                && told[0].ends_with("” in time, so the bet was settled without a ruling."),
            "{told:?}"
        );
        assert!(read(bob)[0].contains("It was settled as "), "{:?}", read(bob));
    }
}

#[test]
fn pictures_that_no_message_has_are_removed_after_a_day() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let bet = stage.live(ann, bob, 9 * DAY);
    let (used, loose) = (stage.upload(ann, bet).expect("stored"), stage.upload(ann, bet).expect("stored"));
    let written = stage.try_write(ann, bet, &[used]).expect("written");
    assert_eq!(written.pictures.iter().map(|picture| picture.id).collect::<Vec<_>>(), [used]);
    stage.clock.advance(LOOSE_KEPT);
    block_on(stage.app.tidy()).expect("tidied");
    assert!(stage.store.picture(loose).expect("readable").is_some(), "exactly a day old");
    stage.clock.advance(Duration::from_secs(1));
    block_on(stage.app.tidy()).expect("tidied");
    assert!(stage.store.picture(loose).expect("readable").is_none());
    assert!(stage.store.picture(used).expect("readable").is_some());
    let refused = stage.try_write(ann, bet, &[loose]);
    assert!(matches!(refused, Err(MessageError::Invalid(field)) if field.field == "pictureIds"));
}

#[test]
fn a_deleted_picture_takes_no_place_on_its_bet() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let bet = stage.live(ann, bob, 9 * DAY);
    let pictures: Vec<PictureId> = (0..8).map(|_| stage.upload(ann, bet).expect("stored")).collect();
    assert_eq!(stage.upload(ann, bet), Err(Refusal::ShareUsed(8).into()));
    assert_eq!(stage.delete_picture(ann, pictures[0]), Ok(()));
    assert!(stage.upload(ann, bet).is_ok());
    assert_eq!(stage.upload(ann, bet), Err(Refusal::ShareUsed(8).into()));
    assert_eq!(stage.delete_picture(ann, pictures[0]), Err(MessageError::PictureNotFound));
}

#[test]
fn only_its_author_deletes_a_picture_and_only_before_a_message_has_it() {
    let stage = Stage::new();
    let (ann, bob, root) = (stage.user("ann"), stage.user("bob"), stage.admin("root"));
    let bet = stage.live(ann, bob, DAY);
    let picture = stage.upload(ann, bet).expect("stored");
    let all_others_find_none = || {
        for other in [bob, root] {
            assert_eq!(stage.delete_picture(other, picture), Err(MessageError::PictureNotFound));
        }
    };
    all_others_find_none();
    stage.try_write(ann, bet, &[picture]).expect("written");
    all_others_find_none();
    assert_eq!(stage.delete_picture(ann, picture), Err(Refusal::PictureInMessage.into()));
    assert!(stage.store.picture(picture).expect("readable").is_some());
}

#[test]
fn a_user_uploads_ten_pictures_an_hour_and_eight_to_one_bet() {
    let stage = Stage::with_rules(Rules { signins_per_minute: 0, ..Rules::default() });
    let (ann, bob, cay) = (stage.user("ann"), stage.user("bob"), stage.user("cay"));
    let bets = [stage.live(ann, bob, 9 * DAY), stage.live(ann, bob, 9 * DAY)];
    for bet in [bets[0]; 8].into_iter().chain([bets[1]; 2]) {
        stage.upload(ann, bet).expect("stored");
    }
    let limited = |result: Result<PictureId, MessageError>| matches!(result, Err(MessageError::TooMany(limit)) if limit.kind == Hourly::Pictures);
    assert_eq!(stage.begins(ann, bets[1]), Ok(()), "no request has reached the limit yet");
    assert!(limited(stage.upload(ann, bets[1])));
    assert!(
        matches!(stage.begins(ann, bets[1]), Err(MessageError::TooMany(limit)) if limit.kind == Hourly::Pictures)
    );
    stage.clock.advance(HOUR);
    assert_eq!(stage.begins(ann, bets[1]), Ok(()));
    assert_eq!(stage.upload(ann, bets[0]), Err(Refusal::ShareUsed(8).into()));
    assert!(stage.upload(ann, bets[1]).is_ok());
    for _ in 0..8 {
        stage.upload(bob, bets[0]).expect("the other party has a part of its own");
    }
    stage.clock.advance(HOUR);
    assert_eq!(stage.upload(bob, bets[0]), Err(Refusal::ShareUsed(8).into()));
    assert_eq!(stage.upload(cay, bets[0]), Err(Refusal::MayNotAttach.into()));
    assert_eq!(stage.begins(cay, bets[0]), Err(Refusal::MayNotAttach.into()));
}

/// The attack: the creator names a friend as the arbiter, and both fill the bet with pictures, so that the acceptor has no
/// place for evidence.
#[test]
fn the_creator_and_the_arbiter_take_no_place_of_the_acceptor() {
    let stage = Stage::new();
    let (ann, bob, eve) = (stage.user("ann"), stage.user("bob"), stage.user("eve"));
    stage.name(eve, "eve");
    let create = Create { arbiter: Some("eve".to_owned()), ..stage.wanted(9 * DAY) };
    let bet = stage.created(ann, create).bet.id;
    assert_eq!(stage.begins(eve, bet), Err(Refusal::MayNotAttach.into()), "eve is only invited");
    assert_eq!(stage.upload(eve, bet), Err(Refusal::MayNotAttach.into()));
    block_on(stage.app.answer_invitation(eve, bet, true)).expect("accepted");
    stage.accept(bob, bet);
    for (user, places) in [(ann, 8), (eve, 4), (bob, 8)] {
        for _ in 0..places {
            stage.upload(user, bet).expect("stored");
        }
    }
    stage.clock.advance(HOUR);
    for (user, places) in [(ann, 8), (eve, 4), (bob, 8)] {
        assert_eq!(stage.upload(user, bet), Err(Refusal::ShareUsed(places).into()));
    }
}

#[test]
fn the_hour_of_quiet_begins_with_the_notification() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let bet = stage.live(ann, bob, 9 * DAY);
    let count = || stage.told(bob).iter().filter(|kind| **kind == "message_written").count();
    for (wait, expected) in [(0, 1), (30, 1), (29, 1), (1, 2), (59, 2), (1, 3)] {
        stage.clock.advance(Duration::from_secs(wait * 60));
        stage.write(ann, bet);
        assert_eq!(count(), expected);
    }
    assert!(!stage.told(ann).contains(&"message_written"));
}
