//! Verification, change of address, and a new password by mail.

use std::time::Duration;

use bolts_delivery::Channel;
use bolts_ports::{DeliveryQueries, Mail, Queries};
use bolts_usecases::accounts::{EmailError, PasswordError, ResetError, SignedIn, StepUpRequired};
use bolts_usecases::{Actor, App, Rules};
use futures_executor::block_on;

use super::{Post, only, rules, subjects, token};
use crate::stage::{ADDRESS, DAY, HOUR, Stage, owner};

pub(super) fn sign_in(app: &App, email: &str, password: &str) -> Option<SignedIn> {
    block_on(app.sign_in(email, password.to_owned(), ADDRESS)).ok()
}

/// A user with a session, who has got all mails so far.
fn signed_in(post: &Post) -> (Actor, SignedIn) {
    let ann = post.user("ann");
    let session = sign_in(&post.stage.app, "ann@example.com", "secret").expect("signed in");
    post.deliver();
    (ann, session)
}

fn gone() -> bolts_ports::Undelivered {
    bolts_ports::Undelivered::Gone("550 5.1.1 no such user".to_owned())
}

impl Post {
    fn forget(&self, email: &str) -> Vec<Mail> {
        block_on(self.stage.app.request_password_reset(email, ADDRESS)).expect("always");
        self.deliver()
    }

    fn reset(&self, token: &str, password: &str) -> Result<(), ResetError> {
        let reset = self.stage.app.reset_password_by_mail(token.to_owned(), password.to_owned(), ADDRESS);
        block_on(reset)
    }

    pub(super) fn change(&self, session: &SignedIn, password: &str, new: &str) -> Result<(), EmailError> {
        block_on(self.stage.app.request_email_change(owner(session), password.to_owned(), new.to_owned()))
    }

    fn is_alive(&self, session: &SignedIn) -> bool {
        self.stage.app.session(&session.secret).expect("readable").is_some()
    }
}

fn is_invalid(result: Result<(), ResetError>) -> bool {
    matches!(result, Err(ResetError::Token(_)))
}

#[test]
fn a_token_confirms_once_and_within_a_day() {
    let post = Post::new();
    let ann = post.stage.user("ann");
    let first = token(&only(post.deliver()));
    assert!(!post.stage.app.has_confirmed_email(ann.user).expect("readable"));
    post.stage.clock.advance(DAY);
    assert!(matches!(post.confirm(&first), Err(EmailError::Token(_))), "expired");
    block_on(post.stage.app.request_email_confirmation(ann.user, "ann@example.com")).expect("requested");
    let second = token(&only(post.deliver()));
    assert_ne!(first, second);
    assert_eq!(post.confirm(&second), Ok(()));
    assert!(matches!(post.confirm(&second), Err(EmailError::Token(_))), "used");
    assert!(post.stage.app.has_confirmed_email(ann.user).expect("readable"));
    block_on(post.stage.app.request_email_confirmation(ann.user, "ann@example.com")).expect("nothing to do");
    assert_eq!(post.deliver(), [], "the address is confirmed");
}

/// The first attempt may have arrived although it failed here: both links work, and the first use ends both.
#[test]
fn every_link_of_a_repeated_mail_works_until_one_is_used() {
    let post = Post::new();
    post.stage.user("ann");
    post.relay.refuses([bolts_ports::Undelivered::Unavailable("cut".to_owned())]);
    let first = token(&only(post.deliver()));
    post.stage.clock.advance(HOUR / 60);
    let second = token(&only(post.deliver()));
    assert_eq!(post.confirm(&first), Ok(()));
    assert!(post.confirm(&second).is_err());
}

#[test]
fn a_confirmed_address_gets_no_more_links_to_confirm_it() {
    let post = Post::new();
    let ann = post.stage.user("ann");
    block_on(post.stage.app.request_email_confirmation(ann.user, "ann@example.com")).expect("requested");
    post.relay.refuses([bolts_ports::Undelivered::Later("451 4.7.1 greylisted".to_owned())]);
    let [_, second] = &post.deliver()[..] else { panic!("two mails") };
    post.stage.clock.advance(HOUR / 60);
    assert_eq!(post.confirm(&token(second)), Ok(()));
    assert_eq!(post.deliver(), [], "the repetition of the first mail");
}

