"""Starts programs that end with their driver, and ends them and their connections."""

import contextlib
import ctypes
import os
import signal
import socket
import subprocess
import time

# The longest time that ending a driver may take, in seconds; Segue waits for 5.
CLOSE_TIMEOUT = 3
# Options of prctl.
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


def start(command, **options):
    """Starts a program that is killed when this process ends, and adopts the children that it leaves behind."""
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    return subprocess.Popen(
        command, preexec_fn=lambda: libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), **options
    )


def kill_children():
    """Kills all children, including those adopted from programs that ended, and waits until they are gone."""
    deadline = time.monotonic() + CLOSE_TIMEOUT / 2
    while time.monotonic() < deadline:
        for child in children():
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def children():
    """Returns the process IDs of this process's children."""
    found: list[int] = []
    for task in os.listdir("/proc/self/task"):
        with contextlib.suppress(OSError), open(f"/proc/self/task/{task}/children") as file:
            found += map(int, file.read().split())
    return found


def shut_down_connections():
    """Shuts down this process's IP connections: libraries keep some open while they wait for a response."""
    for number in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            if os.readlink(f"/proc/self/fd/{number}").startswith("socket:"):
                with socket.socket(fileno=os.dup(int(number))) as connection:
                    if connection.family in (socket.AF_INET, socket.AF_INET6):
                        connection.shutdown(socket.SHUT_RDWR)
