use super::*;
use std::borrow::Cow;

#[test]
fn files_are_found_from_one_another() {
    let place = |folder: &str, name: &str| DocumentFile { folder: folder.to_owned(), name: name.to_owned() };
    let here = place("a/en", "post-1");
    assert_eq!(here.path(), "a/en/post-1");
    for (other, way) in [
        (place("a/en", "post-2"), "post-2.x"),
        (place("a/fr", "post-3"), "../fr/post-3.x"),
        (place("b/fr", "post-3"), "../../b/fr/post-3.x"),
    ] {
        assert_eq!(here.way_to(&other, ".x"), way);
    }
}

#[test]
fn escapes_of_half_characters_are_repaired_and_others_left() {
    assert_eq!(&*sound(br#"{"a":"\ud83d\ude00 \ud83d"}"#), br#"{"a":"\ud83d\ude00 \ufffd"}"#);
    assert!(matches!(sound(b"{}"), Cow::Borrowed(_)));
}
