//! Recognises query parameters that do not change the page at a URL: those for tracking, and some of WordPress' own.
//! Callers decide whether to clean a URL.

use crate::wordpress::SHOWS_THE_SAME;
use std::fmt::Write as _;
use std::sync::LazyLock;

/// Parameters of advertisers, newsletters and analytics; the first column of those that `ClearURLs`, Brave and Firefox
/// strip.
const TRACKING: &str = "_bta_c _bta_tid _ga _gl _hsenc _hsmi _ke _openstat __s __hsfp __hssc __hstc \
    __twitter_impression action_object_map action_ref_map action_type_map cmpid cmp dclid dm_i ef_id epik \
    fb_action_ids fb_action_types fb_ref fb_source fbclid fbc_id gad_source gbraid gclid gclsrc gs_l \
    hsctatracking igsh igshid li_fat_id mc_cid mc_eid mkt_tok mkwid ml_subscriber ml_subscriber_hash msclkid \
    ncid ns_campaign ns_mchannel ns_source oly_anon_id oly_enc_id pcrid rb_clickid s_cid s_kwcid sb_referer_host \
    srsltid srs_share ttclid trk_contact trk_module trk_msg trk_sid twclid vero_conv vero_id wbraid wickedid \
    xtor yclid ymclid ysclid";

/// Prefixes of such parameters.
const TRACKING_FAMILIES: &[&str] = &["utm_", "matomo_", "mtm_", "piwik_", "pk_", "hsa_", "at_campaign", "at_medium"];

/// All names of both lists, sorted: every query is checked against them.
static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let mut names: Vec<&str> = TRACKING.split(' ').chain(SHOWS_THE_SAME.split(' ')).collect();
    names.sort_unstable();
    names
});

/// Whether the parameter (`name` or `name=value`) can be removed. An empty search (`?s=`) counts as none.
fn is_noise(parameter: &str) -> bool {
    let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
    let name = name.to_ascii_lowercase();
    let loop_page = name.strip_prefix("query-").and_then(|rest| rest.strip_suffix("page"));
    NAMES.binary_search(&&*name).is_ok()
        || (name == "s" && value.is_empty())
        || TRACKING_FAMILIES.iter().any(|family| name.starts_with(family))
        || loop_page.is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit() || b == b'-'))
}

/// The query without insignificant parameters; `None` if all are significant.
pub(super) fn clean(query: &str) -> Option<String> {
    let mut has_noise = false;
    let parameters = query.split('&').filter(|parameter| !parameter.is_empty());
    let kept: Vec<&str> = parameters
        .filter(|parameter| {
            let is_noise = is_noise(parameter);
            has_noise |= is_noise;
            !is_noise
        })
        .collect();
    has_noise.then(|| kept.join("&"))
}

/// Encodes a text in ASCII: a byte for which `stays` returns true, given its number and the byte, is copied; any other
/// becomes `sign` and two hexadecimal digits.
pub(crate) fn encoded(text: &str, sign: char, stays: impl Fn(usize, u8) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for (number, byte) in text.bytes().enumerate() {
        if stays(number, byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "{sign}{byte:02X}");
        }
    }
    out
}

/// Encodes a name: letters, digits, `_`, `-` and `.` (except at the start) are copied; any other byte becomes `%XX`, as
/// in a URL.
pub(crate) fn encoded_name(name: &str) -> String {
    encoded(name, '%', |at, byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') || byte == b'.' && at > 0)
}

/// Decodes the escapes of a URL; `None` if the result is not UTF-8.
pub(crate) fn percent_decoded(url: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(url.len());
    let mut rest = url.as_bytes();
    while let [first, tail @ ..] = rest {
        let hex = |at: usize| tail.get(at).and_then(|digit| char::from(*digit).to_digit(16));
        match (first, hex(0), hex(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                rest = &tail[2..];
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}
