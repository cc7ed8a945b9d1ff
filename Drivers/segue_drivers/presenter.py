"""Shows frames and plays audio that a player delivers with the time when each is due, for `record`.

A frame is put on the screen at once. Audio is written so that each sample is heard when it is due, with the latency
of the sound card compensated; samples that arrive too late for that are dropped, and gaps are silent.
"""

import collections
import threading
import time

from segue_drivers.pulse import FRAME, RATE, Playing
from segue_drivers.screen import Screen

# The buffer of the sound card, in seconds: that of VLC's own output to PulseAudio. A player has to deliver audio
# earlier.
BUFFER = 0.12
POLL_INTERVAL = 0.005
# The number of timing reports of the card from which its start time is known.
REPORTS = 5
# Audio within this distance of the previous audio continues it, in seconds: times are rounded to µs, from two clocks.
TOLERANCE = 0.002


class Presenter:
    def __init__(self):
        self.screen, self.lock = Screen(), threading.Lock()
        self.black = bytes(self.screen.size)
        self.card = Playing("shown", BUFFER)
        # Audio that is not with the card yet, as (first sample in the card's stream, bytes), and the sample after the
        # last.
        self.pieces: collections.deque[tuple[int, bytes]] = collections.deque()
        self.end = 0
        # The monotonic time of the stream's first sample, and the bytes that were written last, which a pause takes
        # back.
        self.start: float | None = None
        self.written = b""
        self.paused_at: float | None = None
        # Actions for the card's thread.
        self.actions: collections.deque = collections.deque()
        threading.Thread(target=self.run, daemon=True).start()

    def show(self, frame):
        with self.lock:
            self.screen.put(frame)

    def clear(self):
        self.show(self.black)

    def play(self, audio, due):
        """Plays audio at a time of the monotonic clock."""
        if self.start is None:
            return
        with self.lock:
            sample = round((due - self.start) * RATE)
            if abs(sample - self.end) <= TOLERANCE * RATE:
                sample = self.end
            self.pieces.append((sample, audio))
            self.end = sample + len(audio) // FRAME

    def flush(self):
        """Drops all audio that has not been heard."""
        with self.lock:
            self.pieces.clear()
            self.actions.append(self.card.rewind)

    def pause(self):
        with self.lock:
            self.paused_at = time.monotonic()
            self.actions.append(self.take_back)

    def resume(self):
        """Continues with the audio that has not been heard."""
        with self.lock:
            if self.paused_at is None:
                return
            delay, self.paused_at = round((time.monotonic() - self.paused_at) * RATE), None
            self.pieces = collections.deque((sample + delay, audio) for sample, audio in self.pieces)
            self.end += delay
            self.actions.append(self.card.rewind)

    def take_back(self):
        """Takes back the audio that the card has not played."""
        self.card.rewind()
        if unheard := self.written[len(self.written) - self.card.again * FRAME :] if self.card.again else b"":
            self.pieces.appendleft((self.card.written, unheard))

    def run(self):
        while True:
            self.card.turn(POLL_INTERVAL)
            if len(self.card.answers) >= REPORTS:
                start = self.card.start - time.time() + time.monotonic()
                # Small changes are ignored, so that consecutive pieces stay consecutive.
                if self.start is None or abs(start - self.start) > TOLERANCE:
                    self.start = start
            with self.lock:
                while self.actions:
                    self.actions.popleft()()
                if room := self.card.room:
                    replaced = self.card.again
                    audio = self.next_samples(room)
                    self.card.write(audio)
                    self.written = (self.written[: len(self.written) - replaced * FRAME] + audio)[-RATE * FRAME :]

    def next_samples(self, count):
        """Returns the next samples for the card, silent where there is no audio."""
        first, samples = self.card.written, bytearray(count * FRAME)
        while self.paused_at is None and self.pieces and self.pieces[0][0] < first + count:
            sample, piece = self.pieces.popleft()
            skipped = max(0, first - sample)
            part = piece[skipped * FRAME : (first + count - sample) * FRAME]
            begin = (sample + skipped - first) * FRAME
            samples[begin : begin + len(part)] = part
            if sample + len(piece) // FRAME > first + count:
                self.pieces.appendleft((first + count, piece[(first + count - sample) * FRAME :]))
        return bytes(samples)
