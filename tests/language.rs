//! Tests wp-language on texts in a known language, in two languages and in none, and how wp-export counts them.

use crate::workdir::Workdir;
use serde_json::{Value, json};

/// Sentences with the same meaning, written for this test.
const TEXTS: [(&str, &str, &str); 14] = [
    (
        "en",
        "Latn",
        "The harbour opens at six in the morning, and the first boats leave before the fog has gone from the water.",
    ),
    (
        "de",
        "Latn",
        "Der Hafen öffnet um sechs Uhr morgens, und die ersten Boote fahren ab, bevor der Nebel vom Wasser verschwunden ist.",
    ),
    (
        "fr",
        "Latn",
        "Le port ouvre à six heures du matin, et les premiers bateaux partent avant que le brouillard ait quitté l'eau.",
    ),
    (
        "es",
        "Latn",
        "El puerto abre a las seis de la mañana, y los primeros barcos salen antes de que la niebla se haya ido del agua.",
    ),
    (
        "pt",
        "Latn",
        "O porto abre às seis da manhã, e os primeiros barcos partem antes que a névoa tenha desaparecido da água.",
    ),
    (
        "it",
        "Latn",
        "Il porto apre alle sei del mattino, e le prime barche partono prima che la nebbia sia scomparsa dall'acqua.",
    ),
    (
        "nl",
        "Latn",
        "De haven gaat om zes uur 's ochtends open, en de eerste boten vertrekken voordat de mist van het water is verdwenen.",
    ),
    ("pl", "Latn", "Port otwiera się o szóstej rano, a pierwsze łodzie odpływają, zanim mgła zniknie znad wody."),
    (
        "fi",
        "Latn",
        "Satama avataan kuudelta aamulla, ja ensimmäiset veneet lähtevät ennen kuin sumu on hävinnyt veden päältä.",
    ),
    ("uk", "Cyrl", "Порт відчиняється о шостій ранку, і перші човни відходять, перш ніж туман зникне з води."),
    ("el", "Grek", "Το λιμάνι ανοίγει στις έξι το πρωί και τα πρώτα πλοία φεύγουν πριν φύγει η ομίχλη από το νερό."),
    (
        "ja",
        "Jpan",
        "港は朝六時に開き、水面から霧が消える前に最初の船が出ていきます。漁師たちはその前に網を積み込みます。",
    ),
    ("zh", "Hani", "港口早上六点开放，第一批船在雾从水面散去之前就出发了。渔民们在那之前把渔网装上船。"),
    ("ko", "Kore", "항구는 아침 여섯 시에 문을 열고, 물 위의 안개가 걷히기 전에 첫 배들이 떠납니다."),
];

fn record(id: usize, language: Option<&str>, text: &str) -> String {
    let link = format!("https://a.example/{id}/");
    let record = json!({"site": "a", "kind": "post", "type": "post", "id": id, "link": link, "language": language, "content": {"text": text}});
    record.to_string() + "\n"
}

/// The result of wp-language for a text whose language the site states.
fn of(language: Option<&str>, text: &str) -> Value {
    Workdir::new().program("wp-language", "", record(1, language, text)).expect(0).records()[0]["text_language"].clone()
}

#[test]
fn texts_have_the_language_that_they_are_written_in() {
    for (language, script, text) in TEXTS {
        for stated in [None, Some("en-GB"), Some(language)] {
            let found = of(stated, text);
            assert_eq!((&found["language"], &found["script"]), (&json!(language), &json!(script)), "{found} {text}");
            assert!(found["confidence"].as_f64().unwrap() >= 0.5);
        }
    }
}

