"""The steps of `Tools/run deb-systemd` under systemd: install, serve, watchdog, socket."""

import os
import pathlib
import pwd
import re
import shutil
import signal
import socket
import subprocess
import time

from steps import EXPLAINED_BY, GIVEN, PATIENCE, check, fetch, run, until

EXPLAINED_BY += ["systemctl", "status", "--no-pager", "-l", "segue.service", "segue.socket", "systemd-journald"]


def shown(name, unit="segue.service"):
    return run("systemctl", "show", "--property", name, "--value", unit).strip()


def key():
    """The key in the printed address."""
    words = run("journalctl", "--unit", "segue", "--no-pager", "--output", "cat")
    return re.findall(r"serving .*/k/(\w+)/", words)[-1]


def main():
    # The targets of a machine that has booted; missing ones do not matter.
    subprocess.run(["systemctl", "start", "basic.target", "network-online.target"], capture_output=True, timeout=120)
    began = time.monotonic()
    run("dpkg", "--install", str(GIVEN / "segue.deb"))
    until("the service runs after the installation", lambda: shown("ActiveState") == "active")
    print(f"  installed and ready after {time.monotonic() - began:.2f} s: {shown('StatusText')}")
    shutil.copy(GIVEN / "film.mp4", "/srv/segue/film.mp4")
    run("systemctl", "reload", "segue.service")
    base = f"http://127.0.0.1:8080/k/{key()}/"
    until("a film is found on a reload", lambda: "film" in fetch(base + "api/items").decode())
    item = re.search(r'"id":"([a-z0-9]+)"', fetch(base + "api/items").decode())[1]
    run("ffmpeg", "-v", "error", "-i", f"{base}items/{item}/index.m3u8", "-frames:v", "1", "-y", "/tmp/picture.png")
    print(f"  first frame {time.monotonic() - began:.2f} s after the installation began")
    run("ffmpeg", "-v", "error", "-xerror", "-i", f"{base}items/{item}/index.m3u8", "-f", "null", "-")
    check("ffmpeg reads the whole film, which workers open", True)
    process = int(shown("MainPID"))
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    check("it runs as its user, without privileges and capabilities, with a system call filter",
          f"\nUid:\t{pwd.getpwnam('segue').pw_uid}\t" in status and "\nNoNewPrivs:\t1" in status
          and "\nSeccomp:\t2" in status and "\nCapEff:\t0000000000000000" in status)
    children = run("pgrep", "-P", str(process)).split()
    check("its workers run", len(children) >= 4, f"{len(children)} of them")
    inside = run("nsenter", "--target", str(process), "--mount", "--root", "sh", "-c",
                 "touch /usr/x 2>&1 || true; touch /var/lib/segue/x && rm /var/lib/segue/x")
    check("it can write only to its data folder", "Read-only" in inside, inside.strip())

    print("watchdog")
    check("the watchdog is on", shown("WatchdogUSec") == "30s", shown("WatchdogUSec"))
    told = shown("WatchdogTimestampMonotonic")
    until("the watchdog is notified repeatedly", lambda: shown("WatchdogTimestampMonotonic") != told)
    override = pathlib.Path("/run/systemd/system/segue.service.d/quick.conf")
    override.parent.mkdir(parents=True)
    override.write_text("[Service]\nWatchdogSec=3\n")
    run("systemctl", "daemon-reload")
    run("systemctl", "restart", "segue.service")
    process, restarts = int(shown("MainPID")), int(shown("NRestarts"))
    os.kill(process, signal.SIGSTOP)
    until("a hanging service is restarted", lambda: int(shown("NRestarts")) > restarts)
    until("and runs", lambda: shown("ActiveState") == "active" and int(shown("MainPID")) not in (0, process))
    check("because of a watchdog timeout",
          "Watchdog timeout" in run("journalctl", "--unit", "segue", "--no-pager"))

    print("socket")
    run("systemctl", "stop", "segue.service")
    check("the socket is not enabled by default",
          subprocess.run(["systemctl", "is-enabled", "segue.socket"], capture_output=True).returncode != 0)
    run("systemctl", "start", "segue.socket")
    check("nothing runs before the first request", shown("ActiveState") == "inactive")
    check("the first request is answered", "film" in fetch(base + "api/items").decode())
    process = int(shown("MainPID"))
    check("by a service that the socket started", process > 0 and shown("ActiveState") == "active")
    os.kill(process, signal.SIGKILL)
    early = socket.create_connection(("127.0.0.1", 8080), timeout=PATIENCE)
    early.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    check("no request is refused during a restart", early.recv(64).startswith(b"HTTP/1.1 200"))
    check("and a new process responds", int(shown("MainPID")) not in (0, process))
    run("dpkg", "--remove", "segue")
    check("nothing listens after the removal", socket.socket().connect_ex(("127.0.0.1", 8080)) != 0)


if __name__ == "__main__":
    main()
