use super::{Source, Template, When::*};

const NEW_YORK: Source =
    Source("the climate report for Central Park", "https://www.weather.gov/wrh/climate?wfo=okx");
const CHICAGO: Source =
    Source("the climate report for Chicago O'Hare", "https://www.weather.gov/wrh/climate?wfo=lot");
const BOSTON: Source = Source("the climate report for Boston", "https://www.weather.gov/wrh/climate?wfo=box");
const DENVER: Source = Source("the climate report for Denver", "https://www.weather.gov/wrh/climate?wfo=bou");
const SEATTLE: Source =
    Source("the climate report for Seattle-Tacoma", "https://www.weather.gov/wrh/climate?wfo=sew");
const LONDON: Source =
    Source("the Met Office's observations for Heathrow", "https://www.metoffice.gov.uk/weather/observations");
const HURRICANES: Source = Source("the National Hurricane Center", "https://www.nhc.noaa.gov/");
const STORMS: Source = Source("the Storm Prediction Center", "https://www.spc.noaa.gov/climo/reports/");

pub(super) const IDEAS: &[Template] = &[
    Template(
        "Does it rain in Central Park on {date}?",
        "Precipitation of 0.01 inch or more on that day counts; a trace does not.",
        ("It rains", "It stays dry"),
        NEW_YORK,
        AllDay(6),
    ),
    Template(
        "Is {date} warmer in Central Park than the day before?",
        "The day's maximum temperature is compared with that of {before}, in whole degrees Fahrenheit.",
        ("Warmer", "Not warmer"),
        NEW_YORK,
        AllDay(4),
    ),
    Template(
        "Is the last digit of Central Park's high on {day} even?",
        "The day's maximum temperature in whole degrees Fahrenheit counts; 0 is even.",
        ("Even", "Odd"),
        NEW_YORK,
        AllDay(5),
    ),
    Template(
        "Is there measurable snow in Central Park in the week after {day}?",
        "Snowfall of 0.1 inch or more on a day from {after} to {end} counts; a trace does not.",
        ("Snow", "No snow"),
        NEW_YORK,
        InSeason(1, 2, &InDays(3)),
    ),
    Template(
        "Does it rain in Seattle on {date}?",
        "Precipitation of 0.01 inch or more at the airport on that day counts; a trace does not.",
        ("It rains", "It stays dry"),
        SEATTLE,
        AllDay(3),
    ),
    Template(
        "Is {date} warmer than average in Chicago?",
        "The departure from normal of the day's average temperature counts: above 0 is warmer.",
        ("Warmer than average", "Average or cooler"),
        CHICAGO,
        AllDay(2),
    ),
    Template(
        "Chicago or New York: which is warmer on {date}?",
        "The day's maximum temperatures at O'Hare and in Central Park are compared, in whole degrees Fahrenheit.",
        ("Chicago", "New York"),
        Source("the National Weather Service", "https://www.weather.gov/wrh/climate"),
        AllDay(7),
    ),
    Template(
        "Is {date} warmer than average in Boston?",
        "The departure from normal of the day's average temperature counts: above 0 is warmer.",
        ("Warmer than average", "Average or cooler"),
        BOSTON,
        AllDay(1),
    ),
    Template(
        "Does Denver see a day of rain or snow in the five days to {end}?",
        "A day of the last five up to {end} with precipitation of 0.01 inch or more at the airport counts.",
        ("At least one such day", "It stays dry"),
        DENVER,
        InDays(2),
    ),
    Template(
        "Does wind gust to 35 mph or more in New York on {date}?",
        "The peak gust of that day at LaGuardia, Kennedy or Central Park decides, whichever is highest, in whole miles \
         per hour.",
        ("35 mph or more", "Less than 35 mph"),
        NEW_YORK,
        InSeason(10, 4, &AllDay(7)),
    ),
    Template(
        "Does it rain at Heathrow on {date}?",
        "Rain of 0.2 mm or more from 00:00 to 23:59 London time on that day counts.",
        ("It rains", "It stays dry"),
        LONDON,
        AllDay(6),
    ),
    Template(
        "Is a new Atlantic storm named in the week after {day}?",
        "A tropical or subtropical storm of the Atlantic whose name is given from {after} to {end} counts.",
        ("At least one is named", "None is named"),
        HURRICANES,
        InSeason(8, 10, &InDays(3)),
    ),
    Template(
        "Is a new tropical cyclone of the eastern Pacific named in the week after {day}?",
        "A storm of the eastern North Pacific whose name is given from {after} to {end} counts.",
        ("At least one is named", "None is named"),
        HURRICANES,
        InSeason(7, 9, &InDays(4)),
    ),
    Template(
        "Are ten or more tornadoes reported in the US in the week after {day}?",
        "Preliminary tornado reports dated from {after} to {end} are added up.",
        ("Ten or more", "Nine or fewer"),
        STORMS,
        InSeason(3, 11, &InDays(2)),
    ),
    Template(
        "Is there lightning or thunder at Kennedy Airport in the week after {day}?",
        "A weather report of the airport with a thunderstorm, dated from {after} to {end}, counts.",
        ("A thunderstorm", "No thunderstorm"),
        Source("the airport's observations", "https://www.weather.gov/wrh/timeseries?site=kjfk"),
        InSeason(5, 9, &InDays(3)),
    ),
    Template(
        "Chicago or Boston: which is windier on {date}?",
        "The day's average wind speeds at O'Hare and at Boston's airport are compared.",
        ("Chicago", "Boston"),
        Source("the National Weather Service", "https://www.weather.gov/wrh/climate"),
        AllDay(2),
    ),
    Template(
        "Is {date} a colder day at Heathrow than the day before?",
        "The day's maximum temperature is compared with that of {before}, in tenths of a degree Celsius, from 00:00 to \
         23:59 London time.",
        ("Colder", "Not colder"),
        LONDON,
        AllDay(3),
    ),
    Template(
        "Does Denver's high beat Chicago's on {date}?",
        "The day's maximum temperatures at Denver's airport and at O'Hare are compared, in whole degrees Fahrenheit.",
        ("Denver is warmer", "Denver is not warmer"),
        DENVER,
        AllDay(4),
    ),
    Template(
        "Is the low of {date} in Seattle an even number?",
        "The day's minimum temperature at the airport in whole degrees Fahrenheit counts; 0 is even.",
        ("Even", "Odd"),
        SEATTLE,
        AllDay(5),
    ),
    Template(
        "Is the high of {date} in Boston higher than in Central Park?",
        "The day's maximum temperatures at Boston's airport and in Central Park are compared, in whole degrees \
         Fahrenheit.",
        ("Boston is warmer", "Boston is not warmer"),
        BOSTON,
        AllDay(6),
    ),
];
