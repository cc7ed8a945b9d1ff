"""The cost of processes: CPU time, memory, and descendants; and the files of figures."""

import contextlib
import json
import os
import pathlib
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

from segue_tools.places import ROOT


def ended(process: subprocess.Popen[Any]) -> tuple[float, float]:
    """Waits for a process; returns its CPU seconds and peak memory in MiB."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def cpu_seconds(process: subprocess.Popen[Any]) -> float:
    """Returns the CPU seconds that a running process has used."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(number: int, key: str = "VmHWM") -> float:
    """Returns the memory of a process id in MiB: its peak, or with VmRSS what it holds now; 0 if it has ended."""
    with contextlib.suppress(OSError):
        for line in pathlib.Path(f"/proc/{number}/status").read_text().splitlines():
            if line.startswith(key + ":"):
                return int(line.split()[1]) / 1024
    return 0


def memory(process: subprocess.Popen[Any], key: str = "VmHWM") -> float:
    """Returns the memory of a running process in MiB: its peak, or with VmRSS what it holds now."""
    return resident(process.pid, key)


def children(number: int) -> list[int]:
    """Returns the process ids that a process has started."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in pathlib.Path(f"/proc/{number}/task").iterdir():
            with contextlib.suppress(OSError):
                found += map(int, (task / "children").read_text().split())
    return found


def descendants(number: int) -> list[int]:
    """Returns the process ids of all descendants of a process."""
    found, ahead = [], children(number)
    while ahead:
        found.append(ahead.pop(0))
        ahead += children(found[-1])
    return found


def raise_descriptor_limit(wanted: int) -> None:
    """Raises this process's limit of open files and sockets."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < wanted:
        sys.exit(f"{sys.argv[0]}: the system allows {hard} open files; {wanted} are required")
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


class Cost:
    """The CPU and wall seconds of a `with` block, including children that have ended."""

    cpu = wall = 0.0


@contextlib.contextmanager
def cost_of_children() -> Iterator[Cost]:
    """Measures the programs that a `with` block runs."""
    cost, before, begun = Cost(), resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    yield cost
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cost.wall = time.monotonic() - begun
    cost.cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def report(name: str, figures: object) -> None:
    """Writes a benchmark's figures to a file, for other programs."""
    target = pathlib.Path(os.environ.get("SEGUE_BENCH_JSON", ROOT / f"build/bench/{name}.json"))
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(figures, indent=2) + "\n")
