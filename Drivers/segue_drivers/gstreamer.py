"""A driver for GStreamer: playbin3 with hlsdemux2 where it is there, and sinks that take what is due and throw it away.

As gst-launch and gst-play do, it is paused while less than 100 % is buffered. What comes out is what the sinks are handed,
each when it is due: they tell the moment, and the buffer its place.
"""

import os
import sys

from segue_drivers.driver import cut_connections
from segue_drivers.playback import Playback

try:
    import gi
    gi.require_version("Gst", "1.0")
    from gi.repository import GLib, Gst
except (ImportError, ValueError) as error:
    sys.exit(f"driver: GStreamer for Python is not there (python3-gi, gir1.2-gstreamer-1.0): {error}")

# What of the picture is shown, of GstPlayFlags.
VIDEO = 1
SECOND = 1_000_000_000
# How far before the end of an item a seek may lead, in seconds: of what is paused at the end itself nothing comes.
LAST_PLACE = 0.05
KINDS = {"audio": "sound", "video": "picture"}
# What shows and plays it to those that watch it (watched.py).
SEEN = {"picture": "videoconvert ! videoscale ! video/x-raw,width={},height={},pixel-aspect-ratio=1/1 ! ximagesink",
        "sound": "audioconvert ! audioresample ! pulsesink"}


def beside(sink, kind):
    """A sink, and beside it what shows or plays the same."""
    try:
        # Nobody arranges the windows of that screen: the picture has to be as large as it is.
        shown = SEEN[kind].format(*os.environ.get("SEGUE_SCREEN", "640x360").split("x"))
        both = Gst.parse_bin_from_description(f"tee name=both ! queue ! {shown}", False)
    except GLib.Error as error:
        sys.exit(f"driver: GStreamer cannot show itself (gstreamer1.0-x, gstreamer1.0-pulseaudio): {error.message}")
    queue, tee = Gst.ElementFactory.make("queue"), both.get_by_name("both")
    both.add(queue)
    both.add(sink)
    tee.link(queue)
    queue.link(sink)
    both.add_pad(Gst.GhostPad.new("sink", tee.get_static_pad("sink")))
    return both


