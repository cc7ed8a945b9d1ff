"""Sound to and from PulseAudio, by libpulse, each sample with the moment at which the server says that it is heard.

A stream is for one thread, which calls `turn` often.
"""

import ctypes
import statistics
import time

RATE, CHANNELS = 48000, 2
# Bytes of a sample of all channels: 16 bits each.
FRAME = 2 * CHANNELS
PATIENCE = 20
# From one question for the times to the next, and how many answers tell: what one of them says may be some ms off where
# this program or the server was held up.
ASKING, ANSWERS = 0.05, 21
# What is heard so soon, in seconds, cannot be replaced any more.
UNDER_WAY = 0.02

CONTEXT_READY, STREAM_READY = 4, 2
RUNNING = 0
S16LE = 3
# pa_stream_flags: the server has no more of it ahead than is asked for.
ADJUST_LATENCY = 0x2000
RELATIVE = 0
DEFAULT = 0xFFFFFFFF

Handle, Integer, Index, Size = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64, ctypes.c_size_t


class Form(ctypes.Structure):
    _fields_ = [("format", Integer), ("rate", ctypes.c_uint32), ("channels", ctypes.c_uint8)]


class Lengths(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in ("most", "target", "before", "least", "fragment")]


class Timing(ctypes.Structure):
    """What the server says of a stream: the moment, the latencies in µs, and the places in bytes."""

    _fields_ = [("seconds", ctypes.c_long), ("microseconds", ctypes.c_long), ("is_synchronized", Integer),
                ("sink", ctypes.c_uint64), ("source", ctypes.c_uint64), ("transport", ctypes.c_uint64),
                ("is_playing", Integer), ("is_write_corrupt", Integer), ("written", Index),
                ("is_read_corrupt", Integer), ("read", Index)]


