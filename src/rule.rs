//! Names the rules that choose a page's content, title, date, author and terms, and what a licence is about, as wp-content(7) explains
//! them.

use crate::ndjson::named;

named! {
    /// The rules in the order in which they are asked. Those whose names begin with `keep_` are exceptions to the ones before them.
    pub(crate) enum Rule {
        /// The first element in which a selector places the content. The row is the selector.
        Selector = "selector",
        /// The element in which known contents of the site are. The row is its selector.
        SitePlace = "site_place",
        /// The texts of a forum's thread.
        Thread = "thread",
        /// The thread in a noscript element.
        Noscript = "noscript",
        /// Everything from the first to the last place, for documents with several.
        Parts = "parts",
        /// The block with the best score.
        Score = "score",
        /// The best block inside a place that also holds the page's title, before all prose.
        Frame = "frame",
        /// The rows of a page builder around the best block.
        RowsAround = "rows_around",
        /// The rows of a page builder that make up most of the best block.
        RowsInside = "rows_inside",
        /// The rows of a page builder on a page without prose.
        RowsWordless = "rows_wordless",
        /// The page's main element, if the best block has less than a fifth of its letters.
        Main = "main",
        /// The page's main element, on a page without prose.
        MainWithoutProse = "main_without_prose",
        /// The posts of a list.
        List = "list",
        /// The element around all texts that only this page has, if the place has less than half as many letters.
        OwnText = "own_text",
        /// The text of a post whose words other posts repeat.
        SharedText = "shared_text",

        /// Refuses a place with less than a fifth of the best block's prose.
        PlaceTooSmall = "place_too_small",
        /// Refuses a place in the header or footer of the page, unless it is the only one.
        PlaceInFrame = "place_in_frame",
        /// Refuses a place in a post with another number than the page's, or in a dialog.
        PlaceOfAnother = "place_of_another",
        /// Refuses a place that shows another document, by the number that the page builder gives.
        PlaceOfDocument = "place_of_document",
        /// Refuses an empty place.
        PlaceEmpty = "place_empty",

        /// Scores an element higher by a twentieth if it is named as content.
        NamedContent = "named_content",
        /// Drops a text that repeats over the site's pages.
        Repeated = "repeated",
        /// Drops the page's title, if the site's template is known.
        RepeatedTitle = "repeated_title",
        /// A short text between two that do not repeat.
        KeepBetween = "keep_between",
        /// A repeated text among paragraphs, on less than half of the pages.
        KeepAgain = "keep_again",
        /// The last lines of a text, such as a name below a letter.
        KeepClosing = "keep_closing",
        /// A table of data, if a part of it does not repeat.
        KeepData = "keep_data",

        /// An element named as readers' comments.
        Comments = "comments",
        /// A post with another number than the page's.
        AnotherPost = "another_post",
        /// A dialog, which is laid over the page.
        Overlay = "overlay",
        /// An element named as other posts of the site.
        OtherPosts = "other_posts",
        /// An element with the name of a share bar, an author's box or the like.
        NeverContent = "never_content",
        /// An element named as a picture's caption.
        Caption = "caption",
        /// An element with the name of a sidebar, menu, header or the like.
        Around = "around",
        /// A nav, footer, aside, form, dialog or search element.
        EdgeElement = "edge_element",
        /// A block with too much of the prose, whatever its name.
        KeepLarge = "keep_large",
        /// Captions that hold nearly all of the prose.
        KeepCaptions = "keep_captions",
        /// A block that its author placed (wp-block-…) in a known place.
        KeepPlaced = "keep_placed",

        /// An element that a selector names as boilerplate. The row is the selector.
        Dropped = "dropped",
        /// A theme's heading above the author's text, such as Description.
        ThemeHeading = "theme_heading",
        /// A form without prose.
        Form = "form",
        /// Links to tags, or to the posts before and after.
        Tags = "tags",
        /// A plugin's notice. The row is its text.
        Notice = "notice",
        /// A heading above other posts, with those.
        Section = "section",
        /// A line such as Read more.
        Line = "line",
        /// A heading among prose.
        KeepHeading = "keep_heading",
        /// An item of a list without links.
        KeepListed = "keep_listed",
        /// A sentence that does not repeat over the site's pages.
        KeepSentence = "keep_sentence",
        /// A heading that repeats the title before everything else.
        Title = "title",
        /// Links after the last prose of a known place.
        Tail = "tail",
        /// A list of sources.
        KeepSources = "keep_sources",
        /// The title and dates before the first prose, and links beside the prose, if the site's template is known.
        Ends = "ends",
        /// Short texts before the first prose and after the last, otherwise.
        Edges = "edges",
        /// A sentence beside the first prose.
        KeepBeginning = "keep_beginning",
        /// A paragraph beside the last prose.
        KeepLastLines = "keep_last_lines",
        /// A heading at the end whose text was dropped.
        LastHeading = "last_heading",
        /// A block whose texts were all dropped; `--explain` names their rule.
        Emptied = "emptied",
        /// A quotation of an earlier post of the thread.
        Quoted = "quoted",
        /// A message of PHP.
        Message = "message",

        /// Refuses a heading that other pages have, too.
        HeadingOfSite = "heading_of_site",
        /// The text of a link to the page itself.
        TitleLinked = "title_linked",
        /// A heading that repeats the head's title.
        TitleStated = "title_stated",
        /// The head's title, if a heading of a lower level repeats it.
        TitleSaid = "title_said",
        /// That heading, if only its capitals differ.
        TitleRespelled = "title_respelled",
        /// A heading that repeats a part of the head's title.
        TitlePart = "title_part",
        /// A heading with most words of the head's title.
        TitleAlike = "title_alike",
        /// The most trusted heading of the page.
        TitleOwn = "title_own",
        /// The head's title, if a heading adds words to it.
        TitleShorter = "title_shorter",
        /// The name of the site instead of its tagline.
        TitleTagline = "title_tagline",

        /// The only date above the content, on a page of one post.
        DateAbove = "date_above",
        /// The date of an element of a list, which does not count.
        DateOfList = "date_of_list",
        /// The day in the words of an element whose attribute states another.
        DayOfElement = "day_of_element",
        /// The day in the permalink.
        DayInPermalink = "day_in_permalink",
        /// The day in words, in an element named as a date.
        DayShown = "day_shown",
        /// The day in words between title and content.
        DayBelowTitle = "day_below_title",
        /// The day in words before the links to terms.
        DayBeforeTerms = "day_before_terms",

        /// The author in JSON-LD.
        AuthorOfJsonLd = "author_of_json_ld",
        /// The author in an element of the post.
        AuthorOfElement = "author_of_element",
        /// The author in the head.
        AuthorOfHead = "author_of_head",
        /// The author in words between title and content.
        AuthorInWords = "author_in_words",
        /// Allows a featured image outside the post's element.
        FeaturedOutside = "featured_outside",

        /// A term that the page links to as its own.
        TermLinked = "term_linked",
        /// A term that only a class of the post's element names.
        TermOfClass = "term_of_class",

        /// Refuses a licence that the sentence denies, asks for or gives as an example.
        LicenceUnmeant = "licence_unmeant",
        /// Refuses the licence of a program, unless the sentence is about a text.
        LicenceOfProgram = "licence_of_program",
        /// Refuses the licence of a work with another author or title, unless that is an image.
        LicenceOfAnother = "licence_of_another",
        /// The licence that the markup states as the page's.
        LicenceMarked = "licence_marked",
        /// Refuses the licence in a sentence about a text, if that is not this one.
        LicenceOfOthersText = "licence_of_others_text",
        /// Refuses such a licence after a link to another site, or amid a long text.
        LicenceInPassing = "licence_in_passing",
        /// The licence in a sentence about this text or the site.
        LicenceOfText = "licence_of_text",
        /// The licence of images.
        LicenceOfImage = "licence_of_image",
        /// Refuses a licence after a link to another site, or of something else.
        LicenceOfThing = "licence_of_thing",
        /// The licence in a header or footer, which is the site's.
        LicenceAtEdge = "licence_at_edge",
        /// A licence alone in its line.
        LicenceAlone = "licence_alone",
        /// Refuses the licences of a text about licences.
        LicenceOfSeveral = "licence_of_several",
        /// Refuses the licences of other articles on the page.
        LicenceOfArticle = "licence_of_article",
    }
}

