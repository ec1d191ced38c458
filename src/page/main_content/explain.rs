//! Explains the choice of a content: each text of the page, whether it is kept, and by which rule.

use super::{By, Chosen, Cut, Scored};
use crate::boilerplate::{Boilerplate, Marks};
use crate::html::elements::{Buffers, Element, ParseOptions, Sink, read};
use crate::html::tokenizer::Attributes;
use crate::page::content_selectors::Role;
use crate::page::outline::Piece;
use crate::page::punctuation::count;
use crate::rule::Rule;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

/// A text of a page between two tags of blocks, or a part of it, if another rule decided about the rest.
#[derive(Debug, Serialize)]
pub(crate) struct Explained {
    /// Whether the text is content.
    pub kept: bool,
    /// The rule that decided: for content, the rule that chose the place of the content; for other texts, the rule that
    /// dropped them, or else the rule that chose the place, which they are not in.
    pub rule: &'static str,
    /// The row of a table because of which the rule holds: a selector, a name.
    pub row: Option<String>,
    /// The element around it: its name, id and classes, as a selector.
    pub element: String,
    /// The number of its letters and digits; a sign for a syllable or a word counts three times.
    pub letters: usize,
    pub text: String,
}

impl Scored<'_> {
    /// All texts of the page in their order, with the rule that decided about each.
    pub(super) fn explain(&self, pieces: &[Piece], chosen: Option<Chosen<'_>>, cut: Option<&Cut>) -> Vec<Explained> {
        let mut reasons = Reasons::new(self, chosen, cut);
        let mut texts: Vec<Explained> = Vec::new();
        let mut last = None;
        for piece in pieces {
            let (kept, rule) = reasons.of(piece);
            if last != Some((piece.run, rule)) {
                let row = reasons.row(piece, kept, rule);
                let element = reasons.element(piece.run);
                texts.push(Explained { kept, rule: rule.name(), row, element, letters: 0, text: String::new() });
                last = Some((piece.run, rule));
            }
            if let Some(text) = texts.last_mut() {
                text.text.push_str(&piece.text);
                text.letters += count(&piece.text).letters;
            }
        }
        texts.iter_mut().for_each(|text| text.text = text.text.split_whitespace().collect::<Vec<_>>().join(" "));
        texts.retain(|text| text.letters > 0 || !text.text.is_empty());
        texts
    }
}

/// The most elements around a text whose names are searched for the row.
const DEPTH: usize = 100;
/// The most bytes of an element's selector.
const LONGEST: usize = 200;

/// Finds out why texts of a page are content or not.
struct Reasons<'p> {
    page: &'p Scored<'p>,
    chosen: Option<Chosen<'p>>,
    kept: &'p [Range<usize>],
    /// The dropped parts of the content, in ascending order and none inside another, each with its rule.
    dropped: Vec<(Range<usize>, Rule)>,
    /// The elements that selectors of boilerplate match, likewise, each with the number of its selector.
    selected: Vec<(Range<usize>, usize)>,
    /// The start tags that were read, by their positions.
    tags: HashMap<usize, StartTag>,
}

impl<'p> Reasons<'p> {
    fn new(page: &'p Scored<'p>, chosen: Option<Chosen<'p>>, cut: Option<&'p Cut>) -> Self {
        let dropped = cut.map_or(&[][..], |cut| &cut.dropped).iter().map(|drop| (drop.at.clone(), drop.rule));
        let selected = page.matches.iter().filter_map(|found| match found.role {
            Role::Drop(rank) => Some((found.outer.clone(), rank)),
            _ => None,
        });
        let kept = cut.map_or(&[][..], |cut| &cut.kept);
        let (dropped, selected) = (outermost(dropped.collect()), outermost(selected.collect()));
        Reasons { page, chosen, kept, dropped, selected, tags: HashMap::new() }
    }

    /// Whether a text is kept, and by which rule.
    fn of(&self, piece: &Piece) -> (bool, Rule) {
        let place = self.chosen.map_or(Rule::Score, |chosen| chosen.rule);
        let before = self.kept.partition_point(|kept| kept.start <= piece.at);
        if before > 0 && self.kept[before - 1].contains(&piece.at) {
            return (true, place);
        }
        let dropped = around(&self.dropped, piece.at);
        (false, dropped.or_else(|| self.page.choice.off(piece.run)).unwrap_or(place))
    }

