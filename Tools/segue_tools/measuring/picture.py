"""A diagram of real and modeled runs on one time axis: waiting, playback, and requests."""

import html

from segue_tools import drawing

WIDTH, LEFT, RIGHT, TOP, ROW, GAP = 960, 70, 20, 58, 30, 44
BAR = 12
PLAYING, WAITING, FAILED, ASKED = "#2da44e", "#d1720a", "#cf222e", ["#1f6feb", "#8250df", "#0a7ea4", "#6e40c9",
                                                                    "#57606a"]


def text(x, y, said, anchor="start", size=12, colour="#444"):
    return drawing.text(x, y, html.escape(said), anchor, size, colour)


def bar(x, y, width, height, colour, said):
    return (f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0.7):.1f}" height="{height}" fill="{colour}">'
            f"<title>{html.escape(said)}</title></rect>")


def colour(label):
    """Each variant has its own color; audio and non-segments have others."""
    name, *what = label.split()
    if what == ["list"]:
        return "#57606a"
    if name.startswith("v") and name[1:].isdigit():
        return ASKED[int(name[1:]) % 4]
    return "#bf3989" if name == "s" else "#57606a"


def row(name, account, x, y, seconds):
    """One run: waiting and playback above, requests below."""
    parts = [text(LEFT - 8, y + BAR - 2, name, "end", 12, "#111")]
    until = seconds if account["start"] is None else account["start"]
    if account["start"] is None and account["failure"]:
        parts.append(bar(x(0), y, x(until) - x(0), BAR, FAILED, f"failed: {account['failure']}"))
    else:
        parts.append(bar(x(0), y, x(until) - x(0), BAR, WAITING, f"waiting until {until:.2f} s"))
    if account["start"] is not None:
        parts.append(bar(x(until), y, x(seconds) - x(until), BAR, PLAYING, f"playing from {until:.2f} s"))
    for since, to in account["waits"]:
        parts.append(bar(x(since), y, x(to) - x(since), BAR, WAITING, f"waiting from {since:.2f} to {to:.2f} s"))
    for number, request in enumerate(account["requests"]):
        place = y + BAR + 2 + 4 * (number % 3)
        length = min(request["seconds"], seconds - request["at"])
        said = "{label}: {bytes} bytes at {at:.2f} s, took {seconds:.2f} s".format(**request)
        parts.append(bar(x(request["at"]), place, x(request["at"] + length) - x(request["at"]), 3,
                         colour(request["label"]), said))
    return parts


def draw(title, pairs, seconds):
    """An SVG of pairs, given as names with the summaries of the real and the modeled run."""
    height = TOP + len(pairs) * (2 * ROW + GAP) + 30
    x = lambda at: LEFT + at / seconds * (WIDTH - LEFT - RIGHT)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'font-family="sans-serif">', f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        text(LEFT, 24, title, size=16, colour="#111")]
    legend = LEFT
    for said, shade in [("waiting", WAITING), ("playing", PLAYING), ("failed", FAILED), ("v0", ASKED[0]),
                        ("v1", ASKED[1]), ("v2", ASKED[2]),
                        ("v3", ASKED[3]), ("audio", "#bf3989"), ("playlists", "#57606a")]:
        parts += [bar(legend, 34, 10, 10, shade, said), text(legend + 14, 43, said)]
        legend += 30 + 7 * len(said)
    step = next(step for step in (1, 2, 5, 10, 20, 30, 60, 120, 300) if seconds / step <= 12 or step == 300)
    for tick in range(0, int(seconds) + 1, step):
        parts.append(f'<line x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="{TOP}" y2="{height - 26}" stroke="#eee"/>')
        parts.append(text(x(tick), height - 10, f"{tick} s", "middle"))
    y = TOP
    for name, real, model in pairs:
        parts.append(text(LEFT, y + 14, name, size=13, colour="#111"))
        parts += row("real", real, x, y + 22, seconds)
        parts += row("model", model, x, y + 22 + ROW, seconds)
        y += 2 * ROW + GAP
    return "\n".join(parts + ["</svg>"]) + "\n"
