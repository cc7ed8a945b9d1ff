"""The correct presentations, which FFmpeg makes of test video and a tone: muxed, ladders with separate audio, byte
ranges, AES-128, and IMSC text.
"""

import json
import shutil
import subprocess

from segue_tools.media import ffmpeg, lavfi, picture
from segue_tools.planted import timedtext

SECONDS = 24
# A little less, so that the last audio frame does not become a segment.
SOUND = SECONDS - 0.03
MASTER = """#EXTM3U
#EXT-X-VERSION:7
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-STREAM-INF:BANDWIDTH={peak},AVERAGE-BANDWIDTH={mean},CODECS="avc1.64001e,mp4a.40.2",RESOLUTION=320x180,FRAME-RATE=25.000
index.m3u8
"""
LADDER = """#EXTM3U
#EXT-X-VERSION:7
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="1",URI="en.m3u8"
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="Deutsch",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=YES,CHANNELS="1",URI="de.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="words",NAME="English",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="words.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH={low_peak},AVERAGE-BANDWIDTH={low_mean},CODECS="avc1.64001e,mp4a.40.2",RESOLUTION=320x180,FRAME-RATE=25.000,AUDIO="sound",SUBTITLES="words",CLOSED-CAPTIONS=NONE
low.m3u8
#EXT-X-STREAM-INF:BANDWIDTH={high_peak},AVERAGE-BANDWIDTH={high_mean},CODECS="avc1.64001e,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=25.000,AUDIO="sound",SUBTITLES="words",CLOSED-CAPTIONS=NONE
high.m3u8
#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH={pictures},CODECS="avc1.64001e",RESOLUTION=320x180,URI="pictures.m3u8"
"""
BREAK = """#EXTM3U
#EXT-X-VERSION:6
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-STREAM-INF:BANDWIDTH={low_peak},AVERAGE-BANDWIDTH={low_mean},CODECS="avc1.64001e,mp4a.40.2",RESOLUTION=320x180,FRAME-RATE=25.000
low.m3u8
#EXT-X-STREAM-INF:BANDWIDTH={high_peak},AVERAGE-BANDWIDTH={high_mean},CODECS="avc1.64001e,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=25.000
high.m3u8
"""
X264 = ["-c:v", "libx264", "-preset", "veryfast", "-g", 50, "-keyint_min", 50, "-sc_threshold", 0, "-bf", 2,
        "-profile:v", "high", "-level", "3.0", "-pix_fmt", "yuv420p"]


def segments(playlist):
    """The seconds and the bits of each segment of a playlist on the disk."""
    lines = playlist.read_text().splitlines()
    found, seconds, size = [], 0.0, None
    for line in lines:
        if line.startswith("#EXTINF:"):
            seconds = float(line.split(":")[1].rstrip(","))
        elif line.startswith("#EXT-X-BYTERANGE"):
            size = int(line.split(":")[1].split("@")[0])
        elif line and not line.startswith("#"):
            found.append((seconds, 8 * (size or (playlist.parent / line).stat().st_size)))
            size = None
    # A segment of no duration has no rate.
    return [(seconds, bits) for seconds, bits in found if seconds >= 1]


def rates(*playlists):
    """The maximum and the mean bit rate of playlists that are played together."""
    peak = sum(max(bits / seconds for seconds, bits in segments(playlist)) for playlist in playlists)
    mean = sum(sum(bits for _, bits in segments(playlist)) / sum(seconds for seconds, _ in segments(playlist))
               for playlist in playlists)
    return int(peak), int(mean)


def package(clip, home, name, kind, *options, flags="independent_segments"):
    """Cuts a clip into a playlist of a name and its segments."""
    ending = ["-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", f"{name}-init.mp4"] if kind == "fmp4" else []
    suffix = "m4s" if kind == "fmp4" else "ts"
    ffmpeg("-i", clip, "-c", "copy", "-f", "hls", "-hls_time", 6, *options, "-hls_list_size", 0,
           "-hls_playlist_type", "vod", "-hls_flags", flags, *ending,
           "-hls_segment_filename", f"{name}%d.{suffix}", f"{name}.m3u8", cwd=home)


def first_time(path):
    """The first presentation time in a file, in ticks of 90 kHz."""
    done = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "stream=start_time", "-of", "json", str(path)],
                          check=True, capture_output=True, text=True)
    return round(float(json.loads(done.stdout)["streams"][0]["start_time"]) * 90000)


def pictures(folder, home, kind):
    """A playlist of frames, each a segment of its own."""
    package(folder / "pictures.mp4", home, "pictures", kind, "-hls_time", 2)
    playlist = home / "pictures.m3u8"
    text = playlist.read_text().replace("#EXT-X-INDEPENDENT-SEGMENTS", "#EXT-X-I-FRAMES-ONLY", 1)
    playlist.write_text(text)


