//! Contract of lists: their content, order and pages.

use bolts_bets::{Bet, Category, Method, Outcome, Party, Status, Terms, Visibility};
use bolts_kernel::{BetId, Currency, UserId};
use bolts_ports::{Cursor, ListFilter, ListStatus, PageRequest, Sort};
use bolts_resolution::{Answer, deadlines};

use super::{Subject, read, walk};
use crate::Scene;
use crate::fixtures::{DAY, HOUR, bolts, private, sats, terms, text};

const SORTS: [Sort; 6] =
    [Sort::Newest, Sort::Oldest, Sort::StakeDesc, Sort::StakeAsc, Sort::EndingSoon, Sort::PotDesc];

fn statuses() -> Vec<Option<ListStatus>> {
    let single = Status::ALL.iter().map(|status| Some(ListStatus::Only(*status)));
    [None, Some(ListStatus::Active)].into_iter().chain(single).collect()
}

fn is_in(bet: &Bet, wanted: Option<ListStatus>) -> bool {
    match wanted {
        None => true,
        Some(ListStatus::Active) => [Status::Pending, Status::Accepted].contains(&bet.status()),
        Some(ListStatus::Only(status)) => bet.status() == status,
    }
}

fn ids<'a>(bets: impl IntoIterator<Item = &'a Bet>) -> Vec<BetId> {
    bets.into_iter().map(|bet| bet.id).collect()
}

/// Creates bets in every status, one of them private and one deleted. The stakes and the expiries have only a few
/// different values each, so that many are equal. The odds differ, so that the orders by stake and by pot differ.
fn market(scene: &Scene<'_>, ann: UserId, bob: UserId) -> Vec<Bet> {
    scene.grant(ann, 20_000);
    scene.grant(bob, 20_000);
    (0..20_usize).map(|index| one_of_many(scene, ann, bob, index)).collect()
}

fn one_of_many(scene: &Scene<'_>, ann: UserId, bob: UserId, index: usize) -> Bet {
    let units = [105, 101, 105, 200, 101][index % 5];
    let against = [105, 300, 1_000][index % 3];
    let terms = Terms {
        title: text(["Rain in Paris", "Snow in Oslo"][index % 2]),
        stake: if index % 7 == 3 { sats(units) } else { bolts(units) },
        opponent_stake: bolts(against).amount,
        category: [Category::Weather, Category::Sports, Category::Other][index % 3],
        expires_at: scene.now().after(DAY * [2, 1, 3][index / 2 % 3]),
        visibility: if index == 7 { private("secret") } else { Visibility::Public },
        ..terms()
    };
    let pending = scene.create(ann, terms);
    match index % 6 {
        0 if index == 12 => scene.record(pending.delete(ann, scene.now()).expect("may be deleted")),
        0 => pending,
        1 => scene.accept(&pending, bob),
        2 => scene.propose(&scene.accept(&pending, bob), Party::Creator, Outcome::B),
        3 => scene.settle(&scene.accept(&pending, bob), Outcome::A),
        4 => scene.settle(&scene.accept(&pending, bob), Outcome::Void),
        _ => scene.accept(&pending, bob),
    }
}

/// The expected list of public bets. `bets` must be in the order of their creation.
fn expected(bets: &[Bet], filter: &ListFilter) -> Vec<BetId> {
    let fits = |bet: &&Bet| {
        bet.deletion.is_none()
            && bet.terms.visibility == Visibility::Public
            && filter.category.is_none_or(|category| bet.terms.category == category)
            && is_in(bet, filter.status)
            && filter.currency.is_none_or(|currency| bet.terms.stake.currency == currency)
            && filter.words.iter().all(|word| bet.terms.title.to_lowercase().contains(word))
    };
    let mut shown: Vec<&Bet> = bets.iter().filter(fits).collect();
    if !matches!(filter.sort, Sort::Oldest | Sort::StakeAsc | Sort::EndingSoon) {
        shown.reverse();
    }
    match filter.sort {
        Sort::Newest | Sort::Oldest => {}
        Sort::StakeDesc => shown.sort_by_key(|bet| std::cmp::Reverse(bet.sort_stake().amount)),
        Sort::StakeAsc => shown.sort_by_key(|bet| bet.sort_stake().amount),
        Sort::EndingSoon => shown.sort_by_key(|bet| bet.terms.expires_at),
        Sort::PotDesc => shown.sort_by_key(|bet| std::cmp::Reverse(bet.pot().amount)),
    }
    ids(shown)
}

/// Every combination of filter, order and page size gives a complete list without repeats, even if stakes are
/// equal.
pub fn filters_sorts_and_pages_fit_together(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let bets = market(&scene, ann, bob);
    for filter in filters() {
        let expected = expected(&bets, &filter);
        // The pages of a list in one currency differ from others only in their content, so one size is enough.
        let limits = if filter.currency.is_some() { &[3][..] } else { &[1, 3, 6, 100] };
        for limit in limits {
            let found = walk(*limit, |page| store.public_bets(&filter, page));
            assert_eq!(found, expected, "{filter:?} in pages of {limit}");
        }
    }
}

