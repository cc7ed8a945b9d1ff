"""A home network: a namespace for each machine, on one switch, each with its own D-Bus and Avahi."""

import os
import shutil
import signal
import subprocess
import tempfile

from segue_tools.launch import end
from segue_tools.places import OWN


class House:
    """Namespaces `segue-NAME` on one switch, with addresses 10.77.0.N; the `with` block removes them."""

    def __init__(self, names):
        self.folder = tempfile.mkdtemp(prefix="segue-house-")
        self.prefix = f"sg{os.getpid() % 100000}"
        self.names = names
        self.processes = []
        self.addresses = {name: f"10.77.0.{number + 2}" for number, name in enumerate(names)}

    def __enter__(self):
        try:
            self._build()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            self.stop(process)
        for name in ["switch", *self.names]:
            subprocess.run(["ip", "netns", "delete", self._namespace(name)], stderr=subprocess.DEVNULL)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _namespace(self, name):
        return f"{self.prefix}-{name}"

    def _ip(self, *arguments):
        subprocess.run(["ip", *arguments], check=True)

    def _build(self):
        switch = self._namespace("switch")
        self._ip("netns", "add", switch)
        self._ip("-n", switch, "link", "add", "br0", "type", "bridge", "mcast_snooping", "0")
        self._ip("-n", switch, "link", "set", "br0", "up")
        for name in self.names:
            space = self._namespace(name)
            self._ip("netns", "add", space)
            self._ip("-n", space, "link", "set", "lo", "up")
            self._ip("-n", space, "link", "add", "eth0", "type", "veth", "peer", "name", f"to-{name}", "netns", switch)
            self._ip("-n", switch, "link", "set", f"to-{name}", "master", "br0", "up")
            self._ip("-n", space, "address", "add", f"{self.addresses[name]}/24", "dev", "eth0")
            # Duplicate address detection would delay IPv6 by a second.
            self._ip("-n", space, "link", "set", "eth0", "addrgenmode", "none")
            self._ip("-n", space, "link", "set", "eth0", "up")
            self._ip("-n", space, "route", "add", "default", "dev", "eth0")

    def environment(self, name):
        home = f"{self.folder}/home-{name}"
        os.makedirs(home, exist_ok=True)
        bus = f"unix:path={self.folder}/bus-{name}"
        return {
            **os.environ, "DBUS_SYSTEM_BUS_ADDRESS": bus, "DBUS_SESSION_BUS_ADDRESS": bus, "HOME": home,
            "XDG_CACHE_HOME": home + "/cache", "XDG_DATA_HOME": home + "/data", "XDG_RUNTIME_DIR": home,
            "LC_ALL": "C.UTF-8",
        }

    def command(self, name, arguments):
        """The arguments that run a program in a machine, with its own /run and host name."""
        script = 'mount -t tmpfs none /run && mkdir -p /run/avahi-daemon && hostname "$0" && exec "$@"'
        return ["ip", "netns", "exec", self._namespace(name), "unshare", "-u", "bash", "-c", script, name, *arguments]

    def start(self, name, arguments, **options):
        """Starts a program in a machine."""
        process = subprocess.Popen(
            self.command(name, arguments), env=self.environment(name), start_new_session=True, **options
        )
        self.processes.append(process)
        return process

    def run(self, name, arguments, limit=30, **options):
        """Runs a program in a machine to its end; returns its output."""
        done = subprocess.run(
            self.command(name, arguments), env=self.environment(name), timeout=limit, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options,
        )
        return done.stdout

    def stop(self, process, number=signal.SIGTERM):
        """Ends a program and waits for it, five seconds at most."""
        return end(process, number, 5)

    def bus(self, name):
        """Starts a machine's D-Bus."""
        configuration = f"{self.folder}/bus-{name}.conf"
        with open(configuration, "w") as file:
            file.write((OWN / "house/dbus.conf").read_text().format(path=f"{self.folder}/bus-{name}"))
        process = self.start(
            name, ["dbus-daemon", f"--config-file={configuration}", "--nofork", "--print-address"],
            stdout=subprocess.PIPE, text=True,
        )
        process.stdout.readline()
        return process

    def avahi(self, name):
        """Starts a machine's avahi-daemon; returns when it has its bus and its name."""
        configuration = f"{self.folder}/avahi-{name}.conf"
        with open(configuration, "w") as file:
            file.write((OWN / "house/avahi.conf").read_text().format(name=name))
        process = self.start(
            name, ["avahi-daemon", "--file", configuration, "--no-drop-root", "--no-chroot", "--no-rlimits"],
            stderr=subprocess.PIPE, text=True,
        )
        for line in process.stderr:
            if "Server startup complete" in line:
                break
        return process
