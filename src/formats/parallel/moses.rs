//! Exports sentence pairs as lines of text, which machine translation reads (`moses`): line N of `LANG1-LANG2.LANG1` and
//! line N of `LANG1-LANG2.LANG2` are translations of each other. Line N of `LANG1-LANG2.ids` has the score, both URLs, and
//! the numbers of the sentences.

use super::aligned::{each, language, numbers, text};
use super::warc2text::write_cell;
use crate::export::dataset::folder::Folder;
use crate::export::dataset::names::Names;
use crate::export::dataset::tally::Tally;
use crate::export::job::Job;
use crate::record::{Aligned, Alignment};
use crate::report::Error;
use std::collections::BTreeMap;

/// Writes three files for each pair of languages.
pub(crate) fn write_folder(folder: &mut Folder, job: &mut Job<'_>) -> Result<Tally, Error> {
    let (mut files, mut names) = (BTreeMap::new(), Names::of_languages());
    let mut tally = each(job, lines, |languages, parts| {
        let numbers = match files.get(languages) {
            Some(&numbers) => numbers,
            None => {
                let [one, other] = [0, 1].map(|at| names.name(&languages[at]).to_owned());
                // Two documents in the same language need files with different names.
                let second = if one == other { format!("{other}.2") } else { other.clone() };
                let mut numbers = [0; 3];
                for (number, ending) in numbers.iter_mut().zip([one.as_str(), &second, "ids"]) {
                    *number = folder.create(&format!("{one}-{other}.{ending}"), None, None)?;
                }
                *files.entry(languages.clone()).or_insert(numbers)
            }
        };
        numbers.into_iter().zip(parts).try_for_each(|(number, lines)| folder.append(number, lines, 1))
    })?;
    tally.name(&names);
    Ok(tally)
}

fn lines(alignment: &Alignment<'_>, link: &Aligned<'_>, parts: &mut [Vec<u8>; 3]) {
    let sides = [(&alignment.from, &link.from), (&alignment.to, &link.to)];
    let [ours, theirs, ids] = parts;
    for (lines, (side, sentences)) in [ours, theirs].into_iter().zip(sides) {
        lines.extend_from_slice(text(sentences, &language(side)).as_bytes());
        lines.push(b'\n');
    }
    ids.extend_from_slice(link.score.map(|score| score.to_string()).unwrap_or_default().as_bytes());
    for (side, _) in sides {
        ids.push(b'\t');
        write_cell(ids, side.link.as_deref().unwrap_or_default());
    }
    for (_, sentences) in sides {
        ids.push(b'\t');
        ids.extend_from_slice(numbers(sentences).as_bytes());
    }
    ids.push(b'\n');
}
