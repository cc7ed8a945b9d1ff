"""The package as its manifest describes it: targets, their folders, areas, and dependencies; nothing is built."""

import dataclasses
import functools
import json
import pathlib
import subprocess
from typing import Any

from segue_tools.launch import fail
from segue_tools.places import ROOT

# The order of the areas: a target depends on its own area and on earlier ones. Areas of one level are independent.
LEVELS = [("Base",), ("Network",), ("HLS",), ("Player", "Media"), ("Server",), ("Suite",), ("Program",)]
LEVEL = {area: level for level, areas in enumerate(LEVELS) for area in areas}


@dataclasses.dataclass(frozen=True)
class Target:
    """A target with its folder and the names that it depends on, products of other packages included."""

    name: str
    kind: str
    folder: pathlib.Path
    dependencies: tuple[str, ...]

    @property
    def is_product(self) -> bool:
        """Reports whether it has sources and is no test."""
        return self.kind in ("regular", "executable")

    @property
    def area(self) -> str:
        """Returns the folder of the area, or the one under the root where there are no areas."""
        parts = self.folder.relative_to(ROOT).parts
        return parts[1] if len(parts) > 2 and parts[1] in LEVEL else parts[0]

    def files(self, *suffixes: str) -> list[pathlib.Path]:
        """Returns its source files."""
        return sorted(path for path in self.folder.rglob("*") if path.suffix in suffixes and path.is_file())

    @property
    def is_swift(self) -> bool:
        return bool(self.files(".swift"))


def folder_of(name: str, kind: str, path: str | None) -> pathlib.Path:
    if path:
        return ROOT / path
    return ROOT / ("Tests" if kind == "test" else "Sources") / name


@functools.cache
def described() -> dict[str, Any]:
    """Returns the manifest as SwiftPM describes it."""
    done = subprocess.run(["swift", "package", "dump-package"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        fail(f"swift package dump-package: {done.stderr.strip()[-1000:]}", 2)
    return json.loads(done.stdout)


def targets(manifest: dict[str, Any] | None = None) -> dict[str, Target]:
    """Returns the package's targets by name."""
    return {entry["name"]: Target(entry["name"], entry["type"],
                                  folder_of(entry["name"], entry["type"], entry.get("path")),
                                  tuple(value[0] for link in entry["dependencies"] for value in link.values()))
            for entry in (manifest or described())["targets"]}


def libraries() -> list[str]:
    """Returns the names of the library products."""
    return [product["name"] for product in described()["products"] if "library" in product["type"]]
