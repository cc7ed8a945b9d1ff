"""Work that takes long or forever: other clients do not wait for it, and the server still exits on SIGTERM."""

import os
import shutil
import signal
import socket
import subprocess
import threading
import time

from segue_tools.launch import Server, fail
from segue_tools.media import H264, ffmpeg, lavfi, picture
from segue_tools.places import OWN

# The maximum seconds for another client's playlist meanwhile, and for the server's exit.
PATIENCE, ENDING = 5, 2
LADDERS = 60


def make_film(path, seconds, size="1280x720"):
    ffmpeg(*picture(size, 25, seconds), *lavfi(f"sine=440:r=48000:d={seconds}"), *H264, "-g", "50", "-c:a", "aac", path)


def ask(server, path):
    """A client that sends a request and does not read."""
    client = socket.create_connection((server.host, server.port))
    client.sendall(f"GET {path} HTTP/1.1\r\nHost: {server.host}:{server.port}\r\n\r\n".encode())
    return client


def seconds_for(server, path, patience=60):
    """Returns the seconds that a response takes on its own connection, or the time limit."""
    connection = server.connect()
    connection.timeout = patience
    began = time.perf_counter()
    try:
        connection.request("GET", path)
        connection.getresponse().read()
    except TimeoutError:
        return patience
    finally:
        connection.close()
    return time.perf_counter() - began


def ending(server, broken):
    """Returns the seconds until the server exits on SIGTERM; kills it after 15 s."""
    began = time.perf_counter()
    server.process.send_signal(signal.SIGTERM)
    try:
        server.process.wait(15)
    except subprocess.TimeoutExpired:
        server.process.kill()
        server.process.wait()
    taken = time.perf_counter() - began
    if taken > ENDING:
        broken.append(f"the exit takes over {ENDING} s")
    elif server.process.returncode != 0:
        broken.append(f"the exit code is {server.process.returncode}")
    return taken


def health(server):
    connection = server.connect()
    connection.timeout = 20
    try:
        connection.request("GET", "/health")
        return " | ".join(connection.getresponse().read().decode().strip().splitlines())
    except TimeoutError:
        return "no answer"
    finally:
        connection.close()


def ladders(folder):
    make_film(folder / "film.mp4", 60)
    make_film(folder / "other.mp4", 10, "320x180")
    server = Server(folder)
    items = server.items()
    clients = [ask(server, f"/items/{items['film.mp4']}/master.m3u8?ladder=1&offset={number % 50}")
               for number in range(LADDERS)]
    time.sleep(1)
    said = health(server)
    waited = seconds_for(server, f"/items/{items['other.mp4']}/index.m3u8?container=ts")
    segment = server.segments(items["other.mp4"], "ts")[0][0] if waited < 60 else None
    segment_waited = seconds_for(server, segment) if segment else 60
    broken = []
    if max(waited, segment_waited) > PATIENCE:
        broken.append(f"other clients wait over {PATIENCE} s")
    if not said.startswith("busy"):
        broken.append("/health does not report it")
    ended = ending(server, broken)
    for client in clients:
        client.close()
    return (f"during {LADDERS} requests for ladders, another film's playlist took {waited:.2f} s, its segment "
            f"{segment_waited:.2f} s, and /health reported '{said}'; SIGTERM ended it in {ended:.2f} s", broken)


def compiled_shim(folder):
    shim = folder / "shim.so"
    compiler = next(filter(shutil.which, ["cc", "clang", "gcc"]), None) or fail("no C compiler is installed", 2)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", shim, OWN / "attacks/shim.c", "-ldl"], check=True)
    return shim


