"""Titles for measuring players, made by FFmpeg: video and audio of constant bit rate, segmented as their names
indicate.
"""

import dataclasses
import pathlib
import shutil
import subprocess

from segue_tools.measuring.places import Rendition

SECONDS = 96
SOUND = 64


@dataclasses.dataclass(frozen=True)
class Title:
    """A title: the bit rates of its variants in kbit/s, in the listed order."""

    name: str
    rates: tuple
    segment: int
    container: str = "ts"
    is_apart: bool = False
    in_ranges: bool = False
    is_live: bool = False

    @property
    def entry(self):
        return "v0/index.m3u8" if len(self.rates) == 1 and not self.is_apart else "index.m3u8"


TITLES = {title.name: title for title in [
    Title("ts-2s-700", (700,), 2),
    Title("ts-10s-500", (500,), 10),
    Title("ts-4s-300-800-1600", (300, 800, 1600), 4),
    Title("ts-4s-800-300-1600-3000", (800, 300, 1600, 3000), 4),
    Title("fmp4-10s-1500-500", (1500, 500), 10, "fmp4"),
    Title("fmp4-4s-600", (600,), 4, "fmp4"),
    Title("fmp4-4s-apart-300-1000", (300, 1000), 4, "fmp4", is_apart=True),
    Title("ts-2s-apart-500", (500,), 2, is_apart=True),
    Title("ts-4s-ranges-600", (600,), 4, in_ranges=True),
    Title("fmp4-6s-apart-ranges-700", (700,), 6, "fmp4", is_apart=True, in_ranges=True),
    Title("ts-2s-live-450", (450,), 2, is_live=True),
    Title("ts-3s-900", (900,), 3),
    Title("fmp4-6s-450", (450,), 6, "fmp4"),
    Title("ts-6s-400-1200-2400", (400, 1200, 2400), 6),
    Title("fmp4-5s-apart-500-1500", (500, 1500), 5, "fmp4", is_apart=True),
    Title("ts-5s-1100", (1100,), 5),
    Title("fmp4-3s-apart-600-1800", (600, 1800), 3, "fmp4", is_apart=True),
    Title("ts-7s-700-1900", (700, 1900), 7),
    Title("fmp4-8s-350", (350,), 8, "fmp4"),
]}


def make(title, folder):
    """Makes a title in its own folder unless it exists; returns its path."""
    path = pathlib.Path(folder) / title.name
    if path.exists():
        return path
    making = path.with_suffix(".making")
    shutil.rmtree(making, ignore_errors=True)
    for number, rate in enumerate(title.rates):
        cut(title, making / f"v{number}", rate, has_sound=not title.is_apart)
    if title.is_apart:
        cut(title, making / "s", None)
    if title.entry == "index.m3u8":
        (making / "index.m3u8").write_text(multivariant(title, making))
    making.rename(path)
    return path


def cut(title, folder, rate, has_sound=True):
    """Makes a rendition: video of a bit rate with audio, or audio only without a rate."""
    folder.mkdir(parents=True)
    command = ["ffmpeg", "-v", "error", "-nostdin"]
    if rate:
        pictures = rate - (SOUND if has_sound else 0)
        command += ["-f", "lavfi", "-i", f"testsrc2=size=320x180:rate=25:duration={SECONDS},noise=alls=25:allf=t"]
    if has_sound or not rate:
        command += ["-f", "lavfi", "-i",
                    f"anoisesrc=color=pink:seed=1:duration={SECONDS}:sample_rate=48000:amplitude=0.3"]
        command += ["-c:a", "aac", "-b:a", f"{SOUND}k"]
    if rate:
        interval = 25 * title.segment
        command += [
            "-c:v", "libx264", "-preset", "ultrafast", "-threads", "1", "-pix_fmt", "yuv420p", "-g", str(interval),
            "-keyint_min", str(interval), "-sc_threshold", "0", "-b:v", f"{pictures}k", "-minrate", f"{pictures}k",
            "-maxrate", f"{pictures}k", "-bufsize", f"{pictures}k", "-x264-params", "nal-hrd=cbr"]
    command += ["-f", "hls", "-hls_time", str(title.segment), "-hls_playlist_type", "vod"]
    command += ["-hls_segment_type", "fmp4" if title.container == "fmp4" else "mpegts"]
    if title.in_ranges:
        command += ["-hls_flags", "single_file"]
    else:
        command += ["-hls_segment_filename", "%d.m4s" if title.container == "fmp4" else "%d.ts"]
    subprocess.run([*command, "index.m3u8"], cwd=folder, check=True)


def peak(folder, least):
    """The bit rate of a rendition's largest segment of a duration."""
    return max(8 * segment.size / segment.seconds for segment in Rendition(folder).segments if segment.seconds >= least)


def multivariant(title, folder):
    lines = ["#EXTM3U"]
    sound, group = 0, ""
    if title.is_apart:
        sound, group = peak(folder / "s", title.segment / 2), ',AUDIO="sound"'
        lines.append('#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="sound",DEFAULT=YES,AUTOSELECT=YES,URI="s/index.m3u8"')
    for number in range(len(title.rates)):
        bandwidth = round(peak(folder / f"v{number}", title.segment / 2) + sound)
        lines.append(f'#EXT-X-STREAM-INF:BANDWIDTH={bandwidth},CODECS="avc1.42c00d,mp4a.40.2",RESOLUTION=320x180{group}')
        lines.append(f"v{number}/index.m3u8")
    return "\n".join(lines) + "\n"
