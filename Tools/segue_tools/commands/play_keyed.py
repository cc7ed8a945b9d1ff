"""Plays a film to its end in other players that authenticate by key or by name and password, also over TLS.

TLS runs with Segue's own certificate and with another one, whose authority the players receive. GStreamer and VLC trust
only the system's authorities: TRUST names a command that adds the file in its argument; without it, they are skipped.
A play passes if the player exits without an error at the end of the film, and if it was refused without a key.
The exit code is 1 if one fails. PLAYERS names the players, "curl ffmpeg mpv gstreamer vlc".
"""

import os
import re
import shutil
import ssl
import subprocess
import tempfile

from segue_tools.browser import players
from segue_tools.browser.players import call, words
from segue_tools.launch import Server, read_json, segue

SLACK = 1.5
PASSWORD = "correct horse"


def ffmpeg(url, limit, authority):
    return players.ffmpeg(url, limit, *(["-tls_verify", "1", "-ca_file", authority] if authority else []))


def mpv(url, limit, authority):
    trust = ["--tls-verify=yes", f"--tls-ca-file={authority}"] if authority else []
    return players.mpv(url, limit, "--untimed", *trust)


def gstreamer(url, limit, authority):
    return players.gstreamer(url, limit, is_paced=False)


def vlc(url, limit, authority):
    # VLC refuses to run as root; the scene filter writes each displayed frame to a file.
    pictures = tempfile.mkdtemp(prefix="segue-vlc-")
    os.chmod(pictures, 0o777)
    user = ["runuser", "-u", "nobody", "--", "env", "HOME=" + pictures] if os.geteuid() == 0 else []
    try:
        trouble, text = call([*user, "cvlc", "--no-interact", "--play-and-exit", "--vout", "dummy", "--aout", "dummy",
                              "--no-drop-late-frames", "--no-skip-frames",
                              "--video-filter", "scene", "--scene-format", "jpg", "--scene-ratio", "1", "--scene-path",
                              pictures, url], limit)
        frames = len([name for name in os.listdir(pictures) if name.startswith("scene")])
    finally:
        shutil.rmtree(pictures, ignore_errors=True)
    said = [line for line in text.splitlines() if re.search("access|tls|http|adaptive", line) and "error" in line
            # It closes its HTTP/2 streams when it has enough data.
            and "Cancellation (0x8)" not in line]
    return trouble or words(said), None, frames


def curl(url, limit, authority):
    options = ["--cacert", authority] if authority else []
    trouble, text = call(["curl", "-sSf", *options, url], limit)
    return trouble or ("" if text.startswith("#EXTM3U") else text[:80]), None, None


PLAYS = {"curl": curl, "ffmpeg": ffmpeg, "mpv": mpv, "gstreamer": gstreamer, "vlc": vlc}


def own_certificate(folder):
    """A user's certificate with its key, of a self-signed authority."""
    files = [f"{folder}/own.pem", f"{folder}/own.key"]
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                    "-days", "2",
                    "-keyout", files[1], "-out", files[0], "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"], check=True, capture_output=True)
    return files


def plays(folder, data, tls, authority, ways, names):
    """Runs all plays over one kind of connection."""
    options = ["--tls", tls] if tls else []
    with Server(folder, ["--data", data, "--no-announce", *options], listen="0.0.0.0:0") as server:
        scheme, port, key = re.match(r"(https?)://[^/]*:(\d+)/k/(\w+)/", server.url).groups()
        if authority == "self":
            authority = f"{data}/tls/authority.pem"
        trust = ssl.create_default_context(cafile=authority) if tls else None
        base = f"{scheme}://localhost:{port}"
        items = read_json(f"{base}/k/{key}/api/items", context=trust)["items"]
        path = f"items/{items[0]['id']}/master.m3u8"
        duration = read_json(f"{base}/k/{key}/api/items/{items[0]['id']}", context=trust)["duration"]
        if tls and os.environ.get("TRUST"):
            subprocess.run([os.environ["TRUST"], authority], check=True)
        urls = {"a key": f"{base}/k/{key}/{path}",
                "name and password": f"{scheme}://anna:{PASSWORD.replace(' ', '%20')}@localhost:{port}/{path}"}
        for way in ways:
            for name in names:
                if tls and name in ("gstreamer", "vlc") and not os.environ.get("TRUST"):
                    continue
                refused = curl(f"{base}/{path}", 60, authority if tls else None)[0]
                trouble, position, frames = PLAYS[name](urls[way], 4 * duration + 60, authority if tls else None)
                if "exit 22" not in refused:
                    trouble = f"without a key: {refused or 'let in'}"
                if not trouble and position is not None and abs(position - duration) > SLACK:
                    trouble = "stopped early or late"
                yield way, name, trouble, position, frames


def arguments(parser):
    parser.add_argument("file", help="a film")


def main(options):
    names = os.environ.get("PLAYERS", " ".join(PLAYS)).split()
    work = tempfile.mkdtemp(prefix="segue-players-")
    bad = 0
    try:
        folder, data = f"{work}/media", f"{work}/data"
        os.mkdir(folder)
        shutil.copy(options.file, folder)
        segue("access", "people", "add", "anna", "--data", data, input=PASSWORD + "\n")
        own = own_certificate(work)
        both = ["a key", "name and password"]
        kinds = [("", None, None, both), ("TLS, Segue's certificate, ", "self", "self", both),
                 ("TLS, own certificate, ", ",".join(own), own[0], both[:1])]
        for kind, tls, authority, ways in kinds:
            for way, name, trouble, position, frames in plays(folder, data, tls, authority, ways, names):
                bad += bool(trouble)
                print(f"{kind}{way} | {name} | {trouble or 'ok'}" + ("" if position is None else f" | {position:.2f} s")
                      + ("" if frames is None else f" | {frames} frames"), flush=True)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print(f"{bad} plays failed", flush=True)
    return 1 if bad else 0
