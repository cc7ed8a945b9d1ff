"""Checks the suite and the server with 69 files that have odd cuts, edit lists, delays, and frame sizes.

packaging/edits.txt lists the files with FFmpeg's arguments: AAC, MP3, MP2, AC-3, E-AC-3, Opus, Vorbis, WMA, FLAC,
ALAC, and PCM in MP4, MOV, Matroska, WebM, MPEG-TS, WMV, FLV, MPEG-PS, and audio files. `segue regress` must
pass each file; the audio that `segue serve` sends must match FFmpeg's decode; and faults planted in the segments must
be found. The exit code is 1 if a file fails.
"""

import array
import concurrent.futures
import fnmatch
import json
import math
import pathlib
import re
import struct
import subprocess
import tempfile

from segue_tools.launch import Server, fail, program
from segue_tools.media import ffmpeg
from segue_tools.places import OWN

# Audio that never repeats: a voice that rises and falls, another one in the second channel, and noise that swells.
SOUND = ("aevalsrc=0.3*sin(2*PI*(700*t+3*t*t)+400*sin(2.6*PI*t))+0.1*(random(0)-0.5)*(1+sin(3*t))|"
         "0.3*sin(2*PI*(900*t+2*t*t)+300*sin(3.4*PI*t))+0.1*(random(1)-0.5)*(1+cos(2*t)):s={rate}:d={seconds}")
PICTURE = "testsrc2=size=192x108:rate=25:duration={seconds}"
X264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 50 -bf 2 -sc_threshold 0"

# The base files of the edits: name, rate, whether there is video, and codecs.
BASES = {
    "film.mp4": (48000, True, f"{X264} -c:a aac -b:a 128k"),
    "film441.mp4": (44100, True, f"{X264} -c:a aac -b:a 128k"),
    "film22.mp4": (22050, True, f"{X264} -c:a aac -ac 1"),
    "nopns.mp4": (48000, True, f"{X264} -c:a aac -b:a 128k -aac_pns 0"),
    "filmmp3.mp4": (44100, True, f"{X264} -c:a libmp3lame -b:a 128k"),
    "filmac3.mp4": (48000, True, f"{X264} -c:a ac3 -b:a 192k"),
    "filmeac3.mp4": (48000, True, f"{X264} -c:a eac3 -b:a 192k"),
    "filmopus.mp4": (48000, True, f"{X264} -c:a libopus -b:a 96k"),
    "film.mov": (44100, True, f"{X264} -c:a pcm_s16le"),
    "film.ts": (48000, True, f"{X264} -c:a aac -b:a 128k"),
    "filmmp2.ts": (48000, True, f"{X264} -c:a mp2 -b:a 192k"),
    "filmac3.ts": (44100, True, f"{X264} -c:a ac3 -b:a 192k"),
    "film.mkv": (44100, True, f"{X264} -c:a aac -b:a 128k"),
    "filmvorbis.mkv": (44100, True, f"{X264} -c:a libvorbis -q:a 4"),
    "filmmp3.mkv": (22050, True, f"{X264} -c:a libmp3lame -b:a 64k"),
    "film.webm": (48000, True, "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 50 -c:a libopus"),
    "film.wmv": (44100, True, "-c:v wmv2 -g 50 -c:a wmav2 -b:a 128k"),
    "film.flv": (44100, True, f"{X264} -c:a aac -b:a 128k"),
    "film.mpg": (48000, True, "-c:v mpeg2video -g 25 -c:a mp2 -b:a 192k"),
    "song.m4a": (44100, False, "-c:a aac -b:a 128k"),
    "song48.m4a": (48000, False, "-c:a aac -b:a 96k -aac_pns 0"),
    "song8.m4a": (8000, False, "-c:a aac -ac 1"),
    "alac.m4a": (44100, False, "-c:a alac"),
    "song.aac": (44100, False, "-c:a aac -b:a 128k"),
    "song.mp3": (44100, False, "-c:a libmp3lame -b:a 128k"),
    "song22.mp3": (22050, False, "-c:a libmp3lame -b:a 64k"),
    "noxing.mp3": (44100, False, "-c:a libmp3lame -q:a 4 -write_xing 0"),
    "song.ogg": (44100, False, "-c:a libvorbis -q:a 4"),
    "song.opus": (48000, False, "-c:a libopus -b:a 96k"),
    "song.wma": (44100, False, "-c:a wmav2 -b:a 128k"),
    "song22.wma": (22050, False, "-c:a wmav2 -b:a 48k"),
    "wma1.wma": (32000, False, "-c:a wmav1 -b:a 96k"),
    "song.flac": (44100, False, "-c:a flac"),
    "song.wav": (22050, False, "-c:a pcm_s16le"),
    "song.ac3": (44100, False, "-c:a ac3 -b:a 192k"),
}


