"""A copy of a correct presentation with one planted fault, and the functions that plant it."""

import contextlib
import json
import pathlib
import re
import shutil
import subprocess

from segue_tools.planted.fault import REFUSED
from segue_tools.planted.server import Server, Site


class Stage:
    """A copy of a presentation: its files, its server, and the program's options."""

    def __init__(self, good, home, ended):
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(good, home)
        self.home, self.site, self.ended = home, Site(home), ended
        self.playlist, self.options = "master.m3u8", []

    def text(self, name, change):
        """Changes the text of a playlist."""
        path = self.home / name
        before = path.read_text()
        after = change(before)
        assert after != before, f"{name} has nothing to be changed"
        path.write_bytes(after.encode())

    def bytes(self, name, change):
        """Changes the bytes of a file."""
        path = self.home / name
        path.write_bytes(bytes(change(bytearray(path.read_bytes()))))

    def other(self, site=None, context=None):
        """Another server, of the same files if no site is given; it stops with the stage."""
        return self.ended.enter_context(Server(site or Site(self.home), context))


def rules(segue, url, report, *options):
    """The rules that the program reports, and its error if it refuses to check the URL."""
    report.unlink(missing_ok=True)
    done = subprocess.run([segue, "validate", url, "--json", str(report), "--quiet", "--profile", "all", *options],
                          capture_output=True, text=True, timeout=180)
    if done.returncode == 2:
        return {REFUSED}, done.stderr.strip()
    if done.returncode not in (0, 1):
        raise RuntimeError(f"validate ended with {done.returncode}: {done.stderr.strip()}")
    return {finding["rule"] for finding in json.loads(report.read_text())["findings"]}, ""


def found(segue, stage):
    """The rules that the program reports for a stage."""
    with Server(stage.site) as server:
        return rules(segue, server.url(stage.playlist), stage.home.with_suffix(".json"),
                     "--patience", "2", "--for", "60", *stage.options)


@contextlib.contextmanager
def staged(folder, base):
    """A stage with the presentation of a name."""
    with contextlib.ExitStack() as ended:
        yield Stage(folder / base, pathlib.Path(folder) / "stage", ended)


def text(old, new, name="index.m3u8", count=1):
    """Replaces the first occurrence of a text in a playlist; with a count of 0, every one."""
    def change(before):
        assert old in before, f"{old!r} is not in {name}"
        return before.replace(old, new) if count == 0 else before.replace(old, new, count)
    return lambda stage: stage.text(name, change)


def pattern(old, new, name="index.m3u8", count=0):
    """Replaces the matches of a regular expression."""
    return lambda stage: stage.text(name, lambda before: re.sub(old, new, before, count=count, flags=re.M))


def lines(change, name="index.m3u8"):
    """Changes a playlist as a list of its lines."""
    return lambda stage: stage.text(name, lambda before: "\n".join(change(before.splitlines())) + "\n")


def binary(name, change):
    """Changes the bytes of a file."""
    return lambda stage: stage.bytes(name, change)


def before(line, new, name="index.m3u8"):
    """Inserts lines before the first line with a prefix."""
    return pattern(f"^(?={re.escape(line)})", new.replace("\\", "\\\\") + "\n", name, 1)


def answer(path, change):
    """Changes the responses for matching paths."""
    return lambda stage: stage.site.answer(path, change)


def content(path, change):
    """Changes the bytes that are sent, by the request."""
    return lambda stage: stage.site.content(path, change)
