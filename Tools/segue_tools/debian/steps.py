"""The common part of the steps in an installed package; the steps are copied there with this file."""

import pathlib
import shlex
import subprocess
import sys
import time
import urllib.request

PATIENCE = 30
# The folder with the packages and a film.
GIVEN = pathlib.Path(__file__).resolve().parent


# A command whose output explains a failure.
EXPLAINED_BY: list = []


def check(what, is_so, shown=""):
    print(f"  {'ok  ' if is_so else 'FAIL'} {what}{': ' if shown else ''}{shown}", flush=True)
    if not is_so:
        if EXPLAINED_BY:
            subprocess.run(EXPLAINED_BY)
        sys.exit(1)


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    if done.returncode:
        check(shlex.join(words), False, done.stdout + done.stderr)
    return done.stdout


def fetch(url):
    return urllib.request.urlopen(url, timeout=PATIENCE).read()


def until(what, holds):
    """Waits for another process up to a time limit, and checks the result."""
    end = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < end:
        time.sleep(0.05)
    check(what, holds())
