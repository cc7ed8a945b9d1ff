"""Measures the errors of `segue observe` with recordings whose content is known.

FFmpeg cuts a test film at known samples: late starts, dark and silent stretches, freezes, gaps, repeats, shifted audio,
and a switch of variants, which have marks. The result is recorded in the ways of real screens: smaller, cropped,
rotated, skewed, pale, at other rates, re-encoded. A position or time of a frame may be off by one frame, one of
audio by 1 ms, and the offset of the audio by half a frame and 1 ms. Each recording comes with a log that is shifted
by 80 ms once and wrong once; `segue observe` must also find that. The exit code is 0 if all errors are within these
limits, and 1 if not.
"""

import fnmatch
import pathlib
import tempfile

from segue_tools.launch import program
from segue_tools.observing.recordings import PROGRAMMES, RECORDINGS, make_film, make_recording
from segue_tools.observing.said import URLS, Said
from segue_tools.observing.truth import Errors, observe


def arguments(parser):
    parser.add_argument("--keep", help="a folder in which the recordings stay")
    parser.add_argument("--only", default="*", help="recordings whose names match")


def main(options):
    segue = program()
    failed = 0
    with tempfile.TemporaryDirectory(prefix="segue-observe-") as scratch:
        folder = pathlib.Path(options.keep or scratch)
        folder.mkdir(parents=True, exist_ok=True)
        make_film(segue, folder)
        print(f"{'recording':52} {'video':>9} {'audio':>9} {'offset':>9}   maximum errors, ms (limits)")
        for programme in PROGRAMMES:
            for recording in RECORDINGS:
                name = f"{programme.name}, {recording.name}"
                if not fnmatch.fnmatch(name, options.only):
                    continue
                path = make_recording(folder, programme, recording)
                said = Said(programme)
                answer = observe(segue, folder, path, said.log, URLS)
                errors = Errors(programme, recording, answer["observation"])
                print(errors.line(name), flush=True)
                wrong = said.wrong(answer["agreement"], recording)
                for line in wrong:
                    print(f"    FAIL {line}", flush=True)
                failed += errors.are_too_great or bool(wrong)
    print("all within" if not failed else f"{failed} not within")
    return 1 if failed else 0
