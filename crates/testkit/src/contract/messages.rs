//! Contract of messages and pictures.

use bolts_bets::Bet;
use bolts_kernel::{MessageId, PictureId, Timestamp, UserId};
use bolts_messages::{LOOSE_KEPT, Message, NewMessage, Picture, PictureFormat};
use bolts_ports::{AttachedPicture, MessageOrder, MessageView, PageRequest, StoreError};

use super::{Subject, keep, read};
use crate::Scene;
use crate::fixtures::{HOUR, private, run, terms, text};

fn message(scene: &Scene<'_>, bet: &Bet, author: UserId, words: &str) -> Message {
    scene.clock.advance(HOUR);
    let new = NewMessage { id: scene.id::<MessageId>(), author, text: text(words) };
    Message::write(new, bet, scene.now()).expect("may write")
}

fn written(scene: &Scene<'_>, store: &dyn Subject, bet: &Bet, author: UserId, words: &str) -> Message {
    with_pictures(scene, store, bet, author, words, &[])
}

fn with_pictures(
    scene: &Scene<'_>,
    store: &dyn Subject,
    bet: &Bet,
    author: UserId,
    words: &str,
    pictures: &[PictureId],
) -> Message {
    let (message, pictures) = (message(scene, bet, author, words), pictures.to_vec());
    let inserted = message.clone();
    keep(store, move |tx| tx.messages().insert(&inserted, &pictures));
    message
}

fn uploaded(scene: &Scene<'_>, store: &dyn Subject, bet: &Bet, author: UserId, bytes: &[u8]) -> Picture {
    let picture = Picture {
        id: scene.id::<PictureId>(),
        bet: bet.id,
        author,
        message: None,
        format: if bytes.len() > 3 { PictureFormat::Jpeg } else { PictureFormat::Png },
        width: 640,
        height: u32::try_from(bytes.len()).expect("a short file"),
        alt: text("A thermometer \"in snow\""),
        created_at: scene.now(),
    };
    let (inserted, bytes) = (picture.clone(), bytes.to_vec());
    keep(store, move |tx| tx.messages().insert_picture(&inserted, &bytes));
    picture
}

fn first(limit: u32) -> PageRequest {
    PageRequest { limit, after: None }
}

fn listed(store: &dyn Subject, bet: &Bet) -> Vec<MessageView> {
    read(store.messages(bet.id, MessageOrder::OldestFirst, first(100))).items
}

fn texts(views: &[MessageView]) -> Vec<Option<&str>> {
    views.iter().map(|view| view.message.text()).collect()
}

/// A message is found as it was written, with its author, by the list and by a job.
pub fn a_message_is_kept_with_its_author(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let (bet, other) = (scene.create(ann, terms()), scene.create(ann, terms()));
    let mut evidence = message(&scene, &bet, bob, "It’s snowing — 🎲\n\"look\": <b>");
    evidence.is_evidence = true;
    let inserted = evidence.clone();
    keep(store, move |tx| tx.messages().insert(&inserted, &[]));
    let plain = written(&scene, store, &bet, ann, "No.");
    written(&scene, store, &other, ann, "elsewhere");

    let views = listed(store, &bet);
    let messages: Vec<_> = views.iter().map(|view| &view.message).collect();
    assert_eq!(messages, [&evidence, &plain]);
    assert_eq!(views[0].author.email, "bob@example.com");
    assert!(views.iter().all(|view| view.pictures.is_empty()));
    let id = evidence.id;
    assert_eq!(keep(store, move |tx| tx.messages().lock(id)), Some(evidence.clone()));
    let seen = keep(store, move |tx| tx.messages().view(evidence.clone()));
    assert_eq!(seen, views[0]);
    assert_eq!(read(store.bet_of_message(id)), Some(bet.id));
    let unknown = scene.id::<MessageId>();
    assert_eq!(read(store.bet_of_message(unknown)), None);
    assert_eq!(keep(store, move |tx| tx.messages().lock(unknown)), None);
}

