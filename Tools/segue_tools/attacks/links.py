"""Symbolic links that are swapped while files are opened: nothing outside of the served folder may be read."""

import http.client
import os
import threading
import time

from segue_tools.attacks.connections import make_songs
from segue_tools.launch import Server

# The duration in seconds, and the number of connections.
DURATION, CLIENTS = 15, 4
SECRET = b"the secret of another folder"


def swap(folder, is_over, swaps):
    """Replaces a file by a link out of the folder, and back, each at once."""
    song, kept, fresh = folder / "0.m4a", folder / ".kept", folder / ".fresh"
    os.link(song, kept)
    while not is_over.is_set():
        os.symlink("../secret", fresh)
        os.rename(fresh, song)
        os.link(kept, fresh)
        os.rename(fresh, song)
        swaps.append(1)


def ask(server, item, is_over, found):
    """Requests the file and what is made from it; counts the statuses, and the responses with the secret."""
    connection = http.client.HTTPConnection(server.host, server.port, timeout=60)
    paths = [f"/items/{item}/original", f"/items/{item}/original", f"/items/{item}/index.m3u8"]
    number = 0
    while not is_over.is_set():
        number += 1
        try:
            connection.request("GET", paths[number % len(paths)])
            answer = connection.getresponse()
            body = answer.read()
        except (http.client.HTTPException, OSError):
            # The server closes the connection if a file changes while it is sent.
            connection.close()
            continue
        found.append("secret" if SECRET in body else answer.status)
    connection.close()


def swapped(folder):
    (folder / "secret").write_bytes(SECRET * 1000)
    served = folder / "served"
    served.mkdir()
    make_songs(served)
    options = ["--address-rate", "1000000", "--address-requests", "1000"]
    with Server(served, options) as server:
        item = server.items()["0.m4a"]
        is_over, found, swaps = threading.Event(), [], []
        threads = [threading.Thread(target=ask, args=(server, item, is_over, found)) for _ in range(CLIENTS)]
        threads.append(threading.Thread(target=swap, args=(served, is_over, swaps)))
        for thread in threads:
            thread.start()
        time.sleep(DURATION)
        is_over.set()
        for thread in threads:
            thread.join()
    counts = {kind: found.count(kind) for kind in sorted(set(found), key=str)}
    broken = []
    if counts.pop("secret", 0):
        broken.append(f"{found.count('secret')} of {len(found)} responses contain a file of another folder")
    if not counts.get(200) or not swaps:
        broken.append("no request succeeded")
    return f"{len(swaps)} swaps of a file and a link out of the folder, {len(found)} responses: {counts}", broken


ATTACKS = {"links": swapped}
