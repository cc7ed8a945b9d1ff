"""Two concurrent responses, one of which is not read: over Linux's tbf between namespaces, or from a given server.

serve HOST PORT         answers `GET /N` with N bytes until it is ended; prints its port
delay ONE OTHER SECONDS forwards each frame from one interface to the other with a delay
plain NAME              disables the offloads of an interface, so that it sends packets as on a cable
ask HOST PORT CASE      prints a client's observations as JSON
"""

import array
import contextlib
import fcntl
import heapq
import json
import os
import select
import socket
import struct
import subprocess
import sys
import termios
import threading
import time

HERE = os.path.abspath(__file__)
# The bytes read of the first response before its client stops, and the size of the second response.
CASES = {"none": (0, 400_000), "300 kB": (300_000, 400_000)}
# The bytes read of the first response once the second is complete.
LATER = 300_000
WHOLE = 20_000_000


def serve(host, port):
    listener = socket.create_server((host, int(port)), backlog=64)
    print(listener.getsockname()[1], flush=True)

    def answer(connection):
        try:
            asked = b""
            while b"\r\n\r\n" not in asked:
                asked += connection.recv(4096)
            left = int(asked.split()[1][1:])
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % left)
            block = bytes(1 << 16)
            while left > 0:
                connection.sendall(block[:min(left, len(block))])
                left -= min(left, len(block))
        except (OSError, ValueError, IndexError):
            pass

    while True:
        connection, _ = listener.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=answer, args=(connection,), daemon=True).start()


def delay(one, other, seconds):
    """Delays frames like netem, which the kernel may lack."""
    sockets = []
    for name in (one, other):
        end = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
        end.bind((name, 0))
        end.setblocking(False)
        sockets.append(end)
    waiting, count = [], 0
    while True:
        patience = max(0, waiting[0][0] - time.monotonic()) if waiting else None
        ready, _, _ = select.select(sockets, [], [], patience)
        now = time.monotonic()
        for end in ready:
            while True:
                try:
                    frame, (_, _, kind, _, _) = end.recvfrom(65536)
                except BlockingIOError:
                    break
                if kind != socket.PACKET_OUTGOING:
                    count += 1
                    heapq.heappush(waiting, (now + float(seconds), count, sockets[1 - sockets.index(end)], frame))
        while waiting and waiting[0][0] <= time.monotonic():
            waiting[0][2].send(waiting[0][3])
            heapq.heappop(waiting)


def plain(name):
    """Disables the offloads of an interface: ETHTOOL_STXCSUM, _STSO, _SGSO, and _SGRO of the kernel.
    """
    with socket.socket() as any_socket:
        for command in (0x1F, 0x24, 0x2C, 0x17):
            value = array.array("I", [command, 0])
            request = struct.pack("16sP", name.encode(), value.buffer_info()[0])
            fcntl.ioctl(any_socket, 0x8946, request)


def unread(connection):
    count = array.array("i", [0])
    fcntl.ioctl(connection, termios.FIONREAD, count)
    return count[0]


def read(connection, size):
    """Reads that many bytes as fast as they arrive."""
    while size > 0:
        got = len(connection.recv(min(size, 1 << 16)))
        if got == 0:
            raise EOFError("the response ended early")
        size -= got


def begin(host, port, size):
    connection = socket.create_connection((host, int(port)), timeout=120)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.sendall(b"GET /%d HTTP/1.1\r\nHost: x\r\n\r\n" % size)
    return connection


def story(host, port, case, held=unread):
    """Reads a part of a first response, or nothing, then the whole second response, and then the rest of the first.

    Returns the seconds of the second response, the unread bytes of the first by then, and the seconds for LATER more.
    """
    before, size = CASES[case]
    first = begin(host, port, WHOLE)
    read(first, before)
    began = time.monotonic()
    second = begin(host, port, size)
    read(second, size)
    done = time.monotonic()
    count = held(first)
    read(first, LATER)
    return {"second": done - began, "held": count, "later": time.monotonic() - done}


def ask(host, port, case):
    print(json.dumps(story(host, port, case)))


@contextlib.contextmanager
def server():
    """The port of such a server on this machine."""
    process = subprocess.Popen([sys.executable, HERE, "serve", "127.0.0.1", "0"], stdout=subprocess.PIPE, text=True)
    try:
        yield int(process.stdout.readline())
    finally:
        process.kill()
        process.wait()


class Line:
    """The namespaces of a client and a server, with a router that limits the rate and the queue to the client."""

    def __init__(self, kilobits, milliseconds, packets=1000):
        tag = f"su{os.getpid()}"
        self.spaces = {name: f"{tag}{name}" for name in ("client", "router", "far", "server")}
        self.processes = []
        try:
            for space in self.spaces.values():
                self._run("ip", "netns", "add", space)
                self._run("ip", "-n", space, "link", "set", "lo", "up")
            self._pair("client", "10.77.1.2/24", "router", "10.77.1.1/24")
            self._pair("router", "10.77.2.1/24", "far", None)
            self._pair("far", None, "server", "10.77.2.2/24")
            self._in("client", "ip", "route", "add", "default", "via", "10.77.1.1")
            self._in("server", "ip", "route", "add", "default", "via", "10.77.2.1")
            self._in("router", "sysctl", "-q", "-w", "net.ipv4.ip_forward=1")
            self._in("router", "tc", "qdisc", "add", "dev", "client", "root", "tbf", "rate", f"{kilobits}kbit", "burst",
                     "1600", "limit", str(packets * 1514))
            self._start("far", "delay", "router", "server", str(milliseconds / 1000))
            self._start("server", "serve", "10.77.2.2", "8000").stdout.readline()
        except BaseException:
            self.close()
            raise

    def story(self, case):
        done = self._in("client", sys.executable, HERE, "ask", "10.77.2.2", "8000", case)
        return json.loads(done.stdout)

    def _pair(self, one, one_address, other, other_address):
        self._run("ip", "-n", self.spaces[one], "link", "add", other, "type", "veth", "peer", "name", one, "netns",
                  self.spaces[other])
        for space, name, address in ((one, other, one_address), (other, one, other_address)):
            if address:
                self._in(space, "ip", "address", "add", address, "dev", name)
            self._in(space, "ip", "link", "set", name, "up")
            # Packets as on a cable.
            self._in(space, sys.executable, HERE, "plain", name)

    def _in(self, space, *words):
        return self._run("ip", "netns", "exec", self.spaces[space], *words)

    def _run(self, *words):
        return subprocess.run(words, check=True, capture_output=True, text=True)

    def _start(self, space, *words):
        process = subprocess.Popen(["ip", "netns", "exec", self.spaces[space], sys.executable, HERE, *words],
                                   stdout=subprocess.PIPE, text=True)
        self.processes.append(process)
        return process

    def close(self):
        for process in self.processes:
            process.kill()
            process.wait()
        for space in self.spaces.values():
            subprocess.run(["ip", "netns", "del", space], capture_output=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


if __name__ == "__main__":
    commands: dict = {"serve": serve, "delay": delay, "plain": plain, "ask": ask}
    commands[sys.argv[1]](*sys.argv[2:])
