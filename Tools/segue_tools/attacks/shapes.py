"""Malformed requests that have broken servers: path traversal, and requests hidden in others (smuggling).
"""

import itertools
import os
import socket
import urllib.parse

from segue_tools.attacks.connections import exchange, make_songs
from segue_tools.launch import Server

MARK = "nobody is to read this"
UPS = ["..", "%2e%2e", "%2E.", ".%2e", "%252e%252e", "..%00", "..;", "%c0%ae%c0%ae", "%u002e%u002e", "\u2025", "....",
       "..%01"]
SEPARATORS = ["/", "%2f", "%5c", "\\", "//", "/./", "%c0%af", "%252f"]
# A request that none of those below may cause to be handled.
HIDDEN = "GET /hidden HTTP/1.1\r\nHost: {host}\r\n\r\n"
CHUNKED = "Transfer-Encoding: chunked\r\n"


def traversal(folder):
    outside = folder / "outside"
    served = folder / "served"
    served.mkdir()
    outside.mkdir()
    make_songs(served)
    for place in (folder, outside):
        for name in ("secret.m4a", "secret.txt", "index.m3u8"):
            (place / name).write_text(MARK)
    os.symlink("/etc", served / "etc")
    server = Server(served, ["--data", str(outside / "data")])
    item = server.items()["0.m4a"]
    roots = ["/", "/items/", f"/items/{item}/", f"/items/{item}/tracks/", "/api/items/", "/page/", "/radio/", "/dlna/",
             "/k/x/"]
    ends = ["secret.txt", "outside/secret.txt", "outside/secret.m4a", "etc/passwd"]
    broken, statuses, asked = [], {}, 0
    with socket.create_connection((server.host, server.port), timeout=20) as client:
        stream = client.makefile("rb")
        for root, up, separator, end in itertools.product(roots, UPS, SEPARATORS, ends):
            for depth in (1, 6):
                path = root + (up + separator) * depth + end
                path = "".join(sign if ord(sign) < 128 else urllib.parse.quote(sign) for sign in path)
                client.sendall(f"GET {path} HTTP/1.1\r\nHost: {server.host}\r\n\r\n".encode())
                asked += 1
                head = stream.readline()
                if not head:
                    stream.close()
                    client.close()
                    client = socket.create_connection((server.host, server.port), timeout=20)
                    stream = client.makefile("rb")
                    continue
                status, size = int(head.split()[1]), 0
                while (line := stream.readline()) not in (b"\r\n", b""):
                    if line.lower().startswith(b"content-length:"):
                        size = int(line.split(b":")[1])
                body = stream.read(size)
                statuses[status] = statuses.get(status, 0) + 1
                if MARK.encode() in body or b"root:" in body:
                    broken.append(f"{path} returns a file outside of the folder")
                if status >= 500:
                    broken.append(f"{path} returns {status}")
    for query in ("folder", "q", "series", "album"):
        for value in ("../", "..%2f", "/etc", "%00"):
            answer, _ = exchange(server, f"GET /api/items?{query}={value}secret HTTP/1.1\r\nHost: {server.host}\r\n"
                                         "Connection: close\r\n\r\n")
            asked += 1
            if MARK in answer or "secret.m4a" in answer:
                broken.append(f"?{query}={value} reveals a file outside of the folder")
    server.stop()
    answers = dict(sorted(statuses.items()))
    return f"{asked} requests with path traversal: responses {answers}, none from outside of the folder", broken


