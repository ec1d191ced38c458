//! Finds the character encoding that a page declares, like the [prescan of
//! HTML](https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding). The tokenizer
//! splits tags, comments and attributes, always in its data state, as the standard requires; [`super::encoding`] decodes the
//! page.

use crate::html::names::Name;
use crate::html::tokenizer::{AttributeBuffer, Attributes, Token, Tokenizer};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::{memchr, memmem};
use std::borrow::Cow;

/// The bytes in which the standard asks authors to declare the encoding.
const USUAL: usize = 1024;

/// The encoding that is declared in the first `bytes` of a page, by a `meta` or an XML declaration.
pub(super) fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    if bytes.starts_with(b"<\0?\0x\0") {
        return Some(UTF_16LE);
    }
    if bytes.starts_with(b"\0<\0?\0x") {
        return Some(UTF_16BE);
    }
    // Complete tags do not depend on later bytes: in most pages, only these bytes are checked and read.
    let usual = bytes.get(..USUAL).and_then(in_metas);
    usual.or_else(|| in_metas(bytes)).or_else(|| of_xml(bytes))
}

fn in_metas(bytes: &[u8]) -> Option<&'static Encoding> {
    // Names and labels are ASCII, so replacing invalid sequences cannot change them. Few pages need it: checking alone is ten
    // times as fast.
    let text = match simdutf8::compat::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        // a last character that is cut off
        Err(error) if error.error_len().is_none() => {
            let whole = &bytes[..error.valid_up_to()];
            Cow::Borrowed(simdutf8::basic::from_utf8(whole).expect("it was checked"))
        }
        Err(_) => String::from_utf8_lossy(bytes),
    };
    let mut tokenizer = Tokenizer::new(&text, AttributeBuffer::default());
    while let Some(token) = tokenizer.next() {
        if let Token::Start(tag) = token
            && tag.id == Name::META
            && let Some(encoding) = of_meta(tokenizer.attributes())
        {
            return Some(encoding);
        }
    }
    None
}

fn of_meta(meta: Attributes<'_, '_>) -> Option<&'static Encoding> {
    if let Some(label) = meta.raw("charset") {
        return by_label(label.as_bytes());
    }
    let is_pragma = meta.raw("http-equiv").is_some_and(|pragma| pragma.eq_ignore_ascii_case("content-type"));
    let content = meta.raw("content").filter(|_| is_pragma)?.to_ascii_lowercase();
    by_label(in_content(&content)?.as_bytes())
}

/// The label in `text/html; charset=LABEL`; `charset` is skipped unless `=` follows it.
fn in_content(content: &str) -> Option<&str> {
    const NAME: &str = "charset";
    let mut rest = content;
    let value = loop {
        rest = rest[rest.find(NAME)? + NAME.len()..].trim_ascii_start();
        if let Some(value) = rest.strip_prefix('=') {
            break value.trim_ascii_start();
        }
    };
    match value.chars().next()? {
        quote @ ('"' | '\'') => value[1..].split_once(quote).map(|(label, _)| label),
        _ => value.split([' ', '\t', '\n', '\x0C', '\r', ';']).next(),
    }
}

/// The encoding in `<?xml version="1.0" encoding="LABEL"?>`.
fn of_xml(bytes: &[u8]) -> Option<&'static Encoding> {
    const NAME: &[u8] = b"encoding";
    let declaration = bytes.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memchr(b'>', declaration)?];
    let value = declaration[memmem::find(declaration, NAME)? + NAME.len()..].trim_ascii_start().strip_prefix(b"=")?;
    let value = value.trim_ascii_start();
    let quote = *value.first().filter(|byte| matches!(byte, b'"' | b'\''))?;
    let label = &value[1..];
    by_label(&label[..memchr(quote, label)?])
}

