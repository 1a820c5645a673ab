//! Contract of idempotency keys and rate limits.

use std::time::Duration;

use bolts_kernel::{Timestamp, UserId};
use bolts_ports::{IdempotencyKey, RateLimitState, Replay, Verdict};

use super::{Subject, enqueue, keep};
use crate::Scene;
use crate::fixtures::{DAY, HOUR, start};

const INSTANT: Duration = Duration::from_micros(1);

fn key(user: UserId) -> IdempotencyKey {
    let [route, key, body_hash] = ["POST /api/bets", "key", "body"].map(str::to_owned);
    IdempotencyKey { user, route, key, body_hash }
}

/// Looks up the key at `now` among the keys of the last 24 hours. If the key is new, stores `answer` for it.
fn request(store: &dyn Subject, key: &IdempotencyKey, now: Timestamp, answer: &'static str) -> Replay {
    let key = key.clone();
    keep(store, move |tx| {
        let replay = tx.idempotency().known(&key, now.before(DAY))?;
        if replay == Replay::Fresh {
            tx.idempotency().store(&key, answer, now)?;
        }
        Ok(replay)
    })
}

fn answered(answer: &str) -> Replay {
    Replay::Answered(answer.to_owned())
}

/// A repeated request gets the first answer, word for word.
pub fn a_repeated_request_gets_the_first_answer(store: &dyn Subject) {
    let key = key(Scene::new(store).user("ann"));
    assert_eq!(request(store, &key, start(), "{\"first\": \"é\"}"), Replay::Fresh);
    for _ in 0..2 {
        assert_eq!(request(store, &key, start().after(HOUR), "second"), answered("{\"first\": \"é\"}"));
    }
}

/// `known` looks up the answer of a key without storing the key.
pub fn an_answer_is_known_without_taking_the_key(store: &dyn Subject) {
    let own = key(Scene::new(store).user("ann"));
    let other = IdempotencyKey { body_hash: "another body".to_owned(), ..own.clone() };
    let known = |key: &IdempotencyKey, now: Timestamp| {
        let key = key.clone();
        keep(store, move |tx| tx.idempotency().known(&key, now.before(DAY)))
    };
    assert_eq!(known(&own, start()), Replay::Fresh);
    assert_eq!(request(store, &own, start(), "first"), Replay::Fresh);
    assert_eq!(known(&own, start().after(DAY)), answered("first"));
    assert_eq!(known(&other, start()), Replay::Reused);
    assert_eq!(known(&own, start().after(DAY).after(INSTANT)), Replay::Fresh);
}

/// Two requests are different if their user, their operation or their key differs.
pub fn a_key_belongs_to_its_user_and_route(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let own = key(ann);
    let others = [
        IdempotencyKey { user: bob, ..own.clone() },
        IdempotencyKey { route: "POST /api/bets/accept".to_owned(), ..own.clone() },
        IdempotencyKey { key: "KEY".to_owned(), ..own.clone() },
    ];
    assert_eq!(request(store, &own, start(), "own"), Replay::Fresh);
    for other in &others {
        assert_eq!(request(store, other, start(), "other"), Replay::Fresh, "{other:?}");
    }
    assert_eq!(request(store, &own, start(), "again"), answered("own"));
}

/// If a used key comes with another body, the store refuses the request and keeps the first answer.
pub fn another_body_is_told_apart(store: &dyn Subject) {
    let own = key(Scene::new(store).user("ann"));
    let other = IdempotencyKey { body_hash: "another body".to_owned(), ..own.clone() };
    assert_eq!(request(store, &own, start(), "first"), Replay::Fresh);
    assert_eq!(request(store, &other, start(), "second"), Replay::Reused);
    assert_eq!(request(store, &own, start(), "third"), answered("first"));
}

/// The store keeps an answer for 24 hours. After this time the key is free again, even for another body.
pub fn answers_are_kept_for_their_time(store: &dyn Subject) {
    let own = key(Scene::new(store).user("ann"));
    let other = IdempotencyKey { body_hash: "another body".to_owned(), ..own.clone() };
    let past = start().after(DAY).after(INSTANT);
    assert_eq!(request(store, &own, start(), "first"), Replay::Fresh);
    assert_eq!(request(store, &own, start().after(DAY), "second"), answered("first"));
    assert_eq!(request(store, &other, past, "third"), Replay::Fresh);
    assert_eq!(request(store, &other, past.after(DAY), "fourth"), answered("third"));
    assert_eq!(request(store, &own, past.after(DAY), "fifth"), Replay::Reused);
}

/// If a request was refused, it may be corrected and sent again with its key.
pub fn a_discarded_job_leaves_its_key_free(store: &dyn Subject) {
    let own = key(Scene::new(store).user("ann"));
    let copy = own.clone();
    let refused = enqueue(store, move |tx| {
        tx.idempotency().store(&copy, "refused", start()).map(|()| Verdict::Discard)
    });
    assert_eq!(refused.outcome(), Ok(()));
    let corrected = IdempotencyKey { body_hash: "another body".to_owned(), ..own };
    assert_eq!(request(store, &corrected, start(), "first"), Replay::Fresh);
}

