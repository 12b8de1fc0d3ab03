//! Dates as written in records, and the order of day and month.

use std::collections::HashMap;

/// The part that comes first in a date such as `05/06/1999`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub(crate) enum DateOrder {
    /// The day, the month, the year
    #[cfg_attr(feature = "cli", value(name = "dmy"))]
    DayFirst,
    /// The month, the day, the year
    #[cfg_attr(feature = "cli", value(name = "mdy"))]
    MonthFirst,
}

/// Tags whose values are dates.
pub(crate) const DATE_TAGS: [&str; 4] = ["Date", "EventDate", "UTCDate", "PublicationDate"];

/// The orders of day and month in a file, to the extent that its dates show them: `25/12/1999` has the day first.
///
/// A date with two readings is read like the others of its event, or else like those of the file, preferably those with the same
/// sign between the numbers. If these contradict one another, it keeps both readings.
#[derive(Clone, Debug, Default)]
pub(crate) struct DateOrders {
    given: Option<DateOrder>,
    by_event: HashMap<String, Votes>,
    by_sign: HashMap<char, Votes>,
    all: Votes,
}

/// The dates that have the day first, and those that have the month first.
#[derive(Clone, Copy, Debug, Default)]
struct Votes([bool; 2]);

impl Votes {
    fn add(&mut self, order: DateOrder) {
        self.0[order as usize] = true;
    }

    const fn decision(self) -> Option<DateOrder> {
        match self.0 {
            [true, false] => Some(DateOrder::DayFirst),
            [false, true] => Some(DateOrder::MonthFirst),
            _ => None,
        }
    }
}

impl DateOrders {
    /// Returns orders without any dates; a given one is that of all dates.
    pub(crate) fn of(given: Option<DateOrder>) -> Self {
        Self { given, ..Self::default() }
    }

    /// Adds a date of an event.
    pub(crate) fn add(&mut self, event: Option<&str>, date: &str) {
        let Some(order) = order_of(date) else { return };
        if let Some(event) = event {
            self.by_event.entry(event.trim().to_owned()).or_default().add(order);
        }
        self.by_sign.entry(sign_of(date)).or_default().add(order);
        self.all.add(order);
    }

    /// Returns the order in a date of an event.
    pub(crate) fn in_date(&self, event: Option<&str>, date: &str) -> Option<DateOrder> {
        let of_event = event.and_then(|event| self.by_event.get(event.trim()));
        let votes = of_event.or_else(|| self.by_sign.get(&sign_of(date))).copied().unwrap_or(self.all);
        self.given.or_else(|| votes.decision())
    }
}

/// Returns the sign between the numbers of a date.
fn sign_of(date: &str) -> char {
    date.trim().chars().find(|letter| !letter.is_ascii_digit()).unwrap_or(' ')
}

/// Returns the order of a date if it has only one reading.
fn order_of(date: &str) -> Option<DateOrder> {
    let [first, second, year] = fields(date)[..] else { return None };
    match Date::in_orders(first, second, year).filter(|_| year.len() == 4 && first.len() < 3)? {
        [Some(_), None] => Some(DateOrder::DayFirst),
        [None, Some(_)] => Some(DateOrder::MonthFirst),
        _ => None,
    }
}

/// Returns the parts of a date, without the time of day, the day of the week and words such as `de`.
fn fields(text: &str) -> Vec<&str> {
    // `2019-02-26T20:15:00Z`
    let is_digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let time = text.match_indices('T').find(|&(at, _)| at > 0 && is_digit(at - 1) && is_digit(at + 1));
    let text = time.map_or(text, |(at, _)| &text[..at]);
    let separates = |c: char| c.is_whitespace() || "./-,".contains(c);
    let words = text.split_whitespace().filter(|word| !word.contains(':'));
    let fields = words.flat_map(|word| word.split(separates)).flat_map(runs).filter(|field| !field.is_empty());
    fields.filter(|field| !is_prefix_of(field, &WEEKDAYS) && !FILLERS.contains(field)).collect()
}

/// Splits a field where digits and letters meet: `12MAY2019`, `2019г`.
fn runs(field: &str) -> impl Iterator<Item = &str> {
    let is_letter = |byte: u8| byte.is_ascii_alphabetic() || !byte.is_ascii();
    let meet =
        move |one: u8, next: u8| one.is_ascii_digit() && is_letter(next) || is_letter(one) && next.is_ascii_digit();
    let runs = field.as_bytes().chunk_by(move |&one, &next| !meet(one, next));
    runs.filter_map(|run| str::from_utf8(run).ok())
}

