//! Tells addresses from names: an author is a name, wherever one is stated.

/// Whether a text is an e-mail or IP address or a URL, or contains one.
pub(crate) fn is_address(text: &str) -> bool {
    let is_mail = |word: &str| word.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
    // 192.0.2.7 and 2001:db8::7
    let is_ip = |word: &str| {
        let is_of = |sign: char, digit: fn(&char) -> bool| {
            word.chars().all(|c| c == sign || digit(&c)) && word.matches(sign).count() > 1
        };
        is_of('.', char::is_ascii_digit) || is_of(':', char::is_ascii_hexdigit)
    };
    let is_url = |word: &str| word.contains("://") || word.contains("www.");
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
        for text in ["Ann Quay", "@ann", "Ann @ work", "Ann Q. Lee", "D.J. 3.0", "a:b", ""] {
            assert!(!is_address(text), "{text}");
        }
    }
}
