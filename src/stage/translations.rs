//! wp-translations: reads the scraped page of each record for its language, its translations and, if the API has none,
//! its content. It considers one record and its page; wp-resolve does what requires the whole site.

#[cfg(feature = "ablation")]
mod ablation;
#[cfg(feature = "ablation")]
pub use crate::rule::ablation::never_ask;
mod about;
mod content;
mod doubt;
mod files;
mod rights;
mod samples;
mod schema;
mod terms;

use crate::archive::Archives;
use crate::html;
use crate::language::{Finding, Judge, Known, LanguageTag, Sources, Switchers, script};
use crate::ndjson::{self, Input, Line, Object, Output, Str, string};
use crate::page::{PageBuffer, PageReader};
use crate::record::Scrape;
use crate::report::{Error, Notes, Report, shown_path};
use crate::steps::{Step, Stepper};
use crate::urls::PageUrl;
use crate::whole_file::WholeFile;
use content::Paper;
use files::{Opened, Pages};
use samples::Templates;
use serde::Deserialize;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The options of wp-translations.
pub struct Options {
    /// The sources that may be used.
    pub sources: Sources,
    /// The language switchers to look for; by default the built-in ones.
    pub switchers: Option<Switchers>,
    /// The directory of the pages, which replaces every record's `scrape.root`; or several directories, which records may name.
    pub scrape_roots: Vec<PathBuf>,
    /// The CSS selectors of the main content, which replace the built-in ones.
    pub content_selectors: Vec<String>,
    /// The file for each text of the pages from which content is taken, with the rule by which it is content or not.
    pub explain: Option<PathBuf>,
    /// How to extract texts from pages, except for the rules (`text`), which the record names.
    pub html: html::Options,
    /// The number of threads.
    pub jobs: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            sources: Sources::ALL,
            switchers: None,
            scrape_roots: Vec::new(),
            content_selectors: Vec::new(),
            explain: None,
            html: html::Options::default(),
            jobs: 1,
        }
    }
}

impl Options {
    fn step(&self) -> Step {
        Step::of("wp-translations")
            .values("--sources", (self.sources != Sources::ALL).then(|| self.sources.to_string()))
            .flag("--switchers", self.switchers.is_some())
            .values("--content-selector", &self.content_selectors)
            .list("--text", &self.html.rules())
    }
}

/// The key of `--stats` for pages that were read for content.
const ASKED: &str = "pages_read_for_content";

/// Fills in language and translations of each record from its page. Counts `records_in`, `records_out`, `pages_read`, `pages_read_whole`,
/// `languages_SOURCE`, `translations_SOURCE`, `language_contradictions`, `languages_refused`, `language_of_other_script`,
/// `pages_read_for_content`, `content_from_page`, `notices`; with own selectors or switchers `content_selector_tried` and
/// `content_selector_matched`, `switchers_tried` and `switchers_matched`; and `rules`, how often each rule decided.
///
/// # Errors
/// When reading or writing fails, no page of any record is where its scrape should be, a content selector is not
/// supported, or the report stops the run.
pub fn run(options: &Options, input: &mut Input, output: &mut Output, report: &mut Report) -> Result<(), Error> {
    let selectors = content::selectors(&options.content_selectors)?;
    input.expect_records();
    let archives = Archives::default();
    report.counts(&["languages_none", "language_contradictions"]);
    let templates = Templates::default();
    let most = input.max_record();
    let step = options.step().max_record(most);
    let explained =
        options.explain.as_deref().map(WholeFile::create).transpose()?.map(|file| Arc::new(Mutex::new(file)));
    if let Some(file) = explained.clone() {
        report.on_aside(Box::new(move |lines| lock(&file).put(lines)));
    }
    ndjson::map_lines(input, output, report, options.jobs, || {
        let mut reader = RecordReader {
            judge: Judge { sources: options.sources, switchers: options.switchers.as_ref() },
            pages: Pages::new(&options.scrape_roots, &archives),
            templates: &templates,
            rights: rights::Reader::new(&templates),
            filler: match content::Filler::new(&options.html, selectors.as_ref(), most) {
                filler if options.explain.is_some() => filler.explaining(),
                filler => filler,
            },
            buffer: PageBuffer::default(),
            stepper: Stepper::new(&step),
        };
        move |line: Line<'_>, out: &mut Vec<u8>, notes: &mut Notes| reader.read(line, out, notes)
    })?;
    report.on_aside(Box::new(|_| Ok(())));
    if let Some(file) = explained.and_then(Arc::into_inner) {
        file.into_inner().unwrap_or_else(PoisonError::into_inner).commit()?;
    }
    templates.unread().iter().for_each(|what| report.warn(what));
    warn_of_no_match(report);
    if options.explain.is_some() && report.counted(ASKED) == 0 {
        report.warn("--explain: no page was read for content, since the records have the API's; wp-index --no-dump leaves that out");
    }
    check_pages(&options.scrape_roots, report)
}

