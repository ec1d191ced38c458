//! Finds the persons that URLs of a site name: author archives, by path or by query, and pictures.

use memchr::memmem;

/// WordPress' own name of the folder of author archives.
const BASE: &str = "author";

/// What ends a segment of a path or a value of a query, also within a text around it.
const ENDS: [char; 14] = ['/', '?', '#', '&', '"', '\'', '<', '>', ' ', '\n', '\t', ')', '\\', '|'];

/// Parameters whose value is a user.
const PARAMETERS: [&str; 2] = ["author=", "author_name="];

/// Hexadecimal digits of a picture's name: MD5 or SHA-256 of an address.
const DIGITS: [usize; 2] = [32, 64];

/// The folders of author archives of a site.
#[derive(Clone, Debug)]
pub(super) struct Addresses(Vec<String>);

impl Default for Addresses {
    fn default() -> Self {
        Addresses(vec![BASE.to_owned()])
    }
}

impl Addresses {
    /// Learns from the link of a user: what is before the slug.
    pub(super) fn learn(&mut self, link: &str, slug: &str) {
        let path = link.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
        let Some((before, end)) = path.rsplit_once('/') else { return };
        let base = before.rsplit('/').next().unwrap_or_default();
        let is_path = before.contains("://") && before.matches('/').count() > 2;
        if end.eq_ignore_ascii_case(slug) && is_path && !base.is_empty() && !self.0.iter().any(|known| known == base) {
            self.0.push(base.to_owned());
        }
    }

    /// Whether a URL is that of an author archive, or of a further page of one.
    pub(super) fn is_archive(&self, url: &str) -> bool {
        let (path, query) = url.split_once('?').unwrap_or((url, ""));
        let named = query.split('&').any(|part| PARAMETERS.iter().any(|parameter| part.starts_with(parameter)));
        let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
        let at = segments.iter().rposition(|segment| self.0.iter().any(|base| base == segment));
        named || at.is_some_and(|at| at > 1 && at + 1 < segments.len())
    }

    /// The slugs that author archives in a text have.
    pub(super) fn slugs<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let mut found = Vec::new();
        for base in &self.0 {
            let folder = format!("/{base}/");
            let starts = memmem::find_iter(text.as_bytes(), folder.as_bytes()).map(|at| at + folder.len());
            found.extend(starts.map(|start| &text[start..start + segment(&text[start..])]));
        }
        found.retain(|slug| !slug.is_empty());
        found
    }

    /// Whether a text can name somebody at all.
    pub(super) fn may_name(&self, text: &str) -> bool {
        let has = |word: &str| memmem::find(text.as_bytes(), word.as_bytes()).is_some();
        has("author") || has("mailto:") || has("/avatar/") || self.0.iter().any(|base| has(base))
    }

    /// A text with all that names a person in its URLs replaced by what `person` says of it; none if there is nobody.
    pub(super) fn rewrite(&self, text: &str, mut person: impl FnMut(&str) -> String) -> Option<String> {
        let mut found = Vec::new();
        for base in &self.0 {
            let folder = format!("/{base}/");
            let starts = memmem::find_iter(text.as_bytes(), folder.as_bytes()).map(|at| at + folder.len());
            found.extend(starts.map(|start| (start, start + segment(&text[start..]))));
        }
        for parameter in PARAMETERS {
            for at in memmem::find_iter(text.as_bytes(), parameter.as_bytes()) {
                let is_parameter = at > 0 && matches!(text.as_bytes()[at - 1], b'?' | b'&' | b';' | b'@');
                let start = at + parameter.len();
                let end = start + segment(&text[start..]);
                // `index.html?author=3.html`, as mirrors call a file.
                let end = text[start..end].find(".html").map_or(end, |ending| start + ending);
                found.extend(is_parameter.then_some((start, end)));
            }
        }
        if let Some(address) = text.strip_prefix("mailto:") {
            found = vec![(text.len() - address.len(), text.len())];
        }
        for at in memmem::find_iter(text.as_bytes(), b"/avatar/") {
            let start = at + "/avatar/".len();
            let digits = text[start..].bytes().take_while(u8::is_ascii_hexdigit).count();
            found.extend(DIGITS.contains(&digits).then_some((start, start + digits)));
        }
        found.retain(|(start, end)| start < end);
        found.sort_unstable();
        let (mut out, mut done) = (String::new(), 0);
        for (start, end) in found {
            if start >= done {
                out.push_str(&text[done..start]);
                out.push_str(&person(&text[start..end]));
                done = end;
            }
        }
        (done > 0).then(|| out + &text[done..])
    }
}

/// How long the segment is that a text begins with.
fn segment(text: &str) -> usize {
    text.find(ENDS).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn persons_are_found_in_urls() {
        let mut addresses = Addresses::default();
        addresses.learn("https://a.example/blog/team/bob/", "bob");
        let of = |text: &str| addresses.rewrite(text, |person| format!("[{person}]"));
        for (url, expected) in [
            ("https://a.example/author/bob/page/2/", "https://a.example/author/[bob]/page/2/"),
            ("https://a.example/blog/team/bob", "https://a.example/blog/team/[bob]"),
            ("/?author=3&x=1", "/?author=[3]&x=1"),
            ("/?x=1&amp;author_name=bob#c", "/?x=1&amp;author_name=[bob]#c"),
            ("a.example/index.html?author=3.html", "a.example/index.html?author=[3].html"),
            ("a.example/author/bob/index.html", "a.example/author/[bob]/index.html"),
            ("mailto:bob@a.example", "mailto:[bob@a.example]"),
            (
                "https://secure.gravatar.com/avatar/0123456789abcdef0123456789abcdef?s=96",
                "https://secure.gravatar.com/avatar/[0123456789abcdef0123456789abcdef]?s=96",
            ),
        ] {
            assert_eq!((addresses.may_name(url), of(url).as_deref()), (true, Some(expected)));
        }
        assert!(!addresses.may_name("https://a.example/b/"));
        for url in ["https://a.example/authors/bob/", "https://a.example/x?coauthor=3", "/author/", "/avatar/i.png", ""]
        {
            assert_eq!(of(url), None, "{url}");
        }
        assert!(addresses.is_archive("https://a.example/author/bob/page/2/") && addresses.is_archive("/?author=3"));
        assert!(!addresses.is_archive("https://author/bob/x/") && !addresses.is_archive("https://a.example/author/"));
    }
}
