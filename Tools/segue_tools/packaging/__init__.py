"""HLS made of films and songs by FFmpeg, GStreamer and Shaka Packager, for holding Segue's comparison against it."""
