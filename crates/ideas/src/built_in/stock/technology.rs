use super::{Source, Template, When::*};

const LAUNCHES: Source = Source("Next Spaceflight", "https://nextspaceflight.com/launches/");
const SPACEX: Source = Source("SpaceX", "https://www.spacex.com/launches/");
const KERNEL: Source = Source("kernel.org", "https://www.kernel.org/");
const GITHUB_STATUS: Source = Source("GitHub's status page", "https://www.githubstatus.com/history");
const CLOUD: Source = Source("Cloudflare's status page", "https://www.cloudflarestatus.com/history");
const APPLE: Source = Source("Apple", "https://www.apple.com/newsroom/");
const HACKER_NEWS: Source = Source("Hacker News", "https://news.ycombinator.com/front");
const ARENA: Source = Source("LMArena", "https://lmarena.ai/leaderboard/text");

pub(super) const IDEAS: &[Template] = &[
    Template(
        "Does SpaceX launch three or more Falcon 9 rockets in the week after {day}?",
        "Lift-offs from {after} to {end}, UTC, are counted, whatever becomes of the payload.",
        ("Three or more", "Two or fewer"),
        LAUNCHES,
        InDays(3),
    ),
    Template(
        "Does the first Falcon 9 after {day} lift off in the first half of an hour?",
        "The first lift-off of a Falcon 9 dated after {date}, UTC, counts: its minute is 00 to 29, or 30 to 59.",
        ("Minute 00 to 29", "Minute 30 to 59"),
        SPACEX,
        InDays(2),
    ),
    Template(
        "Does a rocket other than Falcon 9 lift off first after {day}?",
        "The first attempt to reach orbit anywhere that is dated after {date}, UTC, counts.",
        ("Another rocket", "A Falcon 9"),
        LAUNCHES,
        InDays(4),
    ),
    Template(
        "Are there six or more orbital launches worldwide in the week after {day}?",
        "Attempts to reach orbit that lift off from {after} to {end}, UTC, are counted, failures included.",
        ("Six or more", "Five or fewer"),
        LAUNCHES,
        InDays(2),
    ),
    Template(
        "Is the stable Linux kernel at the top of kernel.org replaced by {end}?",
        "The version named as the latest release at 4:00 PM New York time on {date} is compared with the one at that \
         hour on {end}.",
        ("Replaced", "Not replaced"),
        KERNEL,
        InDays(2),
    ),
    Template(
        "Does the Linux changelog after {day} name more than 100 changes?",
        "The changelog of the first point release of any stable kernel dated after {date}, UTC, counts, by its commits, \
         the last one included; of several on a day, that of the highest version.",
        ("More than 100", "100 or fewer"),
        KERNEL,
        InDays(3),
    ),
    Template(
        "Does GitHub report three or more incidents in the week after {day}?",
        "Incidents that begin from {after} to {end}, UTC, are counted; maintenance is not.",
        ("Three or more", "Two or fewer"),
        GITHUB_STATUS,
        InDays(2),
    ),
    Template(
        "Does GitHub stay without an incident on {date}?",
        "No incident that begins on that day, UTC, may be listed by 4:00 PM New York time on the day after.",
        ("No incident", "At least one"),
        GITHUB_STATUS,
        AllDay(3),
    ),
    Template(
        "Does Cloudflare report a major or critical incident in the week after {day}?",
        "An incident that begins from {after} to {end}, UTC, and is marked major or critical at any time counts.",
        ("At least one", "None"),
        CLOUD,
        InDays(3),
    ),
    Template(
        "Does Apple publish two or more press releases in the week after {day}?",
        "Press releases in Apple's newsroom dated from {after} to {end}, California's clocks, are counted.",
        ("Two or more", "One or none"),
        APPLE,
        InDays(4),
    ),
    Template(
        "Does Apple publish an iOS update in the week after {day}?",
        "A public release of iOS for the newest iPhone, no beta, from {after} to {end} counts.",
        ("At least one", "None"),
        Source("Apple", "https://support.apple.com/en-us/100100"),
        InDays(3),
    ),
    Template(
        "Does the top story on Hacker News pass 500 points on {date}?",
        "The front page of that day, UTC, counts, as the page of past stories shows it a day later, by its first \
         story's points.",
        ("More than 500", "500 or fewer"),
        HACKER_NEWS,
        AllDay(3),
    ),
    Template(
        "Does the top Hacker News story of {date} mention AI?",
        "The first story of that day's front page, UTC, counts. AI, LLM, GPT, Claude, Gemini or a model's name in its title \
         or on its page makes it one.",
        ("It does", "It does not"),
        HACKER_NEWS,
        AllDay(4),
    ),
    Template(
        "Does the top Hacker News story after {day} have an even number of points?",
        "The first story of the front page of {after}, UTC, counts, by the points that the page of past stories shows at noon New York \
         time on {end}.",
        ("Even", "Odd"),
        HACKER_NEWS,
        InDays(2),
    ),
    Template(
        "Does the leading model of LMArena's text board change in the week after {day}?",
        "The model in the first place at 4:00 PM New York time on {date} is compared with the one at that hour on {end}.",
        ("Another model leads", "The same model leads"),
        ARENA,
        InDays(2),
    ),
    Template(
        "Is the number of Python packages even at noon New York time on {day}?",
        "The number of projects on the front page at {moment} counts; 0 is even.",
        ("Even", "Odd"),
        Source("the Python Package Index", "https://pypi.org/"),
        Next(1),
    ),
];
