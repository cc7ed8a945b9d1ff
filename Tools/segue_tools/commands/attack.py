"""Attacks the program over loopback: clients that do not read, files that hang, floods, and the like.

Each attack prints one line with its figures; the exit code is 1 if one exceeds a limit.
"""

import pathlib
import tempfile
import time

from segue_tools.attacks import (
    access,
    blocking,
    connections,
    disks,
    floods,
    kills,
    link,
    links,
    listeners,
    shapes,
    slow_readers,
    texts,
    tls,
    workers,
)

SUBJECTS = (
    slow_readers, blocking, connections, floods, link, access, links, listeners, texts, tls, shapes, disks, kills,
    workers,
)
ATTACKS = {name: attack for subject in SUBJECTS for name, attack in subject.ATTACKS.items()}


def arguments(parser):
    parser.add_argument("name", nargs="*", metavar="NAME", help="all without a name: " + ", ".join(ATTACKS))


def main(options):
    unknown = [name for name in options.name if name not in ATTACKS]
    if unknown:
        print(f"attack: no such attack: {unknown[0]}. Attacks: {' '.join(ATTACKS)}")
        return 1
    broken = 0
    for name in options.name or ATTACKS:
        began = time.perf_counter()
        with tempfile.TemporaryDirectory(prefix="segue-attack-") as folder:
            figures, bounds = ATTACKS[name](pathlib.Path(folder))
        verdict = f"BROKEN: {'; '.join(bounds)}" if bounds else "held"
        print(f"attack {name}: {figures}: {verdict} ({time.perf_counter() - began:.0f} s)", flush=True)
        broken += bool(bounds)
    return 1 if broken else 0
