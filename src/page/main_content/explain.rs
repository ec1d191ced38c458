//! Explains the choice of a content: each text of the page, whether it is kept, and by which rule.

use super::{By, Chosen, Cut, Match, Scored};
use crate::boilerplate::{Boilerplate, Marks};
use crate::html::elements::{Buffers, Element, Reading, Sink, read};
use crate::html::tokenizer::{Attributes, Text};
use crate::page::content_selectors::Role;
use crate::page::outline::Piece;
use crate::page::punctuation::count;
use crate::page::rule::Rule;
use serde::Serialize;
use std::ops::Range;

/// A text of a page between two elements that part lines.
#[derive(Debug, Serialize)]
pub(crate) struct Explained {
    /// It is content.
    pub kept: bool,
    /// The rule that says so: of what is kept, that of the place; of what is not, that which leaves it out, or
    /// that of the place that it is not in.
    pub rule: &'static str,
    /// The row of a table by which the rule holds: a selector, a name.
    pub row: Option<String>,
    /// The element around it: its name, id and classes, as a selector.
    pub element: String,
    /// Its letters and digits, those of scripts with a sign a word thrice.
    pub letters: usize,
    pub text: String,
}

impl Scored<'_> {
    /// Each text of the page, in their order.
    pub(super) fn explain(&self, pieces: &[Piece], chosen: Option<Chosen<'_>>, cut: Option<&Cut>) -> Vec<Explained> {
        let mut texts: Vec<Explained> = Vec::new();
        let mut last = None;
        for piece in pieces {
            let reason = self.reason(piece, chosen, cut);
            if last != Some((piece.run, reason)) {
                let element = self.choice.tags_around(piece.run).next().map(|tag| StartTag::of(&self.html[tag]));
                texts.push(Explained {
                    kept: reason.0,
                    rule: reason.1.name(),
                    row: self.row(piece, reason, chosen),
                    element: element.map(|tag| tag.selector()).unwrap_or_default(),
                    letters: 0,
                    text: String::new(),
                });
                last = Some((piece.run, reason));
            }
            if let Some(text) = texts.last_mut() {
                text.text.push_str(&piece.text);
                text.letters += count(&piece.text).letters;
            }
        }
        texts.iter_mut().for_each(|text| text.text = text.text.split_whitespace().collect::<Vec<_>>().join(" "));
        texts
    }

    /// Whether a text is kept, and by which rule.
    fn reason(&self, piece: &Piece, chosen: Option<Chosen<'_>>, cut: Option<&Cut>) -> (bool, Rule) {
        let place = chosen.map_or(Rule::Score, |chosen| chosen.rule);
        let holds = |range: &Range<usize>| range.contains(&piece.at);
        let Some(cut) = cut else { return (false, self.choice.off(piece.run).unwrap_or(place)) };
        if cut.kept.iter().any(holds) {
            return (true, place);
        }
        let dropped = cut.dropped.iter().find(|drop| holds(&drop.at)).map(|drop| drop.rule);
        (false, dropped.or_else(|| self.choice.off(piece.run)).unwrap_or(place))
    }

    /// The row of a table by which a rule holds for a text.
    fn row(&self, piece: &Piece, (kept, rule): (bool, Rule), chosen: Option<Chosen<'_>>) -> Option<String> {
        let selectors = self.selectors;
        let dropping = |found: &Match| match found.role {
            Role::Drop(rank) if found.outer.contains(&piece.at) => Some(selectors.drop[rank].clone()),
            _ => None,
        };
        match (rule, chosen.map(|chosen| chosen.by)) {
            (Rule::Selector, Some(By::Selector(selector))) => Some(selector.to_owned()),
            (Rule::Dropped, _) => self.matches.iter().find_map(dropping),
            _ if kept => None,
            _ => {
                let says = match rule {
                    Rule::Comments => Marks::comments,
                    Rule::OtherPosts => Marks::others,
                    Rule::NeverContent => Marks::never,
                    Rule::Around => Marks::around,
                    Rule::Caption => Marks::caption,
                    _ => return None,
                };
                let mut tags = self.choice.tags_around(piece.run);
                tags.find_map(|tag| StartTag::of(&self.html[tag]).word(says))
            }
        }
    }
}

/// The name of an element, its id, class and role.
#[derive(Default)]
struct StartTag {
    name: String,
    names: [Option<String>; 3],
}

impl StartTag {
    fn of(html: &str) -> Self {
        let mut tag = StartTag::default();
        read(html, Reading { plain: true, ..Reading::default() }, &mut Buffers::default(), &mut tag);
        tag
    }

