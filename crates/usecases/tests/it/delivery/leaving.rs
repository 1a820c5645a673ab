//! The last mail of a user.

use bolts_ports::Undelivered;
use futures_executor::block_on;

use super::{Post, subjects};

#[test]
fn a_deletion_is_mailed_to_a_confirmed_address() {
    let post = Post::new();
    post.user("ann");
    post.stage.user("bob");
    post.deliver();
    for name in ["ann", "bob"] {
        assert_eq!(post.stage.leave(name), Ok(()), "{name}");
    }
    assert_eq!(subjects(&post.deliver()), [("ann@example.com", "Your account was deleted")]);
}

/// A mail is under way while its user deletes the account.
#[test]
fn a_late_refusal_tells_a_deleted_user_nothing() {
    let post = Post::new();
    let ann = post.stage.user("ann");
    let (_, routes) = block_on(post.courier.take()).expect("claimed");
    assert_eq!(post.stage.leave("ann"), Ok(()));
    post.relay.refuses([Undelivered::Gone("550 5.1.1 no such user".to_owned())]);
    routes.into_iter().for_each(|route| block_on(post.courier.carry(route)).expect("carried"));
    assert_eq!(subjects(&post.relay.mails()), [("ann@example.com", "Confirm your email address")]);
    assert_eq!(post.notified(ann), [""; 0]);
}
