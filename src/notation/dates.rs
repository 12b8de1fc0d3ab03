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
    always: Option<DateOrder>,
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
    /// Returns orders that are the same for all dates.
    pub(crate) fn always(order: DateOrder) -> Self {
        Self { always: Some(order), ..Self::default() }
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
    pub(crate) fn of(&self, event: Option<&str>, date: &str) -> Option<DateOrder> {
        let of_event = event.and_then(|event| self.by_event.get(event.trim()));
        let votes = of_event.or_else(|| self.by_sign.get(&sign_of(date))).copied().unwrap_or(self.all);
        self.always.or_else(|| votes.decision())
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

fn fields(text: &str) -> Vec<&str> {
    let separates = |c: char| c.is_whitespace() || "./-,".contains(c);
    text.split(separates).filter(|field| !field.is_empty()).collect()
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

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

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

/// The known parts of a date, from the year on: `[1995, 11]` is November 1995.
pub(crate) type DateParts = [Option<u16>; 3];

/// Reads the known parts of a date as written in tags.
pub(crate) fn date_parts(text: &str) -> DateParts {
    let date = match read_date(text) {
        WrittenDate::Standard => text.to_owned(),
        WrittenDate::Means(date) => date,
        WrittenDate::Unclear => return [None; 3],
    };
    let mut parts = date.split('.').map(|part| part.parse().ok());
    std::array::from_fn(|_| parts.next().flatten())
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
        if let Some(date) = Self::with_name(fields) {
            return date.checked();
        }
        match *fields {
            [year] => Self { year: Some(four_digits(year)?), month: None, day: None }.checked(),
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
    fn with_name(fields: &[&str]) -> Option<Self> {
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

    /// Returns the date if it exists in the calendar.
    fn checked(self) -> Option<Self> {
        let leap = self.year.is_none_or(|year| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0));
        let days = match self.month {
            Some(4 | 6 | 9 | 11) => 30,
            Some(2) if leap => 29,
            Some(2) => 28,
            _ => 31,
        };
        let sound = self.month.is_none_or(|month| (1..=12).contains(&month))
            && self.day.is_none_or(|day| (1..=days).contains(&day))
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

/// Returns the month with an English name, given by at least three letters.
fn month_named(text: &str) -> Option<u32> {
    // `Sept.` is without its dot here.
    if !text.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let first = text.get(..3)?;
    let place = MONTHS.iter().position(|month| first.eq_ignore_ascii_case(month))?;
    Some(place as u32 + 1)
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
        ] {
            assert_eq!(read_date(text), WrittenDate::Unclear, "{text}");
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
        let of = |event, date| orders.of(Some(event), date);
        assert_eq!(of("A", "05/06/1999"), Some(DayFirst));
        assert_eq!(of("B", "05/06/1999"), Some(MonthFirst));
        assert_eq!((of("C", "05/06/1999"), of("C", "05-06-1999")), (None, None));
        assert_eq!(of("C", "05.06.1999"), Some(DayFirst));
        let read = |order| read_date_in("05/06/1999", order);
        assert_eq!(read(Some(DayFirst)), WrittenDate::Means("1999.06.05".to_owned()));
        assert_eq!(read(Some(MonthFirst)), WrittenDate::Means("1999.05.06".to_owned()));
        assert_eq!(read_date_in("25/12/1999", Some(MonthFirst)), WrittenDate::Means("1999.12.25".to_owned()));
        assert_eq!(DateOrders::always(MonthFirst).of(None, "05/06/1999"), Some(MonthFirst));
    }
}
