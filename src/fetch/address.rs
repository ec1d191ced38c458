//! Splits URLs and classifies addresses, to decide what may be requested.

use crate::urls::{PageUrl, bare_host};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether the address can be on the public Internet: not loopback, private, link-local, shared, reserved or multicast,
/// nor any of these inside an IPv6 address.
pub(super) fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => is_public_v6(ip),
    }
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    let reserved = matches!((a, b, c), (0 | 240.., ..) | (100, 64..=127, _) | (192, 0, 0) | (198, 18 | 19, _));
    !(reserved || ip.is_loopback() || ip.is_private() || ip.is_link_local() || ip.is_multicast())
}

fn is_public_v6(ip: Ipv6Addr) -> bool {
    let segments = ip.segments();
    let v4 = |high: u16, low: u16| is_public_v4(Ipv4Addr::from(u32::from(high) << 16 | u32::from(low)));
    match segments {
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => v4(high, low),
        [0x2002, high, low, ..] => v4(high, low),
        // 2000::/3 is the range assigned so far; 2001:db8::/32 is for documentation.
        [first, second, ..] => first & 0xe000 == 0x2000 && (first, second) != (0x2001, 0xdb8),
    }
}

/// The host and port of an http(s) URL in its normalised form.
pub(super) fn authority(url: &str) -> &str {
    let authority = origin(url).split_once("://").map_or("", |(_, rest)| rest);
    authority.rsplit_once('@').map_or(authority, |(_, host)| host)
}

/// The path and query of a URL, which are what the rules of robots.txt match.
pub(super) fn path_and_query(url: &str) -> &str {
    url[origin(url).len()..].split('#').next().unwrap_or_default()
}

/// The origin of a URL: `https://host:port`.
pub(super) fn origin(url: &str) -> &str {
    let start = url.find("://").map_or(0, |at| at + 3);
    let end = url[start..].find(['/', '?', '#']).map_or(url.len(), |at| start + at);
    &url[..end]
}

/// Whether two URLs belong to one site: the same host except for a leading `www.`, and the same port, or no port in either.
pub(super) fn is_same_site(a: &str, b: &str) -> bool {
    let bare = |url: &str| bare_host(authority(url)).to_ascii_lowercase();
    bare(a) == bare(b)
}

/// The URL normalised, without its fragment, user name and password; `None` if it is not http or https. Without this, credentials in
/// redirects and links would get into files and messages.
pub(super) fn normalise(url: &str) -> Option<String> {
    let url = PageUrl::parse(url)?;
    let url = url.as_str().split('#').next().unwrap_or_default();
    let (start, rest) = url.split_at(origin(url).len());
    let (scheme, _) = start.split_once("://")?;
    Some(format!("{scheme}://{}{rest}", authority(url)))
}

/// Whether a URL contains a user name or a password.
pub(super) fn has_credentials(url: &str) -> bool {
    PageUrl::parse(url).is_some_and(|url| origin(url.as_str()).contains('@'))
}

/// The URL with one more parameter, whose value needs no encoding.
pub(super) fn with_parameters(url: &str, parameters: &str) -> String {
    if parameters.is_empty() {
        return url.to_owned();
    }
    format!("{url}{}{parameters}", if url.contains('?') { '&' } else { '?' })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_inside_a_network_are_not_public() {
        for inside in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
            "255.255.255.255",
            "::1",
            "::",
            "fe80::1",
            "fc00::1",
            "ff02::1",
            "::ffff:127.0.0.1",
            "64:ff9b::a00:1",
            "2002:7f00:1::",
            "2001:db8::1",
            "::7f00:1",
        ] {
            assert!(!is_public(inside.parse().unwrap()), "{inside}");
        }
        for outside in ["8.8.8.8", "172.32.0.1", "2606:4700::1", "::ffff:8.8.8.8", "100.128.0.1"] {
            assert!(is_public(outside.parse().unwrap()), "{outside}");
        }
    }

    #[test]
    fn parts_of_urls() {
        assert_eq!(authority("https://u:p@a.example:8080/x?y"), "a.example:8080");
        assert_eq!(path_and_query("https://a.example/x?y#z"), "/x?y");
        assert_eq!(origin("https://a.example:1/x"), "https://a.example:1");
        assert!(is_same_site("http://www.a.example/", "https://A.example/x"));
        assert!(!is_same_site("http://a.example:8080/", "http://a.example/"));
        assert!(!is_same_site("http://a.example/", "http://b.a.example/"));
        assert_eq!(with_parameters("https://a.example/?rest_route=/", "a=1"), "https://a.example/?rest_route=/&a=1");
    }
}
