// The rule of text as wp-parse(1) states it, in terms of a browser's document: the reference for `make oracle`.
// A function for the renderer's --eval. It gets a <div> with one element that carries the fragment in data-fragment and an
// option of wp-parse, or none, in data-option, and gives back the text; with the option "plain" what innerText says of the
// fragment as it is. Written from the manual, not from the code.
(div) => {
  const { fragment, option } = div.firstElementChild.dataset;
  div.innerHTML = fragment;
  const BLANK = '[\\t\\v\\f\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
  const trimStart = line => line.replace(new RegExp(`^${BLANK}+`), '');
  const trimEnd = line => line.replace(new RegExp(`${BLANK}+$`), '');
  if (option === 'plain') return div.innerText.split('\n').map(l => trimEnd(trimStart(l))).filter(Boolean).join('\n');

  const all = selector => [...div.querySelectorAll(selector)];
  const words = element => element.className?.baseVal?.split(/\s+/) ?? element.className?.split?.(/\s+/) ?? [];
  const style = element => getComputedStyle(element);
  // What is taken out leaves a break if it was a block.
  const takeOut = element => /^(block|flex|grid|table|list-item|flow-root)$/.test(style(element).display)
    ? element.replaceWith(document.createElement('div')) : element.remove();
  const becomes = (element, name, ...content) => {
    const other = document.createElement(name);
    other.append(...content);
    element.replaceWith(other);
    return other;
  };

  // Style sheets inside the fragment are not in force; closed details count as open.
  for (const e of all('style, link')) e.remove();
  for (const e of all('details')) e.open = true;

  // Captions that an image or an embed takes: of its own figure, else of the figure around that has one.
  const FIGURE = 'figure, .wp-caption, .gallery-item';
  const captionOf = new Map();
  for (const caption of all('figcaption, .wp-caption-text, .gallery-caption')) {
    const figure = caption.parentElement.closest(FIGURE);
    if (figure && div.contains(figure) && !captionOf.has(figure)) captionOf.set(figure, caption);
  }
  const MEDIA = 'img, iframe, video, audio, object, embed, lite-youtube, lite-vimeo, amp-youtube, amp-vimeo, amp-iframe, '
    + '.rll-youtube-player, .wp-block-embed, noscript';
  for (const medium of all(MEDIA)) {
    if (medium.matches('noscript') && !/<(img|iframe)\b/i.test(medium.textContent)) continue;
    if (medium.matches('iframe') && /^\s*about:/i.test(medium.getAttribute('src') ?? '') && !/ data-/.test(medium.outerHTML)) continue;
    if (medium.matches('.wp-block-embed') && !medium.querySelector('iframe, blockquote, video') && !/https?:/.test(medium.textContent)) continue;
    let figure = medium.closest(FIGURE);
    while (figure && !captionOf.has(figure)) figure = figure.parentElement.closest(FIGURE);
    if (figure && div.contains(figure)) captionOf.get(figure).dataset.taken = '';
  }
  if (option !== 'captions') for (const e of all('[data-taken]')) takeOut(e);

  // Buttons that head or switch content are blocks of text, but for what is hidden from readers in them.
  for (const button of all('button')) {
    const switches = button.matches('[aria-expanded], [aria-controls], [role=tab i]') || /accordion/.test(button.className);
    const heads = button.closest('h1, h2, h3, h4, h5, h6, dt, summary');
    const shown = button.matches(':not([aria-hidden=true])') && (heads || (switches && !button.closest('form')));
    if (!shown || style(button).display === 'none') continue;
    for (const e of button.querySelectorAll('[aria-hidden=true]')) e.remove();
    becomes(button, 'div', ...button.childNodes);
  }
  // Emoji and formulas that stand as images are their alternative text.
  for (const e of all('img.emoji, img.wp-smiley, img.latex, img[src*="s.w.org/images/core/emoji"]')) {
    if (style(e).display !== 'none') e.replaceWith(e.alt);
  }
  // A formula is told once, on one line.
  for (const e of all('.katex-mathml ~ .katex-html')) e.remove();
  for (const e of all('math annotation, math annotation-xml')) e.remove();
  for (const e of all('math')) becomes(e, 'span', e.textContent);

  // What a reader does not see, and what is no text.
  for (const e of all('script, template, noscript, svg, iframe, object, video, audio, canvas, select, option, textarea, button, '
    + 'input, datalist, progress, meter, img, embed, rp, title, noembed, [hidden], [popover], dialog:not([open]), '
    + '.screen-reader-text, .sr-only, .visually-hidden, .elementor-screen-only')) takeOut(e);

  // Preformatted text is marked, so that its blanks and empty lines are known again: each line end in it, each start.
  const END = '\ue000', START = '\ue001';
  const isKept = element => /^(pre|pre-wrap|break-spaces)$/.test(style(element).whiteSpace)
    || ['preserve'].includes(style(element).whiteSpaceCollapse);
  const walker = document.createTreeWalker(div, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) if (isKept(walker.currentNode.parentElement)) texts.push(walker.currentNode);
  for (const text of texts) text.data = START + text.data.replaceAll('\n', `${END}\n${START}`);
  for (const br of all('br')) if (isKept(br.parentElement)) br.replaceWith(`${END}\n${START}`);

  // Tables, the innermost first: a row of a table of data is a line, a cell of any other is a block.
  for (const table of all('table').reverse()) {
    const own = selector => [...table.querySelectorAll(selector)].filter(e => e.parentElement.closest('table') === table);
    const isData = own('th, thead, caption, td[scope]').length > 0 || words(table).some(word => /^tablepress/.test(word))
      || table.closest('.wp-block-table') !== null;
    const role = (table.getAttribute('role') ?? '').trim().toLowerCase();
    const rows = own('tr').map(tr => [...tr.cells]);
    const letters = cell => cell.textContent.replaceAll(START, '').trim().replace(/\s+/g, ' ').length;
    const total = rows.flat().reduce((sum, cell) => sum + letters(cell), 0);
    const holdHalf = which => total > 0 && 2 * rows.flat().filter(which).reduce((sum, cell) => sum + letters(cell), 0) >= total;
    const full = rows.map(row => row.filter(cell => letters(cell) > 0)).filter(row => row.length > 0);
    const single = full.length === 1 || full.every(row => row.length === 1);
    const isLong = cell => letters(cell) > 100;
    const isProse = cell => cell.querySelector('[data-table], h1, h2, h3, h4, h5, h6')
      || [...cell.querySelectorAll('p')].filter(p => p.textContent.trim()).length > 1;
    const isLayout = !isData && (role === 'presentation' || role === 'none' || holdHalf(isProse)
      || (single && holdHalf(isLong)) || holdHalf(cell => isLong(cell) && cell.querySelector('br')));
    if (!isLayout && option === 'no-tables') {
      captionOf.get(table.closest(FIGURE))?.remove();
      takeOut(table);
      continue;
    }
    const inside = document.createElement('div');
    inside.dataset.table = '';
    const line = cell => cell.innerText.replace(new RegExp(`[${END}${START}]`, 'g'), '').replace(/[\n\t]/g, ' ')
      .replace(/ +/g, ' ').trim();
    const lines = [];
    for (const part of own('caption, tr')) {
      if (part.matches('caption')) lines.push(becomes(part, 'div', ...part.childNodes));
      else if (isLayout) lines.push(...[...part.cells].map(cell => becomes(cell, 'div', ...cell.childNodes)));
      else {
        const row = document.createElement('div');
        row.style.whiteSpace = 'pre';
        row.textContent = [...part.cells].map(line).join('\t');
        lines.push(row);
      }
    }
    inside.append(...lines);
    table.replaceWith(inside);
  }

  // Lines without blanks at their ends, no empty ones; in preformatted text all but those at its ends.
  const lines = div.innerText.split('\n'), out = [];
  for (let at = 0; at < lines.length; at++) {
    const run = [lines[at]];
    while (lines[at].endsWith(END) && at + 1 < lines.length) run.push(lines[++at]);
    const kept = run.map(line => ({ kept: line.includes(START), text: line.replaceAll(END, '').replaceAll(START, '') }));
    while (kept.length && !trimStart(kept[0].text)) kept.shift();
    while (kept.length && !trimStart(kept.at(-1).text)) kept.pop();
    kept.forEach((line, number) => {
      const start = line.kept ? line.text : trimStart(line.text);
      out.push(number === kept.length - 1 ? trimEnd(start) : start);
    });
  }
  return out.join('\n');
}