fn filters() -> Vec<ListFilter> {
    let mut all = Vec::new();
    for category in [None, Some(Category::Weather), Some(Category::Finance)] {
        for status in statuses() {
            for currency in [None, Some(Currency::Sats)] {
                for words in [vec![], vec!["rain".to_owned()]] {
                    let of = |sort| ListFilter { words: words.clone(), category, status, currency, sort };
                    all.extend(SORTS.map(of));
                }
            }
        }
    }
    all
}

/// A pending bet is sorted by what it costs to take its free side, any other bet by its pot. The order of pots counts both
/// stakes of every bet.
pub fn stakes_are_sorted_by_the_cost_of_the_free_side(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let create = |own, against| {
        let terms = Terms { stake: bolts(own), opponent_stake: bolts(against).amount, ..terms() };
        scene.create(ann, terms)
    };
    let (dear, cheap) = (create(2, 190), create(300, 3));
    let live = scene.accept(&create(50, 51), bob);
    let order = |sort, words: &[&str]| {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        let filter = ListFilter { words, sort, ..ListFilter::default() };
        [1, 100].map(|limit| walk(limit, |page| store.public_bets(&filter, page)))
    };
    for words in [&[][..], &["rain"]] {
        let by_stake = ids([&dear, &live, &cheap]);
        assert_eq!(order(Sort::StakeDesc, words), [by_stake.clone(), by_stake.clone()]);
        let up: Vec<BetId> = by_stake.into_iter().rev().collect();
        assert_eq!(order(Sort::StakeAsc, words), [up.clone(), up]);
        let by_pot = ids([&cheap, &dear, &live]);
        assert_eq!(order(Sort::PotDesc, words), [by_pot.clone(), by_pot]);
    }
    // Taken bets change their place: 192 and 303 are pots now.
    scene.accept(&dear, bob);
    scene.accept(&cheap, bob);
    let by_pot = ids([&cheap, &dear, &live]);
    for sort in [Sort::StakeDesc, Sort::PotDesc] {
        assert_eq!(order(sort, &[]), [by_pot.clone(), by_pot.clone()]);
    }
}

/// A list of the bets that end soon begins behind the bets that have expired.
pub fn bets_that_end_soon_have_not_expired(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let bets = market(&scene, ann, bob);
    let now = scene.now().after(DAY);
    for words in [vec![], vec!["rain".to_owned()]] {
        let filter = ListFilter { words, sort: Sort::EndingSoon, ..ListFilter::default() };
        let lives = |id: &BetId| bets.iter().any(|bet| bet.id == *id && bet.terms.expires_at > now);
        let expected: Vec<BetId> = expected(&bets, &filter).into_iter().filter(lives).collect();
        let page = PageRequest { limit: 100, after: Some(Cursor::expiring_after(now)) };
        let found = read(store.public_bets(&filter, page));
        assert_eq!(ids(found.items.iter().map(|view| &view.bet)), expected);
    }
}

/// If new bets appear between two pages, the second page still starts where the first one ended.
pub fn a_page_is_not_shifted_by_new_bets(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    market(&scene, ann, bob);
    for sort in [Sort::Newest, Sort::StakeDesc, Sort::StakeAsc, Sort::EndingSoon, Sort::PotDesc] {
        let filter = ListFilter { sort, ..ListFilter::default() };
        let before = walk(100, |page| store.public_bets(&filter, page));
        let first = read(store.public_bets(&filter, PageRequest { limit: 5, after: None }));
        // New bets that cost more, less and the same to take, with a larger and a smaller pot.
        for (own, against) in [(500, 500), (1, 1), (105, 105)] {
            let opponent_stake = bolts(against).amount;
            scene.create(bob, Terms { stake: bolts(own), opponent_stake, ..terms() });
        }
        let rest = read(store.public_bets(&filter, PageRequest { limit: 100, after: first.next }));
        let seen = ids(first.items.iter().chain(&rest.items).map(|view| &view.bet));
        let seen: Vec<_> = seen.into_iter().filter(|id| before.contains(id)).collect();
        assert_eq!(seen, before, "{sort:?}");
    }
}

/// A user's list contains all bets that the user created or accepted, public or private, in any status,
/// newest first, and no others.
pub fn a_users_bets_are_all_of_them(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob, cay) = (scene.user("ann"), scene.user("bob"), scene.user("cay"));
    let mut bets = market(&scene, ann, bob);
    bets.push(scene.create(bob, terms()));
    bets.push(scene.accept(&scene.create(cay, terms()), ann));
    for user in [ann, bob, cay] {
        for status in statuses() {
            let mine = |bet: &&Bet| bet.party(user).is_some() && bet.deletion.is_none() && is_in(bet, status);
            let expected = ids(bets.iter().rev().filter(mine));
            for limit in [1, 4, 100] {
                let found = walk(limit, |page| store.bets_of(user, status, page));
                assert_eq!(found, expected, "{status:?} in pages of {limit}");
            }
        }
    }
    let nobody = scene.user("dan");
    assert_eq!(walk(9, |page| store.bets_of(nobody, None, page)), []);
}

