"""Access by name and password or by a key in the URL; and the message of a lost server."""

import json
import os

from segue_tools.browser import library as libraries
from segue_tools.launch import segue
from segue_tools.page import playing

PROBLEM = "document.querySelector('#player .problem').textContent"
ASTRAY = ("performance.getEntriesByType('resource').map(one => one.name)"
          ".filter(one => one.startsWith('http') && !one.startsWith(%s))")


def add_person(library):
    segue("access", "people", "add", "anna", "--data", library.data,
          env=dict(os.environ, SEGUE_PASSWORD="lighthouse at noon"))


def enter(page, name, password):
    """Fills the form in, as a person does."""
    page.wait("document.querySelector('input[type=password]')")
    page.click("form input:not([type=hidden], [type=password])")
    page.do("void (document.activeElement.value = '')")
    page.type(name)
    page.press("Tab")
    page.type(password)
    page.browser.follow(lambda: page.press("Enter"))


def let_in(page):
    """A server that is not on loopback: a login."""
    page.browser.open(page.url)
    page.wait("document.querySelector('input[type=password]')")
    page.shot("login")
    page.owed("login")
    enter(page, "anna", "not this")
    said = page.do("document.querySelector('[role=alert]')?.textContent")
    page.say("login: a wrong password is said to be wrong", said, said)
    page.shot("login-wrong")
    page.owed("login, after a wrong password")
    enter(page, "anna", "lighthouse at noon")
    page.wait("globalThis.segue && document.querySelectorAll('#list .card').length > 10")
    page.say("login: with name and password",
             page.do("document.querySelector('.visitor')?.textContent.includes('anna')"))
    page.shot("signed-in")
    page.owed("signed in")
    page.click("#list .card a", "Undertow")
    page.wait("segue.player.position > 1")
    page.browser.follow(lambda: page.click(".visitor button"))
    page.wait("document.querySelector('input[type=password]') && document.readyState === 'complete'")
    # The page with the login may fetch nothing, and says so in its policy.
    page.browser.open(page.url + "api/items")
    answer = page.do("performance.getEntriesByType('navigation')[0].responseStatus")
    page.say("logout: the list is gone", answer == 401, answer)
    page.browser.size(390, 844, is_phone=True)
    page.browser.language("de")
    page.browser.open(page.url)
    page.wait("document.documentElement.lang === 'de' && document.querySelector('input[type=password]')")
    page.shot("phone-login")
    page.owed("login, phone, German")
    page.errors()


def by_key(page, keyed):
    """The address with its key, in a browser that has never been here."""
    page.open(url=keyed)
    page.wait("document.querySelectorAll('#list .card').length > 10")
    page.click("#list .card a", "Undertow")
    page.wait("segue.player.position > 1 && [...document.querySelectorAll('#list .tile img')].some(one => "
              "one.naturalWidth)")
    astray = page.do(ASTRAY % json.dumps(keyed))
    page.say("a key in the address: all is asked for below it", not astray,
             astray[:3] or page.do("performance.getEntriesByType('resource').length"))
    page.errors()


def troubles(page, library, server):
    """Removes the playing title; stops and restarts the server. Returns the new server."""
    playing.film(page)
    page.reach(2)
    server.process.kill()
    server.process.wait()
    page.do("segue.player.seek(60)")
    page.wait(PROBLEM)
    page.say("the server is gone: the page says so", True, page.do(PROBLEM))
    page.shot("server-gone")
    page.owed("server gone")
    server = library.serve(page.url.split("/")[2])
    page.wait("segue.player.position > 61.5 && !video.seeking")
    page.wait(f"!{PROBLEM}", 20)
    page.say("and is back: it plays on by itself, and says no more", True, f"at {page.position():.1f} s")
    film = library.film("Harbour Lights (2019)")
    os.rename(film, f"{library.top}/gone")
    libraries.settled(page.url)
    page.do("segue.player.seek(20)")
    page.wait(PROBLEM)
    # Buffered media continues to play and must not remove the message.
    page.do("new Promise(done => setTimeout(done, 1000))")
    page.say("the title is removed: the page says so", page.do(PROBLEM) != "", page.do(PROBLEM))
    page.shot("removed")
    os.rename(f"{library.top}/gone", film)
    page.press("Escape")
    page.kind("songs")
    page.click("#list .row a", "Undertow")
    page.wait("segue.player.current?.title === 'Undertow' && segue.player.position > 1")
    page.say("and another plays", page.do(PROBLEM) == "")
    page.errors()
    return server