FUNCTIONS = {
    "pa_mainloop_new": (Handle,),
    "pa_mainloop_get_api": (Handle, Handle),
    "pa_mainloop_prepare": (Integer, Handle, Integer),
    "pa_mainloop_poll": (Integer, Handle),
    "pa_mainloop_dispatch": (Integer, Handle),
    "pa_context_new": (Handle, Handle, ctypes.c_char_p),
    "pa_context_connect": (Integer, Handle, ctypes.c_char_p, Integer, Handle),
    "pa_context_get_state": (Integer, Handle),
    "pa_stream_new": (Handle, Handle, ctypes.c_char_p, ctypes.POINTER(Form), Handle),
    "pa_stream_connect_playback": (Integer, Handle, ctypes.c_char_p, ctypes.POINTER(Lengths), Integer, Handle, Handle),
    "pa_stream_connect_record": (Integer, Handle, ctypes.c_char_p, ctypes.POINTER(Lengths), Integer),
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
    """A stream of sound, and how its samples lie to the clock of days (`time.time`)."""

    def __init__(self, name):
        self.pulse = ctypes.CDLL("libpulse.so.0")
        for function, (result, *arguments) in FUNCTIONS.items():
            found = getattr(self.pulse, function)
            found.restype, found.argtypes = result, arguments
        self.loop = self.pulse.pa_mainloop_new()
        self.context = self.pulse.pa_context_new(self.pulse.pa_mainloop_get_api(self.loop), name.encode())
        self.question, self.asked, self.answers = None, 0.0, []
        self.pulse.pa_context_connect(self.context, None, 0, None)
        self.wait(self.pulse.pa_context_get_state, self.context, CONTEXT_READY)
        self.stream = self.pulse.pa_stream_new(self.context, name.encode(), ctypes.byref(Form(S16LE, RATE, CHANNELS)), None)
        self.connect()
        self.wait(self.pulse.pa_stream_get_state, self.stream, STREAM_READY)

    def wait(self, state, of, wanted):
        end = time.monotonic() + PATIENCE
        while (now := state(of)) != wanted:
            if now > wanted or time.monotonic() > end:
                raise OSError("the sound card does not answer")
            self.iterate(0.05)

    def iterate(self, seconds):
        """Lets the library read and write, where there is nothing for so long at the most."""
        pulse = self.pulse
        if pulse.pa_mainloop_prepare(self.loop, int(seconds * 1e6)) < 0 or pulse.pa_mainloop_poll(self.loop) < 0 \
                or pulse.pa_mainloop_dispatch(self.loop) < 0:
            raise OSError("the sound card has gone")

    def turn(self, seconds=0.0):
        """Lets the library work, and takes and asks for the times."""
        self.iterate(seconds)
        if self.question and self.pulse.pa_operation_get_state(self.question) != RUNNING:
            self.pulse.pa_operation_unref(self.question)
            self.question = None
            told = self.pulse.pa_stream_get_timing_info(self.stream)
            if told and (start := self.start_by(told.contents)) is not None:
                self.answers = [*self.answers[1 - ANSWERS:], start]
        if not self.question and time.monotonic() - self.asked >= ASKING:
            self.question, self.asked = self.pulse.pa_stream_update_timing_info(self.stream, None, None), time.monotonic()

    @property
    def start(self):
        """When the stream's first sample was heard, or would have been: by the last answers."""
        return statistics.median(self.answers) if self.answers else None


class Playing(Stream):
    """Sound that is played, with so much of it, in seconds, that the server has ahead."""

    def __init__(self, name, ahead):
        # How many samples have been written, and how many of those are to be written anew.
        self.ahead, self.written, self.again = ahead, 0, 0
        super().__init__(name)

    def connect(self):
        lengths = Lengths(DEFAULT, int(self.ahead * RATE) * FRAME, DEFAULT, DEFAULT, DEFAULT)
        self.pulse.pa_stream_connect_playback(self.stream, None, ctypes.byref(lengths), ADJUST_LATENCY, None, None)

    def start_by(self, timing):
        if not timing.is_playing or timing.is_read_corrupt:
            return None
        # What has been read lies in the card; the answer itself took its time.
        played = timing.read / FRAME / RATE + (int(timing.transport) - int(timing.sink)) / 1e6
        return timing.seconds + timing.microseconds / 1e6 - played

    @property
    def room(self):
        """How many samples the server would like to have."""
        size = self.pulse.pa_stream_writable_size(self.stream)
        return self.again + (0 if size == Size(-1).value else size // FRAME)

    def write(self, sound):
        self.pulse.pa_stream_write(self.stream, sound, len(sound), None, -self.again * FRAME, RELATIVE)
        self.again = 0
        self.written += len(sound) // FRAME

    def rewind(self):
        """What is written next takes the place of what cannot have been heard yet."""
        if self.answers:
            place = min(self.written, max(0, round((time.time() + UNDER_WAY - self.start) * RATE)))
            self.again += self.written - place
            self.written = place


class Recording(Stream):
    """What a card plays, in pieces of so many seconds."""

    def __init__(self, name, card, piece):
        self.card, self.piece = card, piece
        super().__init__(name)

    def connect(self):
        lengths = Lengths(DEFAULT, DEFAULT, DEFAULT, DEFAULT, int(self.piece * RATE) * FRAME)
        self.pulse.pa_stream_connect_record(self.stream, f"{self.card}.monitor".encode(), ctypes.byref(lengths), ADJUST_LATENCY)

    def start_by(self, timing):
        if timing.is_write_corrupt:
            return None
        # The card is handed its sound before it is heard, and its monitor with it.
        heard = timing.written / FRAME / RATE + (int(timing.transport) + int(timing.source) - int(timing.sink)) / 1e6
        return timing.seconds + timing.microseconds / 1e6 - heard

    def read(self):
        """What has come; a hole in it is silent."""
        data, size, parts = Handle(), Size(), []
        while self.pulse.pa_stream_peek(self.stream, ctypes.byref(data), ctypes.byref(size)) == 0 and size.value:
            parts.append(ctypes.string_at(data.value, size.value) if data.value else bytes(size.value))
            self.pulse.pa_stream_drop(self.stream)
        return b"".join(parts)
