#!/usr/bin/python3
"""A driver for GStreamer: playbin3 with hlsdemux2 where it is there, and sinks that take what is due and throw it away.

As gst-launch and gst-play do, it is paused while less than 100 % is buffered. What comes out is what the sinks are handed.
"""

import os
import sys
import threading

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from driver import Output, Queue, Refusal, ThreadedDriver  # noqa: E402

try:
    import gi
    gi.require_version("Gst", "1.0")
    from gi.repository import GLib, Gst
except (ImportError, ValueError) as error:
    sys.exit(f"driver: GStreamer for Python is not there (python3-gi, gir1.2-gstreamer-1.0): {error}")

# What of the picture is shown, of GstPlayFlags.
VIDEO = 1
SECOND = 1_000_000_000


class GStreamer(ThreadedDriver):
    TELLS = ["sound", "picture"]

    def __init__(self):
        Gst.init(None)
        demuxer = Gst.ElementFactory.find("hlsdemux2")
        if demuxer is not None:
            demuxer.set_rank(Gst.Rank.PRIMARY + 10)
        self.player = Gst.ElementFactory.make("playbin3")
        if self.player is None:
            sys.exit("driver: GStreamer has no playbin3 (gstreamer1.0-plugins-base)")
        for name in ("video", "audio"):
            sink = Gst.ElementFactory.make("fakesink")
            sink.set_property("sync", True)
            sink.set_property("signal-handoffs", True)
            sink.connect("handoff", self.handed)
            self.player.set_property(f"{name}-sink", sink)
        bus = self.player.get_bus()
        bus.add_signal_watch()
        bus.connect("message", self.said)
        self.is_wanted = self.is_ready = self.is_live = self.is_failed = False
        self.percent, self.tracks, self.is_listed = 100, [True, True], False
        self.rate, self.target, self.place = 1.0, None, 0.0
        self.queue, self.output = Queue(self), Output(self)
        self.loop = GLib.MainLoop()
        threading.Thread(target=self.loop.run, daemon=True).start()
        super().__init__(f"GStreamer {'.'.join(map(str, Gst.version()[:3]))}")
        GLib.timeout_add(250, self.look)

    # GStreamer's side; all of it runs on the main loop's thread

    @property
    def position(self):
        is_known, place = self.player.query_position(Gst.Format.TIME)
        if is_known:
            self.place = place / SECOND
        return self.place

    @property
    def duration(self):
        is_known, length = self.player.query_duration(Gst.Format.TIME)
        return length / SECOND if is_known and length > 0 else -1.0

    def handed(self, sink, buffer, pad):
        """A sink was handed something that was due."""
        if self.is_wanted and not self.output.is_on and self.player.get_state(0)[1] == Gst.State.PLAYING:
            at = self.clock()
            GLib.idle_add(self.begin, at)

    def begin(self, at):
        if self.is_wanted and self.queue.current and not self.output.is_on and self.target is None:
            self.output.set_control("playing", at)
            self.output.begin(self.queue.name, self.position, *self.tracks, at)
        return False

    def look(self):
        if self.queue.current and self.is_ready:
            self.state(self.position, self.rate if self.output.is_on else 0)
        return True

    def said(self, _, message):
        kind = message.type
        if kind == Gst.MessageType.BUFFERING and not self.is_live:
            self.buffering(message.parse_buffering())
        elif kind == Gst.MessageType.STREAM_COLLECTION:
            self.listed(message.parse_stream_collection())
        elif kind == Gst.MessageType.ASYNC_DONE:
            self.settled()
        elif kind == Gst.MessageType.EOS:
            self.ended()
        elif kind == Gst.MessageType.ERROR and not self.is_failed:
            error, _ = message.parse_error()
            self.is_failed = True
            self.output.end(self.position, "failed")
            self.tell("item.failed", item=self.queue.name, domain=GLib.quark_to_string(error.domain) or "GStreamer",
                      code=error.code, message=error.message)
            self.player.set_state(Gst.State.NULL)
            self.output.set_control("paused")

    def listed(self, collection):
        types = [collection.get_stream(number).get_stream_type() for number in range(collection.get_size())]
        tracks = [any(kind & wanted for kind in types) for wanted in (Gst.StreamType.AUDIO, Gst.StreamType.VIDEO)]
        if any(tracks) and not self.is_listed:
            self.is_listed, self.tracks = True, tracks
            self.tell("item.tracksKnown", item=self.queue.name, hasVideo=tracks[1], hasAudio=tracks[0])

    def buffering(self, percent):
        if percent < 100 and self.percent == 100 and self.output.is_on:
            self.tell("item.stalled", item=self.queue.name, position=self.position)
            self.output.end(self.position, "stall")
        self.percent = percent
        if self.is_wanted:
            self.player.set_state(Gst.State.PLAYING if percent == 100 else Gst.State.PAUSED)
            if percent < 100:
                self.output.set_control("waiting")

    def settled(self):
        """What was asked of the pipeline has been done: it has its first pictures, or has sought."""
        item = self.queue.name
        if not self.is_ready:
            self.is_ready = True
            self.tell("item.readyToPlay", item=item, duration=self.duration)
        if self.target is not None:
            self.target = None
            self.tell("item.timeJumped", item=item, position=self.position)
            self.tell("seek.ended", item=item, position=self.position, isFinished=True)

    def ended(self):
        item, end = self.queue.name, self.duration
        self.output.end(end if end > 0 else self.position, "end")
        self.tell("item.playedToEnd", item=item)
        self.advance("played to its end")

    def load(self, item):
        self.is_ready = self.is_failed = self.is_listed = False
        self.tracks = [True, True]
        self.percent, self.place, self.target = 100, 0.0, None
        self.tell("item.loading", item=item["item"])
        self.player.set_state(Gst.State.NULL)
        self.player.set_property("uri", item["url"])
        change = self.player.set_state(Gst.State.PAUSED)
        self.is_live = change == Gst.StateChangeReturn.NO_PREROLL
        if self.is_wanted:
            self.go_on()

    def go_on(self):
        if not self.output.is_on:
            self.output.set_control("waiting")
        self.player.set_state(Gst.State.PLAYING if self.percent == 100 else Gst.State.PAUSED)

    def stop(self):
        self.player.set_state(Gst.State.NULL)

    def post(self, work):
        GLib.idle_add(lambda: work() and False)

    # Commands

    def do_play(self):
        def act():
            self.is_wanted = True
            if self.queue.current:
                self.go_on()
        self.on_thread(act)

    def do_pause(self):
        def act():
            self.is_wanted = False
            self.output.end(self.position, "paused")
            self.output.set_control("paused")
            if self.queue.current:
                self.player.set_state(Gst.State.PAUSED)
        self.on_thread(act)

    def seek(self, place, rate):
        flags = Gst.SeekFlags.FLUSH | Gst.SeekFlags.ACCURATE
        if not self.player.seek(rate, Gst.Format.TIME, flags, Gst.SeekType.SET, int(place * SECOND), Gst.SeekType.NONE, 0):
            raise Refusal("GStreamer cannot seek there")

    def do_seek(self, to):
        def act():
            if not self.is_ready:
                raise Refusal("there is nothing to seek in yet")
            self.output.end(self.position, "seek")
            self.tell("seek.began", item=self.queue.name, target=to, toleranceBefore=0, toleranceAfter=0)
            self.target = to
            self.seek(to, self.rate)
        self.on_thread(act)

    def do_rate(self, rate):
        def act():
            self.rate = rate
            self.tell("player.rate", rate=rate, reason="")
            if self.is_ready:
                place = self.position
                self.output.end(place, "rate")
                self.seek(place, rate)
        self.on_thread(act)

    def show(self, is_shown):
        flags = int(self.player.get_property("flags"))
        self.player.set_property("flags", flags | VIDEO if is_shown else flags & ~VIDEO)

    def close(self):
        self.stop()


GStreamer().run()
