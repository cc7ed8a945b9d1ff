"""Correct streams with what few packagers write: byte-range I-frames, advertisements of another profile, and others.

FFmpeg and Shaka Packager make the media; the multivariant playlists are written here.
"""

import json
import re
import shutil

from segue_tools.packaging.tools import ffmpeg, run
from segue_tools.packaging.ways import ENCODED, FMP4, OPEN, SECONDS, SHAKA, VOD, WHOLE, Way
from segue_tools.planted.livestreams import PART, TARGET, fragments
from segue_tools.planted.streams import rates

TRUE_VERSION = {"version-unneeded": "it states 6 or 7 because of tags that older versions ignore"}
PROFILES = {"Constrained Baseline": "42c0", "Baseline": "4200", "Main": "4d40", "High": "6400"}


def media(source, folder, name, *options, kind="ts", codecs=("-c", "copy")):
    """FFmpeg's playlist of a file, with its segments; returns its name."""
    ending = [*FMP4, "-hls_fmp4_init_filename", f"{name}-init.mp4"] if kind == "fmp4" else []
    ranges = any("single_file" in str(option) for option in options)
    suffix = "m4s" if kind == "fmp4" else "ts"
    pattern = f"{name}.{suffix}" if ranges else f"{name}-%d.{suffix}"
    flags = [] if "-hls_flags" in options else WHOLE
    ffmpeg("-i", source, *codecs, *VOD, *flags, *options, *ending, "-hls_segment_filename", folder / pattern,
           folder / f"{name}.m3u8")
    return f"{name}.m3u8"


def codec(path):
    """The codecs of a file, as CODECS states them."""
    streams = json.loads(run("ffprobe", "-v", "error", "-show_streams", "-of", "json", path))["streams"]
    words = []
    for stream in streams:
        if stream["codec_name"] == "h264":
            words.append(f"avc1.{PROFILES[stream['profile']]}{stream['level']:02x}")
        elif stream["codec_name"] == "hevc":
            # Main 10 or Main, compatible with what ffprobe names, of the main tier.
            ten = stream["profile"] == "Main 10"
            words.append(f"hvc1.{2 if ten else 1}.{4 if ten else 6}.L{stream['level']}.90")
        elif stream["codec_name"] in ("aac", "ac3"):
            words.append({"aac": "mp4a.40.2", "ac3": "ac-3"}[stream["codec_name"]])
    return words


def variant(folder, playlist, codecs, *others, **attributes):
    """The lines of a variant; `others` are the playlists that are played with it."""
    peak, mean = rates(folder / playlist, *[folder / other for other in others])
    more = "".join(f",{name.replace('_', '-')}={value}" for name, value in attributes.items())
    return (f"#EXT-X-STREAM-INF:BANDWIDTH={peak},AVERAGE-BANDWIDTH={mean},CODECS=\"{','.join(codecs)}\"{more}\n"
            f"{playlist}\n")


def rendition(group, name, uri, kind="AUDIO", language="en", more=""):
    channels = ',CHANNELS="1"' if kind == "AUDIO" and "CHANNELS" not in more else ""
    default = "YES" if language == "en" else "NO"
    return (f'#EXT-X-MEDIA:TYPE={kind},GROUP-ID="{group}",NAME="{name}",LANGUAGE="{language}",DEFAULT={default},'
            f'AUTOSELECT=YES{channels}{more},URI="{uri}"\n')


def master(folder, *lines, version=6):
    (folder / "main.m3u8").write_text(f"#EXTM3U\n#EXT-X-VERSION:{version}\n" + "".join(lines))
    return "main.m3u8"


def edited(folder, name, change):
    path = folder / name
    before = path.read_text()
    after = change(before)
    assert after != before, f"{name} has nothing to be changed"
    path.write_text(after)


SIZE = {"RESOLUTION": "320x180", "FRAME_RATE": "25.000"}


