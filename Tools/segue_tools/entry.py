"""The entry of all tools: finds a tool by its name, prints its help, and runs it.

A tool is a file in `commands`. A Python file has a docstring, an optional `arguments(parser)`, and `main(options)`,
which returns the exit code. A shell script has its help in its first comment. A folder is a group of tools.
"""

import argparse
import ast
import importlib
import pathlib
import subprocess
import sys
import types

from segue_tools.places import OWN

COMMANDS = OWN / "commands"


def tools(folder: pathlib.Path) -> dict[str, pathlib.Path]:
    """Returns the tools and groups in a folder by name."""
    files = [path for path in folder.iterdir() if path.suffix in (".py", ".sh") and path.stem != "__init__"]
    groups = [path for path in folder.iterdir() if (path / "__init__.py").exists()]
    return {path.stem.replace("_", "-"): path for path in sorted(files + groups, key=lambda path: path.stem)}


def help_text(path: pathlib.Path) -> str:
    """Returns the help of a tool or a group without importing it."""
    if path.suffix == ".sh":
        lines = path.read_text().splitlines()[1:]
        end = next(number for number, line in enumerate(lines) if not line.startswith("#"))
        return "\n".join(line[1:].removeprefix(" ") for line in lines[:end])
    source = path if path.suffix == ".py" else path / "__init__.py"
    return ast.get_docstring(ast.parse(source.read_text())) or ""


def summary(path: pathlib.Path) -> str:
    """Returns the first sentence of the help, on one line."""
    paragraph = " ".join(help_text(path).split("\n\n")[0].split())
    return paragraph.split(". ")[0].rstrip(".:")


def listing(folder: pathlib.Path, words: list[str]) -> str:
    """Returns the help of a group: a line for each tool."""
    found = tools(folder)
    width = max(map(len, found))
    lines = [f"  {name:{width}}  {summary(path)}" for name, path in found.items()]
    usage = " ".join(["usage: Tools/run", *words, "NAME [ARGUMENTS]"])
    return "\n".join([usage, "", help_text(folder), "", *lines])


def module(path: pathlib.Path) -> types.ModuleType:
    """Imports a Python tool."""
    parts = path.relative_to(COMMANDS.parent.parent).with_suffix("").parts
    return importlib.import_module(".".join(parts))


def parser(tool: types.ModuleType, prog: str) -> argparse.ArgumentParser:
    """Makes the parser of a Python tool from its docstring and its `arguments`."""
    made = argparse.ArgumentParser(
        prog=prog, description=tool.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    if hasattr(tool, "arguments"):
        tool.arguments(made)
    return made


def run(path: pathlib.Path, prog: str, words: list[str]) -> int | str | None:
    """Runs one tool."""
    if path.suffix == ".sh":
        if "--help" in words or "-h" in words:
            print(help_text(path))
            return 0
        return subprocess.run(["bash", str(path), *words]).returncode
    tool = module(path)
    sys.argv = [prog, *words]
    return tool.main(parser(tool, prog).parse_args(words))


def main(words: list[str], folder: pathlib.Path = COMMANDS, before: tuple[str, ...] = ()) -> int | str | None:
    """Runs the tool that the words name; lists the tools without a name."""
    found = tools(folder)
    if not words or words[0] in ("--help", "-h"):
        print(listing(folder, [*before]))
        return 0
    if before and words == ["--all"]:
        # Each in a process of its own: the settings of one must not reach the next.
        codes = [subprocess.run([sys.executable, str(COMMANDS.parents[1] / "run"), *before, name]).returncode
                 for name in found]
        # A signal that ended a tool is a negative code.
        return max(map(abs, codes))
    name, *rest = words
    prog = " ".join(["Tools/run", *before, name])
    if name not in found:
        print(f"{prog}: no such tool. Tools: {' '.join(found)}", file=sys.stderr)
        return 2
    path = found[name]
    return main(rest, path, (*before, name)) if path.is_dir() else run(path, prog, rest)