/// The bet list for admins contains public and private bets in any status, newest first.
pub fn admins_see_every_bet(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let bets = market(&scene, ann, bob);
    for status in statuses() {
        let live = |bet: &&Bet| bet.deletion.is_none() && is_in(bet, status);
        let expected = ids(bets.iter().rev().filter(live));
        for limit in [1, 4, 100] {
            let found = walk(limit, |page| store.all_bets(status, page));
            assert_eq!(found, expected, "{status:?} in pages of {limit}");
        }
    }
}

/// The dispute that has waited longest comes first, whatever the age of its bet. The list contains private bets,
/// but no bets that have ended.
pub fn disputes_wait_in_line(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob, admin) = (scene.user("ann"), scene.user("bob"), scene.user("admin"));
    let made: Vec<Bet> = (0..6)
        .map(|index| {
            let token = format!("secret {index}");
            let visibility = if index == 2 { private(&token) } else { Visibility::Public };
            let expires_at = scene.now().after(DAY);
            let terms = Terms {
                stake: bolts(1 + index),
                opponent_stake: bolts(2).amount,
                expires_at,
                visibility,
                ..terms()
            };
            let accepted = scene.accept(&scene.create(ann, terms), bob);
            scene.propose(&accepted, Party::Creator, Outcome::A)
        })
        .collect();
    let mut line = Vec::new();
    for index in [3, 0, 5, 2, 1] {
        scene.clock.advance(HOUR);
        line.push(scene.dispute(&made[index], Party::Acceptor, "No."));
    }
    let settled = line.remove(2);
    let ruling = bolts_resolution::rule(settled, admin, Outcome::B, "", scene.now());
    scene.record(ruling.expect("may be ruled"));
    for limit in [1, 2, 100] {
        assert_eq!(walk(limit, |page| store.disputes(page)), ids(&line), "in pages of {limit}");
    }
    let agreed = line.remove(0);
    scene.respond(&agreed, Party::Acceptor, Answer::Accept);
    assert_eq!(walk(9, |page| store.disputes(page)), ids(&line));
}

/// A party's unsettled bets are those that await their resolution, and those whose expiry the clock has told. The
/// list leaves out disputed bets and bets with a standing proposal of the party. The soonest next step of the clock
/// comes first.
pub fn unsettled_bets_come_by_their_next_step(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob, cay) = (scene.user("ann"), scene.user("bob"), scene.user("cay"));
    let live = |days: u32, method| {
        let terms = Terms {
            stake: bolts(1),
            opponent_stake: bolts(2).amount,
            expires_at: scene.now().after(DAY * days),
            method,
            ..terms()
        };
        scene.accept(&scene.create(ann, terms), bob)
    };
    let mutual = |days| live(days, Method::MutualAgreement);
    let open_early = |bet: &Bet| {
        scene.record(bolts_resolution::end_early(bet.clone(), ann, scene.now()).expect("may be ended"))
    };
    mutual(9);
    let awaiting = open_early(&mutual(5));
    let declarable = open_early(&live(4, Method::ManualVerification));
    let proposed = scene.propose(&mutual(3), Party::Creator, Outcome::A);
    let rejected = scene.propose(&mutual(2), Party::Creator, Outcome::A);
    let rejected = scene.respond(&rejected, Party::Acceptor, Answer::Reject);
    scene.dispute(&open_early(&mutual(2)), Party::Acceptor, "No.");
    scene.settle(&mutual(2), Outcome::A);
    let (due, untold) = (mutual(1), mutual(1));
    scene.clock.advance(DAY);
    let due = scene.record(deadlines::due(&due, scene.now()).expect("the expiry is due"));

    let mut of_ann = vec![awaiting, declarable, rejected, due];
    let mut of_bob = [of_ann.clone(), vec![proposed]].concat();
    let step = |bet: &Bet| (deadlines::next(bet).map(|next| next.at), bet.id);
    of_ann.sort_by_key(step);
    of_bob.sort_by_key(step);
    let found = |user, limit| {
        let views = read(store.unsettled_of(user, limit, 0));
        assert!(views.iter().all(|view| view.acceptor.is_some()));
        ids(views.iter().map(|view| &view.bet))
    };
    for (user, expected) in [(ann, ids(&of_ann)), (bob, ids(&of_bob)), (cay, Vec::new())] {
        assert_eq!(found(user, 100), expected);
        assert_eq!(found(user, 2), expected.into_iter().take(2).collect::<Vec<_>>());
    }
    scene.record(deadlines::due(&untold, scene.now()).expect("the expiry is due"));
    assert_eq!(found(ann, 100).len(), of_ann.len() + 1);
}