impl Rule {
    /// Whether the rule holds: its condition is true, and the rule is on.
    #[inline]
    pub(crate) fn holds(self, is_so: bool) -> bool {
        is_so && self.is_on()
    }

    /// Whether the rule is on: all are, except in a build that measures what each rule decides (feature `ablation`).
    #[cfg(not(feature = "ablation"))]
    #[inline]
    pub(crate) const fn is_on(self) -> bool {
        true
    }
}

/// Switches rules off, to measure what each decides: wp-translations then writes the record without the rule beside the record.
#[cfg(feature = "ablation")]
pub(crate) mod ablation {
    use super::Rule;
    use std::cell::Cell;
    use std::sync::OnceLock;

    /// The rules that are off for the whole run, one bit each.
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

    /// Switches off the rules with these names for the whole run.
    ///
    /// # Errors
    /// The first name that is not the name of a rule.
    pub fn never_ask(names: &[String]) -> Result<(), String> {
        let rule = |name: &String| Rule::ALL.iter().find(|rule| rule.name() == name).ok_or_else(|| name.clone());
        let rules = names.iter().map(rule).collect::<Result<Vec<_>, _>>()?;
        _ = NEVER.set(rules.into_iter().fold(0, |all, rule| all | bit(*rule)));
        Ok(())
    }

    /// The rules whose conditions were true since the last call.
    pub(crate) fn held() -> impl Iterator<Item = Rule> {
        let held = HELD.replace(0);
        Rule::ALL.iter().copied().filter(move |rule| held & bit(*rule) != 0)
    }

    /// Calls `act` while a rule is off.
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
        let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/man/wp-content.7")).unwrap();
        let rules = page.split(".Sh RULES\n").nth(1).unwrap().split("\n.Sh ").next().unwrap();
        let told: Vec<&str> = rules.lines().filter_map(|line| line.strip_prefix(".It Cm ")).collect();
        assert_eq!(Rule::ALL.iter().map(|rule| rule.name()).collect::<Vec<_>>(), told);
    }
}
