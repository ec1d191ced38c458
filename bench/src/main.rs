//! bench-corpus: corpora of any size, the same for the same arguments, and what is in them.

mod chance;
mod content;
mod count;
mod counts;
mod items;
mod json;
mod pages;
mod records;
mod site;
mod words;

use clap::{Args, Parser};
use counts::Counts;
use json::Style;
use pages::{Switcher, Theme};
use serde_json::{Value, json};
use site::{CATEGORIES, Site, USERS};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Generate corpora for wpipe's bench, and count what the stages made of them
#[derive(Parser)]
enum Flags {
    /// Write a site's dump to DIR/dump, its scrape to DIR/scrape, what is in it to DIR/expected.json
    Site(SiteFlags),
    /// Write N complete records with 10 N URLs to stdout, as wp-resolve reads them
    Records {
        /// How many records
        n: u64,
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Where to write what is in them
        #[arg(long, value_name = "FILE")]
        expected: PathBuf,
    },
    /// Count the records on stdin
    Count,
}

#[derive(Args)]
struct SiteFlags {
    /// How many posts; there are 1.2 other records for each
    n: u64,
    dir: PathBuf,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many languages, 1 to 6
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=6))]
    languages: u8,
    /// How the pages name their translations
    #[arg(long, value_enum, default_value = "hreflang")]
    switcher: Switcher,
    /// Whose JSON the dump is
    #[arg(long, value_enum, default_value = "python")]
    json: Style,
    /// No scrape
    #[arg(long)]
    no_scrape: bool,
    /// Contents of two sentences and small pages, for many records
    #[arg(long)]
    lean: bool,
}

fn main() -> io::Result<()> {
    match Flags::parse() {
        Flags::Site(flags) => write_site(&flags),
        Flags::Records { n, seed, expected } => {
            let mut out = BufWriter::with_capacity(1 << 18, File::from(stdout()?));
            let (counts, urls) = records::write(&mut out, seed, n)?;
            out.flush()?;
            write_expected(&expected, &counts, &json!({"urls": urls}))
        }
        Flags::Count => {
            let counts = count::count(io::stdin().lock())?;
            let json = serde_json::to_string(&counts)?;
            writeln!(io::stdout(), "{json}")
        }
    }
}

/// Stdout without the standard library's line buffer.
fn stdout() -> io::Result<std::os::fd::OwnedFd> {
    use std::os::fd::AsFd;
    io::stdout().as_fd().try_clone_to_owned()
}

fn write_site(flags: &SiteFlags) -> io::Result<()> {
    let site = Site::new(flags.seed, flags.n, flags.languages.into(), flags.lean);
    let dump = flags.dir.join("dump");
    fs::create_dir_all(&dump)?;
    let mut counts = Counts::default();
    let theme = Theme::new(&site, flags.switcher);
    let scrape = flags.dir.join("scrape");
    let mut scrape =
        Scrape { root: (!flags.no_scrape).then_some(&*scrape), theme: &theme, site: &site, pages: 0, bytes: 0 };
    let style = flags.json;
    let mut bytes = 0;
    bytes += write_array(&dump.join("posts.json"), style, 0..site.posts, |n| {
        let post = site.post(n);
        let item = items::article(&site, &post, true, &mut counts);
        scrape.page(&post, true, &item, flags.switcher, &mut counts)?;
        Ok(item.value)
    })?;
    bytes += write_array(&dump.join("pages.json"), style, 0..site.pages(), |n| {
        let page = site.page(n);
        let item = items::article(&site, &page, false, &mut counts);
        scrape.page(&page, false, &item, flags.switcher, &mut counts)?;
        Ok(item.value)
    })?;
    bytes +=
        write_array(&dump.join("media.json"), style, 0..site.media(), |n| Ok(items::medium(&site, n, &mut counts)))?;
    bytes += write_array(&dump.join("categories.json"), style, 0..CATEGORIES, |n| {
        Ok(items::term(&site, &site.category(n), "category", &mut counts))
    })?;
    bytes += write_array(&dump.join("tags.json"), style, 0..site.tags(), |n| {
        Ok(items::term(&site, &site.tag(n), "post_tag", &mut counts))
    })?;
    bytes += write_array(&dump.join("users.json"), style, 1..USERS + 1, |n| Ok(items::user(&site, n, &mut counts)))?;
    bytes += write_array(&dump.join("comments.json"), style, 0..site.comments(), |n| {
        Ok(items::comment(&site, n, &mut counts))
    })?;
    let archives = scrape.archives()?;
    if archives > 0 {
        // A category's archive is the category's own page; home is nobody's.
        counts.scraped += CATEGORIES;
    }
    let sizes = json!({"posts": site.posts, "dump_bytes": bytes, "scrape_bytes": scrape.bytes,
        "scrape_pages": scrape.pages, "archives": archives});
    write_expected(&flags.dir.join("expected.json"), &counts, &sizes)
}

/// Where the pages go, if anywhere.
struct Scrape<'a> {
    root: Option<&'a Path>,
    theme: &'a Theme<'a>,
    site: &'a Site,
    pages: u64,
    bytes: u64,
}

impl Scrape<'_> {
    fn page(
        &mut self,
        article: &site::Article,
        is_post: bool,
        item: &items::Item,
        switcher: Switcher,
        counts: &mut Counts,
    ) -> io::Result<()> {
        let Some(root) = self.root else { return Ok(()) };
        self.bytes += pages::write_page(root, &article.path, &self.theme.page(article, is_post, item))?;
        self.pages += 1;
        counts.scraped += 1;
        counts.language(self.site.languages[article.language].tag);
        let others = article.group.end - article.group.start - 1;
        if switcher != Switcher::None && others > 0 {
            counts.translations += others;
            counts.groups += u64::from(article.number == article.group.start);
        }
        Ok(())
    }

    fn archives(&mut self) -> io::Result<u64> {
        let Some(root) = self.root else { return Ok(0) };
        let (count, bytes) = self.theme.write_archives(root)?;
        self.pages += count;
        self.bytes += bytes;
        Ok(count)
    }
}

/// Writes a file of the dump: an array of items. Gives its size.
fn write_array(
    path: &Path,
    style: Style,
    numbers: std::ops::Range<u64>,
    mut item: impl FnMut(u64) -> io::Result<Value>,
) -> io::Result<u64> {
    let mut out = BufWriter::with_capacity(1 << 18, File::create(path)?);
    out.write_all(b"[")?;
    for (i, number) in numbers.enumerate() {
        if i > 0 {
            out.write_all(if style == Style::Python { b", " } else { b"," })?;
        }
        json::write(&mut out, &item(number)?, style)?;
    }
    out.write_all(b"]")?;
    out.flush()?;
    Ok(fs::metadata(path)?.len())
}

/// Writes the counts, and beside them what concerns the input only.
fn write_expected(path: &Path, counts: &Counts, sizes: &Value) -> io::Result<()> {
    let expected = json!({"counts": counts, "input": sizes});
    fs::write(path, serde_json::to_string_pretty(&expected)? + "\n")
}