def frames_in_ranges(kind):
    """An I-frame playlist whose frames are byte ranges of one file."""
    def make(sources, folder):
        name = media(sources.film, folder, "x", kind=kind)
        suffix = "m4s" if kind == "fmp4" else "ts"
        ffmpeg("-i", sources.film, "-vf", "fps=0.5", "-an", *ENCODED[:-6], "-g", 1, *VOD, "-hls_time", 0.5,
               *([*FMP4, "-hls_fmp4_init_filename", "f-init.mp4"] if kind == "fmp4" else []), "-hls_segment_filename",
               folder / f"f-%d.{suffix}", folder / "frames.m3u8")
        whole = b""

        def ranged(match):
            nonlocal whole
            path = folder / match[2]
            data, start = path.read_bytes(), len(whole)
            whole += data
            path.unlink()
            return f"{match[1]}#EXT-X-BYTERANGE:{len(data)}@{start}\nframes.{suffix}\n"
        edited(folder, "frames.m3u8", lambda text: re.sub("(#EXTINF.*\n)(.*)\n", ranged, re.sub(
            "VERSION:.*", "VERSION:7\n#EXT-X-I-FRAMES-ONLY", text)))
        (folder / f"frames.{suffix}").write_bytes(whole)
        probe = folder / "probe"
        probe.write_bytes(((folder / "f-init.mp4").read_bytes() if kind == "fmp4" else b"") + whole)
        peak, mean = rates(folder / "frames.m3u8")
        frames = (f'#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH={peak},AVERAGE-BANDWIDTH={mean},RESOLUTION=320x180,'
                  f'CODECS="{codec(probe)[0]}",URI="frames.m3u8"\n')
        return master(folder, variant(folder, name, codec(sources.film), **SIZE), frames, version=7)
    return make


def old_clock(sources, folder):
    """Program dates of 1970."""
    name = media(sources.film, folder, "x", "-hls_flags", "independent_segments+program_date_time")
    number = iter(range(100))
    edited(folder, name, lambda text: re.sub(
        "#EXT-X-PROGRAM-DATE-TIME:.*",
        lambda _: f"#EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:00:{4 * next(number):02}.000+00:00", text))
    return name


def advertisement(sources, folder):
    """A break of 8 s with SCTE-35, whose video has another size and another profile, between two parts of a film."""
    film, ad = media(sources.film, folder, "x"), folder / "ad.mp4"
    ffmpeg("-f", "lavfi", "-i", "smptebars=size=480x270:rate=25:duration=8", "-f", "lavfi", "-i",
           "sine=frequency=880:sample_rate=48000:duration=7.97", "-c:v", "libx264", "-profile:v", "high", "-bf", 2,
           *ENCODED[4:], "-c:a", "aac", ad)
    media(ad, folder, "ad")
    entries = re.findall("#EXTINF:.*\n.*\n", (folder / "ad.m3u8").read_text())

    def with_break(text):
        head, *rest = re.split("(?=#EXTINF)", text.replace("#EXT-X-ENDLIST\n", ""))
        def date(seconds):
            return f"#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:{seconds:02}.000Z\n"
        cue = ('#EXT-X-DATERANGE:ID="ad-1",START-DATE="2026-01-01T00:00:08.000Z",PLANNED-DURATION=8.0,'
               'SCTE35-OUT=0xFC302000000000000000FFF00F05000000017FFFFE000AFC80FEFFFF00010000000054B2E0F4\n')
        return (head + cue + date(0) + "".join(rest[:2]) + "#EXT-X-DISCONTINUITY\n" + date(8) + "".join(entries)
                + "#EXT-X-DISCONTINUITY\n" + date(16) + "".join(rest[2:]) + "#EXT-X-ENDLIST\n")
    edited(folder, film, with_break)
    return film


