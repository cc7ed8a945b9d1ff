"""Runs the attacks by name; see ci/attack.

A module of this folder with a dictionary ATTACKS, names to functions, is a source of attacks. A function gets a folder
of its own and returns its figures as one line, and a list of the bounds that were broken.
"""

import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Benchmarks"))
import access
import blocking
import connections
import disks
import floods
import kills
import link
import shapes
import slow_readers
import workers

ATTACKS = {
    **slow_readers.ATTACKS,
    **blocking.ATTACKS,
    **connections.ATTACKS,
    **floods.ATTACKS,
    **link.ATTACKS,
    **access.ATTACKS,
    **shapes.ATTACKS,
    **disks.ATTACKS,
    **kills.ATTACKS,
    **workers.ATTACKS,
}


def main(names):
    unknown = [name for name in names if name not in ATTACKS]
    if unknown:
        sys.exit(f"segue: attack: there is no attack {unknown[0]}; there are: {' '.join(ATTACKS)}")
    broken = 0
    for name in names or ATTACKS:
        began = time.perf_counter()
        with tempfile.TemporaryDirectory(prefix="segue-attack-") as folder:
            figures, bounds = ATTACKS[name](pathlib.Path(folder))
        verdict = f"BROKEN: {'; '.join(bounds)}" if bounds else "held"
        print(f"attack {name}: {figures}: {verdict} ({time.perf_counter() - began:.0f} s)", flush=True)
        broken += bool(bounds)
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
