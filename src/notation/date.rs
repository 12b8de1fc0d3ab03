//! Dates of tags.

/// The meaning of a date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrittenDate {
    /// The form of the standard: `YYYY.MM.DD`, with question marks for unknown parts.
    Standard,
    /// Another form, which can only mean this date.
    Means(String),
    /// Not a date, or one of several possible ones.
    Unclear,
}

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Reads a date in any common form.
///
/// # Examples
///
/// ```
/// use pdn::notation::{WrittenDate, read_date};
///
/// assert_eq!(read_date("1841-??-??"), WrittenDate::Means("1841.??.??".to_owned()));
/// assert_eq!(read_date("25/12/1999"), WrittenDate::Means("1999.12.25".to_owned()));
/// assert_eq!(read_date("05/06/1999"), WrittenDate::Unclear);
/// ```
pub fn read_date(text: &str) -> WrittenDate {
    if is_common(text.as_bytes()) {
        return WrittenDate::Standard;
    }
    let fields: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || "./-,".contains(c)).filter(|f| !f.is_empty()).collect();
    let Some(date) = Date::of(&fields) else { return WrittenDate::Unclear };
    let plain = date.to_string();
    if plain == text { WrittenDate::Standard } else { WrittenDate::Means(plain) }
}

/// The known parts of a date, from the year on: `[1995, 11]` is November 1995.
pub type DateParts = [Option<u16>; 3];

/// Reads the known parts of a date as tags write them.
pub fn date_parts(text: &str) -> DateParts {
    let date = match read_date(text) {
        WrittenDate::Standard => text.to_owned(),
        WrittenDate::Means(date) => date,
        WrittenDate::Unclear => return [None; 3],
    };
    let mut parts = date.split('.').map(|part| part.parse().ok());
    std::array::from_fn(|_| parts.next().flatten())
}

/// Returns the known parts of the date of a game with these tags, or else of its event.
pub fn date_of<'a>(tag: impl Fn(&str) -> Option<&'a str>) -> DateParts {
    let parts = |name| tag(name).map(date_parts).filter(|parts| parts[0].is_some());
    parts("Date").or_else(|| parts("EventDate")).unwrap_or_default()
}

/// Returns true for a date as most are written: the form of the standard, all parts known, on a day that every month has.
fn is_common(text: &[u8]) -> bool {
    let &[y1, y2, y3, y4, b'.', m1, m2, b'.', d1, d2] = text else { return false };
    let digits = [y1, y2, y3, y4, m1, m2, d1, d2].iter().all(u8::is_ascii_digit);
    let number = |tens: u8, ones: u8| u32::from(tens.wrapping_sub(b'0')) * 10 + u32::from(ones.wrapping_sub(b'0'));
    digits && y1 != b'0' && (1..=12).contains(&number(m1, m2)) && (1..=28).contains(&number(d1, d2))
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
    /// Returns the only date that the fields can mean.
    fn of(fields: &[&str]) -> Option<Self> {
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
                let (first, second, year) = (part(first)?, part(second)?, part(third)?);
                let (european, american) = (Self::new(year, second, first), Self::new(year, first, second));
                match (european.checked(), american.checked()) {
                    (Some(one), Some(other)) => (one == other).then_some(one),
                    (one, other) => one.or(other),
                }
            }
            _ => None,
        }
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

    /// Returns the date if it is in the calendar.
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
        let two = |part: Part| part.map_or_else(|| "??".to_owned(), |part| format!("{part:02}"));
        let year = self.year.map_or_else(|| "????".to_owned(), |year| format!("{year:04}"));
        write!(f, "{year}.{}.{}", two(self.month), two(self.day))
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

/// Returns the month with an English name, of which at least three letters are given.
fn month_named(text: &str) -> Option<u32> {
    let lower = text.to_ascii_lowercase();
    let known = lower.len() >= 3 && lower.bytes().all(|byte| byte.is_ascii_lowercase());
    let place = MONTHS.iter().position(|month| known && lower.starts_with(month))?;
    Some(place as u32 + 1)
}

#[cfg(test)]
mod tests {
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
        for text in
            ["", "?", "1-2 June 2002", "9999.99.99 - x", "99/99/9999", "05/06/1999", "2001.02.29", "May", "1", "x"]
        {
            assert_eq!(read_date(text), WrittenDate::Unclear, "{text}");
        }
    }
}
