"""Drives the web page in Chromium or Firefox as a user does, and checks its output.

The media are films, series, and albums whose audio and video contain their position. The tool tests lists, search,
player, queue, themes, and languages with mouse and keys, at desktop and phone size, and hides the page behind another
tab. Each check prints one line ("----" if the browser lacks the feature); the exit code is 1 if one fails. With --tls,
everything runs over HTTPS. Needs FFmpeg, NumPy, and Chromium or firefox-esr.
"""

import contextlib
import time

from segue_tools.browser import library as libraries
from segue_tools.browser.chromium import Browser
from segue_tools.browser.firefox import Firefox
from segue_tools.browser.person import Page
from segue_tools.page import background, entry, lists, looks, native, playing, songs
from segue_tools.places import ROOT

BROWSERS = {"chromium": Browser, "firefox": Firefox}
PARTS: list = [
    lists.first, lists.search, lists.slow, lists.groups, lists.sorting, lists.many, lists.without_scripts,
    background.desk, background.phone, playing.tracks, playing.chapters, playing.quality, playing.devices,
    native.native, songs.gapless, songs.queue, songs.media_keys, songs.restarted, songs.resumed,
    looks.keyboard, looks.dark, looks.system_dark, looks.german, looks.phone, looks.narrow,
    # Last, because its window takes the focus in a browser without a screen.
    playing.picture_in_picture,
]


def arguments(parser):
    parser.add_argument("--browser", choices=BROWSERS, default="chromium")
    parser.add_argument("--tls", action="store_true")
    parser.add_argument("--only", type=lambda names: names.split(","))
    parser.add_argument("shots", nargs="?", default=f"{ROOT}/build/page")


def main(options):
    start = lambda url: Page(BROWSERS[options.browser](), url, options.shots)
    wanted = lambda name: not options.only or {name, name.split(".")[0]} & set(options.only)
    began, failed = time.monotonic(), 0
    with libraries.Library(options.tls) as library:
        server = library.serve()
        page = start(server.url)
        try:
            libraries.settled(server.url)
            print(f"      {page.browser.version}", flush=True)
            for part in PARTS:
                name = f"{part.__module__.rsplit('.', 1)[1]}.{part.__name__}"
                if not wanted(name):
                    continue
                print(f"      {name}", flush=True)
                part(*[page, library][:part.__code__.co_argcount])
                page.errors()
                if part is songs.resumed:
                    with contextlib.closing(start(server.url)) as other:
                        songs.other_device(page, other)
            if wanted("entry.troubles"):
                server = entry.troubles(page, library, server)
            failed += page.failed
        finally:
            page.close()
            server.stop()
        if wanted("entry.let_in"):
            entry.add_person(library)
            with library.serve("0.0.0.0:0", "--no-announce", "--no-dlna") as server:
                parts: list = [(entry.let_in, server.url.split("k/")[0], []), (entry.by_key, server.url, [server.url])]
                for part, url, more in parts:
                    with contextlib.closing(start(url)) as page:
                        part(page, *more)
                        failed += page.failed
    print(f"      {time.monotonic() - began:.0f} s, {failed} failed", flush=True)
    return 1 if failed else 0
