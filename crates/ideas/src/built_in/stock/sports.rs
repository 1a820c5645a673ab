use super::{Source, Template, When::*};

const ESPN: Source = Source("ESPN", "https://www.espn.com/");
const NBA: Source = Source("the NBA's schedule", "https://www.nba.com/schedule");
const NFL: Source = Source("the NFL's schedule", "https://www.nfl.com/scores/");
const NHL: Source = Source("the NHL's schedule", "https://www.nhl.com/scores");
const MLB: Source = Source("the MLB's schedule", "https://www.mlb.com/scores");
const WNBA: Source = Source("the WNBA's schedule", "https://www.wnba.com/schedule");
const PREMIER: Source = Source("the Premier League", "https://www.premierleague.com/matches");
const FOOTBALL: Source = Source("ESPN", "https://www.espn.com/soccer/scoreboard");
const TENNIS: Source = Source("the ATP", "https://www.atptour.com/en/scores/current");
const GOLF: Source = Source("the PGA Tour", "https://www.pgatour.com/leaderboard");
const CHESS: Source = Source("Chess.com", "https://www.chess.com/tournament/live/titled-tuesdays");

pub(super) const IDEAS: &[Template] = &[
    Template(
        "Does the home side win the first Premier League match from {date} on?",
        "The match with the earliest kick-off on {date}, or on the first day after it that has one, counts; of several at \
         once, the first in the alphabet by home side. The score after 90 minutes and stoppage time decides.",
        ("The home side wins", "Draw or away win"),
        PREMIER,
        InSeason(9, 4, &AllDay(6)),
    ),
    Template(
        "Over or under 2.5 goals in the first Premier League match from {date} on?",
        "The match with the earliest kick-off on {date}, or on the first day after it that has one, counts; of several at \
         once, the first in the alphabet by home side. Goals within 90 minutes and stoppage time are counted.",
        ("Over 2.5 goals", "Under 2.5 goals"),
        PREMIER,
        InSeason(9, 4, &AllDay(7)),
    ),
    Template(
        "Do both sides score in the first La Liga match from {date} on?",
        "The match with the earliest kick-off on {date}, or on the first day after it that has one, counts; of several at \
         once, the first in the alphabet by home side. Own goals count for the side they help.",
        ("Both score", "At least one does not"),
        FOOTBALL,
        InSeason(9, 4, &AllDay(6)),
    ),
    Template(
        "Does the away side win the first Bundesliga match from {date} on?",
        "The match with the earliest kick-off on {date}, or on the first day after it that has one, counts; of several at \
         once, the first in the alphabet by home side.",
        ("The away side wins", "Draw or home win"),
        FOOTBALL,
        InSeason(9, 11, &AllDay(6)),
    ),
    Template(
        "Is there a red card in Serie A on {date}?",
        "All Serie A matches that kick off by Rome's clocks on that day, or on the first day after it that has any, are \
         counted. Two yellow cards are a red one.",
        ("At least one red card", "No red card"),
        FOOTBALL,
        InSeason(9, 4, &AllDay(7)),
    ),
    Template(
        "Is there a red card in Brazil's Serie A on {date}?",
        "All matches of the Campeonato Brasileiro Serie A that kick off on that day, or on the first day after it that \
         has any, by the clocks of Brasilia, are counted. Two yellow cards are a red one.",
        ("At least one red card", "No red card"),
        FOOTBALL,
        InSeason(8, 11, &AllDay(7)),
    ),
    Template(
        "Does the home team win the first NBA game from {date} on?",
        "The game with the earliest start on {date}, New York time, or on the first day after it that has one, counts; of \
         several at once, the first in the alphabet by home team. Overtime included.",
        ("The home team wins", "The away team wins"),
        NBA,
        InSeason(11, 3, &AllDay(5)),
    ),
    Template(
        "Over or under 224.5 points in the last NBA game of {date}?",
        "The game of that day with the latest tip-off, New York time, counts; of several at once, the first in the \
         alphabet by home team. Points of both teams, overtime included.",
        ("Over 224.5 points", "Under 224.5 points"),
        NBA,
        InSeason(11, 3, &Next(3)),
    ),
    Template(
        "Does any NBA player score 40 points or more on {date}?",
        "All NBA games that tip off on that day, New York time, are looked at, overtime included.",
        ("Somebody does", "Nobody does"),
        NBA,
        InSeason(11, 3, &AllDay(5)),
    ),
    Template(
        "Do home teams win more than half of the NBA games of {date}?",
        "All NBA games that tip off on that day, New York time, are counted, overtime included.",
        ("More than half", "Half or fewer"),
        NBA,
        InSeason(11, 3, &Next(3)),
    ),
    Template(
        "Does the home team win the NFL's Sunday night game on {date}?",
        "The NFL game of that day with the latest kick-off counts, overtime included.",
        ("The home team wins", "The away team wins"),
        NFL,
        InSeason(10, 12, &Next(7)),
    ),
    Template(
        "Over or under 44.5 points in the NFL's Monday night game on {date}?",
        "Points of both teams in the NFL game of that day with the latest kick-off, overtime included.",
        ("Over 44.5 points", "Under 44.5 points"),
        NFL,
        InSeason(10, 12, &Next(1)),
    ),
    Template(
        "Over or under 6.5 goals in the first NHL game from {date} on?",
        "The game with the earliest start on {date}, New York time, or on the first day after it that has one, counts; of \
         several at once, the first in the alphabet by home team. Goals of both teams, overtime included; a shootout \
         counts as one goal.",
        ("Over 6.5 goals", "Under 6.5 goals"),
        NHL,
        InSeason(11, 1, &AllDay(6)),
    ),
    Template(
        "Does the home team win the first NHL game from {date} on?",
        "The game with the earliest start on {date}, New York time, or on the first day after it that has one, counts; of \
         several at once, the first in the alphabet by home team. Overtime and shootouts included.",
        ("The home team wins", "The away team wins"),
        NHL,
        InSeason(11, 1, &AllDay(4)),
    ),
    Template(
        "Does the home team win more than half of the NHL games of {date}?",
        "All NHL games that start on that day, New York time, are counted, overtime and shootouts included.",
        ("More than half", "Half or fewer"),
        NHL,
        InSeason(11, 1, &AllDay(2)),
    ),
    Template(
        "Does the home team win the first MLB game from {date} on?",
        "The game with the earliest start on {date}, New York time, or on the first day after it that has one, counts; of \
         several at once, the first in the alphabet by home team. Extra innings included.",
        ("The home team wins", "The away team wins"),
        MLB,
        InSeason(4, 9, &AllDay(6)),
    ),
    Template(
        "Over or under 8.5 runs in the last MLB game of {date}?",
        "The game of that day with the latest start, New York time, counts; of several at once, the first in the alphabet \
         by home team. Runs of both teams, extra innings included.",
        ("Over 8.5 runs", "Under 8.5 runs"),
        MLB,
        InSeason(4, 9, &Next(5)),
    ),
    Template(
        "Does any MLB team score 12 runs or more on {date}?",
        "All MLB games that start on that day, New York time, are looked at, extra innings included.",
        ("At least one does", "None does"),
        MLB,
        InSeason(4, 9, &AllDay(2)),
    ),
    Template(
        "Does the home team win the first WNBA game from {date} on?",
        "The game with the earliest start on {date}, New York time, or on the first day after it that has one, counts; of \
         several at once, the first in the alphabet by home team. Overtime included.",
        ("The home team wins", "The away team wins"),
        WNBA,
        InSeason(6, 8, &AllDay(7)),
    ),
    Template(
        "Does the higher ranked player win the first ATP match from {date} on?",
        "The first men's singles match on the order of play of that day, or of the first day after it that has one, that \
         is finished counts, by the current ATP ranking. A retirement counts as a win for the other player.",
        ("The higher ranked player", "The lower ranked player"),
        TENNIS,
        InSeason(1, 10, &AllDay(4)),
    ),
    Template(
        "Does the leader after three rounds win the PGA Tour event that ends on {day}?",
        "The tournament with the largest purse of that week counts. Of several leaders each is one; a play-off decides \
         for its winner.",
        ("A leader wins", "Somebody else wins"),
        GOLF,
        InSeason(2, 8, &Weekend),
    ),
    Template(
        "Does the main event of the first UFC card after {day} end before the final bell?",
        "The first numbered or Fight Night card that begins after {date} counts. A knockout, submission, stoppage or \
         disqualification ends a fight early; a decision of the judges does not.",
        ("It ends early", "The judges decide"),
        ESPN,
        InSeason(2, 11, &InDays(2)),
    ),
    Template(
        "Does the winner of Titled Tuesday on {date} score 9.5 points or more?",
        "The Chess.com tournament of that day with eleven rounds counts; of several, the first to start. The points of \
         its first place decide.",
        ("9.5 points or more", "9 points or fewer"),
        CHESS,
        AllDay(2),
    ),
];
