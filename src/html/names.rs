//! Lists the HTML elements that the parser or the rendering of text treats specially, with flags for how. `elements`
//! and the sinks use this table; all other elements are [`OTHER`].
//!
//! Sources: the [parser's categories](https://html.spec.whatwg.org/multipage/parsing.html#the-stack-of-open-elements)
//! and the [style sheet of user agents](https://html.spec.whatwg.org/multipage/rendering.html).

/// An element's name as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Name(u8);

/// The element is a block, which breaks the line at both ends.
pub(crate) const BLOCK: u32 = 1 << 0;
/// It is void: it has no content and no end tag.
pub(crate) const VOID: u32 = 1 << 1;
/// It is of the parser's category "special": an inline end tag does not close elements across it.
pub(crate) const SPECIAL: u32 = 1 << 2;
/// It is of the parser's category "formatting": its end tag leaves blocks inside it open.
pub(crate) const FORMATTING: u32 = 1 << 3;
/// Its start tag ends an open paragraph.
pub(crate) const CLOSES_P: u32 = 1 << 4;
/// It is one of h1 to h6: the end tag of any of them ends any other.
pub(crate) const HEADING: u32 = 1 << 5;
/// Its content is never text.
pub(crate) const NOT_TEXT: u32 = 1 << 6;
/// It has no box, so it causes no line break where it is left out.
pub(crate) const NO_BOX: u32 = 1 << 7;
/// It keeps its white space.
pub(crate) const PRE: u32 = 1 << 8;
/// End tags inside it do not close elements outside.
pub(crate) const SCOPE: u32 = 1 << 9;
/// Links that were open outside are not reopened inside.
pub(crate) const MARKER: u32 = 1 << 10;
/// It occurs only in tables.
pub(crate) const TABLE_PART: u32 = 1 << 11;
/// It is a table's cell.
pub(crate) const CELL: u32 = 1 << 12;
/// Its tags are ignored inside a body.
pub(crate) const IGNORED: u32 = 1 << 13;
/// It ends SVG and MathML.
pub(crate) const BREAKOUT: u32 = 1 << 14;
/// In SVG or MathML, it holds HTML again.
pub(crate) const INTEGRATION: u32 = 1 << 15;
/// It changes how its content, or the element itself, is displayed; see [`Look`](super::style::Look).
pub(crate) const PLACE: u32 = 1 << 16;

/// Any element that is not listed.
pub(crate) const OTHER: Name = Name(0);

