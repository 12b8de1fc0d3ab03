//! Times of day and times used.

/// Returns true if a value is a time: `H:MM` or `H:MM:SS`, in practice also with dots.
pub(super) fn is_time(value: &str) -> bool {
    let sign = if value.contains(':') { ':' } else { '.' };
    let parts: Vec<&str> = value.split(sign).collect();
    let small = |part: &&str| part.len() == 2 && part.parse().is_ok_and(|number: u8| number < 60);
    (2..=3).contains(&parts.len()) && is_count(parts[0]) && parts[0].len() <= 3 && parts[1..].iter().all(small)
}

fn is_count(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_times() {
        for time in ["0:00", "12:30", "1:29:46", "1.29.46"] {
            assert!(is_time(time), "{time}");
        }
        for time in ["", "12", "1:2", "12:60", "1:29:46:00", "a:30"] {
            assert!(!is_time(time), "{time}");
        }
    }
}
