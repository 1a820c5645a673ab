//! The event streams that are open on this process.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bolts_kernel::UserId;
use bolts_ports::{About, Fanout, Hint};
use futures_channel::mpsc::{Receiver, Sender, channel};

/// How many streams a user may have open on one process: more tabs than anybody looks at.
const STREAMS_PER_USER: usize = 16;

/// How many hints may wait for a slow reader. One who is further behind is cut off, connects again and fetches anew.
const WAITING: usize = 32;

#[derive(Default)]
struct Streams {
    by_user: HashMap<UserId, Vec<(u64, Sender<About>)>>,
    is_closed: bool,
}

/// Hands hints to the open streams of this process.
#[derive(Default)]
pub struct Hub {
    streams: Mutex<Streams>,
    next: AtomicU64,
}

/// Why no stream was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The user has enough of them.
    TooMany,
    /// The server is about to stop.
    Closing,
}

/// One open stream; it leaves the hub when it is dropped.
pub(crate) struct Subscription {
    hub: Arc<Hub>,
    user: UserId,
    number: u64,
    pub(crate) hints: Receiver<About>,
}

impl Hub {
    fn streams(&self) -> MutexGuard<'_, Streams> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A stream of what concerns this user.
    pub(crate) fn subscribe(self: &Arc<Self>, user: UserId) -> Result<Subscription, Refused> {
        let mut streams = self.streams();
        if streams.is_closed {
            return Err(Refused::Closing);
        }
        let own = streams.by_user.entry(user).or_default();
        if own.len() >= STREAMS_PER_USER {
            return Err(Refused::TooMany);
        }
        let (sender, hints) = channel(WAITING);
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        own.push((number, sender));
        Ok(Subscription { hub: self.clone(), user, number, hints })
    }

    /// Ends every stream and opens no more: what is in flight must not keep the server from stopping.
    pub fn close(&self) {
        let mut streams = self.streams();
        streams.is_closed = true;
        streams.by_user.clear();
    }

    fn leave(&self, user: UserId, number: u64) {
        let mut streams = self.streams();
        if let Some(own) = streams.by_user.get_mut(&user) {
            own.retain(|(other, _)| *other != number);
            if own.is_empty() {
                streams.by_user.remove(&user);
            }
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.hub.leave(self.user, self.number);
    }
}

impl Fanout for Hub {
    fn publish(&self, hints: &[Hint]) {
        let mut streams = self.streams();
        for hint in hints {
            if let Some(own) = streams.by_user.get_mut(&hint.user) {
                own.retain_mut(|(_, sender)| sender.try_send(hint.about).is_ok());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(number: u128) -> UserId {
        format!("{number:032x}").parse().unwrap()
    }

    fn balance(user: UserId) -> Hint {
        Hint { user, about: About::Balance }
    }

    #[test]
    fn hints_reach_the_streams_of_their_user_alone() {
        let hub = Arc::new(Hub::default());
        let (mut ann, mut bob) = (hub.subscribe(user(1)).unwrap(), hub.subscribe(user(2)).unwrap());
        hub.publish(&[balance(user(1)), balance(user(3))]);
        assert_eq!(ann.hints.try_recv().ok(), Some(About::Balance));
        assert!(ann.hints.try_recv().is_err() && bob.hints.try_recv().is_err());
        drop(ann);
        assert_eq!(hub.streams().by_user.len(), 1);
    }

    #[test]
    fn a_user_has_so_many_streams_and_a_slow_one_is_cut_off() {
        let hub = Arc::new(Hub::default());
        let mut own: Vec<_> = (0..STREAMS_PER_USER).map(|_| hub.subscribe(user(1)).unwrap()).collect();
        assert_eq!(hub.subscribe(user(1)).err(), Some(Refused::TooMany));
        for _ in 0..WAITING + 2 {
            for stream in &mut own[1..] {
                let _read_or_empty = stream.hints.try_recv();
            }
            hub.publish(&[balance(user(1))]);
        }
        assert_eq!(hub.streams().by_user[&user(1)].len(), STREAMS_PER_USER - 1);
        hub.close();
        assert_eq!(hub.subscribe(user(2)).err(), Some(Refused::Closing));
    }
}
