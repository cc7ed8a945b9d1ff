"""Has a driver's player show itself on a screen of its own, and records what is seen and heard there.

    watched.py FOLDER DRIVER [ARGUMENT…]

The screen is Xvfb's, the sound card is PulseAudio's (a sink that goes nowhere), and both are recorded by the machine's clock,
50 pictures a second, into FOLDER/NAME.mkv (recorder.py): NAME is what SEGUE_CASE says, or the driver's name. The driver speaks with who
began this as it would alone; SEGUE_SHOWN tells it that its player is to be seen and heard. `segue observe FOLDER/NAME.mkv
--log …` says what was really seen and heard, and holds what the player said of itself against it.

Environment: SEGUE_SCREEN, the screen's size (640x360).
"""

import ctypes
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from segue_drivers.pulse import RATE
from segue_drivers.recorder import Recorder

PATIENCE = 20
NEEDED = {"Xvfb": "xvfb", "pulseaudio": "pulseaudio", "pactl": "pulseaudio-utils", "ffmpeg": "ffmpeg"}
PR_SET_PDEATHSIG = 1


def with_parent():
    """Nothing that is begun here outlives this program, however that ends."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Stage:
    """A screen, a sound card, and what records them."""

    def __init__(self, path):
        self.path = path
        self.begun, self.recorder = [], None
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="segue-watched-"))
        self.log = open(self.folder / "log", "wb")
        self.environment = {**os.environ, "SEGUE_SHOWN": "1", "SEGUE_RECORDING": str(path)}
        # A session bus of the user's is no business of these.
        self.environment.pop("DBUS_SESSION_BUS_ADDRESS", None)

    def fail(self, what):
        self.log.flush()
        words = (self.folder / "log").read_text(errors="replace").strip().splitlines()
        sys.exit(f"watched: {what}" + (f": {words[-1]}" if words else ""))

    def start(self, command, **more):
        process = subprocess.Popen(command, env=self.environment, stderr=self.log, preexec_fn=with_parent, **more)
        self.begun.append(process)
        return process

    def show(self, size):
        """A screen; the server chooses a number that is free, and says it when it can be used."""
        self.environment["SEGUE_SCREEN"] = size
        reading, writing = os.pipe()
        self.start(["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{size}x24", "-nolisten", "tcp"],
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=[writing])
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            if not select.select([pipe], [], [], PATIENCE)[0] or not (line := pipe.readline().strip()):
                self.fail("the screen does not come up")
        self.environment["DISPLAY"] = ":" + line.decode()

    def sound(self):
        """A sound card."""
        socket = self.folder / "pulse"
        self.environment.update(PULSE_SERVER=f"unix:{socket}", PULSE_COOKIE=str(self.folder / "cookie"),
                                PULSE_RUNTIME_PATH=str(self.folder))
        server = self.start(
            ["pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--disallow-exit",
             "-L", f"module-null-sink sink_name=heard rate={RATE} channels=2",
             "-L", f"module-native-protocol-unix socket={socket} auth-anonymous=1"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        end = time.monotonic() + PATIENCE
        while subprocess.run(["pactl", "info"], env=self.environment, capture_output=True, timeout=PATIENCE).returncode:
            if server.poll() is not None or time.monotonic() > end:
                self.fail("the sound card does not come up")
            # There is no event for it: whether it answers is all that can be known.
            time.sleep(0.05)

    def record(self, size):
        """A recorder of both, which records from here on."""
        os.environ.update({name: value for name, value in self.environment.items() if name.startswith("PULSE_")})
        try:
            self.recorder = Recorder("heard")
            self.recorder.begin(self.start, self.environment["DISPLAY"], size, self.path)
        except OSError as error:
            self.fail(str(error))

    def close(self):
        if self.recorder:
            self.recorder.end()
        for process in reversed(self.begun):
            if process.poll() is None:
                process.kill()
            process.wait()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def free(folder, name):
    """A file that is not there yet."""
    name = re.sub(r"[^\w.+-]+", "-", name).strip("-") or "driver"
    for number in range(1, 1_000_000):
        path = folder / (f"{name}.mkv" if number == 1 else f"{name}-{number}.mkv")
        try:
            path.open("xb").close()
            return path
        except FileExistsError:
            continue
    sys.exit(f"watched: {folder} is full of {name}")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    missing = [package for program, package in NEEDED.items() if not shutil.which(program)]
    if missing:
        sys.exit(f"watched: it needs {', '.join(missing)}; on Debian: apt-get install {' '.join(missing)}")
    folder, command = pathlib.Path(sys.argv[1]).absolute(), sys.argv[2:]
    size = os.environ.get("SEGUE_SCREEN", "640x360")
    if not re.fullmatch(r"[1-9]\d{1,3}x[1-9]\d{1,3}", size):
        sys.exit(f"watched: SEGUE_SCREEN is {size}, and not a size such as 640x360")
    folder.mkdir(parents=True, exist_ok=True)
    stage = Stage(free(folder, os.environ.get("SEGUE_CASE", pathlib.Path(command[0]).stem)))
    code = 1
    try:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        stage.show(size)
        stage.sound()
        stage.record(size)
        # The driver has this program's own input and output.
        code = subprocess.Popen(command, env=stage.environment, preexec_fn=with_parent).wait()
    finally:
        stage.close()
    sys.exit(code)
