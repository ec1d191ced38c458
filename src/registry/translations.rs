//! Answers queries about the translations of a record: how those that it states were resolved, and which others it has.

use super::facts::TranslationFacts;
use super::groups::{DROPPED_HOME, Guess};
use super::lookup::Lookup;
use super::record::{NO_ID, RecordKind, RecordNumber};
use super::statements::{Edge, is_default};
use super::{Query, Registry, Rule};
use crate::record::Reason;
use crate::urls::UrlKey;

/// The outcome for a stated translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It resolves to this record.
    Target(RecordNumber, Rule),
    /// It gets no target, because it is on another site, no record has it, or records contradict each other.
    Open(Option<Reason>),
    /// It is dropped, because it is not a translation; with the name of its count.
    Dropped(&'static str),
}

/// A translation that the record did not state itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Completed {
    pub(crate) record: RecordNumber,
    /// The evidence: the translation refers to this record, the two have matching slugs or posts, or other records connect them.
    pub(crate) source: &'static str,
    /// Whether it must be identified by its id, because it shares its link.
    pub(crate) by_id: bool,
    /// The rule that finds it when it is identified this way.
    pub(crate) rule: Rule,
}

impl Registry {
    /// The outcome for a translation that `record` states.
    pub(crate) fn verdict(&self, record: RecordNumber, said: &TranslationFacts<'_>) -> Verdict {
        if is_default(said) {
            return Verdict::Dropped("dropped_x_default");
        }
        let language = self.lookup.records.language_number(said.language.as_deref());
        let mut key = UrlKey::default();
        let own = self.lookup.records.r#type(record.0).1;
        let Some(edge) = Edge::new(record.0, said, own, language, &mut key) else { return Verdict::Open(None) };
        let Some((to, rule)) = self.lookup.resolve(&edge, Some(key.as_str())) else {
            let url = said.href.as_deref().filter(|url| key.read(url));
            let code = said.language.as_deref();
            let places = &self.lookup.places;
            let home = url.is_some_and(|_| places.hosts.is_own(key.host()) && places.is_home(&key, code));
            let drop = home && !self.lookup.is_home_record(record.0);
            return if drop { Verdict::Dropped(DROPPED_HOME) } else { Verdict::Open(self.reason(said, &mut key)) };
        };
        let states = |from, to| self.groups.stated.binary_search(&(from, to)).is_ok();
        if let Some(count) = self.lookup.refusal(record.0, to, || states(to, record.0) && states(record.0, to)) {
            return Verdict::Dropped(count);
        }
        let together = self.groups.first_of(to).is_some_and(|first| self.groups.first_of(record.0) == Some(first));
        if !together {
            return Verdict::Open(Some(Reason::Ambiguous));
        }
        let exact = rule == Rule::Normalised && said.href.as_deref() == Some(self.lookup.records.link(to));
        let cleaned = rule == Rule::Normalised
            && said.href.as_deref().and_then(UrlKey::new).is_some_and(|key| key.without_noise().is_some());
        let rule = match rule {
            _ if exact => Rule::Exact,
            _ if cleaned => Rule::QueryCleaned,
            rule => rule,
        };
        Verdict::Target(RecordNumber(to), rule)
    }

    /// Why a stated translation has no target.
    fn reason(&self, said: &TranslationFacts<'_>, key: &mut UrlKey) -> Option<Reason> {
        let Some(url) = said.href.as_deref() else { return Some(Reason::Unknown) };
        match self.lookup.find_url(&Query { url, ..Query::default() }, key).target {
            Ok(_) => Some(Reason::Unknown),
            Err(reason) => reason,
        }
    }

    /// The translations of `record` that are not in `stated`, in the order of identities. Omits those that neither link nor id would
    /// identify: the list must mean the same when it is read again.
    pub(crate) fn complete(&self, record: RecordNumber, stated: &[RecordNumber]) -> impl Iterator<Item = Completed> {
        let others = self.groups.members_of(record.0).iter().map(|&(_, member)| RecordNumber(member));
        others.filter(move |other| *other != record && !stated.contains(other)).filter_map(move |other| {
            let source = self.evidence(record, other);
            let (by_id, rule) = self.name_again(record, other, source)?;
            Some(Completed { record: other, source, by_id, rule })
        })
    }

