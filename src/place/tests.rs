use super::*;

/// A page of a theme without a known name: its content is in lines, and what readers say beside it is prose.
fn page(n: usize, class: &str, content: &str) -> String {
    let said = format!("Reader {n} has seen {} boats, and says that all of them, old or new, were sound. ", n * n);
    format!(
        "<!doctype html><html lang=en><head><title>Boat {n}</title></head><body class='single postid-{n}'><div class=q1>\
         <div class='{class} x{n}'>{content}</div><div class=q7><p>{said}</p><p>{}</p></div></div></body></html>",
        said.repeat(6)
    )
}

fn content(n: usize) -> String {
    (0..12).map(|at| format!("<div>oak{n} elm{at} tar{}</div>", n * at)).collect()
}

fn known(pages: impl Iterator<Item = usize>, class: &str) -> Vec<Known> {
    pages.map(|n| Known { page: page(n, class, &content(n)), content: content(n) }).collect()
}

#[test]
fn the_place_is_the_element_with_the_words_of_the_contents() {
    let place = learn(&known(1..9, "lines")).unwrap();
    assert_eq!(place.content.as_deref(), Some("div.lines"));
    assert_eq!((place.agree, place.of, place.share), (Some(8), Some(8), Some(1.0)));
}

#[test]
fn the_order_of_the_pages_does_not_matter() {
    let first = learn(&known(1..9, "lines"));
    for turn in 1..8 {
        assert_eq!(learn(&known((1..9).cycle().skip(turn).take(8), "lines")), first);
    }
}

#[test]
fn too_few_pages_and_what_the_rules_choose_as_well_teach_nothing() {
    assert_eq!(learn(&[]), None);
    assert_eq!(learn(&known(1..3, "lines")), None);
    assert_eq!(learn(&known(1..9, "entry-content")), None);
    let other =
        known(1..9, "lines").into_iter().map(|known| Known { content: "<p>Other words</p>".to_owned(), ..known });
    assert_eq!(learn(&other.collect::<Vec<_>>()), None);
}

#[test]
fn names_with_numbers_and_parts_of_texts_are_no_places() {
    let words = Words::of("<body><div id=a1 class='b c2'><p class=d>x<div>y</div></div>", true);
    assert_eq!(words.first.keys().collect::<Vec<_>>(), ["div.b", "div.b > div"]);
    let range = |name: &str| words.elements[words.first[name]].clone();
    assert_eq!((range("div.b"), range("div.b > div"), words.words.len()), (0..2, 1..2, 2));
}
