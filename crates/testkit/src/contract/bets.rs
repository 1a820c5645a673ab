//! Contract of bets: insert, look-up, views, deletion and events.

use std::time::Duration;

use bolts_bets::{
    Bet, By, Category, Change, EscrowEffect, Event, EventKind, Method, NewBet, ShareToken, Side, SourceUrl,
    Terms, Waits,
};
use bolts_kernel::{BetId, Currency, UserId};
use bolts_ports::{BetKey, BetView, ListFilter, PageRequest, Person};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::{Subject, assert_kept, enqueue, keep, read, shown};
use crate::Scene;
use crate::fixtures::{DAY, HOUR, bolts, private, start, terms, text};
use crate::strategies;

const ALL: PageRequest = PageRequest { limit: 100, after: None };

/// A proptest runner with the same cases in every run, so that a failure comes from a change and not from
/// chance.
pub(super) fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

/// Stores a new bet without a transfer of its stake, because these rules are only about the bet's row.
pub(super) fn insert(store: &dyn Subject, new: NewBet) -> Bet {
    let created = Bet::create(new, start());
    let bet = created.bet.clone();
    keep(store, move |tx| tx.bets().insert(&created));
    bet
}

fn new_bet(scene: &Scene<'_>, creator: UserId, terms: Terms) -> NewBet {
    let id = scene.id::<BetId>();
    NewBet { id, creator, creator_side: Side::A, terms, waits: Waits::default(), arbiter: None }
}

/// The store keeps every combination of absent and present optional terms.
pub fn every_optional_term_is_kept(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    for present in 0..16_u32 {
        let has = |bit: u32| present & (1 << bit) != 0;
        let link = "https://example.com/scores?match=1#top".to_owned();
        let terms = Terms {
            description: text(if has(0) {
                "Two lines,\nand \"quotes\" in 'both' ways; \u{1f327}"
            } else {
                ""
            }),
            source_url: has(1).then(|| SourceUrl::from_stored(link)),
            resolution_date: has(2).then(|| start().after(2 * DAY)),
            time_zone: has(3).then(|| text("Europe/Paris")),
            ..terms()
        };
        assert_kept(store, &insert(store, new_bet(&scene, ann, terms)));
    }
}

/// The store keeps every category, method, currency, side and visibility.
pub fn every_kind_of_term_is_kept(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    for category in Category::ALL {
        assert_kept(store, &insert(store, new_bet(&scene, ann, Terms { category, ..terms() })));
    }
    for method in Method::ALL {
        assert_kept(store, &insert(store, new_bet(&scene, ann, Terms { method, ..terms() })));
    }
    for currency in Currency::ALL {
        let mut terms = terms();
        terms.stake.currency = currency;
        assert_kept(store, &insert(store, new_bet(&scene, ann, terms)));
    }
    for creator_side in [Side::A, Side::B] {
        let visibility = private(&format!("behind side {creator_side}"));
        let new = NewBet { creator_side, ..new_bet(&scene, ann, Terms { visibility, ..terms() }) };
        assert_kept(store, &insert(store, new));
    }
}

/// The store keeps all terms that the form of a new bet accepts unchanged, in any script.
pub fn any_terms_are_kept(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let cases = (strategies::ids::<BetId>(), strategies::terms());
    let outcome = runner(48).run(&cases, |(id, terms)| {
        assert_kept(store, &insert(store, NewBet { id, ..new_bet(&scene, ann, terms) }));
        Ok(())
    });
    outcome.expect("all terms are kept");
}

/// A bet keeps its own waiting times when the configuration changes.
pub fn the_waits_in_force_are_kept(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let seconds = Duration::from_secs;
    let waits = Waits {
        stand: seconds(1),
        lapse: seconds(20),
        dispute_lapse: seconds(300),
        reminder: seconds(4_000),
        arbiter: seconds(50_000),
    };
    assert_kept(store, &insert(store, NewBet { waits, ..new_bet(&scene, ann, terms()) }));
}

