//! Tests of commands that behave in the same way on both databases.

use std::process::Output;
use std::time::Duration;

use serde_json::json;

use crate::harness::Server;

/// Asserts that a command failed with this status, and that its only line of error contains the text `about`. Also asserts that
/// the error contains no password. The passwords of these tests begin with `hush`.
pub(crate) fn one_line_of_error(output: &Output, status: i32, about: &str) {
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{error}");
    assert_eq!(error.trim_end().lines().count(), 1, "{error}");
    assert!(error.contains(about) && !error.contains("panicked"), "{about:?} in {error:?}");
    assert!(!error.contains("hush"), "{error}");
}

#[test]
fn sigterm_stops_cleanly_and_keeps_confirmed_changes() {
    let mut server = Server::start();
    let ann = server.user("ann");
    let bet = ann.bet(200);
    let (code, took) = server.stop();
    assert_eq!(code, Some(0));
    assert!(took < Duration::from_secs(10), "an idle connection must not hold it up: {took:?}");
    server.restart();
    let again = server.client().with_cookie(ann.cookie());
    assert_eq!((again.bolts(), &again.see(&bet)["status"]), (800, &json!("pending")));
    server.assert_audit_clean();
}

#[test]
fn admins_are_granted_listed_and_revoked() {
    let server = Server::start();
    let ann = server.user("ann");
    let unknown = server.command(&["admin", "grant", "nobody@example.com"]);
    one_line_of_error(&unknown, 1, "nobody@example.com");
    assert!(server.command(&["admin", "grant", "Ann@Example.com"]).status.success());
    assert_eq!(ann.get("/api/auth/user").ok(200)["isAdmin"], true);
    let list = server.command(&["admin", "list"]);
    assert_eq!(String::from_utf8_lossy(&list.stdout).trim(), "ann@example.com");
    assert!(server.command(&["admin", "revoke", "ann@example.com"]).status.success());
    assert_eq!(ann.get("/api/auth/user").ok(200)["isAdmin"], false);
    assert!(server.command(&["admin", "list"]).stdout.is_empty());
}
