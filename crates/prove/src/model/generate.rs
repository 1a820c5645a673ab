//! Random sequences of actions. The choice depends on the state of the model, so that most actions fit the situation.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::Union;
use proptest_state_machine::ReferenceStateMachine;

use super::action::{Action, Expiry, Host, Invoice, Named, Order, Plan, Say, Terms, Token};
use super::bet::{Bet, Outcome, Side};
use super::{ACHIEVEMENTS, FIRST_USERS, GUESTS, HOUR, Money, SECOND, Verdict, World};

/// The numbers in e-mail addresses and usernames are below this one.
const NAMES: u8 = 12;

/// Sequences of actions on the model.
#[derive(Debug)]
pub struct Sequences;

impl ReferenceStateMachine for Sequences {
    type State = World;
    type Transition = Action;

    fn init_state() -> BoxedStrategy<World> {
        any::<bool>().prop_map(World::new).boxed()
    }

    fn transitions(world: &World) -> BoxedStrategy<Action> {
        Union::new_weighted(vec![
            (10, maybe_keyed(of_bets(world))),
            (34, maybe_keyed(on_bets(world))),
            (9, of_time(world)),
            (20, maybe_keyed(of_wallets(world))),
            (7, maybe_keyed(of_users(world))),
            (4, repeats(world)),
            (3, of_news(world)),
            (2, of_keys(world)),
        ])
        .boxed()
    }

    /// Only a user who has signed up acts. A shorter sequence may lack the sign-up.
    fn preconditions(world: &World, action: &Action) -> bool {
        action.user().is_none_or(|user| user < world.users.len())
    }

    fn apply(mut world: World, action: &Action) -> World {
        // During the generation the provider says nothing, so the model's withdrawals stay open here.
        world.step(action, &[]);
        world.complaints.clear();
        world
    }
}

fn user(world: &World) -> BoxedStrategy<usize> {
    let here: Vec<usize> = (0..world.users.len()).filter(|user| !world.users[*user].is_gone).collect();
    let first: Vec<usize> = here.iter().copied().filter(|user| *user < FIRST_USERS + GUESTS).collect();
    // The first users act most, so that they meet on the same bets. A deleted user acts now and then.
    prop_oneof![24 => select(first), 6 => select(here), 2 => 0..world.users.len()].boxed()
}

/// Two of five orders get an idempotency key. There are two keys, so that some are used again.
fn maybe_keyed(actions: BoxedStrategy<Action>) -> BoxedStrategy<Action> {
    // A bet that expires too late today may expire in time tomorrow, so a repeat would not be the same request.
    let is_too_far = |order: &Order| matches!(order, Order::Create { terms, .. } if matches!(terms.expiry, Expiry::TooFar));
    (actions, proptest::option::weighted(0.4, 0..2_u8))
        .prop_map(move |(mut action, new)| {
            if let Action::Order { order, key } = &mut action
                && !is_too_far(order)
            {
                *key = new;
            }
            action
        })
        .boxed()
}

/// Repeats of the latest orders with a key.
fn repeats(world: &World) -> BoxedStrategy<Action> {
    let senders: Vec<(usize, usize)> = world.senders().enumerate().collect();
    let latest: Vec<(usize, usize)> = senders.into_iter().rev().take(8).collect();
    if latest.is_empty() {
        return maybe_keyed(of_bets(world));
    }
    select(latest).prop_map(|(order, user)| Action::Repeat { user, order }).boxed()
}

fn of_keys(world: &World) -> BoxedStrategy<Action> {
    let owners: Vec<usize> = world.owners_of_keys().collect();
    let days = prop_oneof![6 => 1..4_i64, 1 => Just(365), 1 => select(&[0, -1, 366][..])];
    let make = (user(world), days, proptest::bool::weighted(0.95))
        .prop_map(|(user, days, is_right)| Action::MakeKey { user, days, is_right });
    let (keys, stranger) = (0..owners.len() + 1, proptest::bool::weighted(0.1));
    let revoke = (keys.clone(), stranger, user(world)).prop_map(move |(key, is_stranger, user)| {
        let owner = owners.get(key).copied().filter(|_| !is_stranger);
        Action::RevokeKey { user: owner.unwrap_or(user), key }
    });
    prop_oneof![2 => make, 1 => revoke, 2 => keys.prop_map(|key| Action::UseKey { key })].boxed()
}

fn of_news(world: &World) -> BoxedStrategy<Action> {
    let news: Vec<usize> = (0..world.users.len()).map(|user| world.news(user).len()).collect();
    let read = (user(world), any::<proptest::sample::Index>()).prop_map(move |(user, place)| {
        // One place more than there are notifications.
        let place = place.index(news[user] + 1);
        Action::Read { user, place }
    });
    prop_oneof![
        4 => read,
        2 => user(world).prop_map(|user| Action::ReadAll { user }),
        1 => user(world).prop_map(|user| Action::Clear { user }),
    ]
    .boxed()
}

