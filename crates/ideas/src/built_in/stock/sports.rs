use super::{Source, Template, When::*};

const ESPN: Source = Source("ESPN", "https://www.espn.com/");
const NBA: Source = Source("the NBA's schedule", "https://www.nba.com/schedule");
const NFL: Source = Source("the NFL's schedule", "https://www.nfl.com/scores/");
const NHL: Source = Source("the NHL's schedule", "https://www.nhl.com/scores");
const PREMIER: Source = Source("the Premier League", "https://www.premierleague.com/matches");
const FOOTBALL: Source = Source("ESPN", "https://www.espn.com/soccer/scoreboard");
const TENNIS: Source = Source("the ATP", "https://www.atptour.com/en/scores/current");

pub(super) const IDEAS: &[Template] = &[
    Template(
        "Does the home side win the first Premier League match of {date}?",
        "The match of that day with the earliest kick-off counts; of several at once, the first in the alphabet by home \
         side. The score after 90 minutes and stoppage time decides.",
        ("The home side wins", "Draw or away win"),
        PREMIER,
        Next(6),
    ),
    Template(
        "Over or under 2.5 goals in the last Premier League match of {date}?",
        "The match of that day with the latest kick-off counts; of several at once, the first in the alphabet by home side. \
         Goals within 90 minutes and stoppage time are counted.",
        ("Over 2.5 goals", "Under 2.5 goals"),
        PREMIER,
        Next(7),
    ),
    Template(
        "Do both sides score in the first La Liga match of {date}?",
        "The match of that day with the earliest kick-off counts; of several at once, the first in the alphabet by home \
         side. Own goals count for the side they help.",
        ("Both score", "At least one does not"),
        FOOTBALL,
        Next(6),
    ),
    Template(
        "Does the away side win the first Bundesliga match of {date}?",
        "The match of that day with the earliest kick-off counts; of several at once, the first in the alphabet by home side.",
        ("The away side wins", "Draw or home win"),
        FOOTBALL,
        Next(6),
    ),
    Template(
        "Is there a red card in Serie A on {date}?",
        "All Serie A matches that kick off on that day by Rome's clocks are counted. Two yellow cards are a red one.",
        ("At least one red card", "No red card"),
        FOOTBALL,
        Next(7),
    ),
    Template(
        "Does the home team win the first NBA game of {date}?",
        "The game of that day with the earliest tip-off, New York time, counts; of several at once, the first in the \
         alphabet by home team. Overtime included.",
        ("The home team wins", "The away team wins"),
        NBA,
        Next(5),
    ),
    Template(
        "Over or under 224.5 points in the last NBA game of {date}?",
        "The game of that day with the latest tip-off, New York time, counts; of several at once, the first in the alphabet \
         by home team. Points of both teams, overtime included.",
        ("Over 224.5 points", "Under 224.5 points"),
        NBA,
        Next(3),
    ),
    Template(
        "Does any NBA player score 40 points or more on {date}?",
        "All NBA games that tip off on that day, New York time, are looked at, overtime included.",
        ("Somebody does", "Nobody does"),
        NBA,
        Next(2),
    ),
    Template(
        "Does the home team win the NFL's Sunday night game on {date}?",
        "The NFL game of that day with the latest kick-off counts, overtime included.",
        ("The home team wins", "The away team wins"),
        NFL,
        Next(7),
    ),
    Template(
        "Over or under 44.5 points in the NFL's Monday night game on {date}?",
        "Points of both teams in the NFL game of that day with the latest kick-off, overtime included.",
        ("Over 44.5 points", "Under 44.5 points"),
        NFL,
        Next(1),
    ),
    Template(
        "Is the first NHL game of {date} decided within 60 minutes?",
        "The game of that day with the earliest start, New York time, counts; of several at once, the first in the alphabet \
         by home team.",
        ("Within 60 minutes", "In overtime or a shootout"),
        NHL,
        Next(6),
    ),
    Template(
        "Does the home team win more than half of the NHL games of {date}?",
        "All NHL games that start on that day, New York time, are counted, overtime and shootouts included.",
        ("More than half", "Half or fewer"),
        NHL,
        Next(4),
    ),
    Template(
        "Does the higher ranked player win the first ATP match of {date}?",
        "The first men's singles match on the day's order of play that is finished counts, by the current ATP ranking. A \
         retirement counts as a win for the other player.",
        ("The higher ranked player", "The lower ranked player"),
        TENNIS,
        Next(4),
    ),
    Template(
        "Does the pole sitter win the next Formula 1 Grand Prix?",
        "The first Grand Prix that starts after {tomorrow} counts, by the official classification of that day. Whoever \
         starts from the first place on the grid is the pole sitter.",
        ("The pole sitter wins", "Somebody else wins"),
        Source("Formula 1", "https://www.formula1.com/en/results"),
        InDays(120),
    ),
    Template(
        "Does the main event of the next UFC card end before the final bell?",
        "The first numbered or Fight Night card that begins after {tomorrow} counts. A knockout, submission, stoppage or \
         disqualification ends a fight early; a decision of the judges does not.",
        ("It ends early", "The judges decide"),
        ESPN,
        InDays(21),
    ),
    Template(
        "Does anybody run the next World Athletics Platinum Label marathon in under 2:04:30?",
        "The first Platinum Label marathon that starts after {tomorrow} counts; the men's winner's official time decides.",
        ("Under 2:04:30", "2:04:30 or slower"),
        Source("World Athletics", "https://worldathletics.org/competitions"),
        InDays(150),
    ),
];
