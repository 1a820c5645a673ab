use bolts_bets::{Bet, Side, State as BetState, Status, Visibility};
use bolts_kernel::UserId;
use bolts_ports::{CurrencyStats, MarketStats, Stats};

use super::state::State;

impl State {
    pub(super) fn market_stats(&self) -> MarketStats {
        let mut market_stats = MarketStats::default();
        for row in self.live_bets().filter(|row| row.bet.terms.visibility == Visibility::Public) {
            let (bet, staked) = (&row.bet, row.bet.staked());
            market_stats.volume[staked.currency] += staked.amount.get();
            market_stats.active_bets += i64::from(matches!(bet.status(), Status::Pending | Status::Accepted));
            market_stats.total_bets += 1;
        }
        market_stats
    }

    pub(super) fn stats(&self, user: UserId) -> Stats {
        let mut stats = Stats::default();
        for row in self.live_bets() {
            let Some(side) = row.bet.side_of(user) else { continue };
            count(&mut stats[row.bet.terms.stake.currency], &row.bet, side);
        }
        stats
    }
}

fn count(figures: &mut CurrencyStats, bet: &Bet, side: Side) {
    let [own, opponents] = [side, side.opposite()].map(|side| bet.stake_of(side).amount.get());
    match &bet.state {
        // A bet that was cancelled before its acceptance does not count.
        BetState::Cancelled { negotiation: None, .. } => {}
        BetState::Cancelled { negotiation: Some(_), .. } => figures.total_bets += 1,
        BetState::Pending | BetState::Accepted(_) | BetState::AwaitingResolution(_) => {
            figures.total_bets += 1;
            figures.active_bets += 1;
        }
        BetState::Resolved { winning, .. } if *winning == side => {
            figures.total_bets += 1;
            figures.wins += 1;
            figures.winnings += opponents;
            figures.best_win = figures.best_win.max(opponents);
        }
        BetState::Resolved { .. } => {
            figures.total_bets += 1;
            figures.losses += 1;
            figures.losings += own;
            figures.biggest_loss = figures.biggest_loss.max(own);
        }
    }
}