const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// Words between the parts of a date.
const FILLERS: [&str; 10] = ["de", "del", "of", "the", "г", "года", "год", "年", "月", "日"];

/// Returns true if a text is the first three letters or more of one of the names, in any case.
fn is_prefix_of(text: &str, names: &[&str]) -> bool {
    // Two letters begin several months and weekdays, and other words.
    if text.chars().nth(2).is_none() {
        return false;
    }
    let lower = text.to_lowercase();
    names.iter().any(|name| name.starts_with(lower.as_str()))
}

/// The meaning of a date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WrittenDate {
    /// The form of the standard: `YYYY.MM.DD`, with question marks for unknown parts.
    Standard,
    /// Another form, which can only mean this date.
    Means(String),
    /// Not a date, or one of several possible ones.
    Unclear,
}

/// The names of the months: English, Dutch, German, French, Italian, Spanish, Portuguese, Polish, and Russian.
#[rustfmt::skip]
const MONTHS: [&[&str]; 12] = [
    &["january", "januari", "januar", "janvier", "gennaio", "enero", "janeiro", "stycznia", "styczeń", "января", "январь"],
    &["february", "februari", "februar", "février", "fevrier", "febbraio", "febrero", "fevereiro", "lutego", "luty", "февраля", "февраль"],
    &["march", "maart", "märz", "maerz", "mars", "marzo", "março", "marco", "marca", "marzec", "mrt", "марта"],
    &["april", "avril", "aprile", "abril", "kwietnia", "kwiecień", "апреля", "апрель"],
    &["may", "mei", "mai", "maggio", "mayo", "maio", "maja", "maj", "мая", "май"],
    &["june", "juni", "juin", "giugno", "junio", "junho", "czerwca", "czerwiec", "июня", "июнь"],
    &["july", "juli", "juillet", "luglio", "julio", "julho", "lipca", "lipiec", "июля", "июль"],
    &["august", "augustus", "août", "aout", "agosto", "sierpnia", "sierpień", "августа"],
    &["september", "septembre", "settembre", "septiembre", "setembro", "września", "wrzesień", "сентября", "сентябрь"],
    &["october", "oktober", "octobre", "ottobre", "octubre", "outubro", "października", "październik", "октября", "октябрь"],
    &["november", "novembre", "noviembre", "novembro", "listopada", "listopad", "ноября", "ноябрь"],
    &["december", "dezember", "décembre", "decembre", "dicembre", "diciembre", "dezembro", "grudnia", "grudzień", "декабря", "декабрь"],
];

/// Reads a date in any common form: `25/12/1999` is 1999.12.25, but `05/06/1999` may be in May or June.
pub(crate) fn read_date(text: &str) -> WrittenDate {
    read_date_in(text, None)
}

/// Reads a date as [`read_date`] does; `order` decides between day and month first.
pub(crate) fn read_date_in(text: &str, order: Option<DateOrder>) -> WrittenDate {
    // Most dates are, and are read without splitting them into strings.
    if is_common(text.as_bytes()) {
        return WrittenDate::Standard;
    }
    let Some(date) = Date::of(&fields(text), order) else { return WrittenDate::Unclear };
    let plain = date.to_string();
    if plain == text { WrittenDate::Standard } else { WrittenDate::Means(plain) }
}

/// Why three numbers that have the form of a date are none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoDate {
    /// The month, as year and month, has fewer days.
    Days(String, u32),
    /// There is no such month, or no month has such a day.
    Month,
}

