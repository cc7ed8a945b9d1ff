"""Checks that each source that names the article quotes its words.

Sources are those of the platforms and apps in Harness and of the cells in Tests/History/history.json. The exit code is
1 if a quote is missing or not in the article. `--article FILE` writes the fingerprints of the article's text, which the
check needs, to Tests/History.
"""

import json
import pathlib
import re

from segue_tools import article
from segue_tools.places import HARNESS, HISTORY, ROOT

SOURCE = re.compile(r'^.*?\bsource: "((?:[^"\\]|\\.)*)"')


def of_harness():
    """The place and the text of each source in Harness."""
    for file in sorted([*HARNESS.glob("platforms/*.yaml"), *HARNESS.glob("apps/*.yaml")]):
        for number, line in enumerate(file.read_text().splitlines(), 1):
            if found := SOURCE.match(line):
                yield f"{file.relative_to(ROOT)}:{number}", found[1]


def of_history():
    """The place and the text of each source of the history's cells."""
    file = HISTORY / "history.json"
    for name, source in json.loads(file.read_text())["sources"].items():
        yield f"{file.relative_to(ROOT)}, source {name}", source["text"]


def problems():
    found = article.Article()
    for place, source in [*of_harness(), *of_history()]:
        if problem := found.problem(source):
            yield f"{place}: the source {problem}"


def arguments(parser):
    parser.add_argument("--article", type=pathlib.Path, help="the article's text; writes its fingerprints")


def main(options):
    if options.article:
        article.write(options.article.read_text())
    found = list(problems())
    for line in found:
        print(line)
    return 1 if found else 0
