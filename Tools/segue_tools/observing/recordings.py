"""Recordings of a test film, at known positions."""

import dataclasses
import subprocess

FILM = "film.mkv"
RATE = 48000

MARKS = (1, 6, 9)

RECIPE = f"""recipes:
  - file: {FILM}
    about: The recorded film.
    format: matroska
    duration: 24
    video: {{codec: libx264, size: 640x360, rate: 25, interval: 25, bitrate: 2500000}}
    audio: [{{codec: pcm_s16le, rate: {RATE}}}]
""" + "".join(f"""
  - file: variant-{mark}.mkv
    about: The film's pictures in a variant.
    format: matroska
    duration: 12
    video: {{codec: libx264, size: 640x360, rate: 25, interval: 25, bitrate: 2500000, mark: {mark}}}
""" for mark in MARKS)


@dataclasses.dataclass
class Piece:
    """A piece of the program: a position of the film and a duration, or nothing of it (dark, silent, frozen)."""

    seconds: float
    place: float | None = None
    still: bool = False
    # The mark of the frames' variant.
    mark: int | None = None


@dataclasses.dataclass
class Programme:
    """The pieces of video and audio, in order."""

    name: str
    pictures: list[Piece]
    sounds: list[Piece]


@dataclasses.dataclass
class Recording:
    """A kind of recording: FFmpeg's filters of video and audio, and the encoding."""

    name: str
    rate: float
    picture: str
    sound: str = "anull"
    coding: tuple = ("-c:v", "libx264", "-preset", "ultrafast", "-crf", "23", "-c:a", "aac", "-b:a", "128k")
    suffix: str = "mp4"
    # The number of frames that may be unreadable at the start or the end of a stretch.
    unreadable: int = 0
    # The ms by which FFmpeg's muxer delays frames: the samples that an Opus decoder drops.
    late: float = 0


def plain(shift):
    """Everything from 1 s on, with the audio delayed by some seconds."""
    dark = Piece(1.0)
    return [dark, Piece(9.0, 0.0), Piece(1.0)], [Piece(1.0 + shift), Piece(9.0, 0.0), Piece(1.0)]


def faults():
    """A pause with a frozen frame, a gap, a jump ahead, and a jump back, at different positions in audio and
    video."""
    pictures = [
        Piece(1.0), Piece(3.0, 0.0), Piece(0.6, still=True), Piece(2.0, 3.0), Piece(0.48), Piece(2.0, 7.0),
        Piece(2.0, 4.0), Piece(0.5),
    ]
    sounds = [
        Piece(1.0), Piece(3.1234, 0.0), Piece(0.25), Piece(2.0, 3.1234), Piece(0.0305), Piece(1.5, 5.1539),
        Piece(1.7, 9.0), Piece(1.5, 2.0), Piece(0.5),
    ]
    return pictures, sounds


def switches():
    """A player that plays the lowest variant, the highest from 3.4 s on, and the middle one from 5.92 s on."""
    return [Piece(1.0), Piece(3.4, 0.0, mark=1), Piece(2.52, 3.4, mark=9), Piece(3.08, 5.92, mark=6), Piece(1.0)], \
        [Piece(1.0), Piece(9.0, 0.0), Piece(1.0)]


PROGRAMMES = [
    Programme("in time", *plain(0.0)),
    Programme("audio 40 ms late", *plain(0.04)),
    Programme("audio 125 ms early", *plain(-0.125)),
    Programme("faults", *faults()),
    Programme("variants", *switches()),
]

SMALLER = "scale=iw*0.7:-2:flags=bicubic,pad=640:360:(ow-iw)/2:(oh-ih)/2:color=0x202020"
LOW = ("-c:v", "libx264", "-preset", "ultrafast", "-crf", "30", "-c:a", "aac", "-b:a", "96k")
LOSSLESS = ("-c:v", "ffv1", "-c:a", "pcm_s16le")

