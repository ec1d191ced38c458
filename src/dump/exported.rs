//! Reads the WordPress exports (WXR) among the files of a dump, and turns their items into those of the REST API.

use super::event::{Event, Text};
use super::item::Item;
use super::read::DumpReader;
use super::sources::Opened;
use crate::ndjson::{Gaps, write_json};
use crate::report::{Error, Place, describe_io, is_of_system};
use crate::wxr::{self, Made, Site};
use crate::xml::{Entries, Parsed};
use std::sync::Arc;

/// The number of bytes that are read between two [`Event::Progress`].
const STEP: u64 = 1 << 20;

impl<V: FnMut(Event<'_>) -> Result<(), Error>> DumpReader<'_, V> {
    /// Reads an export of `site`; returns whether it was read to its end.
    pub(super) fn read_export(&mut self, site: &Site, opened: Opened<'_>, most: usize) -> Result<bool, Error> {
        let mut found;
        let (source, is_named) = match opened {
            Opened::Named(source, _) => (source, true),
            Opened::Found(source) => {
                found = source;
                (&mut found, false)
            }
            Opened::Broken(name, what) => return self.pass_unreadable(&name.into(), false, what).map(|()| false),
            Opened::Unreadable(name, error) => {
                return self.pass_unreadable(&name, false, error.to_string()).map(|()| false);
            }
        };
        let file = source.name().clone();
        let mut entries = Entries::new(source.reader()?, wxr::NAMES, most);
        (self.visit)(Event::Home(&site.home))?;
        let (mut number, mut told, mut dynamic) = (0, 0, wxr::Dynamic::new());
        loop {
            let found = match entries.next() {
                Ok(None) => break,
                Ok(Some(found)) => found,
                Err(error) if is_named && is_of_system(&error) => return Err(Error::io(&*file, error)),
                Err(error) => {
                    let is_dump = is_named || number > 0;
                    return self.pass_unreadable(&file, is_dump, describe_io(&error)).map(|()| false);
                }
            };
            let place = Place::line(&file, entries.begins_at);
            let made = match found {
                // Both mean the same; some exports have only the link.
                Parsed::Element(home) if matches!(&*home.name, "link" | "wp:base_blog_url") => {
                    (self.visit)(Event::Home(&home.text))?;
                    continue;
                }
                Parsed::Element(element) if wxr::NAMES.fields.contains(&&*element.name) => continue,
                Parsed::Element(element) => site.items(&element, &mut dynamic),
                // The text may contain addresses and passwords and must not be written.
                Parsed::Broken(what, _) => Err(what),
            };
            number += 1;
            if let Some(what) = entries.defect().filter(|_| made.is_ok()) {
                (self.visit)(Event::Charset(place.clone(), what))?;
            }
            match made {
                Ok(made) => made.into_iter().try_for_each(|made| self.tell_made(made, &file, number))?,
                Err(what) => (self.visit)(Event::Broken { place, what, raw: b"" })?,
            }
            if entries.passed() >= told + STEP {
                (self.visit)(Event::Progress(entries.passed() - told))?;
                told = entries.passed();
            }
        }
        (self.visit)(Event::Progress(entries.passed() - told))?;
        (self.visit)(Event::Dynamic(&dynamic))?;
        Ok(true)
    }

    fn tell_made(&mut self, made: Made, file: &Arc<str>, number: u64) -> Result<(), Error> {
        let wxr::Item { kind, r#type, id, link, aliases, json } = match made {
            Made::LeftOut(count) => return (self.visit)(Event::LeftOut(count)),
            Made::Item(item) => item,
        };
        let mut bytes = Vec::new();
        write_json(&mut bytes, &json);
        let item =
            Item { kind, r#type, id, link, self_link: None, rest_base: None, via: "wxr", aliases, is_short: false };
        let text = Text { bytes: &bytes, gaps: &Gaps::default() };
        (self.visit)(Event::Item { item, text, file, number })
    }
}
