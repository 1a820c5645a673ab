//! The places for attempts: how many receivers get events at the same time.

use std::future::ready;
use std::sync::Arc;

use bolts_usecases::delivery::{Courier, Route};
use futures_executor::block_on;

use super::{MockReceivers, SECOND, Site, URL, unavailable};
use crate::log::{errors, warnings};
use crate::stage::DAY;

impl Site {
    fn take(&self) -> (usize, Vec<Route>) {
        block_on(self.courier.take()).expect("claimed")
    }

    /// Writes a test for the user, and claims it. Returns the number of routes to carry.
    fn test_and_take(&self, actor: bolts_usecases::Actor) -> Vec<Route> {
        self.test(actor);
        let (claimed, routes) = self.take();
        assert_eq!(claimed, 1);
        routes
    }
}

#[test]
fn at_most_64_receivers_get_events_at_once() {
    let site = Site::new();
    for number in 0..70 {
        let actor = site.user(&format!("u{number}"), &format!("https://slow.example/{number}"));
        site.test(actor);
    }
    let (first, mut routes) = site.take();
    let (second, more) = site.take();
    routes.extend(more);
    assert_eq!((first, second, routes.len()), (32, 32, 64), "32 in each round");
    assert_eq!(site.take().0, 0, "all places are taken");
    assert_eq!(site.courier.is_due(), Ok(true));
    routes.truncate(61);
    assert_eq!(site.take().0, 3, "as many as there are free places");
}

#[test]
fn a_receiver_with_two_places_gets_the_next_one_when_it_gives_one_back() {
    let site = Site::new();
    let ann = site.user("ann", "https://slow.example");
    let mut routes: Vec<Route> = (0..2).flat_map(|_| site.test_and_take(ann)).collect();
    assert_eq!(routes.len(), 2);
    routes.pop();
    routes.extend(site.test_and_take(ann));
    assert_eq!(routes.len(), 2, "one place was free");
    assert_eq!(site.test_and_take(ann).len(), 0, "no place is free");
    routes.clear();
    site.stage.clock.advance(4 * SECOND);
    assert_eq!(site.take().0, 0);
    site.stage.clock.advance(SECOND);
    assert_eq!(site.take().0, 1, "the event that found no place waits for 5 s");
}

/// No lease may end during an attempt. Otherwise another process sends the event too.
#[test]
fn events_that_wait_longer_than_400_seconds_for_their_turn_go_to_a_later_round() {
    let site = Site::new();
    let ann = site.user("ann", URL);
    (0..5).for_each(|_| site.test(ann));
    let (clock, seen, mut slow) = (site.stage.clock.clone(), site.seen.clone(), MockReceivers::new());
    slow.expect_send().returning(move |event| {
        clock.advance(200 * SECOND);
        seen.lock().expect("no panic").push(event);
        Box::pin(ready(Ok(())))
    });
    let courier = Courier::webhooks(site.stage.app.clone(), Arc::new(slow));
    assert_eq!(block_on(courier.deliver()), Ok(5));
    assert_eq!(site.seen().len(), 3, "after 0, 200 and 400 s");
    assert_eq!(block_on(courier.deliver()), Ok(0));
    site.stage.clock.advance(30 * SECOND);
    assert_eq!(block_on(courier.deliver()), Ok(2));
    assert_eq!(site.seen().len(), 2);
}

/// A user whose receiver fails all the time must not fill the log.
#[test]
fn the_failures_of_a_users_receiver_are_not_logged_as_problems_of_the_site() {
    let site = Site::new();
    let ann = site.user("ann", URL);
    (0..5).for_each(|_| site.test(ann));
    site.refuse((0..5).map(|_| unavailable()));
    assert_eq!(errors(|| assert_eq!(site.deliver().len(), 5)), [""; 0]);
    site.stage.clock.advance(60 * SECOND);
    site.refuse([unavailable()]);
    assert_eq!(warnings(|| assert_eq!(site.deliver().len(), 1)), [""; 0]);
    site.stage.clock.advance(DAY);
    assert_eq!(warnings(|| assert_eq!(site.deliver(), [])), [""; 0], "all events are given up");
}
