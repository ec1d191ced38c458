//! Fetches the media files of a site, and counts them for fetch.json.

use super::super::account::Account;
use super::super::before::Held;
use super::super::collection::Tally;
use super::super::discover::{Collection, ItemKind};
use super::super::media::{self, MediaWalk};
use super::super::session::{Session, Stop};
use super::Harvest;
use crate::report::Error;
use serde_json::{Value, json};

impl Harvest {
    /// Fetches media files if requested. In an update, deleted files of earlier runs are noted in any case.
    pub(super) fn media(&mut self, session: &mut Session<'_>, site: &str, account: &mut Account) -> Result<(), Stop> {
        let which = session.options().media;
        let may_be_gone = self.renewal.is_some() && !session.past().files.is_empty();
        let Some(base) = account.api.as_ref().filter(|_| which.is_some() || may_be_gone) else { return Ok(()) };
        if which.is_some() {
            session.begin_media(site)?;
        }
        let is_right = |tally: &Tally| tally.adds_up && tally.gaps == 0 && tally.refused.is_none();
        self.found.is_whole = session.options().types.is_empty() && account.collections.iter().all(is_right);
        let mut walk = MediaWalk::new(session, &self.found, base)?;
        let outcome = which.map_or(Ok(()), |which| walk.run(which));
        if may_be_gone && outcome.is_ok() {
            self.files_gone = walk.gone();
        }
        let tally = walk.tally;
        account.gaps += tally.all_gaps();
        account.media = which.map(|_| tally);
        session.archives().turn_to_site();
        outcome
    }

    /// Notes the media files of a collection. For a record of the previous dump, `is_known` tests whether its present state is known.
    pub(super) fn find_media(
        &mut self,
        collection: &Collection,
        before: Option<&Held>,
        is_known: &dyn Fn(i64) -> bool,
        base: &str,
    ) -> Result<(), Error> {
        let paths = self.dump.paths(&collection.name);
        match collection.kind {
            ItemKind::Post => self.found.contents.extend(paths),
            ItemKind::Media => {
                let old = media::media(before.map(Held::paths).unwrap_or_default(), base)?;
                let known = old.iter().filter(|(id, _)| is_known(**id));
                self.found.old.extend(known.flat_map(|(_, medium)| medium.urls()).cloned());
                self.found.media.extend(paths);
            }
            _ => {}
        }
        Ok(())
    }
}

impl Session<'_> {
    /// Switches to the archive of the media files, and describes the run there.
    pub(super) fn begin_media(&mut self, site: &str) -> Result<(), Error> {
        self.archives().turn_to_media()?;
        let fields = self.fields(site);
        self.begin_archive(&fields)
    }
}

/// The counts of media files, with their archive; null if none were requested.
pub(super) fn of_media(session: &mut Session<'_>, account: &Account) -> Result<Value, Error> {
    let Some(tally) = &account.media else { return Ok(Value::Null) };
    let mut told = json!(tally);
    if let Some(warc) = session.archives().of_media() {
        told["warc"] = json!({"file": warc.name(), "bytes": warc.length(), "sha256": warc.hash()?});
    }
    Ok(told)
}
