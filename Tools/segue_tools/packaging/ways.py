"""Ways in which FFmpeg, GStreamer, and Shaka Packager make correct streams; each writes into a given folder and returns
the name of the playlist.
"""

import dataclasses
import shutil
import subprocess
import typing

from segue_tools.packaging.tools import ffmpeg, launch, run

SECONDS = 24
# Rules that the packagers violate with any options.
VERSION = {"version-unneeded": "it states 6 or 7 because of tags that older versions ignore"}
CODECS = {"codecs": "its multivariant playlist has no CODECS"}
CHANNELS = {"member-channels": "audio renditions have no CHANNELS"}
SESSION = {"session-key-given": "its multivariant playlist does not contain the key that video and audio share"}
NO_MAP = {"webvtt-map": "its WebVTT has no X-TIMESTAMP-MAP"}
OPEN = {"sample-times": "with open GOPs, its segments start with two samples of one presentation time"}
ENCODED = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", 50, "-keyint_min", 50,
           "-sc_threshold", 0]
VOD = ["-f", "hls", "-hls_time", 4, "-hls_list_size", 0, "-hls_playlist_type", "vod"]
FMP4 = ["-hls_segment_type", "fmp4"]
WHOLE = ["-hls_flags", "independent_segments"]


@dataclasses.dataclass(frozen=True, eq=False)
class Way:
    """A way to make a stream.

    `make` is called with the sources and a folder. `live` marks a stream that is made while it is watched, and `true`
    maps the rules that it actually violates to the reasons.
    """

    name: str
    make: typing.Callable
    live: bool = False
    true: dict = dataclasses.field(default_factory=dict)


class Sources:
    """The sources of streams: a moving test pattern and a tone, in MP4 files that are made once."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        film = ["-bf", 2]
        self.film = self.make("film", 25, *film)
        self.small = self.make("small", 25, *film, size="160x90")
        self.ntsc = self.make("ntsc", "30000/1001", "-g", 60, "-keyint_min", 60, *film)
        self.fast = self.make("fast", 60, "-g", 120, "-keyint_min", 120)
        self.slow = self.make("slow", 10, "-g", 20, "-keyint_min", 20)
        # Two of three frames in an irregular order, each at its own time.
        self.variable = self.make(
            "variable", 30, "-vf", "select=not(eq(mod(n*7+n*n\\,5)\\,2)*not(eq(mod(n\\,60)\\,0)))", "-fps_mode", "vfr",
            "-force_key_frames", "expr:gte(t,n_forced*2)")
        self.hevc = self.make("hevc", 25, "-c:v", "libx265", "-x265-params",
                              "log-level=none:keyint=50:min-keyint=50:scenecut=0",
                              "-tag:v", "hvc1")
        self.surround = self.make("surround", 25, "-c:a", "ac3", "-ac", 6)
        self.later = self.make("later", 25, "-c:a", "aac", "-ar", 44100)
        self.words = folder / "words.vtt"
        self.words.write_text("WEBVTT\n\n" + "".join(
            f"00:00:{second:02}.500 --> 00:00:{second + 2:02}.000\nWord {second}\n\n"
            for second in range(0, SECONDS - 3, 3)))

    def make(self, name, rate, *options, size="320x180"):
        path = self.folder / f"{name}.mp4"
        ffmpeg("-f", "lavfi", "-i", f"testsrc2=size={size}:rate={rate}:duration={SECONDS}", "-f", "lavfi", "-i",
               f"sine=frequency=440:sample_rate=48000:duration={SECONDS - 0.03}", *map(str, ENCODED), "-c:a", "aac",
               *map(str, options), path)
        return path


def hls(source, *options, name="x.m3u8", codecs=("-c", "copy")):
    """FFmpeg's HLS muxer with one of the sources."""
    def make(sources, folder):
        file = getattr(sources, source)
        run("ffmpeg", "-v", "error", "-nostdin", "-y", "-i", file, *codecs, *VOD, *options, folder / name)
        return name
    return make


def variants(streams, *options):
    """FFmpeg's HLS muxer with a multivariant playlist."""
    def make(sources, folder):
        run("ffmpeg", "-v", "error", "-nostdin", "-y", "-i", sources.film, "-i", sources.small, "-i", sources.words,
            *options, *VOD, "-master_pl_name", "main.m3u8", "-hls_segment_filename", folder / "s%v-%d.ts",
            "-var_stream_map", streams, folder / "x%v.m3u8")
        return "main.m3u8"
    return make


