"""Plays and records audio through PulseAudio, with the time when each sample is heard.

A stream belongs to one thread, which calls `turn` often.
"""

import ctypes
import statistics
import time

from segue_drivers.native import load_library

RATE, CHANNELS = 48000, 2
# Bytes of a 16-bit sample of all channels.
FRAME = 2 * CHANNELS
CONNECT_TIMEOUT = 20
# The interval of timing requests, and how many answers count: one may be some ms off if this program or the server was
# busy.
REQUEST_INTERVAL, ANSWERS = 0.05, 21
# Samples due within this time, in seconds, can no longer be replaced.
COMMITTED = 0.02

CONTEXT_READY, STREAM_READY = 4, 2
RUNNING = 0
S16LE = 3
# Of pa_stream_flags: the server buffers no more than requested.
ADJUST_LATENCY = 0x2000
RELATIVE = 0
DEFAULT = 0xFFFFFFFF

Handle, Integer, Index, Size = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64, ctypes.c_size_t


class SampleSpec(ctypes.Structure):
    _fields_ = [("format", Integer), ("rate", ctypes.c_uint32), ("channels", ctypes.c_uint8)]


class BufferAttributes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in ("maxlength", "tlength", "prebuf", "minreq", "fragsize")]


class Timing(ctypes.Structure):
    """pa_timing_info: the time of the report, latencies in µs, and stream positions in bytes."""

    _fields_ = [
        ("seconds", ctypes.c_long),
        ("microseconds", ctypes.c_long),
        ("is_synchronized", Integer),
        ("sink", ctypes.c_uint64),
        ("source", ctypes.c_uint64),
        ("transport", ctypes.c_uint64),
        ("is_playing", Integer),
        ("is_write_corrupt", Integer),
        ("written", Index),
        ("is_read_corrupt", Integer),
        ("read", Index),
    ]


Attributes = ctypes.POINTER(BufferAttributes)
FUNCTIONS = {
    "pa_mainloop_new": (Handle,),
    "pa_mainloop_get_api": (Handle, Handle),
    "pa_mainloop_prepare": (Integer, Handle, Integer),
    "pa_mainloop_poll": (Integer, Handle),
    "pa_mainloop_dispatch": (Integer, Handle),
    "pa_context_new": (Handle, Handle, ctypes.c_char_p),
    "pa_context_connect": (Integer, Handle, ctypes.c_char_p, Integer, Handle),
    "pa_context_get_state": (Integer, Handle),
    "pa_stream_new": (Handle, Handle, ctypes.c_char_p, ctypes.POINTER(SampleSpec), Handle),
    "pa_stream_connect_playback": (Integer, Handle, ctypes.c_char_p, Attributes, Integer, Handle, Handle),
    "pa_stream_connect_record": (Integer, Handle, ctypes.c_char_p, Attributes, Integer),
    "pa_stream_get_state": (Integer, Handle),
    "pa_stream_writable_size": (Size, Handle),
    "pa_stream_write": (Integer, Handle, ctypes.c_char_p, Size, Handle, Index, Integer),
    "pa_stream_peek": (Integer, Handle, ctypes.POINTER(Handle), ctypes.POINTER(Size)),
    "pa_stream_drop": (Integer, Handle),
    "pa_stream_update_timing_info": (Handle, Handle, Handle, Handle),
    "pa_stream_get_timing_info": (ctypes.POINTER(Timing), Handle),
    "pa_operation_get_state": (Integer, Handle),
    "pa_operation_unref": (None, Handle),
}


