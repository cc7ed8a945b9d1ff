"""Records the screen and the audio of real players, and compares the recording with the log of each player's driver.

A film with numbered frames and audio is played over a network through `segue regress`: start, seek, background and
return, pause, end. Each player has a virtual screen and a virtual sound card, which Drivers/record records. `segue
observe` reads the recording and compares the log with it. First, the tool measures the error of the screen, the card,
and the recorder themselves (observing/marks.py).

For each player it prints the offset of the audio, unexpected interruptions, and the errors of the log. With --variants,
the title has several variants, the rate of the network changes, and the tool compares the visible variants with the
requested segments (observing/ladder.py). The exit code is 0 if each recording could be read, 1 if not, and 2 if nothing
could run. Needs Xvfb and PulseAudio, and for GStreamer gstreamer1.0-x and gstreamer1.0-pulseaudio.
"""

import json
import pathlib
import statistics
import tempfile

from segue_tools.launch import segue
from segue_tools.observing import chain, ladder
from segue_tools.places import OWN, driver

PATIENCE = 900


def watch(player, network, folder):
    """A player's run: its recording and its log."""
    seen, logs = folder / "seen" / player, folder / "logs" / player
    seen.mkdir(parents=True, exist_ok=True)
    done = segue("regress", folder / "film.mp4", "--scenario", OWN / "observing/watched.yaml", "--network", network,
               "--platform", "desktop", "--player", f"{player}={driver('record')} {seen} {driver(player + '.py')}",
               "--log", logs, "--jobs", 1, "--quiet", "--json", folder / f"{player}.json", may_find=True)
    log = next((path for path in logs.rglob("*.jsonl") if f"real-{player}" in str(path)), None)
    recording = next(iter(sorted(seen.glob("*.mkv"))), None)
    report = json.loads((folder / f"{player}.json").read_text())
    cases = [case for case in report["cases"] if case.get("platform") == f"real-{player}"]
    return done, recording, log, cases


def milliseconds(values):
    return f"{statistics.median(values):.0f} ({min(values):.0f} to {max(values):.0f})" if values else "-"


# The names of media in logs, and those for people.
WORDS = {"sound": "audio", "picture": "video"}


def show(player, answer):
    observed, agreement = answer["observation"], answer.get("agreement") or {"statements": []}
    print(f"{player}: frame times are accurate to {observed['pictureInterval'] * 1000:.0f} ms")
    offsets = [stretch["soundOffset"] for stretch in observed["pictures"] if stretch.get("soundOffset")]
    for offset in offsets:
        median, least, most = (round(offset[name]) for name in ("median", "least", "most"))
        print(f"  audio {median:+} ms after the video (± {offset['error']:.0f}; {least:+} to {most:+})")
    counts = {name: sum(stretch[name] for stretch in observed["pictures"]) for name in ("seen", "dropped", "repeated")}
    print(f"  frames: {counts['seen']} seen, {counts['dropped']} dropped, {counts['repeated']} repeated")
    for gap in observed.get("breaks", []):
        jump = f", {gap['jump']:+.3f} s in the film" if gap.get("jump") else ""
        missing = 1000 * (gap["end"] - gap["start"])
        print(f"  {WORDS[gap['medium']]} at {gap['start']:.2f}: {missing:.0f} ms without{jump}")
    for medium in ("sound", "picture", "seek", "item", "player"):
        held = [one for one in agreement["statements"] if one["statement"].startswith(medium)]
        if held:
            found = [one["difference"] for one in held if one.get("difference") is not None]
            print(f"  {WORDS.get(medium, medium)}: {len(held)} statements, {len(held) - len(found)} not observed, "
                  f"observed later by {milliseconds(found)} ms")


def variants(players, network, folder):
    title, recipes = ladder.make(folder)
    return max([ladder.show(player, network, title, recipes, folder / "seen") for player in players])


def arguments(parser):
    parser.add_argument("players", nargs="*", default=["chromium", "gstreamer", "mpv", "vlc"])
    parser.add_argument("--network", help="wifi by default; for variants a link whose rate falls and rises again (dip)")
    parser.add_argument("--variants", action="store_true", help="compares the visible variants with the requested ones")
    parser.add_argument("--keep", help="a folder in which recordings, logs, and observations stay")


def main(options):
    with tempfile.TemporaryDirectory(prefix="segue-watched-") as scratch:
        folder = pathlib.Path(options.keep or scratch).absolute()
        if options.variants:
            return variants(options.players, options.network or "dip", folder)
        recipes, network = OWN / "observing/film", options.network or "wifi"
        segue("testmedia", folder, "--recipes", recipes, "--quiet")
        failed = chain.show(folder)
        for player in options.players:
            if player == "marks":
                continue
            done, recording, log, cases = watch(player, network, folder)
            for case in cases:
                findings = "; ".join(finding["message"] for finding in case.get("findings", []))
                print(f"{player} over {network}: {case['verdict']}{': ' + findings if findings else ''}", flush=True)
            if recording is None or log is None:
                print(f"{player}: no recording: {done.stderr.strip() or done.stdout.strip()}")
                failed = True
                continue
            observed = folder / f"{player}-observed.json"
            segue("observe", recording, "--recipes", recipes, "--log", log, "--json", observed, "--quiet",
                  may_find=True)
            answer = json.loads(observed.read_text())
            if not answer["observation"]["pictures"]:
                print(f"{player}: the film was not visible")
                failed = True
                continue
            show(player, answer)
    return 1 if failed else 0
