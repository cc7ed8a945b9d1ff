"""Sends the fault filter of `segue link` a million random kept-alive connections.

Each has one to four requests with heads, bodies, and faults of every kind, in pieces of any size; a third of them are
damaged, with numbers as large as possible. Nothing may trap, the result may not depend on where the bytes are cut, and
faults in undamaged HTTP must be exact to the byte (the target SegueFaultFuzz). The tool prints the count, the seconds,
and the seed; for a failure, its seed, its number, and the smallest connection that still fails, as JSON. The exit code
is 0 if nothing was found, 1 if something was, and 2 if it could not run.

Examples: `Tools/run fuzz faults --seed 7 --count 50000`, `Tools/run fuzz faults --replay case.json`.
"""

import pathlib

from segue_tools import seeds
from segue_tools.launch import built


def arguments(parser):
    seeds.arguments(parser)
    parser.add_argument("--replay", type=pathlib.Path, help="checks the case in a file instead")


def main(options):
    program = built("SegueFaultFuzz", options.configuration)
    if options.replay:
        code, lines = seeds.call(program, "check", text=options.replay.read_text())
        print("\n".join(lines) or (f"ends with signal {-code}" if code else "nothing"))
        return 1 if code else 0
    found, _, seconds = seeds.all_failing(program, options)
    for number, what in found[:5]:
        print(f"seed {options.seed}, number {number}: {what}")
        case = "\n".join(seeds.call(program, "show", options.seed, number)[1])
        print(f"    {seeds.smallest(program, case)}")
    print(f"{options.count} connections in {seconds:.1f} s, seed {options.seed}: {len(found) or 'nothing'} found")
    return 1 if found else 0
