"""Access: all routes without a key, brute force on passwords, session fixation, and cross-site requests."""

import base64
import http.client
import json
import re
import sqlite3
import statistics
import subprocess
import threading
import time
import urllib.parse

from segue_tools.attacks.connections import make_songs
from segue_tools.launch import Server, program

PASSWORD = "a password of some length"
# The duration of brute force in seconds, and the number of its connections.
FORCE, FORCERS = 8, 16
# The minimum rate of a client with a key during brute force, relative to that during plain refusals.
SHARE = 0.5
# The maximum ratio between the median times of two refusals.
APART = 1.5
# The ID of no item.
NOBODY = "0" * 12
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Guarded:
    """`segue serve` on all addresses, with a user and further keys besides the default key."""

    def __init__(self, folder):
        make_songs(folder)
        self.data = folder / "data"
        self.access("keys", "add", "brief", "--for", "7d")
        self.foreign = self.access("keys", "add", "one", "--folder", "one")
        self.revoked = self.access("keys", "add", "revoked")
        self.access("keys", "revoke", "revoked")
        self.expired = self.access("keys", "add", "expired", "--for", "12h")
        with sqlite3.connect(self.data / "access.sqlite") as database:
            database.execute("update keys set until = 1 where name = 'expired'")
        self.access("people", "add", "anna", input=PASSWORD)
        self.errors = open(folder / "errors.txt", "w+")
        self.server = Server(folder, ["--listen", "0.0.0.0:0", "--data", str(self.data)],
                             stderr=self.errors)
        self.key = self.shown()

    def access(self, *arguments, **settings):
        done = subprocess.run([program(), "access", *arguments, "--data", str(self.data)], check=True, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **settings)
        return done.stdout.strip()

    def shown(self):
        """The stored plain text of the default key."""
        with sqlite3.connect(self.data / "access.sqlite") as database:
            return database.execute("select shown from keys where name = 'house'").fetchone()[0]

    def ask(self, path, headers=None, method="GET", body=None, connection=None):
        """Returns the status, the header fields, and the body."""
        own = connection or http.client.HTTPConnection(self.server.host, self.server.port, timeout=60)
        own.request(method, path, body=body, headers=headers or {})
        answer = own.getresponse()
        text = answer.read()
        fields = sorted((name, value) for name, value in answer.getheaders() if name.lower() != "date")
        if not connection:
            own.close()
        return answer.status, fields, text

    def log_in(self, headers=None, password=PASSWORD):
        body = urllib.parse.urlencode({"name": "anna", "password": password})
        return self.ask("/?login", {**FORM, **(headers or {})}, "POST", body)

    def stop(self):
        self.server.stop()
        self.errors.seek(0)
        text = self.errors.read()
        self.errors.close()
        return text


def item_of(guarded):
    items = json.loads(guarded.ask(f"/k/{guarded.key}/api/items")[2])["items"]
    return next(item["id"] for item in items if item["path"] == "0.m4a")


