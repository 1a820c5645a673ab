use super::{Source, Template, When::*};

const SP500: Source = Source("Yahoo Finance", "https://finance.yahoo.com/quote/%5EGSPC/history/");
const NASDAQ: Source = Source("Yahoo Finance", "https://finance.yahoo.com/quote/%5EIXIC/history/");
const DOW: Source = Source("Yahoo Finance", "https://finance.yahoo.com/quote/%5EDJI/history/");
const APPLE: Source = Source("Yahoo Finance", "https://finance.yahoo.com/quote/AAPL/history/");
const TESLA: Source = Source("Yahoo Finance", "https://finance.yahoo.com/quote/TSLA/history/");
const QUOTES: Source = Source("Yahoo Finance", "https://finance.yahoo.com/");
const TREASURY: Source = Source(
    "the Treasury",
    "https://home.treasury.gov/resource-center/data-chart-center/interest-rates/TextView?type=daily_treasury_yield_curve",
);
const ECB: Source = Source(
    "the European Central Bank",
    "https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/html/index.en.html",
);

pub(super) const IDEAS: &[Template] = &[
    Template(
        "Does the S&P 500 close higher on {date} than the trading day before?",
        "The official close at {close} New York time on {date} is compared with that of {trading_before}.",
        ("Higher", "Not higher"),
        SP500,
        TradingWeekEnd,
    ),
    Template(
        "Does the Nasdaq Composite beat the S&P 500 on {date}?",
        "The change in per cent from the close of {trading_before} to the close at {close} New York time on {date} decides; a \
         smaller loss beats a larger one.",
        ("Nasdaq Composite", "S&P 500"),
        NASDAQ,
        Trading(3),
    ),
    Template(
        "Does the Dow move by more than 150 points on {date}?",
        "The Dow Jones Industrial Average's close at {close} New York time is compared with that of {trading_before}; up and \
         down both count.",
        ("More than 150 points", "150 points or less"),
        DOW,
        Trading(2),
    ),
    Template(
        "Is the S&P 500's close on {day} even before the point?",
        "The official close at {close} New York time on {date} counts, without its decimals. 0, 2, 4, 6 and 8 as its last \
         digit are even.",
        ("Even", "Odd"),
        SP500,
        AtClose(4),
    ),
    Template(
        "Does Apple's share close higher on {date} than the trading day before?",
        "The closing price at {close} New York time on {date} is compared with that of {trading_before}, adjusted for \
         splits.",
        ("Higher", "Not higher"),
        APPLE,
        TradingWeekEnd,
    ),
    Template(
        "Tesla or Nvidia: whose share does better in the week after {day}?",
        "The change in per cent from the close of {date} to the close of {trading_end} decides; a smaller loss beats a \
         larger one.",
        ("Tesla", "Nvidia"),
        QUOTES,
        AtClose(3),
    ),
    Template(
        "Does Tesla's share move by more than 2% on {date}?",
        "The closing price at {close} New York time is compared with that of {trading_before}; up and down both count.",
        ("It moves by more than 2%", "It stays within 2%"),
        TESLA,
        Trading(3),
    ),
    Template(
        "Is the S&P 500 higher at the end of {month} than a week before?",
        "The close at {close} New York time on {date} is compared with that of the last trading day up to {week}.",
        ("Higher", "Not higher"),
        SP500,
        TradingMonthEnd,
    ),
    Template(
        "Do small companies beat large ones in the week after {day}?",
        "The Russell 2000 and the S&P 500 are compared by their change in per cent from the close of {date} to the \
         close of {trading_end}.",
        ("Russell 2000", "S&P 500"),
        QUOTES,
        AtClose(4),
    ),
    Template(
        "Is gold more expensive on {date} than the trading day before?",
        "The settlement price of the most traded gold future on {date} is compared with that of {trading_before}.",
        ("More expensive", "Not more expensive"),
        Source("Yahoo Finance", "https://finance.yahoo.com/quote/GC%3DF/history/"),
        Trading(3),
    ),
    Template(
        "Is a barrel of US crude cheaper a week after {day}?",
        "The settlement price of the nearest WTI future on {trading_end} is compared with that of {date}.",
        ("Cheaper", "Not cheaper"),
        Source("Yahoo Finance", "https://finance.yahoo.com/quote/CL%3DF/history/"),
        AtClose(2),
    ),
    Template(
        "Does the 10-year Treasury yield rise on {date}?",
        "The par yield of the 10-year note for {date} is compared with that for {trading_before}, to two decimals.",
        ("It rises", "It does not rise"),
        TREASURY,
        Trading(3),
    ),
    Template(
        "Is a euro worth more dollars a week after {day}?",
        "The reference rate of the dollar published for {trading_end} is compared with that for {date}; a day without a \
         rate counts by the rate before it.",
        ("Worth more", "Not worth more"),
        ECB,
        AtClose(3),
    ),
    Template(
        "Does the VIX close above its level of the trading day before on {date}?",
        "The volatility index's close on {date} is compared with that of {trading_before}.",
        ("Above", "Not above"),
        Source("Cboe", "https://www.cboe.com/tradable_products/vix/vix_historical_data/"),
        Trading(2),
    ),
    Template(
        "Microsoft or Apple: whose share does better on {date}?",
        "The change in per cent from the close of {trading_before} to the close at {close} New York time on {date} \
         decides; a smaller loss beats a larger one.",
        ("Microsoft", "Apple"),
        QUOTES,
        Trading(4),
    ),
    Template(
        "Do more than half of the Dow's thirty shares close higher on {date}?",
        "Each share's closing price at {close} New York time is compared with that of {trading_before}; 16 or more is more \
         than half.",
        ("16 or more", "15 or fewer"),
        DOW,
        TradingWeekEnd,
    ),
];
