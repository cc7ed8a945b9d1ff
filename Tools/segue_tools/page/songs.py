"""Songs: the queue, gapless playback, the stored position, media keys."""

from segue_tools.browser import marks
from segue_tools.browser.scripts import script

SONGS = ["First Light", "Undertow", "Estuary"]


POINT = """(async () => {
  const { items } = await (await fetch('api/items?q=Estuary')).json();
  const { points } = await (await fetch('api/resume')).json();
  return points.find(one => one.id === items[0].id).position;
})()"""


def gapless(page, library):
    files = [library.song(number, name) for number, name in enumerate(SONGS, 1)]
    page.open()
    page.play_songs(*SONGS)
    page.record()
    page.do("segue.player.seek(14)")
    page.reach(14.5)
    marks.take(page.browser)
    page.wait("segue.player.current?.title === 'Estuary' && segue.player.position > 2", 120)
    references = [marks.reference(path) for path in files]
    heard = [one for one in marks.Heard(references).stretches(marks.take(page.browser)) if one[3] > marks.RATE]
    seams = [(one, two) for one, two in zip(heard, heard[1:]) if one[0] != two[0]]
    page.say("three songs play in order", [one[0] for one in heard] == [0, 1, 2], [one[3] for one in heard])
    for one, two in seams:
        missing = (len(references[one[0]]) - one[1] - one[3]) + two[1]
        between = two[2] - one[2] - one[3]
        page.say(f"{SONGS[one[0]]} to {SONGS[two[0]]}: samples between", abs(between - missing) <= 1,
                 f"{between - missing} ({missing} at the transition differ from the file)")
    page.shot("music")
    page.owed("music")
    page.click("#player .name")
    page.wait("segue.view.isLarge")
    page.shot("music-large")
    page.owed("music, large")
    page.press("Escape")


def queue(page, library):
    page.open()
    page.play_songs(*SONGS)
    page.press("q")
    page.wait("!document.querySelector('aside.queue').hidden")
    titles = "segue.player.queue.items.map(item => item.title)"
    page.click(".queue-list li:nth-child(1) [data-act=down]")
    page.say("queue: moved", page.do(titles) == ["Undertow", "First Light", "Estuary"], page.do(titles))
    page.say("queue: the focus follows a moved title", page.do(
        "document.activeElement.dataset.act === 'down' && "
        "document.activeElement.closest('li').textContent.includes('First Light')"))
    page.press("Escape")
    page.wait("document.querySelector('aside.queue').hidden")
    for title, choice in [("Iron", "Add to the queue"), ("Copper", "Play next")]:
        page.click(f"#list .card.item:has(b) .more[aria-label*={title}]")
        page.click("[role=menuitem]", choice)
    page.say("queue: added, and played next",
             page.do(titles) == ["Undertow", "First Light", "Copper", "Estuary", "Iron"], page.do(titles))
    page.say("queue: a title added after the last one plays without errors", not page.do("segue.player.problem"))
    page.press("q")
    page.wait("!document.querySelector('aside.queue').hidden")
    page.say("queue: has the height of the page",
             page.do("document.querySelector('aside.queue').offsetHeight === innerHeight"))
    page.shot("queue")
    page.owed("queue")
    page.click(".queue-list li:nth-child(1) [data-act=remove]")
    page.say("queue: removed", page.do(titles) == ["First Light", "Copper", "Estuary", "Iron"])
    page.press("Escape")
    page.click("#player [aria-label=Shuffle]")
    page.say("queue: when shuffled, the current title comes first", page.do(titles)[0] == "First Light"
             and sorted(page.do(titles)) == ["Copper", "Estuary", "First Light", "Iron"], page.do(titles))
    page.click("#player [aria-label=Shuffle]")
    page.say("queue: the original order returns", page.do(titles) == ["First Light", "Copper", "Estuary", "Iron"])
    page.click("#player [aria-label^=Repeat]")
    page.do("segue.player.jump(3)")
    page.say("queue: repeats from the first title", page.do("segue.player.queue.nextIndex") == 0)
    page.press("q")
    page.click("aside.queue .word")
    page.say("queue: cleared except for the current title", page.do(titles) == ["Iron"])
    page.press("Escape")


