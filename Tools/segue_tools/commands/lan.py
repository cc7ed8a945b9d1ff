"""Checks the discovery of a server in a home network made of network namespaces, as root.

In it are a server, a phone (Avahi), a television (VLC over UPnP), and `segue find`. Installs avahi-daemon, avahi-utils,
gupnp-tools, and VLC if they are missing, and starts none of them outside of the namespaces. Each line is one check; the
exit code is 1 if one fails.
"""


import json
import os
import re
import subprocess
import tempfile

from segue_tools.debian.packages import install
from segue_tools.house.network import House
from segue_tools.launch import program, requires_root, until
from segue_tools.media import ffmpeg, lavfi, picture

PORT = 8080
failures = []


def check(what, holds, shown=""):
    """Prints a check, and counts its failure."""
    print(f"{'ok  ' if holds else 'FAIL'} {what}" + (f": {shown}" if shown else ""), flush=True)
    if not holds:
        failures.append(what)


def media(folder):
    """Makes a film and two songs, with names that XML must escape."""
    os.makedirs(f"{folder}/Films & more", exist_ok=True)
    os.makedirs(f"{folder}/Music", exist_ok=True)
    tone = lavfi("sine=duration=4")
    ffmpeg(*picture("128x96", seconds=4, source="testsrc"), *tone, "-c:v", "libx264", "-preset", "ultrafast",
           "-c:a", "aac", "-metadata", "title=<Tom> & \"Jerry\"", f"{folder}/Films & more/tom.mp4")
    for number in (1, 2):
        ffmpeg(*tone, "-c:a", "libmp3lame", "-metadata", f"title=Song {number}", "-metadata", "artist=Band",
               "-metadata", "album=Record", f"{folder}/Music/{number}.mp3")


class Remote:
    """VLC on a machine, controlled through its remote control interface."""

    def __init__(self, house, name):
        self.house, self.name = house, name
        os.chmod(house.folder, 0o755)
        home = house.environment(name)["HOME"]
        os.chmod(home, 0o777)
        # VLC does not run as root.
        self.player = house.start(
            name,
            ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "cvlc", "--no-color", "-I", "rc",
             "--rc-host", "127.0.0.1:4212", "-S", "upnp", "--vout", "dummy", "--aout", "dummy"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )

    def say(self, *commands):
        """Sends commands to VLC; returns its output, or "" if it does not respond."""
        code = (
            "import socket,sys\n"
            "s=socket.create_connection(('127.0.0.1',4212),2); s.settimeout(0.5)\n"
            "def read():\n"
            "    out=b''\n"
            "    try:\n"
            "        while True:\n"
            "            more=s.recv(65536)\n"
            "            if not more: break\n"
            "            out+=more\n"
            "    except TimeoutError: pass\n"
            "    return out.decode(errors='replace')\n"
            "read()\n"
            "for c in sys.argv[1:]:\n"
            "    s.sendall((c+'\\n').encode()); print(read())\n"
        )
        said = self.house.run(self.name, ["python3", "-c", code, *commands])
        return "" if "Traceback" in said else said

    def number(self, title):
        """The number of an entry in the playlist; None if it is missing."""
        for line in self.say("playlist").splitlines():
            match = re.match(r"[|* ]*(\d+) - (.*?)( \[.*| \(\d.*)?$", line)
            if match and match.group(2).strip() == title:
                return match.group(1)
        return None

    def enter(self, title):
        """Opens an entry; returns whether it exists."""
        number = until(lambda: self.number(title), 15)
        if number:
            self.say(f"goto {number}")
        return bool(number)


def services(house, kind):
    """The services of a kind that a phone sees: name, address, port, and records."""
    found = []
    for line in house.run("phone", ["timeout", "10", "avahi-browse", "-rptk", kind]).splitlines():
        parts = line.split(";")
        if parts[0] == "=":
            name = re.sub(r"\\(\d{3})", lambda match: chr(int(match.group(1))), parts[3])
            found.append((name, parts[7], int(parts[8]), ";".join(parts[9:])))
    return found