def fragments(streams, *options):
    """The same in fMP4."""
    def make(sources, folder):
        run("ffmpeg", "-v", "error", "-nostdin", "-y", "-i", sources.film, "-i", sources.small, "-i", sources.words,
            *options, *VOD, *FMP4, "-master_pl_name", "main.m3u8", "-hls_fmp4_init_filename", "init-%v.mp4",
            "-hls_segment_filename", folder / "s%v-%d.m4s", "-var_stream_map", streams, folder / "x%v.m3u8")
        return "main.m3u8"
    return make


LADDER = ("-map", "0:v", "-map", "0:a", "-map", "1:v", "-map", "1:a", "-c", "copy")
APART = ("-map", "0:v", "-map", "1:v", "-map", "0:a", "-c", "copy")
WORDS = ("-map", "0:v", "-map", "0:a", "-map", "2:s", "-c:v", "copy", "-c:a", "copy", "-c:s", "webvtt")


def encrypted(*options):
    """FFmpeg's HLS muxer with AES-128."""
    def make(sources, folder):
        (folder / "key.bin").write_bytes(bytes(range(16)))
        (folder / "key.info").write_text(f"key.bin\n{folder / 'key.bin'}\n000102030405060708090a0b0c0d0e0f\n")
        run("ffmpeg", "-v", "error", "-nostdin", "-y", "-i", sources.film, "-c", "copy", *VOD, *options,
            "-hls_key_info_file", folder / "key.info", folder / "x.m3u8")
        return "x.m3u8"
    return make


def joined(*options):
    """Two consecutive films with a discontinuity between them."""
    def make(sources, folder):
        for source, more in ((sources.film, "omit_endlist"), (sources.later, "append_list")):
            run("ffmpeg", "-v", "error", "-nostdin", "-y", "-i", source, "-c", "copy", "-f", "hls", "-hls_time", 4,
                "-hls_list_size", 0, *options, "-hls_flags", f"independent_segments+{more}", folder / "x.m3u8")
        return "x.m3u8"
    return make


def sink(source, *tail, video=True, audio=True, element="hlssink2"):
    """GStreamer's hlssink2."""
    def make(sources, folder):
        pipe = ["filesrc", f"location={getattr(sources, source)}", "!", "qtdemux", "name=d", element, "name=s",
                "async-handling=true", "target-duration=4", "max-files=0", "playlist-length=0",
                f"location={folder}/s%05d.ts", f"playlist-location={folder}/x.m3u8", *tail]
        queue = ["queue", "max-size-time=0", "max-size-bytes=0", "max-size-buffers=0"]
        if video:
            pipe += ["d.video_0", "!", *queue, "!", "h264parse", "!", "s.video"]
        if audio:
            pipe += ["d.audio_0", "!", *queue, "!", "aacparse", "!", "s.audio"]
        launch(*pipe)
        return "x.m3u8"
    return make


# The program of Shaka Packager, which a user may name.
SHAKA: list = [None]


def shaka(*streams, options=()):
    """Shaka Packager; `{film}` and similar placeholders are the sources, `{out}` is the folder."""
    def make(sources, folder):
        names = {name: getattr(sources, name) for name in ("film", "small", "surround", "hevc", "words", "ntsc")}
        run(SHAKA[0], *[stream.format(out=folder, **names) for stream in streams], "--hls_master_playlist_output",
            folder / "main.m3u8", "--segment_duration", "4", *options)
        return "main.m3u8"
    return make


SHAKA[0] = None
MP4_VIDEO = ("in={film},stream=video,init_segment={out}/v-init.mp4,"
             "segment_template={out}/v-$Number$.m4s,playlist_name=v.m3u8")
MP4_SMALL = ("in={small},stream=video,init_segment={out}/w-init.mp4,"
             "segment_template={out}/w-$Number$.m4s,playlist_name=w.m3u8")
MP4_SOUND = ("in={film},stream=audio,init_segment={out}/a-init.mp4,"
             "segment_template={out}/a-$Number$.m4s,playlist_name=a.m3u8,"
             "hls_group_id=a,hls_name=a")
TS_VIDEO = "in={film},stream=video,segment_template={out}/v-$Number$.ts,playlist_name=v.m3u8"
PACKED = "in={film},stream=audio,segment_template={out}/a-$Number$.aac,playlist_name=a.m3u8,hls_group_id=a,hls_name=a"
TEXT = "in={words},stream=text,segment_template={out}/t-$Number$.vtt,playlist_name=t.m3u8,hls_group_id=t,hls_name=t"
KEYS = ("--enable_raw_key_encryption", "--keys",
        "label=:key_id=00112233445566778899aabbccddeeff:key=000102030405060708090a0b0c0d0e0f",
        "--protection_scheme", "cbcs", "--hls_key_uri", "skd://key", "--clear_lead", "0")


