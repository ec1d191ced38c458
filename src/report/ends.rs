//! Checks which sites are complete: compares the number of records of each site with the count in its end record. The reader
//! of lines recognises end records.

use super::{Error, Report};
use std::collections::BTreeMap;

/// The records and end records seen of each site.
#[derive(Debug, Default)]
pub(super) struct Ends(BTreeMap<String, Site>);

#[derive(Debug, Default)]
struct Site {
    /// The number of records seen.
    records: u64,
    /// The sum of the counts in its end records; `None` without an end record.
    counted: Option<u64>,
}

impl Ends {
    fn site(&mut self, name: &str) -> &mut Site {
        if !self.0.contains_key(name) {
            self.0.insert(name.to_owned(), Site::default());
        }
        self.0.get_mut(name).expect("it is there or was just inserted")
    }

    pub(super) fn record(&mut self, site: &str) {
        self.site(site).records += 1;
    }

    pub(super) fn end(&mut self, site: &str, counted: u64) {
        let so_far = &mut self.site(site).counted;
        *so_far = Some(so_far.unwrap_or(0).saturating_add(counted));
    }

    pub(super) fn absorb(&mut self, other: Ends) {
        for (name, Site { records, counted }) in other.0 {
            self.site(&name).records += records;
            if let Some(counted) = counted {
                self.end(&name, counted);
            }
        }
    }
}

impl Report {
    /// Sets whether to count the records of each site, for [`Report::check_ends`].
    pub(crate) fn expect_ends(&mut self, expected: bool) {
        self.expects_ends = expected;
    }

    /// The sites that have an end record, if end records are expected; the other sites may be incomplete.
    ///
    /// # Errors
    /// If a site has more records than its end record counts.
    pub(crate) fn ended_sites(&mut self) -> Result<Vec<String>, Error> {
        self.ends.0.retain(|_, site| site.counted.is_some());
        let names = self.ends.0.keys().cloned().collect();
        if self.ends.0.is_empty() { Ok(names) } else { self.check_ends().map(|()| names) }
    }

    /// Checks that every site has an end record and at most as many records as that counts, which shows that no program was
    /// killed. Sites with fewer records are reported, since filters may drop records.
    ///
    /// # Errors
    /// If an end record is missing, or counts too few. Never if end records are not expected.
    pub(crate) fn check_ends(&mut self) -> Result<(), Error> {
        if !self.expects_ends {
            return Ok(());
        }
        let missing = |what: &str| {
            let why = "a program was killed, wp-index ran without --end, or a filter dropped it \
                       (jq: select(.kind == \"end\" or ...))";
            Err(Error::Fatal(format!("{what}: {why}")))
        };
        if self.ends.0.is_empty() {
            return missing("the input has no end record");
        }
        for (name, &Site { records, counted }) in &std::mem::take(&mut self.ends).0 {
            match counted {
                None => return missing(&format!("site {name} has {records} records and no end record")),
                Some(counted) if records > counted => {
                    return Err(Error::Fatal(format!(
                        "site {name} has {records} records, but its end records count {counted}: \
                         a part of it was cut off, or a filter added records"
                    )));
                }
                Some(counted) if records < counted => {
                    self.warn(&format!("site {name}: {records} of the {counted} records that wp-index wrote"));
                }
                Some(_) => {}
            }
        }
        Ok(())
    }
}
