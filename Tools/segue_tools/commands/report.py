"""Makes an HTML report of 10,000 cases, opens it in Chromium, and measures its size and the time to a usable table.

FFmpeg makes forty songs and films, one of them with HTML as its name, and the suite plays them over many networks and
platforms. The page is opened three times, and the fastest counts. The exit code is 1 if the page has more than 8 MB,
takes more than 2 s, lacks the picture of a failed case, repeats an id, runs the name as a script, or causes a message
of the browser. Without Chromium, the exit code is 0 with a message.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

from segue_tools.browser.chromium import Browser
from segue_tools.browser.scripts import script
from segue_tools.launch import program
from segue_tools.measure import cost_of_children
from segue_tools.media import songs_and_films

FILES = 40
MOST_BYTES = 8_000_000
MOST_SECONDS = 2
NETWORKS = ["wifi", "3g", "4g", "lte", "lan", "cable", "dsl", "fios", "wifi-slow", "3g-slow", "edge", "tram", "train",
            "walk", "bus-3g", "wpt-3g", "wpt-4g", "wpt-lte", "nlc-3g", "nlc-lte", "nlc-wifi", "chrome-3g",
            "android-umts", "3g-lossy", "wifi-lossy"]
PLATFORMS = ["desktop", "ios-4.3", "ios-12.3", "ios-15", "ios-26.4"]
SCENARIOS = ["play-through", "background-and-return"]
HOSTILE = "<img src=x onerror=\"document.title='it ran'\">\u202e"


def make_media(folder):
    songs_and_films(folder, 0, FILES, lambda number: 12 + number % 10, lambda number: number % 5 == 4, "160x90", 10,
                    name=lambda number: HOSTILE if number == 0 else f"{number:02}")


def make_report(page, cases, work):
    make_media(work / "media")
    networks = NETWORKS[:max(1, min(len(NETWORKS), cases // (FILES * len(PLATFORMS) * len(SCENARIOS))))]
    command = [program(), "regress", str(work / "media"), "--network", ",".join(networks), "--scenario",
               ",".join(SCENARIOS)]
    command += ["--platform", ",".join(PLATFORMS), "--quiet", "--html", str(page), "--history",
                str(work / "history.db")]
    with cost_of_children() as cost:
        if subprocess.run(command).returncode > 1:
            sys.exit(2)
    print(f"{FILES * len(networks) * len(PLATFORMS) * len(SCENARIOS)} cases and their page in {cost.cpu:.0f} CPU "
          f"seconds")


def look(page):
    """Checks the page, and prints its figures."""
    size, times, wrong = page.stat().st_size, [], []
    for _ in range(3):
        browser = Browser()
        try:
            browser.command("Runtime.enable")
            browser.command("Log.enable")
            browser.open(page.as_uri())
            times.append(browser.evaluate(script("table-ready")) / 1000)
            if len(times) == 3:
                seen = browser.evaluate(script("case-pictures"))
            complaints = [event["params"] for event in browser.events
                          if event["method"] in ("Runtime.exceptionThrown", "Log.entryAdded")]
            wrong += [f"the browser reports: {complaints[0]}"] if complaints else []
        finally:
            browser.close()
    print(f"{size / 1e6:.2f} MB; the table is usable after {min(times):.2f} s "
          f"({', '.join(f'{one:.2f}' for one in times)})")
    print(f"{seen['found']} causes; {seen['pictures']} of {seen['failed']} failed cases have a picture; "
          f"{seen['ids']} ids")
    wrong += [f"it has more than {MOST_BYTES} bytes"] if size > MOST_BYTES else []
    wrong += [f"it takes more than {MOST_SECONDS} s"] if min(times) > MOST_SECONDS else []
    wrong += ["a failed case has no picture"] if seen["pictures"] < seen["failed"] else []
    wrong += [f"duplicate ids: {seen['twice'][:5]}"] if seen["twice"] else []
    wrong += ["a file's name ran as a script"] if seen["title"] == "it ran" else []
    for what in wrong:
        print(f"report: {what}", file=sys.stderr)
    return not wrong


def arguments(parser):
    parser.add_argument("page", nargs="?", type=pathlib.Path)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--keep", type=pathlib.Path)


def main(options):
    if not any(map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])):
        print("report: Chromium is not installed; nothing was checked")
        return 0
    with tempfile.TemporaryDirectory(prefix="segue-report-") as folder:
        page = options.page
        if page is None:
            page = pathlib.Path(folder) / "report.html"
            make_report(page, options.cases, pathlib.Path(folder))
            if options.keep:
                shutil.copyfile(page, options.keep)
        return 0 if look(page.resolve()) else 1
