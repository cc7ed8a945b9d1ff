"""A driver for Firefox, through WebDriver BiDi: a media element on a page of its own, without a window.

Firefox plays no HLS; --script names hls.js or Shaka Player for the page. There is no sound card, so playback follows
the machine's clock. Another tab hides the page, as a user would. page.js reports the events by the page's clock, whose
offset from this program's is measured once.
"""

import json
import os

from segue_drivers.browser import Browser
from segue_drivers.driver import Refusal

# Elements play without a click, and Firefox shows no dialogs and sends no requests of its own. Without a cache, every
# segment crosses the network with its faults.
PREFERENCES = {
    "browser.cache.disk.enable": False,
    "browser.cache.memory.enable": False,
    "media.autoplay.default": 0,
    "media.autoplay.blocking_policy": 0,
    "privacy.reduceTimerPrecision": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "browser.aboutwelcome.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.update.enabled": False,
    "app.normandy.enabled": False,
    "browser.tabs.warnOnClose": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "media.gmp-manager.updateEnabled": False,
    "extensions.getAddons.cache.enabled": False,
}


class Firefox(Browser):
    NAME = "Firefox"
    PROGRAMS = ["firefox-esr", "firefox"]
    ANNOUNCEMENT = "WebDriver BiDi listening on"

    def options(self, is_shown):
        with open(f"{self.folder}/user.js", "w") as file:
            file.writelines(
                f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items()
            )
        # The screen of `record` has no window manager, so Firefox needs its size.
        width, _, height = os.environ.get("SEGUE_SCREEN", "640x360").partition("x")
        window = ["--kiosk", "--width", width, "--height", height] if is_shown else ["--headless"]
        return [*window, "--no-remote", "--profile", self.folder, "--remote-debugging-port", "0"]

    def environment(self, is_shown):
        # Firefox has no option to use no sound card.
        return {} if is_shown else {"PULSE_SERVER": f"unix:{self.folder}/no-sound", "ALSA_CONFIG_PATH": "/dev/null"}

    def connect(self, port):
        self.other = None
        self.open_socket(port, "/session")
        session = self.call("session.new", capabilities={"alwaysMatch": {"webSocketUrl": True}})
        self.version = f"Firefox {session['capabilities']['browserVersion']}"

    def open_page(self, url):
        self.call("session.subscribe", events=["script.message", "browsingContext.contextDestroyed"])
        self.own = self.call("browsingContext.getTree")["contexts"][0]["context"]
        # Runs before the page's scripts, so that page.js finds `segueSaid`.
        self.call(
            "script.addPreloadScript",
            functionDeclaration="said => { globalThis.segueSaid = said; }",
            arguments=[{"type": "channel", "value": {"channel": "segue"}}],
        )
        self.call("browsingContext.navigate", context=self.own, url=url, wait="complete")
        return self.version

    def evaluate(self, expression):
        answer = self.call("script.evaluate", expression=expression, target={"context": self.own}, awaitPromise=False)
        if answer["type"] == "exception":
            raise Refusal(f"JavaScript on the page failed: {answer['exceptionDetails'].get('text')}")
        return answer["result"].get("value")

    def error_text(self, answer):
        return answer.get("message") or answer["error"]

    def handle_event(self, message):
        method, parameters = message.get("method"), message.get("params", {})
        if method == "script.message" and parameters["channel"] == "segue":
            self.receive(json.loads(parameters["data"]["value"]))
        elif method == "browsingContext.contextDestroyed" and parameters["context"] == self.own:
            self.exit("Firefox's page was closed")

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