/// Both orders list every message once, in pages, and a new message does not move the pages.
pub fn messages_are_paged_in_both_orders(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let (bet, other) = (scene.create(ann, terms()), scene.create(ann, terms()));
    let mut expected: Vec<MessageId> = Vec::new();
    for number in 0..7 {
        expected.push(written(&scene, store, &bet, ann, &format!("number {number}")).id);
        written(&scene, store, &other, ann, "between");
    }
    for order in [MessageOrder::OldestFirst, MessageOrder::NewestFirst] {
        for limit in [1, 3, 7, 20] {
            let (mut found, mut after) = (Vec::new(), None);
            loop {
                let page = read(store.messages(bet.id, order, PageRequest { limit, after }));
                assert!(page.items.len() <= limit as usize);
                found.extend(page.items.iter().map(|view| view.message.id));
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
            assert_eq!(found, expected, "{order:?} by {limit}");
        }
        expected.reverse();
    }
    let page = read(store.messages(bet.id, MessageOrder::NewestFirst, first(3)));
    written(&scene, store, &bet, ann, "new");
    let next =
        read(store.messages(bet.id, MessageOrder::NewestFirst, PageRequest { limit: 3, after: page.next }));
    assert_eq!(texts(&next.items), [Some("number 3"), Some("number 2"), Some("number 1")]);
}

/// A picture is kept byte for byte. It belongs to no message until its author attaches it, in the chosen order.
pub fn pictures_are_kept_and_attached(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let (bet, other) = (scene.create(ann, terms()), scene.create(ann, terms()));
    let every_byte: Vec<u8> = (0..=255).collect();
    let one = uploaded(&scene, store, &bet, ann, &[0, 1, 2]);
    let two = uploaded(&scene, store, &bet, ann, &every_byte);
    let of_bob = uploaded(&scene, store, &bet, bob, &[7]);
    let elsewhere = uploaded(&scene, store, &other, ann, &[8]);

    assert_eq!(read(store.picture(two.id)), Some(two.clone()));
    assert_eq!(read(store.picture_bytes(two.id)), Some(every_byte));
    let loose = |user| keep(store, move |tx| tx.messages().loose_pictures(bet.id, user));
    assert_eq!((loose(ann), loose(bob)), (vec![one.id, two.id], vec![of_bob.id]));
    let uploads = |user| keep(store, move |tx| tx.messages().uploads(bet.id, user));
    assert_eq!((uploads(ann), uploads(bob)), (2, 1));

    let message = with_pictures(&scene, store, &bet, ann, "Look.", &[two.id, one.id]);
    assert_eq!(loose(ann), []);
    let shown = [two.clone(), one.clone()].map(|picture| AttachedPicture::from(&picture));
    assert_eq!(listed(store, &bet)[0].pictures, shown);
    let stored = Picture { message: Some(message.id), ..two.clone() };
    assert_eq!(read(store.picture(two.id)), Some(stored));
    assert_eq!((uploads(ann), uploads(bob)), (2, 1), "attached pictures count too");

    for wrong in [one.id, of_bob.id, elsewhere.id, scene.id::<PictureId>()] {
        let refused = self::message(&scene, &bet, ann, "Again.");
        let kept = run(store, move |tx| tx.messages().insert(&refused, &[wrong]));
        assert!(matches!(kept, Err(StoreError::Broken(_))), "{kept:?}");
    }
    assert_eq!(listed(store, &bet).len(), 1, "a message without its pictures is not kept");
}

/// A deleted message keeps its row without the text. Its pictures are gone.
pub fn a_deleted_message_is_a_trace(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let bet = scene.create(ann, terms());
    let picture = uploaded(&scene, store, &bet, ann, &[1, 2]);
    let kept = uploaded(&scene, store, &bet, ann, &[3]);
    let message = with_pictures(&scene, store, &bet, ann, "Look.", &[picture.id]);
    let other = with_pictures(&scene, store, &bet, ann, "Stays.", &[kept.id]);
    let deleted = message.clone().deleted(bob, scene.now());
    let recorded = deleted.clone();
    keep(store, move |tx| tx.messages().delete(&recorded));

    let views = listed(store, &bet);
    assert_eq!(views.iter().map(|view| &view.message).collect::<Vec<_>>(), [&deleted, &other]);
    assert_eq!((views[0].pictures.len(), views[1].pictures.len()), (0, 1));
    assert_eq!((read(store.picture(picture.id)), read(store.picture_bytes(picture.id))), (None, None));
    assert!(read(store.picture_bytes(kept.id)).is_some());
    let uploads = keep(store, move |tx| tx.messages().uploads(bet.id, ann));
    assert_eq!(uploads, 1, "a deleted picture makes room");

    let unknown = Message { id: scene.id::<MessageId>(), ..deleted };
    assert!(run(store, move |tx| tx.messages().delete(&unknown)).is_err());
}

/// A picture that belongs to no message is deleted alone. A message keeps its pictures.
pub fn a_loose_picture_is_deleted(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let bet = scene.create(ann, terms());
    let [sent, wrong, kept] = [1, 2, 3].map(|byte| uploaded(&scene, store, &bet, ann, &[byte]));
    let message = with_pictures(&scene, store, &bet, ann, "Look.", &[sent.id]);
    let locked = |id: PictureId| keep(store, move |tx| tx.messages().lock_picture(id));
    assert_eq!(locked(wrong.id), Some(wrong.clone()));
    assert_eq!(locked(sent.id), Some(Picture { message: Some(message.id), ..sent.clone() }));

    keep(store, move |tx| tx.messages().delete_picture(wrong.id));
    assert_eq!((read(store.picture(wrong.id)), locked(wrong.id)), (None, None));
    for id in [sent.id, wrong.id] {
        let refused = run(store, move |tx| tx.messages().delete_picture(id));
        assert!(matches!(refused, Err(StoreError::Broken(_))), "{refused:?}");
    }
    for id in [sent.id, kept.id] {
        assert!(read(store.picture_bytes(id)).is_some());
    }
    let uploads = keep(store, move |tx| tx.messages().uploads(bet.id, ann));
    assert_eq!(uploads, 2, "a deleted picture makes room");
}

/// Pictures without a message are removed by their age. Attached pictures stay.
pub fn loose_pictures_are_removed(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let bet = scene.create(ann, terms());
    let attached = uploaded(&scene, store, &bet, ann, &[1]);
    let old = uploaded(&scene, store, &bet, ann, &[2]);
    with_pictures(&scene, store, &bet, ann, "Look.", &[attached.id]);
    scene.clock.advance(LOOSE_KEPT);
    let new = uploaded(&scene, store, &bet, ann, &[3]);
    let remove = |before: Timestamp| keep(store, move |tx| tx.messages().remove_loose_pictures(before, 9));
    assert_eq!(remove(old.created_at), 0);
    assert!(read(store.picture(old.id)).is_some(), "not older than this time");
    assert_eq!(remove(new.created_at), 1);
    let there = [&attached, &old, &new].map(|picture| read(store.picture(picture.id)).is_some());
    assert_eq!(there, [true, false, true]);
}

/// The authors of the latest messages of a bet, each once.
pub fn recent_authors_are_known(store: &dyn Subject) {
    let scene = Scene::new(store);
    let [ann, bob, cay] = ["ann", "bob", "cay"].map(|name| scene.user(name));
    let (bet, other) = (scene.create(ann, terms()), scene.create(ann, terms()));
    for author in [cay, ann, bob, ann, bob] {
        written(&scene, store, &bet, author, "Hello");
    }
    written(&scene, store, &other, cay, "Hello");
    let recent = |count| keep(store, move |tx| tx.messages().recent_authors(bet.id, count));
    assert_eq!(recent(1), [bob]);
    assert_eq!(recent(4), [ann, bob]);
    assert_eq!(recent(50), [ann, bob, cay]);
}

/// The messages of a private bet are stored like any others. Whether somebody may read them is decided above the store.
pub fn messages_of_private_bets_are_kept(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let bet =
        scene.create(ann, bolts_bets::Terms { visibility: private("a secret token of ann"), ..terms() });
    written(&scene, store, &bet, ann, "Between us");
    assert_eq!(texts(&listed(store, &bet)), [Some("Between us")]);
}
