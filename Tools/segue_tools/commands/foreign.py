"""Plants faults in streams that FFmpeg packages, and checks that `segue content --foreign` finds each one.

A fault counts as found if its rule, its position, and its size within a frame are correct. `Tools/run packagers`
does the same without faults.
"""

import concurrent.futures
import fnmatch
import json
import pathlib
import re
import shutil
import sys
import tempfile

from segue_tools.launch import program
from segue_tools.packaging.tools import AAC, HLS, X264, Failure, compared, ffmpeg, run
from segue_tools.places import OWN

FRAME = 0.04


# Planted faults: name, function or filters, and the expected finding: rule, position and size in seconds (None: any).
# Functions change the list of segments of a correct playlist; filters are FFmpeg's.
def edited(change):
    def make(film, other, out):
        lists = {}
        for name, path in (("x", film), ("y", other)):
            ffmpeg("-i", path, "-map", "0:v", "-map", "0:a:0", "-c", "copy", *HLS, out / f"{name}.m3u8")
            text = (out / f"{name}.m3u8").read_text()
            lists[name] = re.findall(r"#EXTINF:.*\n.*\n", text)
            if name == "x":
                head = text[:text.index("#EXTINF")]
        (out / "x.m3u8").write_text(head + "".join(change(lists["x"], lists["y"])) + "#EXT-X-ENDLIST\n")
        return out / "x.m3u8"
    return make


def filtered(video="null", audio="anull", maps="0:a:0", *more):
    def make(film, other, out):
        ffmpeg("-i", film, "-filter_complex", f"[0:v]{video}[v];[{maps}]{audio}[a]", "-map", "[v]", "-map", "[a]",
               "-fps_mode", "passthrough", *X264, "-crf", "18", *AAC, *more, *HLS, out / "x.m3u8")
        return out / "x.m3u8"
    return make


def shifted(seconds):
    def make(film, other, out):
        ffmpeg("-i", film, "-itsoffset", seconds, "-i", film, "-map", "0:v", "-map", "1:a:0", "-c", "copy", *HLS,
               out / "x.m3u8")
        return out / "x.m3u8"
    return make


def separate(film, other, out):
    ffmpeg("-i", film, "-itsoffset", "0.08", "-i", film, "-map", "0:v", "-map", "1:a:0", "-c", "copy", *HLS,
           "-hls_segment_type", "fmp4",
           "-master_pl_name", "main.m3u8", "-hls_fmp4_init_filename", "init-%v.mp4", "-hls_segment_filename",
           out / "s%v-%d.m4s",
           "-var_stream_map", "v:0,agroup:a a:0,agroup:a,default:yes", out / "x%v.m3u8")
    return out / "main.m3u8"


def spliced(*pieces):
    """Audio made of pieces of the film's: start and end of each in seconds; a single number is silence of that
    length."""
    names, parts = [], []
    count = sum(1 for piece in pieces if not isinstance(piece, float))
    split = f"asplit={count}" + "".join(f"[s{n}]" for n in range(count))
    used = 0
    for number, piece in enumerate(pieces):
        if isinstance(piece, float):
            parts.append(f"anullsrc=r=48000:cl=stereo,atrim=duration={piece}[p{number}]")
        else:
            parts.append(f"[s{used}]atrim={piece[0]}:{piece[1]},asetpts=PTS-STARTPTS[p{number}]")
            used += 1
        names.append(f"[p{number}]")
    return f"{split};" + ";".join(parts) + ";" + "".join(names) + f"concat=n={len(pieces)}:v=0:a=1"


def low(video="null", audio="anull"):
    """Smaller, at a low rate, with another sample rate: hard to distinguish, but still distinguished."""
    def make(film, other, out):
        ffmpeg("-i", film, "-filter_complex", f"[0:v]{video},scale=iw/2:ih/2[v];[0:a:0]{audio}[a]", "-map", "[v]",
               "-map", "[a]",
               *X264, "-crf", "32", "-c:a", "aac", "-b:a", "64k", "-ar", "44100", *HLS, out / "x.m3u8")
        return out / "x.m3u8"
    return make


def copied(film, other, out):
    ffmpeg("-i", film, "-c", "copy", *HLS, out / "x.m3u8")
    return out / "x.m3u8"