#[test]
fn a_user_is_told_that_the_address_to_confirm_does_not_exist() {
    let post = Post::new();
    let ann = post.stage.user("ann");
    post.relay.refuses([gone()]);
    assert_eq!(subjects(&post.deliver()), [("ann@example.com", "Confirm your email address")]);
    assert_eq!(post.notified(ann), ["email_stopped"]);
}

#[test]
fn a_user_is_told_that_a_requested_address_does_not_exist_and_keeps_the_old_one() {
    let post = Post::new();
    let (ann, session) = signed_in(&post);
    assert_eq!(post.change(&session, "secret", "mistyped@example.com"), Ok(()));
    post.relay.refuses([gone(), gone()]);
    let mails = post.deliver();
    assert_eq!(subjects(&mails)[2..], [("ann@example.com", "New Email Address Refused")]);
    let told = post.notified(ann);
    assert!(told.contains(&"new_email_refused") && !told.contains(&"email_stopped"), "{told:?}");
    let state = post.stage.app.email_state(ann.user, "ann@example.com").expect("readable");
    assert_eq!((state.is_confirmed, state.stopped), (true, None));
}

#[test]
fn many_accounts_send_a_stranger_a_limited_number_of_mails() {
    let post = Post::new();
    let sessions: Vec<SignedIn> = (0..6)
        .map(|number| {
            post.user(&format!("user{number}"));
            let email = format!("user{number}@example.com");
            let session = sign_in(&post.stage.app, &email, "secret").expect("signed in");
            post.deliver();
            session
        })
        .collect();
    let change = |session| post.change(session, "secret", "stranger@example.com");
    sessions[..5].iter().for_each(|session| assert_eq!(change(session), Ok(())));
    assert!(matches!(change(&sessions[5]), Err(EmailError::TooMany(_))));
}

/// The user has left the old mailbox. The new address works.
#[test]
fn an_old_address_that_does_not_exist_any_more_stops_nothing() {
    let post = Post::new();
    let (ann, session) = signed_in(&post);
    assert_eq!(post.change(&session, "secret", "new@example.com"), Ok(()));
    let mails = post.deliver();
    let confirm = mails.iter().find(|mail| mail.to == "new@example.com").expect("a mail");
    assert_eq!(post.confirm(&token(confirm)), Ok(()));
    post.relay.refuses([gone()]);
    let told =
        [("ann@example.com", "Your email address was changed"), ("new@example.com", "Email Address Changed")];
    assert_eq!(subjects(&post.deliver()), told, "the first one is refused");
    assert!(!post.notified(ann).contains(&"email_stopped"));
    let state = post.stage.app.email_state(ann.user, "new@example.com").expect("readable");
    assert_eq!((state.is_confirmed, state.stopped), (true, None));
}

/// A mail to the old address is under way while the user confirms another one.
#[test]
fn a_late_refusal_of_the_old_address_leaves_the_new_one_alone() {
    let post = Post::new();
    let (ann, session) = signed_in(&post);
    let bob = post.stage.user("bob");
    assert_eq!(post.change(&session, "secret", "new@example.com"), Ok(()));
    let mails = post.deliver();
    let confirm = mails.iter().find(|mail| mail.to == "new@example.com").expect("a mail");
    post.stage.live(ann, bob, DAY);
    let (_, routes) = block_on(post.courier.take()).expect("claimed");
    assert_eq!(post.confirm(&token(confirm)), Ok(()));
    post.relay.refuses([gone()]);
    routes.into_iter().for_each(|route| block_on(post.courier.carry(route)).expect("carried"));
    assert_eq!(subjects(&post.relay.mails()), [("ann@example.com", "Bet Accepted")]);
    let state = post.stage.app.email_state(ann.user, "new@example.com").expect("readable");
    assert_eq!((state.is_confirmed, state.stopped), (true, None));
    assert!(!post.notified(ann).contains(&"email_stopped"));
}

