//! What keeps a user from deleting the account, and what a deletion does with invitations, mails and links.

use bolts_kernel::BetId;
use bolts_ports::{NoticeBody, Queries, StoreError};
use bolts_usecases::accounts::{
    DeletionError, EmailError, PasswordError, PasswordOwner, ProfileDraft, ProfileError, session_hash,
};
use bolts_usecases::bets::Create;
use bolts_usecases::{Actor, Rules};
use futures_executor::block_on;

use crate::stage::{ADDRESS, DAY, HOUR, Stage};

impl Stage {
    /// A new session of the user, and the deletion of the account in it.
    pub(crate) fn leave(&self, name: &str) -> Result<(), DeletionError> {
        let email = format!("{name}@example.com");
        let fresh = block_on(self.app.sign_in(&email, "secret".to_owned(), ADDRESS)).expect("signed in");
        let owner = PasswordOwner { user: fresh.user.id, email, session: session_hash(&fresh.secret) };
        block_on(self.app.delete_account(owner, "secret".to_owned()))
    }

    fn obstacles(&self, actor: Actor) -> Vec<(&'static str, i64)> {
        let all = self.app.obstacles_of(actor.user).expect("readable");
        all.iter().map(|one| (one.kind.as_str(), one.count)).collect()
    }

    /// A bet of `creator` that invites this arbiter and expires after two days.
    fn inviting(&self, creator: Actor, arbiter: &str) -> BetId {
        let create = Create { arbiter: Some(arbiter.to_owned()), ..self.wanted(2 * DAY) };
        self.created(creator, create).bet.id
    }
}

/// The life of one bet with all of its obstacles, for each of the three people of the bet.
#[test]
fn a_bet_keeps_its_people_until_it_ends() {
    let stage = Stage::new();
    let (ann, bob, eve) = (stage.user("ann"), stage.user("bob"), stage.user("eve"));
    stage.name(eve, "eve");
    let bet = stage.live(ann, bob, DAY);
    let judged = stage.inviting(ann, "eve");
    block_on(stage.app.answer_invitation(eve, judged, true)).expect("accepted");
    assert_eq!(stage.obstacles(ann), [("open_bets", 2)]);
    assert_eq!(
        (stage.obstacles(bob), stage.obstacles(eve)),
        (vec![("open_bets", 1)], vec![("arbiter_tasks", 1)])
    );
    stage.clock.advance(DAY);
    block_on(stage.app.dispute_bet(bob, bet, "It snowed.".to_owned())).expect("disputed");
    assert_eq!(stage.obstacles(bob), [("disputed_bets", 1)]);
    for name in ["ann", "bob", "eve"] {
        assert!(matches!(stage.leave(name), Err(DeletionError::InUse(_))), "{name}");
    }
    // The clock ends both bets: the dispute after 30 days, and the bet that nobody took at its expiry.
    stage.clock.advance(31 * DAY);
    for name in ["ann", "bob", "eve"] {
        assert!(stage.leave(name).is_err(), "{name}: the clock has not swept yet");
    }
    stage.sweep();
    for name in ["ann", "bob", "eve"] {
        assert_eq!(stage.leave(name), Ok(()), "{name}");
    }
    assert_eq!((stage.status(bet), stage.status(judged)), ("cancelled", "cancelled"));
    stage.assert_sound();
}

/// The attack: somebody names the user as the arbiter of many bets, so that the user can never leave.
#[test]
fn invitations_do_not_keep_a_user() {
    let stage = Stage::new();
    let (ann, eve) = (stage.user("ann"), stage.user("eve"));
    stage.name(eve, "eve");
    let mut bets = vec![stage.inviting(ann, "eve")];
    // Its expiry is due and not swept yet. The deletion applies it first.
    stage.clock.advance(2 * DAY);
    bets.extend((0..3).map(|_| stage.inviting(ann, "eve")));
    assert_eq!(stage.obstacles(eve), []);
    assert_eq!(stage.leave("eve"), Ok(()));
    assert_eq!(stage.status(bets[0]), "cancelled");
    for bet in &bets[1..] {
        let view = stage.view(*bet);
        assert_eq!(view.bet.arbiter.map(|arbiter| arbiter.status.as_str()), Some("declined"));
        let arbiter = view.arbiter.expect("named").username.expect("a name");
        assert!(arbiter.starts_with("deleted-"), "{arbiter}");
    }
    assert_eq!(stage.told(ann).iter().filter(|kind| **kind == "arbiter_declined").count(), 3);
    stage.assert_sound();
}

