"""A driver for GStreamer: playbin3, with hlsdemux2 if installed, and sinks that discard each buffer when it is due.

It is paused below 100 % of buffering, like gst-launch and gst-play. The output is what the sinks receive: the time is
that of the call, the position that of the buffer.
"""

import os
import sys

from segue_drivers.playback import Playback
from segue_drivers.processes import shut_down_connections

try:
    import gi

    gi.require_version("Gst", "1.0")
    from gi.repository import GLib, Gst
except (ImportError, ValueError) as error:
    sys.exit(
        f"driver: GStreamer for Python is not installed: {error}; "
        "on Debian: apt-get install python3-gi gir1.2-gstreamer-1.0"
    )

# Of GstPlayFlags.
VIDEO = 1
SECOND = 1_000_000_000
# A seek ends at least this far before the end of an item, in seconds: a paused pipeline reports nothing from the end.
END_DISTANCE = 0.05
KINDS = {"audio": "sound", "video": "picture"}
# For `record`. The screen has no window manager, so the video is scaled to its size.
SHOWN_SINKS = {
    "picture": "videoconvert ! videoscale ! video/x-raw,width={},height={},pixel-aspect-ratio=1/1 ! ximagesink",
    "sound": "audioconvert ! audioresample ! pulsesink",
}


