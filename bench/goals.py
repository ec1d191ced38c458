"""The goals of the bench as ratios of its own results: what was asked, what came out. A goal missed fails nothing."""

MB = 1e6


def rows_by(rows, stage):
    return [row for row in rows if row["stage"] == stage]


def per_second(row, what="bytes"):
    return row[what] / row["seconds"] if row["seconds"] else float("inf")


def goals(rows):
    """Gives (what, corpus, measured, goal, floor, unit, whether more is better)."""
    for peer, ours, goal, floor in (("peer", "pipe", 100, 50), ("peer, dump only", "pipe, dump only", 40, 25)):
        for row in rows_by(rows, peer):
            for other in rows_by(rows, ours):
                if other["corpus"] == row["corpus"]:
                    yield f"CPU of {peer} / {ours}", row["corpus"], row["seconds"] / other["seconds"], goal, floor, "times", True
    rates = (
        ("wp-index, dump only", "bytes", 1200, 800),
        ("wp-index, PHP's escapes", "bytes", 1200, 800),
        ("wp-parse -j 1", "bytes", 600, 300),
        ("wp-parse -j 1, PHP's escapes", "bytes", 600, 300),
        ("wp-resolve -j 1", "bytes", 600, 400),
        ("wp-export", "bytes", 1000, 600),
        ("wp-export, a stream", "bytes", 1000, 600),
    )
    for stage, what, goal, floor in rates:
        for row in rows_by(rows, stage):
            if not row["lean"]:
                if row["corpus"].startswith("own"):
                    goal = 450 if stage == "wp-parse -j 1" else goal
                yield f"{stage}, {what} per CPU second", row["corpus"], per_second(row, what) / MB, goal, floor, "MB/s", True
    for stage, goal in (("wp-translations -j 1, heads", 25_000), ("wp-translations -j 1, whole pages", 6_000)):
        for row in rows_by(rows, stage):
            for bare in rows_by(rows, "wp-translations -j 1, no pages"):
                if bare["corpus"] == row["corpus"]:
                    rate = row["pages"] / (row["seconds"] - bare["seconds"])
                    yield f"{stage}: pages per CPU second, that of the records subtracted", row["corpus"], rate, goal, None, "/s", True
    for stage in ("wp-parse", "wp-translations"):
        for one in rows_by(rows, f"{stage} -j 1"):
            for two in rows_by(rows, f"{stage} -j 2"):
                if one["corpus"] == two["corpus"]:
                    yield f"{stage}: wall of -j 1 / -j 2", one["corpus"], one["wall"] / two["wall"], 1.6, None, "times", True
    for row in rows_by(rows, "pipe"):
        yield "the pipe: wall / (CPU / cores)", row["corpus"], row["wall"] / (row["seconds"] / row["cores"]), 1.4, None, "times", False
    for row in rows:
        if row["stage"].startswith("start-up of"):
            yield row["stage"], row["corpus"], row["wall"] * 1000, 3, None, "ms", False
    yield from memory(rows)
    yield from growth(rows)


def memory(rows):
    """The largest process of ours at the largest corpus of full contents."""
    ours = [row for row in rows if row["stage"].startswith("wp-") and not row["lean"]]
    if ours:
        posts = max(row["posts"] for row in ours)
        row = max((row for row in ours if row["posts"] == posts), key=lambda row: row["peak_rss"])
        yield f"peak memory: largest is {row['stage']}", row["corpus"], row["peak_rss"] / MB, 64, None, "MB", False
    for row in rows_by(rows, "pipe"):
        for part in row.get("parts", ()):
            yield f"peak memory in the pipe: {part['program']}", row["corpus"], part["peak_rss"] / MB, 64, None, "MB", False
    # At the largest, where buffers and program matter least.
    registries = [row for row in rows if row.get("urls")]
    if registries:
        row = max(registries, key=lambda row: row["urls"])
        yield "wp-resolve: peak memory a URL, all in all", row["corpus"], row["peak_rss"] / row["urls"], 64, None, "bytes", False


def growth(rows):
    """CPU per record, start-up subtracted, at the largest number of records against 10^4."""
    start = {row["program"]: row["seconds"] for row in rows if row["stage"].startswith("start-up of")}
    lean = [row for row in rows if row["lean"]]
    for stage in dict.fromkeys(row["stage"] for row in lean):
        sizes = sorted(rows_by(lean, stage), key=lambda row: row["records"])
        if len(sizes) < 2:
            continue
        each = [(row["seconds"] - start.get(stage.split(" ")[0], 0)) / row["records"] for row in sizes]
        for row, cost in zip(sizes[1:], each[1:]):
            goal = 1.5 if stage.startswith("wp-resolve") else 1.15
            yield f"{stage}: CPU per record / that at {sizes[0]['records']:,}", row["corpus"], cost / each[0], goal, None, "times", False


def table(rows):
    lines = [("goal", "corpus", "measured", "goal", "floor", "")]
    for what, corpus, measured, goal, floor, unit, more in goals(rows):
        reached = measured >= goal if more else measured <= goal
        lines.append((what, corpus, f"{measured:,.4g} {unit}", f"{goal:,}", f"{floor:,}" if floor else "", "" if reached else "MISSED"))
    return lines
