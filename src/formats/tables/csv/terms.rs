//! Writes the rows of `terms.csv`: the terms of each record. A record has only the ids of its terms, and the records of
//! the terms may come later in the stream, so the rows wait in a spool until all terms are known.

use super::cells::Row;
use crate::export::dataset::key::Key;
use crate::report::Error;
use crate::spill::{self, Spool};
use std::collections::HashMap;
use std::io::{self, BufReader, Read};
use xxhash_rust::xxh3::Xxh3;

/// The first cells of a row, and the reference that determines the others.
pub(crate) struct Waiting {
    /// The cells from `record` to `term_id`.
    pub(crate) cells: Vec<u8>,
    /// Name, slug and link as the record has them: the cells of a term without a record.
    pub(crate) stated: Vec<u8>,
    /// The term that is meant: see [`reference()`].
    pub(crate) reference: u64,
    /// The language of the record: see [`language`].
    pub(crate) language: u64,
    /// The blog of the record: see [`crate::export::dataset::key::blog`].
    pub(crate) blog: u64,
}

/// The fields of a term that rows need.
pub(crate) struct Term {
    pub(crate) reference: u64,
    pub(crate) language: u64,
    pub(crate) blog: u64,
    pub(crate) key: Key,
    pub(crate) name: Option<String>,
    pub(crate) slug: Option<String>,
    pub(crate) link: Option<String>,
}

/// The hash of a reference by id: a term of a taxonomy of a site.
pub(crate) fn reference(site: &str, taxonomy: &str, id: i64) -> u64 {
    let mut hash = Xxh3::new();
    hash.update(site.as_bytes());
    hash.update(b"\0");
    hash.update(taxonomy.as_bytes());
    hash.update(b"\0");
    hash.update(&id.to_le_bytes());
    hash.digest()
}

/// The hash of a language; 0 without one.
pub(crate) fn language(tag: Option<&str>) -> u64 {
    tag.map_or(0, |tag| xxhash_rust::xxh3::xxh3_64(tag.as_bytes()))
}

/// The rows that wait, and the terms. Memory: about 150 bytes per term.
pub(crate) struct Terms {
    spool: Spool,
    rows: u64,
    known: HashMap<u64, Vec<Term>>,
}

impl Terms {
    pub(crate) fn new() -> Result<Self, Error> {
        Ok(Terms { spool: Spool::new()?, rows: 0, known: HashMap::new() })
    }

    /// Adds a row that will be written later.
    pub(crate) fn wait(&mut self, row: &Waiting) -> Result<(), Error> {
        self.rows += 1;
        self.spool.write(&(row.cells.len() as u64).to_le_bytes())?;
        self.spool.write(&(row.stated.len() as u64).to_le_bytes())?;
        self.spool.write(&row.reference.to_le_bytes())?;
        self.spool.write(&row.language.to_le_bytes())?;
        self.spool.write(&row.blog.to_le_bytes())?;
        self.spool.write(&row.cells)?;
        self.spool.write(&row.stated)
    }

    /// Adds a term that rows may refer to.
    pub(crate) fn know(&mut self, term: Term) {
        self.known.entry(term.reference).or_default().push(term);
    }

    /// Passes all rows to `take`, in their order.
    pub(crate) fn finish(self, mut take: impl FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error> {
        let mut spool = BufReader::with_capacity(1 << 18, self.spool.into_reader()?);
        let (mut row, mut stated) = (Vec::new(), Vec::new());
        for _ in 0..self.rows {
            let [length, of_stated, reference, language, blog] = read_numbers(&mut spool).map_err(spill::failed)?;
            row.resize(length as usize, 0);
            spool.read_exact(&mut row).map_err(spill::failed)?;
            stated.resize(of_stated as usize, 0);
            spool.read_exact(&mut stated).map_err(spill::failed)?;
            let term = self.known.get(&reference).and_then(|terms| meant(terms, language, blog));
            let mut cells = Row::resume(&mut row);
            cells.plain(term.map(|term| term.key));
            match term {
                Some(term) => {
                    _ = cells.text(term.name.as_deref()).text(term.slug.as_deref()).text(term.link.as_deref())
                }
                None => _ = cells.cells(&stated),
            }
            cells.end();
            take(&row)?;
        }
        Ok(())
    }
}

fn read_numbers(spool: &mut impl Read) -> io::Result<[u64; 5]> {
    let mut bytes = [0; 40];
    spool.read_exact(&mut bytes)?;
    let (numbers, _) = bytes.as_chunks::<8>();
    Ok([0, 1, 2, 3, 4].map(|i| u64::from_le_bytes(numbers[i])))
}

/// The term that a reference means: one in the same blog is preferred, then one in the same language, then the one with
/// the shortest link; ties are broken by byte order.
fn meant(terms: &[Term], language: u64, blog: u64) -> Option<&Term> {
    let link = |term: &Term| term.link.clone().unwrap_or_default();
    let is_other = |term: &Term| (term.blog != blog, language == 0 || term.language != language);
    let order = |term: &&Term| (is_other(term), link(term).len(), link(term));
    match terms {
        [term] => Some(term),
        // This is rare: a plugin gives one id several languages.
        _ => terms.iter().min_by_key(order),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(id: i64, tag: Option<&str>, name: &str, link: &str) -> Term {
        Term {
            reference: reference("a", "category", id),
            language: language(tag),
            blog: 0,
            key: Key(7),
            name: Some(name.into()),
            slug: None,
            link: Some(link.into()),
        }
    }

    fn rows(terms: Vec<Term>, rows: &[(i64, Option<&str>)]) -> String {
        let mut all = Terms::new().unwrap();
        for (id, tag) in rows {
            let cells = id.to_string().into_bytes();
            let mut stated = Vec::new();
            Row::new(&mut stated).text(Some("as stated")).text(None).text(None);
            let reference = reference("a", "category", *id);
            all.wait(&Waiting { cells, stated, reference, language: language(*tag), blog: 0 }).unwrap();
        }
        terms.into_iter().for_each(|term| all.know(term));
        let mut out = Vec::new();
        all.finish(|row| {
            out.extend_from_slice(row);
            Ok(())
        })
        .unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_term_that_comes_later_is_found_and_one_that_never_comes_is_as_stated() {
        let all = rows(vec![term(5, None, "Boats", "x")], &[(5, None), (6, None)]);
        assert_eq!(all, "5,r0000000000000007,Boats,,x\r\n6,,as stated,,\r\n");
    }

    #[test]
    fn of_terms_that_share_an_id_the_one_of_the_records_language_is_meant() {
        let terms = || {
            vec![
                term(5, Some("fr"), "Bateaux", "http://a/fr/x"),
                term(5, Some("en"), "Boats", "http://a/x"),
                term(5, None, "?", "http://a/y"),
            ]
        };
        for (tag, name) in [(Some("fr"), "Bateaux"), (Some("en"), "Boats"), (Some("de"), "Boats"), (None, "Boats")] {
            let cells = rows(terms(), &[(5, tag)]);
            assert!(cells.starts_with(&format!("5,r0000000000000007,{name},,http")), "{cells}");
        }
    }
}
