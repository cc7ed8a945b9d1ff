"""What the benchmarks share: a server under test, what it serves, and what a process has cost."""

import ctypes
import http.client
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[1]


def fail(message):
    sys.exit(f"segue: bench: {message}")


def program():
    """The program to measure."""
    return os.environ.get("SEGUE") or fail("SEGUE does not name the built program")


def ended(process):
    """Waits for a process; its CPU seconds and peak memory in MiB."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def cpu_seconds(process):
    """The CPU seconds that a running process has used so far."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(process, key="VmHWM"):
    """A running process's memory in MiB: its peak, or with VmRSS what it holds now."""
    for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith(key + ":"):
            return int(line.split()[1]) / 1024
    return fail(f"/proc says nothing of {key}")


def raise_descriptor_limit(wanted):
    """Lets this process have so many files and sockets open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < wanted:
        fail(f"the system allows {hard} open files; {wanted} are needed")
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def bound_to_this_process(then=None):
    """What a child calls before its program begins, so that it is told to end with the thread that starts it, however that
    ends (prctl(2)); `then` is called after it."""
    set_death_signal, parent, libc = 1, os.getpid(), ctypes.CDLL(None, use_errno=True)

    def bind():
        if libc.prctl(set_death_signal, signal.SIGTERM, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "prctl")
        if os.getppid() != parent:
            os._exit(1)
        if then:
            then()

    return bind


class Server:
    """`segue serve` on a folder, on a free port, for as long as this process is there; `settings` are subprocess.Popen's."""

    def __init__(self, program, folder, options=(), preexec_fn=None, **settings):
        self.process = subprocess.Popen(
            [program, "serve", str(folder), "--listen", "127.0.0.1:0", "--quiet", "--index-cache", "none",
             *options],
            stdout=subprocess.PIPE, text=True, preexec_fn=bound_to_this_process(preexec_fn), **settings)
        line = self.process.stdout.readline()
        if " at http://" not in line:
            self.process.kill()
            fail(f"segue serve did not start: {line.strip() or 'it said nothing'}")
        address = urllib.parse.urlsplit(line.split(" at ", 1)[1].strip())
        self.host, self.port = address.hostname, address.port
        self.connection = self.connect()

    def connect(self):
        """A connection of its own, for another thread."""
        return http.client.HTTPConnection(self.host, self.port, timeout=600)

    def cpu(self):
        """The CPU seconds that it has used so far."""
        return cpu_seconds(self.process)

    def get(self, path, connection=None, wanted=(200,)):
        """The body, and the seconds to its first byte."""
        connection = connection or self.connection
        began = time.perf_counter()
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
            # The server ends connections that have been idle for long; one that has crashed refuses the next.
            connection.close()
            connection.request("GET", path)
            answer = connection.getresponse()
        first = answer.read(1)
        to_first = time.perf_counter() - began
        body = first + answer.read()
        if answer.status not in wanted:
            fail(f"{path}: {answer.status} {body[:200]!r}")
        self.status = answer.status
        return body, to_first

    def segments(self, item, container, query=""):
        """The URLs that an item's playlist names, init segment first, and the seconds to the playlist's first byte.

        No URLs where the item has no such rendition; `status` is then the answer's.
        """
        base = f"/items/{item}/"
        text, seconds = self.get(f"{base}index.m3u8?container={container}{query}", wanted=(200, 422))
        urls = []
        for line in text.decode().splitlines() if self.status == 200 else []:
            if line.startswith("#EXT-X-MAP:"):
                url = base + line.split('URI="')[1].split('"')[0]
                if url not in urls:
                    urls.append(url)
            elif line and not line.startswith("#"):
                urls.append(base + line)
        return urls, seconds

    def items(self):
        """The items' ids by path."""
        result, offset = {}, 0
        while True:
            body, _ = self.get(f"/api/items?wait=0&offset={offset}")
            items = json.loads(body)["items"]
            if not items:
                return result
            result.update({item["path"]: item["id"] for item in items})
            offset += len(items)

    def stop(self):
        """Ends the server; its CPU seconds and peak memory in MiB."""
        self.connection.close()
        self.process.send_signal(signal.SIGTERM)
        return ended(self.process)


def report(name, figures):
    """Writes a benchmark's figures to a file, for other programs."""
    target = pathlib.Path(os.environ.get("SEGUE_BENCH_JSON", ROOT / f"build/bench/{name}.json"))
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(figures, indent=2) + "\n")