fn side() -> impl Strategy<Value = Side> {
    select(&[Side::A, Side::B][..])
}

fn outcome() -> impl Strategy<Value = Outcome> {
    select(&[Outcome::Wins(Side::A), Outcome::Wins(Side::B), Outcome::Void][..])
}

/// A kind of action on a bet, with its weight.
type Weighted = (u32, BoxedStrategy<Action>);

/// Actions of users on bets for which the check of the action passes, and sometimes of any user on any bet. The first
/// weight applies if the check passes nowhere.
fn fitting<S>(
    world: &World,
    (weight, fit_weight): (u32, u32),
    check: impl Fn(&Bet, usize) -> Verdict,
    action: impl Fn(BoxedStrategy<(usize, usize)>) -> S,
) -> Weighted
where
    S: Strategy<Value = Action> + 'static,
{
    let any_pair = (user(world), 0..world.bets.len() + 1);
    let seen = world.bets.iter().enumerate().filter(|(_, bet)| !bet.is_deleted);
    let users = || (0..world.users.len()).filter(|user| !world.users[*user].is_gone);
    let pairs = seen.flat_map(|(number, bet)| users().map(move |user| (user, number, bet)));
    let fit = pairs.filter(|(user, _, bet)| check(bet, *user).is_ok());
    let fit: Vec<(usize, usize)> = fit.map(|(user, number, _)| (user, number)).collect();
    if fit.is_empty() {
        return (weight, action(any_pair.boxed()).boxed());
    }
    (fit_weight, action(prop_oneof![6 => select(fit), 1 => any_pair].boxed()).boxed())
}

fn of_bets(world: &World) -> BoxedStrategy<Action> {
    let bolts = prop_oneof![20 => 1..400_i64, 1 => Just(1), 1 => Just(0), 1 => Just(100_000_000), 1 => Just(100_000_001)];
    let sats = prop_oneof![20 => 100..9_000_i64, 1 => Just(100), 1 => Just(99)];
    let stake = prop_oneof![
        3 => bolts.prop_map(|stake| (stake, Money::Bolts)),
        2 => sats.prop_map(|stake| (stake, Money::Sats))
    ];
    let stake = stake.prop_flat_map(|(stake, currency)| (Just(stake), against(stake), Just(currency)));
    let expiry = prop_oneof![
        12 => (HOUR..20 * HOUR).prop_map(Expiry::In),
        3 => (1..600 * SECOND).prop_map(Expiry::In),
        1 => select(&[Expiry::In(1), Expiry::In(0), Expiry::In(-1), Expiry::TooFar][..]),
    ];
    let flags =
        (proptest::bool::weighted(0.35), proptest::bool::weighted(0.2), proptest::bool::weighted(0.02));
    // No user has the username with the number 99.
    let arbiter = prop_oneof![
        10 => Just(None),
        8 => (0..(FIRST_USERS + GUESTS) as u8).prop_map(Some),
        3 => (0..NAMES).prop_map(Some),
        1 => Just(Some(99)),
    ];
    let all = (stake, side(), expiry, flags, arbiter);
    let terms = all.prop_map(|((stake, opponent_stake, currency), side, expiry, flags, arbiter)| {
        let (is_manual, is_private, same_options) = flags;
        Terms { stake, opponent_stake, currency, is_manual, side, is_private, expiry, same_options, arbiter }
    });
    (user(world), terms).prop_map(|(user, terms)| Order::Create { user, terms }.plain()).boxed()
}

/// The opponent's stake against this stake: none, odds from 1:100 to 100:1, and stakes that are refused.
fn against(stake: i64) -> BoxedStrategy<Option<i64>> {
    let least = (stake + 99) / 100;
    prop_oneof![
        8 => Just(None),
        8 => (stake / 3..=stake.saturating_mul(3)).prop_map(Some),
        2 => select(vec![Some(least), Some(100 * stake)]),
        1 => select(vec![Some(least - 1), Some(100 * stake + 1), Some(0), Some(-5), Some(i64::MAX)]),
    ]
    .boxed()
}

fn accepting(world: &World) -> Weighted {
    let sides: Vec<Side> = world.bets.iter().map(|bet| bet.creator_side).collect();
    fitting(
        world,
        (5, 60),
        |bet, user| bet.may_accept(user, world.now),
        move |pairs| {
            let token = prop_oneof![5 => Just(Token::Right), 2 => Just(Token::None), 1 => Just(Token::Wrong)];
            let sides = sides.clone();
            (pairs, proptest::bool::weighted(0.93), token).prop_map(move |((user, bet), is_other, token)| {
                let taken = sides.get(bet).copied().unwrap_or(Side::A);
                let free = if taken == Side::A { Side::B } else { Side::A };
                Order::Accept { user, bet, side: if is_other { free } else { taken }, token }.plain()
            })
        },
    )
}