/// Returns why a date does not exist in the calendar: `2020.02.30`, `31/04/2020`; `None` if it is not a date for another reason.
pub(crate) fn no_date(text: &str) -> Option<NoDate> {
    let fields = fields(text);
    let number = |field: &str| part(field).flatten();
    let dates = match (Date::named(&fields), &fields[..]) {
        (Some(named), _) => vec![named],
        (None, &[digits]) if digits.len() == 8 && digits.is_ascii() => {
            vec![Date::new(number(&digits[..4]), number(&digits[4..6]), number(&digits[6..]))]
        }
        (None, &[year, second, third]) if year.len() == 4 => {
            let (second, third) = (number(second), number(third));
            vec![Date::new(number(year), second, third), Date::new(number(year), third, second)]
        }
        (None, &[first, second, year]) if year.len() == 4 => {
            let (first, second) = (number(first), number(second));
            vec![Date::new(number(year), second, first), Date::new(number(year), first, second)]
        }
        _ => return None,
    };
    if dates.iter().any(|date| [date.year, date.month, date.day].contains(&None) || date.checked().is_some()) {
        return None;
    }
    // Of two readings, the one with a month that exists says how many days it has.
    let short = dates.iter().find(|date| Date { day: Some(1), ..**date }.checked().is_some() && date.day <= Some(31));
    let short = short.filter(|date| date.day > Some(date.days()));
    let days = |date: &Date| {
        let month = Date { day: None, ..*date }.to_string();
        NoDate::Days(month.trim_end_matches(".??").to_owned(), date.days())
    };
    Some(short.map_or(NoDate::Month, days))
}

/// The known parts of a date, from the year on: `[1995, 11]` is November 1995.
pub(crate) type DateParts = [Option<u16>; 3];

/// Reads the known parts of a date as written in tags.
pub(crate) fn date_parts(text: &str) -> DateParts {
    let date = match read_date(text) {
        WrittenDate::Standard => text.to_owned(),
        WrittenDate::Means(date) => date,
        // The year is plain where the day is not, as in `05/06/1999` and `2019.02.26-28`.
        WrittenDate::Unclear => return [only_year(text), None, None],
    };
    let mut parts = date.split('.').map(|part| part.parse().ok());
    std::array::from_fn(|_| parts.next().flatten())
}

/// Returns the only year in a text that is not a date.
fn only_year(text: &str) -> Option<u16> {
    let years = fields(text).into_iter().filter(|field| field.len() == 4).filter_map(|field| field.parse().ok());
    // Other numbers of four digits are more likely scores, addresses or slips.
    let mut years = years.filter(|year| (1500..2200).contains(year));
    let year = years.next()?;
    years.all(|other| other == year).then_some(year)
}

/// Returns the known parts of the date of a game with these tags, or else of its event.
pub(crate) fn date_of<'a>(tag: impl Fn(&str) -> Option<&'a str>) -> DateParts {
    let parts = |name| tag(name).map(date_parts).filter(|parts| parts[0].is_some());
    parts("Date").or_else(|| parts("EventDate")).unwrap_or_default()
}

/// Returns true for a date in the most common form: that of the standard, with all parts known, a year that games can
/// have and a day that every month has.
fn is_common(text: &[u8]) -> bool {
    let &[y1, y2, y3, y4, b'.', m1, m2, b'.', d1, d2] = text else { return false };
    let digits = [y1, y2, y3, y4, m1, m2, d1, d2].iter().all(u8::is_ascii_digit);
    let number = |tens: u8, ones: u8| u32::from(tens.wrapping_sub(b'0')) * 10 + u32::from(ones.wrapping_sub(b'0'));
    digits && matches!(y1, b'1' | b'2') && (1..=12).contains(&number(m1, m2)) && (1..=28).contains(&number(d1, d2))
}

/// A part of a date; `None` for question marks.
type Part = Option<u32>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Date {
    year: Part,
    month: Part,
    day: Part,
}

impl Date {
    /// Returns the only date that the fields can mean in this order, or in any.
    fn of(fields: &[&str], order: Option<DateOrder>) -> Option<Self> {
        if let Some(date) = Self::named(fields) {
            return date.checked();
        }
        match *fields {
            [digits] if digits.len() == 8 && digits.is_ascii() => {
                let [year, month, day] = [&digits[..4], &digits[4..6], &digits[6..]].map(|part| part.parse().ok());
                let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
                Self::new(year, month, day).checked().filter(|_| is_plain)
            }
            [year] => Self { year: Some(four_digits(year)?), month: None, day: None }.checked(),
            [month, year] if year.len() == 4 && month.len() <= 2 => {
                Self { year: Some(four_digits(year)?), month: part(month)?, day: None }.checked()
            }
            [first, second] if first.len() == 4 => {
                Self { year: part(first)?, month: part(second)?, day: None }.checked()
            }
            [first, second, third] if first.len() == 4 => {
                let (year, second, third) = (part(first)?, part(second)?, part(third)?);
                // Month, then day; day, then month only if there is no month of that number.
                Self::new(year, second, third).checked().or_else(|| Self::new(year, third, second).checked())
            }
            [first, second, third] if third.len() == 4 => {
                let readings = Self::in_orders(first, second, third)?;
                match (readings, order) {
                    ([Some(day_first), Some(month_first)], None) => (day_first == month_first).then_some(day_first),
                    ([day_first @ Some(_), _], Some(DateOrder::DayFirst)) => day_first,
                    ([_, month_first @ Some(_)], Some(DateOrder::MonthFirst)) => month_first,
                    ([day_first, month_first], _) => day_first.or(month_first),
                }
            }
            _ => None,
        }
    }

