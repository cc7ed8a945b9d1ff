"""HLS that FFmpeg, GStreamer, and Shaka Packager make of films and songs, to test Segue's comparison."""
