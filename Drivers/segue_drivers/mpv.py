"""A driver for mpv, by its JSON IPC. Sound and pictures go nowhere, at their own pace.

What comes out is what mpv's own clocks of sound and picture (`audio-pts`, `time-pos`) go through, looked at a hundred times a
second: they stand still where mpv waits for its cache, and also where it starves without saying so.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

from segue_drivers.driver import Refusal, end_programs, start
from segue_drivers.playback import Looks, Playback

WATCHED = ["pause", "duration", "eof-reached", "demuxer-cache-duration", "core-idle", "vid", "aid", "idle-active"]
# How long mpv has nothing to play until that is no moment between two items, in seconds.
IDLE = 1.0
# Numbers of requests for the two clocks; those of commands come behind them.
CLOCKS = {1: ("sound", "audio-pts"), 2: ("picture", "time-pos")}

# Nobody sees and hears it, or those do that watch it (watched.py).
UNSEEN = ["--vo=null", "--ao=null"]
SEEN = ["--vo=x11", "--ao=pulse", "--fullscreen", "--keepaspect=no", "--osd-level=0", "--force-window=yes"]


class Mpv(Playback):
    TELLS = ["sound", "picture", "buffer"]

    def __init__(self):
        program = shutil.which("mpv")
        if program is None:
            sys.exit("driver: mpv is not in PATH")
        version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout.split()
        self.folder = tempfile.mkdtemp(prefix="segue-mpv-")
        path = os.path.join(self.folder, "ipc")
        outputs = SEEN if os.environ.get("SEGUE_SHOWN") else UNSEEN
        start([program, "--no-config", "--idle", "--pause", "--keep-open=always", "--keep-open-pause=no", *outputs, "--hr-seek=yes", "--no-terminal", f"--input-ipc-server={path}"],
              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self.socket = self.connected(path)
        self.known, self.looks = {}, {"sound": Looks(), "picture": Looks()}
        self.number = max(CLOCKS)
        # The request that loads the current item until it is answered, its entry in mpv's list, and whether mpv has opened it.
        self.loading, self.entry, self.is_loaded = None, None, False
        # The request for a seek, whether mpv has begun with that, and the request for the place that it came to.
        self.seek, self.is_under_way, self.landing = None, False, None
        # Since when mpv has had nothing to play, though it was given an item.
        self.idle = None
        self.looked, self.is_closing = 0.0, False
        super().__init__(f"mpv {version[1] if len(version) > 1 else ''}".strip())
        threading.Thread(target=self.listen, daemon=True).start()
        for number, name in enumerate(WATCHED, 1):
            self.send("observe_property", number, name)

    @staticmethod
    def connected(path):
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            try:
                line = socket.socket(socket.AF_UNIX)
                line.connect(path)
                return line
            except OSError:
                time.sleep(0.01)
        sys.exit("driver: mpv does not listen")

    # mpv's side

    def send(self, *words, number=None):
        """Has mpv do something."""
        if number is None:
            self.number += 1
            number = self.number
        try:
            self.socket.sendall((json.dumps({"command": words, "request_id": number}) + "\n").encode())
        except OSError:
            raise Refusal("mpv has gone") from None
        return number

    def listen(self):
        for line in self.socket.makefile("rb"):
            self.post(self.take_message, json.loads(line), self.clock())
        if not self.is_closing:
            self.post(self.gone)

    def gone(self):
        """mpv has ended by itself, and the driver does with it."""
        print("driver: mpv has ended", file=sys.stderr, flush=True)
        os._exit(1)

    def take_message(self, message, at):
        event, number = message.get("event"), message.get("request_id")
        if number in CLOCKS:
            self.clock_read(CLOCKS[number][0], message.get("data"), at)
        elif number is not None and number == self.seek:
            # What mpv begins from here on is this seek.
            self.seek, self.is_under_way = None, False
        elif number is not None and number == self.landing:
            self.landing = None
            self.landed(message.get("data") if message.get("data") is not None else self.aim())
        elif number is not None and number == self.loading:
            self.loading, self.entry = None, (message.get("data") or {}).get("playlist_entry_id")
        elif event == "property-change":
            self.known[message["name"]] = message.get("data")
            self.changed(message["name"], at)
        elif event == "file-loaded":
            self.is_loaded = True
        elif event == "seek" and self.seek is None:
            self.is_under_way = True
        elif event == "playback-restart" and self.is_loaded:
            self.restarted(at)
        elif event == "end-file" and message.get("playlist_entry_id") == self.entry and message.get("reason") in ("error", "eof"):
            self.left(message)

    @property
    def duration(self):
        return self.known.get("duration") or -1.0

    def look(self):
        # What mpv cannot open as HLS it takes for a list of files, goes through them, and is idle then without an error of the item's.
        if self.idle is not None and self.queue.current and self.loading is None and self.clock() - self.idle >= IDLE:
            self.idle = None
            self.broke("mpv", 0, "mpv has nothing more to play")
        if self.queue.current and self.is_ready:
            for number, (_, name) in CLOCKS.items():
                self.send("get_property", name, number=number)

    def clock_read(self, kind, place, at):
        flow, self.looked = self.flows[kind], at
        if not self.is_ready or not self.known.get("vid" if kind == "picture" else "aid"):
            return
        if place is None:
            # The last of the sound has been written, and is heard until the end.
            if flow.is_on and not self.known.get("core-idle", True):
                reached = flow.place + (at - flow.until) * self.rate
                self.came(kind, at, flow.place, at, min(reached, self.duration) if self.duration > 0 else reached)
            return
        moved = self.looks[kind].look(at, place, self.rate)
        if moved:
            self.came(kind, moved[0], max(0.0, moved[1]), moved[2], max(0.0, moved[3]))

    def known_until(self, now):
        return self.looked

    def restarted(self, at):
        self.ready(bool(self.known.get("aid")), bool(self.known.get("vid")) or not self.is_shown, at)
        if self.target is not None and self.is_taken and self.is_under_way:
            self.is_under_way = False
            self.forget()
            self.landing = self.send("get_property", "time-pos")

    def known_end(self):
        """Whether a seek leads to the end, so that nothing is played of it."""
        return 0 < self.duration <= self.target + 0.1

    def aim(self):
        """Where a seek leads to."""
        return min(self.target, self.duration) if self.duration > 0 else self.target

    def changed(self, name, at):
        if name == "eof-reached" and self.known.get(name):
            if self.target is not None and self.is_taken and self.seek is None and self.known_end():
                self.landed(self.aim())
            if self.is_wanted and self.is_ready:
                self.finished(at)
        elif name == "demuxer-cache-duration":
            self.buffered = self.known.get(name)
        elif name == "idle-active":
            self.idle = at if self.known.get(name) else None

    def left(self, message):
        """mpv has let go of the item by itself."""
        if message["reason"] == "error":
            self.broke("mpv", 0, message.get("file_error", "it cannot be played"))
        else:
            self.finished(self.clock())

    def forget(self):
        for looks in self.looks.values():
            looks.forget()

    def load(self, item):
        self.forget()
        self.entry, self.is_loaded = None, False
        self.idle = self.clock() if self.known.get("idle-active") else None
        self.known["eof-reached"], self.known["duration"] = False, None
        self.send("set_property", "pause", not self.is_wanted)
        self.loading = self.send("loadfile", item["url"])

    def stop(self):
        self.entry, self.is_loaded = None, False
        self.send("stop")

    def resume(self):
        self.send("set_property", "pause", False)
        if self.known.get("eof-reached") and self.is_ready:
            self.finished(self.clock())

    def hold(self):
        self.send("set_property", "pause", True)

    def change_rate(self, rate):
        # What was written before goes on at the former rate, and mpv reckons with the new one: its clock may jump back.
        self.forget()
        self.send("set_property", "speed", rate)
        return True

    def seek_to(self, place):
        self.forget()
        self.is_under_way, self.landing = False, None
        self.seek = self.send("seek", place, "absolute+exact")
        return True

    def show(self, is_shown):
        # What the picture's clock goes through meanwhile is not seen.
        self.looks["picture"].forget()
        self.send("set_property", "vid", "auto" if is_shown else "no")

    def close(self):
        self.is_closing = True
        end_programs()
        shutil.rmtree(self.folder, ignore_errors=True)


def main():
    Mpv().run()
