use super::*;
use proptest::prelude::*;

#[track_caller]
fn check(tag: &str, sentences: &[&str]) {
    let line = sentences.join(" ");
    let found: Vec<&str> = Segmenter::default().sentences(&line, Some(tag)).into_iter().map(str::trim_end).collect();
    assert_eq!(found, sentences, "{tag}");
}

fn words(tag: &str, sentence: &str) -> Vec<String> {
    let words = Segmenter::default().words(sentence, Some(tag)).into_iter().filter(|word| !word.trim().is_empty());
    words.map(str::to_owned).collect()
}

#[test]
fn abbreviations_and_initials_end_no_sentence() {
    check("de-DE", &["Dr. Meyer kam gegen 8 Uhr an, z. B. Montag, vgl. Abs. 3.", "Dann ging er."]);
    check("en", &["Mr. J. R. Smith met Dr. Jones.", "They left."]);
    check("fr", &["M. Dupont habite ici depuis 1990 (cf. Dupont).", "Il part."]);
    check("ru", &["Это ул. Ленина, проф. Иванов.", "Он дома."]);
    check("uk", &["Це вул. Шевченка.", "Він удома."]);
    // These are words, though CLDR lists them as abbreviations.
    check("en", &["Press OK.", "So did I.", "Then go on."]);
    check("de", &["Das ist die Art und sie ist alt.", "Er lief einen Test.", "Gut."]);
    // A language without tables, split by Unicode's rules.
    check("fi", &["Dr.", "Virtanen tuli."]);
}

#[test]
fn ordinals_and_the_numbers_of_items_end_no_sentence() {
    check("de", &["Am 3. Oktober 1990, im 19. Jahrhundert und am 2. Tag.", "Es waren 3.", "Sie kamen."]);
    check("en", &["1. First, open it.", "It was built in 1990.", "Then it fell."]);
    check("cs", &["Dne 3. října přišel.", "Odešel."]);
}

#[test]
fn addresses_are_whole() {
    check("en", &["See https://a.example/?Q=A!B.C&x=1.", "Write to J.Doe@mail.example.", "Yes."]);
    check("zz", &["Is it http://a.example/x?Y here?", "(No: http://b.example.)", "Yes."]);
    assert_eq!(
        words("en", "see www.a.example/b?c=d, or a.b+c@d.example."),
        ["see", "www.a.example/b?c=d", ",", "or", "a.b+c@d.example", "."]
    );
    assert_eq!(words("ja", "詳細はhttps://a.example/x-y。"), ["詳細", "は", "https://a.example/x-y", "。"]);
    assert_eq!(words("en", "a@b and www."), ["a", "@", "b", "and", "www", "."]);
}

#[test]
fn an_apostrophe_parts_what_the_language_elides() {
    assert_eq!(
        words("fr-CA", "L’article qu'aujourd’hui d’abord"),
        ["L’", "article", "qu'", "aujourd’hui", "d’", "abord"]
    );
    assert_eq!(words("fr", "prud’homme et O’Neill"), ["prud’homme", "et", "O’Neill"]);
    assert_eq!(words("it", "dell’arte"), ["dell’", "arte"]);
    assert_eq!(words("en", "don’t l’article"), ["don’t", "l’article"]);
}

#[test]
fn the_manual_names_the_languages_with_tables() {
    let tags = format!("({})", tables::tags().join(", "));
    assert!(include_str!("../../man/wp-export.1").contains(&tags), "{tags}");
}

proptest! {
    #![proptest_config(crate::cases::cases(300))]

    /// Every part of a text is returned exactly once.
    #[test]
    fn sentences_and_words_are_the_text(text in "([A-Za-zé’'. !?@:/0-9。日本]|Dr\\. |http://|l’){0,40}", tag in "(de|fr|en|ja|zz)") {
        let segmenter = Segmenter::default();
        let sentences = segmenter.sentences(&text, Some(&tag));
        prop_assert_eq!(sentences.concat(), text.clone());
        prop_assert!(sentences.iter().all(|sentence| !sentence.is_empty()));
        prop_assert_eq!(segmenter.words(&text, Some(&tag)).concat(), text);
    }
}