def routes(folder):
    guarded = Guarded(folder)
    item, broken = item_of(guarded), []
    playlist = guarded.ask(f"/k/{guarded.key}/items/{item}/index.m3u8")[2].decode()
    segment = next(line for line in playlist.splitlines() if line and not line.startswith("#"))
    of_item = [f"/api/items/{item}", f"/items/{item}/master.m3u8", f"/items/{item}/index.m3u8",
               f"/items/{item}/{segment}", f"/items/{item}/{segment.rpartition('/')[0]}/init.mp4",
               f"/items/{item}/{segment.rpartition('/')[0]}/whole.mp4", f"/items/{item}/original",
               f"/items/{item}/artwork.jpg"]
    page_files = re.findall(r'(?:href|src)="(page/[^"]+)"', guarded.ask(f"/k/{guarded.key}/")[2].decode())
    if not page_files:
        broken.append("the page names no files")
    paths = [*of_item, f"/api/resume/{item}", *(f"/{name}" for name in page_files), "/", "/api/items",
             "/api/groups?by=folder", "/api/resume",
             "/radio", "/metrics", "/qr.svg", "/certificate.crt", "/dlna/device.xml", "/nothing", "/%2e%2e/etc/passwd",
             "/api/items?limit=x", "/k/", "/k"]
    ways = [("", {}), ("/k/x", {}), ("", {"Cookie": "segue=" + "0" * 26})]
    for key in ["0" * 26, guarded.revoked, guarded.expired]:
        basic = base64.b64encode(f"x:{key}".encode()).decode()
        ways += [(f"/k/{key}", {}), ("", {"Authorization": f"Bearer {key}"}), ("", {"Authorization": f"Basic {basic}"}),
                 ("", {"Cookie": f"segue={key}"})]
    asked, refusal = 0, guarded.ask("/nothing")
    for path in paths:
        for prefix, headers in ways:
            for method in ["GET", "HEAD", "OPTIONS", "POST", "DELETE"]:
                asked += 1
                status, fields, body = guarded.ask(prefix + path, headers, method)
                # A rate-limited password receives the same response.
                if (status, fields) != refusal[:2] or body != (b"" if method == "HEAD" else refusal[2]):
                    broken.append(f"{method} {prefix}{path}: {status}")
    # With a key of another folder, an existing item must look like a missing one.
    there = 0
    for path in of_item:
        there += guarded.ask(f"/k/{guarded.key}{path}")[0] == 200
        foreign = guarded.ask(f"/k/{guarded.foreign}{path}")
        status, fields, body = guarded.ask(f"/k/{guarded.foreign}{path.replace(item, NOBODY)}")
        # The response contains the requested ID.
        if foreign != (404, fields, body.replace(NOBODY.encode(), item.encode())):
            broken.append(f"{path} with a key of another folder: {foreign[0]}, but {status} for a missing item")
    for method in ["PUT", "POST", "DELETE"]:
        status, _, _ = guarded.ask(f"/k/{guarded.foreign}/api/resume/{item}", {"Content-Type": "application/json"},
                                   method,
                                   '{"position":1}')
        if status != 404:
            broken.append(f"{method} of a resume point with a key of another folder: {status}")
    # Response times must not reveal whether an item exists.
    times = {}
    connection = http.client.HTTPConnection(guarded.server.host, guarded.server.port)
    for _ in range(400):
        for path in [f"/api/items/{item}", f"/api/items/{NOBODY}"]:
            began = time.perf_counter()
            guarded.ask(path, connection=connection)
            times.setdefault(path, []).append(time.perf_counter() - began)
    one, other = (statistics.median(values) for values in times.values())
    if not 1 / APART < one / other < APART:
        broken.append("the times of refusals differ")
    guarded.stop()
    return (f"{asked} requests to {len(paths)} paths without a valid key (none, wrong, revoked, expired) received the "
            f"same response, {refusal[0]}; {len(of_item)} with a key of another folder that of a missing item ({there} "
            f"exist with the default key); a refusal takes {one * 1000:.2f} ms for an existing item and "
            f"{other * 1000:.2f} ms for a missing one",
            broken)


