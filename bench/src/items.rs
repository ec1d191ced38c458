//! The site as the REST API gives it: posts, pages, media, categories, tags, users, comments with the fields of
//! WordPress 6 and of an SEO plugin.

use crate::content::Writer;
use crate::counts::Counts;
use crate::site::{Article, BASE, CATEGORIES, Draw, Media, SIZES, Site, Term, USERS};
use serde_json::{Map, Value, json};

/// An item, and of a post what its scraped page shows too.
pub struct Item {
    pub value: Value,
    /// The HTML of the content.
    pub content: String,
    /// What the SEO plugin writes into the head of the page.
    pub head: String,
}

/// The item of a post or page.
pub fn article(site: &Site, article: &Article, is_post: bool, counts: &mut Counts) -> Item {
    let mut chance = site.chance(Draw::Body, 2 * article.number + u64::from(is_post));
    let language = &site.languages[article.language];
    let content = Writer { site, language, chance: &mut chance, counts }.content();
    let summary = language.sentence(&mut chance);
    let (word, base, number) = if is_post { ("post", "posts", "p") } else { ("page", "pages", "page_id") };
    counts.record("post");
    let author = chance.between(1, USERS);
    let id = article.id;
    let title = if chance.percent(30) { article.title.replacen(' ', " &#8211; ", 1) } else { article.title.clone() };
    let mut value = json!({
        "id": id, "date": article.date, "date_gmt": article.date,
        "guid": {"rendered": format!("{BASE}/?{number}={id}")},
        "modified": article.date, "modified_gmt": article.date,
        "slug": article.slug, "status": "publish", "type": word, "link": article.url(),
        "title": {"rendered": title},
        "content": {"rendered": content, "protected": false},
        "excerpt": {"rendered": format!("<p>{summary} [&hellip;]</p>\n"), "protected": false},
        "author": author, "featured_media": site.any_medium(&mut chance).id,
        "comment_status": if is_post { "open" } else { "closed" }, "ping_status": "closed",
        "template": "", "meta": {"footnotes": ""}
    });
    let fields = value.as_object_mut().expect("it is one");
    if is_post {
        let count = site.languages.len() as u64;
        let of_language = |n: u64| 10 + n * count + article.language as u64;
        let categories = [of_language(0), of_language(chance.between(1, CATEGORIES / count - 1))];
        let tags: Vec<_> = (0..chance.below(5)).map(|_| site.tag(chance.below(site.tags())).id).collect();
        fields.insert("sticky".into(), json!(false));
        fields.insert("format".into(), json!("standard"));
        fields.insert("categories".into(), json!(&categories[..chance.between(1, 2) as usize]));
        fields.insert("tags".into(), json!(tags));
    } else {
        fields.insert("parent".into(), json!(0));
        fields.insert("menu_order".into(), json!(0));
    }
    fields.insert("class_list".into(), json!([format!("post-{id}"), word, format!("type-{word}"), "status-publish"]));
    let mut head = String::new();
    if !site.lean {
        let image = site.any_medium(&mut chance);
        head = add_seo(fields, article, language.tag, &summary, &image);
    }
    fields.insert("_links".into(), links(base, word, id, author, site.lean));
    Item { value, content, head }
}

