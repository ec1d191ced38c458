//! Finds media records by URLs of their files under other names and on other hosts, and by URLs of their attachment pages. The lookup
//! determines the order of the rules.

use super::Hit::{Ambiguous, None as Nothing, Record};
use super::{Hit, Lookup, Query};
use crate::registry::record::RecordKind;
use crate::registry::{Rule, media, pages};
use crate::urls::{UrlKey, bare_host};

impl Lookup {
    /// A file whose name WordPress or a plugin derived from a known one; on own and internal hosts (`internal`), also by the id given next
    /// to the URL.
    pub(super) fn file(&self, asked: &Query<'_>, key: &UrlKey, internal: bool, language: u16) -> Hit {
        let path = key.page();
        // Parameters of a file (`?resize=`, `?ver=`) are insignificant; those of a page may matter.
        if key.query().is_some()
            && let Record(record, rule) = self.direct_hash(asked, crate::urls::hash(path), language)
        {
            return if asked.image || rule.is_file() { Record(record, rule) } else { Nothing };
        }
        match self.file_at(asked, path, language) {
            Nothing if internal => self.file_by_hint(asked, path),
            hit => hit,
        }
    }

    fn file_at(&self, asked: &Query<'_>, path: &str, language: u16) -> Hit {
        let of_file = |name: &str| match self.direct_hash(asked, crate::urls::hash(name), language) {
            // Only files are wanted, but a name without its ending may also be the slug of an attachment page.
            Record(record, Rule::MediaFile | Rule::MediaSize | Rule::MediaOriginal | Rule::MediaVariant) => {
                Record(record, Rule::MediaVariant)
            }
            Ambiguous => Ambiguous,
            _ => Nothing,
        };
        let Some((mut folder, mut stem, mut extension)) = media::split_file(path) else { return Nothing };
        // `a.jpg.webp`: a copy made by a converter.
        let unconverted = &path[..path.len() - extension.len()];
        if matches!(extension, ".webp" | ".avif") && media::split_file(unconverted).is_some() {
            let hit = of_file(unconverted);
            if !matches!(hit, Nothing) {
                return hit;
            }
            let Some(parts) = media::split_file(unconverted) else { return Nothing };
            (folder, stem, extension) = parts;
        }
        for _ in 0..media::SUFFIXES {
            let Some(shorter) = media::strip_suffix(stem) else { break };
            // An image in a page exists; a link to a size that is not listed may be dead.
            let shape = |record: u32| self.records[record].words & media::SHAPE;
            match of_file(&format!("{folder}{shorter}{extension}")) {
                Record(record, _) if !asked.image && !media::may_be_size(&stem[shorter.len()..], shape(record)) => {
                    break;
                }
                Nothing => stem = shorter,
                hit => return hit,
            }
        }
        Nothing
    }

    /// A file by the id in `wp-image-N`, but only if the record's file has the same name: after an import, the class may have an old id.
    fn file_by_hint(&self, asked: &Query<'_>, path: &str) -> Hit {
        let Some(id) = asked.hint else { return Nothing };
        let name = media::name_hash(&format!("https://{path}")) & !media::SHAPE;
        let is_meant =
            |&n: &u32| self.records.kind(n) == RecordKind::Media && self.records.blogs.is_meant(n, asked.blog);
        let media = self.records.by_id(RecordKind::Media.space(), id).find(is_meant);
        let media = media.filter(|&n| name != 0 && self.records[n].words & !media::SHAPE == name);
        let media = media.filter(|&n| !asked.blog.is_known() || self.is_served_at(path, n));
        media.map_or(Nothing, |media| Record(media, Rule::MediaId))
    }

    /// Whether a file of one of several blogs may be at this URL: WordPress serves `wp-content` at the home of each.
    fn is_served_at(&self, path: &str, media: u32) -> bool {
        let Some(at) = path.find("/wp-content/") else { return false };
        let is_it = |home: &str| {
            let hash = crate::urls::hash(&format!("{home}{}", &path[at..]));
            self.records.table.get(hash, |owners| owners.iter().any(|owner| owner.record == media)) == Some(true)
        };
        self.records.blogs.homes().any(is_it)
    }

    /// A file of this site at an image CDN: `i0.wp.com/example.org/…/a.jpg`, `…/https://example.org/…`,
    /// `/cdn-cgi/image/…`.
    pub(super) fn hosted_elsewhere(&self, asked: &Query<'_>, key: &UrlKey, language: u16) -> Hit {
        let path = key.page();
        // A CDN has copies of images only; the files in a web archive count as the archive's own.
        let is_image =
            || matches!(media::split_file(path), Some((.., ".jpg" | ".jpeg" | ".png" | ".gif" | ".webp" | ".avif")));
        if bare_host(key.host()) == "web.archive.org" || !asked.image && !is_image() {
            return Nothing;
        }
        let start = key.host().len();
        let own = path[start..].match_indices('/').filter_map(|(at, _)| {
            let rest = bare_host(&path[start + at + 1..]);
            let host = rest.split('/').next().unwrap_or_default();
            (self.places.hosts.is_internal(host) && host.len() < rest.len()).then_some(rest)
        });
        for rest in own {
            let direct = match self.direct_hash(asked, crate::urls::hash(rest), language) {
                Nothing => self.file_at(asked, rest, language),
                hit => hit,
            };
            match direct {
                Record(record, rule) if rule.is_file() => return Record(record, Rule::MediaCdn),
                Ambiguous => return Ambiguous,
                _ => {}
            }
        }
        Nothing
    }

    /// A media record's page, if the URL is not exactly its link.
    pub(super) fn attachment_page(&self, asked: &Query<'_>, key: &UrlKey, language: u16) -> Hit {
        let Some((before, slug)) = pages::split_last(key.path()) else { return Nothing };
        if let Some(parent) = before.strip_suffix("/attachment") {
            let hash = crate::urls::hash(&format!("{}{parent}/{slug}", key.host()));
            if let Record(record, _) = self.direct_hash(asked, hash, language)
                && self.records.item_kind(record) == RecordKind::Media
            {
                return Record(record, Rule::AttachmentPage);
            }
        }
        let Some(id) = asked.hint else { return Nothing };
        let fits = |&n: &u32| {
            let key = UrlKey::new(self.records.link(n));
            let own = key.as_ref().and_then(|key| pages::split_last(key.path())).map(|(_, own)| own);
            self.records.kind(n) == RecordKind::Media && own == Some(slug) && self.records.blogs.is_meant(n, asked.blog)
        };
        let media = self.records.by_id(RecordKind::Media.space(), id).find(fits);
        media.map_or(Nothing, |media| Record(media, Rule::AttachmentPage))
    }
}
