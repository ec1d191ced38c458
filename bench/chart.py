#!/usr/bin/env python3
"""Draws CPU seconds against posts, ours and the peer's, both axes logarithmic:

chart.py RESULTS.ndjson... > chart.svg, chart.py --dark RESULTS.ndjson... > chart-dark.svg, for pages with a dark background"""

import json
import math
import sys
from collections import defaultdict

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 400, 70, 190, 44, 56
LINES = {
    "wpextract, dump + scrape": ("theirs", ""),
    "wpextract, dump": ("theirs", "5 4"),
    "wpipe, dump + scrape": ("ours", ""),
    "wpipe, dump": ("ours", "5 4"),
}
LIGHT = {"page": "#ffffff", "text": "#1f2328", "grid": "#dddddd", "theirs": "#b3261e", "ours": "#1a5fb4"}
DARK = {"page": "#0d1117", "text": "#e6edf3", "grid": "#30363d", "theirs": "#ff8a80", "ours": "#79b8ff"}
STAGES = {
    "peer": "wpextract, dump + scrape",
    "peer, dump only": "wpextract, dump",
    "pipe": "wpipe, dump + scrape",
    "pipe, dump only": "wpipe, dump",
}


def points(rows):
    """{line: [(posts, CPU seconds)]}; of several results for one size the last."""
    found = defaultdict(dict)
    for row in rows:
        if row["stage"] in STAGES and row.get("posts") and not row.get("lean"):
            found[STAGES[row["stage"]]][row["posts"]] = row["seconds"]
    return {name: sorted(line.items()) for name, line in found.items()}


def draw(rows, colors):
    lines = points(rows)
    every = [point for line in lines.values() for point in line]
    if not every:
        raise SystemExit("chart.py: no results of the whole pipe")
    # From a power of ten to a power of ten, and a little room at the sides.
    xs, ys = zip(*every)
    low_x, high_x = math.log10(min(xs)) - 0.1, math.log10(max(xs)) + 0.1
    low_y, high_y = math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys)))

    def x(value):
        return LEFT + (math.log10(value) - low_x) / (high_x - low_x) * (WIDTH - LEFT - RIGHT)

    def y(value):
        return HEIGHT - BOTTOM - (math.log10(value) - low_y) / (high_y - low_y) * (HEIGHT - TOP - BOTTOM)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13" '
        f'fill="{colors["text"]}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{colors["page"]}"/>',
        f'<text x="{LEFT}" y="24" font-size="15">CPU seconds for a whole site, against its number of posts</text>',
    ]
    for power in range(low_y, high_y + 1):
        at = y(10**power)
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}" stroke="{colors["grid"]}"/>')
        out.append(f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{10**power:g} s</text>')
    for size in sorted(set(xs)):
        out.append(f'<line x1="{x(size):.1f}" x2="{x(size):.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" stroke="{colors["grid"]}"/>')
        out.append(f'<text x="{x(size):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{size:,}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">posts</text>')
    labels = []
    for name, (side, dashes) in LINES.items():
        color = colors[side]
        line = lines.get(name)
        if not line:
            continue
        path = " ".join(f"{x(size):.1f},{y(cost):.1f}" for size, cost in line)
        dash = f' stroke-dasharray="{dashes}"' if dashes else ""
        out.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"{dash}/>')
        for size, cost in line:
            out.append(f'<circle cx="{x(size):.1f}" cy="{y(cost):.1f}" r="3.5" fill="{color}"><title>{size}: {cost:.3f} s</title></circle>')
        labels.append((y(line[-1][1]), x(line[-1][0]), name, color))
    out += [
        f'<text x="{across + 10:.1f}" y="{down + 4:.1f}" fill="{color}">{name}</text>' for down, across, name, color in apart(labels)
    ]
    out.append("</svg>")
    return "\n".join(out) + "\n"


def apart(labels):
    """Moves labels down where two would overlap."""
    above = -100.0
    for down, *rest in sorted(labels):
        above = max(down, above + 16)
        yield above, *rest


def main(paths):
    colors = DARK if "--dark" in paths else LIGHT
    paths = [path for path in paths if path != "--dark"]
    runs = []
    for path in paths:
        with open(path) as file:
            runs.append([json.loads(line) for line in file])
    # Those with the peer last: both lines of a size shall be of one run, for machines differ from hour to hour.
    runs.sort(key=lambda rows: any(row["stage"] == "peer" for row in rows))
    sys.stdout.write(draw([row for rows in runs for row in rows], colors))


if __name__ == "__main__":
    main(sys.argv[1:])
