use bolts_bets::{Bet, State as BetState, Status, Visibility};
use bolts_kernel::{Currency, UserId};
use bolts_ports::{CurrencyStats, MarketStats, Stats};

use super::state::State;

impl State {
    pub(super) fn market_stats(&self) -> MarketStats {
        let mut market_stats = MarketStats::default();
        for row in self.live_bets().filter(|row| row.bet.terms.visibility == Visibility::Public) {
            let (bet, stake) = (&row.bet, row.bet.terms.stake);
            let sides = if bet.acceptor().is_some() { 2 } else { 1 };
            let volume = match stake.currency {
                Currency::Bolts => &mut market_stats.bolts_volume,
                Currency::Sats => &mut market_stats.sats_volume,
            };
            *volume += sides * stake.amount.get();
            market_stats.active_bets += i64::from(matches!(bet.status(), Status::Pending | Status::Accepted));
            market_stats.total_bets += 1;
        }
        market_stats
    }

    pub(super) fn stats(&self, user: UserId) -> Stats {
        let mut stats = Stats::default();
        for row in self.live_bets().filter(|row| row.bet.party(user).is_some()) {
            let figures = match row.bet.terms.stake.currency {
                Currency::Bolts => &mut stats.bolts,
                Currency::Sats => &mut stats.sats,
            };
            count(figures, &row.bet, user);
        }
        stats
    }
}

fn count(figures: &mut CurrencyStats, bet: &Bet, user: UserId) {
    let stake = bet.terms.stake.amount.get();
    match &bet.state {
        // The bet was never accepted, so it does not count.
        BetState::Cancelled { negotiation: None, .. } => {}
        BetState::Cancelled { negotiation: Some(_), .. } => figures.total_bets += 1,
        BetState::Pending | BetState::Accepted(_) | BetState::AwaitingResolution(_) => {
            figures.total_bets += 1;
            figures.active_bets += 1;
        }
        BetState::Resolved { .. } if bet.winner() == Some(user) => {
            figures.total_bets += 1;
            figures.wins += 1;
            figures.winnings += stake;
            figures.best_win = figures.best_win.max(stake);
        }
        BetState::Resolved { .. } => {
            figures.total_bets += 1;
            figures.losses += 1;
            figures.losings += stake;
            figures.biggest_loss = figures.biggest_loss.max(stake);
        }
    }
}