/// The token of a private bet finds this bet and no other. A public bet has no token.
pub fn a_private_bet_is_found_by_its_token(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let hidden = |token: &str| Terms { visibility: private(token), ..terms() };
    let (one, other) = (scene.create(ann, hidden("one")), scene.create(ann, hidden("other")));
    scene.create(ann, terms());
    for (token, expected) in [("one", Some(&one)), ("other", Some(&other)), ("ONE", None), ("", None)] {
        let token = ShareToken::new(token.to_owned());
        let queried = read(store.bet(&BetKey::Token(token.clone())));
        assert_eq!(queried.map(|view| view.bet).as_ref(), expected);
        let key = BetKey::Token(token);
        assert_eq!(keep(store, move |tx| tx.bets().lock_to_stake(&key, ann)).as_ref(), expected);
    }
}

/// An update of an unknown bet fails. The update creates neither a bet nor an event.
pub fn an_unknown_bet_cannot_be_updated(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let change = Bet::create(new_bet(&scene, ann, terms()), start());
    let id = change.bet.id;
    assert_eq!(keep(store, move |tx| tx.bets().lock(id)), None);
    let outcome = enqueue(store, move |tx| {
        tx.bets().update(&change)?;
        Ok(bolts_ports::Verdict::Keep)
    });
    assert!(outcome.outcome().is_err());
    assert_eq!(shown(store, id), None);
    assert_eq!(read(store.events(id)), []);
}

/// Every view of a bet shows its creator, and its acceptor once the bet is accepted.
pub fn a_bet_is_seen_with_its_people(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let person = |name: &str| Person { username: None, email: format!("{name}@example.com") };
    let pending = scene.create(ann, terms());
    let id = pending.id;
    let expected = BetView { bet: pending.clone(), creator: person("ann"), acceptor: None, arbiter: None };
    assert_eq!(shown(store, id), Some(expected));
    let key = BetKey::Id(id);
    assert_eq!(keep(store, move |tx| tx.bets().lock_to_stake(&key, bob)), Some(pending.clone()));
    let accepted = scene.accept(&pending, bob);
    let expected =
        BetView { bet: accepted, creator: person("ann"), acceptor: Some(person("bob")), arbiter: None };
    let bet = expected.bet.clone();
    let named = keep(store, move |tx| tx.bets().named(bet.clone()));
    assert_eq!(named, expected);
    assert_eq!(shown(store, id).as_ref(), Some(&expected));
    assert_eq!(read(store.bets_of(bob, None, ALL)), read(store.public_bets(&ListFilter::default(), ALL)));
    assert_eq!(read(store.bets_of(bob, None, ALL)).items, [expected]);
}

/// The look-up finds a bet between two users while both stakes are in escrow, whichever of them created the
/// bet. There is never a bet between a user and the same user.
pub fn open_bets_between_two_are_known(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob, cay) = (scene.user("ann"), scene.user("bob"), scene.user("cay"));
    let open = |one, other| keep(store, move |tx| tx.bets().depends_on(one, other));
    let pending = scene.create(ann, terms());
    assert!(!open(ann, bob), "nobody has accepted");
    let accepted = scene.accept(&pending, bob);
    assert!(open(ann, bob) && open(bob, ann));
    assert!(!open(ann, cay) && !open(ann, ann));
    scene.settle(&accepted, bolts_bets::Outcome::A);
    assert!(!open(ann, bob));
}

/// No query and no lock finds a deleted bet. The bet may be public or private, and its creator or an admin may
/// have deleted it.
pub fn a_deleted_bet_is_gone_everywhere(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob, admin) = (scene.user("ann"), scene.user("bob"), scene.user("admin"));
    let hidden = Terms { visibility: private("secret"), ..terms() };
    let taken_back = scene.create(ann, hidden);
    let disputed = scene.dispute_of(ann, bob);
    let settled = scene.settle(&scene.accept(&scene.create(ann, terms()), bob), bolts_bets::Outcome::A);
    let now = scene.now();
    let gone = [
        scene.record(taken_back.delete(ann, now).expect("may be deleted")),
        scene.record(bolts_resolution::admin_delete(disputed, admin, now).expect("may be removed")),
        scene.record(bolts_resolution::admin_delete(settled, admin, now).expect("may be removed")),
    ];
    for id in gone.map(|bet| bet.id) {
        assert_eq!(shown(store, id), None);
        let key = BetKey::Id(id);
        let (locked, staked) =
            keep(store, move |tx| Ok((tx.bets().lock(id)?, tx.bets().lock_to_stake(&key, bob)?)));
        assert!(locked.is_none() && staked.is_none());
        assert_eq!(read(store.events(id)), []);
    }
    let token = ShareToken::new("secret".to_owned());
    assert_eq!(read(store.bet(&BetKey::Token(token.clone()))), None);
    let key = BetKey::Token(token);
    assert_eq!(keep(store, move |tx| tx.bets().lock_to_stake(&key, bob)), None);
    assert_eq!(read(store.public_bets(&ListFilter::default(), ALL)).items, []);
    assert_eq!(read(store.bets_of(ann, None, ALL)).items, []);
    assert_eq!(read(store.disputes(ALL)).items, []);
    assert_eq!(read(store.market_stats()), bolts_ports::MarketStats::default());
    assert_eq!(read(store.stats(ann)), bolts_ports::Stats::default());
    assert_eq!(read(store.overdue(now.after(100 * DAY), 100)), []);
}