def live(source, *options):
    """FFmpeg in real time, without an end, as a live window."""
    def start(sources, folder):
        return subprocess.Popen(
            ["ffmpeg", "-v", "error", "-nostdin", "-y", "-re", "-stream_loop", "-1", "-i",
             str(getattr(sources, source)), "-c",
             "copy", "-f", "hls", "-hls_time", "2", "-hls_list_size", "6", "-hls_delete_threshold", "10",
             *map(str, options),
             str(folder / "x.m3u8")], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
             stderr=subprocess.DEVNULL), "x.m3u8"
    return start


def ffmpeg_ways():
    for source in ("film", "ntsc", "fast", "slow", "variable", "surround", "later"):
        yield Way(f"FFmpeg TS {source}", hls(source, *WHOLE), true=VERSION)
        yield Way(f"FFmpeg fMP4 {source}", hls(source, *FMP4, *WHOLE), true=VERSION)
    yield Way("FFmpeg fMP4 hevc", hls("hevc", *FMP4, *WHOLE), true=VERSION | OPEN)
    yield Way("FFmpeg TS byte ranges", hls("film", "-hls_flags", "independent_segments+single_file"), true=VERSION)
    yield Way("FFmpeg fMP4 byte ranges", hls("film", *FMP4, "-hls_flags", "independent_segments+single_file"),
              true=VERSION)
    yield Way("FFmpeg TS plain", hls("film"))
    yield Way("FFmpeg TS dates", hls("film", "-hls_flags", "independent_segments+program_date_time"), true=VERSION)
    yield Way("FFmpeg TS numbers from 7", hls("film", *WHOLE, "-start_number", 7), true=VERSION)
    yield Way("FFmpeg TS by size", hls("film", *WHOLE, "-hls_segment_size", 200_000), true=VERSION)
    yield Way("FFmpeg TS late start", hls("film", *WHOLE, "-hls_start_number_source", "generic", "-hls_init_time", 2),
              true=VERSION)
    yield Way("FFmpeg TS wraps", hls("film", *WHOLE, "-output_ts_offset", 95432), true=VERSION)
    yield Way("FFmpeg TS video only", hls("film", *WHOLE, codecs=("-c", "copy", "-an")), true=VERSION)
    yield Way("FFmpeg fMP4 video only", hls("film", *FMP4, *WHOLE, codecs=("-c", "copy", "-an")), true=VERSION)
    yield Way("FFmpeg TS audio only", hls("film", *WHOLE, codecs=("-c", "copy", "-vn")), true=VERSION)
    yield Way("FFmpeg fMP4 audio only", hls("film", *FMP4, *WHOLE, codecs=("-c", "copy", "-vn")), true=VERSION)
    yield Way("FFmpeg TS MP3", hls("film", *WHOLE, codecs=("-vn", "-c:a", "libmp3lame")), true=VERSION)
    yield Way("FFmpeg fMP4 FLAC", hls("film", *FMP4, *WHOLE, codecs=("-vn", "-c:a", "flac", "-strict", "experimental")),
              true=VERSION)
    yield Way("FFmpeg fMP4 Apple Lossless", hls("film", *FMP4, *WHOLE, codecs=("-vn", "-c:a", "alac")), true=VERSION)
    yield Way("FFmpeg TS AES-128", encrypted(*WHOLE), true=VERSION)
    yield Way("FFmpeg TS AES-128, keys change", encrypted("-hls_flags", "independent_segments+periodic_rekey"),
              true=VERSION)
    yield Way("FFmpeg TS ladder", variants("v:0,a:0 v:1,a:1", *LADDER, *WHOLE), true=VERSION | CODECS)
    yield Way("FFmpeg fMP4 ladder", fragments("v:0,a:0 v:1,a:1", *LADDER, *WHOLE), true=VERSION | CODECS)
    yield Way("FFmpeg TS separate audio", variants("v:0,agroup:a v:1,agroup:a a:0,agroup:a,default:yes", *APART,
                                                   *WHOLE),
              true=VERSION | CODECS | CHANNELS)
    yield Way("FFmpeg fMP4 separate audio", fragments("v:0,agroup:a v:1,agroup:a a:0,agroup:a,default:yes", *APART,
                                                      *WHOLE),
              true=VERSION | CODECS | CHANNELS)
    yield Way("FFmpeg TS WebVTT", variants("v:0,a:0,s:0,sgroup:s", *WORDS, *WHOLE),
              true=VERSION | CODECS | NO_MAP | {"same-type": "its subtitle playlist has no type, that of video is VOD"})
    yield Way("FFmpeg TS discontinuity", joined(), true=VERSION)
    yield Way("FFmpeg TS event", lambda sources,
              folder: hls("film", "-hls_playlist_type", "event", *WHOLE)(sources, folder),
              true=VERSION)
    yield Way("FFmpeg live TS", live("film", "-hls_flags", "delete_segments+independent_segments"), live=True,
              true=VERSION)
    yield Way("FFmpeg live fMP4", live("film", *FMP4, "-hls_flags", "delete_segments+independent_segments"),
              live=True, true=VERSION)
    yield Way("FFmpeg live TS dates",
              live("film", "-hls_flags", "delete_segments+independent_segments+program_date_time"), live=True,
              true=VERSION)
    yield Way("FFmpeg live TS unbounded", live("ntsc", "-hls_flags", "independent_segments"), live=True, true=VERSION)
    yield Way("FFmpeg live event", live("film", "-hls_list_size", 0, "-hls_playlist_type", "event", *WHOLE),
              live=True, true=VERSION)
    yield Way("FFmpeg live audio only", live("film", "-vn", "-hls_flags", "delete_segments+independent_segments"),
              live=True, true=VERSION)


