//! A disk without space under the database of a running server. A limit on the size of the server's files stands for
//! the end of the disk.

use serde_json::json;

use crate::harness::new_bet;
use crate::wire::Process;

#[test]
fn a_full_disk_is_a_503_until_it_has_space_again() {
    let server = Process::start_with_file_limit(&["--log", "warn"]);
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    let bet = ann.bet(200);
    server.limit_files(Some(1));
    for _ in 0..5 {
        bob.accept(&bet).problem(503, "unavailable");
        ann.post("/api/bets", new_bet(json!({}))).problem(503, "unavailable");
    }
    // Nothing has happened, and reads go on.
    assert_eq!((ann.bolts(), bob.bolts(), &ann.see(&bet)["status"]), (800, 1_000, &json!("pending")));
    assert_eq!(ann.get("/api/bets/my").ok(200).as_array().map(Vec::len), Some(1));

    server.limit_files(None);
    bob.accept(&bet).ok(200);
    assert_eq!((ann.bolts(), bob.bolts()), (800, 800));
    server.assert_audit_clean();
}

/// Otherwise the browser would show that the user has signed out, and a copied cookie would still work.
#[test]
fn a_sign_out_that_fails_keeps_the_cookie_for_another_one() {
    let server = Process::start_with_file_limit(&["--log", "warn"]);
    let ann = server.user("ann");
    let cookie = ann.cookie();
    server.limit_files(Some(1));
    let refused = ann.post("/api/auth/logout", json!({}));
    refused.problem(503, "unavailable");
    assert!(!refused.headers.contains_key("set-cookie"), "{refused:?}");
    assert_eq!(ann.cookie(), cookie);

    server.limit_files(None);
    ann.post("/api/auth/logout", json!({})).ok(200);
    assert_eq!(ann.cookie(), None);
    server.client().with_cookie(cookie).get("/api/auth/user").problem(401, "not_signed_in");
}