def smuggled(host):
    """Requests that contain a hidden one, by name."""
    hidden = HIDDEN.format(host=host)
    size, of = len(hidden), f"PUT /api/resume/x HTTP/1.1\r\nHost: {host}\r\n"
    return {
        "both lengths": f"{of}Content-Length: {size + 5}\r\n{CHUNKED}\r\n0\r\n\r\n{hidden}",
        "both, the other order": f"{of}{CHUNKED}Content-Length: 4\r\n\r\n0\r\n\r\n{hidden}",
        "two lengths": f"{of}Content-Length: 0\r\nContent-Length: {size}\r\n\r\n{hidden}",
        "a list of lengths": f"{of}Content-Length: 0, {size}\r\n\r\n{hidden}",
        "a length with a sign": f"{of}Content-Length: +{size}\r\n\r\n{hidden}",
        "a length below zero": f"{of}Content-Length: -1\r\n\r\n{hidden}",
        "a length in hexadecimal": f"{of}Content-Length: 0x{size:x}\r\n\r\n{hidden}",
        "a length past 64 bits": f"{of}Content-Length: 18446744073709551616\r\n\r\n{hidden}",
        "a space before the colon": f"{of}Content-Length : {size}\r\n\r\n{hidden}",
        "a length in a folded line": f"{of}X: y\r\n Content-Length: {size}\r\n\r\n{hidden}",
        "a length after a bare CR": f"{of}X: y\rContent-Length: {size}\r\n\r\n{hidden}",
        "a length after a NUL": f"{of}X: y\0Content-Length: {size}\r\n\r\n{hidden}",
        "an unknown coding": f"{of}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n{hidden}",
        "chunked, not last": f"{of}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n{hidden}",
        "chunked twice": f"{of}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{hidden}",
        "chunked with a vertical tab": f"{of}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n{hidden}",
        "chunked in HTTP/1.0": f"PUT /api/resume/x HTTP/1.0\r\nHost: {host}\r\nConnection: "
                               f"keep-alive\r\n{CHUNKED}\r\n0\r\n\r\n{hidden}",
        "a chunk past 64 bits": f"{of}{CHUNKED}\r\n1ffffffffffffffff\r\n{hidden}",
        "a chunk with a sign": f"{of}{CHUNKED}\r\n+0\r\n\r\n{hidden}",
        "a chunk with 0x": f"{of}{CHUNKED}\r\n0x0\r\n\r\n{hidden}",
        "a chunk that ends with a bare LF": f"{of}{CHUNKED}\r\n5;x\nabcde\r\n0\r\n\r\n{hidden}",
        "a chunk longer than its size": f"{of}{CHUNKED}\r\n1\r\nabc\r\n0\r\n\r\n{hidden}",
        "a body with GET": f"GET /health HTTP/1.1\r\nHost: {host}\r\nContent-Length: {size}\r\n\r\n{hidden}",
        "a body with HEAD": f"HEAD /health HTTP/1.1\r\nHost: {host}\r\nContent-Length: {size}\r\n\r\n{hidden}",
        "a request line with a CR": f"GET /health\r HTTP/1.1\r\nHost: {host}\r\nContent-Length: {size}\r\n\r\n{hidden}",
        "two hosts": f"GET /health HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\nContent-Length: "
                     f"{size}\r\n\r\n{hidden}",
    }


def smuggling(folder):
    make_songs(folder)
    log = folder / "access.log"
    server = Server(folder, ["--access-log", str(log)])
    broken, refused = [], 0
    shapes = smuggled(f"{server.host}:{server.port}")
    for name, text in shapes.items():
        answer, has_ended = exchange(server, text, half_close=True)
        answers = answer.split("HTTP/1.1 ")[1:] + answer.split("HTTP/1.0 ")[1:]
        refused += any(one.startswith("400") for one in answers) or not answers
        if len(answers) > 1:
            broken.append(f"{name}: {len(answers)} answers")
        if any(one.startswith("5") for one in answers):
            broken.append(f"{name}: status {answers[0][:3]}")
        if not has_ended:
            broken.append(f"{name}: the connection stays open")
    if server.process.poll() is not None:
        broken.append("the server exited")
    server.get("/health")
    server.stop()
    told = log.read_text()
    if "/hidden" in told:
        broken.append("a hidden request was handled")
    hidden = told.count("/hidden")
    return f"{len(shapes)} requests with a hidden one: {refused} refused, {hidden} hidden ones handled", broken


ATTACKS = {"traversal": traversal, "smuggling": smuggling}
