"""Media that FFmpeg makes for the tools."""

import pathlib
import subprocess
from collections.abc import Callable

from segue_tools.launch import fail


def ffmpeg(*arguments: object, cwd: object = None) -> None:
    """Runs FFmpeg quietly, and ends the tool if it fails."""
    words = ["ffmpeg", "-nostdin", "-v", "error", "-y", *map(str, arguments)]
    done = subprocess.run(words, cwd=None if cwd is None else str(cwd), stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        fail(f"ffmpeg ended with {done.returncode}: {done.stderr.strip()[-1000:]}", 2)


def picture(size: str = "320x180", rate: object = 25, seconds: float | None = None,
            source: str = "testsrc2") -> list[str]:
    """Returns the input of a moving test pattern."""
    return lavfi(f"{source}=size={size}:rate={rate}" + ("" if seconds is None else f":duration={seconds}"))


def lavfi(source: str) -> list[str]:
    """Returns a made input."""
    return ["-f", "lavfi", "-i", source]


def noise(seed: int = 1, seconds: float | None = None, rate: int = 44100) -> list[str]:
    """Returns the input of audio in which no two pieces are alike."""
    length = "" if seconds is None else f":duration={seconds}"
    return lavfi(f"anoisesrc=color=pink:sample_rate={rate}:amplitude=0.3:seed={seed}{length}")


H264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"]


def repeated(part: object, times: int, *targets: object) -> None:
    """Repeats a file without re-encoding it."""
    for target in targets:
        ffmpeg("-stream_loop", max(0, times - 1), "-i", part, "-c", "copy", target)


def songs_and_films(folder: pathlib.Path, first: int, end: int, seconds: Callable[[int], float],
                    is_film: Callable[[int], bool], size: str = "320x180", rate: int = 25,
                    coding: tuple[str, ...] = ("-b:a", "96k"), video: tuple[str, ...] = (),
                    name: Callable[[int], str] = str) -> None:
    """Makes songs (m4a) and small films (mp4) of different audio and length, by number."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(first, end):
        film = [*picture(size, rate), "-shortest", *H264, *video] if is_film(number) else []
        path = folder / f"{name(number)}.{'mp4' if film else 'm4a'}"
        ffmpeg(*film[:4], *noise(number, seconds(number)), *film[4:], "-c:a", "aac", *coding, path)