FAULTS: dict = {
    "segment-swapped": (edited(lambda x, y: x[:3] + [x[4], x[3]] + x[5:]),
                        [("content.sound-reordered", 12, 4), ("content.pictures-reordered", 12, 4)]),
    "segment-repeated": (edited(lambda x, y: x[:4] + [x[3]] + x[4:]),
                         [("content.sound-repeated", 16, 4), ("content.pictures-extra", 16, 4)]),
    "segment-left-out": (edited(lambda x, y: x[:5] + x[6:]),
                         [("content.sound-missing", 20, 4), ("content.pictures-missing", 20, 4)]),
    "segment-of-another-film": (edited(lambda x, y: x[:5] + [y[5]] + x[6:]),
                                [("content.sound-altered", 20, 4), ("content.pictures-altered", 20, 4)]),
    "wrong-first-segment": (edited(lambda x, y: [x[1]] + x[1:]),
                            [("content.sound-missing", 0, 4), ("content.pictures-missing", 0, 4)]),
    "end-missing": (edited(lambda x, y: x[:-2]),
                    [("content.sound-missing", 32, 8), ("content.pictures-missing", 32, 8)]),
    "sound-80ms-late": (shifted("0.08"), [("content.av-offset", 0, 0.08)]),
    "sound-700ms-early": (shifted("-0.7"), [("content.av-offset", 0, 0.7)]),
    "sound-80ms-late-in-its-rendition": (separate, [("content.av-offset", 0, 0.08)]),
    "sound-80ms-late-from-segment-5": (filtered(audio=spliced((0, 20), 0.08, (20, 40))),
                                       [("content.sound-silent", 20, 0.08), ("content.av-offset", 20, 0.08)]),
    "2s-of-sound-repeated": (filtered(audio=spliced((0, 18), (16, 40))), [("content.sound-repeated", 18, 2)]),
    "2s-cut-out": (filtered("select='not(between(t,17.99,19.99))',setpts=N/25/TB", spliced((0, 18), (20, 40))),
                   [("content.sound-missing", 18, 2), ("content.pictures-missing", 18, 2)]),
    "one-frame-of-sound-lost": (filtered(audio=spliced((0, 18), (18.021333, 40))),
                                [("content.sound-missing", 18, 0.021)]),
    "muted-500ms": (filtered(audio="volume=0:enable='between(t,13,13.5)'"), [("content.sound-silent", 13, 0.5)]),
    "dropout-40ms": (filtered(audio="volume=0:enable='between(t,13,13.04)'"), [("content.sound-silent", 13, 0.04)]),
    "channels-swapped": (filtered(audio="pan=stereo|c0=c1|c1=c0"), [("content.sound-altered", 0, 40)]),
    "channel-silent": (filtered(audio="pan=stereo|c0=c0|c1=0*c1"), [("content.sound-altered", 0, 40)]),
    "other-language": (filtered(maps="0:a:1"), [("content.sound-altered", 0, None)]),
    "44100-played-as-48000": (filtered(audio="aresample=44100,asetrate=48000"), [("content.sound-altered", 0, None)]),
    "sound-drifts": (filtered(audio="asetrate=48000*0.999,aresample=48000"), [("content.av-offset", 0, 0.04)]),
    "sound-12db-quieter": (filtered(audio="volume=-12dB"), [("content.sound-altered", None, None)]),
    "one-picture-dropped": (filtered("select='not(eq(n,310))'"), [("content.pictures-missing", 12.44, 0.04)]),
    "picture-still-for-1s": (filtered("split[a][b];[a][b]freezeframes=first=300:last=324:replace=299"),
                             [("content.pictures-extra", 12, 1)]),
    "one-picture-repeated": (filtered("split[a][b];[a][b]freezeframes=first=300:last=300:replace=299"),
                             [("content.pictures-extra", 12, 0.04)]),
    "black-500ms": (filtered("drawbox=color=black:t=fill:enable='between(n,300,312)'"),
                    [("content.pictures-altered", 12, 0.52)]),
    "pictures-80ms-late-from-segment-3": (filtered("setpts='PTS+0.08/TB*gte(T,12)'"),
                                          [("content.picture-time", 12.08, 0.08)]),
    "upside-down": (filtered("vflip"), [("content.pictures-altered", 0, None)]),
    "other-shape": (filtered("setsar=4/3"), [("content.pictures-altered", 0, None)]),
    "low-rate-sound-80ms-late-from-segment-5": (low(audio=spliced((0, 20), 0.08, (20, 40))),
                                                [("content.sound-silent", 20, 0.08), ("content.av-offset", 20, 0.08)]),
    "low-rate-dropout-40ms": (low(audio="volume=0:enable='between(t,13,13.04)'"), [("content.sound-silent", 13, 0.04)]),
    "low-rate-sound-drifts": (low(audio="asetrate=48000*0.999,aresample=48000"), [("content.av-offset", 0, 0.04)]),
    "low-rate-picture-still-for-1s": (low("split[a][b];[a][b]freezeframes=first=300:last=324:replace=299"),
                                      [("content.pictures-extra", 12, 1)]),
    "low-rate-tinted": (low("colorchannelmixer=rr=0.6:gg=1:bb=1.4"), [("content.pictures-altered", None, None)]),
    "tone-80ms-late": (shifted("0.08"), [("content.av-offset", 0, 0.08)], "tone.mp4"),
    "tone-80ms-early": (shifted("-0.08"), [("content.av-offset", 0, 0.08)], "tone.mp4"),
    "speech-80ms-late": (low(audio="adelay=80:all=1"), [("content.av-offset", 0, 0.08)], "speech.mov"),
    "speech-2s-repeated": (low(audio="aresample=48000," + spliced((0, 18), (16, 40))),
                           [("content.sound-repeated", 18, 2)],
                           "speech.mov"),
    "speech-4s-lost": (low(audio="aresample=48000," + spliced((0, 18), (22, 40))), [("content.sound-missing", 18, 4)],
                       "speech.mov"),
    "edit-list-handed-on": (copied, [("content.pictures-extra", 0, 0.6)], "edited.mp4"),
    "edit-list-80ms-late": (low(audio="adelay=80:all=1"), [("content.av-offset", 0, 0.08)], "edited.mp4"),
    "edit-list-one-picture-dropped": (filtered("select='not(eq(n,110))'"), [("content.pictures-missing", 4.44, 0.04)],
                                      "edited.mp4"),
}


