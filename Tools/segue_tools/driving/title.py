"""The title of the trials: audio and video that show the time, in segments of two seconds.
"""


from segue_tools.media import H264, ffmpeg, lavfi, picture

SEGMENT, SEGMENTS = 2, 12
LENGTH = SEGMENT * SEGMENTS
PICTURES = 25


def names(first, last=SEGMENTS):
    """The files of the segments in a range of numbers."""
    return [f"{number}.ts" for number in range(first, last)]


def make(folder):
    """Makes the title: a counter on a test pattern, and a beep at each full second."""
    ffmpeg(*picture("320x180", PICTURES, LENGTH),
           *lavfi(f"aevalsrc=0.5*sin(1760*PI*t)*lt(mod(t\\,1)\\,0.08):s=48000:d={LENGTH}"), *H264, "-b:v", "200k", "-g",
           str(SEGMENT * PICTURES), "-keyint_min", str(SEGMENT * PICTURES), "-sc_threshold", "0", "-c:a", "aac", "-b:a",
           "64k", "-f", "hls", "-hls_time", SEGMENT, "-hls_playlist_type", "vod", "-hls_segment_filename",
           folder / "%d.ts", folder / "index.m3u8")
