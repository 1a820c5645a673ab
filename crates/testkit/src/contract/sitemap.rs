//! Contract of the list for search engines.

use bolts_bets::{Bet, Terms};
use bolts_ports::{SITEMAP_PART, SitemapEntry};

use super::{Subject, read};
use crate::Scene;
use crate::fixtures::{private, terms};

fn listed(store: &dyn Subject) -> Vec<Vec<SitemapEntry>> {
    (0..read(store.sitemap_parts())).map(|part| read(store.sitemap_part(part))).collect()
}

fn entry(bet: &Bet) -> SitemapEntry {
    SitemapEntry { bet: bet.id, updated_at: bet.updated_at }
}

/// The parts have every public bet once, in the order of creation, with the time of its last change. They have no
/// private and no deleted bets.
pub fn search_engines_see_public_bets(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    assert_eq!((read(store.sitemap_parts()), listed(store)), (0, vec![]));
    assert_eq!(read(store.sitemap_part(0)), []);
    scene.grant(ann, 10_000);
    scene.grant(bob, 10_000);
    let open = scene.create(ann, terms());
    scene.create(ann, Terms { visibility: private("secret"), ..terms() });
    let deleted = scene.create(ann, terms());
    let taken = scene.create(ann, terms());
    scene.record(deleted.delete(ann, scene.now()).expect("may be deleted"));
    let taken = scene.accept(&taken, bob);
    let parts = listed(store);
    assert_eq!(parts.concat(), [entry(&open), entry(&taken)]);
    assert!(parts.iter().all(|part| part.len() <= SITEMAP_PART as usize));
    assert_eq!(read(store.sitemap_part(u32::MAX)), [], "a part that does not exist is empty");
}

/// A bet stays in its part when a bet before it is deleted.
pub fn a_bet_stays_in_its_part(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    scene.grant(ann, 1_000_000);
    let bets: Vec<_> = (0..SITEMAP_PART + 5).map(|_| scene.create(ann, terms())).collect();
    let before = listed(store);
    assert_eq!((before.len(), before.concat().len()), (2, bets.len()));
    let first = bets[0].clone();
    scene.record(first.delete(ann, scene.now()).expect("may be deleted"));
    let after = listed(store);
    assert_eq!((&after[0][..], &after[1]), (&before[0][1..], &before[1]));
}
