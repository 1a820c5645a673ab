use super::{OWN_EYES, Source, Template, When::*};

const WIKIPEDIA: Source = Source("Wikipedia", "https://pageviews.wmcloud.org/topviews/");
const LOTTERY: Source = Source("the Powerball lottery", "https://www.powerball.com/previous-results");
const EARTHQUAKES: Source =
    Source("the US Geological Survey", "https://earthquake.usgs.gov/earthquakes/search/");
const BEACON: Source = Source("the Drand randomness beacon", "https://drand.love/");
const TRAINS: Source = Source("the MTA's alerts", "https://new.mta.info/alerts");
const FLIGHTS: Source = Source("FlightAware", "https://www.flightaware.com/live/cancelled/today");

pub(super) const IDEAS: &[Template] = &[
    Template(
        "Does the first Powerball drawing after {day} have an even red ball?",
        "The red ball's number of the first regular drawing dated after {date} counts.",
        ("Even", "Odd"),
        LOTTERY,
        InDays(2),
    ),
    Template(
        "Is the lowest white ball of the first Powerball drawing after {day} 9 or less?",
        "The first regular drawing dated after {date} counts, without the red ball.",
        ("9 or less", "10 or more"),
        LOTTERY,
        InDays(4),
    ),
    Template(
        "Do the five white balls of the first Powerball drawing after {day} add up to more than 175?",
        "The first regular drawing dated after {date} counts, without the red ball.",
        ("More than 175", "175 or less"),
        LOTTERY,
        InDays(3),
    ),
    Template(
        "Is there an earthquake of magnitude 6.5 or more in the week after {day}?",
        "An earthquake anywhere with an origin time from {after} to {end}, UTC, and that magnitude a day after the last \
         of them counts.",
        ("At least one", "None"),
        EARTHQUAKES,
        InDays(3),
    ),
    Template(
        "Are there more than 30 earthquakes of magnitude 5 or more in the week after {day}?",
        "Earthquakes with an origin time from {after} to {end}, UTC, are counted, as listed a day after the last of \
         them.",
        ("More than 30", "30 or fewer"),
        EARTHQUAKES,
        InDays(4),
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
        "High or low: the public randomness at 6 PM New York time on {day}",
        "The first round that the default chain publishes at or after 6:00 PM New York time on {date} counts, by the \
         last hexadecimal digit of its randomness: low is 0 to 7, high is 8 to f.",
        ("Low", "High"),
        BEACON,
        Next(6),
    ),
    Template(
        "Is the most read Wikipedia article of {date} about a person?",
        "The first article in the list of the English Wikipedia for that day, UTC, counts, the main page and special \
         pages left out. One person as its subject makes it so; a group, work or place does not.",
        ("About a person", "About something else"),
        WIKIPEDIA,
        AllDay(3),
    ),
    Template(
        "Does the most read Wikipedia article of {date} begin with a letter from A to M?",
        "The title of the first article in the list of the English Wikipedia for that day, UTC, counts, without 'The', \
         'A' and 'An', the main page and special pages left out. Digits come before A.",
        ("A to M, or a digit", "N to Z"),
        WIKIPEDIA,
        AllDay(5),
    ),
    Template(
        "Are more than 60 flights within, into or out of the US cancelled on {date}?",
        "The day's figure as it stands at 11:00 PM New York time on {date} counts.",
        ("More than 60", "60 or fewer"),
        FLIGHTS,
        AllDay(2),
    ),
    Template(
        "Is New York's G train without delays in the afternoon of {date}?",
        "No alert of delays for the G line may be posted from 12:00 PM to 6:00 PM New York time on that day.",
        ("No such alert", "At least one"),
        TRAINS,
        Next(4),
    ),
    Template(
        "Who walks more steps on {date}: the maker or the taker of this bet?",
        "Steps of the whole day by each one's own clock, by the same kind of app, shown to each other as a \
         picture within a day.",
        ("The maker", "The taker"),
        OWN_EYES,
        AllDay(6),
    ),
    Template(
        "Who wins our best of three at chess on {date}?",
        "Three games of ten minutes each, colours in turn, played online on that day. More points win; a game that is \
         not played counts for whoever was there.",
        ("The maker", "The taker"),
        OWN_EYES,
        AllDay(7),
    ),
    Template(
        "Who reads more pages in the week after {day}?",
        "Pages of books read from {after} to {end}, each named to the other when it is finished; picture books do not \
         count.",
        ("The maker", "The taker"),
        OWN_EYES,
        InDays(3),
    ),
    Template(
        "Who guesses the Wordle in fewer tries on {date}?",
        "The puzzle of that day, solved without help and shared as its coloured squares on that day. Not solving it \
         counts as seven tries.",
        ("The maker", "The taker"),
        OWN_EYES,
        AllDay(5),
    ),
    Template(
        "Who gets up earlier on {date}?",
        "A picture of a clock and that day's first daylight, sent to the other; the earlier one by each one's own clock \
         wins.",
        ("The maker", "The taker"),
        OWN_EYES,
        AllDay(6),
    ),
];
