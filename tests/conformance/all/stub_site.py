"""A tiny WordPress site for the recipes that fetch: stub_site.py prints its address, then serves until its stdin ends.

/wp-json/wp/v2/TYPE: posts fill two pages and a half, pages two to the brim, tags one to the brim without the header that
says so, comments break after the first page, users are refused. Any other path is the page of a post. Each request is a line on
stderr: when, of which host, and what."""

import http.server
import json
import sys
import threading
import time
import urllib.parse

ITEMS = {"posts": 250, "pages": 200, "media": 0, "categories": 3, "tags": 100, "comments": 150}


def item(kind, number, base):
    common = {"id": number, "link": f"{base}/{kind}/{number}/"}
    if kind in ("categories", "tags"):
        return {**common, "name": str(number), "slug": str(number), "taxonomy": {"tags": "post_tag"}.get(kind, "category")}
    if kind == "comments":
        return {**common, "type": "comment", "post": 1, "content": {"rendered": "c"}, "author_name": "a"}
    return {**common, "type": kind.rstrip("s"), "title": {"rendered": str(number)}, "content": {"rendered": "<p>t</p>"}}


class Site(http.server.BaseHTTPRequestHandler):
    def answer(self, status, body, headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        base = f"http://{self.headers['Host']}"
        if url.path == "/wp-json/":
            return self.answer(200, json.dumps({"name": "Stub", "url": base, "namespaces": ["wp/v2"]}).encode())
        if not url.path.startswith("/wp-json/wp/v2/"):
            kind, number = (url.path.strip("/").split("/") + [""])[:2]
            head = f'<link rel="canonical" href="{base}{url.path}"><link rel="shortlink" href="{base}/?p={number}">'
            headers = [("Content-Type", "text/html"), ("Link", '</wp-json/>; rel="https://api.w.org/"')]
            return self.answer(200, f'<html lang="en"><head>{head}</head><body>{kind}</body></html>'.encode(), headers)
        kind = url.path.rsplit("/", 1)[1]
        query = urllib.parse.parse_qs(url.query)
        page, size = (int(query.get(key, [usual])[0]) for key, usual in (("page", 1), ("per_page", 10)))
        if kind not in (*ITEMS, "users"):
            return self.answer(404, b'{"code":"rest_no_route"}')
        if kind == "users":
            return self.answer(401, b'{"code":"rest_user_cannot_view"}')
        if kind == "comments" and page > 1:
            return self.answer(404, b"")
        total = -(-ITEMS[kind] // size)
        if page > max(total, 1):
            return self.answer(400, b'{"code":"rest_post_invalid_page_number"}')
        numbers = range((page - 1) * size + 1, min(page * size, ITEMS[kind]) + 1)
        headers = [] if kind == "tags" else [("X-WP-TotalPages", str(total))]
        return self.answer(200, json.dumps([item(kind, number, base) for number in numbers]).encode(), headers)

    def log_message(self, *arguments):
        print(f"{time.monotonic():.3f} {self.headers['Host']} {self.path}", file=sys.stderr, flush=True)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"http://127.0.0.1:{server.server_port}", flush=True)
sys.stdin.read()