#[test]
fn a_reset_sets_the_password_ends_all_sessions_and_begins_a_cooldown() {
    let post = Post::new();
    let ann = post.user("ann");
    let before = sign_in(&post.stage.app, "ann@example.com", "secret").expect("signed in");
    assert_eq!(subjects(&post.deliver()), [("ann@example.com", "New Sign-in")]);
    let mails = post.forget(" Ann@Example.com ");
    assert_eq!(subjects(&mails), [("ann@example.com", "Set a new password")]);
    let token = token(&only(mails));
    assert_eq!(post.reset(&token, "another"), Ok(()));
    assert!(!post.is_alive(&before));
    assert!(sign_in(&post.stage.app, "ann@example.com", "secret").is_none());
    assert!(is_invalid(post.reset(&token, "a third")), "used");
    let until = bolts_testkit::run(&*post.stage.store, move |tx| tx.users().lock_cooldown(ann.user));
    assert_eq!(until, Ok::<_, bolts_ports::StoreError>(Some(post.stage.now().after(DAY))));
    assert_eq!(post.notified(ann)[0], "password_reset");
    assert_eq!(subjects(&post.deliver()), [("ann@example.com", "Password Reset")]);
    assert!(sign_in(&post.stage.app, "ann@example.com", "another").is_some());
}

/// The mail with the link arrived, so the address is the user's.
#[test]
fn a_reset_confirms_the_address() {
    let post = Post::new();
    let ann = post.stage.user("ann");
    post.deliver();
    let is_confirmed = || post.stage.app.has_confirmed_email(ann.user).expect("readable");
    let token = token(&only(post.forget("ann@example.com")));
    assert!(!is_confirmed());
    assert_eq!(post.reset(&token, "another"), Ok(()));
    assert!(is_confirmed());
}

#[test]
fn a_changed_password_is_mailed() {
    let post = Post::new();
    let ann = post.user("ann");
    let session = sign_in(&post.stage.app, "ann@example.com", "secret").expect("signed in");
    assert_eq!(subjects(&post.deliver()), [("ann@example.com", "New Sign-in")]);
    let change = post.stage.app.change_password(owner(&session), "secret".to_owned(), "another".to_owned());
    block_on(change).expect("changed");
    assert_eq!(post.notified(ann)[0], "password_changed");
    assert_eq!(subjects(&post.deliver()), [("ann@example.com", "Password Changed")]);
}

#[test]
fn a_reset_token_expires_and_cannot_be_guessed_or_used_for_something_else() {
    let post = Post::new();
    post.stage.user("ann");
    let confirmation = token(&only(post.deliver()));
    let reset = token(&only(post.forget("ann@example.com")));
    assert!(matches!(post.confirm(&reset), Err(EmailError::Token(_))), "of another purpose");
    assert!(is_invalid(post.reset(&confirmation, "another")), "of another purpose");
    for guess in ["", "a", &"A".repeat(43), &reset[1..]] {
        assert!(is_invalid(post.reset(guess, "another")), "{guess}");
    }
    post.stage.clock.advance(30 * Duration::from_secs(60));
    assert!(is_invalid(post.reset(&reset, "another")), "expired");
    assert!(sign_in(&post.stage.app, "ann@example.com", "secret").is_some(), "nothing has changed");
}

#[test]
fn a_reset_belongs_to_one_user() {
    let post = Post::new();
    post.stage.user("ann");
    post.stage.user("bob");
    post.deliver();
    let ann = token(&only(post.forget("ann@example.com")));
    let bob = token(&only(post.forget("bob@example.com")));
    assert_eq!(post.reset(&ann, "of ann"), Ok(()));
    assert!(sign_in(&post.stage.app, "bob@example.com", "secret").is_some());
    assert_eq!(post.reset(&bob, "of bob"), Ok(()));
    assert!(sign_in(&post.stage.app, "ann@example.com", "of ann").is_some());
}

