"""Every socket on which a command listens, as a web page of another site reaches it: by a foreign origin, by a name
that resolves to this machine (DNS rebinding), and by a WebSocket. None may reveal or change anything.
"""

import contextlib
import http.client
import json
import os
import pathlib
import re
import signal
import subprocess

from segue_tools.attacks.connections import make_songs
from segue_tools.launch import Server, end, program, until

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
EVIL = "evil.example"
OPENING = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
           "Sec-WebSocket-Version": "13"}
# The ways of a page. The last one is a page that has the address by its name.
WAYS = {
    "rebound name": {"Host": EVIL},
    "rebound WebSocket": {"Host": EVIL, "Origin": f"http://{EVIL}", **OPENING},
    "foreign WebSocket": {"Origin": f"http://{EVIL}", **OPENING},
    "foreign change": {"Origin": f"http://{EVIL}", "Content-Type": "text/plain"},
}


def listening(process):
    """The TCP ports on which a process or one of its children listens."""
    family = {process}
    for place in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = place.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) in family:
            family.add(int(place.parent.name))
    inodes = set()
    for number in family:
        for link in pathlib.Path(f"/proc/{number}/fd").glob("*"):
            try:
                inodes |= set(re.findall(r"socket:\[(\d+)\]", os.readlink(link)))
            except OSError:
                continue
    ports = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in pathlib.Path(table).read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in inodes:
                ports.add(int(fields[1].rpartition(":")[2], 16))
    return ports


def ask(port, headers, method="GET", path="/"):
    """The status, the header fields, and the start of the body; None if the connection is closed."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request(method, path, body=b"{}" if method == "POST" else None, headers=headers)
        answer = connection.getresponse()
        body = b"" if answer.status == 101 else answer.read(1 << 16)
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, body
    except (http.client.HTTPException, OSError):
        return None
    finally:
        connection.close()


def faults(name, port, secrets):
    """The ways in which a page gets something from a port."""
    found = []
    for way, headers in WAYS.items():
        for path in ("/", "/api/links", "/api/items", "/metrics", "/page.js"):
            method = "POST" if way == "foreign change" else "GET"
            answer = ask(port, headers, method, path)
            if answer is None:
                continue
            status, fields, body = answer
            place = f"{name}: {way}: {method} {path}: {status}"
            if status == 101 or (way.startswith("rebound") and status < 300):
                found.append(place)
            elif fields.get("access-control-allow-origin") not in (None, "") and status < 300:
                found.append(f"{place} for every origin")
            elif way == "foreign change" and status < 300:
                found.append(place)
            if any(secret in body for secret in secrets):
                found.append(f"{place}: the response has a key")
    return found


class Command:
    """A command that listens, ended with its children."""

    def __init__(self, words, count, **settings):
        self.process = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, stdin=subprocess.PIPE, start_new_session=True,
                                        **settings)
        until(lambda: len(listening(self.process.pid)) >= count, 60)
        self.ports = listening(self.process.pid)

    def stop(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        end(self.process)


def walk(folder):
    served, data = folder / "media", folder / "data"
    served.mkdir()
    make_songs(served)
    environment = {**os.environ, "XDG_DATA_HOME": str(data)}
    echo = ["python3", "-c", 'print(\'{"driver": 1, "player": "x", "clock": 0, "can": []}\', flush=True); input()']
    drivers = REPOSITORY / "Drivers"
    with Server(served, ["--no-announce"]) as target:
        target.items()
        # A live stream, which the watch does not end with.
        stream = f"{target.url.rstrip('/')}/channel/index.m3u8"
        commands = {
            "serve": [program(), "serve", served, "--listen", "0.0.0.0:0", "--data", data / "own", "--no-announce"],
            "serve on loopback": [program(), "serve", served, "--listen", "127.0.0.1:0"],
            "link": [program(), "link", "--listen", "127.0.0.1:0", "--to", f"127.0.0.1:{target.port}",
                     "--network", "3g", "--control", "127.0.0.1:0"],
            "watch": [program(), "watch", stream, "--listen", "127.0.0.1:0"],
            "listen": [drivers / "listen", "--listen", "127.0.0.1:0", *echo],
            "web.py": [drivers / "web.py", "--port", "0"],
        }
        found, seen = [], {}
        for name, words in commands.items():
            # The link and its control.
            count = 2 if name == "link" else 1
            command = Command(words, count, env=environment)
            seen[name] = len(command.ports)
            if len(command.ports) != count:
                found.append(f"{name}: listens on {len(command.ports)} ports, expected {count}")
            # The port of the link itself carries what its server answers to any client.
            for port in sorted(command.ports):
                if name == "link" and is_carried(port):
                    continue
                found += faults(name, port, [b"/k/"])
            command.stop()
    return f"listeners by command: {json.dumps(seen)}", found


def is_carried(port):
    """True for a port whose answers are those of the server behind it."""
    answer = ask(port, {"Host": f"127.0.0.1:{port}"}, path="/health")
    return answer is not None and answer[2].startswith(b"ok")


ATTACKS = {"listeners": walk}
