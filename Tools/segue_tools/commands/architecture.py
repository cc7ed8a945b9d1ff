"""Draws the diagram of targets in ARCHITECTURE.md from Package.swift, or checks it.

The diagram is between `<!-- targets -->` and `<!-- /targets -->`: one subgraph for each area (the folder under
Sources), and the dependencies that do not follow from others. `--check` exits with 1 if the diagram differs, if a
target imports a module that its list lacks, if it lists a target that it never imports, or if a dependency goes against
the order of the areas: Base < Network < HLS < {Player, Media} < Server < Suite < Program. Without an option, the
diagram is printed.
"""

import collections
import re
import sys

from segue_tools import manifest
from segue_tools.manifest import LEVEL, Target
from segue_tools.places import ROOT
from segue_tools.swift_source import Source

PAGE = ROOT / "ARCHITECTURE.md"
BEGIN, END = "<!-- targets -->", "<!-- /targets -->"
IMPORT = re.compile(
    r"^[ \t]*(?:@\w+(?:\([^)]*\))?[ \t]+)*(?:(?:public|package|internal|private|fileprivate)[ \t]+)?"
    r"import[ \t]+(?:(?:struct|class|enum|protocol|typealias|func|var|let|actor)[ \t]+)?(\w+)", re.M)
INCLUDE = re.compile(r'^[ \t]*(?:#[ \t]*include[ \t]+[<"](\w+)|@import[ \t]+(\w+))', re.M)


def reduced(links: dict[str, set[str]]) -> dict[str, set[str]]:
    """Returns the dependencies that do not follow from others."""
    reach: dict[str, set[str]] = {}

    def below(name: str) -> set[str]:
        if name not in reach:
            reach[name] = set().union(*({other} | below(other) for other in links.get(name, ())))
        return reach[name]

    return {name: {other for other in others if not any(other in below(third) for third in others - {other})}
            for name, others in links.items()}


def drawn(targets: dict[str, Target]) -> dict[str, Target]:
    """Returns the targets of the diagram: those of the package with sources that lie outside of Tests."""
    return {name: target for name, target in targets.items()
            if target.is_product and not target.folder.is_relative_to(ROOT / "Tests")}


def links_of(targets: dict[str, Target]) -> dict[str, set[str]]:
    return {name: {other for other in target.dependencies if other in targets} for name, target in targets.items()}


def diagram(targets: dict[str, Target]) -> str:
    """Returns the Mermaid diagram, whose order depends on names alone."""
    areas: dict[str, list[str]] = collections.defaultdict(list)
    for name, target in targets.items():
        areas[target.area].append(name)
    lines = ["```mermaid", "flowchart TD"]
    for area in sorted(areas, key=lambda area: (-LEVEL.get(area, 0), area)):
        lines += [f"    subgraph {area}", *(f"        {name}" for name in sorted(areas[area])), "    end"]
    for name, others in sorted(reduced(links_of(targets)).items()):
        if others:
            lines.append(f"    {name} --> {' & '.join(sorted(others))}")
    return "\n".join([*lines, "```"])


def with_diagram(page: str, text: str) -> str:
    """Returns the page with the diagram between its markers."""
    if BEGIN not in page or END not in page:
        raise ValueError(f"{PAGE.name} has no {BEGIN} and {END}")
    before, rest = page.split(BEGIN, 1)
    return f"{before}{BEGIN}\n{text}\n{END}{rest.split(END, 1)[1]}"


def against_the_order(targets: dict[str, Target]) -> list[str]:
    """Returns the dependencies of an area on a later one, or on another of its level."""
    wrong = []
    for name, others in sorted(links_of(targets).items()):
        area = targets[name].area
        for other in sorted(others):
            below = targets[other].area
            if area in LEVEL and below in LEVEL and area != below and LEVEL[below] >= LEVEL[area]:
                wrong.append(f"{name} ({area}) depends on {other} ({below}), which is not below it")
    return wrong


def imported(target: Target) -> set[str]:
    """Returns the modules that a target's files import."""
    found: set[str] = set()
    for path in target.files(".swift"):
        found |= set(IMPORT.findall(Source(path.read_text()).code))
    for path in target.files(".c", ".h", ".m"):
        found |= {name for pair in INCLUDE.findall(path.read_text()) for name in pair if name}
    return found


def unlike_the_imports(targets: dict[str, Target]) -> list[str]:
    """Returns the modules of the package that a target imports and does not list, and the reverse."""
    wrong = []
    for name, target in sorted(targets.items()):
        if target.kind == "system" or target.kind == "plugin" or not target.files(".swift"):
            continue
        modules = imported(target) & set(targets) - {name}
        listed = {other for other in target.dependencies if other in targets}
        wrong += [f"{name} imports {other}, which its dependencies in Package.swift lack"
                  for other in sorted(modules - listed)]
        wrong += [f"{name} lists {other} in Package.swift, and never imports it"
                  for other in sorted(listed - modules) if targets[other].kind != "executable"]
    return wrong


def arguments(parser):
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--check", action="store_true", help="exit with 1 if diagram, imports, or order are wrong")
    choice.add_argument("--update", action="store_true", help="write the diagram into ARCHITECTURE.md")


def main(options):
    everything = manifest.targets()
    targets = drawn(everything)
    text, page = diagram(targets), PAGE.read_text()
    if not options.check and not options.update:
        print(text)
        return 0
    try:
        wanted = with_diagram(page, text)
    except ValueError as error:
        print(f"architecture: {error}", file=sys.stderr)
        return 1
    if options.update:
        PAGE.write_text(wanted)
        return 0
    wrong = unlike_the_imports(everything) + against_the_order(targets)
    if page != wanted:
        wrong.append("the diagram in ARCHITECTURE.md differs from Package.swift; run `Tools/run architecture --update`")
    for line in wrong:
        print(f"architecture: {line}", file=sys.stderr)
    return 1 if wrong else 0