    /// The evidence that `other` is a translation of `record`, which does not state it: one of [`super::statements::ADDED`].
    fn evidence(&self, record: RecordNumber, other: RecordNumber) -> &'static str {
        if self.groups.stated.binary_search(&(other.0, record.0)).is_ok() {
            return "reverse";
        }
        let guessed = |a, b| self.groups.guessed.get(&(a, b));
        match guessed(record.0, other.0).or_else(|| guessed(other.0, record.0)) {
            Some(Guess::Slug) => "slug",
            Some(Guess::Posts) => "posts",
            None => "group",
        }
    }

    /// How `record` can identify its translation `other`: whether by id, and the rule that then finds it.
    fn name_again(&self, record: RecordNumber, other: RecordNumber, source: &str) -> Option<(bool, Rule)> {
        let (r#type, id, link) = self.target(other);
        let mut said = TranslationFacts {
            language: self.language(other).map(|(language, _)| language.into()),
            href: Some(link).filter(|link| !link.is_empty()).map(Into::into),
            source: Some(source.into()),
            ..TranslationFacts::default()
        };
        let found = |said: &TranslationFacts<'_>| match self.verdict(record, said) {
            Verdict::Target(target, rule) if target == other => Some(rule),
            _ => None,
        };
        if let Some(rule) = found(&said) {
            return Some((false, rule));
        }
        (said.id, said.r#type) = (Some(id?), Some(r#type.into()));
        found(&said).map(|rule| (true, rule))
    }

    /// The name of the record's group: `TYPE:LINK` of the member with the smallest link, `TYPE:ID` if no member has a link, and
    /// `TYPE:LINK#ID` if other records of the type have the same link; `None` if the record has no translations here.
    pub(crate) fn group_name(&self, record: RecordNumber) -> Option<String> {
        let first = self.groups.first_of(record.0)?;
        let (records, (r#type, id, link)) = (&self.lookup.records, self.target(RecordNumber(first)));
        let is_other = |other: u32| other != first && records[other].r#type() == records[first].r#type();
        let is_shared = || {
            let key = UrlKey::new(link)?;
            records.table.get(key.hash(), |owners| {
                owners.iter().any(|owner| is_other(owner.record) && records.link(owner.record) == link)
            })
        };
        Some(match id {
            Some(id) if link.is_empty() => format!("{type}:{id}"),
            Some(id) if is_shared() == Some(true) => format!("{type}:{link}#{id}"),
            _ => format!("{type}:{link}"),
        })
    }

    /// The links of two records with one id on hosts of two sites. Each site has its own API, and no page of either names the other as a
    /// language of its site.
    pub(crate) fn of_two_sites(&self) -> Option<[&str; 2]> {
        let Lookup { records, places, .. } = &self.lookup;
        if !records.shares_ids || !places.hosts.are_several_sites() {
            return None;
        }
        let of_site = |&number: &u32| {
            matches!(records.kind(number), RecordKind::Post | RecordKind::Term) && !records[number].is_guest()
        };
        let name = |number: u32| (records[number].r#type(), records[number].id());
        let mut by_id: Vec<u32> =
            records.numbers().filter(|number| of_site(number) && name(*number).1 != NO_ID).collect();
        by_id.sort_by_key(|&number| name(number));
        let host = |link: &str| UrlKey::new(link).map(|key| key.host().to_owned());
        by_id.chunk_by(|&a, &b| name(a) == name(b)).filter(|same| same.len() > 1).find_map(|same| {
            let first = records.link(same[0]);
            let other = same
                .iter()
                .map(|&number| records.link(number))
                .find(|link| host(first).zip(host(link)).is_some_and(|(a, b)| places.hosts.are_apart(&a, &b)))?;
            Some([first, other])
        })
    }

    /// The number of groups, and of statements refused because they contradict others or the group is full.
    pub(crate) fn group_counts(&self) -> (u64, u64) {
        let groups = self.groups.first.iter().filter(|(member, first)| member == first).count();
        (groups as u64, self.groups.refused)
    }
}
