"""The diagram of targets, its order, and imports."""

import pytest

from segue_tools.commands import architecture
from segue_tools.manifest import Target, targets
from segue_tools.places import ROOT


def target(name, area, *dependencies, kind="regular"):
    return Target(name, kind, ROOT / "Sources" / area / name, dependencies)


def package(*all_targets):
    return {one.name: one for one in all_targets}


def test_a_dependency_that_follows_from_others_is_omitted():
    links = {"a": {"b", "c"}, "b": {"c"}, "c": set()}
    assert architecture.reduced(links) == {"a": {"b"}, "b": {"c"}, "c": set()}


def test_diagram():
    found = package(target("SegueBase", "Base"), target("SegueLink", "Network", "SegueBase", "NIO"),
                    target("SegueHLS", "HLS", "SegueLink", "SegueBase"))
    assert architecture.diagram(found).splitlines() == [
        "```mermaid", "flowchart TD",
        "    subgraph HLS", "        SegueHLS", "    end",
        "    subgraph Network", "        SegueLink", "    end",
        "    subgraph Base", "        SegueBase", "    end",
        "    SegueHLS --> SegueLink", "    SegueLink --> SegueBase", "```"]


@pytest.mark.parametrize(("area", "below", "is_wrong"), [
    ("Base", "Network", True), ("Player", "Media", True), ("Media", "Player", True), ("Server", "Player", False),
    ("Program", "Base", False), ("HLS", "HLS", False),
])
def test_order_of_areas(area, below, is_wrong):
    found = package(target("One", area, "Two"), target("Two", below))
    assert bool(architecture.against_the_order(found)) == is_wrong


def test_the_diagram_is_between_its_markers():
    page = "before\n<!-- targets -->\nold\n<!-- /targets -->\nafter\n"
    assert architecture.with_diagram(page, "new") == "before\n<!-- targets -->\nnew\n<!-- /targets -->\nafter\n"
    with pytest.raises(ValueError, match="targets"):
        architecture.with_diagram("no markers", "new")


def test_imports(tmp_path):
    (tmp_path / "A.swift").write_text("@testable import One\npackage import struct Two.Kind\n// import Three\nimport "
                                      "Four.Sub\n")
    found = architecture.imported(Target("A", "regular", tmp_path, ()))
    assert found == {"One", "Two", "Four"}


def test_folders_of_targets():
    found = targets({"targets": [
        {"name": "SegueLink", "type": "regular", "path": "Sources/Network/SegueLink",
         "dependencies": [{"byName": ["A", None]}]},
        {"name": "Old", "type": "regular", "dependencies": [{"product": ["P", "package", None, None]}]},
        {"name": "OldTests", "type": "test", "dependencies": []},
    ]})
    assert {name: (one.area, one.dependencies) for name, one in found.items()} == {
        "SegueLink": ("Network", ("A",)), "Old": ("Sources", ("P",)), "OldTests": ("Tests", ())}
