"""Content that WordPress makes anew each time it is asked, so that page and API truly differ: blocks that list posts, terms,
comments, menus (on a multilingual site the API lists all languages, a page its own), links to the neighbouring posts, and posts
in several pages, of which a scraped page shows one."""
import re

MADE_ANEW = re.compile(r"wp-block-(latest-posts|latest-comments|archives|categories|tag-cloud|page-list|navigation|query|post-template"
                       r"|calendar|post-navigation-link|loginout|rss|comments)"
                       r"|elementor-widget-(posts|archive-posts|loop-grid|loop-carousel)|et_pb_(blog|portfolio)_|wpb_wrapper vc_grid|fusion-blog-")


def is_made_anew(html):
    return bool(MADE_ANEW.search(html)) or "page-links" in html
