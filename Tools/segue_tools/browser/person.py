"""The page in a browser, with a user's actions and expectations."""

import json
import os
import time

from segue_tools.browser.scripts import script


class Page:
    def __init__(self, browser, url, shots):
        self.browser, self.url, self.shots = browser, url, shots
        self.failed, self.fallen = 0, []
        self.do = browser.evaluate

    def close(self):
        self.browser.close()

    def wait(self, condition, patience=60):
        """Waits for an expression; if it does not become true, reports it and takes a screenshot."""
        self.patiently(lambda: self.browser.wait(condition, patience), f"{patience} s for {condition}")

    def patiently(self, look, what):
        try:
            return look()
        except TimeoutError:
            self.say("timed out", False, what)
            self.capture("in-vain")
            print(self.do(script("page-state"), 10), flush=True)
            raise

    # Reports

    def say(self, what, is_so, figure=""):
        self.failed += not is_so
        print(f"{'ok  ' if is_so else 'FAIL'}  {what:66} {figure}", flush=True)

    def not_here(self, what, reason):
        print(f"----  {what:66} not in {self.browser.NAME}: {reason}", flush=True)

    def owed(self, name):
        """Checks accessibility: names, roles, target sizes, contrast, and clipped words."""
        found = self.do(script("accessible"))
        self.say(f"{name}: roles, names, order, size", not found["wrong"], found["wrong"] or
                 f"{found['controls']} controls, the smallest {found['smallest']:.0f} px")
        found = self.do(script("contrast"))
        self.say(f"{name}: contrast", not found["wrong"] and found["count"] > 0, found["wrong"] or
                 f"{found['count']} texts and icons, least {found['least']:.1f}")
        found = self.do(script("whole"))
        self.say(f"{name}: no word is cut, nothing is wider than the page", not found["wrong"], found["wrong"] or
                 f"{found['count']} texts")

    def errors(self):
        fallen = self.fallen + self.browser.thrown()
        self.say("no script failed", not fallen, fallen or "")
        self.fallen = []

    def shot(self, name):
        """A screenshot of the page when nothing in it moves or loads."""
        self.do(script("still"))
        self.capture(name)

    def capture(self, name):
        os.makedirs(self.shots, exist_ok=True)
        with open(f"{self.shots}/{name}.png", "wb") as file:
            file.write(self.browser.capture())

    # Actions

    def open(self, address="", url=None):
        self.fallen += self.browser.thrown()
        self.browser.events.clear()
        self.browser.open((url or self.url) + address)
        self.wait("globalThis.segue")

    def go(self, place):
        """Opens a place of the page, like a link or a bookmark."""
        self.do(f"void (location.hash = {json.dumps(place)})")
        self.wait("!document.querySelector('[aria-busy=true]') && document.querySelector('#list li a, #list .empty')")

    def find(self, selector, text=None):
        found = f"[...document.querySelectorAll({json.dumps(selector)})]"
        return found + (f".find(one => one.textContent.includes({json.dumps(text)}))" if text else "[0]")

    def click(self, selector, text=None):
        """Clicks or taps an element that nothing covers."""
        code = script("hit") % self.find(selector, text)
        at = self.patiently(lambda: self.do("""new Promise(resolve => {
          const look = () => { const at = %s; at ? resolve(at) : setTimeout(look, 20); };
          look();
        })""".replace("%s", code), 60), f"60 s for {selector} {text or ''} to click on")
        self.browser.click(at["x"], at["y"])

    def kind(self, path):
        """Opens one of the kinds at the top of the page, and waits for its list."""
        link = f"#kinds a[data-path={path}]"
        self.click(link)
        self.wait(f"document.querySelector('{link}[aria-current]') && !document.querySelector('[aria-busy=true]')")

    def press(self, *keys):
        for key in keys:
            self.browser.press(key)

    def type(self, text):
        self.press(*text)

    def tab_to(self, condition, most=80):
        """Presses Tab until an expression about `here` is true; returns the number of times, or None."""
        for count in range(1, most + 1):
            self.press("Tab")
            if self.do(f"(here => Boolean({condition}))(document.activeElement)"):
                return count
        return None

    def choose(self, selector, value):
        self.do(f"(() => {{ const one = document.querySelector({json.dumps(selector)});"
                f" one.value = {json.dumps(value)};"
                " one.dispatchEvent(new Event('change', { bubbles: true })); })()")

    # Playback

    def position(self):
        return self.do("segue.player.position")

    def reach(self, position, patience=120):
        self.wait(f"segue.player.position > {position} && !video.seeking", patience)

    def record(self):
        """Records the audio from now on."""
        self.do(script("record"))

    def play_songs(self, *titles):
        self.do("""(async () => {
          const { items } = await (await fetch('api/items?limit=1000')).json();
          segue.player.playAll(%s.map(title => items.find(item => item.title === title)));
        })()""" % json.dumps(titles))
        self.wait(f"segue.player.current?.title === {json.dumps(titles[0])} && segue.player.position > 0.5")

    def picture(self, patience=30):
        """The offset of the playhead from the middle of the visible frame in ms; None if another frame is due."""
        until, all_seen = time.monotonic() + patience, []
        while time.monotonic() < until:
            seen = self.do(script("picture"))
            if seen["number"] is not None:
                off = seen["number"] / 25 + 0.021 - seen["mediaTime"]
                if abs(off) < 0.021:
                    return {**seen, "off": 1000 * off}
            all_seen.append(seen)
        print(f"      pictures that were not: {len(all_seen)}, {all_seen[:2]} to {all_seen[-1:]}", flush=True)
        return None
