//! wp-language: marks each text with its language, judged by its letters and words. The language that the site states stays as it is: the
//! difference shows which texts are not in the stated language.
//!
//! [whatlang](https://docs.rs/whatlang) judges pieces of some 200 letters, so that no language is certain for a page in two languages.

use crate::language::{LanguageTag, script};
use crate::ndjson::{self, Input, Line, Object, Output};
use crate::report::{Error, Notes, Report};
use crate::steps::{Step, Stepper};
use serde::Serialize;
use whatlang::{Lang, detect};

/// The options of wp-language.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of threads.
    pub jobs: usize,
}

/// The key that the program adds to a record.
const KEY: &str = "text_language";

/// The fewest letters of a text that is judged.
const LEAST: usize = 20;
/// The usual number of letters of a piece of a text.
const PIECE: usize = 200;
/// The most pieces of a text that are judged, evenly spread over it.
const MOST: usize = 32;
/// The least confidence with which a language is named: for a text in one piece, and for one in several pieces; the latter is high enough
/// that a text half in one language, half in another has none (docs/decisions.md has the figures).
const SURE: [f64; 2] = [0.5, 0.66];

/// Languages that the library confuses, or of which it knows only one.
const ALIKE: [&[&str]; 2] = [&["bs", "hr", "sh", "sl", "sr"], &["da", "nb", "nn", "no"]];

/// The language of a text, judged by its letters and words; empty if that is not certain.
#[derive(Debug, Default, PartialEq, Serialize)]
struct TextLanguage<'t> {
    /// The primary language subtag of BCP 47.
    language: Option<&'t str>,
    /// The script of most letters, as ISO 15924 names it.
    script: Option<&'static str>,
    /// The share of the text that is certainly in this language, from 0 to 1.
    confidence: Option<f64>,
}

/// Marks every record that has a content. Counts `records_in`, `records_out`; `sure`, `unsure`; and `otherwise`, the number of records
/// whose stated language differs.
///
/// # Errors
/// When reading or writing fails, or the report stops the run.
pub fn run(options: &Options, input: &mut Input, output: &mut Output, report: &mut Report) -> Result<(), Error> {
    input.expect_records();
    ["sure", "unsure", "otherwise"].into_iter().for_each(|name| report.count(name, 0));
    let step = Step::of("wp-language").max_record(input.max_record());
    let tags = Tags::new();
    ndjson::map_lines(input, output, report, options.jobs, || {
        let (tags, mut stepper) = (&tags, Stepper::new(&step));
        move |line: Line<'_>, out: &mut Vec<u8>, notes: &mut Notes| {
            let Some(mut object) = line.or_reject(Object::parse(line.bytes), notes) else { return };
            mark(tags, &mut object, notes);
            stepper.mark(&mut object);
            object.write_line(out);
        }
    })
}

fn mark(tags: &Tags, object: &mut Object<'_>, notes: &mut Notes) {
    if object.get("content").is_none() {
        return;
    }
    let text = object.text_in("content", "text");
    let stated = object.text("language").and_then(|tag| LanguageTag::parse(&tag));
    let stated = stated.as_ref().map(LanguageTag::primary);
    let found = tags.of(text.as_deref().unwrap_or_default(), stated);
    notes.count(if found.language.is_some() { "sure" } else { "unsure" }, 1);
    let is_otherwise = found.language.is_some() && stated.is_some() && found.language != stated;
    notes.count("otherwise", u64::from(is_otherwise));
    object.set_json(KEY, &found);
}

/// The tags of the languages that the library knows.
struct Tags(Vec<(Lang, LanguageTag)>);

impl Tags {
    fn new() -> Self {
        let tag = |&lang: &Lang| {
            let code = match lang {
                // The codes of macrolanguages, which sites state.
                Lang::Cmn => "zh",
                Lang::Pes => "fa",
                _ => lang.code(),
            };
            Some((lang, LanguageTag::parse(code)?))
        };
        Tags(Lang::all().iter().filter_map(tag).collect())
    }

    /// The language of a text. The language that the site states matters because the library may not know it, and would then take a similar
    /// language for it.
    fn of<'t>(&'t self, text: &str, stated: Option<&'t str>) -> TextLanguage<'t> {
        let pieces = pieces(text);
        let letters: usize = pieces.iter().map(|(_, letters)| letters).sum();
        if letters < LEAST {
            return TextLanguage::default();
        }
        let (mut votes, mut judged) = (Vec::<(Lang, f64)>::new(), 0);
        let taken = pieces.len().min(MOST);
        for (piece, letters) in (0..taken).map(|n| pieces[n * pieces.len() / taken]) {
            judged += letters;
            let Some(found) = detect(piece) else { continue };
            let vote = found.confidence() * letters as f64;
            match votes.iter_mut().find(|(lang, _)| *lang == found.lang()) {
                Some((_, sum)) => *sum += vote,
                None => votes.push((found.lang(), vote)),
            }
        }
        let best = votes.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        let (best, confidence) = best.map_or((None, 0.0), |(lang, sum)| (Some(lang), sum / judged.max(1) as f64));
        let language =
            best.filter(|_| confidence >= SURE[usize::from(taken > 1)]).and_then(|best| self.tag_of(best, stated));
        let script = if language == Some("ja") { Some("Jpan") } else { script::of(text) };
        let confidence = language.map(|_| (confidence * 1000.0).round() / 1000.0);
        TextLanguage { language, script, confidence }
    }

    fn tag_of<'t>(&'t self, found: Lang, stated: Option<&'t str>) -> Option<&'t str> {
        let found = self.0.iter().find(|(lang, _)| *lang == found).map(|(_, tag)| tag.primary())?;
        match stated {
            None => Some(found),
            Some("no") if found == "nb" => stated,
            Some(stated) if stated == found => Some(found),
            Some(stated) if ALIKE.iter().any(|alike| alike.contains(&stated) && alike.contains(&found)) => None,
            Some("no") => Some(found),
            Some(stated) => self.0.iter().any(|(_, tag)| tag.primary() == stated).then_some(found),
        }
    }
}

/// Splits a text into pieces, each with the number of its letters. A piece ends at the end of a line or else of a word or, if necessary, of
/// a letter.
fn pieces(text: &str) -> Vec<(&str, usize)> {
    let (mut pieces, mut start, mut letters) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        let is_end = match letters {
            ..100 => false,
            100..PIECE => c == '\n',
            PIECE..300 => c.is_whitespace(),
            _ => true,
        };
        if is_end {
            pieces.push((&text[start..at], letters));
            (start, letters) = (at, 0);
        }
        letters += usize::from(script::is_letter(c));
    }
    pieces.push((&text[start..], letters));
    pieces
}
