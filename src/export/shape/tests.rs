use super::*;
use crate::ndjson::write_json;
use serde::Serialize;

/// A record of nulls and empty lists as a stage would write it.
fn line(record: &impl Serialize) -> Vec<u8> {
    let mut line = Vec::new();
    write_json(&mut line, record);
    line
}

fn keys(shape: &Shape) -> Vec<&str> {
    shape.fields().iter().map(|field| field.name.as_str()).collect()
}

fn field<'s>(shape: &'s Shape, name: &str) -> &'s Field {
    shape.fields().iter().find(|field| field.name == name).unwrap()
}

/// The widened shape of these lines, of an unknown kind.
fn seen(lines: &[&str]) -> Shape {
    let mut shape = Shape::UNKNOWN;
    for line in lines {
        shape.take_in(line.as_bytes());
    }
    shape
}

#[test]
fn every_kind_has_the_keys_of_its_record_in_their_order() {
    for (kind, line) in [
        ("post", line(&record::Post::default())),
        ("html", line(&record::Post::default())),
        ("media", line(&record::Media::default())),
        ("term", line(&record::Term::default())),
        ("user", line(&record::User::default())),
        ("comment", line(&record::Comment::default())),
    ] {
        let shape = Shape::of_kind(kind);
        let object = Object::parse(&line).unwrap();
        assert_eq!(keys(&shape), object.iter().map(|(key, _)| key).collect::<Vec<_>>(), "{kind}");
        assert!(shape.fits(&line), "{kind}");
    }
}

#[test]
fn types_are_those_of_record_rs() {
    let post = Shape::of_kind("post");
    assert_eq!(field(&post, "id").shape, Shape { form: Form::Integer, null: true });
    let Form::List(link) = &field(&post, "links").shape.form else { panic!() };
    assert_eq!((link.null, keys(&field(link, "target").shape)), (false, vec!["type", "id", "link"]));
    let details = &field(&Shape::of_kind("media"), "media_details").shape.clone();
    assert_eq!(field(details, "bitrate").shape.form, Form::Number);
    let Form::List(keyword) = &field(&field(details, "image_meta").shape, "keywords").shape.form else { panic!() };
    assert_eq!(**keyword, Shape { form: Form::Text, null: false });
}

#[test]
fn what_is_other_than_the_shape_does_not_fit() {
    let post = record::Post { id: Some(7), categories: vec![1, 2], ..record::Post::default() };
    let good = String::from_utf8(line(&post)).unwrap();
    let shape = Shape::of_kind("post");
    let spaced = good.replace(',', " ,\n").replace(':', " : ");
    assert!(shape.fits(good.as_bytes()) && shape.fits(spaced.as_bytes()));
    for (from, to) in [
        ("\"id\":7", "\"id\":\"7\""),
        ("\"id\":7", "\"id\":7.5"),
        ("\"id\":7", "\"id\":12345678901234567890"),
        ("\"id\":7", "\"id\":7,\"id\":7"),
        ("[1,2]", "[1,null]"),
        ("[1,2]", "null"),
        ("[1,2]", "{}"),
        ("\"guid\":null,", ""),
        ("\"guid\":null", "\"guid\":null,\"mine\":1"),
        ("\"guid\":null", "\"guid\":false"),
        ("{\"type\":null,\"id\":null}", "{\"type\":null}"),
    ] {
        let bad = good.replacen(from, to, 1);
        assert!(bad != good && !shape.fits(bad.as_bytes()), "{to}");
    }
}

