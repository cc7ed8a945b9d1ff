"""Shows a driver's player on a screen of its own and records what is seen and heard.

    record FOLDER DRIVER [ARGUMENT…]

Xvfb provides the screen and PulseAudio the sound card (a null sink). Both are recorded by the machine's clock, at 50
frames a second, into FOLDER/NAME.mkv; NAME is SEGUE_CASE or the driver's name. The driver keeps this program's
standard input and output, and finds SEGUE_SHOWN in its environment. `segue observe FOLDER/NAME.mkv --log …` compares
the recording with the driver's log.

Environment: SEGUE_SCREEN, the size of the screen (640x360).
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

from segue_drivers.processes import PR_SET_PDEATHSIG
from segue_drivers.pulse import RATE
from segue_drivers.recorder import Recorder

START_TIMEOUT = 20
PACKAGES = {"Xvfb": "xvfb", "pulseaudio": "pulseaudio", "pactl": "pulseaudio-utils", "ffmpeg": "ffmpeg"}
SINK = "heard"


def die_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Stage:
    """A screen, a sound card, and their recorder."""

    def __init__(self, path):
        self.path = path
        self.processes: list[subprocess.Popen] = []
        self.recorder: Recorder | None = None
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="segue-record-"))
        self.log = open(self.folder / "log", "wb")
        self.environment = {**os.environ, "SEGUE_SHOWN": "1", "SEGUE_RECORDING": str(path)}
        # Players must not use the user's session.
        self.environment.pop("DBUS_SESSION_BUS_ADDRESS", None)

    def fail(self, message):
        self.log.flush()
        lines = (self.folder / "log").read_text(errors="replace").strip().splitlines()
        sys.exit(f"record: {message}" + (f": {lines[-1]}" if lines else ""))

    def start(self, command, **options):
        process = subprocess.Popen(
            command, env=self.environment, stderr=self.log, preexec_fn=die_with_parent, **options
        )
        self.processes.append(process)
        return process

    def start_screen(self, size):
        self.environment["SEGUE_SCREEN"] = size
        reading, writing = os.pipe()
        self.start(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{size}x24", "-nolisten", "tcp"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[writing],
        )
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            # Xvfb chooses a free display and writes its number when it is ready.
            number = pipe.readline().strip() if select.select([pipe], [], [], START_TIMEOUT)[0] else b""
        if not number:
            self.fail("Xvfb did not start")
        self.environment["DISPLAY"] = ":" + number.decode()

    def start_sound_card(self):
        socket = self.folder / "pulse"
        self.environment.update(
            PULSE_SERVER=f"unix:{socket}", PULSE_COOKIE=str(self.folder / "cookie"), PULSE_RUNTIME_PATH=str(self.folder)
        )
        options = ["-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--disallow-exit"]
        modules = [
            f"module-null-sink sink_name={SINK} rate={RATE} channels=2",
            f"module-native-protocol-unix socket={socket} auth-anonymous=1",
        ]
        for module in modules:
            options += ["-L", module]
        server = self.start(["pulseaudio", *options], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + START_TIMEOUT
        # PulseAudio does not announce when it is ready.
        while subprocess.run(
            ["pactl", "info"], env=self.environment, capture_output=True, timeout=START_TIMEOUT
        ).returncode:
            if server.poll() is not None or time.monotonic() > deadline:
                self.fail("PulseAudio did not start")
            time.sleep(0.05)

    def start_recorder(self, size):
        os.environ.update({name: value for name, value in self.environment.items() if name.startswith("PULSE_")})
        try:
            self.recorder = Recorder(SINK)
            self.recorder.begin(self.start, self.environment["DISPLAY"], size, self.path)
        except OSError as error:
            self.fail(str(error))

    def close(self):
        if self.recorder:
            self.recorder.end()
        for process in reversed(self.processes):
            if process.poll() is None:
                process.kill()
            process.wait()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def create_recording(folder, name):
    """Creates an empty file for a recording, numbered if the name is in use; returns its path."""
    name = re.sub(r"[^\w.+-]+", "-", name).strip("-") or "driver"
    for number in range(1, 1_000_000):
        path = folder / (f"{name}.mkv" if number == 1 else f"{name}-{number}.mkv")
        try:
            path.open("xb").close()
            return path
        except FileExistsError:
            continue
    sys.exit(f"record: {folder} holds too many recordings of {name}; remove some")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    missing = [package for program, package in PACKAGES.items() if not shutil.which(program)]
    if missing:
        sys.exit(f"record: programs are missing; on Debian: apt-get install {' '.join(missing)}")
    folder, command = pathlib.Path(sys.argv[1]).absolute(), sys.argv[2:]
    size = os.environ.get("SEGUE_SCREEN", "640x360")
    if not re.fullmatch(r"[1-9]\d{1,3}x[1-9]\d{1,3}", size):
        sys.exit(f"record: SEGUE_SCREEN is {size}; it must be WIDTHxHEIGHT, such as 640x360")
    folder.mkdir(parents=True, exist_ok=True)
    stage = Stage(create_recording(folder, os.environ.get("SEGUE_CASE", pathlib.Path(command[0]).stem)))
    code = 1
    try:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        stage.start_screen(size)
        stage.start_sound_card()
        stage.start_recorder(size)
        code = subprocess.Popen(command, env=stage.environment, preexec_fn=die_with_parent).wait()
    finally:
        stage.close()
    sys.exit(code)