class Stream:
    """A stream of audio; `start` relates its samples to `time.time`."""

    def __init__(self, name):
        self.pulse = load_library("libpulse.so.0", FUNCTIONS)
        self.loop = self.pulse.pa_mainloop_new()
        self.context = self.pulse.pa_context_new(self.pulse.pa_mainloop_get_api(self.loop), name.encode())
        self.request, self.request_time = None, 0.0
        self.answers: list[float] = []
        self.pulse.pa_context_connect(self.context, None, 0, None)
        self.wait(self.pulse.pa_context_get_state, self.context, CONTEXT_READY)
        sample_spec = ctypes.byref(SampleSpec(S16LE, RATE, CHANNELS))
        self.stream = self.pulse.pa_stream_new(self.context, name.encode(), sample_spec, None)
        self.connect()
        self.wait(self.pulse.pa_stream_get_state, self.stream, STREAM_READY)

    def connect(self):
        raise NotImplementedError

    def start_by(self, timing):
        """Returns the time of the stream's first sample by one report; None if the report is not valid."""
        raise NotImplementedError

    def wait(self, get_state, of, wanted):
        deadline = time.monotonic() + CONNECT_TIMEOUT
        while (state := get_state(of)) != wanted:
            if state > wanted or time.monotonic() > deadline:
                raise OSError("the PulseAudio server does not respond")
            self.iterate(0.05)

    def iterate(self, timeout):
        """Runs the main loop once, waiting for an event for at most `timeout` seconds."""
        pulse = self.pulse
        if (
            pulse.pa_mainloop_prepare(self.loop, int(timeout * 1e6)) < 0
            or pulse.pa_mainloop_poll(self.loop) < 0
            or pulse.pa_mainloop_dispatch(self.loop) < 0
        ):
            raise OSError("the connection to the PulseAudio server ended")

    def turn(self, timeout=0.0):
        """Runs the main loop once, and requests and handles timing reports."""
        self.iterate(timeout)
        if self.request and self.pulse.pa_operation_get_state(self.request) != RUNNING:
            self.pulse.pa_operation_unref(self.request)
            self.request = None
            timing = self.pulse.pa_stream_get_timing_info(self.stream)
            if timing and (start := self.start_by(timing.contents)) is not None:
                self.answers = [*self.answers[1 - ANSWERS :], start]
        if not self.request and time.monotonic() - self.request_time >= REQUEST_INTERVAL:
            self.request = self.pulse.pa_stream_update_timing_info(self.stream, None, None)
            self.request_time = time.monotonic()

    @property
    def start(self):
        """The time when the stream's first sample is heard, or would have been; None before the first report."""
        return statistics.median(self.answers) if self.answers else None


class Playing(Stream):
    """Audio that is played, with `ahead` seconds buffered in the server."""

    def __init__(self, name, ahead):
        # The number of samples written, without those that are to be overwritten (`again`).
        self.ahead, self.written, self.again = ahead, 0, 0
        super().__init__(name)

    def connect(self):
        attributes = BufferAttributes(DEFAULT, int(self.ahead * RATE) * FRAME, DEFAULT, DEFAULT, DEFAULT)
        self.pulse.pa_stream_connect_playback(self.stream, None, ctypes.byref(attributes), ADJUST_LATENCY, None, None)

    def start_by(self, timing):
        if not timing.is_playing or timing.is_read_corrupt:
            return None
        played = timing.read / FRAME / RATE + (int(timing.transport) - int(timing.sink)) / 1e6
        return timing.seconds + timing.microseconds / 1e6 - played

    @property
    def room(self):
        """The number of samples that the server requests."""
        size = self.pulse.pa_stream_writable_size(self.stream)
        return self.again + (0 if size == Size(-1).value else size // FRAME)

    def write(self, audio):
        self.pulse.pa_stream_write(self.stream, audio, len(audio), None, -self.again * FRAME, RELATIVE)
        self.again = 0
        self.written += len(audio) // FRAME

    def rewind(self):
        """Moves the write position back to the first sample that can still be replaced."""
        if self.answers:
            sample = min(self.written, max(0, round((time.time() + COMMITTED - self.start) * RATE)))
            self.again += self.written - sample
            self.written = sample


class Recording(Stream):
    """The audio that a sink plays, in pieces of `piece` seconds."""

    def __init__(self, name, sink, piece):
        self.sink, self.piece = sink, piece
        super().__init__(name)

    def connect(self):
        attributes = BufferAttributes(DEFAULT, DEFAULT, DEFAULT, DEFAULT, int(self.piece * RATE) * FRAME)
        self.pulse.pa_stream_connect_record(
            self.stream, f"{self.sink}.monitor".encode(), ctypes.byref(attributes), ADJUST_LATENCY
        )

    def start_by(self, timing):
        if timing.is_write_corrupt:
            return None
        # A monitor delivers audio when the sink receives it, which is before it is heard.
        heard = timing.written / FRAME / RATE + (int(timing.transport) + int(timing.source) - int(timing.sink)) / 1e6
        return timing.seconds + timing.microseconds / 1e6 - heard

    def read(self):
        """Returns the audio that has arrived, silent where the server reports a hole."""
        data, size, parts = Handle(), Size(), []
        while self.pulse.pa_stream_peek(self.stream, ctypes.byref(data), ctypes.byref(size)) == 0 and size.value:
            parts.append(ctypes.string_at(data.value, size.value) if data.value else bytes(size.value))
            self.pulse.pa_stream_drop(self.stream)
        return b"".join(parts)
