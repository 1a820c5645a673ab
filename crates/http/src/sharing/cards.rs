use std::str::FromStr;

use bolts_bets::{Side, State};
use bolts_cards::{BetCard, Card, DESIGN, Ending, Full, Half, Limits, Picture, Tone};
use bolts_kernel::{BetId, sha256_hex};

use super::words::{Told, option};
use crate::error::Problem;
use crate::server::State as Server;

/// The bounds of the drawing. A card has some 60 KB and takes some 50 ms.
pub(crate) const LIMITS: Limits = Limits { waiting: 100, cached_bytes: 16 * 1_024 * 1_024 };

/// The number of hexadecimal digits of a digest in a key.
const DIGITS: usize = 16;

/// The name of the site's own card in its key.
const SITE: &str = "bolts";

/// The subject of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// The site. Pages of private bets name this card too.
    Site,
    /// A public bet.
    Bet(BetId),
}

/// The key of a card: its subject, and a digest of its content. So a card with other terms or another status has another
/// address, and caches can keep each card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CardKey {
    pub(crate) subject: Subject,
    pub(crate) digest: String,
}

impl CardKey {
    fn of(subject: Subject, card: &Card) -> Self {
        let mut digest = sha256_hex(format!("{DESIGN} {card:?}").as_bytes());
        digest.truncate(DIGITS);
        Self { subject, digest }
    }

    /// The path of the card.
    pub(crate) fn path(&self) -> String {
        format!("/og/{self}.png")
    }
}

impl std::fmt::Display for CardKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.subject {
            Subject::Site => write!(f, "{SITE}-{}", self.digest),
            Subject::Bet(bet) => write!(f, "{bet}-{}", self.digest),
        }
    }
}

impl FromStr for CardKey {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (subject, digest) = text.split_once('-').ok_or(())?;
        let subject = match subject {
            SITE => Subject::Site,
            id => Subject::Bet(id.parse().map_err(|_| ())?),
        };
        Ok(Self { subject, digest: digest.to_owned() })
    }
}

/// A card with its key.
pub(crate) struct Printed {
    pub(crate) key: CardKey,
    card: Card,
}

impl Printed {
    /// The picture of the card, drawn on another thread or from the cache.
    pub(crate) async fn picture(self, state: &Server) -> Result<Picture, Problem> {
        let Self { key, card } = self;
        let ordered = state.cards.print(&key.to_string(), || card);
        let receiver = ordered.map_err(|Full| Problem::unavailable())?;
        receiver.await.map_err(|_| Problem::internal())
    }
}

/// The card of the site.
pub(crate) fn site_card() -> Printed {
    let card = Card::Site {
        title: "Bolts".to_owned(),
        line: "Make a bet with somebody you know, share it, and settle it together.".to_owned(),
    };
    Printed { key: CardKey::of(Subject::Site, &card), card }
}

/// The card of a bet. The caller has checked that the bet is public.
pub(crate) fn bet_card(told: Told<'_>) -> Printed {
    let bet = told.bet();
    let card = Card::Bet(Box::new(BetCard {
        title: bet.terms.title.to_string(),
        untitled: "A bet on Bolts".to_owned(),
        status: told.status(),
        is_open: told.is_open(),
        halves: [bet.creator_side, bet.creator_side.opposite()].map(|side| half(told, side)),
        pot_label: "Pot".to_owned(),
        pot: bet.pot().amount.grouped(),
        unit: told.units(),
        note: format!("{} · {}", bet.terms.category.as_str(), bet.terms.method.as_str()),
    }));
    Printed { key: CardKey::of(Subject::Bet(bet.id), &card), card }
}

fn half(told: Told<'_>, side: Side) -> Half {
    let bet = told.bet();
    let (stake, pot) = (bet.stake_of(side).amount.get(), bet.pot().amount.get().max(1));
    Half {
        side: match side {
            Side::A => bolts_cards::Side::A,
            Side::B => bolts_cards::Side::B,
        },
        option: option(bet, side).to_owned(),
        stake: format!("Stakes {}", bet.stake_of(side).amount.grouped()),
        // A stake is at most 100,000,000.
        share: u32::try_from(stake.saturating_mul(1_000) / pot).unwrap_or_default(),
        holder: told.holder(side),
        is_empty: bet.user_on(side).is_none(),
        result: ending(told, side),
    }
}

fn ending(told: Told<'_>, side: Side) -> Option<Ending> {
    let ended = |text: &str, tone| Some(Ending { text: text.to_owned(), tone });
    match &told.bet().state {
        State::Resolved { winning, .. } if *winning == side => ended("Won", Tone::Won),
        State::Resolved { .. } => ended("Lost", Tone::Lost),
        State::Cancelled { .. } if told.bet().user_on(side).is_some() => {
            ended("Stake returned", Tone::Neutral)
        }
        State::Cancelled { .. } | State::Pending | State::Accepted(_) | State::AwaitingResolution(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_as_written() {
        for subject in [Subject::Site, Subject::Bet(BetId::from(7))] {
            let key = CardKey { subject, digest: "0123456789abcdef".to_owned() };
            assert_eq!(key.to_string().parse(), Ok(key));
        }
        for other in ["", "bolts", "bolt-1", "7-1", "../secret-1"] {
            assert_eq!(other.parse::<CardKey>(), Err(()), "{other}");
        }
    }

    #[test]
    fn the_digest_follows_the_content() {
        let card = |title: &str| Card::Site { title: title.to_owned(), line: String::new() };
        let key = |title| CardKey::of(Subject::Site, &card(title)).digest;
        assert_eq!((key("a"), key("a").len()), (key("a"), DIGITS));
        assert_ne!(key("a"), key("b"));
    }
}
