#!/usr/bin/env python3
"""archive_of.py PAGES HOSTS > x.warc: a WARC of so many small pages of WordPress on so many hosts, in no order, with the URL, date
and digest that a crawler writes."""
import hashlib
import sys

pages, hosts = int(sys.argv[1]), int(sys.argv[2])
step = 7919  # prime, and no divisor of the numbers asked for
for at in range(pages):
    n = at * step % pages
    url = f"https://www.site-{n % hosts}.example/2024/{n % 12 + 1:02}/an-article-about-the-harbour-{n}/"
    page = (
        f'<!DOCTYPE html><html lang="en"><head><title>Article {n}</title><link rel="canonical" href="{url}">'
        f'<link rel="https://api.w.org/" href="https://www.site-{n % hosts}.example/wp-json/">'
        f'<link rel="alternate" type="application/json" href="https://www.site-{n % hosts}.example/wp-json/wp/v2/posts/{n}">'
        f'</head><body class="single single-post postid-{n}"><main><p>The text of article {n}.</p></main></body></html>'
    ).encode()
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=UTF-8\r\n\r\n" + page
    digest = hashlib.sha1(page).hexdigest().upper()[:32]
    head = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-02T03:04:05Z\r\n"
        f"WARC-Payload-Digest: sha1:{digest}\r\nContent-Length: {len(block)}\r\n\r\n"
    ).encode()
    sys.stdout.buffer.write(head + block + b"\r\n\r\n")
