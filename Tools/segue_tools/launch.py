"""The launcher of all tools: the program under test, its servers and links, and other programs that they need."""

import contextlib
import ctypes
import functools
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from segue_tools.measure import cpu_seconds, ended, memory
from segue_tools.places import ROOT

PATIENCE = 30


def fail(message: str, code: int = 1) -> NoReturn:
    """Ends the tool with a message."""
    print(f"{sys.argv[0]}: {message}", file=sys.stderr)
    sys.exit(code)


def requires(*programs: str) -> None:
    """Ends the tool if a program is not installed."""
    missing = [name for name in programs if not shutil.which(name)]
    if missing:
        fail(f"not installed: {', '.join(missing)}; ci/setup installs what the tools need", 2)


def requires_root(reason: str) -> None:
    """Ends the tool if the user is not root."""
    if os.geteuid() != 0:
        fail(f"run as root: {reason}", 2)


def built(product: str, configuration: str = "release") -> str:
    """Builds a product and returns its path."""
    build = ["swift", "build", "--configuration", configuration]
    if subprocess.run([*build, "--product", product, "--quiet"], cwd=ROOT, stdout=sys.stderr).returncode:
        fail(f"{product} does not build", 2)
    shown = subprocess.run([*build, "--show-bin-path"], cwd=ROOT, check=True, capture_output=True, text=True)
    return f"{shown.stdout.strip()}/{product}"


@functools.cache
def program() -> str:
    """Returns the program that SEGUE names, or builds it."""
    named = os.environ.get("SEGUE")
    if named:
        return os.path.realpath(shutil.which(named) or fail(f"SEGUE names {named}, which is not a program", 2))
    print("building segue (release); SEGUE names a built program", file=sys.stderr)
    return built("segue")


def segue(*words: object, may_find: bool = False, **settings: Any) -> subprocess.CompletedProcess[str]:
    """Runs the program to its end; `may_find` accepts exit code 1, which reports findings."""
    done = subprocess.run([program(), *map(str, words)], **{"capture_output": True, "text": True, **settings})
    if done.returncode not in ((0, 1) if may_find else (0,)):
        fail(f"segue {words[0]} ended with {done.returncode}: {(done.stderr or '').strip()[-2000:]}", 2)
    return done


def bound_to_this_process(then: Callable[[], object] | None = None) -> Callable[[], None]:
    """Returns a `preexec_fn` that has the kernel end the child with the thread that starts it (prctl(2))."""
    set_death_signal, parent, libc = 1, os.getpid(), ctypes.CDLL(None, use_errno=True)

    def bind() -> None:
        if libc.prctl(set_death_signal, signal.SIGTERM, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "prctl")
        if os.getppid() != parent:
            os._exit(1)
        if then:
            then()

    return bind


def end(process: subprocess.Popen[Any], number: int = signal.SIGTERM, patience: float = PATIENCE) -> int:
    """Ends a process, by SIGKILL if it does not react, and returns its exit code."""
    if process.poll() is None:
        process.send_signal(number)
    try:
        return process.wait(patience)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


def started(words: list[Any], *patterns: str, preexec_fn: Callable[[], object] | None = None,
            **settings: Any) -> tuple[subprocess.Popen[str], list[str]]:
    """Starts a program and reads its output until each pattern has matched; returns the first groups."""
    process = subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, text=True,
                               preexec_fn=bound_to_this_process(preexec_fn), **settings)
    assert process.stdout
    found: dict[str, str] = {}
    lines: list[str] = []
    while len(found) < len(patterns):
        line = process.stdout.readline()
        if not line:
            end(process)
            fail(f"{' '.join(map(str, words[:2]))} did not start: {' '.join(lines).strip() or 'no output'}", 2)
        lines.append(line)
        found |= {pattern: match[1] for pattern in patterns
                  if pattern not in found and (match := re.search(pattern, line))}
    return process, [found[pattern] for pattern in patterns]


def free_ports(count: int = 1, address: str = "127.0.0.1") -> list[int]:
    """Returns ports on which nothing listens now."""
    probes = [socket.socket() for _ in range(count)]
    for probe in probes:
        probe.bind((address, 0))
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


def until(condition: Callable[[], Any], seconds: float = PATIENCE, pause: float = 0.05) -> Any:
    """Polls until a condition is truthy or the time limit is reached; returns its last value."""
    deadline = time.monotonic() + seconds
    while not (value := condition()) and time.monotonic() < deadline:
        time.sleep(pause)
    return value


def connects(address: str, port: int) -> bool:
    """Reports whether a port accepts connections."""
    try:
        socket.create_connection((address, port), timeout=PATIENCE).close()
        return True
    except OSError:
        return False


