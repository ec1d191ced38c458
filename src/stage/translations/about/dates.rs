//! Finds when a page without a record was published and changed.

use super::{About, days, folder};
use crate::html::Extractor;
use crate::rest::dates;

/// When a page was published and changed.
pub(in crate::stage::translations) struct Dates {
    pub local: Option<String>,
    pub published: Option<String>,
    pub modified: Option<String>,
}

impl About<'_> {
    /// When it was published, and last changed; and when it was published in the time of the site, where no zone is stated.
    pub(in crate::stage::translations) fn dates(&self, extractor: &mut Extractor) -> Dates {
        let first = |stated: [&Option<String>; 3]| {
            let mut stated = stated.into_iter().flatten().filter(|date| dates::has_zone(date));
            stated.find_map(|date| dates::normalise(date))
        };
        let (head, schema, stated) = (self.head, self.schema, self.stated);
        let all = [&head.published, &schema.published, &stated.published];
        let published = first(all);
        let by_permalink = || self.url.filter(|_| self.is_of_wordpress).and_then(|url| day_of(url.as_str()));
        let local = || all.into_iter().flatten().find_map(|date| dates::local(date)).or_else(by_permalink);
        Dates {
            local: if published.is_none() { local().or_else(|| self.shown_day(extractor)) } else { None },
            published,
            modified: first([&head.modified, &schema.modified, &stated.modified]),
        }
    }

    /// The day that is shown in words before the content, if all that show one show the same: archives show more.
    fn shown_day(&self, extractor: &mut Extractor) -> Option<String> {
        let mut days = self.stated.days.iter().filter_map(|html| days::day(&extractor.text(html)));
        let first =
            days.next().filter(|_| self.is_of_wordpress && !self.url.is_some_and(|url| is_archive(url.as_str())))?;
        days.all(|day| day == first).then_some(first)
    }
}

/// Whether an address ends as that of a list does: `/2026/`, `/2026/01/`, `/page/2/`.
fn is_archive(url: &str) -> bool {
    let mut parts = folder(url).trim_end_matches('/').rsplit('/');
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (last, before) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    is_number(last) && (last.len() == 4 || before == "page" || is_number(before))
}

/// The day in the permalink of a post, `/2026/01/06/slug/`, which WordPress makes of its date in the time of the site. What lies below
/// that is an attachment, with a date of its own.
fn day_of(url: &str) -> Option<String> {
    let mut parts = folder(url).trim_end_matches('/').rsplit('/');
    let slug = parts.next()?;
    let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
    let is_day = [year, month, day].map(str::len) == [4, 2, 2] && !slug.is_empty();
    dates::local(&[year, month, day].join("-")).filter(|_| is_day)
}
