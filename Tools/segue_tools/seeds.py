"""Runs a fuzz program of the package over seeded cases in parallel, and finds the cases that fail."""

import concurrent.futures
import os
import subprocess
import time

PART = 10_000


def arguments(parser):
    parser.add_argument("--seed", type=int, default=1, help="the seed of the cases (1)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case (0)")
    parser.add_argument("--count", type=int, default=1_000_000, help="the number of cases (1000000)")
    parser.add_argument("--configuration", default="release", choices=["release", "debug"])


def call(program, *words, text="", patience=600):
    """Returns the program's exit code, negative for a signal, and its output lines."""
    try:
        # A trap is the finding; its backtrace would take a second each time.
        done = subprocess.run([program, *map(str, words)], input=text, capture_output=True, text=True, timeout=patience,
                              env={**os.environ, "SWIFT_BACKTRACE": "enable=no"})
    except subprocess.TimeoutExpired:
        return -14, []
    return done.returncode, done.stdout.splitlines()


def failing(program, seed, first, count, more=()):
    """Returns the failing cases of a part with the reason (the first one for a trap), and all other lines."""
    code, lines = call(program, seed, first, count, *more)
    others = [line for line in lines if not line[:1].isdigit()]
    if code in (0, 1):
        return [(int(number), what) for number, what in
                (line.split(" ", 1) for line in lines if line[:1].isdigit())], others
    if count == 1:
        return [(first, f"ends with signal {-code}" if code < 0 else f"ends with exit code {code}")], others
    half = count // 2
    found, others = failing(program, seed, first, half, more)
    return (found, others) if found else failing(program, seed, first + half, count - half, more)


def all_failing(program, options, *more):
    """Returns the failing cases of all parts, all other lines, and the seconds."""
    begun, end = time.monotonic(), options.first + options.count
    parts = [(first, min(PART, end - first)) for first in range(options.first, end, PART)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda part: failing(program, options.seed, part[0], part[1], more), parts))
    return ([one for found, _ in results for one in found], [line for _, others in results for line in others],
            time.monotonic() - begun)


def smallest(program, case, most_tries=5000):
    """Reduces a failing case by removing one element after another."""
    tries = 0
    while tries < most_tries:
        for smaller in call(program, "smaller", text=case)[1]:
            tries += 1
            if call(program, "check", text=smaller)[0] != 0:
                case = smaller
                break
        else:
            break
    return case
