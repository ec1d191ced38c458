"""Opens reports in headless Chromium, light and dark, at the widths of a telephone and of a screen, and prints them.

report.py CHROMIUM OUT FILE...     Screenshots go to OUT. Fails if a page asks for anything, reports an error, is wider than the
                                   window, or has a text that is too small or too pale to read.
"""

import pathlib
import sys

from playwright.sync_api import sync_playwright

# The least contrast of a text to what is behind it (WCAG AA), and the least size of letters.
CONTRAST, SIZE = 4.5, 12
LOOK = """() => {
  const rgb = text => { const c = new OffscreenCanvas(1, 1).getContext('2d'); c.fillStyle = text; c.fillRect(0, 0, 1, 1); return [...c.getImageData(0, 0, 1, 1).data]; };
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const over = (top, below) => top.slice(0, 3).map((v, i) => v * top[3] / 255 + below[i] * (1 - top[3] / 255));
  const ground = e => { const own = rgb(getComputedStyle(e).backgroundColor);
    return own[3] === 255 || !e.parentElement ? (own[3] ? own.slice(0, 3) : [255, 255, 255]) : over(own, ground(e.parentElement)); };
  let contrast = 99, size = 99, texts = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; node = walker.nextNode();) {
    const e = node.parentElement;
    if (!node.data.trim() || e.closest('title') || !e.checkVisibility()) continue;
    const style = getComputedStyle(e), isSvg = e.namespaceURI.endsWith('svg');
    const [a, b] = [light(rgb(isSvg ? style.fill : style.color)), light(ground(e))].sort((x, y) => y - x);
    contrast = Math.min(contrast, (a + .05) / (b + .05));
    size = Math.min(size, parseFloat(style.fontSize));
    texts += 1;
  }
  return { contrast, size, texts, charts: document.querySelectorAll('svg').length, tables: document.querySelectorAll('table').length,
    titled: [...document.querySelectorAll('svg')].every(svg => svg.firstElementChild?.localName === 'title'),
    width: document.scrollingElement.scrollWidth };
}"""

chromium, out, files = sys.argv[1], pathlib.Path(sys.argv[2]), [pathlib.Path(name) for name in sys.argv[3:]]
failed = views = 0
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
    for file in files:
        name = file.parent.name
        for scheme in "light", "dark":
            for width in 400, 1400:
                # A look at the page takes a script; the page itself brings none, and its policy would refuse it.
                context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
                page = context.new_page()
                asked, errors = [], []
                page.on("request", lambda request: asked.append(request.url))
                page.on("console", lambda message: errors.append(message.text))
                page.on("pageerror", lambda error: errors.append(str(error)))
                page.goto(file.resolve().as_uri(), wait_until="networkidle")
                found = page.evaluate(LOOK)
                page.screenshot(path=out / f"{name}-{scheme}-{width}.png", full_page=True)
                good = (asked == [file.resolve().as_uri()] and not errors and found["width"] <= width and found["titled"]
                        and found["contrast"] >= CONTRAST and found["size"] >= SIZE and found["charts"] >= (3 if name == "generated" else 6) and found["tables"] >= 4)
                views += 1
                failed += not good
                print(f"{'ok' if good else 'FAILED':7}{name:15}{scheme:6}{width:5}  {len(asked)} request, {len(errors)} errors, "
                      f"{found['charts']} charts, {found['tables']} tables, {found['texts']} texts, contrast {found['contrast']:.1f}, "
                      f"letters {found['size']:.0f} px, {found['width']} px wide", *errors[:3])
                if (scheme, width) == ("dark", 1400):
                    page.emulate_media(media="print")
                    page.pdf(path=out / f"{name}.pdf", format="A4", print_background=True)
                context.close()
print(f"{views - failed} of {views} views: no request, no error, nothing cut off, readable")
sys.exit(failed > 0)
