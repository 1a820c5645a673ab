//! Finds the category of a bet from the words of its title.

use bolts_bets::Category;

use super::words::{Word, weight};

/// The phrases that indicate each category. If two categories have the same weight, the first category in this
/// list is chosen. So narrow categories come before wide ones.
const PHRASES: [(Category, &str); 7] = [
    (
        Category::Cryptocurrency,
        "bitcoin, btc, ethereum, eth, ether, crypto, cryptocurrency, solana, sol, dogecoin, doge, xrp, ripple, \
         cardano, ada, litecoin, ltc, stablecoin, altcoin, nft, defi, blockchain, satoshi, satoshis, sats, halving, \
         coinbase, binance, memecoin, hashrate, lightning network, monero, polkadot, avalanche token, chainlink, \
         tether, usdt, usdc, bnb, shiba inu, mempool, btc dominance, bitcoin etf, token",
    ),
    (
        Category::Weather,
        "snow, snows, snowfall, rain, rains, rainfall, weather, temperature, hurricane, storm, tornado, blizzard, \
         heat wave, heatwave, degrees, celsius, fahrenheit, sunny, cloudy, frost, hail, thunderstorm, white \
         christmas, wind, winds, humidity, drought, flood, forecast, el niño, la niña, cyclone, typhoon, inches of \
         snow, inches of rain, freezing, noaa, hottest, coldest, warmest, fog, sunshine, cherry blossom",
    ),
    (
        Category::Politics,
        "election, elections, president, presidential, senate, senator, congress, parliament, vote, votes, \
         referendum, governor, mayor, prime minister, chancellor, democrats, democrat, republicans, republican, \
         labour party, tories, gop, impeach, impeached, impeachment, supreme court, cabinet, white house, bill, \
         veto, shutdown, government shutdown, midterms, primary, primaries, poll, polls, approval rating, treaty, \
         nato, united nations, sanctions, ceasefire, minister, campaign, ballot, law, house of representatives, \
         electoral, coalition, brexit, speaker of the house, executive order, tariffs",
    ),
    (
        Category::Entertainment,
        "movie, film, box office, oscar, oscars, academy award, academy awards, emmy, emmys, grammy, grammys, \
         album, song, single, billboard, spotify, netflix, disney, series, season finale, tv, show, actor, actress, \
         concert, tour, taylor swift, beyonce, beyoncé, drake, marvel, star wars, golden globe, golden globes, \
         eurovision, rotten tomatoes, trailer, premiere, celebrity, broadway, band, singer, podcast, youtube, \
         mrbeast, video game, gta, gta vi, gta 6, best picture, hbo, reality show, bachelor, sequel, tony awards, \
         streaming, cannes, blockbuster, avatar, hot 100, super bowl halftime show",
    ),
    (
        Category::Sports,
        "nfl, nba, mlb, nhl, mls, ufc, fifa, uefa, ncaa, wnba, pga, f1, formula 1, formula one, grand prix, nascar, \
         super bowl, world series, stanley cup, world cup, champions league, premier league, la liga, bundesliga, \
         serie a, playoffs, playoff, finals, match, game, season opener, touchdown, touchdowns, goals, goal, home \
         run, home runs, quarterback, coach, olympics, olympic, wimbledon, us open, tennis, golf, masters, boxing, \
         fight, knockout, marathon, race, soccer, football, basketball, baseball, hockey, rugby, cricket, lakers, \
         celtics, warriors, knicks, bulls, heat, nets, mavericks, nuggets, bucks, 76ers, suns, chiefs, eagles, \
         cowboys, giants, jets, bills, dolphins, patriots, packers, bears, lions, vikings, 49ers, seahawks, rams, \
         ravens, steelers, bengals, browns, broncos, raiders, chargers, texans, colts, yankees, mets, dodgers, red \
         sox, cubs, astros, braves, phillies, rangers, bruins, maple leafs, oilers, penguins, real madrid, \
         barcelona, arsenal, chelsea, liverpool, manchester united, manchester city, man city, man united, \
         tottenham, bayern, bayern munich, dortmund, juventus, inter milan, ac milan, psg, messi, ronaldo, lebron, \
         curry, mahomes, verstappen, hamilton, djokovic, alcaraz, sinner, points, championship, tournament, medal, \
         mvp, derby, kentucky derby, tour de france, ryder cup, team, league, playoffs this year, yards",
    ),
    (
        Category::Finance,
        "s&p, s&p 500, dow, dow jones, nasdaq, nasdaq 100, russell 2000, stock, stocks, share, shares, shares \
         close, fed, federal reserve, interest rate, interest rates, rate cut, rate hike, inflation, cpi, gdp, jobs \
         report, unemployment, unemployment rate, bond, bonds, treasury, 10-year yield, yield, gold, silver, oil, \
         crude, brent, wti, euro, dollar, yen, pound, eur/usd, usd, market cap, earnings, ipo, recession, bull \
         market, bear market, vix, nyse, dividend, mortgage, mortgage rate, housing prices, natural gas, ecb, bank \
         of england, wall street, market, nikkei, ftse, dax, payrolls, copper, tsla, aapl, nvda",
    ),
    (
        Category::Technology,
        "apple, iphone, ipad, google, android, pixel, microsoft, windows, openai, chatgpt, gpt, gpt-6, anthropic, \
         claude, gemini, ai, artificial intelligence, robot, robots, robotaxi, tesla, spacex, starship, rocket, \
         nasa, launch, launches, meta, facebook, instagram, tiktok, twitter, x.com, amazon, aws, nvidia, amd, \
         intel, chip, chips, software, app, app store, startup, smartphone, laptop, quantum, quantum computer, vr, \
         headset, linux, kernel, github, rust, python, outage, data breach, samsung, galaxy, foldable, self- \
         driving, electric car, ev, satellite, moon landing, tech, technology, playstation, xbox, nintendo, switch \
         2, firefox, chrome, cybertruck, falcon 9",
    ),
];

/// The category with the highest weight in the title, or `Other` if no phrase occurs.
pub(crate) fn category(words: &[Word]) -> Category {
    // A possessive counts as the word itself: "Apple's" counts as "Apple".
    let plain: Vec<Word> = words
        .iter()
        .map(|word| {
            let text = word.text.strip_suffix("'s").unwrap_or(&word.text).to_owned();
            Word { text, ..word.clone() }
        })
        .collect();
    let weighed = PHRASES.iter().map(|(category, phrases)| (weight(&plain, phrases.split(", ")), *category));
    let best = weighed.rev().max_by_key(|(weight, _)| *weight);
    best.filter(|(weight, _)| *weight > 0).map_or(Category::Other, |(_, category)| category)
}

/// The name and the URL of the usual source for outcomes of a category. `None` if the source depends on the
/// bet.
pub(crate) fn usual_source(category: Category) -> Option<(&'static str, &'static str)> {
    match category {
        Category::Cryptocurrency => Some(("CoinGecko", "https://www.coingecko.com/")),
        Category::Sports => Some(("ESPN", "https://www.espn.com/")),
        Category::Politics => Some(("the Associated Press", "https://apnews.com/politics")),
        Category::Weather => Some(("the National Weather Service", "https://www.weather.gov/")),
        Category::Entertainment => Some(("the Associated Press", "https://apnews.com/entertainment")),
        Category::Technology => Some(("the Associated Press", "https://apnews.com/technology")),
        Category::Finance => Some(("Yahoo Finance", "https://finance.yahoo.com/")),
        Category::Other => None,
    }
}
