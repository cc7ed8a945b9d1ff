"""How far off what `segue observe` says is, with recordings of which everything is known.

A test film of 25 pictures a second is cut and put together anew by FFmpeg, at places known to the sample: it begins
late, goes dark and silent, stands still, leaves something out, comes again; its sound is shifted; its pictures are
those of one variant and then of another, which they have marks of. That is then recorded as screens are: smaller,
cropped, turned, aslant, pale, at other rates of pictures and samples, coded again. What is found is held against what
is true: a place or time of a picture may be off by one picture (of the recording, where those are longer), one of sound
by a millisecond, the sound's offset by half a picture of the recording and a millisecond. The variants have to be those
that were put there, each from its place and time on.

With each comes a log in which a player says the same on another clock, once 80 ms too early, and once something untrue,
and which variants it chooses some time before, one of which is never seen: what is found of that is held against what
was planted, too.

Prints a line for each recording with the greatest error of each kind. Exits with 0 when all are within, 1 when not.

Usage: observe [--keep FOLDER] [--only PATTERN].
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
        print(f"{'recording':52} {'picture':>9} {'sound':>9} {'offset':>9}   greatest errors, ms (allowed)")
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
