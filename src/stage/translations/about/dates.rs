//! Finds the dates on which a page without a record was published and changed.

use super::{About, days, folder, is_front_page};
use crate::html::Extractor;
use crate::page::StatedTerm;
use crate::rest::dates;
use crate::rule::Rule;
use crate::urls::{PageUrl, UrlKey, join};
use crate::wordpress::{after, may_be_list};

/// The bytes of a day, `YYYY-MM-DD`.
const DAY: usize = 10;

const SECONDS_OF_DAY: u64 = 24 * 60 * 60;

/// The dates of a page: published in the site's local time without a zone, published, changed.
pub(in crate::stage::translations) struct Dates {
    pub local: Option<String>,
    pub published: Option<String>,
    pub modified: Option<String>,
}

impl About<'_> {
    /// The dates on which the page was published and last changed; the local one is the date of publication in the site's time, if no
    /// zone is stated.
    pub(in crate::stage::translations) fn dates(&self, extractor: &mut Extractor) -> Dates {
        let first = |stated: [&Option<String>; 3]| {
            let mut stated = stated.into_iter().flatten().filter(|date| dates::has_zone(date));
            stated.find_map(|date| dates::normalise(date))
        };
        let (head, schema, stated) = (self.head, self.schema, self.stated);
        let of_element = self.date_of_element(extractor);
        let all = [&head.published, &schema.published, &of_element];
        let published = first(all);
        let by_permalink = || {
            let url = self.url.filter(|_| self.is_of_wordpress);
            let day = url.and_then(|url| day_of(url.as_str())).filter(|_| Rule::DayInPermalink.is_on());
            day.inspect(|_| self.decide(Rule::DayInPermalink))
        };
        let local = || {
            all.into_iter()
                .flatten()
                .find_map(|date| dates::local(date).or_else(|| days::day(date)))
                .or_else(by_permalink)
        };
        Dates {
            local: if published.is_none() { local().or_else(|| self.shown_day(extractor)) } else { None },
            published,
            modified: first([&head.modified, &schema.modified, &stated.modified]),
        }
    }

    /// The date of publication that an element states: not if it may be that of a post in a list, and not if it is more than a day from
    /// the day in its words, which readers have seen.
    fn date_of_element(&self, extractor: &mut Extractor) -> Option<String> {
        let (stated, date) = (self.stated, self.stated.published.clone()?);
        let is_list = |url: &PageUrl| may_be_list(url.as_str()) && !self.head.classes().is_singular();
        if Rule::DateOfList.holds(self.url.is_some_and(is_list)) {
            self.decide(Rule::DateOfList);
            return None;
        }
        let text =
            stated.published_html.as_ref().map(|html| extractor.text(html)).filter(|text| !days::is_change(text));
        let shown = text.and_then(|text| days::day(&text));
        let start = |day: &str| dates::seconds(&format!("{}T00:00:00Z", day.get(..DAY)?));
        let is_far = |shown: &String| {
            start(shown).zip(start(&date)).is_some_and(|(shown, date)| shown.abs_diff(date) > SECONDS_OF_DAY)
        };
        let shown = shown.filter(|shown| Rule::DayOfElement.holds(is_far(shown)));
        shown.inspect(|_| self.decide(Rule::DayOfElement)).or(Some(date))
    }

    /// The day that is shown in words before the content, if all elements with a day show the same: archives show more. If the theme
    /// marks no such element, the day between title and content, or in the line with the links to the terms of a post.
    fn shown_day(&self, extractor: &mut Extractor) -> Option<String> {
        if !self.is_of_wordpress || self.url.is_some_and(|url| may_be_list(url.as_str())) {
            return None;
        }
        let stated = self.stated;
        let mut found: Vec<String> = stated
            .days
            .iter()
            .map(|html| extractor.text(html))
            .filter(|text| !days::is_change(text))
            .filter_map(|text| days::day(&text))
            .collect();
        found.retain(|_| Rule::DayShown.is_on());
        let mut rule = Rule::DayShown;
        if Rule::DayBelowTitle.holds(found.is_empty() && self.is_post()) {
            let mut text = |html: &Option<String>| html.as_ref().map(|html| extractor.text(html)).unwrap_or_default();
            found.extend(text(&stated.head).lines().filter(|line| !days::is_change(line)).filter_map(days::day));
            rule = Rule::DayBelowTitle;
            if found.is_empty() {
                rule = Rule::DayBeforeTerms;
                let day = text(&stated.before_term).lines().next_back().and_then(days::day);
                found.extend(day.filter(|_| Rule::DayBeforeTerms.is_on()));
            }
        }
        let mut days = found.into_iter();
        let first = days.next()?;
        days.all(|day| day == first).then_some(first).inspect(|_| self.decide(rule))
    }

    /// Whether the page is a post, according to its classes and links: below the title of an event is the day of the event, and below
    /// the title of an archive may be the day of its only post.
    pub(super) fn is_post(&self) -> bool {
        let page = self.url.and_then(|url| Some((url, UrlKey::new(url.as_str())?)));
        let is_here = |term: &StatedTerm| {
            let own = page.as_ref().and_then(|(url, key)| Some((key, UrlKey::new(&join(Some(url), &term.href)?)?)));
            own.is_some_and(|(page, term)| page.tail() == term.tail())
        };
        if is_front_page(self.head, self.url) || self.stated.terms.iter().any(is_here) {
            return false;
        }
        let is_post = |r#type: &str| r#type == "post";
        let mut types = after(self.stated.classes.as_deref().unwrap_or_default(), "type-").peekable();
        let body = self.head.classes();
        !body.is_list() && (types.peek().is_none() || types.any(is_post)) && body.post_type().is_none_or(is_post)
    }
}

/// The day in the permalink of a post, `/2026/01/06/slug/`, which WordPress forms from its date in the site's time. A page below such a
/// permalink is an attachment, with a date of its own.
fn day_of(url: &str) -> Option<String> {
    let mut parts = folder(url).trim_end_matches('/').rsplit('/');
    let slug = parts.next()?;
    let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
    let is_day = [year, month, day].map(str::len) == [4, 2, 2] && !slug.is_empty();
    dates::local(&[year, month, day].join("-")).filter(|_| is_day)
}