@contextlib.contextmanager
def scratch(prefix: str = "segue-") -> Iterator[pathlib.Path]:
    """Makes a folder for a `with` block that other users, such as nginx's, can read."""
    with tempfile.TemporaryDirectory(prefix=prefix) as folder:
        pathlib.Path(folder).chmod(0o755)
        yield pathlib.Path(folder)


def read_json(url: str, **settings: Any) -> Any:
    """Returns the JSON at a URL."""
    with urllib.request.urlopen(url, **{"timeout": 60, **settings}) as response:
        return json.load(response)


class Running:
    """A process that a `with` block ends."""

    process: subprocess.Popen[Any]

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> tuple[float, float]:
        """Ends it and returns its CPU seconds and peak memory in MiB."""
        if self.process.poll() is None:
            self.process.terminate()
            return ended(self.process)
        return 0, 0


class Server(Running):
    """`segue serve` on a folder and a free port."""

    def __init__(self, folder: object, options: Any = (), listen: str = "127.0.0.1:0", program: str = "",
                 **settings: Any) -> None:
        words = [program or globals()["program"](), "serve", folder, "--listen", listen, "--quiet"]
        if "--index-cache" not in options:
            words += ["--index-cache", "none"]
        self.process, (self.url,) = started([*words, *options], r" at (https?://\S+)", **settings)
        address = urllib.parse.urlsplit(self.url)
        self.host, self.port = address.hostname or "", address.port or 0
        self.connection = self.connect()

    def connect(self) -> http.client.HTTPConnection:
        """Returns a connection of its own, for another thread."""
        return http.client.HTTPConnection(self.host, self.port, timeout=600)

    def cpu(self) -> float:
        """Returns the CPU seconds used since the start."""
        return cpu_seconds(self.process)

    def get(self, path: str, connection: http.client.HTTPConnection | None = None,
            wanted: tuple[int, ...] = (200,)) -> tuple[bytes, float]:
        """Returns a body, and the seconds to its first byte."""
        connection = connection or self.connection
        began = time.perf_counter()
        try:
            connection.request("GET", path)
            response = connection.getresponse()
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
            # The server closes idle connections; a crashed one refuses the next.
            connection.close()
            connection.request("GET", path)
            response = connection.getresponse()
        first = response.read(1)
        to_first = time.perf_counter() - began
        body = first + response.read()
        if response.status not in wanted:
            fail(f"{path}: {response.status} {body[:200]!r}")
        self.status = response.status
        return body, to_first

    def segments(self, item: str, container: str, query: str = "") -> tuple[list[str], float]:
        """Returns the URLs in an item's playlist, init segment first, and the seconds to the playlist's first byte.

        There are no URLs if the item has no such rendition; `status` is then the response's.
        """
        base = f"/items/{item}/"
        text, seconds = self.get(f"{base}index.m3u8?container={container}{query}", wanted=(200, 422))
        urls: list[str] = []
        for line in text.decode().splitlines() if self.status == 200 else []:
            if line.startswith("#EXT-X-MAP:"):
                url = base + line.split('URI="')[1].split('"')[0]
                if url not in urls:
                    urls.append(url)
            elif line and not line.startswith("#"):
                urls.append(base + line)
        return urls, seconds

    def entries(self) -> list[dict[str, Any]]:
        """Returns all items, as the API lists them."""
        found: list[dict[str, Any]] = []
        while True:
            page = json.loads(self.get(f"/api/items?wait=0&offset={len(found)}")[0])["items"]
            if not page:
                return found
            found += page

    def items(self) -> dict[str, str]:
        """Returns the items' ids by path."""
        return {item["path"]: item["id"] for item in self.entries()}

    def stop(self) -> tuple[float, float]:
        self.connection.close()
        return super().stop()


class Link(Running):
    """`segue link` in front of a port of this machine, on a free one."""

    def __init__(self, network: object, port: int, *options: object, **settings: Any) -> None:
        self.process, (near, control) = started(
            [program(), "link", "--listen", "127.0.0.1:0", "--to", f"127.0.0.1:{port}", "--network", network,
             "--control", "127.0.0.1:0", "--quiet", *options],
            r"listening on 127\.0\.0\.1:(\d+)", r"http://127\.0\.0\.1:(\d+)", **settings)
        self.port, self.control = int(near), int(control)

    def status(self) -> Any:
        """Returns the control's description of the link."""
        return read_json(f"http://127.0.0.1:{self.control}/api/links")["links"][0]

    def memory(self, key: str = "VmRSS") -> float:
        return memory(self.process, key)