def hanging(folder):
    media, tools = folder / "media", folder / "tools"
    media.mkdir()
    tools.mkdir()
    make_film(media / "film.mp4", 10, "320x180")
    for number in range(9):
        (media / f"hangs{number}.mp4").write_bytes((media / "film.mp4").read_bytes())
    os.mkfifo(tools / "fifo")
    environment = {**os.environ, "LD_PRELOAD": str(compiled_shim(tools)), "SEGUE_ATTACK_FIFO": str(tools / "fifo")}
    # Workers have no environment; the attack `workers` makes them hang.
    server = Server(media, ["--workers", "0"], env=environment)
    items = server.items()
    waits = []
    clients = [ask(server, f"/items/{items[f'hangs{number}.mp4']}/index.m3u8") for number in range(8)]
    patient = threading.Thread(target=lambda: waits.append(
        seconds_for(server, f"/items/{items['hangs0.mp4']}/index.m3u8", 60)))
    patient.start()
    time.sleep(1)
    waited = seconds_for(server, f"/items/{items['film.mp4']}/index.m3u8", 20)
    original = seconds_for(server, f"/items/{items['film.mp4']}/original", 20)
    patient.join()
    said = health(server)
    broken = []
    if max(waited, original) > PATIENCE:
        broken.append(f"other clients wait over {PATIENCE} s")
    if not PATIENCE < waits[0] < 60:
        broken.append("the file does not hang, or does not time out within a minute")
    if not said.startswith("busy"):
        broken.append("/health does not report it")
    clients.append(ask(server, f"/items/{items['hangs8.mp4']}/index.m3u8"))
    time.sleep(0.5)
    ended = ending(server, broken)
    for client in clients:
        client.close()
    return (f"with 8 files that hang on opening, another file's playlist took {waited:.2f} s and the file itself "
            f"{original:.2f} s, the others timed out after {waits[0]:.0f} s, and /health reported '{said}'; SIGTERM "
            f"ended it in {ended:.2f} s", broken)


def hanging_folder(folder):
    """A folder that stops responding, like one on an unreachable file server."""
    media, tools = folder / "media", folder / "tools"
    (media / "hangs").mkdir(parents=True)
    tools.mkdir()
    make_film(media / "film.mp4", 10, "320x180")
    for number in range(30):
        (media / "hangs" / f"{number}.mp4").write_bytes((media / "film.mp4").read_bytes())
    os.mkfifo(tools / "fifo")
    environment = {**os.environ, "LD_PRELOAD": str(compiled_shim(tools)), "SEGUE_ATTACK_FIFO": str(tools / "fifo"),
                   "SEGUE_ATTACK_SIGN": str(tools / "sign")}
    server = Server(media, env=environment)
    items = server.items()
    # Waits for the scan; the next one starts at least five seconds later.
    end = time.monotonic() + 60
    while "background: 0 of 1" not in health(server):
        if time.monotonic() > end:
            fail("the library is not scanned after a minute")
        time.sleep(0.2)
    time.sleep(6)
    (tools / "sign").touch()
    # Requests all its files, and another scan.
    clients = [ask(server, f"/items/{item}/index.m3u8") for path, item in items.items() if "hangs" in path]
    server.get("/api/items?wait=0")
    waited = seconds_for(server, f"/items/{items['film.mp4']}/index.m3u8", 20)
    original = seconds_for(server, f"/items/{items['film.mp4']}/original", 20)
    end, given_up = time.monotonic() + 60, 'workers_given_up{lane="background"} 1'
    while time.monotonic() < end and given_up not in server.get("/metrics")[0].decode():
        time.sleep(1)
    said = health(server)
    left = len(server.items())
    broken = []
    if max(waited, original) > PATIENCE:
        broken.append(f"other clients wait over {PATIENCE} s")
    if not said.startswith("busy") or given_up not in server.get("/metrics")[0].decode():
        broken.append("/health does not report it")
    if left != len(items):
        broken.append("the library has lost items")
    ended = ending(server, broken)
    for client in clients:
        client.close()
    return (f"with an unresponsive folder and {len(clients)} requests for files in it, another file's playlist took "
            f"{waited:.2f} s and the file itself {original:.2f} s, {left} of {len(items)} items remained, and "
            f"/health reported '{said}'; SIGTERM ended it in {ended:.2f} s", broken)


def dressed(folder):
    """A file that refers to a FIFO as its next part."""
    os.mkfifo(folder / "fifo")
    (folder / "film.mp4").write_text(
        f"#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\nfile://{folder}/fifo\n#EXT-X-ENDLIST\n")
    server = Server(folder)
    waited = seconds_for(server, f"/items/{server.items()['film.mp4']}/index.m3u8", 30)
    broken = ["no answer"] if waited >= 30 else []
    ended = ending(server, broken)
    return (f"a playlist named like a film that refers to a FIFO received a response in {waited:.2f} s; SIGTERM ended "
            f"the server in {ended:.2f} s", broken)


ATTACKS = {"ladders": ladders, "hanging-files": hanging,
           "hanging-folder": hanging_folder, "fifo": dressed}
