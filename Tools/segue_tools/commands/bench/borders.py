"""Measures the error of audio at segment borders when each segment is encoded independently.

FFmpeg makes thirty pieces of music in many codecs, sample rates, and loudnesses, with beats on and off the borders, and
a sine, a sweep, and noise. Each is encoded in segments of 259 frames (6 s at 44.1 kHz), each alone as for a request,
and in one piece. The tool prints the error against the source in millionths of full scale (RMS over blocks of 1024
samples): at borders, inside, and in the same blocks as at borders in one piece. `!` marks an error at borders over 1.05
times both others with the preroll of segments; the exit code is then 1. `worse` counts such blocks, and `ratio` is the
worst one.

SEGUE_BENCH_PREROLLS is the number of frames encoded and dropped before a segment, the last of which is judged (48);
SEGUE_BENCH_SECONDS the length of a piece (43).
"""

import json
import os
import pathlib

from segue_tools.launch import scratch, segue
from segue_tools.measure import report
from segue_tools.media import ffmpeg

PREROLLS = os.environ.get("SEGUE_BENCH_PREROLLS", "48")
SECONDS = int(os.environ.get("SEGUE_BENCH_SECONDS", "43"))
SIGNALS = {
    "sine": "0.5*sin(2*PI*997*t)|0.5*sin(2*PI*601*t)",
    "sweep": "0.5*sin(2*PI*(20*t+80*t*t))|0.5*sin(2*PI*(40*t+70*t*t))",
    "noise": "0.3*(2*random(0)-1)|0.3*(2*random(1)-1)",
}
# Codec with options and container; rates; and loudness filters: unchanged, soft, limited, and clipped.
CODECS = {
    "vorbis": (["-c:a", "libvorbis", "-q:a", "5"], "ogg"),
    "wma": (["-c:a", "wmav2", "-b:a", "128k"], "wma"),
    "mp2": (["-c:a", "mp2", "-b:a", "192k"], "mp2"),
    "mp3": (["-c:a", "libmp3lame", "-q:a", "4"], "mp3"),
    "flac": (["-c:a", "flac"], "flac"),
    "opus": (["-c:a", "libopus", "-b:a", "96k"], "opus"),
    "ac3": (["-c:a", "ac3", "-b:a", "192k"], "ac3"),
    "pcm": (["-c:a", "pcm_s16le"], "wav"),
}
LOUDNESS = {
    "even": "anull",
    "soft": "volume=0.05",
    "loud": "volume=3,alimiter=limit=0.98:level=0",
    "clipped": "volume=4,asoftclip=type=hard",
}
PIECES = [
    ("vorbis", 44100, "clipped", 120), ("vorbis", 44100, "clipped", 131), ("vorbis", 44100, "loud", 120),
    ("vorbis", 44100, "loud", 97), ("vorbis", 44100, "even", 120), ("vorbis", 44100, "soft", 140),
    ("vorbis", 48000, "clipped", 125), ("vorbis", 48000, "loud", 100), ("vorbis", 22050, "clipped", 110),
    ("vorbis", 32000, "loud", 120), ("vorbis", 96000, "clipped", 120), ("vorbis", 8000, "even", 90),
    ("wma", 44100, "clipped", 120), ("wma", 44100, "even", 103), ("wma", 32000, "loud", 120),
    ("mp2", 44100, "clipped", 120), ("mp2", 48000, "even", 113), ("mp2", 32000, "loud", 128),
    ("mp3", 44100, "clipped", 120), ("mp3", 48000, "loud", 87), ("mp3", 22050, "even", 120),
    ("flac", 44100, "clipped", 120), ("flac", 96000, "loud", 150), ("flac", 48000, "soft", 120),
    ("opus", 48000, "clipped", 120), ("opus", 48000, "even", 75), ("ac3", 48000, "clipped", 120),
    ("ac3", 44100, "even", 133), ("pcm", 44100, "loud", 160), ("pcm", 11025, "clipped", 120),
]


def music(tempo):
    """Chords that change with each bar, a bass, a drum on each beat, and a cymbal between."""
    beat = 60 / tempo
    step = f"mod(floor(t/{4 * beat}),4)"
    root = f"(110*pow(2,(eq({step},1)*5+eq({step},2)*7+eq({step},3)*3)/12))"
    chord = "+".join(
        f"{0.12 / part}*sin(2*PI*{root}*{tone}*{part}*t)*exp(-mod(t,{2 * beat})*{0.4 * part})"
        for tone in (2, 2.52, 3) for part in (1, 2, 3, 5))
    drum = f"0.6*sin(300*(1-exp(-20*mod(t,{beat}))))*exp(-9*mod(t,{beat}))"
    cymbal = "0.35*(2*random({})-1)*exp(-40*mod(t+" + f"{beat / 2},{beat}))"
    return f"{chord}+{drum}+{cymbal.format(0)}|{chord}*0.8+{drum}+{cymbal.format(1)}"


def make(folder, name, expression, rate, period=SECONDS, loudness="anull", codec=("-c:a", "flac"), suffix="flac"):
    path = folder / f"{name}.{suffix}"
    source = f"aevalsrc='{expression}':s={rate}:d={period}"
    if period < SECONDS:
        source += f",aloop=loop=-1:size={round(rate * period)},atrim=duration={SECONDS}"
    source += f",{loudness}"
    ffmpeg("-f", "lavfi", "-i", source, *codec, path)
    return str(path)


def arguments(parser):
    parser.add_argument("file", nargs="*", help="further music to measure")


def main(options):
    with scratch() as folder:
        files = [make(folder, name, expression, 44100) for name, expression in SIGNALS.items()]
        for codec, rate, loudness, tempo in PIECES:
            options, suffix = CODECS[codec]
            name = f"{codec}-{rate}-{loudness}-{tempo}"
            # Sixteen beats are four bars, each with its chord; then they repeat.
            files.append(make(folder, name, music(tempo), rate, 960 / tempo, LOUDNESS[loudness], options, suffix))
        files += options.file
        rows = json.loads(segue("sound-borders", *files, "--preroll", PREROLLS).stdout)
    judged = int(PREROLLS.split(",")[-1])
    print(f"{'piece':32} {'preroll':>7} {'borders':>7} {'at them':>8} {'inside':>8} {'in one':>8} {'worse':>5} ratio")
    for row in rows:
        values = [row[key] * 1e6 for key in ("borderMean", "insideMean", "unbrokenMean")]
        row["isGood"] = row["borderMean"] <= 1.05 * max(row["unbrokenMean"], row["insideMean"])
        name = pathlib.Path(row["file"]).stem[:32]
        print(f"{name:32} {row['preroll']:7} {row['borders']:7} " + " ".join(f"{v:8.0f}" for v in values),
              f"{row['worsened']:5} {row['worstRatio']:5.2f}", "" if row["isGood"] else "!")
    report("borders", rows)
    return int(not all(row["isGood"] for row in rows if row["preroll"] == judged))
