"""The folders and files of other parts of the project, named only here."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Reference data of the tools.
OWN = pathlib.Path(__file__).resolve().parent
HARNESS = ROOT / "Harness"
WEB = ROOT / "Web"
HISTORY = ROOT / "Tests/History"
LIBRARY_TESTS = ROOT / "Tests/Libraries"
MEASURED_LINKS = ROOT / "Tests/Network/SegueNetworkModelTests/Measured"
CLUSTER_CONFIGURATIONS = ROOT / "docs/cluster"
# Modules without a product, whose public types occur in the declarations of products.
BENEATH_PRODUCTS = ["SegueConformance", "SegueFetch", "SeguePlaylists", "SegueProxy"]
# The drivers of real players, a Python package with programs.
DRIVERS = ROOT / "Drivers"

if str(DRIVERS) not in sys.path:
    sys.path.append(str(DRIVERS))


def driver(name: str) -> str:
    """Returns the program that drives a player."""
    return str(DRIVERS / name)


def module(name: str, python: str = sys.executable) -> list[str]:
    """Returns the words that run a module of the tools in a process of its own."""
    folders = [str(OWN.parent), str(DRIVERS)]
    setup = f"import runpy, sys; sys.path[:0] = {folders!r}; runpy.run_module({name!r}, run_name='__main__')"
    return [python, "-B", "-c", setup]
