"""The scripts that run in a page, each an expression in a file of this folder."""

import functools
import pathlib

FOLDER = pathlib.Path(__file__).parent


@functools.cache
def script(name: str) -> str:
    """Returns an expression without its comment."""
    return (FOLDER / f"{name}.js").read_text().split("\n", 1)[1]