/// A declared UTF-16 cannot be true, because the declaration was read as ASCII: it means UTF-8.
fn by_label(label: &[u8]) -> Option<&'static Encoding> {
    Some(match Encoding::for_label(label)? {
        utf_16 if utf_16 == UTF_16LE || utf_16 == UTF_16BE => UTF_8,
        other if other == X_USER_DEFINED => WINDOWS_1252,
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::against_lol_html::{Random, damage};
    use super::*;

    fn name(html: &str) -> Option<&'static str> {
        declared(html.as_bytes()).map(Encoding::name)
    }

    #[test]
    fn a_charset_in_a_comment_declares_nothing() {
        assert_eq!(name("<!-- <meta charset=iso-8859-1> --><meta charset=utf-8>"), Some("UTF-8"));
        assert_eq!(name("<!-- <meta charset=iso-8859-1> -->"), None);
        assert_eq!(name("<!--> <meta charset=iso-8859-1> -->"), Some("windows-1252"));
        assert_eq!(name("<!-- > -- > <meta charset=iso-8859-1>"), None);
    }

    #[test]
    fn a_charset_in_another_attribute_declares_nothing() {
        let description = "<meta name=description content=\"set charset=iso-8859-1 in PHP\">";
        assert_eq!(name(description), None);
        assert_eq!(name(&format!("{description}<meta charset=utf-8>")), Some("UTF-8"));
        assert_eq!(name("<meta data-charset=koi8-r><meta title='charset=koi8-r' charset=utf-8>"), Some("UTF-8"));
        assert_eq!(name("<metadata charset=koi8-r></meta charset=koi8-r><a title='<meta charset=koi8-r>'>"), None);
    }

    /// The cases of the standard's own tests (html5lib-tests, `encoding`), and further requirements of its text.
    #[test]
    fn metas_declare_as_the_standard_says() {
        for (html, want) in [
            ("<meta charset=x charset=koi8-r>", None),
            ("<meta charset=nonsense><meta charset=' KOI8-R '>", Some("KOI8-R")),
            ("<META/CHARSET\n=\n'iso-8859-1' />", Some("windows-1252")),
            ("<meta http-equiv=Content-Type content='text/html; charset=windows-1251'>", Some("windows-1251")),
            ("<meta content='text/html; charset=windows-1251' http-equiv=Content-Type>", Some("windows-1251")),
            ("<meta http-equiv=refresh content='0; charset=koi8-r'>", None),
            ("<meta content='text/html; charset=koi8-r'>", None),
            ("<meta http-equiv=content-type content='charset; CHARSET = \"koi8-r\" x'>", Some("KOI8-R")),
            ("<meta http-equiv=content-type content='charset=\"koi8-r'>", None),
            ("<meta http-equiv=content-type content='charset=koi8-r;x'>", Some("KOI8-R")),
            ("<meta http-equiv=content-type content='charset=koi8-r' charset=nonsense>", None),
            ("<meta charset=utf-16le>", Some("UTF-8")),
            ("<meta charset=x-user-defined>", Some("windows-1252")),
            ("<script>if (a) '<meta charset=koi8-r>'</script>", Some("KOI8-R")),
            ("<meta charset=koi8-r", None),
            ("<meta charset>", None),
            ("<?xml version='1.0' encoding = \"windows-1251\" ?><p>", Some("windows-1251")),
            ("<?xml version='1.0' encoding='koi8-r'?><meta charset=utf-8>", Some("UTF-8")),
            ("<?xml version='1.0' encoding='utf-16'?>", Some("UTF-8")),
            (" <?xml version='1.0' encoding='koi8-r'?>", None),
            ("<\0?\0x\0", Some("UTF-16LE")),
            ("\0<\0?\0x", Some("UTF-16BE")),
            ("", None),
        ] {
            assert_eq!(name(html), want, "{html}");
        }
    }

    #[test]
    fn what_stands_first_declares_what_all_declares() {
        let page = "<!DOCTYPE html><!-- <meta charset=koi8-r> --><html lang='a'><title>é</title><meta name=a content='<meta charset=koi8-r>'>
            <meta http-equiv=Content-Type content='text/html; charset=windows-1251'><script>'<meta charset=big5>'</script><meta charset=utf-8>";
        let mut random = Random(3);
        let mut declared_first = 0;
        for _ in 0..5000 {
            let mut html = [page.as_bytes(), &b" ".repeat(random.below(900)), page.as_bytes()].concat();
            (0..random.below(6)).for_each(|_| damage(&mut html, &mut random));
            let (first, all) = (html.get(..USUAL).and_then(in_metas), in_metas(&html));
            assert!(first.is_none() || first == all, "{}", String::from_utf8_lossy(&html));
            declared_first += usize::from(first.is_some());
        }
        assert!(declared_first > 1000, "{declared_first}");
    }

    #[test]
    fn bytes_of_any_kind_stand_around_a_declaration() {
        assert_eq!(
            declared(b"<title>caf\xe9 \xff</title><meta name=\xe9 charset=koi8-r>").map(Encoding::name),
            Some("KOI8-R")
        );
    }
}
