"""The diagram of the deviations of model and proxy from the measurements on Linux."""

import math

from segue_tools.drawing import head, line, text, whole

WIDTH, HEIGHT = 960, 480
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 72, 56
# The largest deviation in percent that is drawn to scale; larger ones are marked at the edge.
MOST = 20.0
KINDS = [
    ("model, no losses", "#1f6feb", "circle"),
    ("model, with loss or a short queue", "#d1720a", "circle"),
    ("proxy, in real time", "#1a7f37", "square"),
]


def x(seconds):
    low, high = math.log10(0.005), math.log10(300)
    return LEFT + (math.log10(min(max(seconds, 0.005), 300)) - low) / (high - low) * (WIDTH - LEFT - RIGHT)


def y(percent):
    """A square-root scale, so that a tenth of a percent is visible next to ten."""
    share = math.copysign(math.sqrt(min(abs(percent), MOST) / MOST), percent)
    middle = (TOP + HEIGHT - BOTTOM) / 2
    return middle - share * (HEIGHT - TOP - BOTTOM) / 2


def mark(kind, seconds, percent, title):
    _, colour, shape = KINDS[kind]
    at, down = x(seconds), y(percent)
    style = f'fill="{colour}" fill-opacity="0.65"'
    if shape == "circle":
        return f'<circle cx="{at:.1f}" cy="{down:.1f}" r="4" {style}><title>{title}</title></circle>'
    return f'<rect x="{at - 4:.1f}" y="{down - 4:.1f}" width="8" height="8" {style}><title>{title}</title></rect>'


def band(share, least):
    times = [0.005 * (300 / 0.005) ** (step / 200) for step in range(201)]
    limits = [(x(time), 100 * max(share, least / time)) for time in times]
    upper = " ".join(f"{at:.1f},{y(limit):.1f}" for at, limit in limits)
    lower = " ".join(f"{at:.1f},{y(-limit):.1f}" for at, limit in reversed(limits))
    return f'<polygon points="{upper} {lower}" fill="#1f6feb" fill-opacity="0.10"/>'


def write(path, model, proxy):
    parts = [*head(WIDTH, HEIGHT), text(LEFT, 24, "Downloads over a network: deviation from Linux", "start", 16,
                                        "#111"),
             band(0.005, 0.0025)]
    for percent in (-20, -10, -5, -1, 0, 1, 5, 10, 20):
        down = y(percent)
        colour = "#888" if percent == 0 else "#ddd"
        parts.append(line(LEFT, down, WIDTH - RIGHT, down, colour))
        parts.append(text(LEFT - 8, down + 4, f"{percent:+d} %" if percent else "0", "end"))
    for seconds in (0.01, 0.1, 1, 10, 100):
        at = x(seconds)
        parts.append(line(at, TOP, at, HEIGHT - BOTTOM, "#eee"))
        parts.append(text(at, HEIGHT - BOTTOM + 18, f"{seconds:g} s", "middle"))
    parts.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, "the download's time through Linux's netem", "middle"))
    at = LEFT
    for kind, (name, _, _) in enumerate(KINDS):
        parts.append(f'<g transform="translate({at - x(1) + 6:.1f},{48 - y(0):.1f})">{mark(kind, 1, 0, name)}</g>')
        parts.append(text(at + 16, 52, name, "start"))
        at += 60 + 7 * len(name)
    parts.append(f'<rect x="{at}" y="42" width="18" height="12" fill="#1f6feb" fill-opacity="0.15"/>')
    parts.append(text(at + 24, 52, "0.5 % or 2.5 ms", "start"))
    for cell in sorted(model, key=lambda cell: cell["exact"]):
        wanted = cell["median"] if cell["exact"] else cell["mean"]
        title = f"{cell['network']} {cell['bytes']} {cell['connection']}: {100 * cell['share']:+.2f} %"
        parts.append(mark(0 if cell["exact"] else 1, wanted, 100 * cell["share"], title))
    for cell in proxy:
        off = 100 * (cell["proxy"] / cell["median"] - 1)
        parts.append(mark(2, cell["median"], off, f"{cell['network']} {cell['bytes']}: {off:+.2f} %"))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(whole(parts))
