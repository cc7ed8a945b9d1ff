"""Runs two servers on one folder behind nginx and behind Varnish, as docs/cluster.md describes.

The tool checks that both servers send the same bytes and tags, that the caches reduce their load, and that a film
continues without a missing frame when its server is killed. With PostgreSQL in /usr/lib/postgresql, the servers share
keys and playback positions. Everything runs on loopback. As root, the tool installs nginx and Varnish if they are
missing.
"""

import atexit
import hashlib
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import urllib.parse

from segue_tools.debian.packages import install
from segue_tools.launch import connects, end, fail, free_ports, program, scratch, segue, until
from segue_tools.media import ffmpeg, lavfi, picture
from segue_tools.places import CLUSTER_CONFIGURATIONS

ADDRESSES = ["127.0.1.11", "127.0.1.12"]
FRONT = "127.0.1.10"
failures = []
started = []


def check(what, good, found=""):
    print(f"{'ok  ' if good else 'FAIL'} {what}{'' if good or not found else f': {found}'}", flush=True)
    if not good:
        failures.append(what)


def start(command, **settings):
    process = subprocess.Popen([str(word) for word in command], **settings)
    started.append(process)
    return process


def stop_all():
    for process in started:
        process.terminate()
    for process in started:
        end(process, patience=20)


def wait_until(what, is_so, seconds=30):
    """Waits for the effect of another process."""
    if not until(is_so, seconds):
        fail(f"{what}: not after {seconds} s")


def free_port(address):
    return free_ports(1, address)[0]


def make(folder):
    source = [*picture(seconds=60), *lavfi("sine=440:d=60"), "-pix_fmt", "yuv420p", "-shortest"]
    ffmpeg(*source, "-c:v", "libx264", "-preset", "ultrafast", "-g", 50, "-c:a", "aac", folder / "film.mp4")
    ffmpeg(*source, "-t", 20, "-c:v", "mpeg4", "-c:a", "mp3", folder / "old.avi")
    ffmpeg(*lavfi("sine=330:d=30"), folder / "song.flac")