SECONDS = 20


# MARK: - Making


class Movie:
    """A movie whose `moov` box is the last one, so that it may grow."""

    def __init__(self, path):
        self.path = path
        self.bytes = bytearray(path.read_bytes())

    def boxes(self, start, end):
        while start + 8 <= end:
            size, kind = struct.unpack_from(">I4s", self.bytes, start)
            if size < 8:
                return
            yield kind.decode("latin1"), start, start + size
            start += size

    def find(self, path, start=0, end=None):
        name, _, rest = path.partition("/")
        for kind, first, last in self.boxes(start, len(self.bytes) if end is None else end):
            if kind == name and rest:
                for inner in self.find(rest, first + 8, last):
                    yield [(first, last), *inner]
            elif kind == name:
                yield [(first, last)]

    def tracks(self):
        """For each track: whether it is audio, its time scale, and the place of its edit list with enclosing boxes."""
        scale = struct.unpack_from(">I", self.bytes, next(self.find("moov/mvhd"))[-1][0] + 20)[0]
        for trak in self.find("moov/trak"):
            first, last = trak[-1]
            handler = next(self.find("mdia/hdlr", first + 8, last))[-1][0]
            media = next(self.find("mdia/mdhd", first + 8, last))[-1][0]
            own = struct.unpack_from(">I", self.bytes, media + 20)[0]
            edits = next(self.find("edts/elst", first + 8, last))
            yield self.bytes[handler + 16:handler + 20] == b"soun", own, scale, [*trak, *edits]

    def edit(self, which, change):
        """Replaces the edits: `change` receives a track's time scales and edits, and returns new edits."""
        for number in range(len(list(self.tracks()))):
            is_sound, own, scale, chain = list(self.tracks())[number]
            if which == "sound" and not is_sound:
                continue
            first, last = chain[-1]
            old = [struct.unpack_from(">IiI", self.bytes, first + 16 + 12 * entry)
                   for entry in range(struct.unpack_from(">I", self.bytes, first + 12)[0])]
            new = change(own, scale, old)
            body = struct.pack(">I4sII", 16 + 12 * len(new), b"elst", 0, len(new))
            body += b"".join(struct.pack(">IiI", *entry) for entry in new)
            self.bytes[first:last] = body
            for place, _ in chain[:-1]:
                size = struct.unpack_from(">I", self.bytes, place)[0]
                struct.pack_into(">I", self.bytes, place, size + len(body) - (last - first))
        self.path.write_bytes(self.bytes)


def set_edits(path, words):
    movie, which = Movie(path), words[0]
    if "-" in words[1]:
        def change(own, scale, old):
            offset = old[-1][1]
            pieces = [tuple(map(float, word.split("-"))) for word in words[1:]]
            return [(round((end - start) * scale), offset + round(start * own), 1 << 16) for start, end in pieces]
    else:
        start = sum(map(int, words[1].split("+")))

        def change(own, scale, old):
            return [(old[-1][0] - round((start - old[-1][1]) / own * scale), start, 1 << 16)]
    movie.edit(which, change)


def make(folder):
    """The files, in the order of the list."""
    bases = folder / "bases"
    made = folder / "files"
    bases.mkdir(exist_ok=True)
    made.mkdir(exist_ok=True)

    def base(name):
        rate, has_picture, codecs = BASES[name]
        inputs = ["-f", "lavfi", "-i", PICTURE.format(seconds=SECONDS)] if has_picture else []
        sound = ["-f", "lavfi", "-i", SOUND.format(rate=rate, seconds=SECONDS)]
        ffmpeg(*[*inputs, *sound, *codecs.split(), bases / name])

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(base, [name for name in BASES if not (bases / name).exists()]))
    names = []
    for line in (OWN / "packaging/edits.txt").read_text().splitlines()[1:]:
        command, _, edits = line.partition("|")
        name, *words = command.split()
        words = [re.sub(r"\{(.*)\}", lambda match: str(bases / match[1] if match[1] in BASES else made / match[1]),
                        word)
                 for word in words]
        names.append(made / name)
        if (made / name).exists():
            continue
        ffmpeg(*[*words, made / name])
        if edits:
            set_edits(made / name, edits.split()[1:])
    return names


