//! The rules that decide which block of a page is its content and what of that is left out, by the names that wp-translations(1)
//! explains.

use crate::ndjson::named;

named! {
    /// A rule, in the order in which they are asked: the first that holds decides. Those whose names begin with `keep_` are
    /// exceptions to the ones before them.
    pub(crate) enum Rule {
        /// A selector that knows a place of content. The row is the selector.
        Selector = "selector",
        /// The texts of a thread, of posts of a system of forums.
        Thread = "thread",
        /// What is for those without scripts, where that is a thread.
        Noscript = "noscript",
        /// From the first to the last of the places that a document has several of.
        Parts = "parts",
        /// The block with the best score.
        Score = "score",
        /// The best block inside of a place that is a frame: it has the title of the page before all prose.
        Frame = "frame",
        /// The rows of a page builder around the best block.
        RowsAround = "rows_around",
        /// The rows of a page builder that most of the best block is made of.
        RowsInside = "rows_inside",
        /// The rows of a page builder without prose.
        RowsWordless = "rows_wordless",
        /// What the page calls its main part, of which the best block has next to nothing.
        Main = "main",
        /// What the page calls its main part, where nothing has prose.
        MainWithoutProse = "main_without_prose",
        /// All posts of a list.
        List = "list",
        /// The text of a post that all posts of its site share.
        SharedText = "shared_text",

        /// A place of content with less than a fifth of what the score finds is none.
        PlaceTooSmall = "place_too_small",
        /// A place in the header or footer of the page is none, unless it is alone.
        PlaceInFrame = "place_in_frame",
        /// A place in a post with another number than the page's is none.
        PlaceOfAnother = "place_of_another",
        /// A place that shows another document is none, says its builder.
        PlaceOfDocument = "place_of_document",
        /// A place that shows nothing is none.
        PlaceEmpty = "place_empty",

        /// A place that is named as content counts a twentieth more.
        NamedContent = "named_content",
        /// A text that repeats over the pages of its site is the site's.
        Repeated = "repeated",
        /// The title of the page, where it is known what is the site's.
        RepeatedTitle = "repeated_title",
        /// A short text between two that do not repeat is its author's.
        KeepBetween = "keep_between",
        /// A text that repeats among paragraphs that do not, on less than half of the pages.
        KeepAgain = "keep_again",
        /// The last lines of a text: a name below a letter.
        KeepClosing = "keep_closing",
        /// A table of data of which a part does not repeat.
        KeepData = "keep_data",

        /// It is named as readers' comments.
        Comments = "comments",
        /// A post with another number than the page's.
        AnotherPost = "another_post",
        /// It is named as other posts of the site.
        OtherPosts = "other_posts",
        /// Its name is never that of content: share buttons.
        NeverContent = "never_content",
        /// It is named as the caption of a picture.
        Caption = "caption",
        /// Its name is that of what is around content.
        Around = "around",
        /// An element around content: nav, footer, aside, form, dialog, search.
        EdgeElement = "edge_element",
        /// A block with too much of the prose is no boilerplate, whatever its name.
        KeepLarge = "keep_large",
        /// Captions that have next to all of the prose.
        KeepCaptions = "keep_captions",
        /// A block that its author placed (`wp-block-…`) in a known place, whatever its name.
        KeepPlaced = "keep_placed",

        /// A selector of what is no content. The row is the selector.
        Dropped = "dropped",
        /// The heading with which a theme begins what an author wrote elsewhere.
        ThemeHeading = "theme_heading",
        /// A form without prose.
        Form = "form",
        /// What is beside the rows of a document of a page builder.
        BesideRows = "beside_rows",
        /// Links to tags, or to the posts before and after.
        Tags = "tags",
        /// A text that is a plugin's notice. The row is the text.
        Notice = "notice",
        /// A heading above other posts, with those. The row is the text.
        Section = "section",
        /// A line that says nothing of its own: "Read more". The row is the text.
        Line = "line",
        /// A heading among prose, an item of a list, whatever it says.
        KeepHeading = "keep_heading",
        KeepListed = "keep_listed",
        /// A sentence that is known not to be the site's.
        KeepSentence = "keep_sentence",
        /// A heading that says the title before everything else.
        Title = "title",
        /// Links after the last prose of a known place.
        Tail = "tail",
        /// Sources of a text.
        KeepSources = "keep_sources",
        /// What is before the title or the first prose of a scored block, or after the last, where the site is known.
        Ends = "ends",
        /// What is short before the first prose of a scored block and after its last.
        Edges = "edges",
        KeepBeginning = "keep_beginning",
        KeepLastLines = "keep_last_lines",
        /// A heading at the end, below which all was dropped.
        LastHeading = "last_heading",
        /// A block of which nothing is left.
        Emptied = "emptied",
        /// What a post of a thread quotes of one before it.
        Quoted = "quoted",
        /// A message of PHP.
        Message = "message",


        /// A heading is the site's that other pages have, too.
        HeadingOfSite = "heading_of_site",
        /// The title is what a link to the page itself shows.
        TitleLinked = "title_linked",
        /// A heading that says what the head states.
        TitleStated = "title_stated",
        /// What the head states, if a heading of a lower level says that, too; with its capitals.
        TitleSaid = "title_said",
        TitleRespelled = "title_respelled",
        /// A heading that says a part of what the head states, or nearly that.
        TitlePart = "title_part",
        TitleAlike = "title_alike",
        /// The most trusted heading that is not the site's.
        TitleOwn = "title_own",
        /// What the head states, where a heading has more than that.
        TitleShorter = "title_shorter",
        /// The name of the site, before its tagline.
        TitleTagline = "title_tagline",

        /// The date of the only element above the content of a post.
        DateAbove = "date_above",
        /// The day in the permalink.
        DayInPermalink = "day_in_permalink",
        /// The day in words: in an element for that, between title and content, before the links to terms.
        DayShown = "day_shown",
        DayBelowTitle = "day_below_title",
        DayBeforeTerms = "day_before_terms",

        /// The author by JSON-LD, an element, the head, a byline in words.
        AuthorOfJsonLd = "author_of_json_ld",
        AuthorOfElement = "author_of_element",
        AuthorOfHead = "author_of_head",
        AuthorInWords = "author_in_words",
        /// The featured image of a post may be outside of its element.
        FeaturedOutside = "featured_outside",
    }
}

