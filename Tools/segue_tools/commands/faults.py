"""Plants faults in correct presentations, one at a time, and checks that `segue validate` finds each.

The classes are own, text, delivery, media, inside, pictures, live, and lowlatency. Streams of the last two are watched,
many at a time, and so are correct ones, in which nothing may be found; that takes two minutes each. The tool prints
`found ID by RULE` or `missed ID (…)` for each fault; the exit code is 1 if one is missed.

A class is a module of `planted` with FAULTS, a list of faults (fault.py).
"""

import sys

from segue_tools.launch import program, scratch
from segue_tools.planted import (
    delivery,
    inside,
    live,
    livestreams,
    lowlatency,
    media,
    muxers,
    own,
    pictures,
    streams,
    text,
    watching,
)
from segue_tools.planted.stage import found, staged

CLASSES = {"own": own, "text": text, "delivery": delivery, "media": media, "inside": inside,
           "pictures": pictures, "live": live, "lowlatency": lowlatency}


def planted(segue, folder, faults):
    """Plants faults, prints the result of each, and returns the missed ones."""
    good, missed = {}, []
    for base in sorted({fault.base for fault in faults}):
        with staged(folder, base) as stage:
            good[base], why = found(segue, stage)
        if why:
            sys.exit(f"segue: faults: a correct presentation is refused: {why}")
        print(f"unbroken {base}: {', '.join(sorted(good[base])) or 'nothing found'}", flush=True)
    for fault in faults:
        with staged(folder, fault.base) as stage:
            fault.plant(stage)
            rules = found(segue, stage)[0] - good[fault.base]
        if not named(fault, rules):
            missed.append(fault)
    return missed


def named(fault, rules):
    """Prints the result of a fault; returns whether it was found."""
    by = fault.expect & rules
    if by:
        print(f"found {fault.id} by {', '.join(sorted(by))}", flush=True)
    else:
        wanted = ", ".join(sorted(fault.expect))
        print(f"missed {fault.id} (found: {', '.join(sorted(rules)) or 'nothing'}; wanted: {wanted})", flush=True)
    return bool(by)


def watched(segue, folder, faults, bases):
    """Does the same with faults of live streams, concurrently; a watch of a correct stream must not find more than a
    single validation."""
    livestreams.make(folder)
    good, missed = {}, []
    jobs = [watching.Job(base, base, watching.look()) for base in bases]
    jobs += [watching.Job(fault.id, fault.base, fault.plant, fault) for fault in faults]
    for job, (watch, looks) in watching.each(segue, folder, jobs):
        if job.fault is None:
            good[job.base] = watch | looks
            missed += sorted(watch - looks - livestreams.BASES[job.base][2])
            print(f"unbroken {job.base}: {', '.join(sorted(watch - looks)) or 'nothing found'}", flush=True)
        elif not named(job.fault, (watch | looks) - good[job.base]):
            missed.append(job.fault)
    return missed


def arguments(parser):
    parser.add_argument("names", nargs="*", metavar="ID", help="faults, or classes of them: " + ", ".join(CLASSES))
    parser.add_argument("--list", action="store_true", help="print the faults and the URLs of their reports")


def main(arguments):
    faults = [fault for module in CLASSES.values() for fault in module.FAULTS]
    known = {fault.id for fault in faults}
    assert len(known) == len(faults), "a fault's name is not unique"
    unknown = [name for name in arguments.names if name not in known and name not in CLASSES]
    if unknown:
        sys.exit(f"segue: faults: unknown fault {unknown[0]}; --list prints all")
    if arguments.names:
        wanted = {fault.id for name in arguments.names if name in CLASSES for fault in CLASSES[name].FAULTS}
        faults = [fault for fault in faults if fault.id in wanted or fault.id in arguments.names]
    if arguments.list:
        for fault in faults:
            print(fault.id, fault.link or "-", "/".join(sorted(fault.expect)))
        return 0
    segue = program()
    with scratch("segue-faults-") as folder:
        live_ones = [fault for fault in faults if fault.base in livestreams.BASES]
        others = [fault for fault in faults if fault.base not in livestreams.BASES]
        missed = []
        if others:
            streams.make(folder)
            missed += planted(segue, folder, others)
        if live_ones:
            used = {fault.base for fault in live_ones}
            whole = not arguments.names or any(name in CLASSES for name in arguments.names)
            missed += watched(segue, folder, live_ones, [base for base in livestreams.BASES if whole or base in used])
        wrong = [] if arguments.names else muxers.missed(segue, folder)
    print(f"{len(faults)} planted faults{'' if arguments.names else ' and 2 of FFmpeg'}: {len(missed) + len(wrong)} "
          f"missed")
    return 1 if missed or wrong else 0
