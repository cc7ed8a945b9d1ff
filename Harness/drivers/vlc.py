#!/usr/bin/env python3
"""A driver for VLC, by its library (libvlc.so.5): sound and pictures go to its dummy outputs, at their own pace.

VLC does not tell sound and pictures apart, and tells of buffering alone that it waits: what comes out begins when its time
goes on, and ends with the first sign of buffering. Its time moves in steps of a quarter of a second.
"""

import ctypes
import os
import queue
import sys
import threading

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from driver import Output, Queue, Refusal, ThreadedDriver  # noqa: E402

# libvlc_event_e of VLC 3.
OPENING, BUFFERING, PLAYING, PAUSED, STOPPED = 0x102, 0x103, 0x104, 0x105, 0x106
END, ERROR, TIME, LENGTH = 0x109, 0x10A, 0x10B, 0x111
TAKEN = [OPENING, BUFFERING, PLAYING, PAUSED, STOPPED, END, ERROR, TIME, LENGTH]


class Event(ctypes.Structure):
    class What(ctypes.Union):
        _fields_ = [("cache", ctypes.c_float), ("time", ctypes.c_int64)]

    _fields_ = [("type", ctypes.c_int), ("object", ctypes.c_void_p), ("what", What)]


CALLBACK = ctypes.CFUNCTYPE(None, ctypes.POINTER(Event), ctypes.c_void_p)


def library():
    try:
        vlc = ctypes.CDLL("libvlc.so.5")
    except OSError as error:
        sys.exit(f"driver: VLC is not there (vlc-bin, vlc-plugin-base): {error}")
    handle = ctypes.c_void_p
    for name, result, arguments in [
        ("libvlc_new", handle, [ctypes.c_int, ctypes.POINTER(ctypes.c_char_p)]),
        ("libvlc_get_version", ctypes.c_char_p, []),
        ("libvlc_media_new_location", handle, [handle, ctypes.c_char_p]),
        ("libvlc_media_release", None, [handle]),
        ("libvlc_media_player_new", handle, [handle]),
        ("libvlc_media_player_set_media", None, [handle, handle]),
        ("libvlc_media_player_event_manager", handle, [handle]),
        ("libvlc_event_attach", ctypes.c_int, [handle, ctypes.c_int, CALLBACK, handle]),
        ("libvlc_media_player_play", ctypes.c_int, [handle]),
        ("libvlc_media_player_set_pause", None, [handle, ctypes.c_int]),
        ("libvlc_media_player_stop", None, [handle]),
        ("libvlc_media_player_get_time", ctypes.c_int64, [handle]),
        ("libvlc_media_player_set_time", None, [handle, ctypes.c_int64]),
        ("libvlc_media_player_get_length", ctypes.c_int64, [handle]),
        ("libvlc_media_player_set_rate", ctypes.c_int, [handle, ctypes.c_float]),
        ("libvlc_video_get_track_count", ctypes.c_int, [handle]),
        ("libvlc_audio_get_track_count", ctypes.c_int, [handle]),
        ("libvlc_video_set_track", ctypes.c_int, [handle, ctypes.c_int]),
        ("libvlc_video_get_track", ctypes.c_int, [handle]),
    ]:
        function = getattr(vlc, name)
        function.restype, function.argtypes = result, arguments
    return vlc


