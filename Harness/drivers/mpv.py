#!/usr/bin/env python3
"""A driver for mpv, by its JSON IPC. Sound and pictures go nowhere, at their own pace.

mpv does not tell sound and pictures apart: both begin with `playback-restart`, and end where it is paused, seeks, or has
nothing more (`paused-for-cache`, `core-idle`).
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

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from driver import Driver, Output, Queue, Refusal  # noqa: E402

WATCHED = ["pause", "core-idle", "paused-for-cache", "seeking", "time-pos", "duration", "eof-reached", "idle-active",
           "demuxer-cache-duration", "vid", "aid"]


class Mpv(Driver):
    TELLS = ["sound", "picture", "buffer"]

    def __init__(self):
        program = shutil.which("mpv")
        if program is None:
            sys.exit("driver: mpv is not in PATH")
        version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout.split()
        self.folder = tempfile.mkdtemp(prefix="segue-mpv-")
        path = os.path.join(self.folder, "ipc")
        self.process = subprocess.Popen(
            [program, "--no-config", "--idle", "--pause", "--keep-open=always", "--vo=null", "--ao=null",
             "--no-terminal", f"--input-ipc-server={path}"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self.socket = self.connected(path)
        self.known = {}
        self.is_ready = self.is_ended = False
        self.seek_target = None
        self.rate = 1.0
        self.waiting = {}
        self.number = 0
        self.wanted = False
        self.queue, self.output = Queue(self), Output(self)
        self.told = 0.0
        super().__init__(f"mpv {version[1] if len(version) > 1 else ''}".strip())
        threading.Thread(target=self.listen, daemon=True).start()
        for number, name in enumerate(WATCHED, 1):
            self.call("observe_property", number, name)

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

    def call(self, *words):
        """Has mpv do something, and waits until it has taken it."""
        done = threading.Event()
        self.number += 1
        self.waiting[self.number] = (done, [])
        self.socket.sendall((json.dumps({"command": words, "request_id": self.number}) + "\n").encode())
        if not done.wait(10):
            raise Refusal("mpv does not answer")
        error = self.waiting.pop(self.number)[1][0]
        if error != "success":
            raise Refusal(error)

    def listen(self):
        for line in self.socket.makefile("rb"):
            message = json.loads(line)
            if "event" in message:
                self.happened(message)
            elif message.get("request_id") in self.waiting:
                done, result = self.waiting[message["request_id"]]
                result.append(message.get("error", "success"))
                done.set()

    def happened(self, message):
        event = message["event"]
        if event == "property-change":
            self.known[message["name"]] = message.get("data")
            self.changed(message["name"])
        elif event == "file-loaded":
            self.is_ended = False
        elif event == "playback-restart":
            self.restarted()
        elif event == "end-file" and message.get("reason") == "error":
            self.failed(message.get("file_error", "it cannot be played"))

    @property
    def position(self):
        return max(0.0, self.known.get("time-pos") or 0.0)

    def restarted(self):
        item = self.queue.name
        if not item:
            return
        if not self.is_ready:
            self.is_ready = True
            self.tell("item.tracksKnown", item=item, hasVideo=bool(self.known.get("vid")),
                      hasAudio=bool(self.known.get("aid")))
            self.tell("item.readyToPlay", item=item, duration=self.known.get("duration") or -1.0)
        if self.seek_target is not None:
            self.tell("item.timeJumped", item=item, position=self.position)
            self.tell("seek.ended", item=item, position=self.position, isFinished=True)
            self.seek_target = None
        self.look()

    def changed(self, name):
        if name == "eof-reached" and self.known.get(name) and self.is_ready and not self.is_ended:
            self.is_ended = True
            self.ended()
        elif name == "time-pos":
            now = self.clock()
            if self.output.is_on and now - self.told > 0.25:
                self.told = now
                self.state(self.position, self.rate, self.known.get("demuxer-cache-duration"))
        else:
            self.look()

    def look(self):
        """Tells what comes out now, and what the player waits for."""
        item = self.queue.name
        is_on = (bool(item) and self.is_ready and not self.known.get("core-idle", True) and not self.known.get("seeking")
                 and self.seek_target is None)
        if is_on:
            self.output.set_control("playing")
            self.output.begin(item, self.position, bool(self.known.get("aid")), bool(self.known.get("vid")))
            return
        if self.known.get("pause", True):
            self.output.end(self.position, "paused")
            self.output.set_control("paused")
        elif item and self.seek_target is not None:
            self.output.end(self.position, "seek")
            self.output.set_control("waiting")
        elif item and (self.known.get("paused-for-cache") or not self.is_ready):
            if self.output.is_on:
                self.tell("item.stalled", item=item, position=self.position)
            self.output.end(self.position, "stall")
            self.output.set_control("waiting")
        # Else it is between two things that it tells of itself, such as the last picture and the item's end.

    def ended(self):
        item, end = self.queue.name, self.known.get("duration") or self.position
        self.output.end(end, "end")
        self.tell("item.playedToEnd", item=item)
        self.advance("played to its end")

    def failed(self, why):
        item = self.queue.name
        self.output.end(self.position, "failed")
        self.tell("item.failed", item=item, domain="mpv", code=0, message=why)
        self.output.set_control("paused")

    def advance(self, reason):
        following = self.queue.drop(reason)
        if following:
            self.load(following)

    def load(self, item):
        self.is_ready = self.is_ended = False
        self.tell("item.loading", item=item["item"])
        self.socket.sendall((json.dumps({"command": ["loadfile", item["url"]]}) + "\n").encode())

    # Commands

    def do_open(self, items):
        if self.queue.add(items):
            self.load(self.queue.current)

    def do_play(self):
        self.call("set_property", "pause", False)

    def do_pause(self):
        self.call("set_property", "pause", True)

    def do_rate(self, rate):
        self.rate = rate
        self.call("set_property", "speed", rate)
        self.tell("player.rate", rate=rate, reason="")

    def do_seek(self, to):
        if not self.is_ready:
            raise Refusal("there is nothing to seek in yet")
        self.tell("seek.began", item=self.queue.name, target=to, toleranceBefore=0, toleranceAfter=0)
        self.output.end(self.position, "seek")
        self.seek_target, self.is_ended = to, False
        self.call("seek", to, "absolute+exact")

    def do_next(self):
        if self.queue.current:
            self.output.end(self.position, "next")
            self.advance("advanced")
        if not self.queue.current:
            self.call("stop")

    def do_remove_all(self):
        self.output.end(self.position, "removed")
        self.queue.clear()
        self.is_ready = False
        self.call("stop")

    def do_video(self, **given):
        self.call("set_property", "vid", "auto" if given["is"] else "no")

    # An app around mpv lets go of the picture while nobody sees it, as mpv's for Android does.

    def do_background(self):
        self.leave(True)
        self.call("set_property", "vid", "no")

    def do_foreground(self):
        self.call("set_property", "vid", "auto")
        self.leave(False)

    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


Mpv().run()