def words(home, start):
    """Subtitles in segments of 6 s with a cue in each."""
    lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:6", "#EXT-X-MEDIA-SEQUENCE:0",
             "#EXT-X-PLAYLIST-TYPE:VOD"]
    for number in range(SECONDS // 6):
        begin = number * 6 + 1
        (home / f"words{number}.vtt").write_text(
            f"WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:{start},LOCAL:00:00:00.000\n\n"
            f"00:00:{begin:02}.000 --> 00:00:{begin + 2:02}.000\nWord {number}\n\n")
        lines += ["#EXTINF:6.000000,", f"words{number}.vtt"]
    (home / "words.m3u8").write_text("\n".join([*lines, "#EXT-X-ENDLIST", ""]))


def ladder(folder, kind):
    home = folder / f"ladder-{kind}"
    home.mkdir()
    package(folder / "low.mp4", home, "low", kind, "-an")
    package(folder / "high.mp4", home, "high", kind, "-an")
    package(folder / "low.mp4", home, "en", kind, "-vn")
    package(folder / "low.mp4", home, "de", kind, "-vn")
    pictures(folder, home, kind)
    words(home, first_time(home / "low0.ts") if kind == "ts" else 0)
    low, high = (rates(home / f"{name}.m3u8", home / "en.m3u8") for name in ("low", "high"))
    (home / "master.m3u8").write_text(LADDER.format(low_peak=low[0], low_mean=low[1], high_peak=high[0],
                                                    high_mean=high[1],
                                                    pictures=rates(home / "pictures.m3u8")[0]))


def advertisement(home, name, *options):
    """An advertisement of one segment of 6 s for a variant; the options may change its coding."""
    size = {"low": "320x180", "high": "640x360"}[name]
    clip = home / "ad.mp4"
    ffmpeg(*picture("640x360", 25, source="mandelbrot"),
           *lavfi("sine=frequency=880:sample_rate=48000:duration=5.97"), "-vf", f"scale={size}", *X264,
           "-c:a", "aac", "-t", 6, *options, clip)
    package(clip, home, f"{name}-ad", "ts")
    clip.unlink()


def with_break(folder):
    """Two multiplexed variants with an advertisement between two parts of a film."""
    home = folder / "break"
    home.mkdir()
    for name in ("low", "high"):
        package(folder / f"{name}.mp4", home, name, "ts")
        advertisement(home, name)
        mark = "#EXT-X-DISCONTINUITY\n"
        playlist = home / f"{name}.m3u8"
        before, after = playlist.read_text().split(f"{name}1.ts\n")
        playlist.write_text(f"{before}{name}1.ts\n{mark}#EXTINF:6.000000,\n{name}-ad0.ts\n{mark}{after}")
    low, high = (rates(home / f"{name}.m3u8") for name in ("low", "high"))
    (home / "master.m3u8").write_text(BREAK.format(low_peak=low[0], low_mean=low[1], high_peak=high[0],
                                                   high_mean=high[1]))


def muxed(folder, name, *options):
    home = folder / name
    home.mkdir()
    ffmpeg("-i", folder / "low.mp4", "-c", "copy", "-f", "hls", "-hls_time", 6, "-hls_playlist_type", "vod",
           *options, "index.m3u8", cwd=home)
    peak, mean = rates(home / "index.m3u8")
    (home / "master.m3u8").write_text(MASTER.format(peak=peak, mean=mean))
    return home


def imsc(folder):
    """The muxed presentation in fragmented MP4 with IMSC text beside it."""
    home = folder / "imsc"
    shutil.copytree(folder / "fmp4", home)
    timedtext.write(home, lambda start: start)
    tag = ('#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="text",NAME="English",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,'
           'FORCED=NO,URI="text.m3u8"\n#EXT-X-STREAM')
    text = (home / "master.m3u8").read_text().replace("#EXT-X-STREAM", tag, 1)
    text = text.replace('mp4a.40.2"', 'mp4a.40.2,stpp.ttml.im1t",SUBTITLES="text"', 1)
    (home / "master.m3u8").write_text(text)


def make(folder):
    """Makes all presentations, each in a folder of its name."""
    for name, size in (("low", "320x180"), ("high", "640x360")):
        # The pattern differs between sizes, so both are scaled.
        ffmpeg(*picture("640x360", 25, SECONDS), *lavfi(f"sine=frequency=440:sample_rate=48000:duration={SOUND}"),
               "-vf", f"scale={size}", *X264, "-c:a", "aac", folder / f"{name}.mp4")
    ffmpeg(*picture("320x180", "1/2", SECONDS), *X264, "-g", 1, "-bf", 0, folder / "pictures.mp4")
    muxed(folder, "ts", "-hls_flags", "independent_segments")
    muxed(folder, "fmp4", "-hls_flags", "independent_segments", "-hls_segment_type", "fmp4")
    muxed(folder, "range", "-hls_flags", "independent_segments+single_file", "-hls_segment_type", "fmp4")
    (folder / "key.bin").write_bytes(bytes(range(16)))
    (folder / "key.info").write_text(f"key.bin\n{folder / 'key.bin'}\n000102030405060708090a0b0c0d0e0f\n")
    home = muxed(folder, "aes", "-hls_flags", "independent_segments", "-hls_key_info_file", folder / "key.info")
    (home / "key.bin").write_bytes((folder / "key.bin").read_bytes())
    for kind in ("ts", "fmp4"):
        ladder(folder, kind)
    imsc(folder)
    with_break(folder)