#[test]
fn a_deletion_needs_the_password_and_gives_bolts_back() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let fresh =
        block_on(stage.app.sign_in("ann@example.com", "secret".to_owned(), ADDRESS)).expect("signed in");
    let owner = || PasswordOwner {
        user: ann.user,
        email: "ann@example.com".to_owned(),
        session: session_hash(&fresh.secret),
    };
    let wrong = block_on(stage.app.delete_account(owner(), "wrong".to_owned()));
    assert_eq!(wrong, Err(DeletionError::Password(PasswordError::WrongCurrent)));
    assert_eq!(stage.bolts(ann), 1_000);
    assert_eq!(block_on(stage.app.delete_account(owner(), "secret".to_owned())), Ok(()));
    let last = stage.store.transfers().pop().expect("a transfer");
    assert_eq!((last.kind().as_str(), last.money().amount.get()), ("account_closed", 1_000));
    let again = block_on(stage.app.delete_account(owner(), "secret".to_owned()));
    assert!(matches!(again, Err(DeletionError::Password(PasswordError::WrongCurrent))), "{again:?}");
    stage.clock.advance(HOUR);
    let welcome = stage.user("ann");
    assert_ne!(welcome.user, ann.user);
    assert_eq!(stage.bolts(welcome), 1_000);
    stage.assert_sound();
}

#[test]
fn a_deletion_ends_the_open_pages() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    stage.hints();
    assert_eq!(stage.leave("ann"), Ok(()));
    assert!(!stage.is_alive(&ann));
    assert!(stage.asks_for_sessions(&ann));
}

/// The request began before the deletion, and its job runs after the deletion.
#[test]
fn a_late_request_of_a_deleted_user_changes_nothing() {
    let stage = Stage::with_rules(Rules { sends_mail: true, ..Rules::default() });
    let ann = stage.user("ann");
    assert_eq!(stage.leave("ann"), Ok(()));
    let named = || stage.store.user(ann.user).expect("readable").and_then(|user| user.username);
    let before = named();
    let draft = ProfileDraft { username: "ann".to_owned(), ..ProfileDraft::default() };
    let late = block_on(stage.app.set_profile(ann.user, &draft)).err();
    assert_eq!((late, named()), (Some(ProfileError::Store(StoreError::UserGone)), before));
    let late = block_on(stage.app.request_email_confirmation(ann.user, "ann@example.com"));
    assert_eq!(late, Err(EmailError::Store(StoreError::UserGone)));
}

/// After the bet has ended, the other party's actions tell the deleted user nothing.
#[test]
fn a_deleted_user_is_told_nothing() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let root = stage.admin("root");
    let bet = stage.live(ann, bob, DAY);
    stage.propose(ann, bet, bolts_bets::Outcome::A);
    stage.answer(bob, bet, bolts_resolution::Answer::Accept).expect("settled");
    assert_eq!(stage.leave("ann"), Ok(()));
    let text = bolts_bets::Text::from_stored("Thank you.".to_owned());
    let new = bolts_usecases::messages::NewMessage { text, pictures: Vec::new() };
    let on = bolts_usecases::messages::On { bet, token: None };
    block_on(stage.app.write_message(bob, on, new, None)).expect("written");
    block_on(stage.app.remove_bet(root, bet)).expect("deleted");
    assert_eq!(stage.told(ann), [""; 0]);
    let told = stage.store.notifications(bob.user).expect("readable");
    assert!(told.iter().any(|one| matches!(one.body, NoticeBody::Bet { .. })), "bob is told");
    stage.assert_sound();
}
