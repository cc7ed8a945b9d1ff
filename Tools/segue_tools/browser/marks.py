"""Compares a browser's output with the files: its audio sample by sample, and the numbers in its frames."""

import base64
import subprocess

import numpy

from segue_tools.browser.scripts import script

RATE = 48_000


def reference(path, track=0):
    """The left channel of a file's audio, decoded by FFmpeg."""
    raw = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", path, "-map", f"0:a:{track}", "-af", "pan=mono|c0=c0", "-ar", str(RATE),
         "-f", "f32le", "-"], check=True, capture_output=True).stdout
    return numpy.frombuffer(raw, numpy.float32)


def take(browser):
    return numpy.frombuffer(base64.b64decode(browser.evaluate(script("take"), 120)), numpy.float32)


class Heard:
    """Locates a browser's output in files: any 50 ms of their noise are unique."""

    PIECE = 2400

    def __init__(self, files):
        self.files = files
        self.size = 1 << (max(map(len, files)) + self.PIECE).bit_length()
        self.spectra = [numpy.fft.rfft(file, self.size) for file in files]

    @staticmethod
    def likeness(one, other):
        if len(one) != len(other) or not len(one):
            return 0.0
        scale = float(numpy.sqrt(numpy.dot(one, one) * numpy.dot(other, other)))
        return float(numpy.dot(one, other)) / scale if scale > 0 else 0.0

    def locate(self, piece):
        """The file's number and the sample in it at which a piece begins; None if nothing matches."""
        best: tuple = (0.7, None)
        for index, spectrum in enumerate(self.spectra):
            found = numpy.fft.irfft(spectrum * numpy.conj(numpy.fft.rfft(piece, self.size)), self.size)
            at = int(found.argmax())
            likeness = self.likeness(self.files[index][at:at + len(piece)], piece)
            best = max(best, (likeness, (index, at)), key=lambda entry: entry[0])
        return best[1]

    def stretches(self, sound):
        """Uninterrupted audio: (file, first sample in it, first sample of the record, count).

        Their ends are exact to the sample: the audio of the file and of the recording is equal up to there.
        """
        found, at = [], 0
        while at + self.PIECE <= len(sound):
            piece = sound[at:at + self.PIECE]
            place = self.locate(piece) if float(numpy.abs(piece).max()) > 1e-4 else None
            if place is None:
                at += self.PIECE // 4
                continue
            index, first = place
            file, end = self.files[index], at + self.PIECE
            offset = first - at
            while end + self.PIECE <= len(sound) and \
                    self.likeness(file[end + offset:end + offset + self.PIECE], sound[end:end + self.PIECE]) > 0.9:
                end += self.PIECE
            begin, end = self.edge(sound, file, offset, at, -1), self.edge(sound, file, offset, end, 1)
            found.append((index, begin + offset, begin, end - begin))
            at = max(end, at + self.PIECE)
        return found

    def edge(self, sound, file, offset, at, step):
        """The sample up to which recording and file match from a position on, within the accuracy of a codec."""
        wrong = 0
        while 0 <= at + step < len(sound) and 0 <= at + step + offset < len(file) and wrong < 24:
            near = sound[at if step > 0 else at - 1], file[(at if step > 0 else at - 1) + offset]
            wrong = wrong + 1 if abs(float(near[0]) - float(near[1])) > 0.02 else 0
            at += step
        return at - step * wrong

    @staticmethod
    def breaks(stretches):
        """Gaps between stretches: (file before, file after, missing samples, negative if repeated, other samples)."""
        return [(one[0], two[0], two[1] - (one[1] + one[3]) if one[0] == two[0] else None, two[2] - (one[2] + one[3]))
                for one, two in zip(stretches, stretches[1:])]