def gstreamer_ways():
    if not shutil.which("gst-launch-1.0"):
        return
    for source in ("film", "fast", "slow", "later"):
        yield Way(f"GStreamer TS {source}", sink(source))
    yield Way("GStreamer TS ntsc", sink("ntsc"), true={"parameters-there": "its second segment has no parameter sets"})
    yield Way("GStreamer TS video only", sink("film", audio=False))
    yield Way("GStreamer TS audio only", sink("film", video=False))
    yield Way("GStreamer TS short segments", sink("film", "target-duration=2"))


def shaka_ways():
    if not SHAKA[0]:
        return
    yield Way("Shaka fMP4", shaka(MP4_VIDEO, MP4_SOUND))
    yield Way("Shaka fMP4 ladder", shaka(MP4_VIDEO, MP4_SMALL, MP4_SOUND))
    yield Way("Shaka fMP4 hevc", shaka(MP4_VIDEO.replace("{film}", "{hevc}"), MP4_SOUND))
    yield Way("Shaka fMP4 ntsc", shaka(MP4_VIDEO.replace("{film}", "{ntsc}"), MP4_SOUND))
    yield Way("Shaka TS packed audio", shaka(TS_VIDEO, PACKED), true=VERSION)
    yield Way("Shaka TS packed AC-3", shaka(TS_VIDEO, PACKED.replace("{film}", "{surround}").replace(".aac", ".ac3")),
              true=VERSION)
    yield Way("Shaka byte ranges", shaka("in={film},stream=video,output={out}/v.mp4,playlist_name=v.m3u8",
                                         "in={film},stream=audio,output={out}/a.mp4,playlist_name=a.m3u8,hls_group_id=a,hls_name=a"))
    yield Way("Shaka I-frames", shaka(MP4_VIDEO + ",iframe_playlist_name=i.m3u8", MP4_SOUND), true=VERSION)
    yield Way("Shaka WebVTT", shaka(MP4_VIDEO, MP4_SOUND, TEXT), true=VERSION | NO_MAP)
    yield Way("Shaka video only", shaka(MP4_VIDEO))
    yield Way("Shaka event", shaka(MP4_VIDEO, MP4_SOUND, options=("--hls_playlist_type", "EVENT")))
    yield Way("Shaka TS dates", shaka(TS_VIDEO, PACKED, options=("--add_program_date_time",)),
              true=VERSION | {"date-time-agrees": "its audio is dated one day later"})
    yield Way("Shaka fMP4 encrypted", shaka(MP4_VIDEO, MP4_SOUND, options=KEYS), true=SESSION)
    yield Way("Shaka TS encrypted", shaka(TS_VIDEO, PACKED, options=KEYS), true=VERSION | SESSION)
    yield Way("Shaka short segments", shaka(MP4_VIDEO, MP4_SOUND, options=("--segment_duration", "2")))


def ways():
    """All ways of the installed packagers."""
    return [*ffmpeg_ways(), *gstreamer_ways(), *shaka_ways()]