/// The fields of Yoast SEO; gives what it writes into the page's head.
fn add_seo(fields: &mut Map<String, Value>, article: &Article, tag: &str, summary: &str, image: &Media) -> String {
    let (url, date) = (article.url(), format!("{}+00:00", article.date));
    let title = format!("{} - Example Journal", article.title);
    let image_url = image.url();
    let graph = json!({"@context": "https://schema.org", "@graph": [
        {"@type": "Article", "@id": format!("{url}#article"), "isPartOf": {"@id": url},
         "author": {"name": "Editor", "@id": format!("{BASE}/#/schema/person/1")}, "headline": article.title,
         "datePublished": date, "dateModified": date, "mainEntityOfPage": {"@id": url}, "wordCount": 900,
         "publisher": {"@id": format!("{BASE}/#organization")}, "thumbnailUrl": image_url,
         "articleSection": ["News"], "inLanguage": tag},
        {"@type": "WebPage", "@id": url, "url": url, "name": title, "isPartOf": {"@id": format!("{BASE}/#website")},
         "datePublished": date, "breadcrumb": {"@id": format!("{url}#breadcrumb")}, "inLanguage": tag,
         "potentialAction": [{"@type": "ReadAction", "target": [url]}]},
        {"@type": "BreadcrumbList", "@id": format!("{url}#breadcrumb"), "itemListElement": [
            {"@type": "ListItem", "position": 1, "name": "Home", "item": format!("{BASE}/")},
            {"@type": "ListItem", "position": 2, "name": article.title}]},
        {"@type": "WebSite", "@id": format!("{BASE}/#website"), "url": format!("{BASE}/"), "name": "Example Journal",
         "description": "", "potentialAction": [{"@type": "SearchAction", "target": {"@type": "EntryPoint",
            "urlTemplate": format!("{BASE}/?s={{search_term_string}}")}, "query-input": "required name=search_term_string"}]},
        {"@type": "Organization", "@id": format!("{BASE}/#organization"), "name": "Example Journal",
         "url": format!("{BASE}/"), "sameAs": ["https://social.example/journal"],
         "logo": {"@type": "ImageObject", "url": format!("{BASE}/logo.png"), "width": 600, "height": 400}}]});
    let head = format!(
        "<!-- SEO -->\n<title>{title}</title>\n<meta name=\"description\" content=\"{summary}\" />\n\
         <meta name=\"robots\" content=\"index, follow\" />\n<link rel=\"canonical\" href=\"{url}\" />\n\
         <meta property=\"og:locale\" content=\"{locale}\" />\n<meta property=\"og:type\" content=\"article\" />\n\
         <meta property=\"og:title\" content=\"{title}\" />\n<meta property=\"og:description\" content=\"{summary}\" />\n\
         <meta property=\"og:url\" content=\"{url}\" />\n<meta property=\"og:image\" content=\"{image_url}\" />\n\
         <script type=\"application/ld+json\" class=\"yoast-schema-graph\">{graph}</script>\n<!-- / SEO -->",
        locale = tag.replace('-', "_")
    );
    fields.insert("yoast_head".into(), json!(head));
    let json = json!({
        "title": title, "description": summary, "robots": {"index": "index", "follow": "follow"}, "canonical": url,
        "og_locale": tag.replace('-', "_"), "og_type": "article", "og_title": title, "og_description": summary,
        "og_url": url, "og_site_name": "Example Journal", "article_published_time": date,
        "og_image": [{"width": image.width, "height": image.width * 2 / 3, "url": image_url, "type": "image/jpeg"}],
        "author": "Editor", "twitter_card": "summary_large_image",
        "twitter_misc": {"Written by": "Editor", "Est. reading time": "4 minutes"}, "schema": graph
    });
    fields.insert("yoast_head_json".into(), json);
    head
}

fn links(base: &str, word: &str, id: u64, author: u64, lean: bool) -> Value {
    let api = format!("{BASE}/wp-json/wp/v2");
    let mut links = json!({
        "self": [{"href": format!("{api}/{base}/{id}"), "targetHints": {"allow": ["GET"]}}],
        "collection": [{"href": format!("{api}/{base}")}],
        "about": [{"href": format!("{api}/types/{word}")}]
    });
    if !lean {
        let more = [
            ("author", json!([{"embeddable": true, "href": format!("{api}/users/{author}")}])),
            ("replies", json!([{"embeddable": true, "href": format!("{api}/comments?post={id}")}])),
            ("version-history", json!([{"count": 1, "href": format!("{api}/{base}/{id}/revisions")}])),
            ("wp:attachment", json!([{"href": format!("{api}/media?parent={id}")}])),
            (
                "wp:term",
                json!([
                {"taxonomy": "category", "embeddable": true, "href": format!("{api}/categories?post={id}")},
                {"taxonomy": "post_tag", "embeddable": true, "href": format!("{api}/tags?post={id}")}]),
            ),
            ("curies", json!([{"name": "wp", "href": "https://api.w.org/{rel}", "templated": true}])),
        ];
        more.into_iter().for_each(|(key, value)| links[key] = value);
    }
    links
}

