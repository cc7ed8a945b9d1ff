"""Hostile clients: each kind attacks from its addresses until it is ended. `run` starts this file as a program."""

import itertools
import select
import socket
import struct
import sys
import time

# One address, except for the kinds that use several.
SOURCES = itertools.cycle(["127.0.0.1"])
SEVERAL = [f"127.0.0.{number}" for number in range(11, 15)]
# The number of busy connections of a kind.
MANY = 300


def connect(address, receive=None):
    """Returns a connecting socket; None if the system has none left."""
    client = socket.socket()
    if receive:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
    client.setblocking(False)
    client.bind((next(SOURCES), 0))
    client.connect_ex(address)
    return client


def connections(address, _):
    """Opens connections as fast as possible, and closes the oldest of many thousand."""
    held = []
    while True:
        try:
            held.append(connect(address))
        except OSError:
            held, old = [], held
            for client in old:
                client.close()
        if len(held) > 15_000:
            for client in held[:1000]:
                client.close()
            del held[:1000]


def churn(address, _):
    """Opens connections as fast as possible and closes each immediately, half of them with a reset."""
    reset, number = struct.pack("ii", 1, 0), 0
    while True:
        try:
            client = connect(address)
        except OSError:
            continue
        number += 1
        if number % 2:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
        client.close()


def flood(address, requests, count=64, receive=None, reads=True):
    """Sends consecutive requests on many connections, each as soon as the previous response is complete."""
    poll, clients, texts = select.epoll(), {}, itertools.cycle(requests)

    def begin():
        try:
            client = connect(address, receive)
        except OSError:
            return
        clients[client.fileno()] = client
        poll.register(client, select.EPOLLOUT)

    for _ in range(count):
        begin()
    while True:
        for number, event in poll.poll(0.1):
            client = clients[number]
            try:
                if event & select.EPOLLOUT:
                    client.send(next(texts))
                    if reads:
                        poll.modify(number, select.EPOLLIN)
                    else:
                        poll.modify(number, select.EPOLLHUP)
                    continue
                # The system discards the bytes, so that the client costs less than the server.
                data = client.recv(1 << 16)
                if not data:
                    raise OSError
                if data.startswith(b"HTTP/1.1 ") or len(data) < 1 << 16:
                    poll.modify(number, select.EPOLLOUT | select.EPOLLIN)
            except OSError:
                poll.unregister(number)
                client.close()
                del clients[number]
        while len(clients) < count:
            before = len(clients)
            begin()
            if len(clients) == before:
                time.sleep(0.1)
                break


def slow_writers(address, _):
    """Sends the heads of requests byte by byte, on as many connections as possible."""
    clients, text = [], b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X: " + b"y" * 10_000
    place = 0
    while True:
        clients = [client for client in clients if sent(client, text[place % len(text):place % len(text) + 1])]
        while len(clients) < 10 * MANY:
            try:
                clients.append(connect(address))
            except OSError:
                break
        place += 1
        time.sleep(1)


def sent(client, data):
    try:
        client.send(data)
        return True
    except BlockingIOError:
        return True
    except OSError:
        client.close()
        return False


def request(method, path, fields=""):
    return f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{fields}\r\n".encode()


def main(kind, host, port, paths):
    address = (host, int(port))
    original, segment, film = paths
    ranges = ",".join(f"{place * 4096}-{place * 4096 + 99}" for place in range(32))
    if kind.startswith("several-"):
        global SOURCES
        SOURCES, kind = itertools.cycle(SEVERAL), kind.removeprefix("several-")
    kinds = {
        "spin": spin,
        "connections": lambda: connections(address, None),
        "churn": lambda: churn(address, None),
        "downloads": lambda: flood(address, [request("GET", segment)]),
        "few-downloads": lambda: flood(address, [request("GET", segment)], 2),
        "requests": lambda: flood(address, [request("GET", "/health")]),
        "heads": lambda: flood(address, [request("HEAD", segment)]),
        "ranges": lambda: flood(address, [request("GET", original, f"Range: bytes={ranges}\r\n")]),
        "encodings": lambda: flood(address, [request("GET", f"{film}{number}.ts") for number in range(60)], MANY),
        "lists": lambda: flood(address, [request("GET", f"/api/items?q={number}") for number in range(1000)]),
        "slow-readers": lambda: flood(address, [request("GET", original)], 10 * MANY, 4096, reads=False),
        "slow-writers": lambda: slow_writers(address, None),
    }
    kinds[kind]()


def spin():
    """Attacks nothing: only uses the CPU of the well-behaved client, for comparison.
    """
    while True:
        pass


KINDS = ["connections", "churn", "requests", "heads", "ranges", "downloads", "few-downloads", "encodings", "lists",
         "slow-readers", "slow-writers", "several-requests", "several-downloads"]
# The kinds that also apply to a plain file server.
OF_FILES = [kind for kind in KINDS if kind not in ["encodings", "lists"]]

if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:7])
