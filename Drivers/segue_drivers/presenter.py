"""Shows pictures and plays sound that a player hands over with the moment when each is due, for who watches it (watched).

A picture is put on the screen when it is shown. Sound is played by a card with the card's own latency made up for, so that each
sample is heard when it is due; what comes too late for that is left out, and where there is none it is silent.
"""

import collections
import threading
import time

from segue_drivers.pulse import FRAME, RATE, Playing
from segue_drivers.screen import Screen

# How much of the sound the card has ahead, in seconds: as much as VLC's own output to PulseAudio asks for. A player has to hand
# it over earlier than that.
AHEAD = 0.12
TICK = 0.005
# So many answers of the card are enough to know its time.
ENOUGH = 5
# Sound that is off what came before by less, in seconds, follows it: the moments are told in microseconds and by two clocks.
SLACK = 0.002


class Shown:
    def __init__(self):
        self.screen, self.lock = Screen(), threading.Lock()
        self.blank = bytes(self.screen.size)
        self.card = Playing("shown", AHEAD)
        # Pieces of sound that are not with the card: at which sample of its stream each begins, and the bytes. What it was
        # given last may have to be played later, or not at all.
        self.pieces, self.end, self.zero, self.last = collections.deque(), 0, None, b""
        # Since when it is held, and what the card's thread has to do first.
        self.held, self.works = None, collections.deque()
        threading.Thread(target=self.play, daemon=True).start()

    def show(self, picture):
        """A picture, now."""
        with self.lock:
            self.screen.put(picture)

    def clear(self):
        """No picture."""
        self.show(self.blank)

    def hear(self, sound, due):
        """Sound that is due at a moment of the monotonic clock."""
        if self.zero is None:
            return
        with self.lock:
            place = round((due - self.zero) * RATE)
            if abs(place - self.end) <= SLACK * RATE:
                place = self.end
            self.pieces.append((place, sound))
            self.end = place + len(sound) // FRAME

    def forget(self):
        """What has not been heard is not to be heard."""
        with self.lock:
            self.pieces.clear()
            self.works.append(self.card.rewind)

    def hold(self):
        """No sound, until it goes on with what has not been heard."""
        with self.lock:
            self.held = time.monotonic()
            self.works.append(self.take_back)

    def go_on(self):
        with self.lock:
            if self.held is None:
                return
            late, self.held = round((time.monotonic() - self.held) * RATE), None
            self.pieces = collections.deque((place + late, sound) for place, sound in self.pieces)
            self.end += late
            self.works.append(self.card.rewind)

    def take_back(self):
        """What the card has and nobody has heard is to be played later."""
        self.card.rewind()
        if kept := self.last[len(self.last) - self.card.again * FRAME:] if self.card.again else b"":
            self.pieces.appendleft((self.card.written, kept))

    def play(self):
        while True:
            self.card.turn(TICK)
            if len(self.card.answers) >= ENOUGH:
                zero = self.card.start - time.time() + time.monotonic()
                # By the same time as before, so that what belongs together stays together.
                if self.zero is None or abs(zero - self.zero) > SLACK:
                    self.zero = zero
            with self.lock:
                while self.works:
                    self.works.popleft()()
                if room := self.card.room:
                    replaced = self.card.again
                    sound = self.take(room)
                    self.card.write(sound)
                    self.last = (self.last[:len(self.last) - replaced * FRAME] + sound)[-RATE * FRAME:]

    def take(self, count):
        """The next samples for the card."""
        first, sound = self.card.written, bytearray(count * FRAME)
        while self.held is None and self.pieces and self.pieces[0][0] < first + count:
            place, piece = self.pieces.popleft()
            skipped = max(0, first - place)
            part = piece[skipped * FRAME:(first + count - place) * FRAME]
            start = (place + skipped - first) * FRAME
            sound[start:start + len(part)] = part
            if place + len(piece) // FRAME > first + count:
                self.pieces.appendleft((first + count, piece[(first + count - place) * FRAME:]))
        return bytes(sound)
