use super::{OWN_EYES, Source, Template, When::*};

const WIKIPEDIA: Source = Source("Wikipedia", "https://en.wikipedia.org/wiki/Main_Page");
const LOTTERY: Source = Source("the Powerball lottery", "https://www.powerball.com/previous-results");
const EARTHQUAKES: Source =
    Source("the US Geological Survey", "https://earthquake.usgs.gov/earthquakes/search/");
const BEACON: Source = Source("the Drand randomness beacon", "https://drand.love/");
const TRAINS: Source = Source("the MTA's alerts", "https://new.mta.info/alerts");
const FLIGHTS: Source = Source("FlightAware", "https://www.flightaware.com/live/cancelled/today");

pub(super) const IDEAS: &[Template] = &[
    Template(
        "Does the first Powerball drawing after {tomorrow} have an even red ball?",
        "The red ball's number of the first regular drawing dated after {tomorrow} counts.",
        ("Even", "Odd"),
        LOTTERY,
        InDays(6),
    ),
    Template(
        "Does somebody win the Powerball jackpot by {day}?",
        "A drawing dated from {tomorrow} to {date} with at least one jackpot winner counts.",
        ("Somebody wins it", "Nobody wins it"),
        LOTTERY,
        InDays(25),
    ),
    Template(
        "Do the five white Powerball numbers add up to more than 175?",
        "The first regular drawing dated after {tomorrow} counts, without the red ball.",
        ("More than 175", "175 or less"),
        LOTTERY,
        InDays(5),
    ),
    Template(
        "Is there an earthquake of magnitude 6.5 or more by {day}?",
        "An earthquake anywhere with an origin time from {tomorrow} to {date}, UTC, and that magnitude at {moment} counts.",
        ("At least one", "None"),
        EARTHQUAKES,
        InDays(8),
    ),
    Template(
        "Are there more than 30 earthquakes of magnitude 5 or more in the week to {day}?",
        "Earthquakes with an origin time in the seven days that end on {date}, UTC, are counted, as listed at {moment}.",
        ("More than 30", "30 or fewer"),
        EARTHQUAKES,
        Padded(7, 1),
    ),
    Template(
        "A coin toss that nobody can bend: the public randomness at noon on {day}",
        "The first round that the default chain publishes at or after 12:00 PM New York time on {date} counts: heads if the \
         last hexadecimal digit of its randomness is 0 to 7, tails if it is 8 to f.",
        ("Heads", "Tails"),
        BEACON,
        Next(3),
    ),
    Template(
        "High or low: the public randomness at 6 PM New York time on {before}",
        "The first round that the default chain publishes at or after 6:00 PM New York time on {before} counts, by the last \
         hexadecimal digit of its randomness: low is 0 to 7, high is 8 to f.",
        ("Low", "High"),
        BEACON,
        Next(6),
    ),
    Template(
        "Is Wikipedia's featured article of {date} about a person?",
        "The article on the English main page for that day, UTC, counts. One person as its subject makes it so; a group, \
         work or place does not.",
        ("About a person", "About something else"),
        WIKIPEDIA,
        Padded(3, 1),
    ),
    Template(
        "Does the featured article of {date} on Wikipedia begin with a letter from A to M?",
        "The title of the article on the English main page for that day, UTC, counts, without 'The', 'A' and 'An'. Digits \
         come before A.",
        ("A to M, or a digit", "N to Z"),
        WIKIPEDIA,
        Padded(5, 1),
    ),
    Template(
        "Are more than 60 flights within, into or out of the US cancelled on {date}?",
        "The day's figure as it stands at 11:00 PM New York time on {date} counts.",
        ("More than 60", "60 or fewer"),
        FLIGHTS,
        Next(2),
    ),
    Template(
        "Is the New York subway's G train without a planned change on {date}?",
        "No planned change of service for the G line may be listed for that day at 12:00 PM New York time on {before}.",
        ("No planned change", "At least one"),
        TRAINS,
        Next(7),
    ),
    Template(
        "Who walks more steps on {date}: the maker or the taker of this bet?",
        "Steps from midnight to midnight by each one's own clock, by the same kind of app, shown to each other as a picture \
         by {moment}.",
        ("The maker", "The taker"),
        OWN_EYES,
        Padded(6, 1),
    ),
    Template(
        "Who wins our best of three at chess by {day}?",
        "Three games of ten minutes each, colours in turn, played online by {moment}. More points win; a game that is not \
         played counts for whoever was there.",
        ("The maker", "The taker"),
        OWN_EYES,
        InDays(7),
    ),
    Template(
        "Who reads more pages by {day}?",
        "Pages of books finished from {tomorrow} to {date}, each named to the other when it is finished; picture books do not \
         count.",
        ("The maker", "The taker"),
        OWN_EYES,
        InDays(30),
    ),
    Template(
        "Who guesses the Wordle in fewer tries on {date}?",
        "The puzzle of that day, solved without help and shared as its coloured squares by {moment}. Not solving it counts as \
         seven tries.",
        ("The maker", "The taker"),
        OWN_EYES,
        Next(5),
    ),
    Template(
        "Who gets up earlier on {date}?",
        "A picture of a clock and that day's first daylight, sent to the other; the earlier one by each one's own clock wins.",
        ("The maker", "The taker"),
        OWN_EYES,
        Next(6),
    ),
];
