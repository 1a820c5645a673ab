//! What users see of bets, and the texts that they write on them.

use std::sync::Arc;

use bolts_bets::{Outcome, ShareToken, Side, Visibility};
use bolts_kernel::{Amount, BetId, FieldError, OperationId};
use bolts_ports::{BetKey, Queries, StoreError, submit};
use bolts_usecases::bets::{
    Accept, AcceptError, AcceptKey, Cooldown, Create, CreateError, arbiters_note, dispute_reason,
};
use bolts_usecases::notifications::words;
use bolts_usecases::{Actor, Reply, Rules};
use futures_executor::block_on;

use crate::stage::{DAY, HOUR, Stage};

impl Stage {
    fn add_sats(&self, actor: Actor, sats: i64) {
        let operation = OperationId::from(u128::from_be_bytes(actor.user.to_bytes()));
        let amount = Amount::new(sats).expect("a valid amount");
        let deposit = bolts_ledger::test_deposit(actor.user, amount, operation, self.now());
        let deposit = [deposit.expect("more than nothing")];
        let posted = submit::<_, StoreError, _>(&*self.store, move |tx| tx.ledger().post(&deposit));
        block_on(posted).expect("posted");
    }
}

#[test]
fn the_creator_reads_who_took_the_bet() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    for taker in ["Somebody", "bob"] {
        stage.live(ann, bob, DAY);
        let told = stage.store.notifications(ann.user).expect("readable");
        let texts: Vec<String> = told.iter().map(|one| words(&one.body).message).collect();
        let expected = format!("{taker} took the other side of “Will it snow?”. It is live.");
        assert!(texts.contains(&expected), "{texts:?}");
        // The second bet is accepted by a user with a username.
        stage.name(bob, "bob");
    }
}

/// Only a reader who came by the link may pass the link on.
#[test]
fn a_private_bet_is_seen_by_its_link_and_by_those_whom_it_concerns() {
    let stage = Stage::new();
    let (ann, eve, root) = (stage.user("ann"), stage.user("eve"), stage.admin("root"));
    let bet = stage.created(ann, Create { is_private: true, ..stage.wanted(DAY) }).bet;
    let Visibility::Private(link) = &bet.terms.visibility else { panic!("a public bet") };
    let other = ShareToken::new("another".to_owned());
    let seen = |key: &BetKey, viewer: Option<Actor>, token: Option<&ShareToken>| {
        let seen = stage.app.see_bet(key, viewer, token).expect("readable");
        seen.map(|seen| seen.with_token)
    };
    let id = BetKey::Id(bet.id);
    for viewer in [None, Some(eve), Some(ann), Some(root)] {
        let concerned = viewer.filter(|viewer| *viewer != eve).map(|_| false);
        assert_eq!(seen(&id, viewer, None), concerned, "{viewer:?}");
        assert_eq!(seen(&id, viewer, Some(&other)), concerned, "{viewer:?}");
        assert_eq!(seen(&id, viewer, Some(link)), Some(true), "{viewer:?}");
        assert_eq!(seen(&BetKey::Token(link.clone()), viewer, None), Some(true), "{viewer:?}");
        assert_eq!(seen(&BetKey::Token(other.clone()), viewer, None), None, "{viewer:?}");
    }
    let public = stage.create(ann, DAY);
    assert_eq!(seen(&BetKey::Id(public), Some(eve), Some(link)), Some(false));
}

#[test]
fn the_bet_with_the_nearest_deadline_is_the_first_that_waits_for_a_user() {
    let stage = Stage::new();
    let (ann, bob, eve) = (stage.user("ann"), stage.user("bob"), stage.user("eve"));
    let root = stage.admin("root");
    stage.name(eve, "eve");
    // The parties have 14 days to settle the first bet, its arbiter 7 days to rule on the second one, and Eve 3 days to
    // answer the proposal about the third one. The admins have 30 days for the last one.
    let silent = stage.live(eve, ann, DAY);
    let judged = Create { arbiter: Some("eve".to_owned()), ..stage.wanted(DAY) };
    let judged = stage.created(ann, judged).bet.id;
    block_on(stage.app.answer_invitation(eve, judged, true)).expect("accepted");
    stage.accept(bob, judged);
    let proposed = stage.live(ann, eve, DAY);
    let disputed = stage.live(ann, bob, DAY);
    let turns = |actor: Actor| -> Vec<BetId> {
        let views = stage.app.turns_of(actor).expect("readable");
        views.iter().map(|view| view.bet.id).collect()
    };
    assert_eq!((turns(eve), turns(root)), (vec![], vec![]), "a live bet waits for nobody");
    stage.clock.advance(DAY);
    stage.sweep();
    stage.propose(ann, proposed, Outcome::A);
    for bet in [judged, disputed] {
        block_on(stage.app.dispute_bet(bob, bet, "It snowed.".to_owned())).expect("disputed");
    }
    assert_eq!(turns(eve), [proposed, judged, silent]);
    assert_eq!(turns(root), [disputed]);
    assert_eq!(turns(bob), []);
}