macro_rules! elements {
    ($(($constant:ident, $text:literal, $flags:expr),)*) => {
        #[repr(u8)]
        #[allow(dead_code, non_camel_case_types, clippy::upper_case_acronyms, reason = "they only number the table")]
        enum Number { OTHER, $($constant),* }
        impl Name {
            $(#[allow(dead_code, missing_docs, reason = "most elements matter by their flags alone")] pub(crate) const $constant: Name = Name(Number::$constant as u8);)*
        }
        /// The packed name and the flags of each number.
        const TABLE: &[(u128, u32)] = &[(0, 0), $((pack($text.as_bytes()), $flags)),*];
    };
}

impl Name {
    /// How many numbers there are.
    pub(crate) const COUNT: usize = TABLE.len();

    /// The number of the element called `text`, in any case.
    pub(crate) fn of(text: &str) -> Name {
        Name::of_bytes(text.as_bytes())
    }

    /// Like [`Name::of`], for bytes that need not be UTF-8.
    pub(crate) fn of_bytes(text: &[u8]) -> Name {
        let mut chunk = [0; 16];
        let Some(place) = chunk.get_mut(..text.len()) else { return OTHER };
        place.copy_from_slice(text);
        Name::of_chunk(chunk, text.len())
    }

    /// Like [`Name::of`], for a name in the first `length` bytes of the chunk.
    #[inline]
    pub(crate) fn of_chunk(chunk: [u8; 16], length: usize) -> Name {
        // A NUL at the end would vanish when packed.
        if length == 0 || chunk[(length - 1) % 16] == 0 {
            return OTHER;
        }
        let all = u128::from_le_bytes(chunk);
        // Nearly all names are short, and 128-bit arithmetic is slower.
        let packed = if length <= 8 {
            u128::from(lower_case(all as u64 & u64::MAX.checked_shr(64 - 8 * length as u32).unwrap_or(0)))
        } else {
            let cut = all & u128::MAX >> (128 - 8 * length.min(16));
            u128::from(lower_case((cut >> 64) as u64)) << 64 | u128::from(lower_case(cut as u64))
        };
        let mut slot = slot_of(packed);
        loop {
            let number = SLOTS[slot];
            if number == 0 || TABLE[number as usize].0 == packed {
                return Name(number);
            }
            slot = (slot + 1) % SLOTS.len();
        }
    }

    /// The number itself.
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// All flags of the name.
    pub(crate) fn flags(self) -> u32 {
        TABLE[self.index()].1
    }

    /// Whether it has one of `flags`.
    pub(crate) fn is(self, flags: u32) -> bool {
        self.flags() & flags != 0
    }
}

/// Packs up to 16 bytes into one number, with letters in lower case. This cannot make two names equal, because no name
/// contains an upper-case letter.
const fn pack(text: &[u8]) -> u128 {
    let mut packed = 0;
    let mut at = 0;
    while at < text.len() {
        packed |= (text[at].to_ascii_lowercase() as u128) << (8 * at);
        at += 1;
    }
    packed
}

/// Eight bytes with their ASCII letters in lower case.
fn lower_case(packed: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // The high bit of each byte shows whether it is an upper-case letter.
    let low = packed & (ONES * 0x7f);
    let upper =
        (low + ONES * u64::from(0x80 - b'A')) & !(low + ONES * u64::from(0x7f - b'Z')) & !packed & (ONES * 0x80);
    packed | upper >> 2
}

const fn slot_of(packed: u128) -> usize {
    let folded = (packed as u64) ^ ((packed >> 64) as u64).rotate_left(23);
    (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 55) as usize
}

/// An open-addressing hash table, filled at compile time.
static SLOTS: [u8; 512] = {
    let mut slots = [0; 512];
    let mut number = 1;
    while number < TABLE.len() {
        let mut slot = slot_of(TABLE[number].0);
        while slots[slot] != 0 {
            slot = (slot + 1) % slots.len();
        }
        slots[slot] = number as u8;
        number += 1;
    }
    slots
};

#[rustfmt::skip]
elements! {
    (A, "a", FORMATTING),
    (ABBR, "abbr", 0),
    (ADDRESS, "address", BLOCK | SPECIAL | CLOSES_P),
    (AMP_IFRAME, "amp-iframe", 0),
    (AMP_STORY, "amp-story", BLOCK),
    (AMP_STORY_PAGE, "amp-story-page", BLOCK),
    (AMP_VIMEO, "amp-vimeo", 0),
    (AMP_YOUTUBE, "amp-youtube", 0),
    (ANNOTATION, "annotation", PLACE),
    (ANNOTATION_XML, "annotation-xml", INTEGRATION | PLACE),
    (APPLET, "applet", SPECIAL | SCOPE | MARKER),
    (AREA, "area", VOID | SPECIAL),
    (ARTICLE, "article", BLOCK | SPECIAL | CLOSES_P),
    (ASIDE, "aside", BLOCK | SPECIAL | CLOSES_P),
    (AUDIO, "audio", NOT_TEXT),
    (B, "b", FORMATTING | BREAKOUT),
    (BASE, "base", VOID | SPECIAL),
    (BASEFONT, "basefont", VOID | SPECIAL),
    (BDI, "bdi", 0),
    (BDO, "bdo", 0),
    (BGSOUND, "bgsound", VOID | SPECIAL),
    (BIG, "big", FORMATTING | BREAKOUT),
    (BLOCKQUOTE, "blockquote", BLOCK | SPECIAL | CLOSES_P | BREAKOUT),
    (BODY, "body", SPECIAL | IGNORED | BREAKOUT),
    (BR, "br", BLOCK | VOID | SPECIAL | BREAKOUT | PLACE),
    (BUTTON, "button", SPECIAL | NOT_TEXT | PLACE),
    (CANVAS, "canvas", NOT_TEXT),
    (CAPTION, "caption", SPECIAL | SCOPE | MARKER | TABLE_PART | PLACE),
    (CENTER, "center", BLOCK | SPECIAL | CLOSES_P | BREAKOUT),
    (CITE, "cite", 0),
    (CODE, "code", FORMATTING | BREAKOUT),
    (COL, "col", VOID | SPECIAL),
    (COLGROUP, "colgroup", SPECIAL | TABLE_PART),
    (DATALIST, "datalist", NOT_TEXT | NO_BOX),
    (DD, "dd", BLOCK | SPECIAL | CLOSES_P | BREAKOUT),
    (DEL, "del", 0),
    (DESC, "desc", INTEGRATION),
    (DETAILS, "details", BLOCK | SPECIAL | CLOSES_P),
    (DFN, "dfn", 0),
    (DIALOG, "dialog", BLOCK | CLOSES_P),
    (DIR, "dir", BLOCK | SPECIAL | CLOSES_P),
    (DIV, "div", BLOCK | SPECIAL | CLOSES_P | BREAKOUT),
    (DL, "dl", BLOCK | SPECIAL | CLOSES_P | BREAKOUT),
    (DT, "dt", BLOCK | SPECIAL | CLOSES_P | BREAKOUT | PLACE),
    (EM, "em", FORMATTING | BREAKOUT),
    (EMBED, "embed", VOID | SPECIAL | BREAKOUT),
    (FIELDSET, "fieldset", BLOCK | SPECIAL | CLOSES_P),
    (FIGCAPTION, "figcaption", BLOCK | SPECIAL | CLOSES_P),
    (FIGURE, "figure", BLOCK | SPECIAL | CLOSES_P | PLACE),
    (FONT, "font", FORMATTING),
    (FOOTER, "footer", BLOCK | SPECIAL | CLOSES_P),
    (FOREIGNOBJECT, "foreignobject", INTEGRATION),
    (FORM, "form", BLOCK | SPECIAL | CLOSES_P | PLACE),
    (FRAME, "frame", SPECIAL | IGNORED),
    (FRAMESET, "frameset", SPECIAL | IGNORED),
    (H1, "h1", BLOCK | SPECIAL | CLOSES_P | HEADING | BREAKOUT | PLACE),
    (H2, "h2", BLOCK | SPECIAL | CLOSES_P | HEADING | BREAKOUT | PLACE),
    (H3, "h3", BLOCK | SPECIAL | CLOSES_P | HEADING | BREAKOUT | PLACE),
    (H4, "h4", BLOCK | SPECIAL | CLOSES_P | HEADING | BREAKOUT | PLACE),
    (H5, "h5", BLOCK | SPECIAL | CLOSES_P | HEADING | BREAKOUT | PLACE),
    (H6, "h6", BLOCK | SPECIAL | CLOSES_P | HEADING | BREAKOUT | PLACE),
    (HEAD, "head", SPECIAL | IGNORED | BREAKOUT),
    (HEADER, "header", BLOCK | SPECIAL | CLOSES_P),
    (HGROUP, "hgroup", BLOCK | SPECIAL | CLOSES_P),
    (HR, "hr", BLOCK | VOID | SPECIAL | CLOSES_P | BREAKOUT),
    (HTML, "html", SPECIAL | SCOPE | IGNORED),
    (I, "i", FORMATTING | BREAKOUT),
    (IFRAME, "iframe", SPECIAL | NOT_TEXT),
    (IMAGE, "image", 0),
    (IMG, "img", VOID | SPECIAL | BREAKOUT),
    (INPUT, "input", VOID | SPECIAL | NOT_TEXT),
    (INS, "ins", 0),
    (KBD, "kbd", 0),
    (KEYGEN, "keygen", VOID | SPECIAL),
    (LABEL, "label", 0),
    (LEGEND, "legend", BLOCK),
    (LI, "li", BLOCK | SPECIAL | CLOSES_P | BREAKOUT),
    (LINK, "link", VOID | SPECIAL),
    (LISTING, "listing", BLOCK | SPECIAL | CLOSES_P | PRE | BREAKOUT),
    (LITE_VIMEO, "lite-vimeo", 0),
    (LITE_YOUTUBE, "lite-youtube", 0),
    (MAIN, "main", BLOCK | SPECIAL | CLOSES_P),
    (MAP, "map", 0),
    (MARK, "mark", 0),
    (MARQUEE, "marquee", SPECIAL | SCOPE | MARKER),
    (MATH, "math", PLACE),
    (MENU, "menu", BLOCK | SPECIAL | CLOSES_P | BREAKOUT),
    (META, "meta", VOID | SPECIAL | BREAKOUT),
    (METER, "meter", NOT_TEXT),
    (MI, "mi", INTEGRATION),
    (MN, "mn", INTEGRATION),
    (MO, "mo", INTEGRATION),
    (MS, "ms", INTEGRATION),
    (MTEXT, "mtext", INTEGRATION),
    (NAV, "nav", BLOCK | SPECIAL | CLOSES_P),
    (NOBR, "nobr", FORMATTING | BREAKOUT),
    (NOEMBED, "noembed", SPECIAL | NOT_TEXT | NO_BOX),
    (NOFRAMES, "noframes", SPECIAL | NOT_TEXT | NO_BOX),
    (NOSCRIPT, "noscript", SPECIAL | NOT_TEXT | NO_BOX),
    (OBJECT, "object", SPECIAL | NOT_TEXT | SCOPE | MARKER),
    (OL, "ol", BLOCK | SPECIAL | CLOSES_P | BREAKOUT),
    (OPTGROUP, "optgroup", BLOCK),
    (OPTION, "option", BLOCK | NOT_TEXT),
    (P, "p", BLOCK | SPECIAL | CLOSES_P | BREAKOUT),
    (PARAM, "param", VOID | SPECIAL),
    (PICTURE, "picture", 0),
    (PLAINTEXT, "plaintext", BLOCK | SPECIAL | CLOSES_P | PRE),
    (PRE, "pre", BLOCK | SPECIAL | CLOSES_P | PRE | BREAKOUT),
    (PROGRESS, "progress", NOT_TEXT),
    (Q, "q", 0),
    (RB, "rb", 0),
    (RP, "rp", NOT_TEXT | NO_BOX),
    (RT, "rt", 0),
    (RTC, "rtc", 0),
    (RUBY, "ruby", BREAKOUT),
    (S, "s", FORMATTING | BREAKOUT),
    (SAMP, "samp", 0),
    (SCRIPT, "script", SPECIAL | NOT_TEXT | NO_BOX),
    (SEARCH, "search", BLOCK | SPECIAL | CLOSES_P),
    (SECTION, "section", BLOCK | SPECIAL | CLOSES_P),
    (SELECT, "select", SPECIAL | NOT_TEXT),
    (SMALL, "small", FORMATTING | BREAKOUT),
    (SOURCE, "source", VOID | SPECIAL),
    (SPAN, "span", BREAKOUT),
    (STRIKE, "strike", FORMATTING | BREAKOUT),
    (STRONG, "strong", FORMATTING | BREAKOUT),
    (STYLE, "style", SPECIAL | NOT_TEXT | NO_BOX),
    (SUB, "sub", BREAKOUT),
    (SUMMARY, "summary", BLOCK | SPECIAL | CLOSES_P | PLACE),
    (SUP, "sup", BREAKOUT),
    (SVG, "svg", NOT_TEXT),
    (TABLE, "table", BLOCK | SPECIAL | CLOSES_P | SCOPE | BREAKOUT | PLACE),
    (TBODY, "tbody", SPECIAL | TABLE_PART),
    (TD, "td", SPECIAL | SCOPE | MARKER | TABLE_PART | CELL | PLACE),
    (TEMPLATE, "template", SPECIAL | NOT_TEXT | NO_BOX | SCOPE | MARKER),
    (TEXTAREA, "textarea", SPECIAL | NOT_TEXT),
    (TFOOT, "tfoot", SPECIAL | TABLE_PART),
    (TH, "th", SPECIAL | SCOPE | MARKER | TABLE_PART | CELL | PLACE),
    (THEAD, "thead", SPECIAL | TABLE_PART),
    (TIME, "time", 0),
    (TITLE, "title", SPECIAL | NOT_TEXT | NO_BOX | INTEGRATION),
    (TR, "tr", SPECIAL | TABLE_PART | PLACE),
    (TRACK, "track", VOID | SPECIAL),
    (TT, "tt", FORMATTING | BREAKOUT),
    (U, "u", FORMATTING | BREAKOUT),
    (UL, "ul", BLOCK | SPECIAL | CLOSES_P | BREAKOUT),
    (VAR, "var", BREAKOUT),
    (VIDEO, "video", NOT_TEXT),
    (WBR, "wbr", VOID | SPECIAL),
    (XMP, "xmp", BLOCK | SPECIAL | CLOSES_P | PRE),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_case_and_only_whole() {
        assert_eq!(Name::of("blockquote"), Name::BLOCKQUOTE);
        assert_eq!(Name::of("BlockQuote"), Name::BLOCKQUOTE);
        assert_eq!(Name::of("annotation-xml"), Name::ANNOTATION_XML);
        assert_eq!(
            [Name::of("FiGuRe"), Name::of("H1"), Name::of("TextArea")],
            [Name::FIGURE, Name::H1, Name::TEXTAREA]
        );
        for other in [
            "",
            "@",
            "`",
            "[",
            "á",
            "blockquot",
            "blockquotes",
            "my-element",
            "a-very-long-element-name",
            "é",
            "annotation-xml-a",
            "li\0",
            "\0",
        ] {
            assert_eq!(Name::of(other), OTHER, "{other}");
        }
    }

    #[test]
    fn no_two_names_are_packed_alike() {
        let mut packed: Vec<u128> = TABLE.iter().map(|(packed, _)| *packed).collect();
        packed.sort_unstable();
        packed.dedup();
        assert_eq!(packed.len(), Name::COUNT);
    }
}
