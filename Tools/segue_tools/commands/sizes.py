"""Counts targets, edges, files, and lines by area, long types and functions, duplicates, and the wording of comments.

The counts need the manifest and the sources of the checkout, and no build:

- a target is a Swift target that is no test; an edge is a dependency between two of them
- the lines of a type are those of all its extensions in its target, with the types in it
- a duplicate line lies in a run of at least eight equal lines of code, and the run also occurs earlier
- a type, function, or initializer below a comment `// Size: REASON` is large for that reason, and is not counted
- comments are those of Sources; a documentation comment is a block of `///` lines

`--list` prints the places of the counts, `--json FILE` writes everything.
"""

import collections
import dataclasses
import functools
import json
import pathlib
import re
from typing import Any

from segue_tools import manifest
from segue_tools.places import ROOT
from segue_tools.swift_source import Declaration, Source

TYPE_LINES, PROPERTIES, FUNCTION_LINES = 400, 15, 60
PARAMETERS, UNLABELLED, INIT_PARAMETERS = 7, 3, 8
RUN = 8
OPENINGS = ["what", "who", "whom", "whose", "whether", "where", "how", "that", "which", "when"]
TOLD = re.compile(r"\b(?:tell|tells|told|telling)\b", re.I)
WORD = re.compile(r"[\w'’`./()-]*\w[\w'’`./()-]*")
PARAMETER = re.compile(r"^\s*- (?:Parameter )?(\w+):(.*)$", re.M)


@dataclasses.dataclass
class Figure:
    """A count with its places."""

    title: str
    places: list[str]
    value: float | None = None

    @property
    def count(self) -> float:
        return len(self.places) if self.value is None else self.value


@functools.cache
def source(path: pathlib.Path) -> Source:
    return Source(path.read_text())


def at(path: pathlib.Path, line: int) -> str:
    return f"{path.relative_to(ROOT)}:{line}"


def by_area(all_targets: dict[str, manifest.Target]) -> dict[str, dict[str, int]]:
    """Returns targets, files, and lines of each area, and of C and tests."""
    rows: dict[str, dict[str, int]] = collections.defaultdict(lambda: {"targets": 0, "files": 0, "lines": 0})
    for target in all_targets.values():
        files = target.files(".swift", ".c", ".h")
        if target.kind == "system" or not files:
            continue
        row = rows[target.area if target.is_swift else f"{target.area} (C)"]
        row["targets"] += 1
        row["files"] += len(files)
        row["lines"] += sum(path.read_text().count("\n") for path in files)
    return dict(sorted(rows.items()))


def edges(all_targets: dict[str, manifest.Target]) -> list[str]:
    """Returns the dependencies between Swift targets that are no tests."""
    ours = {name for name, target in all_targets.items() if target.is_product and target.is_swift
            and in_sources(target)}
    return [f"{name} -> {other}" for name in sorted(ours) for other in all_targets[name].dependencies if other in ours]


def in_sources(target: manifest.Target) -> bool:
    return target.folder.is_relative_to(ROOT / "Sources")


def long_types(target: manifest.Target) -> tuple[list[str], list[str]]:
    """Returns a target's types with too many lines, and those with too many stored properties."""
    lines: dict[str, int] = collections.Counter()
    properties: dict[str, int] = collections.Counter()
    places: dict[str, str] = {}
    excused: set[str] = set()
    for path in target.files(".swift"):
        for declaration in source(path).types:
            lines[declaration.name] += declaration.lines
            properties[declaration.name] += source(path).stored_properties(declaration)
            if declaration.kind != "extension":
                places[declaration.name] = at(path, declaration.first_line)
                if source(path).has_size_reason(declaration):
                    excused.add(declaration.name)

    def over(counts: dict[str, int], limit: int, unit: str) -> list[str]:
        return [f"{places[name]}: {name}: {count} {unit}" for name, count in counts.items() if count > limit
                and name in places and name not in excused]

    return over(lines, TYPE_LINES, "lines"), over(properties, PROPERTIES, "stored properties")


def functions(files: list[pathlib.Path]) -> list[tuple[str, Declaration]]:
    return [(at(path, one.first_line), one) for path in files for one in source(path).functions
            if not source(path).has_size_reason(one)]


def duplicates(files: list[pathlib.Path]) -> list[str]:
    """Returns the lines of code that repeat a run of an earlier place."""
    seen: dict[tuple[str, ...], str] = {}
    repeated: set[str] = set()
    for path in files:
        code = source(path).code.splitlines()
        text = source(path).text.splitlines()
        kept = [(number, " ".join(text[number].split())) for number, line in enumerate(code)
                if len(line.strip()) > 1
                and not line.lstrip().startswith(("import ", "package import", "public import"))]
        for start in range(len(kept) - RUN + 1):
            window = kept[start:start + RUN]
            key = tuple(words for _, words in window)
            place = at(path, window[0][0] + 1)
            if seen.setdefault(key, place) != place:
                repeated |= {at(path, number + 1) for number, _ in window}
    return sorted(repeated)


