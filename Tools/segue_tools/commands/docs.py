"""Generates the documentation of the libraries, and checks that each public symbol is documented.

The pages of all libraries, and of the modules whose types appear in their interfaces, go to build/documentation:
`python3 -m http.server --directory build/documentation`, then /documentation. The exit code is 1, with the file and
line of each symbol, if

- the pages cause a warning, such as a broken link;
- a public symbol has no comment, or the comment lacks a parameter, `- Throws:`, or `- Returns:`;
- the first page of a library does not list a top-level symbol.

Synthesized members such as `hash(into:)` need no comment. The tool fetches swift-docc-plugin.
"""

import json
import pathlib
import re
import subprocess
import sys

from segue_tools.manifest import libraries, targets
from segue_tools.places import BENEATH_PRODUCTS, ROOT

PAGES = ROOT / "build" / "documentation"
CALLED = ("swift.func", "swift.func.op", "swift.init", "swift.method", "swift.subscript", "swift.type.method",
          "swift.type.subscript")
# The output of successful steps.
STEP = re.compile(r"\[|Extracting |Finished |Building |Build of |Generated ")
# - Parameter name: …, and the list below - Parameters:
PARAMETER = re.compile(r"^\s*- (?:Parameter )?(\w+):", re.M)


def swift(*words):
    return subprocess.run(["swift", "package", *words], cwd=ROOT, text=True, capture_output=True)


def make(names):
    """Generates the pages; returns the errors."""
    PAGES.parent.mkdir(exist_ok=True)
    run = swift(
        "--allow-writing-to-directory", PAGES, "generate-documentation", *[f"--target={name}" for name in names],
        "--enable-experimental-combined-documentation", "--output-path", PAGES, "--transform-for-static-hosting",
        "--warnings-as-errors")
    if run.returncode != 0:
        said = [line for line in (run.stdout + run.stderr).splitlines() if line and not STEP.match(line)]
        sys.exit("\n".join(said + ["docs: the pages could not be generated"]))


def symbols(name):
    found = {}
    for file in (ROOT / ".build").glob(f"*/extracted-symbols/*/{name}/*.symbols.json"):
        for symbol in json.loads(file.read_text())["symbols"]:
            if "location" in symbol and symbol["kind"]["identifier"] != "swift.extension":
                found[symbol["identifier"]["precise"]] = symbol
    return list(found.values())


def missing(name, symbol):
    """Returns the parts that the comment of a symbol lacks."""
    comment = "\n".join(line["text"] for line in symbol.get("docComment", {}).get("lines", []))
    # The comment of a requirement in another module is inherited under that module's name.
    if not comment.strip() or symbol["docComment"].get("module") != name:
        return ["has no comment"]
    if symbol["kind"]["identifier"] not in CALLED:
        return []
    said, signature, lacks = set(PARAMETER.findall(comment)), symbol.get("functionSignature", {}), []
    for parameter in signature.get("parameters", []):
        word = parameter.get("internalName", parameter["name"])
        if word not in said:
            lacks.append(f"does not document the parameter {word}")
    # Throwing closures are within the parentheses.
    declaration, inner = "".join(part["spelling"] for part in symbol["declarationFragments"]), 1
    while inner:
        declaration, inner = re.subn(r"\([^()]*\)", "", declaration)
    if re.search(r"\b(re)?throws\b", declaration) and "- Throws:" not in comment:
        lacks.append("does not document what it throws")
    returned = "".join(part["spelling"] for part in signature.get("returns", []))
    if returned not in ("", "()") and symbol["kind"]["identifier"] != "swift.init" and "- Returns:" not in comment:
        lacks.append("does not document what it returns")
    return lacks


def unlisted(name):
    page = json.loads((PAGES / "data" / "documentation" / f"{name.lower()}.json").read_text())
    return [reference.split("/documentation/")[-1] for section in page.get("topicSections", [])
            if section.get("generated")
            for reference in section["identifiers"]]


def main(_):
    names = libraries()
    make(names + BENEATH_PRODUCTS)
    wrong = []
    for name in names + BENEATH_PRODUCTS:
        found = symbols(name)
        for symbol in found:
            file = pathlib.Path(symbol["location"]["uri"].removeprefix("file://")).relative_to(ROOT)
            place = f"{file}:{symbol['location']['position']['line'] + 1}"
            wrong += [f"{place}: {'.'.join(symbol['pathComponents'])} {lack}" for lack in missing(name, symbol)]
        page = targets()[name].folder.relative_to(ROOT) / f"{name}.docc/{name}.md"
        wrong += [f"{page}: does not list {symbol}" for symbol in unlisted(name)]
        print(f"docs: {name}: {len(found)} public symbols")
    if wrong:
        sys.exit("\n".join(f"docs: {line}" for line in sorted(wrong)))
    print(f"docs: all symbols are documented; the pages are in {PAGES.relative_to(ROOT)}")
