//! Lists the identifiers of the Creative Commons licences in the SPDX License List (<https://spdx.org/licenses/>).

use std::sync::LazyLock;

/// The Creative Commons licences in SPDX's list: code and versions.
const CREATIVE_COMMONS: [(&str, &[&str]); 35] = [
    ("by", VERSIONS),
    ("by-nc", VERSIONS),
    ("by-nc-nd", VERSIONS),
    ("by-nc-sa", VERSIONS),
    ("by-nd", VERSIONS),
    ("by-sa", VERSIONS),
    ("sa", &["1.0"]),
    ("by", &["2.5-AU"]),
    ("by", &["3.0-AT"]),
    ("by", &["3.0-AU"]),
    ("by", &["3.0-DE"]),
    ("by", &["3.0-IGO"]),
    ("by", &["3.0-NL"]),
    ("by", &["3.0-US"]),
    ("by-nc", &["3.0-DE"]),
    ("by-nc-nd", &["3.0-DE"]),
    ("by-nc-nd", &["3.0-IGO"]),
    ("by-nc-sa", &["2.0-DE"]),
    ("by-nc-sa", &["2.0-FR"]),
    ("by-nc-sa", &["2.0-UK"]),
    ("by-nc-sa", &["3.0-DE"]),
    ("by-nc-sa", &["3.0-IGO"]),
    ("by-nd", &["3.0-DE"]),
    ("by-sa", &["2.0-UK"]),
    ("by-sa", &["2.1-JP"]),
    ("by-sa", &["3.0-AT"]),
    ("by-sa", &["3.0-DE"]),
    ("by-sa", &["3.0-IGO"]),
    ("zero", &["1.0"]),
    ("mark", &["1.0"]),
    ("publicdomain", &[""]),
    ("nc", &[]),
    ("nd", &[]),
    ("nc-sa", &[]),
    ("nd-nc", &[]),
];
const VERSIONS: &[&str] = &["1.0", "2.0", "2.5", "3.0", "4.0"];

/// The identifiers, each with its code, version and jurisdiction.
static IDS: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let ids =
        CREATIVE_COMMONS.iter().flat_map(|(code, versions)| versions.iter().map(move |version| (*code, *version)));
    let id = |(code, version): (&str, &str)| {
        let id = match code {
            "zero" => "CC0-1.0".to_owned(),
            "mark" => "CC-PDM-1.0".to_owned(),
            "publicdomain" => "CC-PDDC".to_owned(),
            _ => format!("CC-{}-{version}", code.to_ascii_uppercase()),
        };
        (format!("{code} {version}").trim_end().to_owned(), id)
    };
    ids.map(id).collect()
});

/// Whether Creative Commons has published a licence with this code.
pub(super) fn is_code(code: &str) -> bool {
    CREATIVE_COMMONS.iter().any(|(known, _)| *known == code)
}

/// The identifier of a Creative Commons licence; for a port that is not in the list, that of the unported licence.
pub(super) fn id_of(code: &str, version: &str, port: &str) -> Option<&'static str> {
    let find = |key: &str| IDS.iter().find(|(known, _)| known == key).map(|(_, id)| id.as_str());
    let ported = || find(&format!("{code} {version}-{}", port.to_ascii_uppercase()));
    (!port.is_empty()).then(ported).flatten().or_else(|| find(format!("{code} {version}").trim_end()))
}
