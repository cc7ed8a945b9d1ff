"""A low-latency channel, and how players follow it."""