/// Events are in the order in which they were recorded, even if their times are equal. A change without an
/// event adds no event. Each bet has its own events.
pub fn events_come_oldest_first(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let other = scene.create(bob, terms());
    let accepted = scene.accept(&scene.create(ann, terms()), bob);
    let silent =
        Change { bet: accepted.clone(), event: None, escrow: EscrowEffect::Unchanged, notices: vec![] };
    scene.record(silent);
    scene.clock.advance(HOUR);
    let settled = scene.settle(&accepted, bolts_bets::Outcome::B);
    let said = |event: &Event| (event.at, event.kind, event.by, event.detail.clone());
    let outcome = Some("B".to_owned());
    let expected = [
        (start(), EventKind::Created, By::Creator, None),
        (start(), EventKind::Accepted, By::Acceptor, None),
        (scene.now(), EventKind::Proposed, By::Creator, outcome.clone()),
        (scene.now(), EventKind::Agreed, By::Acceptor, outcome),
    ];
    let events = read(store.events(settled.id));
    assert_eq!(events.iter().map(said).collect::<Vec<_>>(), expected);
    assert_eq!(read(store.events(other.id)).iter().map(said).collect::<Vec<_>>(), expected[..1]);
}

/// A read of the events has the latest ones of a bet that has very many, oldest first.
pub fn the_latest_five_hundred_events_are_read(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let bet = scene.create(ann, terms());
    let mut events = read(store.events(bet.id));
    for number in 1..=500 {
        let detail = Some(number.to_string());
        let event = Event { at: scene.now(), kind: EventKind::Rejected, by: By::Acceptor, detail };
        events.push(event.clone());
        let (bet, notices) = (bet.clone(), Vec::new());
        scene.record(Change { bet, event: Some(event), escrow: EscrowEffect::Unchanged, notices });
    }
    assert_eq!(read(store.events(bet.id)), events[1..]);
}

/// The store keeps every kind of event by every kind of author, with and without a detail.
pub fn every_kind_of_event_is_kept(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, admin) = (scene.user("ann"), scene.user("admin"));
    let bet = scene.create(ann, terms());
    let mut expected = read(store.events(bet.id));
    for kind in EventKind::ALL {
        for by in [By::Creator, By::Acceptor, By::Admin(admin), By::Arbiter, By::Clock] {
            for detail in [None, Some("B: said \"so\"\nin two lines".to_owned())] {
                let event = Event { at: scene.now(), kind, by, detail };
                expected.push(event.clone());
                let (bet, notices) = (bet.clone(), Vec::new());
                scene.record(Change { bet, event: Some(event), escrow: EscrowEffect::Unchanged, notices });
            }
        }
    }
    assert_eq!(read(store.events(bet.id)), expected);
}

impl Scene<'_> {
    /// Creates a bet of 1 Bolt that its acceptor disputes at once.
    fn dispute_of(&self, creator: UserId, acceptor: UserId) -> Bet {
        let accepted = self.accept(
            &self.create(creator, Terms { stake: bolts(1), opponent_stake: bolts(2).amount, ..terms() }),
            acceptor,
        );
        let proposed = self.propose(&accepted, bolts_bets::Party::Creator, bolts_bets::Outcome::A);
        self.dispute(&proposed, bolts_bets::Party::Acceptor, "It was the other way round.")
    }
}
