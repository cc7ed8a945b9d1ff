"""A low-latency channel, and players that follow it."""
