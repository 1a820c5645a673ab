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
const NOAA: Source =
    Source("NOAA's monthly report", "https://www.ncei.noaa.gov/access/monitoring/monthly-report/global");

pub(super) const IDEAS: &[Template] = &[
    Template(
        "Does it rain in Central Park on {date}?",
        "Precipitation of 0.01 inch or more on that day counts; a trace does not.",
        ("It rains", "It stays dry"),
        NEW_YORK,
        Next(6),
    ),
    Template(
        "Is {date} warmer in Central Park than the day before?",
        "The day's maximum temperature is compared with that of {before}, in whole degrees Fahrenheit.",
        ("Warmer", "Not warmer"),
        NEW_YORK,
        InDays(3),
    ),
    Template(
        "Is the last digit of Central Park's high on {day} even?",
        "The day's maximum temperature in whole degrees Fahrenheit counts; 0 is even.",
        ("Even", "Odd"),
        NEW_YORK,
        InDays(4),
    ),
    Template(
        "Is there measurable snow in Central Park before Christmas {year}?",
        "Snowfall of 0.1 inch or more on a day from {tomorrow} to December 24, {year}, counts; a trace does not.",
        ("Snow before Christmas", "No snow before Christmas"),
        NEW_YORK,
        On(12, 25),
    ),
    Template(
        "Does it rain in Seattle on {date}?",
        "Precipitation of 0.01 inch or more at the airport on that day counts; a trace does not.",
        ("It rains", "It stays dry"),
        SEATTLE,
        Next(3),
    ),
    Template(
        "Is {date} warmer than average in Chicago?",
        "The departure from normal of the day's average temperature counts: above 0 is warmer.",
        ("Warmer than average", "Average or cooler"),
        CHICAGO,
        Next(2),
    ),
    Template(
        "Chicago or New York: which is warmer on {date}?",
        "The day's maximum temperatures at O'Hare and in Central Park are compared, in whole degrees Fahrenheit.",
        ("Chicago", "New York"),
        Source("the National Weather Service", "https://www.weather.gov/wrh/climate"),
        Next(7),
    ),
    Template(
        "Does Boston have a wetter {month} than average?",
        "The month's precipitation is compared with its normal, as the month's last report gives both.",
        ("Wetter", "Not wetter"),
        BOSTON,
        MonthEnd,
    ),
    Template(
        "Does Denver see a day of rain or snow by {day}?",
        "A day from {tomorrow} to {date} with precipitation of 0.01 inch or more at the airport counts.",
        ("At least one such day", "It stays dry"),
        DENVER,
        InDays(6),
    ),
    Template(
        "Does wind gust to 35 mph or more in New York on {date}?",
        "The peak gust of that day at LaGuardia, Kennedy or Central Park decides, whichever is highest, in whole miles per \
         hour.",
        ("35 mph or more", "Less than 35 mph"),
        NEW_YORK,
        InDays(5),
    ),
    Template(
        "Does it rain at Heathrow on {date}?",
        "Rain of 0.2 mm or more from 00:00 to 23:59 London time on that day counts.",
        ("It rains", "It stays dry"),
        LONDON,
        Next(6),
    ),
    Template(
        "Is a new Atlantic storm named by {day}?",
        "A tropical or subtropical storm of the Atlantic whose name is given from {tomorrow} to {date} counts.",
        ("At least one is named", "None is named"),
        HURRICANES,
        InDays(21),
    ),
    Template(
        "Is a new tropical cyclone of the eastern Pacific named by {day}?",
        "A storm of the eastern North Pacific whose name is given from {tomorrow} to {date} counts.",
        ("At least one is named", "None is named"),
        HURRICANES,
        InDays(18),
    ),
    Template(
        "Are ten or more tornadoes reported in the US in the week to {day}?",
        "Preliminary tornado reports dated in the seven days that end on {date} are added up.",
        ("Ten or more", "Nine or fewer"),
        STORMS,
        Next(7),
    ),
    Template(
        "Is there lightning or thunder at Kennedy Airport by {day}?",
        "A weather report of the airport with a thunderstorm, dated from {tomorrow} to {date}, counts.",
        ("A thunderstorm", "No thunderstorm"),
        Source("the airport's observations", "https://www.weather.gov/wrh/timeseries?site=kjfk"),
        InDays(12),
    ),
    Template(
        "Does the world's next monthly temperature rank among the three warmest of its month?",
        "The first monthly report published after {tomorrow} counts, by the rank it gives that month among all years.",
        ("Among the three warmest", "Fourth or lower"),
        NOAA,
        InDays(45),
    ),
];