RECORDINGS = [
    Recording("unchanged", 25, "null", coding=LOSSLESS, suffix="mkv"),
    Recording("50 fps", 50, "fps=50:round=up"),
    Recording("70 %, 60 fps", 60, f"{SMALLER},fps=60:round=up"),
    Recording("cropped, 30 fps", 30, "crop=iw*0.94:ih*0.94,scale=640:360,fps=30:round=up", coding=LOW),
    Recording("44.1 kHz, quiet, mono", 60, "fps=60:round=up", "volume=0.05,aresample=44100,pan=mono|c0=.5*c0+.5*c1",
              coding=LOW),
    Recording("Opus, 60 fps", 60, f"{SMALLER},fps=60:round=up",
              coding=("-c:v", "libx264", "-preset", "ultrafast", "-crf", "30", "-c:a", "libopus", "-b:a", "64k"),
              suffix="mkv", late=7),
    Recording("30 fps, blended frames", 30, f"framerate=fps=30:interp_start=0:interp_end=255:scene=100,{SMALLER}",
              unreadable=6),
    Recording(
        "camera, 60 fps", 60,
        "scale=520:-2,pad=640:360:(ow-iw)/2:(oh-ih)/2:color=0x606060,rotate=1.5*PI/180:fillcolor=0x606060,"
        "perspective=x0=12:y0=8:x1=W-4:y1=0:x2=0:y2=H-4:x3=W-14:y3=H-10:sense=destination,"
        "gblur=1.2,eq=contrast=0.55:brightness=0.08,noise=alls=12:allf=t,fps=60:round=up",
        "aresample=44100,pan=mono|c0=.2*c0+.2*c1,highpass=f=150,aeval=val(0)+0.02*(random(0)-0.5),"
        "aformat=channel_layouts=mono", coding=LOW),
    Recording("clock 200 ppm slow, 60 fps", 60, f"{SMALLER},fps=60:round=up",
              "asetrate=47990.4,aresample=48000", coding=LOW),
]


def make_film(segue, folder):
    """The film of all recordings."""
    recipes = folder / "recipes"
    recipes.mkdir(exist_ok=True)
    (recipes / "film.yaml").write_text(RECIPE)
    subprocess.run([segue, "testmedia", str(folder), "--recipes", str(recipes), "--quiet"], check=True)


def filters(programme):
    """The FFmpeg filter graph of the program."""
    graph, pictures, sounds = [], [], []
    for number, piece in enumerate(programme.pictures):
        count = round(piece.seconds * 25)
        if piece.place is not None:
            first = round(piece.place * 25)
            last = first + count
            source = MARKS.index(piece.mark) + 1 if piece.mark else 0
            graph.append(f"[{source}:v]trim=start_frame={first}:end_frame={last},setpts=PTS-STARTPTS,format=yuv420p[v{number}]")
        elif piece.still:
            graph.append(
                f"[0:v]trim=start_frame={last - 1}:end_frame={last},setpts=PTS-STARTPTS,"
                f"loop=loop={count - 1}:size=1,setpts=N/25/TB,format=yuv420p[v{number}]")
        else:
            graph.append(f"color=black:size=640x360:rate=25:duration={piece.seconds},format=yuv420p[v{number}]")
        pictures.append(f"[v{number}]")
    for number, piece in enumerate(programme.sounds):
        count = round(piece.seconds * RATE)
        if piece.place is not None:
            first = round(piece.place * RATE)
            graph.append(
                f"[0:a]atrim=start_sample={first}:end_sample={first + count},asetpts=PTS-STARTPTS[a{number}]")
        else:
            graph.append(
                f"anullsrc=r={RATE}:cl=stereo,atrim=end_sample={count},asetpts=PTS-STARTPTS[a{number}]")
        sounds.append(f"[a{number}]")
    graph.append(f"{''.join(pictures)}concat=n={len(pictures)}:v=1:a=0,fps=25[v]")
    graph.append(f"{''.join(sounds)}concat=n={len(sounds)}:v=0:a=1[a]")
    return graph


def make_recording(folder, programme, recording):
    """Makes a recording of the program; returns its path."""
    graph = filters(programme) + [f"[v]{recording.picture}[picture]", f"[a]{recording.sound}[sound]"]
    name = f"{programme.name}, {recording.name}".replace(" ", "-").replace(",", "").replace("%", "percent")
    path = folder / f"{name}.{recording.suffix}"
    files = [FILM, *(f"variant-{mark}.mkv" for mark in MARKS)]
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", *(word for file in files for word in ("-i", str(folder / file))),
         "-filter_complex", ";".join(graph),
         "-map", "[picture]", "-map", "[sound]", *recording.coding, str(path)], check=True)
    return path
