"""The scripts that run in a page, each an expression in a file."""

import functools

from segue_tools.places import OWN


@functools.cache
def script(name: str) -> str:
    """Returns the expression in a file, without the comment in its first line."""
    path = next(path for folder in ("browser", "page") if (path := OWN / folder / f"{name}.js").exists())
    return path.read_text().split("\n", 1)[1].strip()
