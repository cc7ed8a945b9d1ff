"""A driver for mpv, through its JSON IPC.

The output follows mpv's clocks of audio and video (`audio-pts`, `time-pos`), polled a hundred times a second: they
stand still while mpv waits for its cache, and also while it starves without reporting that.
"""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

from segue_drivers.driver import Refusal
from segue_drivers.playback import Playback
from segue_drivers.processes import kill_children, start
from segue_drivers.timeline import ClockSampler

OBSERVED = ["pause", "duration", "eof-reached", "demuxer-cache-duration", "core-idle", "vid", "aid", "idle-active"]
CONNECT_TIMEOUT = 20
# mpv is idle between two items for less than this, in seconds.
IDLE_TIMEOUT = 1.0
# The request IDs of the two clocks; those of commands are higher.
CLOCKS = {1: ("sound", "audio-pts"), 2: ("picture", "time-pos")}

HIDDEN_OPTIONS = ["--vo=null", "--ao=null"]
# For `record`.
SHOWN_OPTIONS = ["--vo=x11", "--ao=pulse", "--fullscreen", "--keepaspect=no", "--osd-level=0", "--force-window=yes"]


class Mpv(Playback):
    TELLS = ["sound", "picture", "buffer"]

    def __init__(self):
        program = shutil.which("mpv")
        if program is None:
            sys.exit("driver: mpv is not in PATH; on Debian: apt-get install mpv")
        version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout.split()
        self.folder = tempfile.mkdtemp(prefix="segue-mpv-")
        path = os.path.join(self.folder, "ipc")
        options = ["--no-config", "--idle", "--pause", "--keep-open=always", "--keep-open-pause=no", "--hr-seek=yes"]
        options += SHOWN_OPTIONS if os.environ.get("SEGUE_SHOWN") else HIDDEN_OPTIONS
        start(
            [program, *options, "--no-terminal", f"--input-ipc-server={path}"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        self.socket = self.connect(path)
        self.properties: dict = {}
        self.samplers = {"sound": ClockSampler(), "picture": ClockSampler()}
        self.last_request = max(CLOCKS)
        # The request that loads the current item until it is answered, its ID in mpv's playlist, and whether it is
        # open.
        self.load_request, self.entry, self.is_loaded = None, None, False
        # The request for a seek, whether mpv has begun it, and the request for the position where it ended.
        self.seek_request, self.is_seeking, self.landing_request = None, False, None
        # The time since when mpv is idle although it has an item.
        self.idle_since = None
        self.poll_time, self.is_closing = 0.0, False
        super().__init__(f"mpv {version[1] if len(version) > 1 else ''}".strip())
        threading.Thread(target=self.listen, daemon=True).start()
        for number, name in enumerate(OBSERVED, 1):
            self.send("observe_property", number, name)

    @staticmethod
    def connect(path):
        deadline = time.monotonic() + CONNECT_TIMEOUT
        while time.monotonic() < deadline:
            try:
                connection = socket.socket(socket.AF_UNIX)
                connection.connect(path)
                return connection
            except OSError:
                time.sleep(0.01)
        sys.exit(f"driver: mpv did not open its IPC socket within {CONNECT_TIMEOUT} s")

    # mpv's IPC

    def send(self, *command, number=None):
        """Sends a command; returns its request ID."""
        if number is None:
            self.last_request += 1
            number = self.last_request
        try:
            self.socket.sendall((json.dumps({"command": command, "request_id": number}) + "\n").encode())
        except OSError:
            raise Refusal("mpv has exited") from None
        return number

    def listen(self):
        with contextlib.suppress(OSError):
            for line in self.socket.makefile("rb"):
                self.post(self.handle_message, json.loads(line), self.clock())
        if not self.is_closing:
            self.post(self.exit_with_mpv)

    def exit_with_mpv(self):
        print("driver: mpv exited unexpectedly", file=sys.stderr, flush=True)
        os._exit(1)

    def handle_message(self, message, at):
        event, number, data = message.get("event"), message.get("request_id"), message.get("data")
        if number in CLOCKS:
            self.handle_clock(CLOCKS[number][0], data, at)
        elif number is not None and number == self.seek_request:
            # The next `seek` event belongs to this request.
            self.seek_request, self.is_seeking = None, False
        elif number is not None and number == self.landing_request:
            self.landing_request = None
            if self.seek_target is not None:
                self.seek_completed(data if data is not None else self.clamped_target())
        elif number is not None and number == self.load_request:
            self.load_request, self.entry = None, (data or {}).get("playlist_entry_id")
        elif event == "property-change":
            self.properties[message["name"]] = data
            self.handle_property(message["name"], at)
        elif event == "file-loaded":
            self.is_loaded = True
        elif event == "seek" and self.seek_request is None:
            self.is_seeking = True
        elif event == "playback-restart" and self.is_loaded:
            self.handle_restart(at)
        elif event == "end-file" and message.get("playlist_entry_id") == self.entry:
            if message.get("reason") == "error":
                self.item_failed("mpv", 0, message.get("file_error", "mpv cannot play it"))
            elif message.get("reason") == "eof":
                self.item_ended(self.clock())

    @property
    def duration(self):
        return self.properties.get("duration") or -1.0

    def poll(self):
        # mpv takes a file that it cannot open as HLS for a list of files, tries them all, and becomes idle without an
        # error.
        is_idle = self.idle_since is not None and self.clock() - self.idle_since >= IDLE_TIMEOUT
        if is_idle and self.queue.current and self.load_request is None:
            self.idle_since = None
            self.item_failed("mpv", 0, "mpv has nothing left to play")
        if self.queue.current and self.is_ready:
            for number, (_, name) in CLOCKS.items():
                self.send("get_property", name, number=number)

    def handle_clock(self, kind, position, at):
        output, self.poll_time = self.outputs[kind], at
        if not self.is_ready or not self.properties.get("vid" if kind == "picture" else "aid"):
            return
        if position is None:
            # mpv has written the last of the audio to the device, which plays on until the end.
            if output.is_active and not self.properties.get("core-idle", True):
                reached = output.position + (at - output.time) * self.rate
                reached = min(reached, self.duration) if self.duration > 0 else reached
                self.output_advanced(kind, at, output.position, at, reached)
        elif span := self.samplers[kind].sample(at, position, self.rate):
            begin_time, begin_position, end_time, end_position = span
            self.output_advanced(kind, begin_time, max(0.0, begin_position), end_time, max(0.0, end_position))

    def known_until(self, now):
        return self.poll_time

    def handle_restart(self, at):
        has_video = bool(self.properties.get("vid")) or not self.is_video_enabled
        self.item_ready(bool(self.properties.get("aid")), has_video, at)
        if self.seek_target is not None and self.is_seek_started and self.is_seeking:
            self.is_seeking = False
            self.reset_samplers()
            self.landing_request = self.send("get_property", "time-pos")

    def handle_property(self, name, at):
        value = self.properties[name]
        if name == "eof-reached" and value:
            # Nothing is played after a seek to the end.
            is_seek_over = self.seek_target is not None and self.is_seek_started and self.seek_request is None
            if is_seek_over and 0 < self.duration <= self.seek_target + 0.1:
                self.seek_completed(self.clamped_target())
            if self.wants_play and self.is_ready:
                self.item_ended(at)
        elif name == "demuxer-cache-duration":
            self.buffered = value
        elif name == "idle-active":
            self.idle_since = at if value else None

    def reset_samplers(self):
        for sampler in self.samplers.values():
            sampler.reset()

    # Playback

    def load(self, item):
        self.reset_samplers()
        self.entry, self.is_loaded = None, False
        self.idle_since = self.clock() if self.properties.get("idle-active") else None
        self.properties["eof-reached"], self.properties["duration"] = False, None
        self.send("set_property", "pause", not self.wants_play)
        self.load_request = self.send("loadfile", item["url"])

    def stop(self):
        self.entry, self.is_loaded = None, False
        self.send("stop")

    def resume(self):
        self.send("set_property", "pause", False)
        if self.properties.get("eof-reached") and self.is_ready:
            self.item_ended(self.clock())

    def pause(self):
        self.send("set_property", "pause", True)

    def set_rate(self, rate):
        # The device plays what it has at the old rate while mpv's clock assumes the new one, so the clock may jump
        # back.
        self.reset_samplers()
        self.send("set_property", "speed", rate)
        return True

    def start_seek(self, position):
        self.reset_samplers()
        self.is_seeking, self.landing_request = False, None
        self.seek_request = self.send("seek", position, "absolute+exact")
        return True

    def set_video_enabled(self, is_enabled):
        self.samplers["picture"].reset()
        self.send("set_property", "vid", "auto" if is_enabled else "no")

    def close(self):
        self.is_closing = True
        kill_children()
        shutil.rmtree(self.folder, ignore_errors=True)


def main():
    Mpv().run()