def groups(sources, folder):
    """Two codecs and two languages of audio, each in a group of its own."""
    names = [media(sources.film, folder, "video", "-an", kind="fmp4"),
             *[media(sources.film, folder, name, "-vn", kind="fmp4") for name in ("en", "de")],
             *[media(sources.surround, folder, name, "-vn", kind="fmp4") for name in ("en6", "de6")]]
    video = codec(sources.film)[:1]
    return master(
        folder, rendition("aac", "English", names[1]), rendition("aac", "Deutsch", names[2], language="de"),
        rendition("ac3", "English", names[3], more=',CHANNELS="6"'),
        rendition("ac3", "Deutsch", names[4], language="de", more=',CHANNELS="6"'),
        variant(folder, names[0], [*video, "mp4a.40.2"], names[1], **SIZE, AUDIO='"aac"'),
        variant(folder, names[0], [*video, "ac-3"], names[3], **SIZE, AUDIO='"ac3"'), version=7)


def one_variant(sources, folder):
    return master(folder, variant(folder, media(sources.film, folder, "x"), codec(sources.film), **SIZE))


def defined(sources, folder):
    """Variables with values, imported ones, and one from the query of the playlist's own address."""
    name = media(sources.film, folder, "x")
    line = variant(folder, name, codec(sources.film), **SIZE).replace(name, "{$list}.m3u8?n={$number}")
    edited(folder, name, lambda text: re.sub("^x-", "{$part}-", text.replace(
        "#EXTM3U\n", '#EXTM3U\n#EXT-X-DEFINE:IMPORT="part"\n').replace("VERSION:6", "VERSION:8"), flags=re.M))
    return master(folder, '#EXT-X-DEFINE:NAME="part",VALUE="x"\n#EXT-X-DEFINE:NAME="list",VALUE="x"\n',
                  '#EXT-X-DEFINE:QUERYPARAM="number"\n', line, version=11) + "?number=7"


def redirected(sources, folder):
    """Segments and playlist behind redirects to signed addresses."""
    name = media(sources.film, folder, "x")
    line = variant(folder, name, codec(sources.film), **SIZE)
    edited(folder, name, lambda text: re.sub("^x-", f"/redirected/{folder.name}/x-", text, flags=re.M))
    return master(folder, line.replace(f"\n{name}", f"\n/redirected/{folder.name}/{name}"))


def steered(sources, folder):
    """Content steering between two pathways."""
    name = media(sources.film, folder, "x")
    shutil.copy(folder / name, folder / "y.m3u8")
    (folder / "steering.json").write_text('{"VERSION": 1, "TTL": 300, "PATHWAY-PRIORITY": ["B", "A"]}')
    return master(folder, '#EXT-X-CONTENT-STEERING:SERVER-URI="steering.json",PATHWAY-ID="A"\n',
                  variant(folder, name, codec(sources.film), **SIZE, PATHWAY_ID='"A"'),
                  variant(folder, "y.m3u8", codec(sources.film), **SIZE, PATHWAY_ID='"B"'), version=7)


def with_gap(sources, folder):
    """A segment that is missing, and marked as a gap."""
    name = media(sources.film, folder, "x")
    edited(folder, name, lambda text: re.sub("(#EXTINF:[^\n]*\nx-2)", "#EXT-X-GAP\n\\1", text).replace(
        "VERSION:6", "VERSION:8"))
    (folder / "x-2.ts").unlink()
    return name


def ranges_of_colour(sources, folder):
    """HLG beside SDR, in HEVC and H.264."""
    film = folder / "hlg.mp4"
    ffmpeg("-i", sources.film, "-c:v", "libx265", "-pix_fmt", "yuv420p10le", "-tag:v", "hvc1", "-x265-params",
           "log-level=none:keyint=50:min-keyint=50:scenecut=0:colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc",
           "-color_primaries", "bt2020", "-color_trc", "arib-std-b67", "-colorspace", "bt2020nc", "-c:a", "copy", film)
    names = [media(sources.film, folder, "sdr", kind="fmp4"), media(film, folder, "hlg", kind="fmp4")]
    return master(folder, variant(folder, names[0], codec(sources.film), **SIZE, VIDEO_RANGE="SDR"),
                  variant(folder, names[1], codec(film), **SIZE, VIDEO_RANGE="HLG"), version=7)


