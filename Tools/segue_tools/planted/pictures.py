"""Faults in what variants and I-frame playlists show. The unchanged ladders are their clean twins, with the ladder of
several codecs of `Tools/run clean`.
"""

from segue_tools.media import ffmpeg, picture
from segue_tools.planted.fault import Table
from segue_tools.planted.stage import pattern
from segue_tools.planted.streams import SECONDS, X264, advertisement, package

TABLE = Table("ladder-ts")
FAULTS = TABLE.faults
add = TABLE.add
FRAGMENTS = "ladder-fmp4"
FILL = "drawbox=t=fill:c="


def held(seconds):
    """The first frame is held, so that everything is later."""
    return f"tpad=start_mode=clone:start_duration={seconds}"


def shown(filter, source=None, name="high"):
    """Encodes the video of a variant again, through an FFmpeg filter, or another source in its place."""
    def change(stage):
        playlist, film = stage.home / f"{name}.m3u8", stage.home / "film.mp4"
        kind = "fmp4" if "#EXT-X-MAP" in playlist.read_text() else "ts"
        ffmpeg(*(source or ["-i", playlist]), "-vf", f"{filter},trim=duration={SECONDS}", "-an", *X264, film)
        package(film, stage.home, name, kind)
    return change


def frames(filter, source=None):
    """Encodes the I-frames again."""
    def change(stage):
        film = stage.home / "film.mp4"
        ffmpeg(*(source or ["-i", stage.home / "pictures.m3u8"]), "-vf", filter, "-an", *X264, "-g", 1, "-bf", 0, film)
        package(film, stage.home, "pictures", "ts", "-hls_time", 2)
        playlist = stage.home / "pictures.m3u8"
        playlist.write_text(playlist.read_text().replace("#EXT-X-INDEPENDENT-SEGMENTS", "#EXT-X-I-FRAMES-ONLY", 1))
    return change


add("variant-black", "", "same-pictures", shown(f"{FILL}black"))
add("variant-green", "", "same-pictures", shown(f"{FILL}0x00FF00"), base=FRAGMENTS)
add("variant-without-chroma-planes", "", "same-pictures", shown("lutyuv=u=0:v=0"))
add("variant-black-from-the-middle", "", "same-pictures", shown(f"{FILL}black:enable='gt(t,12)'"))
add("variant-of-another-film", "", "same-pictures", shown("null", picture("640x360", 25, source="mandelbrot")))
add("variant-that-stands-still", "", "same-pictures", shown(held(SECONDS)))
add("variant-nine-seconds-late", "", "same-pictures", shown(held(9)))
add("variant-half-a-second-late", "", "pictures-in-step", shown(held(0.5)))
add("variant-half-a-second-early", "", "pictures-in-step", shown("trim=start=0.5,setpts=PTS-STARTPTS"), base=FRAGMENTS)
add("variant-three-frames-late", "", "pictures-in-step", shown(held(0.12)))
add("i-frames-black", "", "iframe-same-pictures", frames(f"{FILL}black"))
add("i-frames-of-another-film", "", "iframe-same-pictures",
    frames("null", picture("320x180", "1/2", SECONDS, "smptebars")))


# Periods between discontinuities


def ad(*options):
    """Encodes the advertisement of one variant otherwise."""
    return lambda stage: advertisement(stage.home, "high", *options)


def audio(*options):
    """Replaces the third segment of a language by audio of another coding."""
    def change(stage):
        clip = stage.home / "ad.m4a"
        ffmpeg("-f", "lavfi", "-i", "sine=frequency=880:sample_rate=48000:duration=6", *options, clip)
        package(clip, stage.home, "ad", "ts")
        (stage.home / "ad0.ts").rename(stage.home / "de2.ts")
    return change


MARKED = pattern(r"(#EXTINF:.*\nde[23]\.ts)", r"#EXT-X-DISCONTINUITY\n\1", "de.m3u8")
add("ad-of-another-profile", "", "codecs-true", ad("-profile:v", "main"), base="break")
add("ad-of-another-size", "", "resolution-everywhere", ad("-s", "480x270"), base="break")
add("ad-without-audio-in-one-variant", "", "same-tracks", ad("-an"), base="break")
add("ad-of-another-film-in-one-variant", "", "same-pictures", ad("-vf", "negate,hflip"), base="break")
add("audio-of-an-ad-with-six-channels", "", "channels-true", audio("-c:a", "aac", "-ac", 6), MARKED)
add("audio-of-an-ad-of-another-codec", "", "codecs-complete", audio("-c:a", "ac3", "-ac", 1), MARKED)
