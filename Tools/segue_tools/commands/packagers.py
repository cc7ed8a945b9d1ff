"""Checks that `segue content --foreign` finds nothing in the streams of other packagers.

FFmpeg (TS, fMP4, byte ranges, separate audio, transcoded, and at a lower rate), GStreamer's hlssink2, and Shaka
Packager (fMP4, TS with packed audio) package each file, or the first 75 s of a longer one. The tool prints each
finding, and a table of files tried, not made, and with findings for each packager. The exit code is 0 without findings,
1 with some, and 2 if nothing was compared.

Example: `Tools/run packagers ../media --keep found --only 'Shaka*'`. The default is the media of `segue testmedia`.
"""

import collections
import concurrent.futures
import fnmatch
import json
import pathlib
import shutil
import sys
import tempfile
import time

from segue_tools.launch import program
from segue_tools.packaging.packagers import Source, packagers
from segue_tools.packaging.tools import Failure, compared, ffmpeg, run, seconds

LONGEST, KEPT = 90, 75


def shortened(path, folder):
    """The file, or the beginning of a long one."""
    if seconds(path) <= LONGEST:
        return path
    cut = folder / f"cut{path.suffix}"
    try:
        ffmpeg("-i", path, "-t", KEPT, "-map", "0", "-c", "copy", cut)
    except Failure:
        return path
    return cut


def judge(segue, path, makers, folder, program):
    """For each packager and kind: the findings, a failure, or None if it does not apply to this file."""
    folder.mkdir(parents=True)
    results = {}
    try:
        source = Source(shortened(path, folder), folder, program)
    except Failure as error:
        return dict.fromkeys(makers, error)
    for name, make in makers.items():
        out = folder / "-".join(name).replace(" ", "-")
        out.mkdir()
        try:
            playlist = make(source, out)
            results[name] = None if playlist is None else compared(segue, source.path, playlist)
        except (Failure, json.JSONDecodeError) as error:
            results[name] = error
    return results


def table(names, counts):
    rows = [("packager", "kind", "tried", "not made", "compared", "no finding", "findings")]
    for name in names:
        count = counts[name]
        rows.append((*name, *(str(count[key]) for key in ("tried", "refused", "compared", "right", "wrong"))))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) if place < 2 else cell.rjust(width)
                        for place, (cell, width) in enumerate(zip(row, widths))).rstrip())


def arguments(parser):
    parser.add_argument("media", nargs="*", type=pathlib.Path, help="files and folders")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the streams, which are removed by default")
    parser.add_argument("--only", default="*", help="a pattern of 'PACKAGER KIND' to try")
    parser.add_argument("--shaka", default=shutil.which("packager") or shutil.which("packager-linux-x64"),
                        help="Shaka Packager")
    parser.add_argument("--ffmpeg", default="ffmpeg", help="the FFmpeg that packages")
    parser.add_argument("--most", type=int, default=10000, help="the maximum number of files")
    parser.add_argument("--jobs", type=int, default=2, help="the number of concurrent files")


def main(options):
    segue = program()
    folder = options.keep or pathlib.Path(tempfile.mkdtemp(prefix="packagers."))
    counts, refusals = collections.defaultdict(collections.Counter), []
    begin = time.monotonic()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not options.media:
            run(segue, "testmedia", folder / "media", "--quiet", limit=1200)
        sources = options.media or [folder / "media"]
        files = [f for s in sources for f in (sorted(p for p in s.rglob("*") if p.is_file()) if s.is_dir() else [s])]
        files = [f for f in files if f.suffix not in (".json", ".md", ".yaml", ".txt")][:options.most]
        makers, missing = packagers(options.shaka)
        makers = {name: make for name, make in makers.items() if fnmatch.fnmatch(" ".join(name), options.only)}
        for line in missing:
            print(line)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            jobs = [(path, folder / "made" / str(number),
                     pool.submit(judge, segue, path, makers, folder / "made" / str(number),
                                                                      options.ffmpeg)) for number,
                                                                      path in enumerate(files)]
            for path, made, job in jobs:
                for name, result in job.result().items():
                    if result is None:
                        continue
                    count = counts[name]
                    count["tried"] += 1
                    if isinstance(result, Exception):
                        count["refused"] += 1
                        refusals.append((name, path, result))
                        continue
                    count["compared"] += 1
                    count["wrong" if result else "right"] += 1
                    if result:
                        print(f"{' '.join(name)}: {path.name}")
                    for finding in result:
                        print(f"    {finding['rule']}: {finding['message']}")
                sys.stdout.flush()
                if not options.keep:
                    shutil.rmtree(made, ignore_errors=True)
    except (Failure, OSError) as error:
        print(f"packagers: {error}", file=sys.stderr)
        return 2
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    for name, path, reason in refusals:
        print(f"not made: {' '.join(name)}: {path.name}: {reason}")
    print()
    table(list(makers), counts)
    total = sum((counts[name] for name in makers), collections.Counter())
    print(f"{len(files)} files, {total['compared']} compared, {total['wrong']} with findings, "
          f"{time.monotonic() - begin:.0f} s")
    if not total["compared"]:
        return 2
    return 1 if total["wrong"] else 0