fn lock(file: &Mutex<WholeFile>) -> MutexGuard<'_, WholeFile> {
    file.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Warns of a user's selectors or switchers that match on no page: this is a mistake, which nothing else shows.
fn warn_of_no_match(report: &mut Report) {
    for (option, found, [tried, matched]) in [
        ("--content-selector", "content", ["content_selector_tried", "content_selector_matched"]),
        ("--switchers", "its language switchers", ["switchers_tried", "switchers_matched"]),
    ] {
        let tried = report.counted(tried);
        if tried > 0 && report.counted(matched) == 0 {
            report.warn(&format!("{option} found {found} on none of {tried} pages"));
        }
    }
}

/// Fails if no record has its page: then the scrape is not where the user says, or has been moved. A single record without its page is a
/// defect.
fn check_pages(given: &[PathBuf], report: &Report) -> Result<(), Error> {
    let only = if let [only] = given { Some(only) } else { None };
    let missing = report.defects("root") + only.map_or(0, |_| report.defects("page"));
    if missing == 0 || report.counted("pages_read") > 0 {
        return Ok(());
    }
    let below = only.map(|root| format!(" below {}", shown_path(root))).unwrap_or_default();
    Err(Error::Fatal(format!("no page was found{below}, for {missing} records: use --scrape-root DIR")))
}

/// The built-in language switchers, after those of `file`.
///
/// # Errors
/// When the file cannot be read or is not valid; the error has file, line and column.
pub fn read_switchers(file: &Path) -> Result<Switchers, Error> {
    let name = shown_path(file);
    let text = std::fs::read_to_string(file).map_err(|e| Error::io(name.as_str(), e))?;
    Switchers::with_builtin(&text).map_err(|e| Error::Fatal(format!("{name}:{}:{}: {}", e.line, e.column, e.what)))
}

/// The state of a thread.
struct RecordReader<'o> {
    judge: Judge<'o>,
    pages: Pages<'o>,
    templates: &'o Templates,
    rights: rights::Reader<'o>,
    filler: content::Filler<'o>,
    buffer: PageBuffer,
    stepper: Stepper<'o>,
}

