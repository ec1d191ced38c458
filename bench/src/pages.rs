//! The site as a crawler sees it: a theme with menus, styles, scripts, related posts, comments and a language switcher
//! around each content. The pages stand where `wget --mirror` puts them.

use crate::items::Item;
use crate::site::{Article, BASE, CATEGORIES, Draw, HOST, Site};
use crate::words::Language;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// How the pages say in which other languages they exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Switcher {
    /// `link hreflang` in the head, and Polylang's widget
    Hreflang,
    /// Polylang's widget only: a page has to be read to its end
    Widget,
    /// Nothing but `<html lang>`
    None,
}

/// What is the same on all pages.
pub struct Theme<'a> {
    site: &'a Site,
    switcher: Switcher,
    styles: String,
    scripts: String,
    menu: String,
    cloud: String,
    flags: Vec<String>,
}

impl<'a> Theme<'a> {
    /// A theme of 50 kB a page; of a lean site: 1 kB.
    pub fn new(site: &'a Site, switcher: Switcher) -> Self {
        let mut chance = site.chance(Draw::Theme, 0);
        let mut theme = Theme {
            site,
            switcher,
            styles: String::new(),
            scripts: String::new(),
            menu: String::new(),
            cloud: String::new(),
            flags: vec!["flag.png".into(); site.languages.len()],
        };
        if site.lean {
            return theme;
        }
        for i in 0..14 {
            theme.styles += &format!(
                "<link rel=\"stylesheet\" id=\"css-{i}\" href=\"{BASE}/wp-content/plugins/p{i}/style.css?ver=6.6.{i}\" media=\"all\" />\n"
            );
        }
        theme.styles += "<style id=\"theme-inline-css\">\n";
        for i in 0..230 {
            let (margin, padding, color) = (chance.below(10), chance.below(30), chance.below(1 << 24));
            theme.styles += &format!(".c{i}-block{{margin:{margin}px 0;color:#{color:06x};padding:{padding}px}}\n");
        }
        theme.styles += "</style>\n";
        theme.scripts += "<script id=\"theme-js\">\n";
        for i in 0..110 {
            let (a, b) = (chance.below(1000), chance.below(1000));
            theme.scripts += &format!("window.setting{i}={{\"a\":{a},\"b\":\"<\\/div>{b}\"}};\n");
        }
        theme.scripts += "</script>\n";
        for i in 0..CATEGORIES {
            let term = site.category(i);
            theme.menu += &format!(
                "<li class=\"menu-item menu-item-{i}\"><a href=\"{BASE}{}\">{}</a></li>",
                term.path, term.name
            );
        }
        for i in 0..site.tags().min(60) {
            let (term, size) = (site.tag(i), chance.between(8, 22));
            theme.cloud += &format!(
                "<a href=\"{BASE}{}\" class=\"tag-cloud-link\" style=\"font-size:{size}pt\">{}</a> ",
                term.path, term.name
            );
        }
        for flag in &mut theme.flags {
            let bytes: String = (0..35).map(|_| format!("{:016x}", chance.draw())).collect();
            *flag = format!("data:image/png;base64,{bytes}");
        }
        theme
    }

    /// The page of a post or page.
    pub fn page(&self, article: &Article, is_post: bool, item: &Item) -> String {
        let mut chance = self.site.chance(Draw::Scraped, 2 * article.number + u64::from(is_post));
        let language = &self.site.languages[article.language];
        let (number, class) = match is_post {
            true => ("p", format!("post-template-default single single-post postid-{}", article.id)),
            false => ("page_id", format!("page-template-default page page-id-{}", article.id)),
        };
        let mut head = String::new();
        if self.switcher == Switcher::Hreflang && article.group.end - article.group.start > 1 {
            for other in article.group.clone().map(|number| self.site.post(number)) {
                let code = self.site.languages[other.language].code;
                head += &format!("<link rel=\"alternate\" href=\"{}\" hreflang=\"{code}\" />\n", other.url());
            }
        }
        if item.head.is_empty() {
            head += &format!("<title>{}</title>\n<link rel=\"canonical\" href=\"{}\" />", article.title, article.url());
        } else {
            head += &item.head;
        }
        let base = if is_post { "posts" } else { "pages" };
        let id = article.id;
        head += &format!(
            "\n{styles}{scripts}<link rel=\"https://api.w.org/\" href=\"{BASE}/wp-json/\" />\
             <link rel=\"alternate\" type=\"application/json\" href=\"{BASE}/wp-json/wp/v2/{base}/{id}\" />\
             <link rel='shortlink' href='{BASE}/?{number}={id}' />\n",
            styles = self.styles,
            scripts = self.scripts,
        );
        let mut main = format!(
            "<article id=\"post-{id}\" class=\"post\"><header class=\"entry-header\"><h1 class=\"entry-title\">{}</h1>\
             </header><div class=\"entry-content\">{}</div></article>",
            article.title, item.content
        );
        if !self.site.lean {
            main += &self.below_content(language, &mut chance);
        }
        let aside = match self.switcher {
            Switcher::None => String::new(),
            _ => self.widget(article),
        };
        self.document(language, &head, &class, &main, &aside)
    }