def force(folder):
    guarded = Guarded(folder)
    item, broken, let_in = item_of(guarded), [], []
    path = f"/k/{guarded.key}/items/{item}/original"

    def rate(seconds):
        # From another address, because limits apply to each address.
        connection = http.client.HTTPConnection("127.0.0.1", guarded.server.port, source_address=("127.0.0.2", 0))
        count, end = 0, time.perf_counter() + seconds
        while time.perf_counter() < end:
            if guarded.ask(path, connection=connection)[0] != 200:
                broken.append("a client with a key is refused")
                break
            count += 1
        connection.close()
        return count / seconds

    def beside(attempt):
        """The rate of a client with a key during an attack, and the number of attempts."""
        end, counts = time.perf_counter() + FORCE, []

        def attack(number):
            count = 0
            while time.perf_counter() < end:
                attempt(number, count)
                count += 1
                # The rate of a machine that is also busy with other work.
                time.sleep(0.01)
            counts.append(count)

        threads = [threading.Thread(target=attack, args=(number,)) for number in range(FORCERS)]
        for thread in threads:
            thread.start()
        kept = rate(FORCE - 1)
        for thread in threads:
            thread.join()
        return kept, sum(counts)

    def guess(number, count):
        status, fields, _ = guarded.log_in(password=f"wrong {number} {count}")
        if status == 303 or any(name == "Set-Cookie" for name, _ in fields):
            let_in.append(number)

    # The same clients, refused without a password check.
    harmless, refusals = beside(lambda number, count: guarded.ask("/?login", FORM, "GET"))
    before = guarded.server.cpu()
    kept, tries = beside(guess)
    spent = guarded.server.cpu() - before
    errors = guarded.stop()
    looked = errors.count("wrong name or password")
    if let_in:
        broken.append("a wrong password was accepted")
    # Five attempts are free; after them, the delays are one, two, and four seconds.
    if looked > 5 + 4:
        broken.append(f"{looked} passwords were checked")
    if kept < SHARE * harmless:
        broken.append(f"less than {SHARE:.0%} of the rate remains for others")
    return (f"{tries} attempts from one address in {FORCE} s, {looked} of them checked, with {spent:.1f} s of CPU in "
            f"total; a client with a key received {kept:.0f} responses/s, {harmless:.0f} during {refusals} refusals",
            broken)


def sessions(folder):
    guarded = Guarded(folder)
    broken = []
    host = f"{guarded.server.host}:{guarded.server.port}"

    def token(answer):
        cookie = dict(answer[1]).get("Set-Cookie", "")
        for word in ["HttpOnly", "SameSite=Lax", "Path=/"]:
            if word not in cookie:
                broken.append(f"the cookie has no {word}")
        return cookie.split(";")[0].partition("=")[2]

    planted = "0" * 26
    first = token(guarded.log_in({"Cookie": f"segue={planted}"}))
    if first == planted or guarded.ask("/", {"Cookie": f"segue={planted}"})[0] != 401:
        broken.append("a fixated session is accepted")
    second = token(guarded.log_in({"Cookie": f"segue={first}"}))
    if second == first or guarded.ask("/", {"Cookie": f"segue={first}"})[0] != 401:
        broken.append("a session remains valid after the next login")
    refused = 0
    for headers in [{"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"},
                    {"Origin": f"http://{host}.evil.example"}, {"Origin": f"https://{host}"}]:
        for method, path in [("POST", "/?login"), ("POST", "/?logout"), ("PUT", "/api/resume/x"), ("DELETE", "/x")]:
            status, fields, _ = guarded.ask(path, {**FORM, **headers, "Cookie": f"segue={second}"}, method, "name=a")
            if status != 403 or "Set-Cookie" in dict(fields):
                broken.append(f"{method} {path} with {headers} received {status}")
            refused += 1
    for headers in [{"Origin": "http://evil.example"}, {"Origin": "null"}]:
        if any(name.startswith("Access-Control") for name, _ in
               guarded.ask("/api/items", {**headers, "Cookie": f"segue={second}"})[1]):
            broken.append("another origin may read")
    guarded.ask("/?logout", {**FORM, "Origin": f"http://{host}", "Cookie": f"segue={second}"}, "POST", "")
    if guarded.ask("/", {"Cookie": f"segue={second}"})[0] != 401:
        broken.append("a session remains valid after the logout")
    for target in ["//evil.example?login", "/\\evil.example?login", "/%0d%0aX:%20y?login"]:
        body = urllib.parse.urlencode({"name": "anna", "password": PASSWORD})
        place = dict(guarded.ask(target, FORM, "POST", body)[1]).get("Location", "/")
        if not re.fullmatch(r"/[^/\\\r\n][^\\\r\n]*|/", place):
            broken.append(f"a login at {target} redirects to {place}")
    guarded.stop()
    return f"a fixated session, an old session, and {refused} cross-site requests are refused", broken


ATTACKS = {"routes": routes, "force": force, "sessions": sessions}
