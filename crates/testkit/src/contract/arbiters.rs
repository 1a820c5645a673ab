//! Contract of arbiters: they are kept with their bets, and their lists have what waits for them.

use bolts_bets::{ArbiterStatus, Bet, NewBet, Party, Side, Waits};
use bolts_kernel::{BetId, UserId};
use bolts_ports::{BetKey, BetView, NamedUser, Page, PageRequest, Person, Profile, StoreError};
use bolts_resolution::{answer_invitation, deadlines};

use super::audit::violations;
use super::{Subject, assert_kept, keep, read, shown};
use crate::Scene;
use crate::fixtures::{private, run, terms};

const ALL: PageRequest = PageRequest { limit: 100, after: None };

fn created(scene: &Scene<'_>, creator: UserId, arbiter: UserId) -> Bet {
    let (id, waits) = (scene.id::<BetId>(), Waits::default());
    let arbiter = Some(arbiter);
    let new = NewBet { id, creator, creator_side: Side::A, terms: terms(), waits, arbiter };
    scene.insert(Bet::create(new, scene.now()))
}

fn answered(scene: &Scene<'_>, bet: &Bet, accept: bool) -> Bet {
    let arbiter = bet.arbiter.expect("an arbiter").user;
    let change = answer_invitation(bet.clone(), arbiter, accept, scene.now());
    scene.record(change.expect("may answer"))
}

fn ids(page: Page<BetView>) -> Vec<BetId> {
    page.items.into_iter().map(|view| view.bet.id).collect()
}

/// The store keeps the arbiter of a bet with every status, and the events of the arbiter.
pub fn an_arbiter_is_kept_with_every_status(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob, eve) = (scene.user("ann"), scene.user("bob"), scene.user("eve"));
    let invited = created(&scene, ann, eve);
    assert_kept(store, &invited);
    assert_kept(store, &answered(&scene, &created(&scene, ann, eve), false));
    let accepted = answered(&scene, &invited, true);
    assert_kept(store, &accepted);
    let live = scene.accept(&accepted, bob);
    let open = scene.propose(&live, Party::Creator, bolts_bets::Outcome::A);
    let disputed = scene.dispute(&open, Party::Acceptor, "No.");
    scene.clock.set(deadlines::arbiter_deadline(&disputed).expect("the arbiter rules"));
    let late = scene.record(deadlines::due(&disputed, scene.now()).expect("a step of the clock"));
    assert_eq!(late.arbiter.map(|one| one.status), Some(ArbiterStatus::OutOfTime));
    assert_kept(store, &late);
    let resigned = answered(&scene, &answered(&scene, &created(&scene, ann, eve), true), false);
    assert_kept(store, &resigned);
    let kinds: Vec<_> = read(store.events(resigned.id)).iter().map(|event| event.kind.as_str()).collect();
    assert_eq!(kinds, ["created", "arbiter_accepted", "arbiter_resigned"]);
    assert_eq!(violations(store), Vec::<String>::new());
}

/// Every view of a bet names its arbiter, also the view after an acceptance.
pub fn a_bet_is_seen_with_its_arbiter(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob, eve) = (scene.user("ann"), scene.user("bob"), scene.user("eve"));
    let expected = Some(Person { username: None, email: "eve@example.com".to_owned() });
    let bet = created(&scene, ann, eve);
    assert_eq!(shown(store, bet.id).and_then(|view| view.arbiter), expected);
    let key = BetKey::Id(bet.id);
    let named = keep(store, move |tx| {
        let bet = tx.bets().lock_to_stake(&key, bob)?.expect("the bet is there");
        tx.bets().named(bet)
    });
    assert_eq!(named.arbiter, expected);
    assert_eq!(read(store.bets_of(ann, None, ALL)).items[0].arbiter, expected);
    let without = scene.create(ann, terms());
    assert_eq!(shown(store, without.id).and_then(|view| view.arbiter), None);
}

/// The arbiter of a bet is not its creator. The store refuses such a bet, even if a use case forgets the check.
pub fn a_creator_is_never_the_arbiter(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let (id, waits) = (scene.id::<BetId>(), Waits::default());
    let new = NewBet { id, creator: ann, creator_side: Side::A, terms: terms(), waits, arbiter: Some(ann) };
    let change = Bet::create(new, scene.now());
    let refused = run(store, move |tx| tx.bets().insert(&change));
    assert!(matches!(refused, Err(StoreError::Broken(_))), "{refused:?}");
}

/// The list of an arbiter has the bets of which the user is the active arbiter, newest first, private bets included.
pub fn an_arbiter_lists_the_own_bets(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob, eve) = (scene.user("ann"), scene.user("bob"), scene.user("eve"));
    let list = |user, status| ids(read(store.bets_arbitrated_by(user, status, ALL)));
    let first = created(&scene, ann, eve);
    let second = scene.accept(&answered(&scene, &created(&scene, ann, eve), true), bob);
    let declined = created(&scene, ann, eve);
    created(&scene, ann, bob);
    let id = scene.id::<BetId>();
    let (waits, hidden) = (Waits::default(), bolts_bets::Terms { visibility: private("secret"), ..terms() });
    let new = NewBet { id, creator: ann, creator_side: Side::A, terms: hidden, waits, arbiter: Some(eve) };
    scene.insert(Bet::create(new, scene.now()));
    answered(&scene, &declined, false);
    assert_eq!(list(eve, None), [id, second.id, first.id]);
    let live = Some(bolts_ports::ListStatus::Only(bolts_bets::Status::Accepted));
    assert_eq!((list(eve, live), list(ann, None)), (vec![second.id], vec![]));
    let page = read(store.bets_arbitrated_by(eve, None, PageRequest { limit: 2, after: None }));
    let next = PageRequest { limit: 2, after: page.next };
    assert_eq!(ids(read(store.bets_arbitrated_by(eve, None, next))), [first.id]);
}

