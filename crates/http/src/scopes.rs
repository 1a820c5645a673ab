//! Which operations a program may call with an API key (`docs/http-api.md#programs`).
//!
//! Everything else is closed to keys: the account and its security, keys, deletion and export, preferences and webhooks,
//! admin operations, what arbiters decide about the money of others, and every route that is not in the table.

use bolts_keys::Scope;
use bolts_keys::Scope::{Bet, Read, Withdraw};

/// The operations that keys may call, each with the scope that the key must have.
const TABLE: [(&str, &str, Scope); 34] = [
    // Without it, a program does not know its user's id and balance.
    ("GET", "/api/auth/user", Read),
    ("GET", "/api/config", Read),
    ("GET", "/api/users/stats", Read),
    ("GET", "/api/achievements", Read),
    ("GET", "/api/bets/public", Read),
    ("GET", "/api/bets/my", Read),
    ("GET", "/api/bets/arbitrated", Read),
    ("GET", "/api/bets/turn-count", Read),
    ("GET", "/api/bets/total-count", Read),
    ("GET", "/api/bets/stats", Read),
    ("GET", "/api/bets/share/{token}", Read),
    ("GET", "/api/bets/{key}", Read),
    ("GET", "/api/bets/{key}/timeline", Read),
    ("GET", "/api/bets/{key}/messages", Read),
    ("GET", "/api/pictures/{id}", Read),
    ("GET", "/api/notifications", Read),
    ("GET", "/api/deposit/check-status/{id}", Read),
    ("GET", "/api/withdrawals", Read),
    ("GET", "/api/withdrawals/{id}", Read),
    ("GET", "/api/wallet/history", Read),
    ("GET", "/api/wallet/history.csv", Read),
    ("POST", "/api/bets", Bet),
    ("POST", "/api/bets/accept", Bet),
    ("DELETE", "/api/bets/{key}", Bet),
    ("POST", "/api/bets/{key}/early-resolution", Bet),
    ("POST", "/api/bets/{key}/propose-resolution", Bet),
    ("POST", "/api/bets/{key}/respond-resolution", Bet),
    ("POST", "/api/bets/{key}/dispute", Bet),
    ("POST", "/api/bets/{key}/messages", Bet),
    ("POST", "/api/bets/{key}/pictures", Bet),
    ("DELETE", "/api/messages/{id}", Bet),
    ("DELETE", "/api/pictures/{id}", Bet),
    ("POST", "/api/withdrawals", Withdraw),
    ("POST", "/api/withdrawals/quote", Withdraw),
];

/// The operations of the table that also answer requests without a session or key.
const PUBLIC: [&str; 8] = [
    "/api/config",
    "/api/bets/public",
    "/api/bets/total-count",
    "/api/bets/stats",
    "/api/bets/{key}",
    "/api/bets/{key}/timeline",
    "/api/bets/{key}/messages",
    "/api/pictures/{id}",
];

/// The scope that a key needs for an operation. `None` if keys may not call it. `path` is the pattern of the route.
pub(crate) fn needed(method: &str, path: &str) -> Option<Scope> {
    let found = TABLE.iter().find(|(known, pattern, _)| *known == method && *pattern == path);
    found.map(|(_, _, scope)| *scope)
}

/// Whether an operation of the table also answers requests without a session or key.
pub(crate) fn is_public(method: &str, path: &str) -> bool {
    method == "GET" && PUBLIC.contains(&path)
}