fn responding(world: &World, weights: (u32, u32), accepts: bool) -> Weighted {
    fitting(
        world,
        weights,
        |bet, user| bet.may_respond(user, accepts),
        |pairs| {
            let named =
                prop_oneof![3 => Just(Named::None), 2 => Just(Named::Latest), 1 => Just(Named::Other)];
            (pairs, named)
                .prop_map(move |((user, bet), named)| Order::Respond { user, bet, accepts, named }.plain())
        },
    )
}

fn answering_invitation(world: &World, weights: (u32, u32), accepts: bool) -> Weighted {
    let check = |bet: &Bet, user: usize| match bet.may_answer(user, accepts)? {
        Some(_) => Ok(()),
        None => Err(("", None)),
    };
    fitting(world, weights, check, move |pairs| {
        pairs.prop_map(move |(user, bet)| Action::AnswerInvitation { user, bet, accepts })
    })
}

fn on_bets(world: &World) -> BoxedStrategy<Action> {
    let now = world.now;
    let by_admins = |check: fn(&Bet, usize) -> Verdict| {
        move |bet: &Bet, user: usize| {
            if world.users[user].is_admin { check(bet, user) } else { Err(("", None)) }
        }
    };
    Union::new_weighted(vec![
        accepting(world),
        responding(world, (3, 36), true),
        responding(world, (2, 14), false),
        fitting(world, (1, 2), Bet::may_delete, |pairs| {
            pairs.prop_map(|(user, bet)| Action::Delete { user, bet })
        }),
        fitting(
            world,
            (2, 14),
            |bet, user| bet.may_end_early(user, now),
            |pairs| pairs.prop_map(|(user, bet)| Action::EndEarly { user, bet }),
        ),
        fitting(
            world,
            (4, 48),
            |bet, user| bet.may_propose(user, now),
            |pairs| {
                (pairs, outcome())
                    .prop_map(|((user, bet), outcome)| Order::Propose { user, bet, outcome }.plain())
            },
        ),
        fitting(
            world,
            (2, 14),
            |bet, user| bet.may_dispute(user, now),
            |pairs| pairs.prop_map(|(user, bet)| Action::Dispute { user, bet }),
        ),
        fitting(world, (3, 36), by_admins(Bet::may_rule), |pairs| {
            (pairs, outcome()).prop_map(|((user, bet), outcome)| Order::Rule { user, bet, outcome }.plain())
        }),
        answering_invitation(world, (2, 20), true),
        answering_invitation(world, (1, 4), false),
        fitting(world, (2, 30), Bet::may_arbitrate, |pairs| {
            (pairs, outcome())
                .prop_map(|((user, bet), outcome)| Order::Arbitrate { user, bet, outcome }.plain())
        }),
        fitting(world, (1, 3), by_admins(Bet::may_refund), |pairs| {
            pairs.prop_map(|(user, bet)| Order::Refund { user, bet }.plain())
        }),
        fitting(world, (1, 3), by_admins(Bet::no_conflict), |pairs| {
            pairs.prop_map(|(user, bet)| Action::Remove { user, bet })
        }),
    ])
    .boxed()
}

/// A length of time: of any size, or exactly up to a deadline, one microsecond before it, or one after it.
fn length(world: &World) -> BoxedStrategy<i64> {
    let deadlines = (0..world.bets.len()).filter_map(|bet| world.next_deadline(bet));
    let mut exact: Vec<i64> = deadlines.map(|at| at - world.now).collect();
    exact.extend(world.bets.iter().filter(|bet| bet.is_open()).map(|bet| bet.expires_at - world.now));
    exact.extend(world.bets.iter().filter(|bet| bet.is_open()).map(|bet| bet.acceptors_turn() - world.now));
    exact.extend(world.ends_of_answers().min().map(|at| at - world.now));
    let exact: Vec<i64> =
        exact.into_iter().flat_map(|wait| [wait - 1, wait, wait + 1]).filter(|wait| *wait > 0).collect();
    let some = prop_oneof![
        5 => 1..90 * SECOND,
        4 => 60 * SECOND..2 * HOUR,
        1 => HOUR..30 * HOUR,
    ];
    if exact.is_empty() { some.boxed() } else { prop_oneof![some, select(exact)].boxed() }
}

fn of_time(world: &World) -> BoxedStrategy<Action> {
    let length = || length(world);
    prop_oneof![
        6 => length().prop_map(|micros| Action::Pass { micros }),
        1 => length().prop_map(|micros| Action::Outage { micros }),
        1 => length().prop_map(|micros| Action::Jump { micros }),
        3 => Just(Action::Sweep),
    ]
    .boxed()
}

