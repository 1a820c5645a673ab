use super::{Source, Template, When::*};

const LAUNCHES: Source = Source("Next Spaceflight", "https://nextspaceflight.com/launches/");
const SPACEX: Source = Source("SpaceX", "https://www.spacex.com/launches/");
const KERNEL: Source = Source("kernel.org", "https://www.kernel.org/");
const GITHUB_STATUS: Source = Source("GitHub's status page", "https://www.githubstatus.com/history");
const CLOUD: Source = Source("Cloudflare's status page", "https://www.cloudflarestatus.com/history");
const APPLE: Source = Source("Apple", "https://www.apple.com/newsroom/");
const HACKER_NEWS: Source = Source("Hacker News", "https://news.ycombinator.com/front");
const RUST: Source = Source("the Rust project", "https://blog.rust-lang.org/releases/");
const ARENA: Source = Source("LMArena", "https://lmarena.ai/leaderboard/text");

pub(super) const IDEAS: &[Template] = &[
    Template(
        "Does SpaceX launch three or more Falcon 9 rockets in the week to {day}?",
        "Lift-offs from 00:00 UTC on {week} to 00:00 UTC on {date} are counted, whatever becomes of the payload.",
        ("Three or more", "Two or fewer"),
        LAUNCHES,
        InDays(9),
    ),
    Template(
        "Does the next Falcon 9 launch lift off on its first attempt?",
        "The first Falcon 9 mission whose countdown is announced after {tomorrow} counts. A lift-off on the date that SpaceX \
         published 24 hours before is a first attempt.",
        ("On the first attempt", "Later"),
        SPACEX,
        InDays(14),
    ),
    Template(
        "Does Starship fly again by {day}?",
        "A lift-off of Super Heavy with Starship on top from {tomorrow} to {date} counts, whatever comes after it.",
        ("It flies", "It does not fly"),
        SPACEX,
        QuarterEnd,
    ),
    Template(
        "Are there ten or more orbital launches worldwide in the ten days to {day}?",
        "Attempts to reach orbit that lift off from {tomorrow} to {date}, UTC, are counted, failures included.",
        ("Ten or more", "Nine or fewer"),
        LAUNCHES,
        InDays(11),
    ),
    Template(
        "Is a new mainline Linux kernel released by {day}?",
        "A final release of a new version such as 7.1, no candidate and no point release, dated from {tomorrow} to {date}, \
         UTC, counts.",
        ("Released", "Not released"),
        KERNEL,
        InDays(35),
    ),
    Template(
        "Does the next Linux kernel need eight release candidates?",
        "The first mainline version that is released after {tomorrow} counts: whether it had a candidate named rc8.",
        ("It has an rc8", "It is released without one"),
        KERNEL,
        InDays(75),
    ),
    Template(
        "Does GitHub report three or more incidents in the week to {day}?",
        "Incidents that began in the seven days that end on {date}, UTC, are counted; maintenance is not.",
        ("Three or more", "Two or fewer"),
        GITHUB_STATUS,
        InDays(8),
    ),
    Template(
        "Does GitHub stay without an incident on {date}?",
        "No incident that begins on that day, UTC, may be listed by 4:00 PM New York time on the day after.",
        ("No incident", "At least one"),
        GITHUB_STATUS,
        Padded(3, 1),
    ),
    Template(
        "Does Cloudflare report a major or critical incident by {day}?",
        "An incident that begins from {tomorrow} to {date}, UTC, and is marked major or critical at any time counts.",
        ("At least one", "None"),
        CLOUD,
        InDays(14),
    ),
    Template(
        "Does Apple announce a new product in its newsroom by {day}?",
        "A press release dated from {tomorrow} to {date}, California's clocks, that presents a device not sold before counts.",
        ("It does", "It does not"),
        APPLE,
        InDays(40),
    ),
    Template(
        "Does Apple publish an iOS update by {day}?",
        "A public release of iOS for the newest iPhone, no beta, from {tomorrow} to {date} counts.",
        ("At least one", "None"),
        Source("Apple", "https://support.apple.com/en-us/100100"),
        InDays(12),
    ),
    Template(
        "Does the top story on Hacker News pass 500 points on {date}?",
        "The front page of that day, UTC, is looked at by {moment} on the page of past stories: its first story's points \
         count.",
        ("More than 500", "500 or fewer"),
        HACKER_NEWS,
        Padded(3, 1),
    ),
    Template(
        "Does the top Hacker News story of {date} mention AI?",
        "The first story of that day's front page, UTC, counts. AI, LLM, GPT, Claude, Gemini or a model's name in its title \
         or on its page makes it one.",
        ("It does", "It does not"),
        HACKER_NEWS,
        Padded(4, 1),
    ),
    Template(
        "Does the next stable Rust release get a point release within ten days?",
        "The first stable version 1.x.0 released after {tomorrow} counts, by the dates of the project's announcements, UTC.",
        ("A point release follows", "None follows"),
        RUST,
        InDays(60),
    ),
    Template(
        "Does the leading model of LMArena's text board change by {day}?",
        "The model in the first place at {moment} is compared with the one at 4:00 PM New York time on {tomorrow}.",
        ("Another model leads", "The same model leads"),
        ARENA,
        InDays(30),
    ),
    Template(
        "Does a US company announce a purchase of another for $10 billion or more by {day}?",
        "A definitive agreement announced from {tomorrow} to {date} between two technology companies, with that price or more, \
         counts.",
        ("At least one", "None"),
        Source("the Associated Press", "https://apnews.com/technology"),
        MonthEnd,
    ),
];
