//! Tests of the audit's checks of messages and pictures. Each test breaks an invariant by hand.

use bolts_bets::Text;
use bolts_kernel::{MessageId, PictureId};
use bolts_messages::{Message, NewMessage, Picture, PictureFormat};
use bolts_testkit::{Scene, run, terms};

use super::support::{Raw, TestStore};

const DELETED: &str = "9 each deleted message has neither text nor pictures";
const BELONGS: &str = "9 each picture belongs to the bet and the author of its message";

/// A message with a picture.
struct Sound {
    store: TestStore,
    message: Message,
    picture: PictureId,
}

impl Sound {
    fn new() -> Self {
        let store = TestStore::new();
        let scene = Scene::new(&*store);
        let ann = scene.user("ann");
        let bet = scene.create(ann, terms());
        let text = Text::from_stored("Look.".to_owned());
        let new = NewMessage { id: scene.id::<MessageId>(), author: ann, text };
        let message = Message::write(new, &bet, scene.now()).unwrap();
        let picture = Picture {
            id: scene.id::<PictureId>(),
            bet: bet.id,
            author: ann,
            message: None,
            format: PictureFormat::Png,
            width: 1,
            height: 1,
            alt: Text::from_stored(String::new()),
            created_at: scene.now(),
        };
        let (written, stored) = (message.clone(), picture.clone());
        run(&*store, move |tx| {
            tx.messages().insert_picture(&stored, &[1, 2, 3])?;
            tx.messages().insert(&written, &[stored.id])
        })
        .unwrap();
        Self { store, message, picture: picture.id }
    }

    fn broken(&self, spoil: impl FnOnce(&mut Raw)) -> Vec<(&'static str, String)> {
        assert_eq!(self.store.violations(), []);
        let mut raw = self.store.raw();
        raw.lift_all_rules();
        spoil(&mut raw);
        self.store.violations()
    }
}

#[test]
fn a_deleted_message_with_a_text_or_a_picture_is_found() {
    let sound = Sound::new();
    let found = sound.broken(|raw| raw.run("UPDATE messages SET deleted_at = 5, deleted_by = author_id"));
    assert_eq!(found[0].0, DELETED);
    assert_eq!(found.len(), 1, "{found:?}");
    for id in [sound.message.id.to_string(), sound.picture.to_string()] {
        assert!(found[0].1.contains(&id), "{found:?}");
    }
}

#[test]
fn a_picture_of_another_bet_is_found() {
    let sound = Sound::new();
    let found = sound.broken(|raw| raw.run("UPDATE pictures SET bet_id = 'another'"));
    assert_eq!(
        found,
        [(BELONGS, format!("picture {} does not belong to message {}", sound.picture, sound.message.id))]
    );
}

#[test]
fn the_database_refuses_to_change_or_remove_a_message() {
    let sound = Sound::new();
    let mut raw = sound.store.raw();
    for sql in [
        "UPDATE messages SET body = 'something else'",
        "UPDATE messages SET is_evidence = 1",
        "UPDATE messages SET body = NULL, deleted_at = 5, deleted_by = author_id, created_at = 5",
        "DELETE FROM messages",
    ] {
        assert!(raw.try_run(sql).is_err(), "{sql}");
    }
    raw.run("DELETE FROM pictures; UPDATE messages SET body = NULL, deleted_at = 5, deleted_by = author_id");
}
