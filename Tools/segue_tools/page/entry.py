"""Access by name and password or by a key in the URL, and the message about an unreachable server."""

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
    """Fills in the form as a user does."""
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
    page.say("login: a wrong password is reported", said, said)
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
    # The policy of the login page forbids all requests.
    page.browser.open(page.url + "api/items")
    answer = page.do("performance.getEntriesByType('navigation')[0].responseStatus")
    page.say("logout: the list is removed", answer == 401, answer)
    page.browser.size(390, 844, is_phone=True)
    page.browser.language("de")
    page.browser.open(page.url)
    page.wait("document.documentElement.lang === 'de' && document.querySelector('input[type=password]')")
    page.shot("phone-login")
    page.owed("login, phone, German")
    page.errors()


def by_key(page, keyed):
    """The URL with its key, in a new browser profile."""
    page.open(url=keyed)
    page.wait("document.querySelectorAll('#list .card').length > 10")
    page.click("#list .card a", "Undertow")
    page.wait("segue.player.position > 1 && [...document.querySelectorAll('#list .tile img')].some(one => "
              "one.naturalWidth)")
    astray = page.do(ASTRAY % json.dumps(keyed))
    page.say("a key in the URL: all requests are below it", not astray,
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
    page.say("the server is unreachable: the page reports it", True, page.do(PROBLEM))
    page.shot("server-gone")
    page.owed("server gone")
    server = library.serve(page.url.split("/")[2])
    page.wait("segue.player.position > 61.5 && !video.seeking")
    page.wait(f"!{PROBLEM}", 20)
    page.say("the server is back: playback resumes and the message disappears", True, f"at {page.position():.1f} s")
    film = library.film("Harbour Lights (2019)")
    os.rename(film, f"{library.top}/gone")
    libraries.settled(page.url)
    page.do("segue.player.seek(20)")
    page.wait(PROBLEM)
    # Buffered media continues to play and must not remove the message.
    page.do("new Promise(done => setTimeout(done, 1000))")
    page.say("the title is removed: the page reports it", page.do(PROBLEM) != "", page.do(PROBLEM))
    page.shot("removed")
    os.rename(f"{library.top}/gone", film)
    page.press("Escape")
    page.kind("songs")
    page.click("#list .row a", "Undertow")
    page.wait("segue.player.current?.title === 'Undertow' && segue.player.position > 1")
    page.say("another title plays", page.do(PROBLEM) == "")
    page.errors()
    return server
