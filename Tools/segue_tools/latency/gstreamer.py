"""Plays a URL with GStreamer like its own players, and prints the clock and the number of each frame when it is due.

The exit code is 3 if GStreamer or its HLS is not installed. `Tools/run latency` runs it, with a URL and seconds.
"""

import sys
import time

from segue_tools.latency.channel import number


def main():
    try:
        import gi
        gi.require_version("Gst", "1.0")
        from gi.repository import GLib, Gst
    except (ImportError, ValueError) as error:
        print(error, file=sys.stderr)
        sys.exit(3)
    url, seconds = sys.argv[1], float(sys.argv[2])
    Gst.init(None)
    hls = Gst.ElementFactory.find("hlsdemux2")
    if hls is None:
        print("GStreamer has no hlsdemux2", file=sys.stderr)
        sys.exit(3)
    hls.set_rank(Gst.Rank.PRIMARY + 10)
    player = Gst.ElementFactory.make("playbin3")
    picture = Gst.parse_bin_from_description(
        "videoconvert ! video/x-raw,format=GRAY8 ! fakesink name=out sync=true signal-handoffs=true", True)
    player.set_property("uri", url)
    player.set_property("video-sink", picture)
    player.set_property("audio-sink", Gst.parse_bin_from_description("fakesink sync=true", True))
    loop = GLib.MainLoop()
    live = []

    def shown(_, buffer, pad):
        width = pad.get_current_caps().get_structure(0).get_int("width")[1]
        print(time.time(), number(buffer.extract_dup(0, buffer.get_size()), (width + 3) // 4 * 4), flush=True)

    def said(_, message):
        if message.type == Gst.MessageType.BUFFERING and not live:
            player.set_state(Gst.State.PLAYING if message.parse_buffering() == 100 else Gst.State.PAUSED)
        elif message.type in (Gst.MessageType.EOS, Gst.MessageType.ERROR):
            if message.type == Gst.MessageType.ERROR:
                print(message.parse_error(), file=sys.stderr)
            loop.quit()

    picture.get_by_name("out").connect("handoff", shown)
    bus = player.get_bus()
    bus.add_signal_watch()
    bus.connect("message", said)
    if player.set_state(Gst.State.PLAYING) == Gst.StateChangeReturn.NO_PREROLL:
        live.append(True)
    GLib.timeout_add(int(seconds * 1000), loop.quit)
    loop.run()
    player.set_state(Gst.State.NULL)


if __name__ == "__main__":
    main()