impl Rule {
    /// Whether the rule holds: if what it asks for is so, and it is asked.
    #[inline]
    pub(crate) fn holds(self, is_so: bool) -> bool {
        is_so && self.is_on()
    }

    /// Whether the rule is asked: each is, but in a build that measures what rules decide (feature `ablation`).
    #[cfg(not(feature = "ablation"))]
    #[inline]
    pub(crate) const fn is_on(self) -> bool {
        true
    }
}

/// What measures a rule: it is left unasked, and what the record is without it is written beside it.
#[cfg(feature = "ablation")]
pub(crate) mod ablation {
    use super::Rule;
    use std::cell::Cell;
    use std::sync::OnceLock;

    /// Rules that are never asked, a bit each.
    static NEVER: OnceLock<u128> = OnceLock::new();

    thread_local! {
        static OFF: Cell<u128> = const { Cell::new(0) };
        static HELD: Cell<u128> = const { Cell::new(0) };
    }

    fn bit(rule: Rule) -> u128 {
        const { assert!(Rule::ALL.len() <= 128) };
        1 << rule as u32
    }

    impl Rule {
        pub(crate) fn is_on(self) -> bool {
            HELD.set(HELD.get() | bit(self));
            (OFF.get() | NEVER.get().copied().unwrap_or_default()) & bit(self) == 0
        }
    }

    /// Never asks the rules of these names.
    ///
    /// # Errors
    /// The name that no rule has.
    pub fn never_ask(names: &[String]) -> Result<(), String> {
        let rule = |name: &String| Rule::ALL.iter().find(|rule| rule.name() == name).ok_or_else(|| name.clone());
        let rules = names.iter().map(rule).collect::<Result<Vec<_>, _>>()?;
        _ = NEVER.set(rules.into_iter().fold(0, |all, rule| all | bit(*rule)));
        Ok(())
    }

    /// The rules that held since this was asked last.
    pub(crate) fn held() -> impl Iterator<Item = Rule> {
        let held = HELD.replace(0);
        Rule::ALL.iter().copied().filter(move |rule| held & bit(*rule) != 0)
    }

    /// Does something without a rule.
    pub(crate) fn without<T>(rule: Rule, act: impl FnOnce() -> T) -> T {
        OFF.set(bit(rule));
        let done = act();
        OFF.set(0);
        done
    }
}

#[cfg(test)]
mod tests {
    use super::Rule;

    #[test]
    fn every_rule_is_in_the_page_and_the_reverse() {
        let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/man/wp-translations.1")).unwrap();
        let rules = page.split(".Sh RULES\n").nth(1).unwrap().split("\n.Sh ").next().unwrap();
        let told: Vec<&str> = rules.lines().filter_map(|line| line.strip_prefix(".It Cm ")).collect();
        assert_eq!(Rule::ALL.iter().map(|rule| rule.name()).collect::<Vec<_>>(), told);
    }
}
