//! The uploads in flight. Each holds up to 2 MiB in memory, for as long as its sender needs.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bolts_kernel::{Code, UserId};
use bolts_usecases::Refused;

/// The maximum number of uploads in flight on one process. Their files need at most 64 MiB.
const PLACES: usize = 32;

/// The maximum number of uploads in flight of a user on one process. A page uploads one picture after another.
const PLACES_PER_USER: usize = 2;

/// A user whose uploads are still in flight should wait for this time.
const AGAIN: Duration = Duration::from_secs(5);

/// The number of uploads in flight of each user. A user without one has no entry.
#[derive(Default)]
pub(crate) struct Uploads(Mutex<HashMap<UserId, usize>>);

/// The place of an upload in flight. Dropping the value gives the place back.
pub(crate) struct Place {
    uploads: Arc<Uploads>,
    user: UserId,
}

/// The reason why no further upload may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    /// The user has [`PLACES_PER_USER`] uploads in flight.
    User,
    /// The process has [`PLACES`] uploads in flight.
    Process,
}

impl From<Full> for Refused {
    fn from(full: Full) -> Self {
        match full {
            Full::User => {
                let detail = "Your other pictures are still on their way. Please try again in a moment.";
                Self::new(Code::TooManyRequests, detail).retry_after(AGAIN)
            }
            Full::Process => Self::unavailable(),
        }
    }
}

impl Uploads {
    fn in_flight(&self) -> MutexGuard<'_, HashMap<UserId, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place for an upload of this user.
    ///
    /// # Errors
    /// All places of the user, or of the process, are taken.
    pub(crate) fn begin(self: &Arc<Self>, user: UserId) -> Result<Place, Full> {
        let mut in_flight = self.in_flight();
        if in_flight.get(&user).is_some_and(|own| *own >= PLACES_PER_USER) {
            return Err(Full::User);
        }
        if in_flight.values().sum::<usize>() >= PLACES {
            return Err(Full::Process);
        }
        *in_flight.entry(user).or_default() += 1;
        Ok(Place { uploads: self.clone(), user })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut in_flight = self.uploads.in_flight();
        if let Some(own) = in_flight.get_mut(&self.user) {
            *own -= 1;
            if *own == 0 {
                in_flight.remove(&self.user);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(number: usize) -> UserId {
        format!("{number:032x}").parse().unwrap()
    }

    fn begun(uploads: &Arc<Uploads>, number: usize) -> Place {
        uploads.begin(user(number)).ok().unwrap()
    }

    #[test]
    fn a_user_has_two_uploads_in_flight() {
        let uploads = Arc::<Uploads>::default();
        let (first, second) = (begun(&uploads, 1), begun(&uploads, 1));
        assert_eq!(uploads.begin(user(1)).err(), Some(Full::User));
        let other = begun(&uploads, 2);
        drop(first);
        let third = begun(&uploads, 1);
        assert_eq!(uploads.begin(user(1)).err(), Some(Full::User));
        drop((second, third, other));
        assert!(uploads.in_flight().is_empty(), "nothing is kept");
    }

    #[test]
    fn a_process_has_32_uploads_in_flight() {
        let uploads = Arc::<Uploads>::default();
        let mut places: Vec<_> =
            (0..PLACES).map(|number| begun(&uploads, number / PLACES_PER_USER)).collect();
        assert_eq!(uploads.begin(user(PLACES)).err(), Some(Full::Process));
        assert_eq!(uploads.begin(user(0)).err(), Some(Full::User));
        drop(places.pop());
        let _last = begun(&uploads, PLACES);
        assert_eq!(uploads.begin(user(PLACES)).err(), Some(Full::Process));
    }

    #[test]
    fn a_refused_upload_is_told_when_to_try_again() {
        let [user, process] = [Full::User, Full::Process].map(Refused::from);
        assert_eq!((user.code, user.retry_after), (Code::TooManyRequests, Some(AGAIN)));
        assert_eq!(process, Refused::unavailable());
    }
}