/// The item of an image.
pub fn medium(site: &Site, number: u64, counts: &mut Counts) -> Value {
    let media = site.medium(number);
    let mut chance = site.chance(Draw::Body, 1 << 40 | number);
    let (file, url) = (media.file(), media.url());
    let mut sizes: Map<String, Value> = SIZES
        .iter()
        .map(|&(name, width, height)| {
            let size = json!({"file": media.sized(width, height), "width": width, "height": height, "filesize": 9999,
            "mime_type": "image/jpeg", "source_url": media.sized_url(width, height)});
            (name.to_owned(), size)
        })
        .collect();
    let height = media.width * 2 / 3;
    sizes.insert(
        "full".into(),
        json!({"file": file, "width": media.width, "height": height,
        "mime_type": "image/jpeg", "source_url": url}),
    );
    let caption = match chance.percent(40) {
        true => format!("<p>{}</p>\n", site.languages[0].sentence(&mut chance)),
        false => String::new(),
    };
    counts.record("media");
    counts.link(true);
    counts.image(true);
    let thumbnail = media.sized_url(300, 200);
    let description = format!(
        "<p class=\"attachment\"><a href='{url}'><img loading=\"lazy\" decoding=\"async\" width=\"300\" height=\"200\" \
         src=\"{thumbnail}\" class=\"attachment-medium size-medium\" alt=\"\" /></a></p>\n"
    );
    let date = "2020-02-01T10:00:00";
    let mut details = json!({"width": media.width, "height": height, "file": url.split("/uploads/").nth(1),
        "filesize": 123_456, "sizes": sizes, "image_meta": {"aperture": "0", "credit": "", "camera": "",
        "caption": "", "created_timestamp": "0", "copyright": "", "focal_length": "0", "iso": "0",
        "shutter_speed": "0", "title": "", "orientation": "0", "keywords": []}});
    if media.scaled {
        details["original_image"] = json!(format!("{}.{}", media.stem, media.extension));
    }
    let post = if chance.percent(70) { json!(site.any_post(&mut chance).id) } else { Value::Null };
    json!({
        "id": media.id, "date": date, "date_gmt": date, "guid": {"rendered": url}, "modified": date,
        "modified_gmt": date, "slug": media.stem, "status": "inherit", "type": "attachment", "link": media.page(),
        "title": {"rendered": media.stem}, "author": chance.between(1, USERS), "featured_media": 0,
        "comment_status": "open", "ping_status": "closed", "template": "", "meta": [],
        "class_list": [format!("post-{}", media.id), "attachment"],
        "description": {"rendered": description}, "caption": {"rendered": caption}, "alt_text": "",
        "media_type": "image", "mime_type": "image/jpeg", "media_details": details, "post": post,
        "source_url": url, "_links": links("media", "attachment", media.id, 1, true)
    })
}

/// The item of a category or tag.
pub fn term(site: &Site, term: &Term, taxonomy: &str, counts: &mut Counts) -> Value {
    counts.record("term");
    let mut chance = site.chance(Draw::Body, 2 << 40 | term.id);
    let base = if taxonomy == "category" { "categories" } else { "tags" };
    let mut item = json!({
        "id": term.id, "count": chance.below(100), "description": site.languages[term.language].sentence(&mut chance),
        "link": format!("{BASE}{}", term.path), "name": term.name, "slug": term.slug, "taxonomy": taxonomy
    });
    if taxonomy == "category" {
        item["parent"] = json!(term.parent);
    }
    item["meta"] = json!([]);
    item["_links"] = json!({"self": [{"href": format!("{BASE}/wp-json/wp/v2/{base}/{}", term.id)}],
        "about": [{"href": format!("{BASE}/wp-json/wp/v2/taxonomies/{taxonomy}")}]});
    item
}

/// The item of a user.
pub fn user(site: &Site, id: u64, counts: &mut Counts) -> Value {
    counts.record("user");
    let avatar = |size: u64| format!("https://avatar.example/{id}?s={size}");
    json!({
        "id": id, "name": site.user(id), "url": "", "description": "", "link": format!("{BASE}/author/author-{id}/"),
        "slug": format!("author-{id}"), "avatar_urls": {"24": avatar(24), "48": avatar(48), "96": avatar(96)},
        "meta": [], "yoast_head_json": {"og_image": [{"url": avatar(500)}]},
        "_links": {"self": [{"href": format!("{BASE}/wp-json/wp/v2/users/{id}")}]}
    })
}

/// The item of a comment; every fourth has a link.
pub fn comment(site: &Site, number: u64, counts: &mut Counts) -> Value {
    counts.record("comment");
    let post = site.post(site.commented(number));
    let mut chance = site.chance(Draw::Body, 3 << 40 | number);
    let language = &site.languages[post.language];
    let mut text = format!("<p>{}", language.sentence(&mut chance));
    if chance.percent(25) {
        counts.link(true);
        text += &format!(" <a href=\"{}\" rel=\"nofollow ugc\">{}</a>", site.any_post(&mut chance).url(), "link");
    }
    text += "</p>\n";
    let id = number + 1;
    json!({
        "id": id, "post": post.id, "parent": 0, "author": 0, "author_name": site.user(chance.between(1, USERS)),
        "author_url": "", "date": post.date, "date_gmt": post.date, "content": {"rendered": text},
        "link": format!("{}#comment-{id}", post.url()), "status": "approved", "type": "comment",
        "_links": {"self": [{"href": format!("{BASE}/wp-json/wp/v2/comments/{id}")}]}
    })
}
