"""Sends a million randomly damaged playlists and segments to the parser, the inspectors, and the validator.

Two of three cases are playlists, one of a thousand of those of about a megabyte; the others are segments of all kinds.
Nothing may trap or hang, and nothing may take more than 100 ms of processor time, or as much for each megabyte of a
larger one (the SeguePlaylistFuzz target). The tool prints the count, the seconds, the slowest case, and the seed; for a
failure, its number and the command that prints it. The exit code is 0 if nothing was found, 1 if something was, and 2
if it could not run.

Example: `Tools/run fuzz playlists --seed 7 --count 50000 --folder streams`. PLAYLIST_FUZZ names a built
SeguePlaylistFuzz.
"""

import os

from segue_tools import seeds
from segue_tools.launch import built


def arguments(parser):
    seeds.arguments(parser)
    parser.add_argument("--folder", help="further playlists and segments to damage")


def main(options):
    program = os.environ.get("PLAYLIST_FUZZ") or built("SeguePlaylistFuzz", options.configuration)
    folder = [os.path.abspath(options.folder)] if options.folder else []
    found, others, seconds = seeds.all_failing(program, options, *folder)
    for number, what in found[:10]:
        print(f"number {number}: {what}; SeguePlaylistFuzz show {options.seed} {number} writes it")
    slowest = [tuple(map(int, line.split()[1:])) for line in others if line.startswith("slowest ")]
    number, milliseconds, size = max(slowest, key=lambda one: one[1], default=(0, 0, 0))
    print(f"{options.count} cases in {seconds:.1f} s, seed {options.seed}: {len(found) or 'nothing'} found; the "
          f"slowest, "
          f"number {number} of {size} bytes, took {milliseconds} ms")
    return 1 if found else 0
