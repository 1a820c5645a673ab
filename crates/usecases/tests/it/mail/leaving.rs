//! The last mail of a user.

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
