use super::{Source, Template, When::*};

const SENATE: Source = Source("the Senate's record", "https://www.senate.gov/legislative/votes_new.htm");
const HOUSE: Source = Source("the Clerk of the House", "https://clerk.house.gov/Votes");
const REGISTER: Source =
    Source("the Federal Register", "https://www.federalregister.gov/presidential-documents/executive-orders");
const POLLS: Source = Source("Gallup", "https://news.gallup.com/");
const NEWS: Source = Source("the Associated Press", "https://apnews.com/politics");
const COURT: Source = Source("the Supreme Court", "https://www.supremecourt.gov/opinions/slipopinions.aspx");
const COMMONS: Source = Source("the UK Parliament", "https://votes.parliament.uk/votes/commons");
const UN: Source = Source("the Security Council", "https://press.un.org/en/security-council");
const EUROPE: Source =
    Source("Eurostat and the European Parliament", "https://www.europarl.europa.eu/plenary/en/votes.html");

pub(super) const IDEAS: &[Template] = &[
    Template(
        "Does the US Senate hold five or more roll-call votes in the week to {day}?",
        "Roll-call votes dated in the seven days that end on {date} are counted, Washington's clocks.",
        ("Five or more", "Four or fewer"),
        SENATE,
        Next(5),
    ),
    Template(
        "Does the US House pass a bill by a recorded vote by {day}?",
        "A recorded vote on final passage dated from {tomorrow} to {date} counts, whatever the Senate does.",
        ("At least one", "None"),
        HOUSE,
        Next(4),
    ),
    Template(
        "Does the last Senate roll-call vote up to {day} succeed?",
        "The last roll-call vote dated on or before {date} counts. Agreed to, confirmed and passed are successes; rejected, \
         and not having the votes it needs, are not.",
        ("It succeeds", "It fails"),
        SENATE,
        Next(4),
    ),
    Template(
        "Are more than three executive orders of the US president published by {day}?",
        "Executive orders with a publication date from {tomorrow} to {date} are counted.",
        ("More than three", "Three or fewer"),
        REGISTER,
        InDays(21),
    ),
    Template(
        "Is the last digit of the next executive order's number even?",
        "The first executive order published after {tomorrow} counts, by the number that the register gives it.",
        ("Even", "Odd"),
        REGISTER,
        InDays(45),
    ),
    Template(
        "Does the US president's approval rise in Gallup's next poll?",
        "The first job approval figure published after {tomorrow} is compared with the one before it, in whole points.",
        ("It rises", "It does not rise"),
        POLLS,
        InDays(60),
    ),
    Template(
        "Does the US president speak at a press conference by {day}?",
        "A solo or joint event announced as a press conference, with questions of at least two reporters, from {tomorrow} to \
         {date} counts.",
        ("Yes", "No"),
        NEWS,
        InDays(10),
    ),
    Template(
        "Does a member of the US cabinet leave office by {day}?",
        "The head of one of the 15 executive departments who resigns, is dismissed or dies from {tomorrow} to {date} counts; \
         what was announced before then does not.",
        ("At least one leaves", "Nobody leaves"),
        NEWS,
        QuarterEnd,
    ),
    Template(
        "Does the US Supreme Court publish an opinion by {day}?",
        "A slip opinion of an argued case dated from {tomorrow} to {date} counts; orders do not.",
        ("At least one", "None"),
        COURT,
        InDays(30),
    ),
    Template(
        "Is the next Supreme Court opinion unanimous?",
        "The first slip opinion of an argued case dated after {tomorrow} counts; of several on a day, the first of the list. \
         Unanimous is an opinion from whose judgment nobody dissents.",
        ("Unanimous", "Not unanimous"),
        COURT,
        InDays(120),
    ),
    Template(
        "Does the UK government win every House of Commons division by {day}?",
        "Divisions dated from {tomorrow} to {date} are looked at. A division is lost when the side that the government's \
         tellers counted for has fewer votes.",
        ("It wins every one", "It loses at least one"),
        COMMONS,
        InDays(28),
    ),
    Template(
        "Is there a veto in the UN Security Council by {day}?",
        "A vote against by a permanent member that stops a draft resolution, cast from {tomorrow} to {date}, counts.",
        ("At least one veto", "No veto"),
        UN,
        InDays(40),
    ),
    Template(
        "Does the UN Security Council adopt two or more resolutions by {day}?",
        "Resolutions adopted from {tomorrow} to {date} are counted by their dates.",
        ("Two or more", "One or none"),
        UN,
        InDays(16),
    ),
    Template(
        "Does the head of government of a G7 country change by {day}?",
        "A new president or prime minister sworn in or appointed in Canada, France, Germany, Italy, Japan, the United \
         Kingdom or the United States from {tomorrow} to {date} counts; France by its prime minister.",
        ("At least one changes", "None changes"),
        NEWS,
        InDays(90),
    ),
    Template(
        "Does the European Parliament's plenary sit on {date}?",
        "A plenary sitting on that day, in Strasbourg or Brussels, with at least one vote counts.",
        ("It sits", "It does not sit"),
        EUROPE,
        Next(3),
    ),
    Template(
        "Does turnout exceed 60% at the next national parliamentary election in Europe?",
        "The first election to a national parliament's lower house in a member of the European Union that is held after \
         {tomorrow} counts, by its electoral authority's final figure.",
        ("Above 60%", "60% or below"),
        NEWS,
        InDays(180),
    ),
];