# MARK: - Delivery


class Delivery:
    """Saves a server's transport stream of a file in a folder: the full rendition, or the audio if there is no video.
    """

    def __init__(self, server, item, has_picture, folder):
        self.has_picture = has_picture
        query = "" if has_picture else "&background=1"
        urls, _ = server.segments(item, "ts", query)
        if not urls:
            raise ValueError("it is not served as a transport stream")
        text, _ = server.get(f"/items/{item}/index.m3u8?container=ts{query}")
        self.lines = text.decode().splitlines()
        self.segments = [server.get(url)[0] for url in urls]
        self.folder = folder
        self.playlist = self.write("as-it-is", self.segments)
        # FFmpeg's playlist reader occasionally gives the first two frames of a stream the same time.
        self.whole = folder / "whole.ts"
        self.whole.write_bytes(b"".join(self.segments))

    def write(self, name, segments):
        """Writes segments into a folder with a playlist; returns the playlist's path."""
        home = self.folder / name
        home.mkdir(parents=True, exist_ok=True)
        number, lines = 0, []
        for line in self.lines:
            if line and not line.startswith("#"):
                line = f"{number}.ts"
                (home / line).write_bytes(segments[number])
                number += 1
            lines.append(line)
        (home / "index.m3u8").write_text("\n".join(lines) + "\n")
        return home / "index.m3u8"


def sound_packets(segment):
    """The positions of the transport packets of each audio PES packet, in order."""
    found, pid = [], None
    for place in range(0, len(segment) - 187, 188):
        packet = segment[place:place + 188]
        own = (packet[1] & 0x1F) << 8 | packet[2]
        payload = 4 + (1 + packet[4] if packet[3] & 0x20 else 0)
        if packet[1] & 0x40 and packet[payload:payload + 3] == b"\0\0\1":
            kind = packet[payload + 3]
            if pid is None and (0xC0 <= kind <= 0xDF or kind == 0xBD):
                pid = own
            if own == pid:
                found.append([])
        if own == pid and found:
            found[-1].append(place)
    return found


def without(segment, places):
    return b"".join(segment[place:place + 188] for place in range(0, len(segment), 188) if place not in places)


def doubled(segment, places):
    copy = b"".join(segment[place:place + 188] for place in places)
    return segment[:places[-1] + 188] + copy + segment[places[-1] + 188:]


def late(segment, folder):
    """A segment whose audio FFmpeg delays by 17 ms."""
    (folder / "in.ts").write_bytes(segment)
    ffmpeg(*["-copyts", "-i", folder / "in.ts", "-map", "0", "-c", "copy", "-bsf:a", "setts=ts=TS+1530",
            "-muxdelay", "0", "-muxpreload", "0", "-f", "mpegts", folder / "out.ts"])
    return (folder / "out.ts").read_bytes()


