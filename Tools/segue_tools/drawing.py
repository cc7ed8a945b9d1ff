"""Pieces of SVG pictures."""

from collections.abc import Iterable


def head(width: float, height: float) -> list[str]:
    """Returns the opening of a picture on white."""
    return [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            'font-family="sans-serif">', f'<rect width="{width}" height="{height}" fill="#fff"/>']


def text(x: float, y: float, words: str, anchor: str = "start", size: float = 12, colour: str = "#444") -> str:
    """Returns a line of text."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">{words}</text>'


def line(x1: float, y1: float, x2: float, y2: float, colour: str, more: str = "") -> str:
    """Returns a straight line."""
    return f'<line x1="{x1:.1f}" x2="{x2:.1f}" y1="{y1:.1f}" y2="{y2:.1f}" stroke="{colour}"{more}/>'


def whole(parts: Iterable[str]) -> str:
    """Returns the text of a picture."""
    return "\n".join([*parts, "</svg>"]) + "\n"