/// The attack: two users name a third one as the arbiter of many small bets that end soon.
#[test]
fn many_invitations_hide_neither_a_task_nor_its_notification() {
    let stage = Stage::with_rules(Rules { bets_per_hour: 0, ..Rules::default() });
    let (ann, eve) = (stage.user("ann"), stage.user("eve"));
    let inviters = [stage.user("bob"), stage.user("cay")];
    stage.name(eve, "eve");
    let task = stage.live(ann, eve, 2 * DAY);
    stage.propose(ann, task, Outcome::A);
    let invite = |inviter: Actor| {
        let mut small = Create { arbiter: Some("eve".to_owned()), ..stage.wanted(2 * HOUR) };
        small.draft.stake_amount = 1;
        stage.created(inviter, small).bet.id
    };
    let told = |kind: &str| stage.told(eve).iter().filter(|one| **one == kind).count();
    for inviter in inviters.repeat(101) {
        invite(inviter);
    }
    let turns = stage.app.turns_of(eve).expect("readable");
    assert_eq!((turns[0].bet.id, turns.len()), (task, 1 + 20));
    assert_eq!((told("outcome_proposed"), told("arbiter_invited")), (1, 2));

    let invited = invite(inviters[0]);
    stage.write(inviters[0], invited);
    assert_eq!(told("message_written"), 0, "the user has not accepted");
    block_on(stage.app.answer_invitation(eve, invited, true)).expect("accepted");
    stage.write(inviters[0], invited);
    assert_eq!(told("message_written"), 1);
    stage.clock.advance(HOUR);
    invite(inviters[0]);
    assert_eq!(told("arbiter_invited"), 3, "one an hour from each user");
}

#[test]
fn the_arbiter_is_another_user_of_the_site() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    stage.name(ann, "ann");
    let own = "You cannot be the arbiter of your own bet.";
    for (arbiter, message) in [("ann", own), ("ANN", own), ("nobody", "No user has this username.")] {
        let create = Create { arbiter: Some(arbiter.to_owned()), ..stage.wanted(DAY) };
        let refused = block_on(stage.app.create_bet(ann, create, None));
        assert_eq!(refused, Err(CreateError::Invalid(vec![FieldError::new("arbiter", message)])));
    }
    assert_eq!(stage.bolts(ann), 1_000);
}

/// A person who stole the new password could lose the sats to an accomplice.
#[test]
fn a_new_password_prevents_stakes_of_sats_for_a_day() {
    let stage = Stage::new();
    let (ann, bob, root) = (stage.user("ann"), stage.user("bob"), stage.admin("root"));
    stage.add_sats(ann, 1_000);
    stage.add_sats(bob, 1_000);
    let mut in_sats = stage.wanted(3 * DAY);
    in_sats.draft.currency = "sats".to_owned();
    let offered = stage.created(bob, in_sats.clone()).bet.id;
    block_on(stage.app.reset_password(root, "ann@example.com")).expect("reset");
    stage.clock.advance(DAY - HOUR);
    let cooldown = Cooldown { retry_after: HOUR };
    let created = block_on(stage.app.create_bet(ann, in_sats.clone(), None));
    assert_eq!(created, Err(CreateError::Cooldown(cooldown)));
    let accept = Accept { key: AcceptKey::Id(offered, None), option: Side::B };
    assert_eq!(block_on(stage.app.accept_bet(ann, accept, None)), Err(AcceptError::Cooldown(cooldown)));
    stage.create(ann, DAY);
    stage.clock.advance(HOUR);
    stage.created(ann, in_sats);
    stage.accept(ann, offered);
    stage.assert_sound();
}

#[test]
fn a_reason_and_an_arbiters_note_have_1_to_2000_characters() {
    for judge in [dispute_reason, arbiters_note] {
        assert_eq!(judge("  It snowed. ").as_deref(), Ok("It snowed."));
        assert_eq!(judge(&"ö".repeat(2_000)), Ok("ö".repeat(2_000)));
        for refused in ["", "   ", &"ö".repeat(2_001)] {
            assert!(judge(refused).is_err(), "{refused:?}");
        }
    }
    assert_eq!(dispute_reason("").map_err(|error| error.field), Err("reason"));
    assert_eq!(arbiters_note("").map_err(|error| error.field), Err("note"));
}

/// A request can read from a replica, which may be behind. It always writes to the one store.
#[test]
fn use_cases_on_other_queries_read_there_and_write_to_the_same_store() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let behind = stage.app.reading_from(Arc::new(stage.store.copy()));
    let created = block_on(behind.create_bet(ann, stage.wanted(DAY), None)).expect("created");
    let Reply::Done(view) = created else { panic!("repeated") };
    let key = BetKey::Id(view.bet.id);
    assert_eq!(behind.see_bet(&key, Some(ann), None), Ok(None));
    assert!(stage.app.see_bet(&key, Some(ann), None).expect("readable").is_some());
}
