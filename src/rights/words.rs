//! Reads the words by which people name the subject of a licence from the table `words.txt`. [`super::subject`]
//! interprets their combinations.

use std::collections::HashSet;
use std::sync::LazyLock;

const TABLE: &str = include_str!("words.txt");

/// The words or phrases in a table's section.
pub(super) fn phrases(table: &'static str, name: &str) -> impl Iterator<Item = &'static str> {
    let head = move |line: &&str| line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) == Some(name);
    let lines = table.lines().skip_while(move |line| !head(line)).skip(1).take_while(|line| !line.starts_with('['));
    let lines = lines.filter(|line| !line.starts_with('#')).flat_map(|line| line.split(','));
    lines.map(str::trim).filter(|phrase| !phrase.is_empty())
}

macro_rules! lists {
    ($($name:ident: $type:ty = $key:literal,)*) => { $(
        pub(super) static $name: LazyLock<$type> = LazyLock::new(|| phrases(TABLE, $key).collect());
    )* };
}

lists! {
    TEXTS: HashSet<&'static str> = "texts",
    SITES: HashSet<&'static str> = "sites",
    PAGES: HashSet<&'static str> = "pages",
    IMAGES: HashSet<&'static str> = "images",
    OTHERS: HashSet<&'static str> = "others",
    OWN: HashSet<&'static str> = "own",
    FOREIGN: HashSet<&'static str> = "foreign",
    EXEMPTING: HashSet<&'static str> = "exempting",
    ARTICLES: HashSet<&'static str> = "articles",
    WHOLE: HashSet<&'static str> = "whole",
    CREDITS: HashSet<&'static str> = "credits",
    VERBS: Vec<&'static str> = "verbs",
    LABELS: HashSet<&'static str> = "labels",
    PARTS: Vec<&'static str> = "parts",
    NOTED: HashSet<&'static str> = "noted",
    RESERVED: Vec<&'static str> = "reserved",
    TEXTS_UNSPACED: Vec<&'static str> = "texts_unspaced",
    SITES_UNSPACED: Vec<&'static str> = "sites_unspaced",
    IMAGES_UNSPACED: Vec<&'static str> = "images_unspaced",
    OTHERS_UNSPACED: Vec<&'static str> = "others_unspaced",
    VERBS_UNSPACED: Vec<&'static str> = "verbs_unspaced",
    OWN_UNSPACED: Vec<&'static str> = "own_unspaced",
    FOREIGN_UNSPACED: Vec<&'static str> = "foreign_unspaced",
    NEGATIONS_UNSPACED: Vec<&'static str> = "negations_unspaced",
    JOINS_UNSPACED: Vec<&'static str> = "joins_unspaced",
    WITHIN: HashSet<&'static str> = "within",
    GENITIVES: HashSet<&'static str> = "genitives",
    JOINS: HashSet<&'static str> = "joins",
    NEGATIONS: Vec<&'static str> = "negations",
    CONDITIONS: HashSet<&'static str> = "conditions_of_licences",
    IFS: HashSet<&'static str> = "ifs",
    EXAMPLES: HashSet<&'static str> = "examples",
    DEFINITIONS: Vec<&'static str> = "definitions",
    DEFINITIONS_UNSPACED: Vec<&'static str> = "definitions_unspaced",
    UNDER: HashSet<&'static str> = "under",
    AROUND: HashSet<&'static str> = "around",
    BY: HashSet<&'static str> = "by",
    DEVICES: Vec<&'static str> = "devices",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_each_list() {
        assert!(TEXTS.contains("œuvre") && LABELS.contains("licence") && !TEXTS.contains("photo"));
        assert!(
            SITES_UNSPACED.contains(&"本站") && !VERBS_UNSPACED.is_empty() && RESERVED.contains(&"all rights reserved")
        );
        let lists = [&TEXTS, &SITES, &PAGES, &IMAGES, &OTHERS, &OWN, &FOREIGN, &WHOLE, &CREDITS, &LABELS, &NOTED];
        for list in lists {
            assert!(list.len() > 3 && list.iter().all(|word| word.to_lowercase() == **word), "{list:?}");
        }
    }
}
