use bolts_kernel::Currency;
use bolts_ports::{CurrencyStats, MarketStats, Stats};
use serde::Serialize;
use utoipa::ToSchema;

/// The number of public bets.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TotalCount)]
pub(crate) struct CountJson {
    pub(crate) total_bets_count: i64,
}

/// The number of bets that wait for the user.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TurnCount)]
pub(crate) struct TurnCountJson {
    pub(crate) turn_count: usize,
}

/// The figures of the marketplace.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Tiles)]
pub(crate) struct MarketStatsJson {
    /// The number of pending and accepted bets.
    active_bets: i64,
    /// The sum of all stakes ever held in escrow, in Bolts.
    bolts_volume: i64,
    /// The sum of all stakes ever held in escrow, in sats.
    sats_volume: i64,
    total_bets_count: i64,
}

impl From<MarketStats> for MarketStatsJson {
    fn from(market_stats: MarketStats) -> Self {
        Self {
            active_bets: market_stats.active_bets,
            bolts_volume: market_stats.volume[Currency::Bolts],
            sats_volume: market_stats.volume[Currency::Sats],
            total_bets_count: market_stats.total_bets,
        }
    }
}

/// A user's figures in one currency.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CurrencyStats)]
pub(crate) struct CurrencyFiguresJson {
    wins: i64,
    losses: i64,
    /// The winnings minus the losses.
    net: i64,
    best_win: i64,
    biggest_loss: i64,
    total_bets: i64,
    active_bets: i64,
}

impl From<CurrencyStats> for CurrencyFiguresJson {
    fn from(stats: CurrencyStats) -> Self {
        Self {
            wins: stats.wins,
            losses: stats.losses,
            net: stats.winnings - stats.losings,
            best_win: stats.best_win,
            biggest_loss: stats.biggest_loss,
            total_bets: stats.total_bets,
            active_bets: stats.active_bets,
        }
    }
}

/// A user's figures, over all bets.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Stats)]
pub(crate) struct StatsJson {
    total_bets: i64,
    active_bets: i64,
    won_bets: i64,
    lost_bets: i64,
    /// Won / resolved × 100; 0 if no bet is resolved.
    win_rate: f64,
    total_bolts_winnings: i64,
    total_sats_winnings: i64,
    /// The same as `totalSatsWinnings`.
    total_winnings: i64,
    bolts: CurrencyFiguresJson,
    sats: CurrencyFiguresJson,
}

impl From<Stats> for StatsJson {
    fn from(stats: Stats) -> Self {
        let (won, lost) = (stats.sum(|figures| figures.wins), stats.sum(|figures| figures.losses));
        let (bolts, sats) = (stats[Currency::Bolts], stats[Currency::Sats]);
        // The counts are far below 2^53, so their conversion to f64 is exact.
        let win_rate = if won + lost == 0 { 0.0 } else { won as f64 * 100.0 / (won + lost) as f64 };
        Self {
            total_bets: stats.sum(|figures| figures.total_bets),
            active_bets: stats.sum(|figures| figures.active_bets),
            won_bets: won,
            lost_bets: lost,
            win_rate,
            total_bolts_winnings: bolts.winnings,
            total_sats_winnings: sats.winnings,
            total_winnings: sats.winnings,
            bolts: bolts.into(),
            sats: sats.into(),
        }
    }
}
