"""Fuzzers of media files, playlists, and HTTP faults."""
