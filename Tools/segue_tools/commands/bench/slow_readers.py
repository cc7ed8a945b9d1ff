"""Memory while clients ask for much and read nothing, and after they have gone.

For each kind of body a server is started, so many clients with a receive buffer of 4 KiB ask for it and do not read.
Wanted: at most 100 MiB above the idle server, of which at most 20 are left ten seconds after they have gone; and
another client is served meanwhile. `Tools/run attack slow-readers-…` is the same with these bounds as a verdict.

Environment: SEGUE_BENCH_JSON, a file for the figures.
"""

import pathlib
import tempfile

from segue_tools.attacks.slow_readers import CASES, measure
from segue_tools.launch import requires
from segue_tools.measure import report


def main(_):
    requires("ffmpeg")
    figures = {}
    with tempfile.TemporaryDirectory(prefix="segue-bench-") as work:
        for name, case in CASES.items():
            row = figures[name] = measure(pathlib.Path(work), *case)
            print(f"slow-readers: {name}: {row['clients']} clients that do not read cost {row['cost']:.0f} MiB (wanted: "
                  f"100), {row['left']:.0f} (wanted: 20) 10 s after they left; another client had playlist and segment "
                  f"in {row['waited']:.2f} s", flush=True)
    report("slow-readers", figures)
