"""Measures how many seconds of transfers the network model computes in a CPU second.

Each row estimates consecutive downloads with `segue link --estimate`; the time of the program's start is subtracted.
"""

import json
import pathlib
import tempfile

from segue_tools.launch import segue
from segue_tools.measure import cost_of_children, report

# Name, network, size, and number of downloads.
ROWS = [
    ("3g, one long download", "3g", 1_000_000_000, 8),
    ("3g, segments of 500 kB", "3g", 500_000, 2000),
    ("3g-lossy, segments of 500 kB", "3g-lossy", 500_000, 1000),
    ("bus-3g, one long download", "bus-3g", 1_000_000_000, 4),
    ("4g, one long download", "4g", 1_000_000_000, 4),
]


def estimate(network, size, seeds, folder):
    """Returns the total seconds of the downloads in the model, and the CPU seconds of the estimate."""
    path = pathlib.Path(folder, "times.json")
    with cost_of_children() as cost:
        segue("link", "--estimate", size, "--network", network, "--seeds", seeds, "--json", path)
    return json.loads(path.read_text())[0]["mean"] * seeds, cost.cpu


def main(_):
    found = []
    with tempfile.TemporaryDirectory() as folder:
        start = min(estimate("3g", 0, 1, folder)[1] for _ in range(5))
        print(f"{'':32} {'simulated s':>12} {'CPU s':>7} {'s per CPU s':>12}")
        for name, network, size, seeds in ROWS:
            runs = [estimate(network, size, seeds, folder) for _ in range(3)]
            simulated, cpu = runs[0][0], max(min(cpu for _, cpu in runs) - start, 0.001)
            found.append({"name": name, "simulated": simulated, "cpu": cpu, "perSecond": simulated / cpu})
            print(f"{name:32} {simulated:12.0f} {cpu:7.2f} {simulated / cpu:12.0f}")
    report("link-model", found)