def find(house, *options):
    return house.run("phone", [program(), "find", *options])


def serve(house, folder, *options, port=PORT):
    """Starts a server in the attic; returns it, and the key in its address, when it accepts requests."""
    errors = open(f"{house.folder}/errors-{port}", "w")
    server = house.start(
        "attic", [program(), "serve", folder, "--listen", f"0.0.0.0:{port}", "--log", f"{house.folder}/log-{port}",
                  *options],
        stdout=subprocess.PIPE, stderr=errors, text=True,
    )
    line = server.stdout.readline().strip()
    check("a server starts", line.startswith("serving 3 items at http://10.77.0.2:"), line)
    key = re.search(r"/k/([^/]+)/", line)
    return server, key and key[1]


def errors(house, port=PORT):
    with open(f"{house.folder}/errors-{port}") as file:
        return file.read()


def served(house, port=PORT):
    with open(f"{house.folder}/log-{port}") as file:
        return [json.loads(line) for line in file if line.strip()]


# Run on another machine: asks for media servers, and prints the address of the first description.
SEARCH = """
import re, socket
ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
ear.settimeout(3)
ear.sendto(b"M-SEARCH * HTTP/1.1\\r\\nHOST: 239.255.255.250:1900\\r\\nMAN: \\"ssdp:discover\\"\\r\\nMX: 1\\r\\n"
           b"ST: urn:schemas-upnp-org:device:MediaServer:1\\r\\n\\r\\n", ("239.255.255.250", 1900))
print(re.search(rb"(?i)location: *(\\S+)", ear.recv(4096))[1].decode())
"""


def status(house, url, *options):
    """The status of a request from the phone."""
    return house.run("phone", ["curl", "--silent", "--noproxy", "*", "--output", "/dev/null", "--max-time", "10",
                               "--write-out", "%{http_code}", *options, url]).strip()


def announced_key(house, key):
    """Checks what the announced key for televisions opens; returns the announced address."""
    place = house.run("phone", ["python3", "-c", SEARCH]).strip()
    check("the announced address has a key of its own", "/k/" in place and key not in place, place.replace(key, "KEY"))
    base = place.removesuffix("/dlna/device.xml")
    item = served_item(house, base.replace(base.rsplit("/", 1)[1], key))
    opened = {path: status(house, base + path) for path in ("/dlna/device.xml", f"/items/{item}/master.m3u8")}
    check("it opens what a television plays", set(opened.values()) == {"200"}, str(opened))
    closed = {path: status(house, base + path) for path in ("/", "/metrics", "/api/items", "/api/resume", "/qr.svg")}
    closed["PUT"] = status(house, f"{base}/api/resume/{item}", "--request", "PUT", "--json", '{"position": 1}')
    closed["proxy"] = status(house, base + "/dlna/device.xml", "--header", "X-Forwarded-For: 192.0.2.1")
    check("it opens nothing else", set(closed.values()) <= {"401", "404"}, str(closed))
    return place


def served_item(house, base):
    url = f"{base}/api/items?wait=10"
    listing = house.run("phone", ["curl", "--silent", "--noproxy", "*", "--max-time", "20", url])
    return json.loads(listing)["items"][0]["id"]