/// A thief who reads an old mail must not undo what the owner or an admin did since.
#[test]
fn a_new_password_ends_the_links_that_were_mailed_before() {
    let post = Post::new();
    let root = Actor { is_admin: true, ..post.user("root") };
    post.stage.user("ann");
    post.deliver();
    let first = token(&only(post.forget("ann@example.com")));
    let session = sign_in(&post.stage.app, "ann@example.com", "secret").expect("signed in");
    let changed = post.stage.app.change_password(owner(&session), "secret".to_owned(), "changed".to_owned());
    block_on(changed).expect("changed");
    assert!(is_invalid(post.reset(&first, "by the thief")));
    let second = token(&only(post.forget("ann@example.com")));
    block_on(post.stage.app.reset_password(root, "ann@example.com")).expect("reset by an admin");
    assert!(is_invalid(post.reset(&second, "by the thief")));
}

#[test]
fn requests_for_known_and_unknown_addresses_leave_the_same_trace() {
    let post = Post::new();
    post.user("ann");
    for email in ["ann@example.com", "nobody@example.com"] {
        block_on(post.stage.app.request_password_reset(email, ADDRESS)).expect("always");
        assert!(
            post.stage.store.is_delivery_due(Channel::Email, post.stage.now()).expect("readable"),
            "{email}"
        );
        let mails = post.deliver();
        assert_eq!(mails.len(), usize::from(email.starts_with("ann")), "only the worker knows");
    }
}

#[test]
fn an_address_gets_three_reset_mails_an_hour_and_nobody_is_told() {
    let post = Post::new();
    post.user("ann");
    let mails: usize = (0..6).map(|_| post.forget("ann@example.com").len()).sum();
    assert_eq!(mails, 3);
    post.stage.clock.advance(HOUR);
    assert_eq!(post.forget("ann@example.com").len(), 1);
}

#[test]
fn a_network_asks_for_twenty_reset_mails_an_hour() {
    let post = Post::new();
    let ask = |n: u32| block_on(post.stage.app.request_password_reset(&format!("a{n}@example.com"), ADDRESS));
    for n in 0..20 {
        assert_eq!(ask(n), Ok(()));
    }
    assert!(matches!(ask(20), Err(ResetError::TooMany(_))));
}

#[test]
fn a_network_tries_a_hundred_tokens_an_hour() {
    let post = Post::new();
    for _ in 0..50 {
        assert!(matches!(post.confirm("guessed"), Err(EmailError::Token(_))));
        assert!(is_invalid(post.reset("guessed", "another")));
    }
    assert!(matches!(post.confirm("guessed"), Err(EmailError::TooMany(_))));
    assert!(matches!(post.reset("guessed", "another"), Err(ResetError::TooMany(_))));
    post.stage.clock.advance(HOUR);
    assert!(is_invalid(post.reset("guessed", "another")));
}

