"""The main feature: the tab or the phone's screen is hidden, and only the audio continues."""

from segue_tools.browser import marks
from segue_tools.page import playing

SEGMENT = """(async () => {
  const { engine } = segue.player, { playlist } = engine.current.picture, one = playlist.segments[4];
  return { size: (await (await fetch(one.url)).blob()).size, seconds: one.duration };
})()"""


def hidden(page, library, where, seconds=26):
    """Hides the page for some seconds while a film plays, and checks video, data, and the audio of the whole time."""
    page.reach(6)
    seen = page.picture()
    page.say(f"{where}: the video matches the position", seen, seen and f"{seen['off']:.1f} ms from its middle")
    page.record()
    page.reach(page.position() + 2)
    page.browser.leave()
    page.wait("document.visibilityState === 'hidden' && !segue.player.engine.isVideoWanted")
    left, loaded = page.position(), page.do("segue.player.engine.ledger.picture")
    page.reach(left + seconds)
    more = page.do("segue.player.engine.ledger.picture") - loaded
    page.say(f"{where}: no video is loaded while hidden", more == 0, f"{more} bytes in {seconds} s")
    page.browser.come_back()
    page.wait("document.visibilityState === 'visible'")
    began = page.position()
    page.wait("segue.player.engine.ahead(segue.player.engine.picture) > 0"
              " && !segue.player.engine.picture.isStandingIn")
    seen = page.picture()
    page.say(f"{where}: the video returns, and matches the position", seen, seen and
             f"{seen['position'] - began:.2f} s after the return, {seen['off']:.1f} ms from its middle")
    page.reach(began + 3)
    heard(page, [library.film("Harbour Lights (2019)")], where, seconds + 3)
    saved, segment = page.do("segue.player.saved"), page.do(SEGMENT)
    page.say(f"{where}: the saved data are displayed", saved["bytes"] > 100_000 and saved["bytes"] > 0
             and page.do("segue.player.saved.bytes > 0 && document.querySelector('.saved').textContent !== ''"),
             f"{saved['bytes'] / 1e6:.2f} MB in {saved['seconds']:.1f} s "
             f"(a segment of {segment['seconds']:.0f} s has {segment['size'] / 1e6:.2f} MB)")


def heard(page, files, where, least):
    stretches = marks.Heard([marks.reference(path) for path in files]).stretches(marks.take(page.browser))
    breaks = [(gap, others) for _, _, gap, others in marks.Heard.breaks(stretches)]
    lost = sum(abs(gap or 0) + others for gap, others in breaks)
    longest = max((stretch[3] for stretch in stretches), default=0)
    page.say(f"{where}: audio at hiding and return, samples lost or added", lost == 0 and longest > least * marks.RATE,
             f"{lost}; {longest} without a break" + (f"; missing and silent: {breaks}" if breaks else ""))


def desk(page, library):
    playing.film(page)
    page.reach(3)
    page.shot("player")
    page.owed("player")
    hidden(page, library, "background")
    page.shot("background")
    page.owed("player after the background")
    page.press("b")
    page.wait("!segue.player.engine.isVideoWanted")
    page.shot("sound-only")
    page.owed("sound only")
    page.press("b")
    page.wait("segue.player.engine.isVideoWanted && !segue.player.engine.picture.isStandingIn")
    page.say("audio only by its key, and back", page.picture())


def phone(page, library):
    page.browser.size(390, 844, is_phone=True)
    playing.film(page)
    hidden(page, library, "phone, background")
    page.shot("phone-film")
    page.owed("phone, film")
    page.browser.size(1200, 900)