def shown_beside(sink, kind):
    """Returns a sink that feeds both a given one and the screen or the sound card."""
    try:
        description = SHOWN_SINKS[kind].format(*os.environ.get("SEGUE_SCREEN", "640x360").split("x"))
        both = Gst.parse_bin_from_description(f"tee name=both ! queue ! {description}", False)
    except GLib.Error as error:
        sys.exit(
            f"driver: GStreamer has no output to show: {error.message}; "
            "on Debian: apt-get install gstreamer1.0-x gstreamer1.0-pulseaudio"
        )
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
            sys.exit("driver: GStreamer has no playbin3; on Debian: apt-get install gstreamer1.0-plugins-base")
        for name, kind in KINDS.items():
            sink = Gst.ElementFactory.make("fakesink", "told")
            sink.set_property("sync", True)
            sink.set_property("signal-handoffs", True)
            sink.connect("handoff", self.receive_buffer, kind)
            self.player.set_property(
                f"{name}-sink", shown_beside(sink, kind) if os.environ.get("SEGUE_SHOWN") else sink
            )
        self.is_live = self.has_collection = self.is_prerolled = self.is_at_end = False
        self.percent, self.tracks = 100, [True, True]
        # `segment` rises with each item and seek, `item` with each item: reports from before are ignored.
        self.segment = self.item = 0
        self.known_duration, self.pipeline_rate = -1.0, 1.0
        super().__init__(f"GStreamer {'.'.join(map(str, Gst.version()[:3]))}")
        self.player.get_bus().set_sync_handler(self.receive_message)

    # GStreamer's threads

    def receive_buffer(self, sink, buffer, pad, kind):
        at = self.clock()
        event = pad.get_sticky_event(Gst.EventType.SEGMENT, 0)
        if event is None or buffer.pts == Gst.CLOCK_TIME_NONE:
            return
        segment = event.parse_segment()
        position = segment.to_stream_time(Gst.Format.TIME, buffer.pts)
        duration = 0 if buffer.duration == Gst.CLOCK_TIME_NONE else buffer.duration
        if 0 <= position < Gst.CLOCK_TIME_NONE:
            self.post(self.handle_buffer, self.segment, kind, at, position / SECOND, duration / SECOND, segment.rate)

    def receive_message(self, _, message):
        # A message is valid only until this returns, so it is parsed here.
        kind, at = message.type, self.clock()
        if kind == Gst.MessageType.BUFFERING:
            self.post(self.handle_buffering, self.segment, message.parse_buffering())
        elif kind == Gst.MessageType.STREAM_COLLECTION:
            self.post(self.handle_collection, self.item, message.parse_stream_collection())
        elif kind == Gst.MessageType.ASYNC_DONE:
            self.post(self.handle_preroll, self.segment, at)
        elif kind == Gst.MessageType.EOS:
            self.post(self.handle_end, self.segment, at)
        elif kind == Gst.MessageType.ERROR:
            error, _ = message.parse_error()
            self.post(self.handle_error, self.item, str(error.domain), error.code, error.message)
        return Gst.BusSyncReply.DROP

    # The player's thread

    @property
    def current_position(self):
        is_known, position = self.player.query_position(Gst.Format.TIME)
        return position / SECOND if is_known else self.position

    @property
    def duration(self):
        is_known, duration = self.player.query_duration(Gst.Format.TIME)
        if is_known and duration > 0:
            self.known_duration = duration / SECOND
        return self.known_duration

    def handle_buffer(self, segment, kind, at, position, duration, rate):
        if segment == self.segment:
            self.output_advanced(kind, at, position, at + duration / rate, position + duration)

    def handle_collection(self, item, collection):
        types = [collection.get_stream(number).get_stream_type() for number in range(collection.get_size())]
        tracks = [any(kind & wanted for kind in types) for wanted in (Gst.StreamType.AUDIO, Gst.StreamType.VIDEO)]
        if item == self.item and any(tracks) and not self.has_collection:
            self.has_collection, self.tracks = True, tracks

    def handle_buffering(self, segment, percent):
        if segment != self.segment or self.is_live:
            return
        self.percent = percent
        if self.wants_play and not self.has_failed:
            self.play_when_buffered()

    def handle_preroll(self, segment, at):
        """The pipeline has its first buffers, after loading or a seek."""
        if segment != self.segment or not self.queue.current:
            return
        self.is_prerolled = True
        self.item_ready(self.tracks[0], self.tracks[1], at)
        self.seek_completed(self.current_position)
        if self.rate != self.pipeline_rate and self.seek_target is None:
            self.start_seek(self.current_position)

    def handle_end(self, segment, at):
        if segment != self.segment:
            return
        if self.seek_target is not None and self.is_seek_started:
            # A seek to the end produces no buffers.
            self.is_prerolled = True
            self.seek_completed(self.duration, at)
        self.is_at_end = True
        if self.wants_play:
            self.item_ended(at)

    def handle_error(self, item, domain, code, message):
        if item == self.item:
            self.item_failed(domain, code, message)

    # Playback

    def play_when_buffered(self):
        self.player.set_state(Gst.State.PLAYING if self.percent == 100 else Gst.State.PAUSED)

    def begin_item(self):
        self.segment, self.item = self.segment + 1, self.item + 1
        self.player.set_state(Gst.State.NULL)

    def load(self, item):
        self.begin_item()
        self.known_duration, self.pipeline_rate, self.percent = -1.0, 1.0, 100
        self.has_collection = self.is_prerolled = self.is_at_end = False
        self.tracks = [True, True]
        self.player.set_property("uri", item["url"])
        self.is_live = self.player.set_state(Gst.State.PAUSED) == Gst.StateChangeReturn.NO_PREROLL
        if self.wants_play:
            self.resume()

    def stop(self):
        self.begin_item()
        shut_down_connections()

    def resume(self):
        if self.is_at_end:
            self.item_ended(self.clock())
        else:
            self.play_when_buffered()

    def pause(self):
        self.player.set_state(Gst.State.PAUSED)

    def start_seek(self, position):
        # A pipeline that is not prerolled ignores seeks.
        if not self.is_prerolled:
            return False
        position = min(position, max(0.0, self.duration - END_DISTANCE)) if self.duration > 0 else position
        flags = Gst.SeekFlags.FLUSH | Gst.SeekFlags.ACCURATE
        begin, end = (Gst.SeekType.SET, int(position * SECOND)), (Gst.SeekType.NONE, 0)
        self.segment += 1
        if not self.player.seek(self.rate, Gst.Format.TIME, flags, *begin, *end):
            return False
        self.is_prerolled = self.is_at_end = False
        self.pipeline_rate = self.rate
        return True

    def set_rate(self, rate):
        # GStreamer changes its rate by a seek.
        if self.is_ready and self.seek_target is None:
            self.start_seek(self.position)
        return False

    def set_video_enabled(self, is_enabled):
        flags = int(self.player.get_property("flags"))
        self.player.set_property("flags", flags | VIDEO if is_enabled else flags & ~VIDEO)

    def close(self):
        self.stop()


def main():
    GStreamer().run()