def resumed(page, library):
    page.open()
    page.play_songs("Estuary")
    page.do("segue.player.seek(9)")
    page.reach(9.5)
    page.press("k")
    page.wait("video.paused")
    stopped = page.position()
    page.open()
    page.wait("document.querySelector('.strip')")
    page.shot("continue")
    page.owed("list with started titles")
    page.click(".strip .card a", "Estuary")
    page.wait("segue.player.position > 1")
    error = page.position() - stopped
    page.say("resumes at the position after a reload", -0.01 <= error < 1.5,
             f"{1000 * error:.0f} ms after {stopped:.2f} s")
    page.press("k")
    page.wait("video.paused")


def restarted(page, library):
    """A seek to the start while the title is about to resume at another position."""
    page.open()
    page.play_songs("Estuary")
    page.do("segue.player.seek(9)")
    page.reach(9.5)
    for _ in range(12):
        page.do("segue.player.playAll(segue.player.queue.items), segue.player.seek(0)")
        page.wait("segue.player.position > 0.2 && segue.player.position < 5 && !video.seeking", 20)
        page.do("segue.player.seek(9)")
        page.reach(9.2)
        page.do("""(async () => {
          segue.player.playAll(segue.player.queue.items);
          while (!segue.player.engine.current) await new Promise(resolve => setTimeout(resolve));
          segue.player.seek(0);
        })()""")
        page.wait("segue.player.position > 0.2 && segue.player.position < 5 && !video.seeking", 20)
        page.do("segue.player.seek(9)")
        page.reach(9.2)
    page.say("from the start, requested immediately and once the title is loaded", True, "12 times each")


def other_device(page, other):
    """The same page in a new browser profile."""
    other.open()
    other.wait("document.querySelector('.strip')")
    stopped = other.do(POINT)
    other.click(".strip .card a", "Estuary")
    other.wait("segue.player.position > 1")
    error = other.position() - stopped
    other.say("resumes at the position on another device", -0.01 <= error < 1.5,
              f"{1000 * error:.0f} ms after {stopped:.2f} s")
    other.errors()
    page.failed += other.failed


def media_keys(page, library):
    added = page.browser.before(script("media-keys"))
    page.open()
    page.play_songs("First Light", "Undertow")
    shown = page.do("(({ title, artist, album }) => [title, artist, album])(navigator.mediaSession.metadata)")
    size = page.do("fetch(navigator.mediaSession.metadata.artwork[2].src)"
                   ".then(answer => answer.ok && answer.blob()).then(blob => blob && blob.size)")
    page.say("lock screen: title, artist, album, artwork", shown == ["First Light", "Ada Lin", "Tidelines"] and size,
             f"{size} bytes")
    page.do("mediaKeys.pause({ action: 'pause' })")
    page.wait("video.paused")
    state = page.do("navigator.mediaSession.playbackState")
    page.do("mediaKeys.seekto({ action: 'seekto', seekTime: 7 })")
    page.wait("Math.abs(segue.player.position - 7) < 0.1")
    page.do("mediaKeys.seekbackward({ action: 'seekbackward', seekOffset: 2 })")
    page.wait("Math.abs(segue.player.position - 5) < 0.1")
    page.do("void mediaKeys.play({ action: 'play' })")
    page.wait("!video.paused && segue.player.position > 5.2")
    page.do("mediaKeys.nexttrack({ action: 'nexttrack' })")
    page.wait("segue.player.current?.title === 'Undertow' && segue.player.position > 0.2")
    page.do("mediaKeys.previoustrack({ action: 'previoustrack' })")
    page.wait("segue.player.current?.title === 'First Light'")
    page.say("media keys: pause, seek, back, play, next, previous", state == "paused")
    page.browser.without(added)
