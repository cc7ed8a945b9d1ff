"""Records a screen and a sound card by one clock, the machine's.

FFmpeg takes the pictures, each with the moment when it begins to look at the screen. A sample's moment is the card's: when it says
that the sample is heard. FFmpeg is handed the sound from a sample on whose moment is known: that is zero of the recording, and
its date (DateUTC) says which moment it was.
"""

import datetime
import os
import re
import select
import subprocess
import sys
import threading
import time

from segue_drivers.pulse import FRAME, RATE, Recording

PATIENCE = 20
# What FFmpeg needs to write what it has.
ENDING = 3
PICTURES = 50
# The sound comes in pieces of so many seconds: a card that had to have it sooner would have to ask players more often than they
# can answer on a machine that has other work, and what is heard would be the watcher's doing. So many answers of the card are
# enough to begin with.
PIECE, ENOUGH = 0.1, 11
# How far the card's clock may have left the machine's in the end, in seconds, without a word on it.
SLACK = 0.001


class Recorder:
    """Listens from when it is made, records from `begin` to `end`."""

    def __init__(self, card):
        self.card, self.taken = Recording("watched", card, PIECE), 0
        self.is_over, self.process = threading.Event(), None

    def begin(self, start, screen, size, path):
        """Records from here on; `start` starts a program, which has the screen's name in its environment."""
        end = time.monotonic() + PATIENCE
        while len(self.card.answers) < ENOUGH:
            self.listen()
            if time.monotonic() > end:
                raise OSError("nothing can be heard")
        # By the samples alone the card's clock is followed from here on.
        self.begun = self.card.start
        zero = self.begun + self.taken / RATE
        date = datetime.datetime.fromtimestamp(zero, datetime.timezone.utc).isoformat(timespec="microseconds")
        reading, self.pipe = os.pipe()
        self.process = start(
            ["ffmpeg", "-v", "error", "-y", "-copyts", "-stats_period", "0.1", "-progress", "pipe:1",
             "-thread_queue_size", "4096", "-f", "s16le", "-ar", str(RATE), "-ac", "2", "-i", f"pipe:{reading}",
             "-thread_queue_size", "1024", "-f", "x11grab", "-framerate", str(PICTURES), "-draw_mouse", "0", "-video_size", size,
             "-itsoffset", f"{-zero:.6f}", "-i", screen, "-map", "1:v", "-map", "0:a", "-fps_mode", "passthrough",
             "-enc_time_base:v", "1:1000", "-c:v", "libx264", "-preset", "ultrafast", "-crf", "12", "-g", str(PICTURES),
             "-c:a", "pcm_s16le", "-metadata", f"creation_time={date}", "-f", "matroska", str(path)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=[reading])
        os.close(reading)
        threading.Thread(target=self.follow, daemon=True).start()
        self.wait_for_pictures(end)

    def listen(self):
        """The sound that has come by now."""
        self.card.turn(PIECE)
        sound = self.card.read()
        self.taken += len(sound) // FRAME
        return sound

    def follow(self):
        try:
            while not self.is_over.is_set():
                if sound := self.listen():
                    os.write(self.pipe, sound)
        except OSError:
            # Either of the two is over; what was recorded until then is there.
            pass
        os.close(self.pipe)

    def wait_for_pictures(self, end):
        told = b""
        while not re.search(rb"frame=[1-9]", told):
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise OSError("nothing is recorded")
            part = os.read(self.process.stdout.fileno(), 65536)
            if not part:
                raise OSError("nothing can be recorded")
            told += part
        # What it tells later is of no use, and a full pipe would hold it up.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def end(self):
        if self.process and self.process.poll() is None:
            try:
                self.process.stdin.write(b"q")
                self.process.stdin.close()
                self.process.wait(ENDING)
            except (OSError, subprocess.TimeoutExpired):
                self.process.kill()
        self.is_over.set()
        if self.process and abs(left := self.card.start - self.begun) > SLACK:
            print(f"watched: the sound card's clock has left the machine's by {1000 * left:+.1f} ms", file=sys.stderr)