impl RecordReader<'_> {
    fn read(&mut self, line: Line<'_>, out: &mut Vec<u8>, notes: &mut Notes) {
        let Some(mut object) = line.or_reject(Object::parse(line.bytes), notes) else { return };
        if has_languages(&object) {
            if !self.judge_record(&mut object, line, notes) {
                return ndjson::reject_too_long(&line, notes);
            }
            check_script(&mut object, notes);
        }
        self.stepper.mark(&mut object);
        object.write_line(out);
    }

    /// Fills in the statements of the record's page; returns false if that makes the record too long.
    fn judge_record(&mut self, object: &mut Object<'_>, line: Line<'_>, notes: &mut Notes) -> bool {
        let before = Before::of(object);
        let urls = [&before.scrape.url, &before.link].into_iter().flatten();
        let own: Vec<&str> = urls.clone().chain(&before.aliases).map(Str::as_str).collect();
        let known = Known {
            language: before.language.as_deref(),
            language_source: before.language_source.as_deref(),
            translations: before.has_translations,
            own: &own,
            link: before.link.as_deref(),
        };
        let url = urls.clone().find_map(|url| PageUrl::parse(url));
        let file = match self.pages.open(&before.scrape) {
            Opened::Page(file) => file,
            none => {
                match none {
                    Opened::Refused(what) => notes.fatal(format!("{}: {what}", line.place())),
                    Opened::Defect(kind, what) => notes.defect(kind, line.place(), what),
                    Opened::Page(_) | Opened::None => {}
                }
                self.say(object, &self.judge.without_page(&known), &before, notes);
                return true;
            }
        };
        notes.count("pages_read", 1);
        let charset = file.charset();
        let mut page = PageReader::new(file, std::mem::take(&mut self.buffer)).sent_as(charset.as_deref());
        let judged = self.judge.judge(&mut page, url.as_ref(), &known);
        let fits = match &judged {
            Ok(finding) => self.take_page(object, &mut page, finding, (&before, url.as_ref()), line, notes),
            Err(e) => {
                notes.defect("page", line.place(), self.pages.describe(&before.scrape, e));
                self.say(object, &self.judge.without_page(&known), &before, notes);
                true
            }
        };
        self.buffer = page.into_buffer();
        fits
    }

    /// Fills in the findings in a page, its content and its rights; returns false if that makes the record too long.
    fn take_page<R: Read>(
        &mut self,
        object: &mut Object<'_>,
        page: &mut PageReader<R>,
        finding: &Finding,
        (before, url): (&Before<'_>, Option<&PageUrl>),
        line: Line<'_>,
        notes: &mut Notes,
    ) -> bool {
        notes.count("pages_read_whole", u64::from(finding.body_read));
        if let Some(switchers) = self.judge.switchers.filter(|_| finding.body_read) {
            let is_own = finding.switchers.iter().any(|found| switchers.is_own(&found.kind));
            notes.count("switchers_tried", 1);
            notes.count("switchers_matched", u64::from(is_own));
        }
        let (head, scrape) = (&finding.head, &before.scrape);
        if let Some(wrong) = wrong_charset(page) {
            let file = scrape.file.as_deref().unwrap_or_default();
            notes.defect("charset", line.place(), format!("page {file}: {wrong}"));
        }
        self.say(object, finding, before, notes);
        let filler = &mut self.filler;
        for what in filler.read_next(object, scrape, &mut self.pages, self.templates) {
            notes.defect("page", line.place(), what);
        }
        #[cfg(feature = "ablation")]
        let unfilled = object.clone();
        let paper = Paper { head, url, scrape };
        let mut unread = None;
        let site = || {
            let slot = self.templates.learn(scrape, &mut self.pages);
            let learnt = slot.learnt()?;
            unread.clone_from(&learnt.missing);
            learnt.site(scrape)
        };
        let mut listener = self.rights.listener(head, url);
        let filled = filler.fill(object, page, &paper, &mut listener, site, notes);
        let heard = listener.finish();
        #[cfg(feature = "ablation")]
        ablation::measure(object, &unfilled, |object| {
            let slot = self.templates.learn(scrape, &mut self.pages);
            let mut listener = self.rights.listener(head, url);
            let site = || slot.learnt()?.site(scrape);
            _ = filler.fill(object, page, &paper, &mut listener, site, &mut Notes::default());
        });
        if let Some(what) = unread {
            notes.defect("sample", line.place(), what);
        }
        let fits = !matches!(filled, Ok(None));
        match filled {
            Ok(missing) => {
                missing.iter().for_each(|missing| missing.report(notes, || line.place(), || name_of(object)))
            }
            Err(e) => notes.defect("page", line.place(), self.pages.describe(scrape, &e)),
        }
        let taken = filler.taken.as_deref();
        let is_from_page = taken.is_some() || object.text("content_source").as_deref() == Some("scrape");
        let is_whole = finding.body_read || filler.has_read;
        let seen = rights::Seen { head, url, scrape, is_whole, is_from_page, taken };
        if let Err(e) = self.rights.read(object, page, &seen, heard, &mut self.pages, notes) {
            notes.defect("page", line.place(), self.pages.describe(scrape, &e));
        }
        fits
    }

    /// Adds the findings to the record; translations from the REST API stay as they are.
    fn say(&self, object: &mut Object<'_>, finding: &Finding, before: &Before<'_>, notes: &mut Notes) {
        notes.count("language_contradictions", u64::from(finding.contradiction));
        let language = finding.language.as_ref();
        notes.count(language.map_or("languages_none", |found| count_of_language(found.source)), 1);
        object.set_json("language", &language.map(|found| found.tag.as_str()));
        object.set_json("language_source", &language.map(|found| found.source));
        if let Some(url) = &finding.x_default {
            object.set_json("x_default", url);
        }
        if before.has_translations && self.judge.sources.rest {
            return notes.count("translations_rest", 1);
        }
        if let Some(first) = finding.translations.first() {
            let hreflang = first.source.as_deref() == Some("hreflang");
            notes.count(if hreflang { "translations_hreflang" } else { "translations_switcher" }, 1);
        }
        if before.has_translations || !finding.translations.is_empty() || object.get("translations").is_none() {
            object.set_json("translations", &finding.translations);
        }
    }
}

