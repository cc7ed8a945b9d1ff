"""Each tool imports and explains itself, as a user runs it."""

import concurrent.futures
import os
import subprocess
import sys

import pytest

from segue_tools import entry
from segue_tools.places import ROOT

RUN = [sys.executable, ROOT / "Tools/run"]


def names():
    for name, path in entry.tools(entry.COMMANDS).items():
        yield from ([name, inner] for inner in entry.tools(path)) if path.is_dir() else [[name]]


def run(*words):
    return subprocess.run([*RUN, *words], capture_output=True, text=True, timeout=60)


@pytest.fixture(scope="module")
def helps():
    """The help of all tools, each in a process of its own."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return {tuple(words): pool.submit(run, *words, "--help") for words in names()}


@pytest.mark.parametrize("words", [*names()], ids=" ".join)
def test_help_of_a_tool(words, helps):
    done = helps[tuple(words)].result()
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) > 3


@pytest.mark.parametrize("words", [[], ["bench"], ["fuzz"]], ids=str)
def test_a_group_lists_its_tools_with_a_line_each(words):
    done = run(*words)
    listed = [line for line in done.stdout.splitlines() if line.startswith("  ")]
    assert done.returncode == 0
    assert len(listed) == len(entry.tools(entry.COMMANDS.joinpath(*words)))
    assert all(len(line.split(None, 1)) == 2 for line in listed)


def test_an_unknown_tool_is_an_error_that_names_the_tools():
    done = run("no-such-tool")
    assert done.returncode == 2
    assert "no such tool" in done.stderr
    assert "sizes" in done.stderr


def test_every_module_imports():
    modules = [".".join(path.relative_to(ROOT / "Tools").with_suffix("").parts)
               for path in sorted((ROOT / "Tools/segue_tools").rglob("*.py"))
               if path.name != "__init__.py" and "debian" not in path.parts and path.name != "marks.py"]
    script = ("import importlib, sys; sys.path[:0] = sys.argv[1:3]\n"
              "for name in sys.argv[3:]: importlib.import_module(name)")
    done = subprocess.run([sys.executable, "-B", "-c", script, ROOT / "Tools", ROOT / "Drivers", *modules],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_program_beside_the_tools_runs_its_main():
    folder = ROOT / "Tools/segue_tools"
    programs = [path for path in folder.rglob("*.py")
                if path.parent != folder and "commands" not in path.parts and "\ndef main(" in path.read_text()]
    assert {path.name for path in programs} == {"service.py", "systemd.py", "gstreamer.py", "marks.py"}
    assert all('if __name__ == "__main__":\n    main()' in path.read_text() for path in programs)
