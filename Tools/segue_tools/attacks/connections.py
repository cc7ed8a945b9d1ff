"""Connections: more than the available descriptors, unusual ends, and connections of other origins."""

import json
import resource
import socket
import time

from segue_tools.launch import Server
from segue_tools.media import ffmpeg, lavfi

# The server's limit of descriptors, and the number of clients.
DESCRIPTORS, CLIENTS = 128, 200
# The maximum CPU seconds in five seconds without free descriptors.
CPU = 0.5


def exchange(server, text, half_close=False, patience=10):
    """Returns the bytes until the server closes the connection, and whether it did."""
    with socket.create_connection((server.host, server.port), timeout=patience) as client:
        client.sendall(text.encode())
        if half_close:
            client.shutdown(socket.SHUT_WR)
        answer, has_ended = b"", False
        try:
            while data := client.recv(65536):
                answer += data
            has_ended = True
        except TimeoutError:
            pass
        return answer.decode("latin1"), has_ended


def make_songs(folder):
    for place in ["", "one", "one/two"]:
        (folder / place).mkdir(exist_ok=True)
        for number in range(3):
            ffmpeg(*lavfi("sine=440:d=1"), "-c:a", "aac", str(folder / place / f"{number}.m4a"))


def descriptors(folder):
    make_songs(folder)
    server = Server(folder, preexec_fn=lambda: resource.setrlimit(
        resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS)))
    known = len(server.items())
    # The next scan starts at least five seconds after the first.
    time.sleep(5)
    clients = []
    for _ in range(CLIENTS):
        client = socket.socket()
        client.setblocking(False)
        client.connect_ex((server.host, server.port))
        clients.append(client)
    time.sleep(1)
    before = server.cpu()
    # On the open connection; requests another scan.
    server.get("/api/items?wait=0")
    time.sleep(5)
    spent = server.cpu() - before
    for client in clients:
        client.close()
    time.sleep(2)
    left = len(server.items())
    server.stop()
    broken = []
    if spent > CPU:
        broken.append(f"over {CPU} s")
    if left != known:
        broken.append("the library has lost items")
    return (f"{CLIENTS} connections at {DESCRIPTORS} descriptors cost {spent:.2f} s of CPU in 5 s; of {known} items "
            f"{left} remain after a scan meanwhile", broken)


def rebinding(folder):
    make_songs(folder)
    server = Server(folder, ["--allow-host", "media.example"])
    broken, said = [], ""
    for host, is_taken in [("evil.example", False), (f"evil.example:{server.port}", False), ("192.0.2.1", False),
                           (f"127.0.0.1:{server.port}", True), ("localhost", True), ("[::1]:80", True),
                           ("media.example:80", True)]:
        answer, _ = exchange(server, f"GET /api/items HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
        head, _, body = answer.partition("\r\n\r\n")
        if head.startswith("HTTP/1.1 200 ") != is_taken:
            broken.append(f"Host: {host} received {head.splitlines()[0]}")
        elif not is_taken:
            said = json.loads(body)["error"]["message"]
    server.stop()
    return f"requests for foreign hosts are refused: '{said}'", broken


def manners(folder):
    make_songs(folder)
    server = Server(folder)
    item = server.items()["0.m4a"]
    playlist, host = f"/items/{item}/index.m3u8", f"Host: {server.host}\r\n"
    broken = []
    answer, _ = exchange(server, f"GET {playlist} HTTP/1.1\r\n{host}\r\n", half_close=True)
    half = answer.split("\r\n")[0]
    if not half.startswith("HTTP/1.1 200 "):
        broken.append("a half-closed request received no response")
    answer, has_ended = exchange(server, f"GET {playlist} HTTP/1.0\r\n\r\n")
    old = answer.split("\r\n")[0]
    if " 200 " not in old or not has_ended:
        broken.append("an HTTP/1.0 connection stays open")
    listeners = [socket.create_connection((server.host, server.port)) for _ in range(9)]
    statuses = []
    for number, client in enumerate(listeners):
        client.settimeout(20)
        client.sendall(f"GET /radio?shuffle={number} HTTP/1.1\r\n{host}\r\n".encode())
        statuses.append(client.recv(64).split(b"\r\n")[0].decode())
    for client in listeners:
        client.close()
    if any(" 200 " not in status for status in statuses):
        broken.append("the ninth radio listener is refused")
    server.stop()
    return (f"a half-closed request: '{half}'; HTTP/1.0: '{old}', connection {'ended' if has_ended else 'open'}; "
            f"nine listeners: '{statuses[-1]}'", broken)


ATTACKS = {"descriptors": descriptors, "rebinding": rebinding, "manners": manners}
