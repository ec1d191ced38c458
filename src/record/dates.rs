//! The dates of records. The API's `_gmt` fields are always in UTC but rarely say so.

/// A `_gmt` date as `YYYY-MM-DDTHH:MM:SSZ`. Accepts `T` or a space between date and time, fractions of a second
/// (dropped) and an offset (applied). None for invalid dates: MySQL's 0000-00-00, February 30, an empty text.
/// Source: <https://developer.wordpress.org/rest-api/reference/posts/#schema-date_gmt>.
pub(crate) fn normalise(text: &str) -> Option<String> {
    let text = text.trim();
    let bytes = text.as_bytes();
    if bytes.len() < 19 || !matches!(bytes[10], b'T' | b't' | b' ') {
        return None;
    }
    let separators = [(4, b'-'), (7, b'-'), (13, b':'), (16, b':')];
    if separators.iter().any(|&(at, separator)| bytes[at] != separator) {
        return None;
    }
    let number = |from: usize, to: usize| -> Option<i64> {
        let digits = bytes.get(from..to)?;
        digits.iter().all(u8::is_ascii_digit).then(|| digits.iter().fold(0, |n, d| n * 10 + i64::from(d - b'0')))
    };
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    let valid = year > 0 && (1..=12).contains(&month) && (1..=days_of(year, month)).contains(&day);
    if !valid || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let rest = text.get(19..)?;
    let rest = rest.strip_prefix('.').map_or(rest, |f| f.trim_start_matches(|c: char| c.is_ascii_digit()));
    match offset_minutes(rest)? {
        // Nearly always the date can be copied as written, without formatting numbers.
        0 => Some([&text[..10], "T", &text[11..19], "Z"].concat()),
        offset => {
            let minutes = (days_from_civil(year, month, day) * 24 + hour) * 60 + minute - offset;
            let (year, month, day) = civil_from_days(minutes.div_euclid(1440));
            let (hour, minute) = (minutes.rem_euclid(1440) / 60, minutes.rem_euclid(60));
            (1..=9999)
                .contains(&year)
                .then(|| format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"))
        }
    }
}

/// Whether a JSON string, with its quotes, holds a date as [`normalise`] makes them.
pub(crate) fn is_normalised(json: &[u8]) -> bool {
    let text =
        json.strip_prefix(b"\"").and_then(|json| json.strip_suffix(b"\"")).and_then(|text| str::from_utf8(text).ok());
    text.is_some_and(|text| text.len() == 20 && normalise(text).as_deref() == Some(text))
}

/// Minutes east of UTC of ``, `Z`, `+HH:MM`, `+HHMM`.
fn offset_minutes(text: &str) -> Option<i64> {
    let sign = match text.as_bytes().first() {
        None | Some(b'Z' | b'z') if text.len() <= 1 => return Some(0),
        Some(b'+') => 1,
        Some(b'-') => -1,
        _ => return None,
    };
    let digits: String = text[1..].chars().filter(|c| *c != ':').collect();
    if digits.len() != 4 || !digits.bytes().all(|d| d.is_ascii_digit()) {
        return None;
    }
    let number: i64 = digits.parse().ok()?;
    if number / 100 > 14 || number % 100 > 59 {
        return None;
    }
    Some(sign * (number / 100 * 60 + number % 100))
}

fn days_of(year: i64, month: i64) -> i64 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970-01-01 (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
pub(crate) fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// The other way round: year, month, day.
pub(crate) fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::normalise;

    #[test]
    fn dates_become_utc_or_nothing() {
        for (raw, want) in [
            ("2024-08-11T13:48:51", Some("2024-08-11T13:48:51Z")),
            ("2024-08-11 13:48:51", Some("2024-08-11T13:48:51Z")),
            ("2024-08-11T13:48:51.123Z", Some("2024-08-11T13:48:51Z")),
            ("2024-03-01T00:30:00+01:00", Some("2024-02-29T23:30:00Z")),
            ("2023-12-31T23:30:00-0100", Some("2024-01-01T00:30:00Z")),
            ("2024-02-30T00:00:00", None),
            ("0000-00-00T00:00:00", None),
            ("0000-00-00 00:00:00", None),
            ("2024-08-11", None),
            ("2024-08-11T13:48:51 o'clock", None),
            ("2024-08-11T13:48:5é", None),
            ("", None),
        ] {
            assert_eq!(normalise(raw).as_deref(), want, "{raw}");
        }
    }
}