def ladder(sources, folder):
    """One film at four sizes, in two codecs and two frame rates, with a fade, one of them with black bars."""
    film = folder / "film.mkv"
    ffmpeg("-f", "lavfi", "-i", f"testsrc2=size=1280x720:rate=60:duration={SECONDS}", "-vf",
           "fade=in:d=1,fade=in:st=12:d=1:enable='between(t,12,13)'", *ENCODED, film)
    hevc = ["-c:v", "libx265", "-tag:v", "hvc1", "-x265-params",
            "log-level=none:keyint=60:min-keyint=60:scenecut=0:open-gop=0"]
    steps: list[tuple[str, int, str, list]] = [
        ("320x180", 30, "scale=320:180", ["-b:v", "150k", "-bf", 2]), ("640x360", 60, "scale=640:360", ["-bf", 2]),
        ("1280x720", 30, "null", hevc), ("1920x1080", 60, "scale=1440:810,pad=1920:1080:240:135", [])]
    lines = []
    for size, rate, filter, options in steps:
        path = folder / f"{size}.mp4"
        ffmpeg("-i", film, "-vf", f"fps={rate},{filter}", *ENCODED, "-g", 2 * rate, "-keyint_min", 2 * rate, *options,
               path)
        name = media(path, folder, size, kind="fmp4")
        lines.append(variant(folder, name, codec(path), RESOLUTION=size, FRAME_RATE=f"{rate}.000"))
    return master(folder, *lines, version=7)


def parts_in_ranges(sources, folder):
    """A low-latency stream that has ended; its last parts are byte ranges of their segments."""
    fragments(sources.fast, folder, "x")
    count, each = SECONDS // TARGET, round(TARGET / PART)
    lines = ["#EXTM3U", "#EXT-X-VERSION:6", f"#EXT-X-TARGETDURATION:{TARGET}",
             f"#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK={3 * PART}",
             f"#EXT-X-PART-INF:PART-TARGET={PART}", '#EXT-X-MAP:URI="x-init.mp4"']
    for number in range(count):
        start = 0
        for part in range(each if number >= count - 3 else 0):
            size = (folder / f"x{number}.{part}.m4s").stat().st_size
            key = ",INDEPENDENT=YES" if part == 0 else ""
            lines.append(f'#EXT-X-PART:DURATION={PART},URI="x{number}.m4s",BYTERANGE="{size}@{start}"{key}')
            start += size
        lines += [f"#EXTINF:{TARGET},", f"x{number}.m4s"]
    (folder / "main.m3u8").write_text("\n".join([*lines, "#EXT-X-ENDLIST", ""]))
    return "main.m3u8"


def odd_text(sources, folder):
    """CRLF, comments, unknown tags and attributes, titles with commas, queries, and percent-encoded names."""
    name = media(sources.film, folder, "x")
    for path in folder.glob("x-*.ts"):
        path.rename(folder / path.name.replace("x-", "a ü-"))
    edited(folder, name, lambda text: re.sub(
        "^x-", "a%20%C3%BC-", re.sub("(#EXTINF:[^,]*),", "\\1,A title, with \"commas\"", text).replace(
            "#EXT-X-TARGETDURATION", "# A comment\n#EXT-X-UNKNOWN:A=1,B=\"x,y\"\n#EXT-X-TARGETDURATION"),
        flags=re.M).replace(".ts\n", ".ts?a=1&b=%2F\n").replace("\n", "\r\n"))
    return name


