"""A browser without Media Source Extensions that plays HLS natively, such as on an iPhone."""

from segue_tools.browser import marks
from segue_tools.page import playing

WITHOUT = "delete globalThis.MediaSource; delete globalThis.ManagedMediaSource; delete globalThis.WebKitMediaSource;"


def native(page, library):
    if not page.do("document.createElement('video').canPlayType('application/vnd.apple.mpegurl')"):
        page.not_here("native HLS", "not supported")
        return
    script = page.browser.before(WITHOUT)
    playing.film(page, at=4)
    page.say("native HLS: plays without Media Source", page.do("segue.player.isNative && !globalThis.MediaSource"))
    page.reach(6)
    seen = page.picture()
    page.say("native HLS: the video matches the position", seen, seen and f"{seen['off']:.1f} ms from its middle")
    page.record()
    page.do("globalThis.addresses = 0, video.addEventListener('emptied', () => { addresses += 1; }), 0")
    page.reach(page.position() + 3)
    left = page.position()
    page.browser.leave()
    page.wait("document.visibilityState === 'hidden' && video.src.includes('background=1')")
    page.reach(left + 6)
    page.say("native HLS: hidden, the URL of the audio only", page.do("!video.paused && video.videoHeight === 0"),
             page.do("new URL(video.src).search"))
    back = page.position()
    page.browser.come_back()
    page.wait("document.visibilityState === 'visible' && !video.src.includes('background=1')")
    page.wait(f"segue.player.position > {back} && !video.paused && video.videoHeight > 0 && !video.seeking")
    seen = page.picture()
    page.say("native HLS: the video returns, and matches the position", seen, seen and
             f"{seen['position'] - back:.2f} s after the return, {seen['off']:.1f} ms from its middle")
    page.reach(back + 4)
    file = marks.reference(library.film("Harbour Lights (2019)"))
    stretches = [one for one in marks.Heard([file]).stretches(marks.take(page.browser)) if one[3] > marks.RATE]
    breaks = marks.Heard.breaks(stretches)
    page.say("native HLS: one URL change at hiding and one at return", page.do("addresses") == 2)
    page.say("native HLS: the browser's gaps at the changes", 2 <= len(breaks) <= 3, "; ".join(
        f"{others / marks.RATE:.2f} s silent, {(gap or 0) / marks.RATE:+.2f} s of position after "
        f"{one[3] / marks.RATE:.1f} s"
        for one, (_, _, gap, others) in zip(stretches, breaks)))
    page.play_songs("First Light", "Undertow")
    page.do("segue.player.seek(18)")
    page.wait("segue.player.current?.title === 'Undertow' && segue.player.position > 1")
    page.say("native HLS: the next title follows", True)
    page.owed("own HLS")
    page.browser.without(script)