class Database:
    """A new PostgreSQL server, if PostgreSQL is installed."""

    def __init__(self, work):
        versions = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
        self.address = None
        if not versions:
            print("cluster: PostgreSQL is not installed: sharing is not tested", flush=True)
            return
        self.bin, self.folder = versions[-1], work / "postgres"
        self.folder.mkdir()
        work.chmod(0o755)
        self.user = []
        if not os.getuid():
            shutil.chown(self.folder, "postgres")
            self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        self.run("initdb", "-D", self.folder / "data", "-A", "trust", "-U", "segue", "--no-sync", "-E", "UTF8")
        start([*self.user, self.bin / "postgres", "-D", self.folder / "data", "-k", self.folder, "-c",
               "listen_addresses=", "-c", "fsync=off"], cwd="/", stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        ready = [*self.user, self.bin / "pg_isready", "-q", "-h", self.folder]
        wait_until("PostgreSQL", lambda: subprocess.run(ready, cwd="/").returncode == 0)
        self.run("createdb", "-h", self.folder, "-U", "segue", "media")
        self.address = f"host={self.folder} user=segue dbname=media"

    def run(self, program, *arguments):
        command = [*self.user, self.bin / program, *arguments]
        subprocess.run([str(word) for word in command], cwd="/", check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)


class Server:
    """One of the servers; its access log contains its requests."""

    def __init__(self, number, folder, work, options=()):
        self.log = work / f"access-{number}"
        self.address, self.folder, self.work, self.options = ADDRESSES[number], folder, work / f"data-{number}", options
        self.port = free_port(self.address)
        self.start()

    def start(self):
        self.process = start(
            [program(), "serve", self.folder, "--listen", f"{self.address}:{self.port}", "--index-cache", "none",
             "--allow-host", FRONT, "--trust-proxy", "127.0.0.0/8", "--access-log", self.log, "--data", self.work,
             *self.options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        if " at http://" not in line:
            fail(f"segue serve did not start: {line.strip() or 'no output'}")
        self.mount = urllib.parse.urlsplit(line.split(" at ", 1)[1].strip()).path.rstrip("/")

    def asked(self):
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [match[1] for line in lines if (match := re.search(r'"[A-Z]+ (\S+) ', line)) and match[1] != "/health"]

    @property
    def place(self):
        return self.address, self.port


def get(place, path, method="GET", body=None, headers=None):
    connection = http.client.HTTPConnection(place[0], place[1], timeout=60)
    try:
        connection.request(method, path, body, {"Host": FRONT, **(headers or {})})
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    finally:
        connection.close()


def resources(place, items):
    """Returns the digest of every playlist and piece of some items, by path."""
    found, open_ = {}, [f"/items/{item}/master.m3u8" for item in items.values()]
    while open_:
        path = open_.pop()
        if path in found:
            continue
        status, headers, body = found[path] = get(place, path)
        if status != 200:
            fail(f"{path}: {status}")
        if ".m3u8" in path:
            for line in body.decode().splitlines():
                names = re.findall(r'URI="([^"]+)"', line) + ([line] if line and line[0] != "#" else [])
                open_ += [urllib.parse.urljoin(path, name) for name in names]
    return found


def tag(headers):
    return (headers.get("etag") or "").removeprefix("W/").replace('-gzip"', '"')


def sums(found):
    return {path: (tag(headers), hashlib.sha256(body).hexdigest()) for path, (_, headers, body) in found.items()}


def frames(url, *options):
    return ["ffmpeg", "-v", "error", *options, "-i", url, "-map", "0", "-f", "framemd5", "-"]


def is_piece(path):
    return re.search(r"\.(ts|m4s|mp4|vtt)($|\?)", path) is not None


class Nginx:
    name = "nginx"

    def __init__(self, servers, work):
        self.place = (FRONT, free_port(FRONT))
        text = (CLUSTER_CONFIGURATIONS / "nginx.conf").read_text().replace("/var/cache/nginx/segue",
                                                                           str(work / "cache"))
        text = text.replace("192.0.2.10:80;", f"{FRONT}:{self.place[1]};")
        for number, server in enumerate(servers):
            text = text.replace(f"192.0.2.1{number + 1}:8080", f"{server.address}:{server.port}")
        if "192.0.2." in text:
            fail("docs/cluster/nginx.conf contains an address that was not replaced")
        paths = "".join(f"{name}_temp_path {work}/{name};\n"
                        for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
        user = "" if os.getuid() else "user root;"
        (work / "nginx.conf").write_text(f"daemon off; master_process off; {user} pid {work}/pid; error_log "
                                         f"{work}/error;\n"
                                         f"events {{}}\nhttp {{ access_log off;\n{paths}{text}}}\n")
        start(["nginx", "-e", work / "error", "-c", work / "nginx.conf"])
        wait_until("nginx", lambda: connects(*self.place))


class Varnish:
    name = "varnish"

    def __init__(self, servers, work):
        self.place = (FRONT, free_port(FRONT))
        text = (CLUSTER_CONFIGURATIONS / "varnish.vcl").read_text()
        for number, server in enumerate(servers):
            text = text.replace(f'"192.0.2.1{number + 1}"; .port = "8080"',
                                f'"{server.address}"; .port = "{server.port}"')
        if "192.0.2." in text:
            fail("docs/cluster/varnish.vcl contains an address that was not replaced")
        (work / "varnish.vcl").write_text(text)
        start(["varnishd", "-F", "-f", work / "varnish.vcl", "-a", f"{FRONT}:{self.place[1]}", "-n", work / "varnish",
               "-s", "malloc,256m", "-T", "none", "-j", "none"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until("Varnish", lambda: connects(*self.place))


def try_front(front, servers, items, wanted):
    place, name = front.place, front.name
    before = [len(server.asked()) for server in servers]
    came = sums(resources(place, items))
    other = [f"{path}: {came.get(path)}, not {wanted.get(path)}" for path in {*came, *wanted}
             if came.get(path) != wanted.get(path)]
    check(f"{name}: the bytes and tags equal those of the servers", not other, "; ".join(other[:2]))
    first = [len(server.asked()) - count for server, count in zip(servers, before)]
    check(f"{name}: titles are distributed among the servers", all(first), str(first))
    marks = [len(server.asked()) for server in servers]
    check(f"{name}: a second request returns the same", sums(resources(place, items)) == wanted)
    again = [path for server, mark in zip(servers, marks) for path in server.asked()[mark:]]
    check(f"{name}: no piece is requested from a server twice", not any(map(is_piece, again)), str(again[:3]))
    path = next(path for path in wanted if path.endswith(".m4s"))
    status, headers, body = get(place, path, headers={"Range": "bytes=10-29"})
    whole = get(place, path)[2]
    check(f"{name}: a range of a cached piece", status == 206 and body == whole[10:30], f"{status}, {len(body)} bytes")
    known = {"If-None-Match": headers.get("etag", "")}
    check(f"{name}: 304 for a client with the tag", get(place, path, headers=known)[0] == 304)


def try_death(front, servers, items):
    """Kills the server of a film during playback."""
    name = front.name
    # Another query, so that the cache is empty.
    film = f"/items/{items['film']}/master.m3u8?container=ts"
    url = "http://{}:{}".format(*front.place) + film
    own = "http://{}:{}".format(*servers[0].place) + film
    undisturbed = subprocess.run(frames(own), capture_output=True, check=True).stdout
    marks = [len(server.asked()) for server in servers]
    player = start(frames(url, "-readrate", "10"), stdout=subprocess.PIPE)

    def source():
        return next((server for server, mark in zip(servers, marks)
                     if sum(map(is_piece, server.asked()[mark:])) >= 2), None)

    wait_until("a film's second segment", lambda: source() is not None)
    killed = source()
    killed.process.kill()
    killed.process.wait()
    output, _ = player.communicate(timeout=120)
    count = lambda text: sum(not line.startswith(b"#") for line in text.splitlines())
    check(f"{name}: a film continues after its server is killed, frame by frame ({count(undisturbed)} frames)",
          player.returncode == 0 and output == undisturbed, f"{count(output)} frames, code {player.returncode}")
    mark = len(killed.asked())
    killed.start()
    def is_back():
        get(front.place, f"/items/{items['film']}/index.m3u8")
        get(front.place, f"/items/{items['old']}/index.m3u8")
        get(front.place, f"/items/{items['song']}/index.m3u8")
        return len(killed.asked()) > mark
    wait_until(f"{name}: the restarted server receives a request", is_back)
    check(f"{name}: the restarted server receives requests again", True)


def try_sharing(folder, work, database):
    work.mkdir()
    servers = [Server(number, folder, work, ["--listen", f"0.0.0.0:{free_port('127.0.0.1')}", "--no-announce",
                                             "--database", database]) for number in range(2)]
    for server in servers:
        line = server.options[1].rsplit(":", 1)[1]
        server.address, server.port = "127.0.0.1", int(line)
    one, other = servers
    check("shared: both have the default key", one.mount == other.mount != "")
    item = json.loads(get(one.place, f"{one.mount}/api/items?limit=1")[2])["items"][0]["id"]
    point = json.dumps({"position": 3.5, "duration": 10, "finished": False})
    status = get(one.place, f"{one.mount}/api/resume/{item}", "PUT", point, {"Content-Type": "application/json"})[0]
    points = json.loads(get(other.place, f"{other.mount}/api/resume")[2])["points"]
    check("shared: a resume position stored on one is available on the other",
          status == 200 and [(point["id"], point["position"]) for point in points] == [(item, 3.5)], str(points))
    segue("access", "keys", "revoke", "house", "--database", database)
    wait_until("a revoked key grants no access", lambda: {get(server.place, f"{server.mount}/api/items")[0]
                                                  for server in servers} == {401}, 5)
    check("shared: a revoked key is revoked on both", True)


def main(_):
    os.environ["PATH"] += ":/usr/sbin"
    install("nginx", "varnish", "ffmpeg")
    atexit.register(stop_all)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with scratch("segue-cluster-") as work:
        folder = work / "media"
        folder.mkdir()
        make(folder)
        servers = [Server(number, folder, work) for number in range(2)]
        found = json.loads(get(servers[0].place, "/api/items?wait=20")[2])["items"]
        items = {pathlib.Path(item["path"]).stem: item["id"] for item in found}
        wanted = sums(resources(servers[0].place, items))
        check(f"both servers have the same {len(wanted)} playlists and pieces, byte for byte, with the same tags",
              sums(resources(servers[1].place, items)) == wanted)
        kinds: list = [Nginx, Varnish]
        for kind in kinds:
            area = work / kind.name
            area.mkdir()
            front = kind(servers, area)
            try_front(front, servers, items, wanted)
            try_death(front, servers, items)
        database = Database(work)
        if database.address:
            try_sharing(folder, work / "shared", database.address)
        stop_all()
    print(f"cluster: {len(failures)} failed" if failures else "cluster: all ok")
    sys.exit(1 if failures else 0)
