use super::*;
use crate::ndjson::Str;
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::Value;

/// What both readers say of a text, as far as ours must say anything.
fn compare(json: &str) -> Result<(), TestCaseError> {
    let arena = Arena::default();
    let theirs = serde_json::from_str::<Value>(json);
    match (read::<Value>(json, &arena), &theirs) {
        (Ok(ours), Ok(theirs)) => prop_assert_eq!(&ours, theirs, "{}", json),
        (Ok(_), Err(e)) => prop_assert!(e.to_string().contains("out of range"), "taken, but {}: {}", e, json),
        (Err(_), Ok(_)) => prop_assert!(false, "refused: {}", json),
        (Err(_), Err(_)) => {}
    }
    prop_assert_eq!(read_owned::<Value>(json).ok(), read::<Value>(json, &arena).ok());
    let ours = read::<Raw<'_>>(json, &arena);
    match (ours, serde_json::from_str::<Raw<'_>>(json)) {
        (Ok(ours), Ok(theirs)) => prop_assert_eq!(ours.0, theirs.0),
        (Ok(_), Err(e)) => prop_assert!(false, "skipped, but {}: {}", e, json),
        (Err(_), Ok(_)) => prop_assert!(false, "not skipped: {}", json),
        (Err(_), Err(_)) => {}
    }
    Ok(())
}

fn json() -> impl Strategy<Value = Value> {
    let text = prop_oneof!["[a-z\"\\\\/\n é😀]{0,20}", "\\PC{0,40}", "([a-zé]{0,40}[\"\\\\\n\u{1}]{0,3}){0,12}"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 64, 8, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            prop::collection::hash_map(text.clone(), inner, 0..8)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn it_reads_what_serde_json_writes(value in json()) {
        compare(&value.to_string())?;
    }

    #[test]
    fn damaged_json_is_judged_as_by_serde_json(value in json(), at in any::<prop::sample::Index>(), byte in "[\\[\\]{},:\"\\\\0-9.eE+ntfu \n\t\u{1}-]") {
        let mut json = value.to_string();
        let at = json.char_indices().map(|(at, _)| at).nth(at.index(json.chars().count())).unwrap_or(0);
        json.insert_str(at, &byte);
        compare(&json)?;
        json.truncate(at);
        compare(&json)?;
    }

    #[test]
    fn escapes_of_all_kinds_are_judged_as_by_serde_json(parts in prop::collection::vec(
        prop_oneof!["\\\\[\"\\\\/bfnrtx]", "\\\\u[0-9a-fA-F]{4}", "\\\\ud8[0-9a-f]{2}\\\\udc[0-9a-f]{2}", "\\\\u[0-9a-g]{0,4}", "[a-z]{0,12}"], 0..6), behind in 0..100usize) {
        let text: String = parts.concat();
        let json = format!("\"{text}\"");
        let arena = Arena::default();
        // Near the end of the line strings are unescaped in another way than far from it.
        let padded = format!("[{json},\"{}\"]", "x".repeat(behind));
        let first = |json: [Str<'_>; 2]| json[0].as_str().to_owned();
        prop_assert_eq!(
            read::<[Str<'_>; 2]>(&padded, &arena).ok().map(first),
            serde_json::from_str::<[Str<'_>; 2]>(&padded).ok().map(first)
        );
        let ours = read::<Str<'_>>(&json, &arena).ok();
        prop_assert_eq!(ours, serde_json::from_str::<Str<'_>>(&json).ok());
        compare(&format!("{{\"a\":[{json}]}}"))?;
    }
}

#[test]
fn numbers_are_taken_and_refused_as_by_serde_json() {
    for number in [
        "0",
        "-0",
        "00",
        "01",
        "-",
        "+1",
        "1.",
        ".5",
        "1.5",
        "-1.5e3",
        "1e",
        "1e+",
        "1E-2",
        "1e400",
        "999999999999999999",
        "9223372036854775808",
        "-9223372036854775808",
        "18446744073709551616",
        "123456789012345678901234567890",
        "NaN",
    ] {
        compare(number).unwrap();
        compare(&format!("[{number}, 1]")).unwrap();
    }
}

#[test]
fn numbers_out_of_range_are_null() {
    let arena = Arena::default();
    let huge = format!("[1e400,-1E+999,{},1e308,1e-999]", "9".repeat(400));
    let null = || Value::Null;
    assert_eq!(
        read::<Value>(&huge, &arena).unwrap(),
        Value::from(vec![null(), null(), null(), 1e308.into(), 0.0.into()])
    );
    let [a, b, ..] = read::<[Option<i64>; 5]>("[1e400,7,8,9,10]", &arena).unwrap();
    assert_eq!((a, b), (None, Some(7)));
}

#[test]
fn nesting_beyond_the_limit_is_left_to_serde_json() {
    let deep = |n: usize| "[".repeat(n) + &"]".repeat(n);
    let arena = Arena::default();
    assert!(read::<Value>(&deep(128), &arena).is_ok());
    assert!(read::<Value>(&deep(129), &arena).is_err());
    assert!(read::<Value>(&deep(100_000), &arena).is_err());
    // What is passed over may be nested as deep as it likes, as with serde_json.
    assert!(read::<Raw<'_>>(&deep(100_000), &arena).is_ok());
}

#[test]
fn names_of_an_enum_are_told_apart() {
    #[derive(Debug, Deserialize, PartialEq)]
    enum Relation {
        #[serde(rename = "self")]
        Own,
        #[serde(other)]
        Unknown,
    }
    let arena = Arena::default();
    let names: Vec<Relation> = read(r#"["self", "s\u0065lf", "up"]"#, &arena).unwrap();
    assert_eq!(names, [Relation::Own, Relation::Own, Relation::Unknown]);
}

#[test]
fn strings_are_borrowed_from_the_line_or_the_arena() {
    #[derive(Deserialize)]
    struct Two<'a> {
        #[serde(borrow)]
        plain: Str<'a>,
        escaped: Str<'a>,
    }
    let arena = Arena::default();
    let two: Two<'_> = read(r#"{"plain":"é", "x":[{"y":null}], "escaped":"a\"b\u00e9\ud83d\ude00" }"#, &arena).unwrap();
    assert!(matches!(two.plain.0, std::borrow::Cow::Borrowed("é")));
    assert!(matches!(two.escaped.0, std::borrow::Cow::Borrowed("a\"bé😀")));
}
