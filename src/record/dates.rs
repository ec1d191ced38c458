//! Reads and normalises the dates of records. The API's `_gmt` fields are always in UTC but rarely say so. The crate jiff knows the
//! calendar and converts offsets.

use jiff::ToSpan;
use jiff::civil::DateTime;

/// A `_gmt` date, or one that a page states, as `YYYY-MM-DDTHH:MM:SSZ`. Accepts `T` or a space between date and time, no seconds,
/// fractions of a second (dropped) and an offset (applied). Returns [`None`] for invalid dates: MySQL's 0000-00-00, February 30, an
/// empty text.
/// Sources: <https://developer.wordpress.org/rest-api/reference/posts/#schema-date_gmt>,
/// <https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#global-dates-and-times>.
pub(crate) fn normalise(text: &str) -> Option<String> {
    let text = text.trim();
    let bytes = text.as_bytes();
    let number = |from: usize, to: usize| -> Option<i16> {
        let digits = bytes.get(from..to)?;
        digits.iter().all(u8::is_ascii_digit).then(|| digits.iter().fold(0, |n, d| n * 10 + i16::from(d - b'0')))
    };
    let part = |from: usize| number(from, from + 2).map(|n| n as i8);
    let is = |at: usize, separators: &[u8]| bytes.get(at).is_some_and(|byte| separators.contains(byte));
    if !(is(4, b"-") && is(7, b"-") && is(10, b"Tt ") && is(13, b":")) {
        return None;
    }
    let has_seconds = is(16, b":");
    let (end, second) = if has_seconds { (19, part(17)?) } else { (16, 0) };
    let (year, minute) = (number(0, 4).filter(|year| *year > 0)?, part(14)?);
    let time = DateTime::new(year, part(5)?, part(8)?, part(11)?, minute, second, 0).ok()?;
    let rest = text.get(end..)?;
    let fraction = rest.strip_prefix('.').filter(|_| has_seconds);
    let rest = fraction.map_or(rest, |fraction| fraction.trim_start_matches(|c: char| c.is_ascii_digit()));
    match offset_minutes(rest)? {
        // Nearly always, the date can be copied as written, without formatting numbers.
        0 if has_seconds => Some([&text[..10], "T", &text[11..19], "Z"].concat()),
        offset => {
            let time = time.checked_sub(offset.minutes()).ok().filter(|time| time.year() > 0)?;
            Some(format!("{time}Z"))
        }
    }
}

/// A date of a mail or a feed, `Tue, 05 May 2020 10:00:00 +0000`, as `YYYY-MM-DDTHH:MM:SSZ`
/// (<https://www.rfc-editor.org/rfc/rfc2822#section-3.3>).
pub(crate) fn of_mail(text: &str) -> Option<String> {
    let zoned = jiff::fmt::rfc2822::DateTimeParser::new().relaxed_weekday(true).parse_timestamp(text.trim()).ok()?;
    let utc = jiff::tz::Offset::UTC.to_datetime(zoned);
    (utc.year() > 0).then(|| format!("{utc}Z"))
}

/// A date without a zone, as a site or a page states it for readers: `YYYY-MM-DDTHH:MM:SS`, or a day alone, `YYYY-MM-DD`. Returns
/// [`None`] for texts that [`normalise`] does not accept, and for a date with a zone.
pub(crate) fn local(text: &str) -> Option<String> {
    let text = text.trim();
    if has_zone(text) {
        return None;
    }
    let is_day = text.len() == "0000-00-00".len();
    let date = normalise(&if is_day { format!("{text}T00:00:00") } else { text.to_owned() })?;
    Some(date[..if is_day { "0000-00-00".len() } else { date.len() - 1 }].to_owned())
}

/// Whether a date states its zone.
pub(crate) fn has_zone(text: &str) -> bool {
    let time = text.trim().get("0000-00-00T".len()..).unwrap_or_default();
    time.contains(['Z', 'z', '+', '-'])
}

/// Whether a JSON string, with its quotes, holds a date in the form of [`normalise`].
pub(crate) fn is_normalised(json: &[u8]) -> bool {
    let text =
        json.strip_prefix(b"\"").and_then(|json| json.strip_suffix(b"\"")).and_then(|text| str::from_utf8(text).ok());
    text.is_some_and(|text| text.len() == 20 && normalise(text).as_deref() == Some(text))
}

/// The seconds since 1970 of a date in the form of [`normalise`].
pub(crate) fn seconds(text: &str) -> Option<i64> {
    text.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_second)
}

/// The minutes east of UTC in an offset: an empty text, `Z`, `+HH:MM` or `+HHMM`.
fn offset_minutes(text: &str) -> Option<i64> {
    let sign = match text.as_bytes().first() {
        None | Some(b'Z' | b'z') if text.len() <= 1 => return Some(0),
        Some(b'+') => 1,
        Some(b'-') => -1,
        _ => return None,
    };
    let text = &text[1..];
    let (hours, minutes) = text.split_once(':').or_else(|| text.split_at_checked(2))?;
    let number = |digits: &str, most: i64| {
        let is_number = digits.len() == 2 && digits.bytes().all(|d| d.is_ascii_digit());
        digits.parse::<i64>().ok().filter(|number| is_number && *number <= most)
    };
    Some(sign * (number(hours, 14)? * 60 + number(minutes, 59)?))
}