def main(_):
    requires_root("it makes network namespaces")
    install("avahi-daemon", "avahi-utils", "dbus", "gupnp-tools", "vlc-bin", "vlc-plugin-base",
            "vlc-plugin-access-extra")
    with tempfile.TemporaryDirectory(prefix="segue-media-") as folder, House(["attic", "phone", "tv"]) as house:
        media(folder)
        # With its own keys.
        os.environ["XDG_DATA_HOME"] = house.folder
        house.bus("phone")
        house.avahi("phone")
        house.bus("attic")
        server, key = serve(house, folder, "--dlna")
        said = until(lambda: "avahi-daemon is not running" in errors(house) and errors(house))
        check("without Avahi's daemon, the server logs one line and continues",
              (said or "").count("vahi-daemon is not") == 1,
              errors(house).strip())

        daemon = house.avahi("attic")
        for kind in ("_segue._tcp", "_http._tcp"):
            found = until(lambda: services(house, kind))
            check(f"the daemon starts: a phone sees {kind}", [one[:3] for one in found] ==
                  [("Segue on attic", "10.77.0.2", PORT)], found and found[0][3])
        told = " ".join(one[3] for kind in ("_segue._tcp", "_http._tcp") for one in services(house, kind))
        check("the record flags that a key is required, without the key", '"key=1"' in told and key and key not in told)
        shown = find(house, "--json", f"{house.folder}/found.json")
        check("segue find", "Segue on attic (Segue)  http://10.77.0.2:8080/" in shown and "needs a key" in shown,
              shown.strip())
        check("segue find prints no key", key not in shown)

        other, none = serve(house, folder, "--open", port=8081)
        found = until(lambda: len(services(house, "_segue._tcp")) == 2 and services(house, "_segue._tcp"))
        check("a second server gets another name", sorted(one[0] for one in found or []) ==
              ["Segue on attic", "Segue on attic (2)"], errors(house, 8081).strip())
        check("an open server has no key, and its record flags that", not none and
              any('"key=0"' in one[3] for one in found or []))
        find(house, "--json", f"{house.folder}/found.json")
        with open(f"{house.folder}/found.json") as file:
            listed = {one["name"]: one.get("items") for one in json.load(file)["servers"]}
        check("segue find --json", listed == {"Segue on attic": None, "Segue on attic (2)": 3}, str(listed))
        code = house.stop(other)
        check("SIGTERM ends the second server", code == 0, str(code))
        gone = until(lambda: len(services(house, "_segue._tcp")) == 1)
        check("its record is removed", gone)

        house.stop(daemon)
        until(lambda: not services(house, "_segue._tcp"))
        house.avahi("attic")
        check("the daemon returns: the server is registered again", until(lambda: services(house, "_segue._tcp")))

        found = house.run("phone", ["timeout", "3", "gssdp-discover", "-i", "eth0", "-n", "2"])
        kinds = sorted(re.findall(r"USN: +\S+?::(\S+)", found))
        check("gssdp-discover sees the server's types", len(kinds) == 4 and "upnp:rootdevice" in kinds,
              ", ".join(kinds))

        place = announced_key(house, key)

        listing = house.run("tv", [program(), "find"])
        check("segue find without Avahi sees it by SSDP", "Segue on attic" in listing, listing.strip().splitlines()[-1])

        remote = Remote(house, "tv")
        check("VLC sees the server", remote.enter("Segue on attic"))
        check("VLC lists it", bool(until(lambda: remote.number("Films"))))
        check("VLC opens its folders", remote.enter("Folders") and remote.enter("Films & more"))
        title = '<Tom> & "Jerry"'
        check("VLC plays a film with special characters in its title", remote.enter(title), title)
        playing = until(lambda: "state playing" in remote.say("status"))
        files = until(lambda: [one for one in served(house) if one.get("target", "").endswith("/original")])
        check("the film is fetched", playing and files, str(files and files[0]["target"]))
        house.stop(remote.player)

        code = house.stop(server)
        check("SIGTERM ends the server", code == 0, str(code))
        found = until(lambda: not services(house, "_segue._tcp"))
        check("and its record is removed", found)
        check("no server is found", "no server responded" in find(house))
        server, again = serve(house, folder)
        check("after a restart, the key for televisions opens nothing", again == key and status(house, place) == "401")
        house.stop(server)
    print(f"lan: {'all passed' if not failures else str(len(failures)) + ' failed'}")
    return 1 if failures else 0
