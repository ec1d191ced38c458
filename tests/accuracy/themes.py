"""Scraped pages: what three themes put around the title and the content of a post."""

import html

MENU = "".join(f'<li class="menu-item"><a href="/{name}/">{name.capitalize()}</a></li>' for name in ("start", "topics", "contact"))
FRAMES = {
    # Content in a place that classic themes name.
    "classic": """<header id="masthead" class="site-header"><p class="site-title"><a href="/">{site}</a></p><nav><ul>{menu}</ul></nav></header>
<main><article class="hentry"><header class="entry-header"><h1 class="entry-title">{title}</h1>{meta}</header>
<div class="entry-content">{content}</div><footer class="entry-footer">{foot}</footer></article></main>{around}
<footer class="site-footer"><p>All rights reserved. <a href="/imprint/">Imprint</a></p></footer>""",
    # The blocks of a site editor.
    "block": """<div class="wp-site-blocks"><header class="wp-block-template-part"><nav class="wp-block-navigation"><ul>{menu}</ul></nav></header>
<main class="wp-block-group"><h1 class="wp-block-post-title">{title}</h1>{meta}
<div class="entry-content wp-block-post-content">{content}</div>{foot}</main>{around}
<footer class="wp-block-template-part"><p>Made with care.</p></footer></div>""",
    # A theme of somebody's own, whose names say nothing.
    "own": """<div id="top"><div class="x1"><a href="/">{site}</a></div><ul class="x2">{menu}</ul></div>
<div class="x3"><h1>{title}</h1>{meta}<div class="x4">{content}</div>{foot}</div>{around}<div class="x5"><a href="/imprint/">Imprint</a> <a href="/data/">Data</a></div>""",
}


def page(
    site, url, title="", content="", language=None, theme="classic", head="", classes="", meta="", foot="", around="", named=True
):
    """A whole page; `named`: whether its head says what it shows."""
    lang = f' lang="{language}"' if language else ""
    title, name = html.escape(title), site.host
    said = f"<title>{title} – {name}</title>" if named else f"<title>{name}</title>"
    said += f'<link rel="canonical" href="{html.escape(url)}">'
    frame = FRAMES[theme].format(site=name, menu=MENU, title=title, content=content, meta=meta, foot=foot, around=around)
    return f'<!DOCTYPE html>\n<html{lang}>\n<head>\n<meta charset="utf-8">\n{said}\n{head}\n</head>\n<body class="{classes}">\n{frame}\n</body>\n</html>\n'


def hreflang(pairs):
    """The links of a page's head to itself in all languages."""
    return "\n".join(f'<link rel="alternate" hreflang="{language}" href="{html.escape(url)}">' for language, url in pairs)


def show(site, fact, body, language=None, **more):
    """Writes the page of a record of the API, which says whose it is."""
    number = "page-id" if fact["type"] == "page" else "postid"
    classes = f"{number}-{fact['id']}" if fact.get("id") else ""
    path = fact["link"].removeprefix(site.base)
    site.page(path, page(site, fact["link"], body.title, body.markup(), language, classes=classes, **more))