    /// The row of a table by which a rule holds for a text.
    fn row(&mut self, piece: &Piece, kept: bool, rule: Rule) -> Option<String> {
        let selectors = self.page.selectors;
        match (rule, self.chosen.map(|chosen| chosen.by)) {
            (Rule::Selector | Rule::SitePlace, Some(By::Selector(selector))) => return Some(selector.to_owned()),
            (Rule::Dropped, _) => return around(&self.selected, piece.at).map(|rank| selectors.drop[rank].clone()),
            _ => {}
        }
        let says = match rule {
            _ if kept => return None,
            Rule::Comments => Marks::comments,
            Rule::OtherPosts => Marks::others,
            Rule::NeverContent => Marks::never,
            Rule::Around => Marks::around,
            Rule::Caption => Marks::caption,
            _ => return None,
        };
        let (choice, tags) = (&self.page.choice, &mut self.tags);
        let mut places = choice.tags_around(piece.run).take(DEPTH);
        places.find_map(|place| StartTag::read(tags, self.page.html, place).word(rule, says))
    }

    /// The element around a text, as a selector.
    fn element(&mut self, run: usize) -> String {
        let place = self.page.choice.tags_around(run).next();
        place.map(|place| StartTag::read(&mut self.tags, self.page.html, place).selector()).unwrap_or_default()
    }
}

/// The ranges that are not inside another one, in ascending order.
fn outermost<T>(mut ranges: Vec<(Range<usize>, T)>) -> Vec<(Range<usize>, T)> {
    ranges.sort_by_key(|(range, _)| (range.start, Reverse(range.end)));
    let mut end = 0;
    ranges.retain(|(range, _)| {
        let is_apart = range.end > end;
        end = end.max(range.end);
        is_apart
    });
    ranges
}

/// The value of the range that contains a position; the ranges are ascending, and do not overlap.
fn around<T: Copy>(ranges: &[(Range<usize>, T)], at: usize) -> Option<T> {
    let before = ranges.partition_point(|(range, _)| range.start <= at);
    ranges[..before].last().filter(|(range, _)| range.contains(&at)).map(|(_, of)| *of)
}

/// A start tag: the name of the element, its class, id and role, and the words of `boilerplate.toml` that were found in
/// them.
#[derive(Default)]
struct StartTag {
    name: String,
    names: [Option<String>; 3],
    words: Vec<(Rule, Option<String>)>,
}

impl StartTag {
    /// The start tag at this place, which is read only once.
    fn read<'t>(tags: &'t mut HashMap<usize, StartTag>, html: &str, place: Range<usize>) -> &'t mut Self {
        tags.entry(place.start).or_insert_with(|| {
            let mut tag = StartTag::default();
            let reading = ParseOptions { plain: true, ..ParseOptions::default() };
            read(&html[place], reading, &mut Buffers::default(), &mut tag);
            tag
        })
    }

    fn selector(&self) -> String {
        let [class, id, _] = self.names.each_ref().map(|value| value.as_deref().unwrap_or_default());
        let id = id.split_ascii_whitespace().map(|id| format!("#{id}"));
        let classes = class.split_ascii_whitespace().map(|class| format!(".{class}"));
        let short = id.chain(classes).scan(self.name.len(), |length, part| {
            *length += part.len();
            (*length <= LONGEST).then_some(part)
        });
        short.fold(self.name.clone(), |selector, part| selector + &part)
    }

    /// The word of `boilerplate.toml` in the element's names that has this meaning.
    fn word(&mut self, rule: Rule, says: fn(Marks) -> bool) -> Option<String> {
        if let Some((_, word)) = self.words.iter().find(|(of, _)| *of == rule) {
            return word.clone();
        }
        let names = self.names.iter().flatten().flat_map(|value| value.split_ascii_whitespace());
        let word = names.into_iter().find_map(|name| Boilerplate::builtin().word(name, says));
        self.words.push((rule, word.clone()));
        word
    }
}

impl<'a> Sink<'a> for StartTag {
    fn open(&mut self, element: &Element<'a>, tag: Attributes<'_, 'a>, _: usize, _: Range<usize>) {
        if self.name.is_empty() {
            element.label.to_ascii_lowercase().clone_into(&mut self.name);
            self.names = tag.several(["class", "id", "role"]).map(|value| value.map(str::to_owned));
        }
    }

    fn is_done(&self) -> bool {
        !self.name.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ContentBuffer, ContentSelectors, PageScan, main_content};
    use super::Explained;
    use crate::page::tests::against_lol_html::{Random, damage};
    use crate::rule::Rule;
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
        PageScan::new(html, ContentSelectors::builtin(), &mut ContentBuffer::default()).outline.nodes[0].letters()
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
                // an element is emptied by what drops its texts
                assert!(texts.iter().all(|text| text.rule != Rule::Emptied.name()), "{}", path.display());
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
