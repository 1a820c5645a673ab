//! The texts about a bet in the tags and on its card.

use bolts_bets::{Bet, Side, State};
use bolts_kernel::{Currency, Money, Timestamp};
use bolts_ports::BetView;

/// A bet, with what its texts depend on.
#[derive(Clone, Copy)]
pub(crate) struct Told<'a> {
    pub(crate) view: &'a BetView,
    pub(crate) now: Timestamp,
    /// Whether sats have no value. Each text that names them says so.
    pub(crate) is_test_mode: bool,
}

impl<'a> Told<'a> {
    pub(crate) fn bet(self) -> &'a Bet {
        &self.view.bet
    }

    /// Whether somebody can take the bet.
    pub(crate) fn is_open(self) -> bool {
        matches!(self.bet().state, State::Pending) && !self.bet().is_expired(self.now)
    }

    /// The title of the page.
    pub(crate) fn title(self) -> String {
        format!("{} · Bolts", &*self.bet().terms.title)
    }

    /// What a reader has to know: who stakes what on which side, and how the bet stands.
    pub(crate) fn description(self) -> String {
        let bet = self.bet();
        let [own, other] = [bet.creator_side, bet.creator_side.opposite()];
        let [stake, others] = [own, other].map(|side| self.money(bet.stake_of(side)));
        let [option, open] = [own, other].map(|side| format!("“{}”", option(bet, side)));
        let (pot, creator, taker) = (self.money(bet.pot()), self.creator(), self.acceptor());
        let both = format!("{creator} staked {stake} on {option}, {taker} staked {others} on {open}.");
        match &bet.state {
            State::Pending if self.is_open() => format!(
                "{creator} stakes {stake} on {option}. Stake {others} on {open}, and the winner gets {pot}. Open until {}.",
                time(bet.terms.expires_at)
            ),
            State::Pending => format!("{creator} staked {stake} on {option}. Nobody took {open}."),
            State::Accepted(_) => format!("{both} The winner gets {pot}."),
            State::AwaitingResolution(_) => format!("{both} The outcome is being decided."),
            State::Resolved { winning, .. } => {
                let winner = if *winning == own { creator } else { taker };
                format!("“{}” won, and {pot} went to {}.", self::option(bet, *winning), inside(&winner))
            }
            State::Cancelled { negotiation: None, .. } => {
                format!(
                    "{creator} staked {stake} on {option}. The bet was cancelled, and the stake went back."
                )
            }
            State::Cancelled { .. } => format!("{both} The bet was cancelled, and both stakes went back."),
        }
    }

    /// The status in a few words.
    pub(crate) fn status(self) -> String {
        let bet = self.bet();
        match &bet.state {
            State::Pending if self.is_open() => format!("Open until {}", day(bet.terms.expires_at)),
            State::Pending => "Expired".to_owned(),
            State::Accepted(_) => "Live".to_owned(),
            State::AwaitingResolution(_) => "Awaiting resolution".to_owned(),
            State::Resolved { .. } => "Settled".to_owned(),
            State::Cancelled { .. } => "Cancelled".to_owned(),
        }
    }

    /// The creator's username, or words in its place. The e-mail address stays on the site.
    pub(crate) fn creator(self) -> String {
        self.view.creator.username.clone().unwrap_or_else(|| "The creator".to_owned())
    }

    fn acceptor(self) -> String {
        let name = self.view.acceptor.as_ref().and_then(|person| person.username.clone());
        name.unwrap_or_else(|| "the taker".to_owned())
    }

    /// The words below a side: whose it is.
    pub(crate) fn holder(self, side: Side) -> String {
        if side == self.bet().creator_side {
            return self.view.creator.username.clone().unwrap_or_else(|| "Creator's pick".to_owned());
        }
        match &self.view.acceptor {
            Some(person) => match &person.username {
                Some(name) => format!("Taken by {name}"),
                None => "Taken".to_owned(),
            },
            None if self.is_open() => "Take this side".to_owned(),
            None => "Nobody took this side".to_owned(),
        }
    }

    /// The name of the currency after a number of several units.
    pub(crate) fn units(self) -> String {
        self.labelled(self.bet().terms.stake.currency, self.bet().terms.stake.currency.spec().units)
    }

    fn money(self, money: Money) -> String {
        let spec = money.currency.spec();
        let unit = if money.amount.get() == 1 { spec.unit } else { spec.units };
        format!("{} {}", money.amount.grouped(), self.labelled(money.currency, unit))
    }

    fn labelled(self, currency: Currency, unit: &str) -> String {
        let is_test = self.is_test_mode && currency.spec().is_money;
        if is_test { format!("test {unit}") } else { unit.to_owned() }
    }
}

/// The text of the option on this side.
pub(crate) fn option(bet: &Bet, side: Side) -> &str {
    match side {
        Side::A => &bet.terms.option_a,
        Side::B => &bet.terms.option_b,
    }
}

/// The words in the middle of a sentence.
fn inside(who: &str) -> &str {
    if who == "The creator" { "the creator" } else { who }
}

fn day(at: Timestamp) -> String {
    at.to_chrono().format("%-d %b %Y").to_string()
}

fn time(at: Timestamp) -> String {
    at.to_chrono().format("%-d %b %Y, %H:%M UTC").to_string()
}