class VLC(ThreadedDriver):
    """VLC begins to load when it plays: an item is played until it is there, and held where nobody has wished for it."""

    def __init__(self):
        self.vlc = library()
        words = [b"--aout=adummy", b"--vout=vdummy", b"--no-video-title-show", b"--quiet", b"--no-xlib"]
        self.instance = self.vlc.libvlc_new(len(words), (ctypes.c_char_p * len(words))(*words))
        if not self.instance:
            sys.exit("driver: VLC does not start")
        self.player = self.vlc.libvlc_media_player_new(self.instance)
        self.is_wanted = self.is_ready = self.is_filled = False
        self.rate, self.target, self.place = 1.0, None, 0.0
        # The picture's track, whether it is shown, and when it was sought last.
        self.track, self.is_shown, self.sought = -1, True, 0.0
        self.queue, self.output = Queue(self), Output(self)
        super().__init__(f"VLC {self.vlc.libvlc_get_version().decode().split()[0]}")
        # VLC may not be called from where it tells of events.
        self.events = queue.Queue()
        self.callback = CALLBACK(self.happened)
        manager = self.vlc.libvlc_media_player_event_manager(self.player)
        for kind in TAKEN:
            self.vlc.libvlc_event_attach(manager, kind, self.callback, None)
        threading.Thread(target=self.follow, daemon=True).start()

    # VLC's side

    def happened(self, event, _):
        what = event.contents
        value = what.what.cache if what.type == BUFFERING else what.what.time
        self.events.put((what.type, value, self.clock()))

    def follow(self):
        while True:
            kind, value, at = self.events.get()
            if callable(kind):
                kind()
            elif self.queue.current:
                self.take_event(kind, value, at)

    @property
    def duration(self):
        length = self.vlc.libvlc_media_player_get_length(self.player)
        return length / 1000 if length > 0 else -1.0

    @property
    def position(self):
        return self.place

    def take_event(self, kind, value, at):
        item = self.queue.name
        if kind == BUFFERING:
            self.buffering(value, at)
        elif kind == TIME:
            self.moved(value / 1000, at)
        elif kind == END:
            end = self.duration
            self.output.end(end if end > 0 else self.place, "end", at)
            self.tell("item.playedToEnd", at, item=item)
            self.advance("played to its end")
        elif kind == ERROR:
            self.output.end(self.place, "failed", at)
            self.tell("item.failed", at, item=item, domain="VLC", code=0, message="VLC cannot play it")
            self.output.set_control("paused", at)

    def buffering(self, percent, at):
        self.is_filled = percent >= 100
        if self.is_filled or not self.is_ready:
            return
        if self.output.is_on and self.target is None:
            self.tell("item.stalled", at, item=self.queue.name, position=self.place)
        self.output.end(self.place, "stall" if self.target is None else "seek", at)
        if self.is_wanted:
            self.output.set_control("waiting", at)

    def moved(self, place, at):
        """VLC's time went on: something comes out."""
        if not self.is_ready:
            # Its first word of the time comes before it has looked into anything.
            if not self.is_filled and not self.vlc.libvlc_audio_get_track_count(self.player):
                return
            self.ready(at)
        if self.target is not None:
            # Its first word is what it was told, and not what comes out.
            if not self.is_filled and at - self.sought < 1:
                return
            self.target = None
            self.tell("item.timeJumped", at, item=self.queue.name, position=place)
            self.tell("seek.ended", at, item=self.queue.name, position=place, isFinished=True)
        self.place = place
        if not self.is_wanted:
            return self.vlc.libvlc_media_player_set_pause(self.player, 1)
        self.output.set_control("playing", at)
        has_sound = self.vlc.libvlc_audio_get_track_count(self.player) > 0
        self.output.begin(self.queue.name, place, has_sound, self.is_shown and self.track >= 0, at)
        self.state(place, self.rate)

    def ready(self, at):
        self.is_ready = True
        item = self.queue.name
        self.track = self.vlc.libvlc_video_get_track(self.player)
        self.tell("item.tracksKnown", at, item=item, hasVideo=self.vlc.libvlc_video_get_track_count(self.player) > 0,
                  hasAudio=self.vlc.libvlc_audio_get_track_count(self.player) > 0)
        self.tell("item.readyToPlay", at, item=item, duration=self.duration)

    def load(self, item):
        self.is_ready = self.is_filled = False
        self.target, self.place = None, 0.0
        self.tell("item.loading", item=item["item"])
        media = self.vlc.libvlc_media_new_location(self.instance, item["url"].encode())
        self.vlc.libvlc_media_player_set_media(self.player, media)
        self.vlc.libvlc_media_release(media)
        self.vlc.libvlc_media_player_play(self.player)

    def stop(self):
        self.vlc.libvlc_media_player_stop(self.player)

    def post(self, work):
        self.events.put((work, None, None))

    # Commands

    def do_play(self):
        def act():
            self.is_wanted = True
            if self.queue.current:
                self.output.set_control("waiting")
                self.vlc.libvlc_media_player_set_pause(self.player, 0)
        self.on_thread(act)

    def do_pause(self):
        def act():
            self.is_wanted = False
            self.output.end(max(self.place, self.vlc.libvlc_media_player_get_time(self.player) / 1000), "paused")
            self.output.set_control("paused")
            self.vlc.libvlc_media_player_set_pause(self.player, 1)
        self.on_thread(act)

    def do_rate(self, rate):
        def act():
            self.rate = rate
            self.vlc.libvlc_media_player_set_rate(self.player, rate)
            self.tell("player.rate", rate=rate, reason="")
        self.on_thread(act)

    def do_seek(self, to):
        def act():
            if not self.is_ready:
                raise Refusal("there is nothing to seek in yet")
            self.output.end(self.place, "seek")
            self.tell("seek.began", item=self.queue.name, target=to, toleranceBefore=0, toleranceAfter=0)
            self.target, self.is_filled, self.sought = to, False, self.clock()
            self.vlc.libvlc_media_player_set_time(self.player, int(to * 1000))
        self.on_thread(act)

    def show(self, is_shown):
        self.is_shown = is_shown
        self.vlc.libvlc_video_set_track(self.player, self.track if is_shown else -1)

    def close(self):
        self.stop()


VLC().run()
