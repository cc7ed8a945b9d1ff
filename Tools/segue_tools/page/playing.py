"""A film during playback: subtitles, tracks, chapters, speed, quality, picture in picture, other devices."""

import json

from segue_tools.browser.scripts import script

SMALLER = "[...document.querySelectorAll('dialog.settings [name=quality]')].slice(1)"


# A browser that supports neither.
ALONE = "delete HTMLMediaElement.prototype.remote;"


def film(page, title="Harbour Lights", at=0):
    page.open()
    page.kind("films")
    page.click("#list .card a", title)
    page.wait(f"segue.player.current?.title === {json.dumps(title)} && segue.player.position > 0 && video.videoHeight "
              f"> 0", 30)
    page.do(f"segue.player.seek({at})")
    page.reach(at + 0.2)


def tracks(page, library):
    film(page, at=4)
    page.press("c")
    page.wait("document.querySelector('.cue').textContent.includes('lamp')")
    page.say("subtitles", True, page.do("document.querySelector('.cue').textContent"))
    page.shot("subtitles")
    page.click("button[aria-haspopup=dialog]")
    page.wait("document.querySelector('dialog.settings')")
    page.owed("settings")
    page.shot("settings")
    page.click("dialog.settings label", "Deutsch")
    page.click("dialog.settings label", "1.5")
    page.press("Escape")
    page.wait("!document.querySelector('dialog')")
    page.say("the settings return the focus",
             page.do("document.activeElement.getAttribute('aria-haspopup')") == "dialog")
    page.reach(page.position() + 3)
    page.say("another audio track", page.do("segue.player.engine.chosenSound.language") == "de")
    page.say("speed", page.do("video.playbackRate") == 1.5)
    page.press("<", "<")
    page.say("speed by its keys", page.do("video.playbackRate") == 1, page.do("video.playbackRate"))


def chapters(page, library):
    film(page)
    names = page.do("[...document.querySelectorAll('.chapters button')].map(one => one.lastChild.data)")
    page.say("chapters have names", names == ["Arrival", "The pier", "Home"], names)
    errors = []
    for title, start in [("The pier", 30), ("Home", 60), ("Arrival", 0)]:
        page.click(".chapters button", title)
        page.wait(f"segue.player.position >= {start} && segue.player.position < {start} + 5 && !video.seeking")
        errors.append(page.picture())
        page.wait(f"document.querySelector('.chapters [aria-current=true]')?.textContent.includes('{title}')")
    page.say("a chapter can be opened, and is marked", all(errors),
             [f"{seen['position']:.1f} s" for seen in errors if seen])
    page.press("5")
    page.wait("Math.abs(segue.player.position - 45) < 2 && !video.seeking")
    page.say("a number key seeks to a tenth", page.picture(), f"{page.position():.1f} s")


def quality(page, library):
    film(page, at=2)
    before = page.do("video.videoHeight")
    # The server tests its encoders first, which may take as long as the film.
    page.press("k")
    page.click("button[aria-haspopup=dialog]")
    page.click("dialog.settings fieldset .word")
    page.wait(f"{SMALLER}.length > 0")
    page.shot("quality")
    page.owed("quality")
    page.click("dialog.settings label:has([name=quality]):last-of-type")
    page.press("Escape")
    at = page.position()
    page.press("k")
    page.wait(f"segue.player.problem || (video.videoHeight < {before} && segue.player.position > {at} + 2)")
    seen = page.picture()
    page.say("another quality, its video matches the position", seen, seen and
             f"{before} to {page.do('video.videoHeight')} lines after {seen['position'] - at:.1f} s")


def picture_in_picture(page, library):
    film(page)
    offered = page.do("document.pictureInPictureEnabled")
    shown = page.do("document.querySelector('[aria-keyshortcuts=i]').checkVisibility()")
    page.say("picture in picture is offered if supported", offered == shown, "offered" if shown else "not offered")
    if not offered:
        page.not_here("picture in picture", "not supported")
        return
    page.click("[aria-keyshortcuts=i]")
    page.wait("document.pictureInPictureElement")
    page.say("picture in picture opens", page.picture())
    if page.browser.NAME == "Firefox":
        page.press("i")
        page.wait("!document.pictureInPictureElement")
        page.browser.front()
        page.not_here("picture in picture while hidden",
                      "the automation waits for a visibility event that never arrives")
        return
    loaded = page.do("segue.player.engine.ledger.picture")
    page.browser.leave()
    page.wait("document.visibilityState === 'hidden'")
    page.do("segue.player.seek(50)")
    page.wait(f"segue.player.position > 52 && segue.player.engine.ledger.picture > {loaded}")
    page.say("picture in picture: a hidden tab continues to load video",
             page.do("segue.player.engine.isVideoWanted"),
             f"{page.do('segue.player.engine.ledger.picture') - loaded} bytes")
    page.do("document.exitPictureInPicture().then(() => 1)")
    page.wait("!segue.player.engine.isVideoWanted")
    page.say("after it is closed, only the audio continues", True)
    page.browser.come_back()
    page.wait("segue.player.engine.isVideoWanted")


def devices(page, library):
    """The buttons for Chromecast and AirPlay, with simulated devices."""
    cast = ".tool.extra[aria-label='Play on another device']"
    hls = page.do("document.createElement('video').canPlayType('application/vnd.apple.mpegurl')")
    for name, code in [("Remote Playback (Chromecast)", script("devices")), ("AirPlay", script("airplay"))]:
        if not hls:
            page.not_here(name, "it has no native HLS, so no URL is handed over")
            continue
        added = page.browser.before(code)
        film(page, at=10)
        page.say(f"{name}: a button", page.do(f"document.querySelector({json.dumps(cast)}).checkVisibility()"))
        page.click(cast)
        page.wait("window.asked && segue.player.isNative && segue.player.position > 11 && !video.paused && "
                  "!video.seeking")
        page.say(f"{name}: a URL is handed over at the position", "/items/" in page.do("video.src"),
                 f"{page.do('new URL(video.src).pathname.replace(/[0-9a-f]{8,}/, String.fromCharCode(8230))')} at "
                 f"{page.position():.1f} s")
        if name.startswith("Remote"):
            page.do("video.remote.become('connected')")
            page.browser.leave()
            page.wait("document.visibilityState === 'hidden'")
            page.say(f"{name}: hidden, the other device keeps the video",
                     page.do("segue.player.engine.isVideoWanted"))
            page.browser.come_back()
            page.wait("document.visibilityState === 'visible'")
            at = page.position()
            page.do("video.remote.become('disconnected')")
            page.wait(f"!segue.player.isNative && segue.player.position > {at} - 1 && video.readyState > 2 && "
                      f"!video.seeking")
            seen = page.picture()
            page.say(f"{name}: returns to the page at the position", seen, seen
                     and f"{seen['position'] - at:.2f} s later")
        page.browser.without(added)
    added = page.browser.before(ALONE)
    film(page)
    page.say("no button if the browser supports neither",
             page.do(f"!document.querySelector({json.dumps(cast)}).checkVisibility()"))
    page.browser.without(added)