/// Describes the problem with the encoding that a page or its server names, if there is one.
fn wrong_charset<R: Read>(page: &PageReader<R>) -> Option<String> {
    match page.misstated() {
        Some(name) => Some(format!("the encoding that it or its server names is {name}, but it is UTF-8")),
        None => page.is_broken().then(|| "it is read as UTF-8, and has bytes that are not".to_owned()),
    }
}

/// The name of a record in messages: its type and id, or its URL.
fn name_of(object: &Object<'_>) -> String {
    let (kind, id) = (object.text("type").unwrap_or_default(), object.get("id").unwrap_or("null"));
    if id == "null" { object.text("link").unwrap_or_default().to_string() } else { format!("{kind} {id}") }
}

/// Removes a language if the text is in another script and the evidence for the language is weak (SEO plugins name the language of the
/// site). With better evidence, such a record is only counted.
fn check_script(object: &mut Object<'_>, notes: &mut Notes) {
    let Some(tag) = object.text("language").as_deref().and_then(LanguageTag::parse) else { return };
    let is_weak = matches!(object.text("language_source").as_deref(), Some("yoast" | "links"));
    // A record that is only counted is worth less time.
    let text = object.get("content").and_then(|content| content::beginning(content, if is_weak { 4096 } else { 1024 }));
    if !text.is_some_and(|text| script::contradicts(&tag, text)) {
        return;
    }
    if is_weak {
        notes.count("languages_refused", 1);
        object.set_json("language", &None::<&str>);
        object.set_json("language_source", &None::<&str>);
    } else {
        notes.count("language_of_other_script", 1);
    }
}

/// The key of `--stats` for languages of a source.
fn count_of_language(source: &str) -> &'static str {
    match source {
        "rest" => "languages_rest",
        "html" => "languages_html",
        "hreflang" => "languages_hreflang",
        "switcher" => "languages_switcher",
        "links" => "languages_links",
        _ => "languages_yoast",
    }
}

/// Whether a value is an empty list or null.
fn is_empty_list(json: &str) -> bool {
    let inner = json.strip_prefix('[').and_then(|json| json.strip_suffix(']'));
    json == "null" || inner.is_some_and(|inner| inner.trim_ascii().is_empty())
}

/// Whether the kind of a record has a language; other records pass unchanged.
fn has_languages(object: &Object<'_>) -> bool {
    matches!(object.text("kind").as_deref(), Some("post" | "html" | "media" | "term"))
}

/// The statements of the record before its page is read. Values of another type (from a user's jq) count as null.
struct Before<'a> {
    link: Option<Str<'a>>,
    language: Option<Str<'a>>,
    language_source: Option<Str<'a>>,
    has_translations: bool,
    aliases: Vec<Str<'a>>,
    scrape: Scrape<'a>,
}

impl<'a> Before<'a> {
    /// Reads the statements of a record that has just been parsed.
    fn of(object: &Object<'a>) -> Self {
        fn read<'a, T: Deserialize<'a> + Default>(object: &Object<'a>, key: &str) -> T {
            object.get_borrowed(key).and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default()
        }
        let text = |key| object.get_borrowed(key).and_then(string);
        Before {
            link: text("link"),
            language: text("language"),
            language_source: text("language_source"),
            has_translations: object.get("translations").is_some_and(|list| !is_empty_list(list)),
            aliases: read(object, "aliases"),
            scrape: read(object, "scrape"),
        }
    }
}