def silenced(segment, folder):
    """A segment in which FFmpeg replaces one AAC frame by silence; None for other codecs."""
    (folder / "in.ts").write_bytes(segment)
    told = json.loads(subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "a:0", "-show_entries",
         "stream=codec_name,sample_rate,channels:packet=pts_time", "-of", "json", folder / "in.ts"],
        capture_output=True, text=True, check=True).stdout)
    stream = told["streams"][0]
    if stream["codec_name"] != "aac":
        return None
    ffmpeg(*["-i", folder / "in.ts", "-map", "0:a:0", "-c", "copy", "-f", "adts", folder / "in.aac"])
    ffmpeg(*["-f", "lavfi", "-i",
             f"anullsrc=r={stream['sample_rate']}:cl={'mono' if stream['channels'] == 1 else 'stereo'}",
            "-t", "0.5", "-c:a", "aac", "-f", "adts", folder / "silent.aac"])
    frames, quiet = adts((folder / "in.aac").read_bytes()), adts((folder / "silent.aac").read_bytes())
    middle = len(frames) // 2
    # The header, with the profile, is that of the source except for the length.
    head, body = bytearray(frames[middle][:7]), quiet[3][7:]
    length = 7 + len(body)
    head[3], head[4], head[5] = head[3] & 0xFC | length >> 11, length >> 3 & 0xFF, head[5] & 0x1F | (length & 7) << 5
    frames[middle] = bytes(head) + body
    (folder / "out.aac").write_bytes(b"".join(frames))
    start = told["packets"][0]["pts_time"]
    ffmpeg(*["-copyts", "-i", folder / "in.ts", "-itsoffset", start, "-i", folder / "out.aac", "-map", "0:v?", "-map",
             "1:a",
            "-c", "copy", "-muxdelay", "0", "-muxpreload", "0", "-f", "mpegts", folder / "out.ts"])
    return (folder / "out.ts").read_bytes()


def adts(data):
    frames, place = [], 0
    while place + 7 <= len(data):
        length = (data[place + 3] & 3) << 11 | data[place + 4] << 3 | data[place + 5] >> 5
        frames.append(data[place:place + length])
        place += max(length, 7)
    return frames


# MARK: - Decoded output


def probe(path, *entries):
    done = subprocess.run(["ffprobe", "-v", "error", *entries, "-of", "json", str(path)], capture_output=True,
                          text=True)
    return json.loads(done.stdout or "{}")


RATE = 8000


def decoded(path):
    frames = probe(path, "-select_streams", "a:0", "-read_intervals", "%+2", "-show_entries",
                   "frame=best_effort_timestamp_time")
    start = next(float(frame["best_effort_timestamp_time"]) for frame in frames["frames"]
                 if "best_effort_timestamp_time" in frame)
    done = subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", str(path), "-map", "0:a:0", "-ac", "1", "-af",
                           f"aresample={RATE}:async=1", "-f", "f32le", "-"], capture_output=True)
    return start, array.array("f", done.stdout)


def last_picture(path):
    """The time of a file's last frame. One without a timestamp, such as the last of a program stream, follows the
    previous one."""
    # FFmpeg 5 and earlier name the duration of a frame after its packet.
    frames = probe(path, "-select_streams", "v:0", "-show_entries",
                   "frame=best_effort_timestamp_time,duration_time,pkt_duration_time")
    last = following = None
    for frame in frames["frames"]:
        time = frame.get("best_effort_timestamp_time", following)
        if time is None:
            continue
        last = float(time) if last is None else max(last, float(time))
        following = float(time) + float(frame.get("duration_time", frame.get("pkt_duration_time", 0)))
    return last


def likeness(one, other):
    product = sum(map(lambda a, b: a * b, one, other))
    return product / (math.sqrt(sum(a * a for a in one) * sum(b * b for b in other)) or 1)


def heard(source, delivery):
    """The maximum delay of delivered audio relative to the video, or to its own start, in milliseconds; and the minimum
    similarity, at four positions."""
    (start, sound), (begin, delivered) = decoded(source), decoded(delivery.whole)
    if delivery.has_picture:
        moved = last_picture(delivery.whole) - last_picture(source)
    else:
        # The server's offset is whole seconds, added to the time of the first audible sample.
        moved = round(begin - 0.0 + 0.3) - start
    worst, least = 0.0, 1.0
    length, reach = 1500, 240
    for part in (0.08, 0.35, 0.62, 0.9):
        place = int(part * (len(sound) - length))
        expected = int(round((start + place / RATE + moved - begin) * RATE))
        piece = sound[place:place + length]
        found = {}
        for lag in range(-reach, reach + 1, 2):
            first = expected + lag
            if first >= 0 and first + length <= len(delivered):
                found[lag] = likeness(piece, delivered[first:first + length])
        best = max(found.values())
        # Between two samples, several offsets match equally well.
        lag = min((lag for lag, value in found.items() if value > best - 0.03), key=abs)
        least = min(least, best)
        if abs(lag) > abs(worst):
            worst = lag
    return worst * 1000 / RATE, least


# MARK: - Running