    /// Returns the dates that two numbers and a year can be, with the day first and with the month first.
    fn in_orders(first: &str, second: &str, year: &str) -> Option<[Option<Self>; 2]> {
        let (first, second, year) = (part(first)?, part(second)?, part(year)?);
        Some([Self::new(year, second, first).checked(), Self::new(year, first, second).checked()])
    }

    const fn new(year: Part, month: Part, day: Part) -> Self {
        Self { year, month, day }
    }

    /// `2 June 2002`, `June 2, 2002`, `June 2002`.
    fn named(fields: &[&str]) -> Option<Self> {
        let place = fields.iter().position(|field| month_named(field).is_some())?;
        let month = month_named(fields[place]);
        let numbers: Vec<&str> =
            fields.iter().enumerate().filter(|&(n, _)| n != place).map(|(_, field)| *field).collect();
        match numbers[..] {
            [year] => Some(Self::new(Some(four_digits(year)?), month, None)),
            [day, year] | [year, day] if year.len() == 4 && day.len() <= 2 => {
                Some(Self::new(Some(four_digits(year)?), month, Some(day.parse().ok()?)))
            }
            _ => None,
        }
    }

    /// Returns the number of days in the month.
    fn days(self) -> u32 {
        // An unknown year may be a leap year.
        let leap = self.year.is_none_or(|year| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0));
        match self.month {
            Some(4 | 6 | 9 | 11) => 30,
            Some(2) if leap => 29,
            Some(2) => 28,
            _ => 31,
        }
    }

    /// Returns the date if it exists in the calendar.
    fn checked(self) -> Option<Self> {
        let sound = self.month.is_none_or(|month| (1..=12).contains(&month))
            && self.day.is_none_or(|day| (1..=self.days()).contains(&day))
            // Years such as 0202 are slips.
            && self.year.is_none_or(|year| (1000..3000).contains(&year));
        sound.then_some(self)
    }
}

impl std::fmt::Display for Date {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.year {
            Some(year) => write!(f, "{year:04}")?,
            None => f.write_str("????")?,
        }
        for part in [self.month, self.day] {
            match part {
                Some(part) => write!(f, ".{part:02}")?,
                None => f.write_str(".??")?,
            }
        }
        Ok(())
    }
}

/// Reads a number or question marks; the outer `None` if it is neither.
fn part(text: &str) -> Option<Part> {
    if text.bytes().all(|byte| byte == b'?') {
        return Some(None);
    }
    (text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())
}

fn four_digits(text: &str) -> Option<u32> {
    (text.len() == 4).then(|| part(text)).flatten().flatten()
}

