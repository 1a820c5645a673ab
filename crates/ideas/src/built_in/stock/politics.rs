use super::{Source, Template, When::*};

const SENATE: Source = Source("the Senate's record", "https://www.senate.gov/legislative/votes_new.htm");
const HOUSE: Source = Source("the Clerk of the House", "https://clerk.house.gov/Votes");
const ORDERS: Source =
    Source("the Federal Register", "https://www.federalregister.gov/presidential-documents/executive-orders");
const REGISTER: Source = Source("the Federal Register", "https://www.federalregister.gov/");
const POLLS: Source = Source("YouGov", "https://today.yougov.com/");
const NEWS: Source = Source("the Associated Press", "https://apnews.com/politics");
const LAWS: Source = Source("Congress.gov", "https://www.congress.gov/public-laws/");
const HOUSE_PAGE: Source = Source("the White House", "https://www.whitehouse.gov/presidential-actions/");
const COURT: Source = Source("the Supreme Court", "https://www.supremecourt.gov/opinions/slipopinions.aspx");
const COMMONS: Source = Source("the UK Parliament", "https://votes.parliament.uk/votes/commons");
const HANSARD: Source = Source("Hansard", "https://hansard.parliament.uk/commons");
const UN: Source = Source("the Security Council", "https://press.un.org/en/security-council");

pub(super) const IDEAS: &[Template] = &[
    Template(
        "Does the US Senate hold five or more roll-call votes in the week after {day}?",
        "Roll-call votes dated from {after} to {end} are counted, Washington's clocks.",
        ("Five or more", "Four or fewer"),
        SENATE,
        InSeason(9, 7, &InDays(3)),
    ),
    Template(
        "Does the US House pass a bill by a recorded vote in the week after {day}?",
        "A recorded vote on final passage dated from {after} to {end} counts, whatever the Senate does.",
        ("At least one", "None"),
        HOUSE,
        InSeason(9, 7, &InDays(4)),
    ),
    Template(
        "Is the number of yeas even in the first Senate roll-call vote after {day}?",
        "The first roll-call vote dated after {date} counts, as the record gives its yeas; 0 is even.",
        ("Even", "Odd"),
        SENATE,
        InSeason(9, 7, &InDays(2)),
    ),
    Template(
        "Are more than 420 votes cast in the first roll call of the US House after {day}?",
        "The first recorded vote dated after {date} counts: yeas and nays together, without those who are present or do \
         not vote.",
        ("More than 420", "420 or fewer"),
        HOUSE,
        InSeason(9, 7, &InDays(3)),
    ),
    Template(
        "Is the difference between yeas and nays even in the first House vote after {day}?",
        "The first recorded vote of the US House dated after {date} counts; 0 is even.",
        ("Even", "Odd"),
        HOUSE,
        InSeason(9, 7, &InDays(5)),
    ),
    Template(
        "Are two or more executive orders of the US president published in the week after {day}?",
        "Executive orders with a publication date from {after} to {end} are counted.",
        ("Two or more", "One or none"),
        ORDERS,
        InDays(3),
    ),
    Template(
        "Does the fifth issue of the Federal Register after {day} hold an even number of documents?",
        "The fifth daily issue published after {date} counts, by the number of documents on its page.",
        ("Even", "Odd"),
        REGISTER,
        InDays(2),
    ),
    Template(
        "Does the US president's approval rise in the first Economist/YouGov poll after {day}?",
        "The first weekly job approval figure published after {date} is compared with the one before it, in whole \
         points.",
        ("It rises", "It does not rise"),
        POLLS,
        InDays(3),
    ),
    Template(
        "Does the US president speak at a press conference in the week after {day}?",
        "A solo or joint event announced as a press conference, with questions of at least two reporters, from {after} to \
         {end} counts.",
        ("Yes", "No"),
        NEWS,
        InDays(3),
    ),
    Template(
        "Does the US president sign a bill into law in the week after {day}?",
        "A public law whose date of approval is from {after} to {end} counts.",
        ("At least one", "None"),
        LAWS,
        InDays(4),
    ),
    Template(
        "Does the White House publish three or more proclamations in the week after {day}?",
        "Proclamations dated from {after} to {end} on the page of presidential actions are counted.",
        ("Three or more", "Two or fewer"),
        HOUSE_PAGE,
        InDays(2),
    ),
    Template(
        "Does the US Supreme Court publish two or more opinions in the week after {day}?",
        "Slip opinions of argued cases dated from {after} to {end} are counted; orders are not.",
        ("Two or more", "One or none"),
        COURT,
        InSeason(1, 5, &InDays(3)),
    ),
    Template(
        "Is the first Supreme Court opinion after {day} unanimous?",
        "The first slip opinion of an argued case dated after {date} counts; of several on a day, the first of the list. \
         Unanimous is an opinion from whose judgment nobody dissents.",
        ("Unanimous", "Not unanimous"),
        COURT,
        InSeason(5, 6, &InDays(2)),
    ),
    Template(
        "Are there five or more divisions in the UK House of Commons in the week after {day}?",
        "Divisions dated from {after} to {end} are counted.",
        ("Five or more", "Four or fewer"),
        COMMONS,
        InSeason(9, 6, &InDays(4)),
    ),
    Template(
        "Is the number of ayes even in the first Commons division after {day}?",
        "The first division of the UK House of Commons dated after {date} counts, as its page gives the ayes, tellers \
         left out; 0 is even.",
        ("Even", "Odd"),
        COMMONS,
        InSeason(9, 6, &InDays(2)),
    ),
    Template(
        "Do the first Prime Minister's Questions after {day} last longer than 35 minutes?",
        "The first session in the UK House of Commons dated after {date} counts, from the first question to the end of \
         the last answer, by the times of the record.",
        ("Longer than 35 minutes", "35 minutes or less"),
        HANSARD,
        InSeason(9, 6, &InDays(2)),
    ),
    Template(
        "Does the UN Security Council adopt two or more resolutions in the week after {day}?",
        "Resolutions adopted from {after} to {end} are counted by their dates.",
        ("Two or more", "One or none"),
        UN,
        InDays(3),
    ),
    Template(
        "Is the first resolution of the UN Security Council after {day} adopted unanimously?",
        "The first resolution adopted after {date} counts: whether all fifteen members voted for it.",
        ("Unanimously", "Not unanimously"),
        UN,
        InDays(4),
    ),
];
