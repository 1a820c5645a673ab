use super::{Source, Template, When::*};

const BITCOIN: Source = Source("CoinGecko", "https://www.coingecko.com/en/coins/bitcoin");
const ETHER: Source = Source("CoinGecko", "https://www.coingecko.com/en/coins/ethereum");
const COINS: Source = Source("CoinGecko", "https://www.coingecko.com/");
const MEMPOOL: Source = Source("mempool.space", "https://mempool.space/");
const MOOD: Source = Source("alternative.me", "https://alternative.me/crypto/fear-and-greed-index/");

pub(super) const IDEAS: &[Template] = &[
    Template(
        "Will Bitcoin be higher on {date} than the day before?",
        "The US dollar price at 4:00 PM New York time on {date} is compared with the one at the same hour on {before}.",
        ("Higher", "Not higher"),
        BITCOIN,
        AllDay(5),
    ),
    Template(
        "Bitcoin or Ethereum: which gains more in the week after {day}?",
        "The change in per cent of the US dollar price from {moment} to the same hour on {end} decides; a smaller loss \
         beats a larger one.",
        ("Bitcoin", "Ethereum"),
        COINS,
        InDays(3),
    ),
    Template(
        "Will Solana gain in the week after {day}?",
        "The US dollar price at 4:00 PM New York time on {end} is compared with the one at {moment}.",
        ("It is higher", "It is not higher"),
        Source("CoinGecko", "https://www.coingecko.com/en/coins/solana"),
        InDays(2),
    ),
    Template(
        "Will Bitcoin move by more than 2% from {before} to {day}?",
        "The US dollar price at 4:00 PM New York time on {date} is compared with the one at the same hour on {before}. \
         A move up or down of more than 2.00% counts.",
        ("It moves by more than 2%", "It stays within 2%"),
        BITCOIN,
        AllDay(2),
    ),
    Template(
        "Is Bitcoin's price an even number of dollars at noon New York time on {day}?",
        "The US dollar price at {moment} counts, cents left out. 0, 2, 4, 6 and 8 as its last digit are even.",
        ("Even", "Odd"),
        BITCOIN,
        Next(4),
    ),
    Template(
        "Does the first Bitcoin block after noon New York time on {day} hold more than 3,000 transactions?",
        "The first block whose timestamp is later than 12:00 PM New York time on {date} counts, with all its \
         transactions.",
        ("More than 3,000", "3,000 or fewer"),
        MEMPOOL,
        Next(1),
    ),
    Template(
        "Over or under 144.5: Bitcoin blocks found on {day}",
        "Blocks with a timestamp from 00:00 to 23:59 UTC on {date} are counted. About 144 are expected in a day.",
        ("Over 144.5 blocks", "Under 144.5 blocks"),
        MEMPOOL,
        AllDay(5),
    ),
    Template(
        "Will a Bitcoin transfer be cheaper on {day} than on {before}?",
        "The recommended high-priority fee in sat/vB at 4:00 PM New York time on {date} is compared with the one at the \
         same hour on {before}.",
        ("Cheaper", "Not cheaper"),
        MEMPOOL,
        AllDay(3),
    ),
    Template(
        "Does Foundry USA or AntPool mine the first Bitcoin block after noon New York time on {day}?",
        "The first block whose timestamp is later than 12:00 PM New York time on {date} counts, by the pool that the \
         page names.",
        ("One of the two", "Anybody else"),
        MEMPOOL,
        Next(2),
    ),
    Template(
        "Dogecoin or Shiba Inu: which does better in the week after {day}?",
        "The change in per cent of the US dollar price from {moment} to the same hour on {end} decides; a smaller loss \
         beats a larger one.",
        ("Dogecoin", "Shiba Inu"),
        COINS,
        InDays(4),
    ),
    Template(
        "Will all cryptocurrencies together be worth more at the end of {month} than a week before?",
        "The total market capitalisation at 4:00 PM New York time on {date} is compared with the one at the same hour \
         on {week}.",
        ("Worth more", "Not worth more"),
        COINS,
        MonthEnd,
    ),
    Template(
        "Will Bitcoin's share of the whole market grow in the week after {day}?",
        "Bitcoin's dominance in per cent at 4:00 PM New York time on {end} is compared with the one at {moment}.",
        ("It grows", "It does not grow"),
        COINS,
        InDays(3),
    ),
    Template(
        "XRP or Cardano: which gains more over the weekend of {day}?",
        "The change in per cent of the US dollar price over the 24 hours that end at 4:00 PM New York time on {date} \
         decides; a smaller loss beats a larger one.",
        ("XRP", "Cardano"),
        COINS,
        AllDay(7),
    ),
    Template(
        "Will one Ether buy more Bitcoin on {day} than on {before}?",
        "The price of Ether in Bitcoin at 4:00 PM New York time on {date} is compared with the one at the same hour on \
         {before}.",
        ("It buys more", "It does not buy more"),
        ETHER,
        AllDay(6),
    ),
    Template(
        "Will the crypto fear and greed index rise from {before} to {day}?",
        "The index that is shown for {date} is compared with the one for {before}.",
        ("It rises", "It does not rise"),
        MOOD,
        AllDay(4),
    ),
    Template(
        "Will Litecoin beat Bitcoin in the week after {day}?",
        "The change in per cent of the US dollar price from {moment} to the same hour on {end} decides.",
        ("Litecoin does better", "Bitcoin does as well or better"),
        COINS,
        InDays(2),
    ),
];