#[cfg(test)]
mod tests {
    use super::{local, normalise};
    use jiff::fmt::temporal::DateTimeParser;
    use proptest::prelude::*;

    #[test]
    fn of_a_date_without_a_zone_nothing_is_invented() {
        for (raw, want) in [
            ("2026-01-06T11:54:46", Some("2026-01-06T11:54:46")),
            (" 2026-01-06 11:54 ", Some("2026-01-06T11:54:00")),
            ("2026-01-06T11:54:46.5", Some("2026-01-06T11:54:46")),
            ("2026-01-06", Some("2026-01-06")),
            ("2026-02-30", None),
            ("0000-00-00T00:00:00", None),
            ("2026-01", None),
            ("2026-01-06T11:54:46Z", None),
            ("2026-01-06T11:54+01:00", None),
            ("6. Januar 26é", None),
            ("", None),
        ] {
            assert_eq!(local(raw).as_deref(), want, "{raw}");
        }
    }

    #[test]
    fn dates_become_utc_or_nothing() {
        for (raw, want) in [
            ("2024-08-11T13:48:51", Some("2024-08-11T13:48:51Z")),
            ("2024-08-11 13:48:51", Some("2024-08-11T13:48:51Z")),
            ("2024-08-11T13:48:51.123Z", Some("2024-08-11T13:48:51Z")),
            ("2024-03-01T00:30:00+01:00", Some("2024-02-29T23:30:00Z")),
            ("2023-12-31T23:30:00-0100", Some("2024-01-01T00:30:00Z")),
            ("2024-01-15T10:00Z", Some("2024-01-15T10:00:00Z")),
            ("2024-01-15 10:00", Some("2024-01-15T10:00:00Z")),
            ("2024-01-01T00:30+01:00", Some("2023-12-31T23:30:00Z")),
            ("0001-01-01T00:30:00+01:00", None),
            ("9999-12-31T23:30:00-01:00", None),
            ("2024-01-15T10:00.5Z", None),
            ("2024-01-15T10", None),
            ("2024-01-15T10:0", None),
            ("2024-01-15T10:00:0", None),
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

    /// Dates as they may be written, some with days and hours that do not exist. Fractions are short: jiff takes nine digits, and
    /// damage may join the digits of an offset to them.
    fn written() -> impl Strategy<Value = String> {
        let offset = prop_oneof![
            Just(String::new()),
            Just("Z".to_owned()),
            ("[+-]", 0..15, 0..61).prop_map(|(sign, hours, minutes)| format!("{sign}{hours:02}:{minutes:02}")),
            ("[+-]", 0..15, 0..61).prop_map(|(sign, hours, minutes)| format!("{sign}{hours:02}{minutes:02}")),
        ];
        let year = prop_oneof![1..10_000, 1999..2005];
        let day = (year, 0..14, prop_oneof![0..33, 27..33], "[Tt ]");
        let day = day.prop_map(|(year, month, day, t)| format!("{year:04}-{month:02}-{day:02}{t}"));
        (day, 0..25, 0..61, prop_oneof![Just(String::new()), ":[0-5][0-9](\\.[0-9]{1,3})?"], offset)
            .prop_map(|(day, hour, minute, second, offset)| format!("{day}{hour:02}:{minute:02}{second}{offset}"))
    }

    /// The result of jiff's own parser. It accepts more forms than `normalise`.
    fn by_jiff(text: &str) -> Option<String> {
        let (date, time) = text.split_at_checked(10)?;
        // A point without digits after it is not a fraction.
        let time = time.replace(".Z", "Z").replace(".+", "+").replace(".-", "-");
        let time = time.strip_suffix('.').unwrap_or(&time);
        let is_zoned = time.contains(['Z', 'z', '+', '-']);
        let text = format!("{date}{time}{}", if is_zoned { "" } else { "Z" });
        let moment = DateTimeParser::new().parse_timestamp(&text).ok()?;
        let utc = jiff::tz::Offset::UTC.to_datetime(moment).with().subsec_nanosecond(0).build().ok()?;
        (utc.year() > 0).then(|| format!("{utc}Z"))
    }

    proptest! {
        #![proptest_config(crate::cases::cases(500))]

        #[test]
        fn a_date_is_what_jiff_takes_it_for(text in written()) {
            prop_assert_eq!(normalise(&text), by_jiff(&text), "{}", text);
        }

        #[test]
        fn a_damaged_date_is_none_or_what_jiff_takes_it_for(text in written(), at in 0..26_usize, with in "[0-9:+Z. éx-]{0,2}") {
            let mut text = text;
            if let (true, true) = (text.is_char_boundary(at.min(text.len())), at < text.len()) {
                text.replace_range(at..=at, &with);
            }
            if let Some(date) = normalise(&text) {
                prop_assert_eq!(Some(date), by_jiff(text.trim()), "{}", text);
            }
        }
    }
}