def words_of(text: str) -> list[str]:
    return WORD.findall(text)


@dataclasses.dataclass
class Words:
    """The words of the comments of some files."""

    documentation: int = 0
    words: int = 0
    openings: list[str] = dataclasses.field(default_factory=list)
    told: list[str] = dataclasses.field(default_factory=list)
    short: list[str] = dataclasses.field(default_factory=list)
    short_parameters: list[str] = dataclasses.field(default_factory=list)

    def add(self, path: pathlib.Path) -> None:
        for comment in source(path).comments:
            place, words = at(path, comment.line), words_of(comment.text)
            self.words += len(words)
            self.told += [f"{place}: {word}" for word in TOLD.findall(comment.text)]
            if not comment.is_documentation or not words:
                continue
            self.documentation += 1
            if words[0].lower() in OPENINGS:
                self.openings.append(f"{place}: {comment.text.splitlines()[0]}")
            if len(words) <= 2:
                self.short.append(f"{place}: {comment.text}")
            for name, text in PARAMETER.findall(comment.text):
                if name not in ("Returns", "Throws", "Parameters", "Note") and len(words_of(text)) <= 3:
                    self.short_parameters.append(f"{place}: {name}:{text}")

    def figures(self) -> dict[str, Figure]:
        share = 100 * len(self.openings) / max(1, self.documentation)
        return {
            "wh": Figure("percent of documentation comments open with a wh-word", self.openings, round(share, 1)),
            "told": Figure("tell/told per 1,000 words of comments", self.told,
                           round(1000 * len(self.told) / max(1, self.words), 2)),
            "short": Figure("documentation comments of one or two words", self.short),
            "shortParameters": Figure("parameter comments of three words or fewer", self.short_parameters),
        }


def figures() -> tuple[dict[str, Any], dict[str, Figure]]:
    """Returns the rows of areas, and all figures by key."""
    everything = manifest.targets()
    ours = [target for target in everything.values() if in_sources(target) and target.is_product and target.is_swift]
    files = [path for target in ours for path in target.files(".swift")]
    types = [long_types(target) for target in ours]
    declared = functions(files)
    words = Words()
    for path in files:
        words.add(path)

    def those(condition: Any) -> list[str]:
        return [f"{place}: {one.name}: {one.lines} lines, {len(one.parameters)} parameters, {one.unlabelled} unlabelled"
                for place, one in declared if condition(one)]

    found = {
        "targets": Figure("Swift targets", [target.name for target in ours]),
        "edges": Figure("dependencies between them", edges(everything)),
        "files": Figure("Swift files", [str(path.relative_to(ROOT)) for path in files]),
        "lines": Figure("lines of Swift", [], sum(path.read_text().count("\n") for path in files)),
        "types": Figure(f"types over {TYPE_LINES} lines", [place for long, _ in types for place in long]),
        "properties": Figure(f"types over {PROPERTIES} stored properties",
                             [place for _, many in types for place in many]),
        "parameters": Figure(f"functions and initializers of {PARAMETERS} parameters or more",
                             those(lambda one: len(one.parameters) >= PARAMETERS)),
        "unlabelled": Figure(f"functions of {UNLABELLED} unlabelled parameters or more",
                             those(lambda one: one.unlabelled >= UNLABELLED)),
        "initializers": Figure(f"initializers over {INIT_PARAMETERS} parameters",
                               those(lambda one: one.kind == "init" and len(one.parameters) > INIT_PARAMETERS)),
        "functions": Figure(f"functions over {FUNCTION_LINES} lines", those(lambda one: one.lines > FUNCTION_LINES)),
        "duplicates": Figure("duplicate lines", duplicates(files)),
        **words.figures(),
    }
    return by_area(everything), found


def arguments(parser):
    parser.add_argument("--list", action="store_true", help="print the places of the counts")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write counts and places to a file")


def main(options):
    areas, found = figures()
    print(f"{'area':20}{'targets':>9}{'files':>9}{'lines':>9}")
    for area, row in areas.items():
        print(f"{area:20}{row['targets']:9}{row['files']:9}{row['lines']:9}")
    print()
    for key, figure in found.items():
        print(f"{figure.count:9g}  {figure.title}")
        if options.list and key not in ("targets", "files"):
            for place in figure.places:
                print(f"             {place}")
    if options.json:
        options.json.write_text(json.dumps({
            "areas": areas,
            "figures": {key: {"title": one.title, "count": one.count, "places": one.places} for key,
                        one in found.items()},
        }, indent=1) + "\n")
    return 0
