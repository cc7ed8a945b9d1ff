"""Finds quotes in the article whose story the project models, without its text.

The file of fingerprints holds a hash of each run of four words. A quote is in the article if the hashes of all its runs
are in the file.
"""

import hashlib
import pathlib
import re

from segue_tools.places import HISTORY

FINGERPRINTS = HISTORY / "article.fingerprints"
RUN = 4
QUOTE = re.compile("“([^”]*)”")


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower().replace("’", "'").replace("'", ""))


def runs(text: str) -> list[str]:
    """The hashes of the runs of words in a text."""
    found = words(text)
    joined = (" ".join(found[at:at + RUN]) for at in range(len(found) - RUN + 1))
    return [hashlib.sha256(run.encode()).hexdigest()[:8] for run in joined]


def write(text: str, file: pathlib.Path = FINGERPRINTS) -> None:
    hashes = sorted(set(runs(text)))
    lines = [" ".join(hashes[at:at + 13]) for at in range(0, len(hashes), 13)]
    file.write_text("\n".join(lines) + "\n")


class Article:
    """The article's fingerprints."""

    def __init__(self, file: pathlib.Path = FINGERPRINTS):
        self.hashes = set(file.read_text().split())

    def holds(self, quote: str) -> bool:
        """Whether the parts of a quote between ellipses are in the article; a part has at least four words."""
        parts = [runs(part) for part in quote.split("…") if part.strip()]
        return bool(parts) and all(part and self.hashes.issuperset(part) for part in parts)

    def problem(self, source: str) -> str | None:
        """Why a source that names the article does not show its words; None if it does, or names another source."""
        if not source.startswith("the article"):
            return None
        quotes = QUOTE.findall(source)
        if not quotes:
            return "quotes no words of the article"
        missing = [quote for quote in quotes if not self.holds(quote)]
        return f"quotes words that are not in the article: {missing[0]}" if missing else None