fn plan() -> impl Strategy<Value = Plan> {
    let said = select(
        &[Say::Paid, Say::Paid, Say::NotSent, Say::Failed, Say::InFlight, Say::NotFound, Say::Unclear][..],
    );
    let then = select(&[Say::Paid, Say::Paid, Say::Failed, Say::NotFound, Say::InFlight, Say::NotSent][..]);
    let fee = prop_oneof![Just(0), 1..20_000_i64, Just(1_000)];
    (proptest::bool::weighted(0.93), said, 0..4_u8, then, fee).prop_map(
        |(is_possible, said, unclear, then, fee_msat)| Plan { is_possible, said, unclear, then, fee_msat },
    )
}

fn host() -> impl Strategy<Value = Host> {
    let wrong = &[Host::OtherAmount, Host::OtherNetwork, Host::Expired, Host::Away, Host::Malformed][..];
    prop_oneof![3 => Just(Host::Right), 2 => select(wrong)]
}

fn of_wallets(world: &World) -> BoxedStrategy<Action> {
    let (deposits, withdrawals) = (world.deposits.len() + 1, world.withdrawals.len() + 1);
    let amount = prop_oneof![12 => 100..50_001_i64, 1 => select(&[0, 99, 100, 50_000, 50_001, -5][..])];
    let deposit = (user(world), amount, proptest::bool::weighted(0.1))
        .prop_map(|(user, amount, is_silent)| Action::Deposit { user, amount, is_silent });
    let msat = prop_oneof![6 => 100_000..9_000_000_i64, 1 => 0..2_000_i64];
    let receive = (FIRST_USERS..FIRST_USERS.max(deposits) + 1, msat)
        .prop_map(|(deposit, msat)| Action::Receive { deposit, msat });
    let owners: Vec<usize> = world.deposits.iter().map(|deposit| deposit.user).collect();
    let stranger = proptest::bool::weighted(0.1);
    let poll = (0..deposits, stranger, user(world)).prop_map(move |(deposit, is_stranger, user)| {
        let owner = owners.get(deposit).copied().filter(|_| !is_stranger);
        Action::Poll { user: owner.unwrap_or(user), deposit }
    });
    let invoice = prop_oneof![
        14 => Just(Invoice::Fresh),
        1 => (0..withdrawals).prop_map(Invoice::Again),
        1 => (0..deposits).prop_map(Invoice::Deposit),
        1 => select(&[Invoice::Expired, Invoice::NoAmount, Invoice::OtherNetwork, Invoice::Garbage][..]),
        4 => host().prop_map(Invoice::Address),
    ];
    let msat = prop_oneof![
        12 => 100_000..9_000_000_i64,
        1 => select(&[98_999, 99_000, 99_001, 100_000, 100_001, 30_000_000, 30_000_001, 100_000_000_001][..]),
    ];
    let withdraw = (user(world), invoice, msat, proptest::bool::weighted(0.95), plan()).prop_map(
        |(user, invoice, msat, is_right, plan)| {
            Order::Withdraw { user, invoice, msat, is_right, plan }.plain()
        },
    );
    prop_oneof![
        3 => deposit,
        4 => receive,
        3 => poll,
        6 => withdraw,
        6 => proptest::bool::weighted(0.15).prop_map(|is_unclear| Action::Work { is_unclear }),
    ]
    .boxed()
}

fn of_users(world: &World) -> BoxedStrategy<Action> {
    let name = 0..NAMES;
    let admin = || prop_oneof![6 => FIRST_USERS - 2..FIRST_USERS, 1 => user(world)];
    let amount = prop_oneof![6 => 1..1_000_i64, 1 => select(&[0, -1, 100_000_000, 100_000_001][..])];
    prop_oneof![
        2 => name.clone().prop_map(|name| Action::SignUp { name }),
        2 => (admin(), name.clone(), amount)
            .prop_map(|(admin, user, amount)| Order::GrantBolts { admin, user, amount }.plain()),
        1 => (admin(), name).prop_map(|(admin, user)| Action::ResetPassword { admin, user }),
        6 => (user(world), 0..ACHIEVEMENTS.len() + 1)
            .prop_map(|(user, achievement)| Action::Claim { user, achievement }),
        3 => (leaving(world), proptest::bool::weighted(0.9))
            .prop_map(|(user, is_right)| Action::DeleteAccount { user, is_right }),
    ]
    .boxed()
}

/// A user who may want to delete the account: mostly one who can.
fn leaving(world: &World) -> BoxedStrategy<usize> {
    let is_free = |user: &usize| !world.users[*user].is_gone && world.obstacles(*user).is_empty();
    let free: Vec<usize> = (0..world.users.len()).filter(is_free).collect();
    if free.is_empty() {
        return user(world);
    }
    prop_oneof![3 => select(free), 2 => user(world)].boxed()
}