    /// Home or an archive: it is no record of the API.
    fn archive(&self, language: usize, path: &str, class: &str) -> String {
        let mut chance = self.site.chance(Draw::Scraped, 1 << 50);
        let head = format!("<title>Archive</title>\n<link rel=\"canonical\" href=\"{BASE}{path}\" />\n{}", self.styles);
        let main = self.below_content(&self.site.languages[language], &mut chance);
        self.document(&self.site.languages[language], &head, class, &main, "")
    }

    fn document(&self, language: &Language, head: &str, class: &str, main: &str, aside: &str) -> String {
        let Theme { scripts, menu, cloud, .. } = self;
        format!(
            "<!DOCTYPE html>\n<html lang=\"{tag}\" class=\"no-js\">\n<head>\n<meta charset=\"UTF-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1.0\">\n{head}</head>\n\
             <body class=\"{class}\">\n<div id=\"page\" class=\"site\"><header id=\"masthead\">\
             <nav id=\"site-navigation\" class=\"main-navigation\"><ul class=\"menu\">{menu}</ul></nav>\n</header>\
             <div id=\"content\"><main id=\"main\">{main}</main><aside id=\"secondary\">{aside}\
             <section class=\"widget widget_tag_cloud\">{cloud}</section></aside></div>\
             <footer><nav class=\"footer-navigation\"><ul class=\"menu\">{menu}</ul></nav></footer></div>\n{scripts}</body>\n</html>\n",
            tag = language.tag
        )
    }

    /// Related posts and comments.
    fn below_content(&self, language: &Language, chance: &mut crate::chance::Chance) -> String {
        let mut out = String::from("<section class=\"related\">");
        for _ in 0..6 {
            let (post, image) = (self.site.any_post(chance), self.site.any_medium(chance));
            out += &format!(
                "<article class=\"related\"><a href=\"{}\"><img src=\"{}\" alt=\"\" /><h4>{}</h4></a></article>",
                post.url(),
                image.sized_url(300, 200),
                post.title
            );
        }
        out += "</section><ol class=\"comment-list\">";
        for _ in 0..chance.below(7) {
            out += &format!(
                "<li class=\"comment\"><article class=\"comment-body\"><div class=\"comment-author vcard\">\
                 <b class=\"fn\">{}</b></div><div class=\"comment-content\"><p>{}</p></div></article></li>",
                self.site.user(chance.between(1, 15)),
                language.sentence(chance)
            );
        }
        out + "</ol>"
    }

    /// Polylang's widget.
    fn widget(&self, article: &Article) -> String {
        let others: Vec<Article> = article.group.clone().map(|number| self.site.post(number)).collect();
        let alone = others.len() == 1;
        let mut out = String::from(
            "<section id=\"polylang-2\" class=\"widget widget_polylang\"><nav aria-label=\"Choose a language\"><ul>\n",
        );
        for (i, language) in self.site.languages.iter().enumerate() {
            let other = others.iter().find(|other| !alone && other.language == i);
            let mut class = format!("lang-item lang-item-{i} lang-item-{}", language.code);
            let href = match other {
                _ if i == article.language => {
                    class += " current-lang";
                    article.url()
                }
                Some(other) => other.url(),
                None => {
                    class += " no-translation";
                    format!("{BASE}{}/", self.site.prefix(i))
                }
            };
            out += &format!(
                "\t<li class=\"{class}\"><a lang=\"{tag}\" hreflang=\"{tag}\" href=\"{href}\"><img src=\"{flag}\" alt=\"\" \
                 width=\"16\" height=\"11\" /><span style=\"margin-left:0.3em;\">{name}</span></a></li>\n",
                tag = language.tag,
                flag = self.flags[i],
                name = language.name
            );
        }
        out + "</ul></nav></section>\n"
    }

    /// Writes the home pages and the category archives below `root`; gives how many pages and bytes.
    pub fn write_archives(&self, root: &Path) -> io::Result<(u64, u64)> {
        let mut bytes = 0;
        let homes = (0..self.site.languages.len()).map(|i| (i, self.site.prefix(i) + "/", "home blog"));
        let archives = (0..CATEGORIES).map(|i| self.site.category(i)).map(|c| (c.language, c.path, "archive category"));
        let mut count = 0;
        for (language, path, class) in homes.chain(archives) {
            bytes += write_page(root, &path, &self.archive(language, &path, class))?;
            count += 1;
        }
        Ok((count, bytes))
    }
}

/// Writes a page where `wget --mirror` would, the path's percent codes undone; gives its size.
pub fn write_page(root: &Path, path: &str, html: &str) -> io::Result<u64> {
    let folder: PathBuf = root.join(HOST).join(decoded(path.trim_matches('/')));
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("index.html"), html)?;
    Ok(html.len() as u64)
}

fn decoded(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&first, more)) = rest.split_first() {
        let code = more.get(..2).and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        match (first, code) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &more[2..];
            }
            _ => {
                bytes.push(first);
                rest = more;
            }
        }
    }
    String::from_utf8(bytes).expect("slugs are cut between letters, and each is UTF-8")
}
