use super::{Source, Template, When::*};

const BOX_OFFICE: Source = Source("Box Office Mojo", "https://www.boxofficemojo.com/weekend/");
const DAILY: Source = Source("Box Office Mojo", "https://www.boxofficemojo.com/daily/");
const HOT_100: Source = Source("Billboard", "https://www.billboard.com/charts/hot-100/");
const ALBUMS: Source = Source("Billboard", "https://www.billboard.com/charts/billboard-200/");
const UK_CHART: Source =
    Source("the Official Charts Company", "https://www.officialcharts.com/charts/singles-chart/");
const NETFLIX: Source = Source("Netflix", "https://www.netflix.com/tudum/top10");
const STEAM: Source = Source("Steam", "https://store.steampowered.com/charts/mostplayed");
const CRITICS: Source =
    Source("Rotten Tomatoes", "https://www.rottentomatoes.com/browse/movies_in_theaters/");
const BROADWAY: Source =
    Source("the Broadway League", "https://www.broadwayleague.com/research/grosses-broadway-nyc/");

pub(super) const IDEAS: &[Template] = &[
    Template(
        "Does the number one film of the US weekend stay number one on {day}?",
        "The weekend chart of the US and Canada that ends on {date} is compared with the one before it.",
        ("The same film leads", "Another film leads"),
        BOX_OFFICE,
        Weekend,
    ),
    Template(
        "Does the number one film earn more than $30 million on the weekend to {day}?",
        "The actual gross in the US and Canada of the leading film of the weekend that ends on {date} counts, once it is \
         published; estimates do not.",
        ("More than $30 million", "$30 million or less"),
        BOX_OFFICE,
        Weekend,
    ),
    Template(
        "Does a film that opens on the weekend to {day} enter the top five?",
        "A film in its first wide weekend within the first five places of the US and Canadian chart that ends on {date} \
         counts.",
        ("At least one does", "None does"),
        BOX_OFFICE,
        Weekend,
    ),
    Template(
        "Do US cinemas earn more on Saturday than on Friday, in the weekend of {day}?",
        "The leading film's daily gross on that Saturday is compared with its gross of the Friday before, previews \
         included.",
        ("More on Saturday", "Not more on Saturday"),
        DAILY,
        Weekend,
    ),
    Template(
        "Is the number one of the Billboard Hot 100 a new one on the chart after {day}?",
        "The first chart published after {date} is compared with the one before it.",
        ("A new number one", "The same number one"),
        HOT_100,
        Next(5),
    ),
    Template(
        "Does a solo artist lead the first Billboard 200 after {day}?",
        "The first album chart published after {date} counts, by how it credits the album. Two or more credited \
         artists, a band or a soundtrack are not one solo artist.",
        ("A solo artist", "Anybody else"),
        ALBUMS,
        InDays(3),
    ),
    Template(
        "Does a song enter the top ten of the first Hot 100 after {day} for the first time?",
        "The first chart published after {date} counts. A song that was in the top ten in any week before is not new \
         there.",
        ("At least one", "None"),
        HOT_100,
        InDays(2),
    ),
    Template(
        "Is the UK number one single of {day} a new one?",
        "The singles chart published on {date} is compared with the one before it.",
        ("A new number one", "The same number one"),
        UK_CHART,
        Next(5),
    ),
    Template(
        "Does a woman sing the UK number one single of {day}?",
        "The first credited artist of the number one on the chart published on {date} decides; a band counts by its lead \
         singer.",
        ("A woman", "Anybody else"),
        UK_CHART,
        Next(5),
    ),
    Template(
        "Is Netflix's most watched English film a different one in the list after {day}?",
        "The first weekly list of English films published after {date} is compared with the one before it.",
        ("A different film", "The same film"),
        NETFLIX,
        Next(2),
    ),
    Template(
        "Does Netflix's leading English series pass 10 million views in its first list after {day}?",
        "The first weekly list of English series published after {date} counts, by the views of its first place.",
        ("More than 10 million", "10 million or fewer"),
        NETFLIX,
        InDays(2),
    ),
    Template(
        "Does Counter-Strike 2 lead Steam's most played games at noon New York time on {day}?",
        "The list's first place by current players at {moment} counts.",
        ("It leads", "Another game leads"),
        STEAM,
        Next(6),
    ),
    Template(
        "Are more people on Steam at noon New York time on {day} than a day before?",
        "The players online at 12:00 PM New York time on {date} are compared with those at the same hour on {before}.",
        ("More", "Not more"),
        Source("Steam", "https://store.steampowered.com/charts/"),
        AllDay(7),
    ),
    Template(
        "Is the widest new film of {day} certified fresh by the Monday after it?",
        "Of the films that open on {date} the one in most US cinemas counts. The critics' score at 12:00 PM New York time on \
         the Monday after has to be 60% or more.",
        ("60% or more", "Less than 60%"),
        CRITICS,
        AllDay(5),
    ),
    Template(
        "Does Broadway earn more in the week to {day} than in the week before?",
        "The total gross of all shows in the week that ends on {date} is compared with that of the week before, as soon as \
         both are published.",
        ("More", "Not more"),
        BROADWAY,
        Weekend,
    ),
    Template(
        "Does a film of the US weekend chart of {day} play in more than 4,000 cinemas?",
        "The chart of the US and Canada for the weekend that ends on {date} counts, by its column of cinemas.",
        ("At least one does", "None does"),
        BOX_OFFICE,
        Weekend,
    ),
];
