"""Faults of multivariant playlists that change while a stream runs, and of I-frame playlists."""

from segue_tools.planted.fault import Table
from segue_tools.planted.watching import every, listing, master, rendition, said, seconds

TABLE = Table("live-ladder")
# It is reloaded after 30 s, and a playlist that it no longer lists is watched a little longer.
LATE, LONG = 10, seconds(42)
PICTURES = "live-pictures"


def add(id, link, expect, *changes):
    TABLE.add(id, link, expect, LONG, *changes)


def pictures(id, link, expect, *changes):
    TABLE.add(id, link, expect, *changes, base=PICTURES)


def named(low, high):
    """Gives the two variants stable IDs."""
    def change(text):
        for name, size in ((low, "160x90"), (high, "320x180")):
            text = text.replace(f"RESOLUTION={size}", f'RESOLUTION={size},STABLE-VARIANT-ID="{name}"')
        return text
    return change


def media(stage):
    """Replaces the multivariant playlist by a media playlist."""
    master(lambda text: stage.site.listed("low").text, LATE)(stage)


def put(old, new):
    """Replaces the multivariant playlist by another text."""
    return lambda text: text.replace(old, new)


def back(version, now):
    version.sequence -= 10


# The multivariant playlist

add("master-deleted-while-the-stream-goes-on", "ant-media/Ant-Media-Server#8032", "live-reload",
    master(lambda text: "", LATE))
add("master-becomes-a-media-playlist", "", "live-readable", media)
add("variant-taken-out-while-it-goes-on", "video-dev/hls.js#7521", "live-listed",
    master(lambda text: "".join(text.splitlines(keepends=True)[:-2]), LATE))
add("stable-names-exchanged", "", "live-stable-name", master(named("one", "two"), 0, LATE),
    master(named("two", "one"), LATE))
add("stable-name-of-two-variants", "", "live-stable-name", master(named("one", "one"), 0))
add("variant-moves-without-a-name-that-stays", "", "live-moved", master(put("low.m3u8", "low.m3u8?edge=2"), LATE))
add("variant-said-to-be-another", "", "live-variant-changed", master(put("160x90", "416x234"), LATE))

# I-frames

pictures("pictures-stand-still", "", "live-news", rendition("pictures", late=lambda now: max(0, now - 6)))
pictures("pictures-lag", "", "live-in-step", rendition("pictures", late=lambda now: 8))
pictures("pictures-count-from-elsewhere", "", "live-sequence", listing(back, 8, name="pictures"))
pictures("pictures-count-discontinuities-otherwise", "", "live-same-discontinuities",
         rendition("pictures", discontinuities=4))
pictures("pictures-said-to-be-all-frames", "", "live-header", said(8, name="pictures", iframes=False))
pictures("picture-beyond-its-file", "gpac/gpac#1869", "live-segment-there",
         every(lambda segment: segment.tags.append("#EXT-X-BYTERANGE:9999999@0"), name="pictures"))

FAULTS = TABLE.faults
