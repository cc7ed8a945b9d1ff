"""Dark and light themes, German, phone and narrow windows, and keyboard-only use."""

from segue_tools.browser.scripts import script


def around(page, where):
    """Tab from the first control to the last."""
    wanted = page.do(script("stops"))
    if page.do("document.activeElement === document.body"):
        page.press("Tab")
    stops = [page.do(script("focus"))]
    for _ in wanted[1:]:
        page.press("Tab")
        stops.append(page.do(script("focus")))
    page.say(f"keys: Tab reaches every control of {where} in reading order",
             [stop["key"] for stop in stops] == wanted and len(wanted) > 10, f"{len(wanted)} controls")
    unseen = [stop["what"] for stop in stops if not stop["isShown"] or not stop["isSeen"]]
    page.say("keys: each focused control is visible and outlined", not unseen, unseen or "")


def dark(page):
    """The theme chosen in the page."""
    page.open()
    page.click("#theme")
    page.wait("document.querySelector('[role=menu]')")
    page.owed("menu of themes")
    page.click("[role=menuitemradio]", "Dark")
    page.wait("document.documentElement.dataset.theme === 'dark'")
    page.open()
    page.wait("document.querySelectorAll('#list .card').length > 10")
    paper = page.do("getComputedStyle(document.body).backgroundColor")
    page.say("the dark theme is kept", page.do("document.documentElement.dataset.theme") == "dark", paper)
    page.shot("dark")
    page.owed("list, dark")
    page.play_songs("Undertow", "Estuary")
    page.press("q")
    page.shot("dark-queue")
    page.owed("queue, dark")
    page.press("Escape")
    page.click("#theme")
    page.click("[role=menuitemradio]", "System default")
    page.wait("!document.documentElement.dataset.theme")


def system_dark(page):
    if page.browser.NAME == "Firefox":
        page.not_here("dark, following the system", "the automation cannot set it; the page's own setting is shown")
        return
    page.browser.media(prefers_color_scheme="dark")
    page.open()
    page.wait("document.querySelectorAll('#list .card').length > 10")
    page.say("dark, following the system",
             page.do("getComputedStyle(document.body).backgroundColor") == "rgb(22, 21, 20)")
    page.owed("list, dark following the system")
    page.browser.media(prefers_color_scheme="light")


def phone(page):
    """A phone in German."""
    page.browser.size(390, 844, is_phone=True)
    page.open("?language=de")
    page.wait("document.documentElement.lang === 'de' && document.querySelectorAll('#list .card').length > 5")
    page.shot("phone-german")
    page.owed("phone, German")
    for path in ["albums", "songs", "films", "folders"]:
        page.kind(path)
        page.shot(f"phone-{path}")
        page.owed(f"phone, German, {path}")
    page.kind("albums")
    page.click("#list .card.album", "Tidelines")
    page.wait("document.querySelector('.sleeve-head img')?.naturalWidth > 0")
    page.shot("phone-album")
    page.owed("phone, German, album")
    page.click("#list .row a", "Estuary")
    page.wait("segue.player.position > 1")
    page.shot("phone-bar")
    page.owed("phone, German, bar")
    page.click("#player .name")
    page.wait("segue.view.isLarge")
    box = page.do("document.querySelector('.sleeve img').getBoundingClientRect().width / innerWidth")
    page.say("phone: the cover is large", box > 0.5, f"{100 * box:.0f} % of the width")
    page.shot("phone-player")
    page.owed("phone, German, player")
    page.click("#player [aria-expanded]")
    page.wait("!document.querySelector('aside.queue').hidden")
    page.shot("phone-queue")
    page.owed("phone, German, queue")
    page.click("aside.queue [aria-label=Schließen]")
    page.click("#player [aria-haspopup=dialog]")
    page.wait("document.querySelector('dialog.settings')")
    page.shot("phone-settings")
    page.owed("phone, German, settings")
    page.click("dialog.settings [aria-label=Schließen]")
    page.wait("!document.querySelector('dialog')")
    page.browser.size(1200, 900)


def german(page):
    page.open("?language=de")
    page.wait("document.querySelectorAll('#list .card').length > 10")
    page.shot("german")
    page.owed("German")
    page.press("?")
    page.wait("document.querySelector('dialog.help')")
    page.shot("german-help")
    page.owed("German, keys")
    page.press("Escape")
    page.kind("films")
    page.click("#list .card a", "Harbour Lights")
    page.wait("segue.view.isLarge && segue.player.position > 0.5")
    page.shot("german-player")
    page.owed("German, player")
    page.click("#player [aria-haspopup=dialog]")
    page.wait("document.querySelector('dialog.settings')")
    page.shot("german-settings")
    page.owed("German, settings")
    page.press("Escape")


def narrow(page):
    """The width of 1280 pixels at a zoom of 400 % (WCAG 2.2, 1.4.10)."""
    page.browser.size(320, 640)
    for language in ["en", "de"]:
        page.open(f"?language={language}")
        page.wait(f"document.documentElement.lang === '{language}' && document.querySelectorAll('#list .card').length "
                  f"> 3")
        page.owed(f"320 pixels wide, {language}")
        page.play_songs("Undertow", "Estuary")
        page.click("#player .name")
        page.owed(f"320 pixels wide, {language}, player")
    page.shot("narrow-player")
    page.browser.size(1200, 900)


def keyboard(page):
    """From the list to a film and back without a mouse; every focused control is visible."""
    page.open()
    page.wait("document.querySelectorAll('#list .card').length > 10")
    page.tab_to("here.dataset.path === 'films'")
    page.press("Enter")
    page.wait("document.querySelector('#list h1')?.textContent === 'Films' && "
              "!document.querySelector('[aria-busy=true]')")
    page.tab_to("here.closest('#list .grid')")
    for _ in range(8):
        if page.do("document.activeElement.textContent.includes('Harbour Lights')"):
            break
        page.press("ArrowRight")
    page.press("Enter")
    page.wait("segue.view.isLarge && segue.player.position > 0.5")
    focus = page.do(script("focus"))
    page.say("keys: an opened film receives the focus", page.do("document.activeElement.matches('.tool.main')"),
             focus["what"])
    page.press(" ")
    page.wait("video.paused")
    page.press(" ")
    page.wait("!video.paused")
    at = page.position()
    page.press("ArrowRight")
    page.wait(f"segue.player.position > {at} + 9 && !video.seeking")
    before = page.do("video.volume")
    page.press("ArrowDown")
    page.say("keys: arrows seek and lower the volume", page.do("video.volume") < before,
             f"{before} to {page.do('video.volume')}")
    page.press("ArrowUp")
    page.wait("!document.querySelector('.note')")
    around(page, "the player")
    page.press("q")
    page.wait("!document.querySelector('aside.queue').hidden")
    page.press("Escape")
    page.say("keys: the queue returns the focus", page.do("document.activeElement.hasAttribute('aria-expanded')"))
    page.press("Escape")
    page.wait("!segue.view.isLarge")
    page.say("keys: Escape returns to the title",
             page.do("document.activeElement.closest('#list li')?.textContent.includes('Harbour Lights')"),
             page.do(script("focus"))["what"])
    page.say("keys: playback continues", page.do("!video.paused"))
    page.press("k")
    page.wait("video.paused")
    page.open()
    page.wait("document.querySelectorAll('#list .card').length > 10")
    around(page, "the list")
