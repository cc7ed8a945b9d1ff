"""The lists: cards and rows, search, kinds, groups, sorting, very many titles, titles not yet scanned."""

import json
import re
import time
import urllib.parse

from segue_tools.browser import library as libraries
from segue_tools.browser.scripts import script

TITLES = 20_000


GROUPS = {
    "films": ["Harbour Lights"], "series": ["Northwind", "Signal"], "artists": ["Ada Lin", "Kontor Elf"],
    "albums": ["Tidelines", "Metals", "Speicherstadt"], "songs": ["Undertow", "Iron"], "folders": ["Films", "Music"],
}


def first(page):
    """The first view, keyboard navigation, and search."""
    page.open()
    page.wait("document.querySelectorAll('#list .card').length > 10")
    page.shot("grid")
    page.owed("list")
    page.press("Tab")
    page.say("the first Tab reaches a link that skips the page header",
             page.do("document.activeElement.matches('.skip')"))
    page.press("Enter")
    page.press("Tab")
    page.say("the link leads to the titles", page.do("Boolean(document.activeElement.closest('#list'))"))
    page.press("ArrowRight", "ArrowRight", "ArrowDown")
    here = "Number(document.activeElement.closest('#list li')?.dataset.index ?? -1)"
    page.say("arrow keys move between titles", page.do(f"{here} === segue.views.grids[0].columns + 2"), page.do(here))
    page.press("?")
    page.wait("document.querySelector('dialog.help')")
    page.say("a dialog takes the focus", page.do("document.querySelector('dialog').contains(document.activeElement)"))
    page.owed("keys")
    page.shot("help")
    page.press("Escape")
    page.wait("!document.querySelector('dialog')")
    page.say("the dialog returns the focus", page.do(f"{here} === segue.views.grids[0].columns + 2"))
    page.click("#list .card.item .more")
    page.wait("document.querySelector('[role=menu]')")
    page.owed("menu of a title")
    page.shot("menu")
    page.press("Escape")
    page.wait("!document.querySelector('[role=menu]')")
    page.click("#devices")
    page.wait("document.querySelector('dialog.devices')")
    page.owed("other devices")
    page.shot("devices")
    page.press("Escape")
    page.wait("!document.querySelector('dialog')")


def search(page):
    page.open()
    page.kind("films")
    page.press("/")
    page.say("a key focuses the search", page.do("document.activeElement.matches('input[type=search]')"))
    page.type("underto")
    page.wait("document.querySelector('#list h1')?.textContent.includes('underto')")
    began = time.monotonic()
    page.type("w")
    page.wait("document.querySelector('#list h1')?.textContent.includes('undertow')"
              " && document.querySelectorAll('#list .row').length === 1")
    taken = 1000 * (time.monotonic() - began)
    page.say("search while typing", taken < 1500, f"{taken:.0f} ms, including a delay of 150 ms for the next letter")
    page.owed("search")
    page.shot("search")
    page.type("zzz")
    page.wait("document.querySelector('#list .empty')")
    page.say("an empty result is reported", page.do("document.querySelector('#list .empty').textContent"),
             page.do("document.querySelector('#list .empty').textContent"))
    page.owed("search without results")
    page.shot("search-empty")
    page.press("Escape")
    page.go("#/")


def slow(page):
    added = page.browser.before(script("slow"))
    page.open()
    page.wait("document.querySelectorAll('#list .card').length > 10")
    early = page.do("document.querySelectorAll('#list .grid .length').length")
    page.say("titles are listed before they are scanned", early == 0, early)
    page.do("known()")
    page.wait("document.querySelectorAll('#list .grid .length').length > 10")
    page.say("their details are added after the scan", True)
    page.browser.without(added)


def groups(page):
    page.open()
    for path, names in GROUPS.items():
        page.kind(path)
        page.wait(f"document.querySelector('#kinds a[data-path={path}][aria-current]') && {json.dumps(names)}"
                  ".every(name => document.querySelector('#list').textContent.includes(name))", 20)
        page.say(f"{path}: {', '.join(names)}", page.do("document.querySelectorAll('#list li a').length") > 0)
        page.shot(path)
        page.owed(path)
    page.kind("albums")
    page.click("#list .card.album", "Tidelines")
    page.wait("document.querySelectorAll('#list .row').length > 3")
    titles = page.do("[...document.querySelectorAll('#list .row b')].map(one => one.textContent)")
    page.say("an album is in track order", titles[:3] == ["First Light", "Undertow", "Estuary"], titles)
    page.wait("document.querySelector('.sleeve-head img')?.naturalWidth > 0")
    page.shot("album")
    page.owed("album")
    page.kind("artists")
    page.click("#list .card.artist", "Ada Lin")
    page.wait("document.querySelectorAll('#list .card.album').length === 2")
    page.say("an artist lists albums", True)
    page.shot("artist")
    page.owed("artist")
    page.kind("series")
    page.click("#list .card.series", "Northwind")
    page.wait("document.querySelectorAll('#list .row').length === 4")
    parts = page.do("[...document.querySelectorAll('#list .part')].map(one => one.textContent)")
    page.say("a series lists seasons", len(parts) == 2, parts)
    page.shot("series-seasons")
    page.owed("series and its seasons")
    page.kind("folders")
    page.click("#list .card.folder", "Music")
    page.wait("document.querySelector('#list h1')?.textContent === 'Music'")
    page.shot("folder")
    page.owed("folder")


def sorting(page):
    page.go("#/songs")
    page.wait("document.querySelector('.sorter select')")
    order = {}
    for sort in ["title", "duration"]:
        page.choose(".sorter select", sort)
        page.wait(f"document.querySelector('.sorter select')?.value === '{sort}'"
                  " && document.querySelectorAll('#list .row').length > 5")
        order[sort] = page.do("[...document.querySelectorAll('#list .row')]"
                              ".map(one => [one.querySelector('b').textContent, "
                              "one.querySelector('.time').textContent])")
    times = [length for _, length in order["duration"]]
    names = [name for name, _ in order["title"]]
    page.say("sorted by title, by length", times == sorted(times) and names[0] < names[-1]
             and names != [name for name, _ in order["duration"]], f"{times[0]} to {times[-1]}")
    page.choose(".sorter select", "title")


def many(page):
    added = page.browser.before(script("many"))
    page.open()
    page.wait("document.querySelectorAll('#list .card').length > 10")
    figures = page.do(script("scroll"))
    page.say(f"{TITLES} titles: the page size is bounded", figures["most"] < 120, f"{figures['rate']:.0f} frames/s, "
             f"the slowest 1 % {figures['late']:.0f} ms, at most {figures['most']} cards")
    page.do("scrollTo(0, document.body.scrollHeight)")
    page.wait("document.querySelector('#list').textContent.includes('Title %d')" % TITLES)
    page.say(f"{TITLES} titles: the last one", True)
    page.browser.without(added)


def without_scripts(page):
    text = libraries.answer(page.url).decode()
    links = re.findall(r'class="item" href="([^"]+)"', text)
    played = libraries.answer(urllib.parse.urljoin(page.url, links[0]))[:7]
    page.say("without scripts: a list whose links play", len(links) > 10 and played == b"#EXTM3U", len(links))