/// The store deletes answers that are older than the limit. All other answers stay.
pub fn old_answers_are_removed(store: &dyn Subject) {
    let scene = Scene::new(store);
    let [ann, bob] = ["ann", "bob"].map(|name| key(scene.user(name)));
    let limit = start().after(INSTANT);
    request(store, &ann, start(), "old");
    request(store, &bob, limit, "new");
    assert_eq!(keep(store, move |tx| tx.idempotency().remove_old(limit, 9)), 1);
    assert_eq!(request(store, &ann, start(), "again"), Replay::Fresh);
    assert_eq!(request(store, &bob, limit, "again"), answered("new"));
}

/// A count can be set, replaced and deleted, separately for each bucket.
pub fn rate_limits_are_kept(store: &dyn Subject) {
    let first = RateLimitState { count: 1, since: start(), last: start() };
    let second = RateLimitState { count: 2, last: start().after(INSTANT), ..first };
    let lock = |bucket: &'static str| keep(store, move |tx| tx.throttles().lock(bucket));
    let put = |bucket: &'static str, known| keep(store, move |tx| tx.throttles().put(bucket, known));
    assert_eq!(lock("sign_in:203.0.113.7"), None);
    put("sign_in:203.0.113.7", first);
    put("sign_in:2001:db8::7", first);
    assert_eq!(lock("sign_in:203.0.113.7"), Some(first));
    put("sign_in:203.0.113.7", second);
    assert_eq!(lock("sign_in:203.0.113.7"), Some(second));
    keep(store, |tx| tx.throttles().forget("sign_in:203.0.113.7"));
    assert_eq!(lock("sign_in:203.0.113.7"), None);
    assert_eq!(lock("sign_in:2001:db8::7"), Some(first));
    keep(store, |tx| tx.throttles().forget("sign_in:203.0.113.7"));
}

/// The age of a count is the time since its last change, not the time since its start.
pub fn old_rate_limits_are_removed(store: &dyn Subject) {
    let limit = start().after(DAY);
    let at = |last| RateLimitState { count: 3, since: start(), last };
    let (old, new) = (at(limit.before(INSTANT)), at(limit));
    let removed = keep(store, move |tx| {
        tx.throttles().put("old", old)?;
        tx.throttles().put("new", new)?;
        tx.throttles().remove_old(limit, 9)
    });
    assert_eq!(removed, 1);
    assert_eq!(keep(store, |tx| tx.throttles().lock("old")), None);
    assert_eq!(keep(store, |tx| tx.throttles().lock("new")), Some(new));
}

/// A window that began while the clock was ahead does not outlast the correction of the clock. The clocks of several servers may
/// differ by up to an hour.
pub fn a_window_of_a_wrong_clock_is_over(store: &dyn Subject) {
    let count = |bucket: &'static str, now: Timestamp| {
        keep(store, move |tx| tx.throttles().count(bucket, 1, now.before(HOUR), now))
    };
    let (ahead, wrong) = (start().after(HOUR), start().after(3 * DAY));
    assert_eq!((count("bets:ann", ahead), count("bets:bob", wrong)), (None, None));
    assert_eq!(count("bets:ann", start()), Some(ahead), "the clock of another server");
    assert_eq!(count("bets:bob", start()), None);
    let restarted = RateLimitState { count: 1, since: start(), last: start() };
    assert_eq!(keep(store, |tx| tx.throttles().lock("bets:bob")), Some(restarted));
    assert_eq!(count("bets:bob", start()), Some(start()), "the new window has its limit");
}

/// Each bucket counts the actions of a window up to the limit. A refused action does not count. The next
/// window begins with its first action.
pub fn a_window_counts_up_to_its_limit(store: &dyn Subject) {
    let count = |bucket: &'static str, now: Timestamp| {
        keep(store, move |tx| tx.throttles().count(bucket, 2, now.before(HOUR), now))
    };
    let lock = || keep(store, |tx| tx.throttles().lock("bets:ann"));
    let (second, last) = (start().after(INSTANT), start().after(HOUR).before(INSTANT));
    assert_eq!(count("bets:ann", start()), None);
    assert_eq!(count("bets:ann", second), None);
    assert_eq!(count("bets:ann", last), Some(start()));
    assert_eq!(count("bets:bob", last), None, "each bucket by itself");
    assert_eq!(lock(), Some(RateLimitState { count: 2, since: start(), last: second }));
    let next = start().after(HOUR);
    assert_eq!(count("bets:ann", next), None);
    assert_eq!(lock(), Some(RateLimitState { count: 1, since: next, last: next }));
}