#[test]
fn what_does_not_fit_widens_the_shape_until_it_does() {
    let good = String::from_utf8(line(&record::Post::default())).unwrap();
    let mut shape = Shape::of_kind("post");
    for (from, to) in [
        ("\"slug\":null", "\"slug\":[\"a\",{\"b\":1}]"),
        ("\"sticky\":null", "\"sticky\":1"),
        ("\"title\":{\"html\":null,\"text\":null}", "\"title\":\"only a text\""),
        ("\"links\":[]", "\"links\":[{\"url\":\"x\",\"n\":1.5}]"),
        ("\"tags\":[],", ""),
        ("\"same\":", "\"mine\":{\"a\":{\"b\":[null]}},\"same\":"),
        ("\"id\":null", "\"id\":99999999999999999999999999999"),
    ] {
        let line = good.replacen(from, to, 1);
        assert!(shape.take_in(line.as_bytes()), "{to}");
        assert!(shape.fits(line.as_bytes()) || from.contains("same"), "{to}");
        assert!(!shape.take_in(line.as_bytes()), "{to}");
        assert!(shape.fits(good.as_bytes()), "{to}");
    }
    let Form::List(link) = &field(&shape, "links").shape.form else { panic!() };
    assert_eq!((keys(link).pop(), field(link, "href").required, field(link, "n").required), (Some("n"), false, false));
    assert_eq!((field(&shape, "tags").required, field(&shape, "mine").required), (false, false));
    assert_eq!([&field(&shape, "id").shape.form, &field(&shape, "title").shape.form], [&Form::Any, &Form::Any]);
}

#[test]
fn a_type_is_what_all_values_are() {
    let of = |values: &[&str]| {
        let lines: Vec<String> = values.iter().map(|value| format!("{{\"a\":{value}}}")).collect();
        field(&seen(&lines.iter().map(String::as_str).collect::<Vec<_>>()), "a").shape.clone()
    };
    assert_eq!(of(&["null"]), Shape { form: Form::Unknown, null: true });
    assert_eq!(of(&["null", "1"]), Shape { form: Form::Integer, null: true });
    assert_eq!(of(&["1", "1.5", "2"]).form, Form::Number);
    assert_eq!(of(&["1", "\"1\""]), Shape::ANY);
    assert_eq!(of(&["9223372036854775807"]).form, Form::Integer);
    assert_eq!(of(&["9223372036854775808"]).form, Form::Any);
    assert_eq!(of(&["\"\\ud800\""]).form, Form::Text);
    assert_eq!(of(&["1e999"]), Shape::ANY);
    assert_eq!(of(&["[]", "[true]"]).form, Form::List(Box::new(Shape { form: Form::Boolean, null: false })));
}

#[test]
fn objects_whose_keys_are_data_and_deep_ones_are_any() {
    let many = |n: usize| (0..n).map(|i| format!("\"k{i}\":1")).collect::<Vec<_>>().join(",");
    let line = format!("{{\"map\":{{{}}}}}", many(MOST_FIELDS + 1));
    assert_eq!(field(&seen(&[&line]), "map").shape.form, Form::Any);
    let deep = format!("{{\"deep\":{}{}}}", "[".repeat(120), "]".repeat(120));
    let mut shape = seen(&[&deep]);
    let mut depth = 0;
    shape = field(&shape, "deep").shape.clone();
    while let Form::List(element) = shape.form {
        shape = *element;
        depth += 1;
    }
    assert_eq!((depth, shape.form), (DEEPEST, Form::Any));
    // Deeper than any parser reads.
    let deeper = format!("{{\"deep\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(field(&seen(&[&deeper]), "deep").shape, Shape::ANY);
}

#[test]
fn what_is_merged_in_any_cut_is_the_same() {
    let lines = [
        "{\"kind\":\"x\",\"a\":1,\"b\":{\"c\":null}}",
        "{\"kind\":\"x\",\"a\":1,\"b\":{\"c\":[1]},\"d\":2}",
        "{\"kind\":\"x\",\"e\":\"\\u0041\",\"a\":2.5}",
        "{\"kind\":\"x\",\"\\u0065\":3}",
    ];
    let whole = {
        let (mut all, mut news) = (Shapes::default(), Shapes::default());
        lines.iter().for_each(|line| all.take_in(line.as_bytes(), false, ("x", "x"), &mut news));
        all.of("x", "x").clone()
    };
    for cut in 0..=lines.len() {
        let mut all = Shapes::default();
        for part in [&lines[..cut], &lines[cut..]] {
            // A worker of its own for each part.
            let (mut worker, mut news) = (Shapes::default(), Shapes::default());
            part.iter().for_each(|line| worker.take_in(line.as_bytes(), false, ("x", "x"), &mut news));
            all.absorb(&mut news);
        }
        let of = all.of("x", "x");
        assert_eq!((&of.shape, of.longest), (&whole.shape, whole.longest), "{cut}");
    }
    assert_eq!(field(&whole.shape, "e").shape, Shape::ANY);
}