#[test]
fn a_new_address_replaces_the_old_one_once_it_is_confirmed() {
    let post = Post::new();
    let ann = post.user("ann");
    let session = sign_in(&post.stage.app, "ann@example.com", "secret").expect("signed in");
    assert_eq!(subjects(&post.deliver()), [("ann@example.com", "New Sign-in")]);
    let wrong = post.change(&session, "guessed", "new@example.com");
    assert_eq!(wrong, Err(EmailError::Password(PasswordError::WrongCurrent)));
    assert_eq!(post.change(&session, "secret", "ann@example.com"), Err(EmailError::Same));
    assert_eq!(post.change(&session, "secret", "new@example.com"), Ok(()));
    let mut mails = post.deliver();
    mails.sort_by(|a, b| a.to.cmp(&b.to));
    assert_eq!(
        subjects(&mails),
        [
            ("ann@example.com", "A new email address was requested"),
            ("new@example.com", "Confirm your email address"),
        ]
    );
    let email = || post.stage.store.user(ann.user).expect("readable").expect("there").email;
    assert_eq!(email(), "ann@example.com", "nothing changes before the confirmation");
    let state = post.stage.app.email_state(ann.user, &email()).expect("readable");
    assert_eq!(state.requested.as_deref(), Some("new@example.com"));

    let old_link = token(&only(post.forget("ann@example.com")));
    assert_eq!(post.confirm(&token(&mails[1])), Ok(()));
    assert_eq!(email(), "new@example.com");
    assert!(is_invalid(post.reset(&old_link, "by the old mailbox")));
    let mut mails = post.deliver();
    mails.sort_by(|a, b| a.to.cmp(&b.to));
    let told =
        [("ann@example.com", "Your email address was changed"), ("new@example.com", "Email Address Changed")];
    assert_eq!(subjects(&mails), told);
    assert!(sign_in(&post.stage.app, "new@example.com", "secret").is_some());
    assert!(sign_in(&post.stage.app, "ann@example.com", "secret").is_none());
}

/// The attack: a thief with the password requests another address. The owner reads the mail about it, and sets a new password.
/// The thief must not get the account by the link that was mailed before, or by one whose mail comes late.
#[test]
fn a_new_password_ends_a_requested_change_of_the_address() {
    type Owner = fn(&Post, &SignedIn);
    let ways: [(&str, Owner); 3] = [
        ("a change", |post, session| {
            let change =
                post.stage.app.change_password(owner(session), "secret".to_owned(), "changed".to_owned());
            block_on(change).expect("changed");
        }),
        ("a mail", |post, _| {
            let asked = post.forget("ann@example.com");
            let mail = asked.iter().find(|mail| mail.letter.subject == "Set a new password").expect("a mail");
            post.reset(&token(mail), "changed").expect("reset");
        }),
        ("an admin", |post, _| {
            let root = post.stage.admin("root");
            block_on(post.stage.app.reset_password(root, "ann@example.com")).expect("reset");
        }),
    ];
    for (way, set_password) in ways {
        let post = Post::new();
        let ann = post.user("ann");
        let session = sign_in(&post.stage.app, "ann@example.com", "secret").expect("signed in");
        post.deliver();
        assert_eq!(post.change(&session, "secret", "thief@example.com"), Ok(()));
        // The relay takes the mail only later. The first attempt may have arrived all the same.
        post.relay
            .refuses((0..2).map(|_| bolts_ports::Undelivered::Later("451 4.7.1 greylisted".to_owned())));
        let first = post.deliver().into_iter().find(|mail| mail.to == "thief@example.com");
        set_password(&post, &session);
        let state = post.stage.app.email_state(ann.user, "ann@example.com").expect("readable");
        assert_eq!(state.requested, None, "{way}");
        assert!(post.confirm(&token(&first.expect("a mail"))).is_err(), "{way}");
        post.stage.clock.advance(HOUR / 60);
        let late = post.deliver();
        assert!(late.iter().all(|mail| mail.to != "thief@example.com"), "{way}: {late:?}");
        let email = post.stage.store.user(ann.user).expect("readable").expect("there").email;
        assert_eq!(email, "ann@example.com", "{way}");
    }
}

/// The first address had a typing error and belongs to a stranger. Its mail comes late, after the second request.
#[test]
fn a_second_request_ends_the_first_one_whose_mail_comes_late() {
    let post = Post::new();
    let (ann, session) = signed_in(&post);
    assert_eq!(post.change(&session, "secret", "stranger@example.com"), Ok(()));
    post.relay.refuses((0..2).map(|_| bolts_ports::Undelivered::Later("451 4.7.1 greylisted".to_owned())));
    let first = post.deliver().into_iter().find(|mail| mail.to == "stranger@example.com").expect("a mail");
    assert_eq!(post.change(&session, "secret", "new@example.com"), Ok(()));
    let state = post.stage.app.email_state(ann.user, "ann@example.com").expect("readable");
    assert_eq!(state.requested.as_deref(), Some("new@example.com"));
    post.stage.clock.advance(HOUR / 60);
    let mails = post.deliver();
    assert!(mails.iter().all(|mail| mail.to != "stranger@example.com"), "{mails:?}");
    assert!(post.confirm(&token(&first)).is_err());
    let second = mails.iter().find(|mail| mail.to == "new@example.com").expect("a mail");
    assert_eq!(post.confirm(&token(second)), Ok(()));
}

