//! The content of each mail.

use bolts_bets::NoticeKind;
use bolts_delivery::{Preferences, Topic};
use bolts_kernel::{BetId, UserId};
use bolts_ports::{Letter, LetterItem, NoticeBody};

use super::{texts, unsubscribe};
use crate::notifications::{Words, words};

/// The addresses of pages.
#[derive(Clone, Debug)]
pub(super) struct Site {
    /// Scheme, host and port.
    pub(super) origin: String,
    /// The key that signs the links that unsubscribe.
    pub(super) key: String,
}

impl Site {
    fn bet(&self, id: BetId) -> String {
        format!("{}/bet/{id}", self.origin)
    }

    fn account(&self, section: &str) -> String {
        format!("{}/account{section}", self.origin)
    }

    /// The address for a POST that unsubscribes (RFC 8058).
    pub(super) fn one_click(&self, user: UserId, what: unsubscribe::What) -> String {
        format!("{}/api/unsubscribe/{}", self.origin, unsubscribe::signed(&self.key, user, what))
    }

    /// The address of the page on which a reader unsubscribes. The part after `#` never reaches a server or its log.
    fn unsubscribe_page(&self, user: UserId, what: unsubscribe::What) -> String {
        format!("{}/mail/unsubscribe#{}", self.origin, unsubscribe::signed(&self.key, user, what))
    }

    /// The button of a mail with a link. The token is behind `#`, so that no log and no other site gets it.
    fn link(&self, page: &str, token: &str) -> String {
        format!("{}/{page}#{token}", self.origin)
    }
}

/// A notification as a mail or a push message shows it.
pub(super) struct Notice<'a> {
    pub(super) body: &'a NoticeBody,
    pub(super) bet: Option<BetId>,
    /// Whether everybody may see the bet.
    pub(super) is_public: bool,
}

impl Notice<'_> {
    /// The text. A mail travels and rests outside of the site, and a device shows a push message while it is locked. So the
    /// text leaves out the title of a private bet and the text of its outcome, unless the user allows them. The names of users
    /// and the stakes stay. Anybody can invite a user to be an arbiter, with a title that looks like a message of the site. So an
    /// invitation never has the title.
    pub(super) fn words(&self, preferences: &Preferences) -> Words {
        let NoticeBody::Bet { kind, params } = self.body else { return words(self.body) };
        if *kind == NoticeKind::ArbiterInvited {
            return Words { message: texts::INVITATION.to_owned(), ..words(self.body) };
        }
        if self.is_public || preferences.shows_private_titles {
            return words(self.body);
        }
        let mut params = params.clone();
        params.title = texts::PRIVATE_BET.to_owned();
        params.outcome_text = None;
        words(&NoticeBody::Bet { kind: *kind, params })
    }

    fn link(&self, site: &Site) -> Option<String> {
        self.bet.map(|id| site.bet(id))
    }
}

/// The mail of one notification.
pub(super) fn notice(site: &Site, user: UserId, notice: &Notice<'_>, preferences: &Preferences) -> Letter {
    let topic = Topic::of(notice.body.kind());
    let words = notice.words(preferences);
    let button = match (notice.link(site), topic) {
        (Some(link), _) => (texts::OPEN_BET.to_owned(), link),
        (None, Topic::Security) => (texts::OPEN_ACCOUNT.to_owned(), site.account("#security")),
        (None, _) => (texts::OPEN_SITE.to_owned(), format!("{}/", site.origin)),
    };
    let footer = if topic == Topic::Security {
        vec![(texts::WHY_SECURITY.to_owned(), None)]
    } else {
        let stop = site.unsubscribe_page(user, unsubscribe::What::Topic(topic));
        footer(site, (texts::STOP_TOPIC, stop))
    };
    let subject = words.title.to_owned();
    Letter { subject, paragraphs: vec![words.message], button: Some(button), footer, ..Letter::default() }
}

/// The digest of these notifications.
pub(super) fn digest(site: &Site, user: UserId, notices: &[Notice<'_>], preferences: &Preferences) -> Letter {
    let item = |notice: &Notice<'_>| {
        let words = notice.words(preferences);
        LetterItem { title: words.title.to_owned(), text: words.message, link: notice.link(site) }
    };
    let stop = site.unsubscribe_page(user, unsubscribe::What::Digest);
    Letter {
        subject: texts::DIGEST.to_owned(),
        paragraphs: vec![texts::DIGEST_TEXT.to_owned()],
        items: notices.iter().map(item).collect(),
        button: Some((texts::OPEN_SITE.to_owned(), format!("{}/", site.origin))),
        footer: footer(site, (texts::STOP_DIGEST, stop)),
    }
}

fn footer(site: &Site, (stop, address): (&str, String)) -> Vec<(String, Option<String>)> {
    vec![
        (texts::WHY.to_owned(), None),
        (stop.to_owned(), Some(address)),
        (texts::CHOOSE.to_owned(), Some(site.account("#notifications"))),
    ]
}

/// The mail that confirms an address.
pub(super) fn confirm(site: &Site, token: &str) -> Letter {
    let button = Some((texts::CONFIRM_BUTTON.to_owned(), site.link("mail/verify", token)));
    letter(texts::CONFIRM, &[texts::CONFIRM_TEXT], button, texts::CONFIRM_UNTIL)
}

/// The mail that lets the reader set a new password.
pub(super) fn reset(site: &Site, token: &str) -> Letter {
    let button = Some((texts::RESET_BUTTON.to_owned(), site.link("mail/reset", token)));
    letter(texts::RESET, &[texts::RESET_TEXT], button, texts::RESET_UNTIL)
}

/// Tells the old address that a new one was requested.
pub(super) fn changing(site: &Site) -> Letter {
    let button = Some((texts::OPEN_ACCOUNT.to_owned(), site.account("#security")));
    letter(texts::CHANGING, &[texts::CHANGING_TEXT, texts::NOT_YOU], button, texts::WHY)
}

/// Tells the old address that it was replaced.
pub(super) fn changed(site: &Site) -> Letter {
    let button = Some((texts::OPEN_ACCOUNT.to_owned(), site.account("#security")));
    letter(texts::CHANGED, &[texts::CHANGED_TEXT, texts::NOT_YOU], button, texts::WHY)
}

/// Tells the address of a deleted account that the account is deleted.
pub(super) fn deleted(site: &Site) -> Letter {
    let button = Some((texts::OPEN_SITE.to_owned(), format!("{}/", site.origin)));
    letter(texts::DELETED, &[texts::DELETED_TEXT, texts::DELETED_NOT_YOU], button, texts::DELETED_WHY)
}

/// The mail of `bolts mail test`.
pub(super) fn test(origin: Option<&str>) -> Letter {
    let button = origin.map(|origin| (texts::OPEN_SITE.to_owned(), format!("{origin}/")));
    letter(texts::TEST, &[texts::TEST_TEXT], button, texts::WHY)
}

fn letter(subject: &str, paragraphs: &[&str], button: Option<(String, String)>, footer: &str) -> Letter {
    let paragraphs = paragraphs.iter().map(|&paragraph| paragraph.to_owned()).collect();
    let footer = vec![(footer.to_owned(), None)];
    Letter { subject: subject.to_owned(), paragraphs, button, footer, ..Letter::default() }
}
