"""A driver for Firefox, by WebDriver BiDi: a media element on a page of its own (page.html), without a window.

Firefox plays no HLS by itself: --script names hls.js or Shaka Player, with which the page does. There is no sound card, and
what is decoded goes by the machine's clock. The page is hidden by another tab, as a user of a browser would do it. What comes
out is told by the page's script (page.js), by its own clock, which is set against this program's once.
"""

import json
import os
import sys

from segue_drivers.browser import Browser
from segue_drivers.driver import Refusal

# Elements play without a click, and nothing is asked of servers of its own, or of its user. What an item before has loaded would
# keep the network, and its faults, from the next one.
PREFERENCES = {
    "browser.cache.disk.enable": False, "browser.cache.memory.enable": False,
    "media.autoplay.default": 0, "media.autoplay.blocking_policy": 0, "privacy.reduceTimerPrecision": False,
    "browser.shell.checkDefaultBrowser": False, "browser.startup.homepage_override.mstone": "ignore",
    "browser.aboutwelcome.enabled": False, "datareporting.policy.dataSubmissionEnabled": False,
    "app.update.enabled": False, "app.normandy.enabled": False, "browser.tabs.warnOnClose": False,
    "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
    "media.gmp-manager.updateEnabled": False, "extensions.getAddons.cache.enabled": False,
}


class Firefox(Browser):
    NAME = "Firefox"
    PROGRAMS = ["firefox-esr", "firefox"]
    ANNOUNCES = "WebDriver BiDi listening on"

    def words(self, is_shown):
        with open(f"{self.folder}/user.js", "w") as file:
            file.writelines(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items())
        # Nobody arranges the windows of the screen on which it is watched (watched), so it has to be told how large that is.
        width, _, height = os.environ.get("SEGUE_SCREEN", "640x360").partition("x")
        seen = ["--kiosk", "--width", width, "--height", height]
        return [*(seen if is_shown else ["--headless"]), "--no-remote", "--profile", self.folder,
                "--remote-debugging-port", "0"]

    def environment(self, is_shown):
        # The machine's sound is nowhere to be found; Firefox has no option for that.
        return {} if is_shown else {"PULSE_SERVER": f"unix:{self.folder}/no-sound", "ALSA_CONFIG_PATH": "/dev/null"}

    def connect(self, port):
        self.other = None
        self.listen_at(port, "/session")
        made = self.call("session.new", capabilities={"alwaysMatch": {"webSocketUrl": True}})
        self.version = f"Firefox {made['capabilities']['browserVersion']}"

    def show(self, url):
        self.call("session.subscribe", events=["script.message", "browsingContext.contextDestroyed"])
        self.own = self.call("browsingContext.getTree")["contexts"][0]["context"]
        # Before the page's own scripts, so that page.js finds whom it speaks with.
        self.call("script.addPreloadScript", functionDeclaration="said => { globalThis.segueSaid = said; }",
                  arguments=[{"type": "channel", "value": {"channel": "segue"}}])
        self.call("browsingContext.navigate", context=self.own, url=url, wait="complete")
        return self.version

    def evaluate(self, expression):
        answer = self.call("script.evaluate", expression=expression, target={"context": self.own}, awaitPromise=False)
        if answer["type"] == "exception":
            raise Refusal(f"the page: {answer['exceptionDetails'].get('text')}")
        return answer["result"].get("value")

    def fault(self, answer):
        return answer.get("message") or answer["error"]

    def take_event(self, message):
        if message.get("method") == "script.message" and message["params"]["channel"] == "segue":
            self.said(json.loads(message["params"]["data"]["value"]))
        elif message.get("method") == "browsingContext.contextDestroyed" and message["params"]["context"] == self.own:
            self.is_gone("Firefox's page has gone")

    # Commands that are not the page's

    def do_background(self):
        if self.other is None:
            self.other = self.call("browsingContext.create", type="tab", referenceContext=self.own)["context"]

    def do_foreground(self):
        if self.other is not None:
            self.call("browsingContext.close", context=self.other)
            self.call("browsingContext.activate", context=self.own)
            self.other = None


def main():
    Firefox().run()