class GStreamer(Playback):
    def __init__(self):
        Gst.init(None)
        demuxer = Gst.ElementFactory.find("hlsdemux2")
        if demuxer is not None:
            demuxer.set_rank(Gst.Rank.PRIMARY + 10)
        self.player = Gst.ElementFactory.make("playbin3")
        if self.player is None:
            sys.exit("driver: GStreamer has no playbin3 (gstreamer1.0-plugins-base)")
        for name, kind in KINDS.items():
            sink = Gst.ElementFactory.make("fakesink", "told")
            sink.set_property("sync", True)
            sink.set_property("signal-handoffs", True)
            sink.connect("handoff", self.handed, kind)
            self.player.set_property(f"{name}-sink", beside(sink, kind) if os.environ.get("SEGUE_SHOWN") else sink)
        self.is_live = self.is_listed = self.is_prepared = self.is_over = False
        self.percent, self.tracks = 100, [True, True]
        # Rises with each item and seek: what was handed out before one is not of what comes behind it.
        self.round = self.loads = 0
        self.length, self.pipeline_rate = -1.0, 1.0
        super().__init__(f"GStreamer {'.'.join(map(str, Gst.version()[:3]))}")
        self.player.get_bus().set_sync_handler(self.said)

    # GStreamer's side: other threads hand on what they are told, with its time

    def handed(self, sink, buffer, pad, kind):
        """A sink was handed something that was due."""
        at = self.clock()
        event = pad.get_sticky_event(Gst.EventType.SEGMENT, 0)
        if event is None or buffer.pts == Gst.CLOCK_TIME_NONE:
            return
        segment = event.parse_segment()
        place = segment.to_stream_time(Gst.Format.TIME, buffer.pts)
        length = 0 if buffer.duration == Gst.CLOCK_TIME_NONE else buffer.duration
        if 0 <= place < Gst.CLOCK_TIME_NONE:
            self.post(self.heard, self.round, kind, at, place / SECOND, length / SECOND, segment.rate)

    def heard(self, round, kind, at, place, length, rate):
        if round == self.round:
            self.came(kind, at, place, at + length / rate, place + length)

    def said(self, _, message):
        # What is asked of a message later on is not there any more once the bus has let go of it.
        kind, at = message.type, self.clock()
        if kind == Gst.MessageType.BUFFERING:
            self.post(self.buffering, self.round, message.parse_buffering())
        elif kind == Gst.MessageType.STREAM_COLLECTION:
            self.post(self.listed, self.loads, message.parse_stream_collection())
        elif kind == Gst.MessageType.ASYNC_DONE:
            self.post(self.settled, self.round, at)
        elif kind == Gst.MessageType.EOS:
            self.post(self.over, self.round, at)
        elif kind == Gst.MessageType.ERROR:
            error, _ = message.parse_error()
            self.post(self.failed, self.loads, str(error.domain), error.code, error.message)
        return Gst.BusSyncReply.DROP

    @property
    def position(self):
        is_known, place = self.player.query_position(Gst.Format.TIME)
        return place / SECOND if is_known else self.place

    @property
    def duration(self):
        is_known, length = self.player.query_duration(Gst.Format.TIME)
        if is_known and length > 0:
            self.length = length / SECOND
        return self.length

    def listed(self, loads, collection):
        types = [collection.get_stream(number).get_stream_type() for number in range(collection.get_size())]
        tracks = [any(kind & wanted for kind in types) for wanted in (Gst.StreamType.AUDIO, Gst.StreamType.VIDEO)]
        if loads == self.loads and any(tracks) and not self.is_listed:
            self.is_listed, self.tracks = True, tracks

    def buffering(self, round, percent):
        if round != self.round or self.is_live:
            return
        self.percent = percent
        if self.is_wanted and not self.has_failed:
            self.player.set_state(Gst.State.PLAYING if percent == 100 else Gst.State.PAUSED)

    def settled(self, round, at):
        """What was asked of the pipeline has been done: it has its first pictures, or has sought."""
        if round != self.round or not self.queue.current:
            return
        self.is_prepared = True
        self.ready(*self.tracks, at)
        self.landed(self.position)
        if self.rate != self.pipeline_rate and self.target is None:
            self.seek_to(self.position)

    def over(self, round, at):
        if round != self.round:
            return
        if self.target is not None and self.is_taken:
            # A seek that leads to the end comes to nothing else.
            self.is_prepared = True
            self.landed(self.duration, at)
        self.is_over = True
        if self.is_wanted:
            self.finished(at)

    def failed(self, loads, domain, code, message):
        if loads == self.loads:
            self.broke(domain, code, message)

    def look(self):
        """GStreamer says by itself what it does."""

    def load(self, item):
        self.round, self.loads = self.round + 1, self.loads + 1
        self.length, self.pipeline_rate, self.percent = -1.0, 1.0, 100
        self.is_listed = self.is_prepared = self.is_over = False
        self.tracks = [True, True]
        self.player.set_state(Gst.State.NULL)
        self.player.set_property("uri", item["url"])
        change = self.player.set_state(Gst.State.PAUSED)
        self.is_live = change == Gst.StateChangeReturn.NO_PREROLL
        if self.is_wanted:
            self.resume()

    def stop(self):
        self.round, self.loads = self.round + 1, self.loads + 1
        self.player.set_state(Gst.State.NULL)
        # GStreamer keeps those open for whose answer it waited.
        cut_connections()

    def resume(self):
        if self.is_over:
            self.finished(self.clock())
            return
        self.player.set_state(Gst.State.PLAYING if self.percent == 100 else Gst.State.PAUSED)

    def hold(self):
        self.player.set_state(Gst.State.PAUSED)

    def seek_to(self, place):
        """Seeks, once the pipeline has done what it was asked for before: until then it takes no seek."""
        if not self.is_prepared:
            return False
        place = min(place, max(0.0, self.duration - LAST_PLACE)) if self.duration > 0 else place
        flags = Gst.SeekFlags.FLUSH | Gst.SeekFlags.ACCURATE
        end = (Gst.SeekType.NONE, 0)
        self.round += 1
        if not self.player.seek(self.rate, Gst.Format.TIME, flags, Gst.SeekType.SET, int(place * SECOND), *end):
            return False
        self.is_prepared = self.is_over = False
        self.pipeline_rate = self.rate
        return True

    def change_rate(self, rate):
        # GStreamer has a rate by seeking to where it is, as soon as it can.
        if self.is_ready and self.target is None:
            self.seek_to(self.place)
        return False

    def show(self, is_shown):
        flags = int(self.player.get_property("flags"))
        self.player.set_property("flags", flags | VIDEO if is_shown else flags & ~VIDEO)

    def close(self):
        self.stop()


def main():
    GStreamer().run()
