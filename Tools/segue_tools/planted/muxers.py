"""Wrong output of FFmpeg's own muxer for cover art and irregular keyframes, without planted faults.
"""

from segue_tools.media import ffmpeg, lavfi, picture
from segue_tools.planted.stage import found, staged

CASES = [("cover-art", {"duration-positive", "duration-true"}), ("irregular-keyframes", {"segment-length"})]


def make(folder):
    art, song, film = folder / "art.png", folder / "song.m4a", folder / "irregular.mp4"
    ffmpeg(*lavfi("testsrc2=size=320x320:duration=1:rate=1"), "-frames:v", 1, art)
    ffmpeg(*lavfi("sine=duration=30"), "-i", art, "-map", 0, "-map", 1, "-c:a", "aac", "-c:v", "mjpeg",
           "-disposition:v", "attached_pic", song)
    ffmpeg(*picture(seconds=40), *lavfi("sine=duration=40"), "-c:v", "libx264", "-preset", "veryfast", "-g", 1000,
           "-force_key_frames", "0,1,17.4,18,36", "-c:a", "aac", film)
    for (name, _), source in zip(CASES, (song, film)):
        (folder / name).mkdir()
        ffmpeg("-i", source, "-c", "copy", "-hls_time", 6, "-hls_playlist_type", "vod", folder / name / "index.m3u8")


def missed(segue, folder):
    """Returns the faults that the program did not find."""
    make(folder)
    names = []
    for name, wanted in CASES:
        with staged(folder, name) as stage:
            stage.playlist = "index.m3u8"
            rules = found(segue, stage)[0]
        if wanted & rules:
            print(f"found {name} by {', '.join(sorted(wanted & rules))}")
        else:
            print(f"missed {name} (found: {', '.join(sorted(rules)) or 'nothing'}; wanted: "
                  f"{', '.join(sorted(wanted))})")
            names.append(name)
    return names