def data_for_session(sources, folder):
    """Session data, a start, a bit rate for each segment, and date ranges."""
    name = media(sources.film, folder, "x", "-hls_flags", "independent_segments+program_date_time")
    start = re.findall("DATE-TIME:(.*)\n", (folder / name).read_text())[0]
    ranges = "".join(f'#EXT-X-DATERANGE:ID="r{number}",CLASS="com.example.chapter",START-DATE="{start}",'
                     f'DURATION={number + 1}.5,X-COM-EXAMPLE-NAME="Chapter {number}"\n' for number in range(3))
    edited(folder, name, lambda text: re.sub("(#EXTINF)", ranges.replace("\\", "\\\\") + "\\1", text, count=1))
    return master(folder, '#EXT-X-SESSION-DATA:DATA-ID="com.example.title",VALUE="A film",LANGUAGE="en"\n',
                  "#EXT-X-START:TIME-OFFSET=4.5,PRECISE=YES\n", variant(folder, name, codec(sources.film), **SIZE))


def shaka(*streams, options=()):
    def make(sources, folder):
        names = {name: value for name, value in vars(sources).items() if name != "folder"}
        run(SHAKA[0], *[stream.format(out=folder, **names) for stream in streams], "--hls_master_playlist_output",
            folder / "main.m3u8", "--segment_duration", 4, *options)
        return "main.m3u8"
    return make


def unusual_ways():
    if not shutil.which("ffmpeg"):
        return
    for kind in ("ts", "fmp4"):
        yield Way(f"byte-range I-frames, {kind}", frames_in_ranges(kind), true=TRUE_VERSION)
    yield Way("a clock of 1970", old_clock, true=TRUE_VERSION)
    yield Way("an advertisement of another profile, SCTE-35", advertisement, true=TRUE_VERSION)
    yield Way("groups of audio by codec and language", groups, true=TRUE_VERSION)
    yield Way("one variant", one_variant, true=TRUE_VERSION)
    yield Way("defined variables", defined, true=TRUE_VERSION)
    yield Way("signed redirects", redirected, true=TRUE_VERSION)
    yield Way("steering", steered, true=TRUE_VERSION)
    yield Way("a gap", with_gap, true=TRUE_VERSION)
    yield Way("HLG beside SDR", ranges_of_colour, true=TRUE_VERSION | OPEN)
    yield Way("a ladder of codecs, frame rates, and shapes", ladder, true=TRUE_VERSION)
    yield Way("low latency with byte-range parts", parts_in_ranges, true=TRUE_VERSION)
    yield Way("odd text", odd_text, true=TRUE_VERSION)
    yield Way("session data, start, and date ranges", data_for_session, true=TRUE_VERSION)
    if SHAKA[0]:
        video = ("in={film},stream=video,init_segment={out}/v-init.mp4,segment_template={out}/v-$Number$.m4s,"
                 "playlist_name=v.m3u8")
        audio = ("in={film},stream=audio,init_segment={out}/a-init.mp4,segment_template={out}/a-$Number$.m4s,"
                 "playlist_name=a.m3u8,hls_group_id=a,hls_name=a")
        words = ("in={words},stream=text,format=ttml+mp4,init_segment={out}/t-init.mp4,"
                 "segment_template={out}/t-$Number$.m4s,playlist_name=t.m3u8,hls_group_id=t,hls_name=t,language=en")
        keys = ("--enable_raw_key_encryption", "--keys",
                "label=:key_id=00112233445566778899aabbccddeeff:key=000102030405060708090a0b0c0d0e0f",
                "--protection_scheme", "cbcs", "--clear_lead", 0, "--protection_systems",
                "Widevine,PlayReady,FairPlay", "--hls_key_uri", "skd://key")
        yield Way("IMSC1", shaka(video, audio, words), true=TRUE_VERSION)
        yield Way("SAMPLE-AES with three key formats", shaka(video, audio, options=keys), true={
            "session-key-given": "its multivariant playlist does not contain the key that video and audio share"})


assert SECONDS == 24, "the advertisement and the gap are placed in a film of six segments"