/// The look-up finds the open bets of a party whose arbiter may still accept the task or rule.
pub fn a_party_depends_on_an_arbiter_who_may_rule(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob, eve) = (scene.user("ann"), scene.user("bob"), scene.user("eve"));
    let depends = |user| keep(store, move |tx| tx.bets().depends_on(user, eve));
    let invited = created(&scene, ann, eve);
    assert!(depends(ann) && !depends(bob), "the bet is not Bob's yet");
    let accepted = answered(&scene, &invited, true);
    let live = scene.accept(&accepted, bob);
    assert!(depends(ann) && depends(bob));
    assert!(!keep(store, move |tx| tx.bets().depends_on(eve, ann)), "the arbiter has no stake");
    let resigned = answered(&scene, &live, false);
    assert!(!depends(ann) && !depends(bob));
    scene.settle(&resigned, bolts_bets::Outcome::A);
    let settled = answered(&scene, &created(&scene, bob, eve), true);
    assert!(depends(bob));
    scene.settle(&scene.accept(&settled, ann), bolts_bets::Outcome::A);
    assert!(!depends(ann) && !depends(bob));
}

/// A bet waits for its arbiter while the invitation is open, and while its dispute waits for the arbiter. The list of the
/// admins has only the other disputes.
pub fn a_dispute_is_in_one_list(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob, eve) = (scene.user("ann"), scene.user("bob"), scene.user("eve"));
    let waiting =
        || read(store.unsettled_of(eve, 9, 9)).into_iter().map(|view| view.bet.id).collect::<Vec<_>>();
    let admins = || ids(read(store.disputes(ALL)));
    let dispute = |bet: &Bet| {
        let open = scene.propose(&scene.accept(bet, bob), Party::Creator, bolts_bets::Outcome::A);
        scene.dispute(&open, Party::Acceptor, "No.")
    };
    let invited = created(&scene, ann, eve);
    assert_eq!(waiting(), [invited.id]);
    let open = dispute(&invited);
    assert_eq!((waiting(), admins()), (vec![], vec![open.id]), "too late for the invitation");

    let accepted = answered(&scene, &created(&scene, ann, eve), true);
    assert_eq!(waiting(), []);
    let with_arbiter = dispute(&accepted);
    assert_eq!((waiting(), admins()), (vec![with_arbiter.id], vec![open.id]));
    answered(&scene, &with_arbiter, false);
    assert_eq!((waiting(), admins()), (vec![], vec![open.id, with_arbiter.id]));
}

/// Invitations have a part of their own in the list of the bets that wait for a user, so many of them displace neither a task of a
/// party nor a ruling.
pub fn invitations_displace_no_task(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob, eve) = (scene.user("ann"), scene.user("bob"), scene.user("eve"));
    let judged = scene.accept(&answered(&scene, &created(&scene, ann, eve), true), bob);
    let judged = scene.propose(&judged, Party::Creator, bolts_bets::Outcome::A);
    let ruling = scene.dispute(&judged, Party::Acceptor, "No.");
    let task = scene.accept(&scene.create(ann, terms()), eve);
    let task = scene.propose(&task, Party::Creator, bolts_bets::Outcome::A);
    let [first, second, _] = [(); 3].map(|()| created(&scene, ann, eve).id);
    let waiting = |limit, invitations| {
        let views = read(store.unsettled_of(eve, limit, invitations));
        views.into_iter().map(|view| view.bet.id).collect::<Vec<_>>()
    };
    assert_eq!(waiting(2, 2), [first, second, task.id, ruling.id]);
    assert_eq!(waiting(1, 1), [first, task.id]);
    assert_eq!(waiting(2, 0), [task.id, ruling.id]);
}

/// Users are found by their usernames and by the beginning of them, without regard to case.
pub fn users_are_found_by_their_usernames(store: &dyn Subject) {
    let scene = Scene::new(store);
    let named = ["Bob_b", "bob", "a_b", "bobby"].map(|name| {
        let user = scene.user(&format!("of{name}").to_lowercase());
        let profile = Profile { username: name.to_owned(), first_name: None, last_name: None };
        assert!(keep(store, move |tx| tx.users().set_profile(user, &profile)), "the name is free");
        user
    });
    scene.user("nameless");
    let by = |name: &'static str| keep(store, move |tx| tx.users().by_username(name));
    assert_eq!((by("BOB"), by("A_B"), by("bo"), by("axb")), (Some(named[1]), Some(named[2]), None, None));
    let found = |beginning, limit| {
        let users = read(store.users_named(beginning, limit));
        users.into_iter().map(|NamedUser { username, .. }| username).collect::<Vec<_>>()
    };
    assert_eq!(found("bO", 9), ["bob", "Bob_b", "bobby"]);
    assert_eq!(
        (found("bob", 2), found("bob_", 9)),
        (vec!["bob".into(), "Bob_b".into()], vec!["Bob_b".to_owned()])
    );
    assert_eq!((found("c", 9), found("a_", 9)), (vec![], vec!["a_b".to_owned()]));
}
