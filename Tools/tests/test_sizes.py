"""The counts of `Tools/run sizes`."""

import pytest

from segue_tools.commands import sizes


@pytest.fixture
def words(tmp_path, monkeypatch):
    monkeypatch.setattr(sizes, "ROOT", tmp_path)
    path = tmp_path / "A.swift"

    def read(text):
        path.write_text(text)
        sizes.source.cache_clear()
        found = sizes.Words()
        found.add(path)
        return {key: figure.count for key, figure in found.figures().items()}
    return read


def test_openings_and_short_comments(words):
    found = words("/// What it is.\nlet a = 1\n\n/// The key.\nlet b = 1\n\n/// A name that says it.\nlet c = 1\n")
    assert found["wh"] == pytest.approx(33.3)
    assert found["short"] == 1


def test_tell_and_told_are_counted(words):
    assert words("// It is told, and tells one word of ten more here.\n")["told"] == pytest.approx(1000 * 2 / 11,
                                                                                                   abs=0.1)


def test_parameter_comments(words):
    assert words("/// Makes one of them.\n///\n/// - Parameter a: The a.\n/// - Parameters:\n///   - b: Where it is "
                 "put then.\n"
                 "func a() {}\n")["shortParameters"] == 1


def test_duplicates(tmp_path, monkeypatch):
    monkeypatch.setattr(sizes, "ROOT", tmp_path)
    run = "\n".join(f"let name{number} = {number}" for number in range(8))
    for name in ("A", "B"):
        (tmp_path / f"{name}.swift").write_text(f"import Foundation\nlet {name} = 1\n{run}\n")
    sizes.source.cache_clear()
    found = sizes.duplicates([tmp_path / "A.swift", tmp_path / "B.swift"])
    assert len(found) == 8
    assert all(place.startswith("B.swift") for place in found)


def test_large_types_without_a_reason(tmp_path, monkeypatch):
    monkeypatch.setattr(sizes, "ROOT", tmp_path)
    lines = "".join(f"    let name{number} = 1\n" for number in range(16))
    (tmp_path / "A.swift").write_text(f"struct A {{\n{lines}}}\n// Size: a field each.\nstruct B {{\n{lines}}}\n")
    sizes.source.cache_clear()

    class Target:
        def files(self, _):
            return [tmp_path / "A.swift"]
    assert sizes.long_types(Target()) == ([], ["A.swift:1: A: 16 stored properties"])
