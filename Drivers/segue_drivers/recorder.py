"""Records a screen and a sound card by the machine's clock.

FFmpeg grabs the frames, each with the time when it starts to read the screen. It receives the audio from a sample
whose time is known: that is zero of the recording, and the recording's date (`DateUTC`) is that time.
"""

import datetime
import os
import re
import select
import signal
import subprocess
import sys
import threading
import time
from typing import Any

from segue_drivers.pulse import FRAME, RATE, Recording

# All times are in seconds.
START_TIMEOUT = 20
# The time until most of the card's timing reports are new.
SETTLING = 1.5
# FFmpeg finishes the file within this time.
END_TIMEOUT = 3
FRAME_RATE = 50
# The audio arrives in pieces of this length. Shorter ones make the sound card request data from players more often than
# they can deliver on a busy machine, so the recording would contain gaps that the recorder causes.
PIECE = 0.1
# The number of timing reports of the card from which its start time is known.
REPORTS = 11
# A drift of the card's clock above this is reported.
DRIFT = 0.001


class Recorder:
    """Records from `begin` to `end`."""

    def __init__(self, sink):
        self.card, self.samples = Recording("watched", sink, PIECE), 0
        self.is_over = threading.Event()
        self.process: Any = None

    def begin(self, start, screen, size, path):
        """Starts the recording with FFmpeg, which `start` runs; returns after the first frame."""
        deadline = time.monotonic() + START_TIMEOUT
        while len(self.card.answers) < REPORTS:
            self.read_audio()
            if time.monotonic() > deadline:
                raise OSError(f"no audio arrived from the sound card within {START_TIMEOUT} s")
        self.start_time = self.card.start
        zero = self.start_time + self.samples / RATE
        utc = datetime.timezone.utc  # noqa: UP017 (datetime.UTC requires Python 3.11)
        date = datetime.datetime.fromtimestamp(zero, utc).isoformat(timespec="microseconds")
        reading, self.pipe = os.pipe()
        audio = f"-thread_queue_size 4096 -f s16le -ar {RATE} -ac 2 -i pipe:{reading}"
        grab = f"-thread_queue_size 1024 -f x11grab -framerate {FRAME_RATE} -draw_mouse 0 -video_size {size}"
        timing = "-fps_mode passthrough -enc_time_base:v 1:1000"
        video = f"-c:v libx264 -preset ultrafast -crf 12 -g {FRAME_RATE}"
        options = (
            f"-v error -y -copyts -stats_period 0.1 -progress pipe:1 {audio} {grab} -itsoffset {-zero:.6f} -i {screen} "
            f"-map 1:v -map 0:a {timing} {video} -c:a pcm_s16le -metadata creation_time={date} -f matroska"
        )
        self.process = start(
            ["ffmpeg", *options.split(), str(path)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            pass_fds=[reading],
        )
        os.close(reading)
        threading.Thread(target=self.copy_audio, daemon=True).start()
        self.wait_for_frame(self.process.stdout, deadline)

    def read_audio(self):
        self.card.turn(PIECE)
        audio = self.card.read()
        self.samples += len(audio) // FRAME
        return audio

    def copy_audio(self):
        try:
            while not self.is_over.is_set():
                if audio := self.read_audio():
                    os.write(self.pipe, audio)
        except OSError:
            # FFmpeg or the sound card has ended; the recording up to here is complete.
            pass
        os.close(self.pipe)

    def wait_for_frame(self, progress, deadline):
        received = b""
        while not re.search(rb"frame=[1-9]", received):
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([progress], [], [], left)[0]:
                raise OSError(f"FFmpeg recorded no picture within {START_TIMEOUT} s")
            part = os.read(progress.fileno(), 65536)
            if not part:
                raise OSError("FFmpeg cannot record the screen")
            received += part
        # A full pipe would block FFmpeg.
        threading.Thread(target=progress.read, daemon=True).start()

    def end(self):
        if self.process and self.process.poll() is None:
            # A player shifts the card's timing reports by its latency, so the drift is measured after it has left.
            time.sleep(SETTLING)
            # FFmpeg does not read `q` from standard input when an input is a pipe.
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(END_TIMEOUT)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.is_over.set()
        if self.process and abs(drift := self.card.start - self.start_time) > DRIFT:
            print(f"record: the sound card's clock drifted by {1000 * drift:+.1f} ms", file=sys.stderr)
