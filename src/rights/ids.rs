//! Lists the identifiers of the Creative Commons licences in the SPDX License List (<https://spdx.org/licenses/>).

const IDS: &str = include_str!("ids.txt");

/// Whether Creative Commons has published a licence with this code.
pub(super) fn is_code(code: &str) -> bool {
    let has_no_id = matches!(code, "publicdomain" | "nc" | "nd" | "nc-sa" | "nd-nc");
    has_no_id || find(code, "1.0").is_some()
}

/// The identifier of a Creative Commons licence; for a port that is not in the list, that of the unported licence.
pub(super) fn id_of(code: &str, version: &str, port: &str) -> Option<&'static str> {
    let ported = || find(code, &format!("{version}-{port}"));
    (!port.is_empty()).then(ported).flatten().or_else(|| find(code, version))
}

/// The identifier of a code and a version, which may name a port.
fn find(code: &str, version: &str) -> Option<&'static str> {
    let id = format!("CC-{code}-{version}");
    match (code, version) {
        ("zero", "1.0") => Some("CC0-1.0"),
        ("mark", "1.0") => Some("CC-PDM-1.0"),
        ("publicdomain", "") => Some("CC-PDDC"),
        _ => IDS.lines().find(|known| known.eq_ignore_ascii_case(&id)),
    }
}
