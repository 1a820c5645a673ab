//! Notifications: which user gets which one (`docs/domain-rules.md`, column 'notified'), and what the user does with
//! them. A notification is known by its title, because users see only that.

use super::action::Answer;
use super::{Verdict, World, refused};

/// The most notifications that a user sees.
const KEPT: usize = 200;

/// A notification.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct News {
    /// The time of the notification.
    pub at: i64,
    /// The title.
    pub title: String,
    /// The bet that the notification leads to.
    pub bet: Option<usize>,
    /// The amounts in the text, if the notification is about money.
    pub amounts: Vec<i64>,
    /// Whether the user has read it.
    pub is_read: bool,
}

/// The users who get a notification about a bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum To {
    User(usize),
    /// The creator and the acceptor.
    Parties,
    /// The named arbiter.
    Arbiter,
    /// The admins who are no parties.
    Admins,
}

impl World {
    /// Notifies users of something that happened to a bet. A deleted bet has no page, so the notification leads to none.
    pub(super) fn tell(&mut self, to: To, bet: usize, title: &str) {
        let one = &self.bets[bet];
        let users: Vec<usize> = match to {
            To::User(user) => vec![user],
            To::Parties => [Some(one.creator), one.acceptor].into_iter().flatten().collect(),
            To::Arbiter => one.arbiter.into_iter().map(|(user, _)| user).collect(),
            To::Admins => {
                let admins = (0..self.users.len()).filter(|user| self.users[*user].is_admin);
                admins.filter(|user| !one.is_party(*user)).collect()
            }
        };
        let link = Some(bet).filter(|_| !one.is_deleted);
        for user in users {
            self.write(user, title, link, Vec::new());
        }
    }

    /// Notifies a user of something that is not about a bet.
    pub(super) fn tell_alone(&mut self, user: usize, title: &str, amounts: Vec<i64>) {
        self.write(user, title, None, amounts);
    }

    fn write(&mut self, user: usize, title: &str, bet: Option<usize>, amounts: Vec<i64>) {
        let at = self.now;
        let user = &mut self.users[user];
        if !user.is_gone {
            user.news.push(News { at, title: title.to_owned(), bet, amounts, is_read: false });
        }
    }

    /// The notifications that a user sees. The order within one instant is fixed here, because a job may write several.
    pub fn news(&self, user: usize) -> Vec<News> {
        let mut seen: Vec<News> = self.users[user].news.iter().rev().take(KEPT).cloned().collect();
        seen.sort();
        seen
    }

    /// The user reads the notification with this place in the list of [`World::news`].
    pub(super) fn read(&mut self, user: usize, place: usize) -> Verdict {
        let Some(chosen) = self.news(user).into_iter().nth(place) else {
            return refused("notification_not_found");
        };
        if let Some(one) = self.users[user].news.iter_mut().rev().find(|one| **one == chosen) {
            one.is_read = true;
        }
        Ok(())
    }

    /// Returns the number of notifications that were unread.
    pub(super) fn read_all(&mut self, user: usize) -> Answer {
        let mut marked = 0;
        for one in self.users[user].news.iter_mut().filter(|one| !one.is_read) {
            one.is_read = true;
            marked += 1;
        }
        Answer::Counted(marked)
    }

    pub(super) fn clear(&mut self, user: usize) -> Answer {
        Answer::Counted(self.users[user].news.drain(..).count())
    }
}
