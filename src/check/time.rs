//! Times of day, times used and time controls.

/// Returns true if a value is a time: `H:MM` or `H:MM:SS`, in practice also with dots.
pub(super) fn is_time(value: &str) -> bool {
    let sign = if value.contains(':') { ':' } else { '.' };
    let parts: Vec<&str> = value.split(sign).collect();
    let small = |part: &&str| part.len() == 2 && part.parse().is_ok_and(|number: u8| number < 60);
    (2..=3).contains(&parts.len()) && is_count(parts[0]) && parts[0].len() <= 3 && parts[1..].iter().all(small)
}

/// Returns true if a value is a time control: `?`, `-`, or elements joined by colons, each `moves/seconds`, `seconds+increment`,
/// `seconds` or `*seconds` (an hourglass). `moves/seconds+increment` occurs and is accepted too.
pub(super) fn is_time_control(value: &str) -> bool {
    matches!(value, "?" | "-") || value.split(':').all(is_element)
}

fn is_element(element: &str) -> bool {
    if let Some(seconds) = element.strip_prefix('*') {
        return is_count(seconds);
    }
    let (moves, rest) = element.split_once('/').map_or((None, element), |(moves, rest)| (Some(moves), rest));
    let (seconds, increment) = rest.split_once('+').map_or((rest, None), |(seconds, rest)| (seconds, Some(rest)));
    moves.is_none_or(is_count) && is_count(seconds) && increment.is_none_or(is_count)
}

fn is_count(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_controls() {
        for time in ["0:00", "12:30", "1:29:46", "1.29.46"] {
            assert!(is_time(time), "{time}");
        }
        for time in ["", "12", "1:2", "12:60", "1:29:46:00", "a:30"] {
            assert!(!is_time(time), "{time}");
        }
        for control in ["?", "-", "300", "*180", "600+5", "40/7200", "40/7200:20/2400:600+5"] {
            assert!(is_time_control(control), "{control}");
        }
        for control in ["", "2h", "40/", "+5", "40/7200;600", "*"] {
            assert!(!is_time_control(control), "{control}");
        }
    }
}