#[test]
fn an_uncertain_text_has_no_language() {
    let none = json!({"language": null, "script": null, "confidence": null});
    assert_eq!(
        [of(None, ""), of(None, "12:30 — 14:00"), of(None, "Port"), of(None, "\n")],
        [none.clone(), none.clone(), none.clone(), none]
    );
    let long = |text: &str| [text; 6].join("\n");
    let (english, german) = (long(TEXTS[0].2), long(TEXTS[1].2));
    assert_eq!(of(None, &format!("{english}\n{german}"))["language"], Value::Null, "half and half");
    assert_eq!(of(None, &format!("{english}\n{english}\n{english}\n{english}\n{german}"))["language"], "en");
    // The library does not know this language, and would take the text for one in a related language.
    assert_eq!(of(Some("gl-ES"), TEXTS[4].2)["language"], Value::Null);
    assert_eq!(
        of(Some("bs-BA"), "Luka se otvara u šest ujutro, a prvi brodovi odlaze prije nego što magla nestane s vode.")["language"],
        Value::Null
    );
    let norwegian = "Vi vet ikke hvor mange som kommer, men jeg tror det blir veldig hyggelig. Etter maten går vi ned til sjøen, og så kan barna bade mens vi andre drikker kaffe.";
    assert_eq!(
        [of(Some("nb-NO"), norwegian)["language"].clone(), of(Some("no"), norwegian)["language"].clone()],
        ["nb", "no"]
    );
    assert_eq!(of(Some("no"), TEXTS[0].2)["language"], "en");
}

#[test]
fn all_else_stays_as_it_is_and_a_long_text_is_read_in_part() {
    let dir = Workdir::new();
    let other = "{\"kind\":\"user\",\"id\":7,\"x\":1e400}\n".to_owned();
    dir.write("in", record(1, Some("fr"), &TEXTS[0].2.repeat(20_000)) + &other + "[]\n");
    let run = dir.program("wp-language", "--rejects r --max-rejects 1 --stats s in", "").expect(0);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!((lines[1], dir.read("r").as_str()), (other.trim_end(), "[]\n"));
    let stats: Value = serde_json::from_str(&dir.read("s")).unwrap();
    assert_eq!(json!([stats["sure"], stats["unsure"], stats["otherwise"], stats["rejects"]]), json!([1, 0, 1, 1]));
    dir.sh("wp-language -q in --max-rejects 1 | wp-language -q | cmp - <(wp-language -q in --max-rejects 1)").expect(0);
}

#[test]
fn card_manifest_report_and_documents_tell_where_the_stated_language_is_another_one() {
    let dir = Workdir::new();
    let copy = record(4, Some("fr"), TEXTS[0].2).replace("\"content\"", "\"copy_source\":\"words\",\"content\"");
    let records = record(1, Some("fr-FR"), TEXTS[0].2)
        + &record(2, Some("fr-FR"), TEXTS[2].2)
        + &record(3, None, TEXTS[1].2)
        + &copy;
    dir.program("wp-language", "-o marked", records).expect(0);
    for format in ["jsonl", "documents", "report", "csv"] {
        dir.sh(&format!("wp-export -q --format {format} -d {format} marked --stats {format}.stats")).expect(0);
        let manifest: Value = serde_json::from_str(&dir.read(&format!("{format}/manifest.json"))).unwrap();
        assert_eq!(
            manifest["text_in_others"],
            json!([{"language": "fr-FR", "text_language": "en", "records": 1}]),
            "{format}"
        );
        assert!(dir.read(&format!("{format}.stats")).contains("\"text_in_others\":1,"));
    }
    for card in ["jsonl", "documents"].map(|format| dir.read(&format!("{format}/README.md"))) {
        assert!(card.contains("| fr-FR | en | 1 |"), "{card}");
    }
    assert!(dir.read("report/report.html").contains("another language than the stated one"));
    let languages = dir.sh("jq -c '[.metadata.language, .metadata.text_language]' documents/documents.jsonl").expect(0);
    assert_eq!(languages.stdout, "[\"fr-FR\",\"en\"]\n[\"fr-FR\",\"fr\"]\n[null,\"de\"]\n[\"fr\",\"en\"]\n");
}
