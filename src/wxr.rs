//! Reads WordPress exports (WXR): facts about the site, and each item as the REST API would return it. Callers ask [`is_export`] of each
//! file, and decide what to do with the items.
//! Source: [`export_wp()`](https://developer.wordpress.org/reference/functions/export_wp/), versions 1.0 to 1.2.

mod autop;
mod comments;
mod content;
mod entry;
mod items;
mod languages;
mod media;
mod php;
mod shortcodes;
mod site;
mod texturize;

pub(crate) use content::Dynamic;
pub(crate) use items::{Item, Made};
pub(crate) use site::Site;

use crate::ndjson::begins_with_bracket;
use crate::xml::{Element, Names};
use memchr::memmem;

/// The elements of an export that are read.
pub(crate) const NAMES: Names = Names {
    entries: &["item", "wp:author", "wp:category", "wp:tag", "wp:term"],
    fields: &["title", "link", "description", "language", "image", "wp:base_blog_url", "wp:wxr_version"],
    texts: &["content:encoded", "excerpt:encoded", "wp:comment_content", "wp:post_password"],
    namespaces: &[],
};

/// The number of bytes at the start of a file that decide whether it is an export.
pub(crate) const START: usize = 32 << 10;

/// Whether a document with this start is an export.
pub(crate) fn is_export(start: &[u8]) -> bool {
    let has = |what: &[u8]| memmem::find(start, what).is_some();
    // The PHP code of WordPress that writes exports contains the same words, and items of a dump may quote them.
    !start.trim_ascii_start().starts_with(b"<?php")
        && !begins_with_bracket(start)
        && has(b"<rss")
        && (has(b"<wp:wxr_version>") || has(b"wordpress.org/export/"))
}

/// The items of an export to read in addition to published ones of public types.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Further statuses, such as `draft` or `private`.
    pub statuses: Vec<String>,
    /// Further post types, which are not public.
    pub types: Vec<String>,
}

/// Types that are never read, because they contain personal data, or no text.
const NEVER: &str =
    "user_request guest-author revision nav_menu_item oembed_cache customize_changeset custom_css wp_global_styles";
/// Types of WordPress and plugins that are read only if selected, because sites do not show them, or show them only within other texts.
const PRIVATE: &str = "wp_block wp_template wp_template_part wp_navigation wp_font_family wp_font_face feedback jetpack_migration \
    shop_order shop_order_refund shop_order_placehold shop_coupon shop_subscription shop_webhook product_variation scheduled-action \
    acf-field acf-field-group acf-post-type acf-taxonomy acf-ui-options-page wpcf7_contact_form wpforms wpforms_log_email \
    flamingo_contact flamingo_inbound flamingo_outbound nf_sub ninja_form caldera_form mc4wp-form elementor_library \
    elementor_snippet elementor_font edd_payment edd_discount edd_log give_payment give_log tablepress_table polylang_mo \
    amp_validated_url spam-log mailpoet_page fl-builder-template et_pb_layout et_theme_builder et_template sfwd-transactions \
    llms_order booking wc_booking bookly_payment frm_display frm_styles frm_form_actions is_search_form";

/// Whether a list, separated by blanks, contains a name.
fn is_listed(list: &str, name: &str) -> bool {
    list.split_whitespace().any(|known| known == name)
}

impl Selection {
    /// The selected statuses and types that no item of the exports has, with the names of their options.
    pub(crate) fn without_items<'s>(&'s self, site: &'s Site) -> impl Iterator<Item = (&'static str, &'s str)> {
        let statuses = self.statuses.iter().map(|name| ("--status", name));
        let all = statuses.chain(self.types.iter().map(|name| ("--types", name)));
        all.filter(|(_, name)| !site.kinds.contains(*name)).map(|(option, name)| (option, &**name))
    }

    /// The name of the statistic that counts this item if it is left out because of its type or its status; `None` if it is kept.
    pub(crate) fn reason_to_leave_out(&self, item: &Element) -> Option<&'static str> {
        let (r#type, status) = (item.get("wp:post_type"), item.get("wp:status"));
        let is_published = status == "publish" || r#type == "attachment" && status == "inherit";
        // A link `?post_type=X&p=` means that the type has no query variable, so its items have no page.
        let has_no_page = || is_published && item.get("link").contains(&format!("?post_type={}&p=", r#type));
        let is_private = || is_listed(PRIVATE, r#type) || has_no_page();
        if is_listed(NEVER, r#type)
            || r#type.is_empty()
            || is_private() && !self.types.iter().any(|known| known == r#type)
        {
            return Some("left_out_types");
        }
        (!is_published && !self.statuses.iter().any(|known| known == status)).then_some("left_out_status")
    }
}