    fn selector(&self) -> String {
        let [class, id, _] = self.names.each_ref().map(|value| value.as_deref().unwrap_or_default());
        let id = id.split_ascii_whitespace().map(|id| format!("#{id}"));
        let classes = class.split_ascii_whitespace().map(|class| format!(".{class}"));
        id.chain(classes).fold(self.name.clone(), |selector, part| selector + &part)
    }

    /// The word of the table of names that says this of the element.
    fn word(&self, says: fn(Marks) -> bool) -> Option<String> {
        let names = self.names.iter().flatten().flat_map(|value| value.split_ascii_whitespace());
        names.into_iter().find_map(|name| Boilerplate::builtin().word(name, says))
    }
}

impl<'a> Sink<'a> for StartTag {
    fn open(&mut self, element: &Element<'a>, tag: Attributes<'_, 'a>, _: usize, _: Range<usize>) {
        if self.name.is_empty() {
            element.label.to_ascii_lowercase().clone_into(&mut self.name);
            self.names = tag.several(["class", "id", "role"]).map(|value| value.map(str::to_owned));
        }
    }

    fn close(&mut self, _: &Element<'a>, _: usize, _: Range<usize>) {}

    fn text(&mut self, _: Text<'a>, _: &Element<'a>) {}

    fn is_done(&self) -> bool {
        !self.name.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ContentBuffer, ContentSelectors, Reading, main_content};
    use super::Explained;
    use crate::page::rule::Rule;
    use crate::page::tests::against_lol_html::{Random, damage};
    use std::path::{Path, PathBuf};

    /// The content of a page, why each of its texts is that or not, and how many letters it has.
    fn explained(html: &str) -> (Option<String>, Vec<Explained>, usize) {
        let mut buffer = ContentBuffer::default();
        buffer.explain();
        let (found, _) = main_content(html, ContentSelectors::builtin(), &mut buffer, &mut (), || None);
        let texts = buffer.take_explained();
        (found.map(|found| found.html), texts, letters(html))
    }

    fn letters(html: &str) -> usize {
        Reading::new(html, ContentSelectors::builtin(), &mut ContentBuffer::default()).outline.nodes[0].letters
    }

    fn pages(folder: &Path) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut pages: Vec<PathBuf> =
            entries.flat_map(|path| if path.is_dir() { pages(&path) } else { vec![path] }).collect();
        pages.retain(|path| path.extension().is_some_and(|ending| ending == "html"));
        pages.sort();
        pages
    }

    #[test]
    fn each_letter_of_a_page_is_explained_once_and_what_is_kept_is_the_content() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut random = Random(11);
        let mut kept_letters = 0;
        for path in ["tests/data/switchers", "examples/site"].iter().flat_map(|folder| pages(&root.join(folder))) {
            let page = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
            for round in 0..12 {
                let mut html = page.clone().into_bytes();
                for _ in 0..round {
                    if html.len() > 100 {
                        damage(&mut html, &mut random);
                    }
                }
                let html = String::from_utf8_lossy(&html);
                let (content, texts, all) = explained(&html);
                assert_eq!(texts.iter().map(|text| text.letters).sum::<usize>(), all, "{}: {html}", path.display());
                assert!(texts.iter().all(|text| Rule::ALL.iter().any(|rule| rule.name() == text.rule)));
                if round == 0 {
                    let kept: usize = texts.iter().filter(|text| text.kept).map(|text| text.letters).sum();
                    assert_eq!(kept, content.as_deref().map_or(0, letters), "{}", path.display());
                    kept_letters += kept;
                }
            }
        }
        assert!(kept_letters > 1000, "{kept_letters}");
    }

    #[test]
    fn a_text_that_is_not_kept_names_its_rule_and_row() {
        let page = "<body class=single><div class=entry-content><p>Of <span class=addtoany_x>a</span> boat</p><div class=sharedaddy>Share</div>
            <div class='my-share-buttons'>Tweet</div></div><div class=comments-area>Well</div><nav>Menu</nav>";
        let (_, texts, _) = explained(page);
        let found: Vec<(bool, &str, Option<&str>, &str, &str)> = texts
            .iter()
            .map(|text| (text.kept, text.rule, text.row.as_deref(), text.element.as_str(), text.text.as_str()))
            .collect();
        assert_eq!(
            found,
            [
                (true, "selector", Some(".entry-content"), "p", "Of"),
                (false, "never_content", Some("addtoany"), "span.addtoany_x", "a"),
                (true, "selector", Some(".entry-content"), "p", "boat"),
                (false, "dropped", Some(".sharedaddy"), "div.sharedaddy", "Share"),
                (false, "never_content", Some("share"), "div.my-share-buttons", "Tweet"),
                (false, "dropped", Some(".comments-area:not([class*=wp-block-comments])"), "div.comments-area", "Well"),
                (false, "edge_element", None, "nav", "Menu"),
            ]
        );
    }
}
