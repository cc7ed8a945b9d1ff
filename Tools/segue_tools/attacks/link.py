"""`segue link`: numbers that once crashed it, and DNS rebinding against its control."""

import contextlib
import http.client
import subprocess

from segue_tools.launch import Link
from segue_tools.loopback import Loopback

GREATEST = 2**63 - 1
CONNECTIONS = 20
BODY = b"0123456789" * 100


class Film(Loopback):
    """A server of one body on kept-alive connections, which states the largest possible size for any range."""

    def answer(self, handler):
        is_range = "Range" in handler.headers
        handler.reply(206 if is_range else 200,
                      {"Content-Range": f"bytes 0-{GREATEST}/{GREATEST}"} if is_range else {}, BODY)


@contextlib.contextmanager
def link(*options):
    """`segue link` in front of such a server: its process, its port, and its control's."""
    with Film() as film, Link("lan", film.server_port, *options, stderr=subprocess.DEVNULL) as near:
        yield near.process, near.port, near.control


def control(port, method, path, body="", host=None, origin=None):
    """The control's status; 0 if it has exited."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    headers = {"Host": host or f"127.0.0.1:{port}", **({"Origin": origin} if origin else {})}
    try:
        connection.request(method, path, body, headers)
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        connection.close()


def ask(connection, headers=None):
    try:
        connection.request("GET", "/a.ts", headers=headers or {})
        return len(connection.getresponse().read())
    except http.client.IncompleteRead as error:
        return len(error.partial)
    except (OSError, http.client.HTTPException):
        connection.close()
        return -1


def numbers(_):
    """Faults with the largest possible numbers on kept-alive connections."""
    broken, asked = [], 0
    cases = [("limit", '{"limit":"100 bytes"}', {}),
             ("range", '{"wrong-range":"+188 bytes"}', {"Range": f"bytes=0-{GREATEST}"}),
             ("range back", '{"wrong-range":"-188 bytes"}', {"Range": f"bytes={GREATEST}-{GREATEST}"})]
    for name, fault, headers in cases:
        with link() as (process, port, control_port):
            for _ in range(CONNECTIONS):
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
                # The connection has carried more than the limit before it is set.
                ask(connection)
                control(control_port, "PUT", "/api/links/lan/faults", f"[{fault}]")
                ask(connection, headers)
                control(control_port, "DELETE", "/api/links/lan/faults")
                connection.close()
                asked += 2
                if process.poll() is not None:
                    break
            if process.poll() is not None:
                broken.append(f"{name}: it exited with {process.returncode}")
            elif ask(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) != len(BODY):
                broken.append(f"{name}: nothing more arrives")
    with link() as (process, port, control_port):
        for at in [GREATEST, 10**10, f"{GREATEST}/3"]:
            status = control(control_port, "PUT", "/api/links/lan", f'{{"network":"3g","at":"{at}"}}')
            asked += 1
            if status != 400 or process.poll() is not None:
                broken.append(f"at {at}: status {status}, exit code {process.poll()}")
    return f"{asked} requests with the largest numbers, {len(broken)} exits", broken


def rebinding(_):
    """Sends requests to the control by a rebound name, and by its own."""
    broken, asked = [], 0
    with link() as (_, _, port):
        calls = [("GET", "/"), ("GET", "/api/links"), ("GET", "/metrics"), ("PUT", "/api/links/lan"),
                 ("POST", "/api/links/lan/disconnect"), ("POST", "/api/reset"), ("DELETE", "/api/links/lan")]
        for host in ["evil.example", f"evil.example:{port}", f"localhost.evil.example:{port}", f"192.0.2.1:{port}"]:
            for method, path in calls:
                status = control(port, method, path, '{"network":"3g"}', host, f"http://{host}")
                asked += 1
                if status != 403:
                    broken.append(f"{method} {path} for {host}: status {status}")
        for host in [f"127.0.0.1:{port}", f"localhost:{port}"]:
            status = control(port, "PUT", "/api/links/lan", '{"network":"3g"}', host, f"http://{host}")
            asked += 1
            if status != 200:
                broken.append(f"its own page at {host}: status {status}")
    with link("--allow-host", "bench.example") as (_, _, port):
        asked += 1
        if control(port, "GET", "/api/links", host=f"bench.example:{port}") != 200:
            broken.append("an allowed host receives no response")
    return f"{asked} requests to the control, {len(broken)} with a wrong response", broken


ATTACKS = {"link-numbers": numbers, "link-rebinding": rebinding}
