//! Tells addresses from names: an author is a name, wherever one is stated.

use core::net::IpAddr;

/// Whether a text is an e-mail or IP address or a URL, or contains one.
pub(crate) fn is_address(text: &str) -> bool {
    let is_mail = |word: &str| word.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
    let is_ip = |word: &str| word.contains(|c: char| c.is_ascii_digit()) && word.parse::<IpAddr>().is_ok();
    let is_url = |word: &str| word.contains("://") || word.starts_with("www.");
    text.split_whitespace().any(|word| is_mail(word) || is_ip(word) || is_url(word))
}

#[cfg(test)]
mod tests {
    use super::is_address;

    #[test]
    fn a_name_is_no_address() {
        for text in [
            "ann@mail.example",
            "Ann <ann@mail.example>",
            "192.0.2.7",
            "2001:db8::7",
            "https://a.example/author/ann/",
            "www.a.example",
        ] {
            assert!(is_address(text), "{text}");
        }
        for text in [
            "Ann Quay",
            "@ann",
            "Ann @ work",
            "D.J. 3.0",
            "a:b",
            "",
            "Ann ... Lee",
            "Radio :: Team",
            "Ann 12.05.2013",
            "Awww. Ann",
        ] {
            assert!(!is_address(text), "{text}");
        }
    }
}
