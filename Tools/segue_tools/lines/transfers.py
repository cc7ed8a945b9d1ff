"""Downloads over `segue link`, and the model's predictions."""

import hashlib
import json
import multiprocessing
import random
import resource
import selectors
import socket
import statistics
import subprocess
import tempfile
import threading
import time

from segue_tools.launch import fail, segue

# curl's time limit for one download; none here takes that long.
PATIENCE = 120


def estimate(network, size, connection, seeds, parallel=1, unread=0):
    with tempfile.NamedTemporaryFile(suffix=".json") as times:
        segue("link", "--estimate", size, "--network", network, "--connection", connection, "--seeds", seeds,
              "--parallel", parallel, "--unread", unread, "--json", times.name, timeout=900)
        return json.load(times)[0]


def median_of(count, measure):
    return statistics.median(measure() for _ in range(count))


def curl(url):
    return ["curl", "--silent", "--show-error", "--fail", "--max-time", str(PATIENCE), "--output", "/dev/null",
            "--write-out", "%{time_total} %{size_download}\n", url]


def seconds(said, size):
    """The longest of some downloads, from curl's output."""
    times = [line.split() for line in said.splitlines()]
    if not times or any(int(bytes) != size for _, bytes in times):
        fail(f"curl did not receive {size} bytes: {said.strip()}")
    return max(float(time) for time, _ in times)


def download(port, size):
    """The seconds of a download on a new connection."""
    done = subprocess.run(curl(f"http://127.0.0.1:{port}/{size}"), capture_output=True, text=True)
    return seconds(done.stdout, size)


def side_by_side(port, size, count):
    """The seconds until the last of some concurrent downloads is complete."""
    running = [subprocess.Popen(curl(f"http://127.0.0.1:{port}/{size}"), stdout=subprocess.PIPE, text=True)
               for _ in range(count)]
    return seconds("".join(process.communicate()[0] for process in running), size)


def in_namespace(network, port, size, count):
    """The same in a namespace, over Linux's own queues."""
    one = " ".join(curl(f"http://$SEGUE_SERVER:{port}/{size}")).replace("\n", "\\n").replace(
        "%{time_total} %{size_download}\\n", "'%{time_total} %{size_download}\\n'")
    script = f"for i in $(seq {count}); do {one} & done; wait"
    done = segue("link", "--netem", "--network", network, "--", "sh", "-c", script, timeout=PATIENCE + 30)
    return seconds(done.stdout, size)


class Sender:
    """A server in its own process, on a free port."""

    def __init__(self, *arguments, backlog=16):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=backlog)
        self.port = self.listener.getsockname()[1]
        raise_file_limit()
        self.process = multiprocessing.Process(target=self.serve, args=arguments, daemon=True)
        self.process.start()

    def serve(self, *arguments):
        raise NotImplementedError

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.join()
        self.listener.close()


class Source(Sender):
    """Sends zeros to each client until it disconnects."""

    def __init__(self):
        super().__init__(backlog=2048)

    def serve(self):
        threading.stack_size(128 << 10)
        zeros = bytes(1 << 20)

        def send(connection):
            try:
                while True:
                    connection.sendall(zeros)
            except OSError:
                connection.close()

        while True:
            connection, _ = self.listener.accept()
            threading.Thread(target=send, args=(connection,), daemon=True).start()


class RandomSource(Sender):
    """Sends random bytes once, in chunks of random sizes, and returns their checksum."""

    def __init__(self, size, seed):
        self.near, far = multiprocessing.Pipe(duplex=False)
        super().__init__(size, seed, far)

    def serve(self, size, seed, far):
        chance = random.Random(seed)
        pool = memoryview(chance.randbytes(16 << 20))
        connection, _ = self.listener.accept()
        digest = hashlib.sha256()
        while size > 0:
            count = min(size, int(2 ** chance.uniform(0, 22)))
            start = chance.randrange(len(pool) - count)
            digest.update(pool[start:start + count])
            connection.sendall(pool[start:start + count])
            size -= count
        connection.close()
        far.send(digest.hexdigest())

    def checksum(self):
        return self.near.recv() if self.near.poll(PATIENCE) else None


def checksum(port, seed):
    """Reads a connection in chunks of random sizes; returns the checksum, the number of bytes, and the seconds."""
    chance = random.Random(seed)
    buffer = memoryview(bytearray(4 << 20))
    digest, total = hashlib.sha256(), 0
    begun = time.perf_counter()
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        while got := connection.recv_into(buffer[:int(2 ** chance.uniform(0, 22))]):
            digest.update(buffer[:got])
            total += got
    return digest.hexdigest(), total, time.perf_counter() - begun


def raise_file_limit():
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 65536), most))


def steady_rate(port, duration, skip):
    """The rate of one connection in bit/s, after the first seconds."""
    rate, _ = many_rates(port, 1, duration, skip)
    return rate


def many_rates(port, count, seconds, skip):
    """The total rate of some connections in bit/s after the first seconds, and the number that received any bytes.

    Measured between arrivals, so that their granularity does not matter.
    """
    raise_file_limit()
    chooser = selectors.EpollSelector()
    connections = []
    for _ in range(count):
        connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        connection.setblocking(False)
        chooser.register(connection, selectors.EVENT_READ)
        connections.append(connection)
    buffer = bytearray(1 << 20)
    begun = time.perf_counter()
    served, total, first, last = set(), 0, None, None
    while (now := time.perf_counter()) < begun + seconds:
        for key, _ in chooser.select(timeout=1):
            try:
                got = key.fileobj.recv_into(buffer)
            except BlockingIOError:
                continue
            if got == 0:
                fail("a connection ended")
            served.add(key.fd)
            now = time.perf_counter()
            if now < begun + skip:
                continue
            if first is None:
                first = now
            else:
                total, last = total + got, now
    for connection in connections:
        connection.close()
    if first is None or last is None or last == first:
        fail("nothing came")
    return 8 * total / (last - first), len(served)
