//! The servers to which a channel sends, as this process knows them: which of them rest, and how many attempts are under
//! way to each.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bolts_delivery::{Breaker, Permit};
use bolts_kernel::{DestinationId, Timestamp, UserId};

/// The maximum number of routes to the server of one destination. A slow receiver must not take the places of all others.
const ROUTES: usize = 2;

/// The maximum number of routes to all servers of one user. A user has up to ten browsers, and may name a slow server for each.
const ROUTES_OF_A_USER: usize = 4;

/// The server of a destination. `None` is the relay, to which all mails go.
pub(super) type Server = Option<DestinationId>;

#[derive(Default)]
pub(super) struct Servers(Mutex<HashMap<Server, State>>);

#[derive(Default)]
struct State {
    breaker: Breaker,
    routes: usize,
    /// The user whose server this is. For the relay, the value has no meaning.
    user: Option<UserId>,
}

/// A place for attempts to one server. Dropping the value frees the place.
pub(super) struct Slot {
    servers: Arc<Servers>,
    server: Server,
}

impl Servers {
    fn all(&self) -> MutexGuard<'_, HashMap<Server, State>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn permit(&self, server: Server, now: Timestamp) -> Permit {
        self.all().get(&server).map_or(Permit::Many, |state| state.breaker.permit(now))
    }

    pub(super) fn answered(&self, server: Server) {
        if let Some(state) = self.all().get_mut(&server) {
            state.breaker.answered();
        }
    }

    /// The server failed. Returns whether it rests from now on.
    pub(super) fn failed(&self, server: Server, now: Timestamp) -> bool {
        self.all().entry(server).or_default().breaker.failed(now)
    }

    /// The number of servers to which nothing is sent now, because they failed. The server of a removed webhook
    /// counts until its rest ends.
    pub(super) fn resting(&self, now: Timestamp) -> usize {
        self.all().values().filter(|state| state.breaker.permit(now) == Permit::None).count()
    }

    /// The number of places that are taken.
    pub(super) fn under_way(&self) -> usize {
        self.all().values().map(|state| state.routes).sum()
    }

    /// A place for attempts to this server of the user, unless the server or the user has all that it may have. The relay may
    /// have any number.
    pub(super) fn place(self: &Arc<Self>, server: Server, user: Option<UserId>) -> Option<Slot> {
        let mut all = self.all();
        let of_server = all.get(&server).map_or(0, |state| state.routes);
        let of_user: usize = all.values().filter(|state| state.user == user).map(|state| state.routes).sum();
        if server.is_some() && (of_server >= ROUTES || of_user >= ROUTES_OF_A_USER) {
            return None;
        }
        let state = all.entry(server).or_default();
        (state.routes, state.user) = (of_server + 1, user);
        Some(Slot { servers: self.clone(), server })
    }
}

impl Slot {
    pub(super) const fn server(&self) -> Server {
        self.server
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut all = self.servers.all();
        if let Some(state) = all.get_mut(&self.server) {
            state.routes = state.routes.saturating_sub(1);
            // A server that works needs no entry, so the table does not grow with the number of users.
            if state.routes == 0 && state.breaker.is_closed() {
                all.remove(&self.server);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_server_counts_as_resting_until_its_rest_ends() {
        let (servers, now) = (Servers::default(), Timestamp::from_micros(0).expect("a time"));
        let webhook = Some(DestinationId::from(1));
        let rests: Vec<bool> = (0..5).map(|_| servers.failed(webhook, now)).collect();
        assert_eq!((rests, servers.resting(now)), (vec![false, false, false, false, true], 1));
        assert_eq!(servers.resting(now.after(Duration::from_secs(30))), 0, "nobody tests a removed webhook");
        servers.answered(webhook);
        assert_eq!(servers.resting(now), 0);
    }
}
