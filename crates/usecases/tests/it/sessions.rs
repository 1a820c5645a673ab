//! The list of a user's sessions, and their end.

use std::net::IpAddr;

use bolts_ports::{NoticeBody, Origin, Queries, SecurityNotice};
use bolts_usecases::accounts::{EndSessionError, SignedIn, Visitor, session_hash};
use futures_executor::block_on;

use crate::keys::make;
use crate::stage::{DAY, HOUR, Stage, owner};

fn on(device: &str, address: [u8; 4]) -> Visitor {
    Visitor { browser: Some(device.to_owned()), ..Visitor::from(IpAddr::from(address)) }
}

fn enter(stage: &Stage, from: Visitor) -> SignedIn {
    block_on(stage.app.sign_in("ann@example.com", "secret".to_owned(), from)).expect("signed in")
}

/// The browser, the network and whether it is the asking session, of each session of the user.
fn listed(stage: &Stage, asking: &SignedIn) -> Vec<(Option<String>, Option<String>, bool)> {
    let all = stage.app.sessions_of(asking.user.id, &session_hash(&asking.secret)).expect("readable");
    all.into_iter().map(|one| (one.origin.device, one.origin.network, one.is_current)).collect()
}

#[test]
fn a_user_sees_where_the_account_is_open() {
    let stage = Stage::new();
    stage.user("ann");
    stage.clock.advance(29 * DAY);
    let laptop = enter(&stage, on("Firefox on Linux", [203, 0, 113, 7]));
    stage.clock.advance(HOUR);
    enter(&stage, on("Chrome on Android", [198, 51, 100, 7]));
    let some = |device: &str, network: &str| (Some(device.to_owned()), Some(network.to_owned()));
    let (phone, own) =
        (some("Chrome on Android", "198.51.100.0/24"), some("Firefox on Linux", "203.0.113.0/24"));
    let shown = [(phone.0, phone.1, false), (own.0, own.1, true)];
    assert_eq!(listed(&stage, &laptop)[..2], shown);
    assert_eq!(listed(&stage, &laptop).len(), 3, "the session of the sign-up is still open");
    stage.clock.advance(DAY);
    assert_eq!(listed(&stage, &laptop), shown, "ended sessions are not shown");
}

#[test]
fn a_sign_in_with_a_new_browser_is_told_and_one_with_a_known_browser_is_not() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    assert_eq!(stage.notified(&ann), [""; 0], "a sign-up is not told");
    let from = on("Firefox on Linux", [203, 0, 113, 7]);
    let first = enter(&stage, from.clone());
    let told = &stage.store.notifications(ann.user.id).expect("readable")[0].body;
    let origin =
        Origin { device: Some("Firefox on Linux".to_owned()), network: Some("203.0.113.0/24".to_owned()) };
    assert_eq!(*told, NoticeBody::Security(SecurityNotice::NewDevice(origin)));
    enter(&stage, Visitor { device: Some(first.device), ..from.clone() });
    assert_eq!(stage.notified(&ann).len(), 1);
    let eve = stage.signed_up("eve");
    enter(&stage, Visitor { device: Some(eve.device), ..from });
    assert_eq!(stage.notified(&ann).len(), 2, "a browser in which somebody else signed in before");
}

#[test]
fn a_user_ends_own_sessions_only() {
    let stage = Stage::new();
    let (ann, bob) = (stage.signed_up("ann"), stage.signed_up("bob"));
    let strange = stage.sign_in("ann", "secret").expect("signed in");
    let all = stage.app.sessions_of(ann.user.id, &session_hash(&strange.secret)).expect("readable");
    let id = all.iter().find(|session| session.is_current).expect("listed").id;
    let end = |session: &SignedIn| block_on(stage.app.end_session(session.user.id, id));
    assert_eq!(end(&bob), Err(EndSessionError::NotFound));
    assert!(stage.is_alive(&strange));
    stage.hints();
    assert_eq!(end(&ann), Ok(()));
    assert_eq!([&strange, &ann, &bob].map(|session| stage.is_alive(session)), [false, true, true]);
    assert!(stage.asks_for_sessions(&ann), "its open pages end");
    assert_eq!(end(&ann), Err(EndSessionError::NotFound));
}

#[test]
fn a_user_has_a_hundred_sessions_and_a_sign_in_ends_the_one_that_was_unused_longest() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    stage.clock.advance(HOUR);
    let unused = stage.sign_in("ann", "secret").expect("signed in");
    stage.clock.advance(HOUR);
    block_on(stage.app.touch_session(&ann.secret)).expect("recorded");
    let mut newest = None;
    for number in 2..=100 {
        assert!(stage.is_alive(&unused), "{number} sessions");
        stage.hints();
        newest = Some(stage.sign_in("ann", "secret").expect("signed in"));
    }
    let newest = newest.expect("signed in");
    assert_eq!([&unused, &ann, &newest].map(|session| stage.is_alive(session)), [false, true, true]);
    assert_eq!(listed(&stage, &newest).len(), 100);
    assert!(stage.asks_for_sessions(&ann), "the open pages of the session end");
}

/// The attack: somebody has copied the cookie of the session in which the owner changes the password.
#[test]
fn a_new_password_ends_the_old_secret_of_its_own_session() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    stage.hints();
    let change = stage.app.change_password(owner(&ann), "secret".to_owned(), "another".to_owned());
    let renewed = SignedIn { secret: block_on(change).expect("changed"), ..ann.clone() };
    assert_eq!((stage.is_alive(&ann), stage.is_alive(&renewed)), (false, true));
    assert_eq!(listed(&stage, &renewed), [(None, Some("127.0.0.0/24".to_owned()), true)]);
    assert!(stage.asks_for_sessions(&ann), "open pages with the old secret end");
}

/// A thief who used a session may have made a key in it.
#[test]
fn the_end_of_all_other_sessions_revokes_the_keys() {
    let stage = Stage::new();
    let (ann, bob) = (stage.signed_up("ann"), stage.signed_up("bob"));
    let thief = [(); 2].map(|()| stage.sign_in("ann", "secret").expect("signed in"));
    let end = || block_on(stage.app.end_other_sessions(ann.user.id, session_hash(&ann.secret)));
    assert_eq!(end(), Ok(2));
    assert!(thief.iter().all(|session| !stage.is_alive(session)));
    assert!(stage.is_alive(&ann) && stage.is_alive(&bob));
    assert!(!stage.notified(&ann).contains(&"api_keys_revoked"), "there was no key");
    let key = make(&stage, &ann).expect("made");
    stage.hints();
    assert_eq!(end(), Ok(0));
    assert_eq!(stage.app.key(&key.secret), Ok(None));
    assert_eq!(stage.notified(&ann)[0], "api_keys_revoked");
    assert!(stage.asks_for_sessions(&ann));
}

#[test]
fn a_sign_out_ends_the_session_on_all_pages() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    stage.hints();
    assert_eq!(block_on(stage.app.sign_out(ann.user.id, &ann.secret)), Ok(()));
    assert!(!stage.is_alive(&ann));
    assert!(stage.asks_for_sessions(&ann));
    assert_eq!(block_on(stage.app.sign_out(ann.user.id, &ann.secret)), Ok(()), "a second time does nothing");
}