def found(segue, path, playlists, has_picture):
    """The rules that each delivery violates."""
    done = subprocess.run([segue, "content", str(path), *map(str, playlists),
                           *([] if has_picture else ["--background"])],
                          capture_output=True, text=True)
    if done.returncode:
        raise ValueError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"content: {done.returncode}")
    return [sorted({finding["rule"].removeprefix("content.") for finding in line["findings"]})
            for line in json.loads(done.stdout)]


def plant(delivery, folder):
    """Deliveries with one fault each: name and playlist."""
    segments = delivery.segments
    middle = len(segments) // 2
    packets = sound_packets(segments[middle])
    place = packets[len(packets) // 2]
    lates = [late(segment, folder) for segment in segments]

    def changed(name, segment):
        return name, delivery.write(name, segments[:middle] + [segment] + segments[middle + 1:])

    yield "late", delivery.write("late", lates)
    if middle > 0:
        yield "later", delivery.write("later", segments[:middle] + lates[middle:])
    yield changed("dropped", without(segments[middle], set(place)))
    yield changed("repeated", doubled(segments[middle], place))
    quiet = silenced(segments[middle], folder)
    if quiet:
        yield changed("silenced", quiet)


def examine(segue, server, item, path, folder, with_faults):
    """Returns the line of a file, and its errors."""
    has_picture = any(stream["codec_type"] == "video" for stream in probe(path, "-show_streams")["streams"])
    wrong = []
    try:
        delivery = Delivery(server, item, has_picture, folder)
        late_by, alike = heard(path, delivery)
        if abs(late_by) > 3:
            wrong.append(f"audio {late_by:+.1f} ms late")
        if alike < 0.8:
            wrong.append(f"audio similarity only {alike:.2f}")
        faults = list(plant(delivery, folder)) if with_faults else []
        rules = found(segue, path, [delivery.playlist, *(playlist for _, playlist in faults)], has_picture)
        if rules[0]:
            wrong.append(f"without faults: {', '.join(rules[0])}")
        unseen = [name for (name, _), rule in zip(faults, rules[1:]) if not rule]
        if unseen:
            wrong.append(f"planted but not found: {', '.join(unseen)}")
        line = f"{late_by:+6.1f} {alike:6.3f}  {len(faults) - len(unseen)}/{len(faults)}"
    except (ValueError, IndexError, KeyError, subprocess.CalledProcessError) as error:
        wrong.append(str(error))
        line = f"{'':6} {'':6}  {'':3}"
    return line, wrong


def arguments(parser):
    parser.add_argument("--keep", help="a folder for the files, which are made once and kept")
    parser.add_argument("--only", default="*", help="a pattern of file names")
    parser.add_argument("--no-faults", action="store_true", help="plant no faults")


def main(options):
    segue = program()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(options.keep or temporary).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        files = make(folder)
        wanted = [path for path in files if fnmatch.fnmatch(path.name, options.only)]
        report = pathlib.Path(temporary) / "report.json"
        done = subprocess.run([segue, "regress", *map(str, wanted), "--scenario", "play-through,background-and-return",
                               "--verified-cache", "none", "--json", report, "--quiet"], capture_output=True, text=True)
        if done.returncode not in (0, 1):
            fail(f"regress exited with {done.returncode}: {done.stderr.strip()}")
        verdicts = {}
        for case in json.loads(report.read_text())["cases"]:
            said = verdicts.setdefault(case["file"], set())
            if case["verdict"] == "fail":
                said.update(finding["rule"].removeprefix("content.") for finding in case["findings"])
            elif case["verdict"] != "pass":
                said.add(case["verdict"])
        server = Server(files[0].parent)
        items = server.items()
        bad = 0
        print(f"{'file':26} {'late':>6} {'alike':>6}  faults found")
        for path in wanted:
            place = pathlib.Path(temporary) / path.name
            place.mkdir()
            line, wrong = examine(segue, server, items[path.name], path, place, not options.no_faults)
            if verdicts[path.name]:
                wrong.insert(0, f"suite: {', '.join(sorted(verdicts[path.name]))}")
            bad += bool(wrong)
            print(f"{path.name:26} {line}  {'; '.join(wrong) or 'correct'}", flush=True)
        server.stop()
    print(f"{len(wanted)} files, {len(wanted) - bad} correct")
    return 1 if bad else 0