/// A thief with the session and the password, but without the phone, must not take the account by its address.
#[test]
fn another_address_needs_a_proof_of_the_second_factor() {
    let post = Post::new();
    let (ann, session) = signed_in(&post);
    bolts_testkit::run(&*post.stage.store, move |tx| tx.factors().set_second_factor(ann.user, true))
        .expect("stored");
    let required = EmailError::Password(PasswordError::StepUpRequired(StepUpRequired));
    assert_eq!(post.change(&session, "secret", "thief@example.com"), Err(required));
    assert_eq!(post.deliver(), []);
}

/// Two users ask for the same address. The first confirmation gets it.
#[test]
fn an_address_belongs_to_one_user() {
    let post = Post::new();
    post.user("ann");
    post.user("bob");
    let [ann, bob] = ["ann", "bob"]
        .map(|name| sign_in(&post.stage.app, &format!("{name}@example.com"), "secret").expect("signed in"));
    assert_eq!(post.change(&ann, "secret", "bob@example.com"), Err(EmailError::Taken));
    assert_eq!(post.change(&ann, "secret", "new@example.com"), Ok(()));
    let to_new =
        |mails: Vec<Mail>| token(mails.iter().find(|mail| mail.to == "new@example.com").expect("a mail"));
    let of_ann = to_new(post.deliver());
    assert_eq!(post.change(&bob, "secret", "new@example.com"), Ok(()));
    let of_bob = to_new(post.deliver());
    assert_eq!(post.confirm(&of_bob), Ok(()));
    assert_eq!(post.confirm(&of_ann), Err(EmailError::Taken));
}

#[test]
fn confirmations_are_limited_to_five_an_hour() {
    let post = Post::new();
    let ann = post.stage.user("ann");
    let ask = || block_on(post.stage.app.request_email_confirmation(ann.user, "ann@example.com"));
    for _ in 0..5 {
        assert_eq!(ask(), Ok(()));
    }
    assert!(matches!(ask(), Err(EmailError::TooMany(_))));
}

#[test]
fn changes_of_the_address_are_limited_to_five_an_hour() {
    let post = Post::new();
    post.user("ann");
    let session = sign_in(&post.stage.app, "ann@example.com", "secret").expect("signed in");
    for _ in 0..5 {
        assert_eq!(post.change(&session, "secret", "new@example.com"), Ok(()));
    }
    assert!(matches!(post.change(&session, "secret", "new@example.com"), Err(EmailError::TooMany(_))));
}

#[test]
fn without_mail_everything_says_so_and_nothing_waits() {
    let stage = Stage::with_rules(Rules { sends_mail: false, ..rules() });
    assert!(!stage.app.sends_mail() && Post::new().stage.app.sends_mail());
    let ann = stage.user("ann");
    let asked = block_on(stage.app.request_email_confirmation(ann.user, "ann@example.com"));
    assert_eq!(asked, Err(EmailError::NoMail));
    let asked = block_on(stage.app.request_password_reset("ann@example.com", ADDRESS));
    assert_eq!(asked, Err(ResetError::NoMail));
    stage.clock.advance(DAY);
    assert!(!stage.store.is_delivery_due(Channel::Email, stage.now()).expect("readable"));
}

#[test]
fn a_site_can_require_a_confirmed_address() {
    for required in [true, false] {
        let stage = Stage::with_rules(Rules { requires_confirmed_email: required, ..rules() });
        assert_eq!(stage.app.requires_confirmed_email(), required);
    }
}