def made_of(film, folder):
    """Makes films whose audio or video is hard to locate; returns them, and the failures."""
    missing = {}
    h264 = ["-map", "0:v", "-c:v", "copy"]
    recipes = {
        # A steady tone after an AAC delay longer than its period.
        "tone.mp4": ["-i", film, "-f", "lavfi", "-i", "sine=frequency=441:sample_rate=8000:duration=40", *h264, "-map",
                     "1:a", *AAC],
        "speech.mov": ["-i", film, *h264, "-map", "0:a:0", "-ac", "1", "-ar", "8000", "-c:a", "libgsm", "-b:a",
                       "13000"],
        # Starts between two keyframes: the frames from the previous one are present, and an edit list removes them.
        "edited.mp4": ["-ss", "6.6", "-i", film, *h264, "-map", "0:a:0", "-c:a", "copy"],
    }
    for name, arguments in recipes.items():
        try:
            ffmpeg(*arguments, folder / name)
        except Failure as error:
            missing[name] = error
    return missing


def judge(segue, films, other, name, out):
    make, wanted, film = (*FAULTS[name], "film.mp4")[:3]
    out.mkdir(parents=True)
    source = films / film
    findings = compared(segue, source, make(source, other, out))
    missing = []
    # Copied segments start with the video; their audio is cut some frames beside.
    slack = FRAME + (0.08 if make.__qualname__.startswith("edited") else 0.001)
    for rule, place, size in wanted:
        def fits(f):
            return (f["rule"] == rule and (place is None or abs(f.get("seconds", -9) - place) <= slack)
                    and (size is None or abs(f.get("size", -9) - size) <= slack))
        if not any(fits(f) for f in findings):
            missing.append(f"{rule} at {place} of {size} s")
    return missing, findings


def arguments(parser):
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--only", default="*")


def main(options):
    segue = program()
    folder = options.keep or pathlib.Path(tempfile.mkdtemp(prefix="foreign."))
    wrong = tried = 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        films = folder / "media"
        run(segue, "testmedia", films, "--recipes", OWN / "packaging/foreign", "--quiet")
        # Synthetic frames of the same number are equal in all films, so the other film must look different.
        other = folder / "another.mp4"
        ffmpeg("-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=40", "-i", films / "other.mp4", "-map",
               "0:v", "-map", "1:a",
               *X264, "-c:a", "copy", other)
        unmade = made_of(films / "film.mp4", films)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            jobs = []
            for name, fault in FAULTS.items():
                if not fnmatch.fnmatch(name, options.only):
                    continue
                if len(fault) > 2 and fault[2] in unmade:
                    print(f"{name}: skipped: {unmade[fault[2]]}")
                    continue
                jobs.append((name, pool.submit(judge, segue, films, other, name, folder / "faults" / name)))
            for name, job in jobs:
                tried += 1
                try:
                    missing, findings = job.result()
                except (Failure, json.JSONDecodeError) as error:
                    print(f"{name}: not made: {error}")
                    wrong += 1
                    continue
                wrong += bool(missing)
                print(f"{name}: {'not found: ' + '; '.join(missing) if missing else 'found'}")
                for finding in findings:
                    print(f"    {finding['rule']}: {finding['message']}")
                sys.stdout.flush()
    except (Failure, OSError) as error:
        print(f"foreign: {error}", file=sys.stderr)
        return 2
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{tried} planted, {tried - wrong} found")
    return 1 if wrong or not tried else 0
