"""The steps of `Tools/run deb-test` in its root: install, serve, reload, upgrade, remove, purge."""

import ctypes
import os
import pathlib
import pwd
import re
import shlex
import shutil
import signal
import socket
import subprocess
import time
import urllib.request

from steps import GIVEN, PATIENCE, check, fetch, run, until

CONFIG = pathlib.Path("/etc/segue/serve.yaml")
UNIT = pathlib.Path("/lib/systemd/system/segue.service")
PR_SET_NO_NEW_PRIVS, PR_SET_MDWE = 38, 65


class Service:
    """Runs the unit's command as its user, with a socket for its notifications to a service manager."""

    def __init__(self):
        unit = UNIT.read_text()
        user = pwd.getpwnam(re.search("^User=(.*)", unit, re.M)[1])
        named = dict(word.split("=", 1) for line in re.findall("^Environment=(.*)", unit, re.M)
                     for word in line.split())
        self.told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.told.settimeout(PATIENCE)
        path = pathlib.Path("/run/notify")
        path.unlink(missing_ok=True)
        self.told.bind(str(path))
        path.chmod(0o666)
        self.log = open("/tmp/service.log", "w+")
        command = shlex.split(re.search("^ExecStart=(.*)", unit, re.M)[1])
        kernel = ctypes.CDLL(None, use_errno=True)

        def harden():
            if kernel.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or kernel.prctl(PR_SET_MDWE, 1, 0, 0, 0):
                raise OSError(ctypes.get_errno(), "prctl")

        self.process = subprocess.Popen(
            command, env={"PATH": os.environ["PATH"], "NOTIFY_SOCKET": str(path), "WATCHDOG_USEC": "4000000", **named},
            user=user.pw_uid, group=user.pw_gid, extra_groups=[], umask=0o027, cwd="/",
            stdout=self.log, stderr=subprocess.STDOUT, preexec_fn=harden)

    def wait(self, state):
        """Waits until it notifies of a state."""
        while True:
            try:
                if self.told.recv(4096).decode().split("\n")[0] == state:
                    return
            except TimeoutError:
                check(state, False, self.lines())

    def lines(self):
        return pathlib.Path("/tmp/service.log").read_text()

    def address(self):
        found = re.search(r"serving .* at http://[^/]*:(\d+)(/\S*)", self.lines())
        check("prints its address", bool(found), "" if found else self.lines())
        return f"http://127.0.0.1:{found[1]}{found[2]}"

    def reload(self):
        self.process.send_signal(signal.SIGHUP)
        self.wait("RELOADING=1")
        self.wait("READY=1")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.wait("STOPPING=1")
        check("exits on SIGTERM", self.process.wait(timeout=PATIENCE) == 0)


def items(address):
    return fetch(address + "api/items").decode()


def main():
    check("Swift is not installed", shutil.which("swift") is None)
    began = time.monotonic()
    run("dpkg", "--install", str(GIVEN / "segue.deb"))
    installed = time.monotonic()
    print(f"  installed after {installed - began:.2f} s")
    shutil.copy(GIVEN / "film.mp4", "/srv/segue/film.mp4")
    service = Service()
    service.wait("READY=1")
    address = service.address()
    run("ffmpeg", "-v", "error", "-i", playlist(address), "-frames:v", "1", "-y", "/tmp/picture.png")
    print(f"  first frame {time.monotonic() - began:.2f} s after the install began")
    check("the frame is a valid image", pathlib.Path("/tmp/picture.png").read_bytes()[:4] == b"\x89PNG")

    check("needs no Swift libraries", "swift" not in run("ldd", "/usr/bin/segue").lower())
    check("has its man pages", "SYNOPSIS" in run("man", "segue-serve"))
    check("bash reads its completions", run("bash", "-n", "/usr/share/bash-completion/completions/segue") == "")
    check("its files are unchanged", run("dpkg", "--verify", "segue") == "")
    check("runs as its own user", status("Uid", service) == str(pwd.getpwnam("segue").pw_uid))
    check("the page is served", b"<html" in fetch(address))
    check("a wrong key is refused", refused(re.sub("/k/[^/]*/", "/k/wrong/", address)))
    run("ffmpeg", "-v", "error", "-xerror", "-i", playlist(address), "-f", "null", "-")
    check("ffmpeg reads the whole film", True)
    service.wait("WATCHDOG=1")
    check("notifies the watchdog", True)

    print("reload")
    shutil.copy(GIVEN / "film.mp4", "/srv/segue/second.mp4")
    service.reload()
    until("a new film is found", lambda: "second" in items(address))
    good = CONFIG.read_text()
    CONFIG.write_text(good + "lisen: 1\n")
    service.reload()
    line = len(good.splitlines()) + 1
    check("an invalid configuration is reported with its line", f"{CONFIG}:{line}" in service.lines() and
          "did you mean listen?" in service.lines(), service.lines().splitlines()[-1])
    check("it keeps running", b"<html" in fetch(address))
    CONFIG.write_text(good.replace("workers: 4", "workers: 3"))
    service.reload()
    check("settings that require a restart are listed", "workers: changed" in service.lines(),
          service.lines().splitlines()[-1])
    os.rename("/var/log/segue/access.log", "/var/log/segue/access.log.1")
    service.reload()
    fetch(address)
    until("the access log is reopened", lambda: os.path.exists("/var/log/segue/access.log"))
    service.stop()

    print("upgrade")
    run("dpkg", "--install", str(GIVEN / "newer.deb"))
    check("the configuration is kept", "workers: 3" in CONFIG.read_text())
    service = Service()
    service.wait("READY=1")
    check("the key is kept", service.address() == address)
    check("the film is served", "film" in items(address))
    service.stop()

    print("remove")
    run("dpkg", "--remove", "segue")
    check("the program is removed", not os.path.exists("/usr/bin/segue"))
    check("configuration and keys remain", CONFIG.exists() and any(os.scandir("/var/lib/segue")))
    print("purge")
    run("dpkg", "--purge", "segue")
    left = [path for path in ("/etc/segue", "/var/lib/segue", "/var/cache/segue", "/var/log/segue", "/usr/share/segue")
            if os.path.exists(path)]
    check("data and configuration are removed", not left, " ".join(left))
    check("media are untouched", os.path.exists("/srv/segue/film.mp4"))
    check("its user is removed", "segue" not in [entry.pw_name for entry in pwd.getpwall()])


def playlist(address):
    found = re.search(r'"id":"([a-z0-9]+)"', items(address))
    check("the film is listed", bool(found), "" if found else items(address))
    return f"{address}items/{found[1]}/index.m3u8"


def status(name, service):
    text = pathlib.Path(f"/proc/{service.process.pid}/status").read_text()
    return re.search(rf"^{name}:\s+(\d+)", text, re.M)[1]


def refused(url):
    try:
        fetch(url)
    except urllib.error.HTTPError as error:
        return error.code in (401, 403, 404)
    return False


if __name__ == "__main__":
    main()