/// Returns the only month whose name in one of the languages is the text, or begins with it: `Sept.` is without its dot here.
fn month_named(text: &str) -> Option<u32> {
    if text.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut found = (0..).zip(MONTHS).filter(|(_, names)| is_prefix_of(text, names)).map(|(place, _)| place + 1);
    found.next().filter(|_| found.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::DateOrder::{DayFirst, MonthFirst};
    use super::*;

    #[test]
    fn dates_of_every_kind() {
        for text in ["2002.06.02", "????.??.??", "1999.??.??", "2000.02.29"] {
            assert_eq!(read_date(text), WrittenDate::Standard, "{text}");
        }
        for (text, meant) in [
            ("1841-??-??", "1841.??.??"),
            ("1841", "1841.??.??"),
            ("2002.6.2", "2002.06.02"),
            ("2002.25.12", "2002.12.25"),
            ("25/12/1999", "1999.12.25"),
            ("12/25/1999", "1999.12.25"),
            ("5-5-1999", "1999.05.05"),
            ("2 June 2002", "2002.06.02"),
            ("June 2, 2002", "2002.06.02"),
            ("Sept. 1998", "1998.09.??"),
            ("2002-06", "2002.06.??"),
            ("06.2002", "2002.06.??"),
            ("Sun Jul 09 2019", "2019.07.09"),
            ("20190226", "2019.02.26"),
            ("2019.02.26 20:15", "2019.02.26"),
            ("2019-02-26T20:15:00Z", "2019.02.26"),
            ("26 februari 2019", "2019.02.26"),
            ("26 février 2019", "2019.02.26"),
            ("26 de febrero de 2019", "2019.02.26"),
            ("26 февраля 2019 г.", "2019.02.26"),
            ("25.05.2019г.", "2019.05.25"),
            ("2019年5月12日", "2019.05.12"),
            ("12MAY2019", "2019.05.12"),
            ("2019年", "2019.??.??"),
            ("1. März 2019", "2019.03.01"),
            ("5 mrt 2019", "2019.03.05"),
            (" 2002.06.02", "2002.06.02"),
        ] {
            assert_eq!(read_date(text), WrittenDate::Means(meant.to_owned()), "{text}");
        }
        for text in [
            "",
            "?",
            "3001.05.06",
            "3001.05.29",
            "0999.05.06",
            "1-2 June 2002",
            "9999.99.99 - x",
            "99/99/9999",
            "05/06/1999",
            "2001.02.29",
            "May",
            "1",
            "x",
            "Marathon 2002",
            "Decathlon 2002",
            "Junior 2002",
            "Jui 2002",
            "Octavia 2002",
            "Marcel 2002",
            "20191326",
            "2019.02.26-28",
            "2019.02.30",
            "2019W05",
            "19??x",
        ] {
            assert_eq!(read_date(text), WrittenDate::Unclear, "{text}");
        }
        for (text, year) in [
            ("2019.02.26-28", Some(2019)),
            ("05/06/1999", Some(1999)),
            ("2019.02.30", Some(2019)),
            ("1998-1999", None),
            ("05/06/1999г.", Some(1999)),
            ("9999.99.99 - x", None),
        ] {
            assert_eq!(date_parts(text), [year, None, None], "{text}");
        }
    }

    #[test]
    fn dates_that_the_calendar_lacks_are_known() {
        for (text, month, days) in [
            ("2020.02.30", "2020.02", 29),
            ("2021-02-29", "2021.02", 28),
            ("2020.31.04", "2020.04", 30),
            ("31/04/2020", "2020.04", 30),
            ("06/31/2020", "2020.06", 30),
            ("30 February 2020", "2020.02", 29),
            ("20200230", "2020.02", 29),
        ] {
            assert_eq!(no_date(text), Some(NoDate::Days(month.to_owned(), days)), "{text}");
        }
        for text in ["2020.14.14", "2020.00.10", "2020.10.00", "32.01.2020", "99/99/1999"] {
            assert_eq!(no_date(text), Some(NoDate::Month), "{text}");
        }
        for text in ["05/06/1999", "1999.12.25", "2020.02.??", "2019.02.26-28", "spring", "1999", ""] {
            assert_eq!(no_date(text), None, "{text}");
        }
    }

    #[test]
    fn dates_of_a_file_decide_the_order() {
        let mut orders = DateOrders::default();
        for (event, date) in
            [("A", "25/12/1999"), ("B", "12/26/1999"), ("C", "3/4/2001"), ("D", "13.1.2002"), ("D", "?")]
        {
            orders.add(Some(event), date);
        }
        let of = |event, date| orders.in_date(Some(event), date);
        assert_eq!(of("A", "05/06/1999"), Some(DayFirst));
        assert_eq!(of("B", "05/06/1999"), Some(MonthFirst));
        assert_eq!((of("C", "05/06/1999"), of("C", "05-06-1999")), (None, None));
        assert_eq!(of("C", "05.06.1999"), Some(DayFirst));
        let read = |order| read_date_in("05/06/1999", order);
        assert_eq!(read(Some(DayFirst)), WrittenDate::Means("1999.06.05".to_owned()));
        assert_eq!(read(Some(MonthFirst)), WrittenDate::Means("1999.05.06".to_owned()));
        assert_eq!(read_date_in("25/12/1999", Some(MonthFirst)), WrittenDate::Means("1999.12.25".to_owned()));
        assert_eq!(DateOrders::of(Some(MonthFirst)).in_date(None, "05/06/1999"), Some(MonthFirst));
    }
}
