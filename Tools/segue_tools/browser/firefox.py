"""A headless Firefox that scripts control through WebDriver BiDi, with the interface of Chromium's `Browser`."""

import base64
import json
import sys

from segue_tools.browser.steered import Steered

# Audio is played to a null device, and starts without a click.
PREFERENCES = {
    "media.autoplay.default": 0, "media.autoplay.blocking_policy": 0, "media.cubeb.force_mock_context": True,
    "browser.shell.checkDefaultBrowser": False, "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False, "app.update.enabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False, "browser.aboutwelcome.enabled": False,
    "signon.rememberSignons": False, "browser.tabs.warnOnClose": False, "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
}


class Firefox(Steered):
    """A headless Firefox with one page."""

    NAME = "Firefox"
    KEYS = {"Escape": "\ue00c", "Enter": "\ue007", "Tab": "\ue004", "ArrowLeft": "\ue012", "ArrowUp": "\ue013",
            "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Home": "\ue011", "End": "\ue010", "Backspace": "\ue003"}

    def __init__(self):
        super().__init__("firefox-esr", "firefox")
        with open(f"{self.folder}/user.js", "w") as file:
            for name, value in PREFERENCES.items():
                file.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
        endpoint = self.start(["--headless", "--no-remote", "--profile", self.folder, "--remote-debugging-port", "0",
                               "about:blank"], "WebDriver BiDi listening on")
        self.connect(endpoint.port, "/session")
        made = self.command("session.new", capabilities={"alwaysMatch": {"acceptInsecureCerts": True}})
        self.version = f"Firefox {made['capabilities']['browserVersion']}"
        # The initial window never has the focus; a window that is opened has it, as for a user.
        first = self.command("browsingContext.getTree")["contexts"][0]["context"]
        self.own = self.command("browsingContext.create", type="window")["context"]
        self.command("browsingContext.close", context=first)
        self.other = None
        self.size(1200, 900)
        self.command("session.subscribe", events=["log.entryAdded", "browsingContext.load"])

    def command(self, method, **parameters):
        answer = self.exchange(method, parameters)
        if answer["type"] == "error":
            sys.exit(f"browser: {method}: {answer['error']}: {answer['message']}")
        return answer["result"]

    # The display

    def open(self, url):
        # A URL that differs only in its fragment loads nothing.
        self.command("browsingContext.navigate", context=self.own, url=url, wait="complete")

    def follow(self, leave):
        """Performs an action that leads to another page, and waits until that page is loaded."""
        is_load = lambda event: event.get("method") == "browsingContext.load" and event["params"]["context"] == self.own
        self.events = [event for event in self.events if not is_load(event)]
        leave()
        while not any(map(is_load, self.events)):
            self.events.append(self.socket.receive())

    def evaluate(self, expression, patience=120):
        self.socket.patience(patience)
        answer = self.command(
            "script.evaluate", expression=f"(async () => JSON.stringify(await ({expression}) ?? null))()",
            target={"context": self.own}, awaitPromise=True)
        if answer["type"] == "exception":
            sys.exit(f"browser: {answer['exceptionDetails']['text']}: {expression[:300]}")
        return json.loads(answer["result"]["value"])

    def capture(self):
        return base64.b64decode(self.command("browsingContext.captureScreenshot", context=self.own)["data"])

    def thrown(self):
        return [event["params"]["text"][:200] for event in self.events
                if event.get("method") == "log.entryAdded" and event["params"]["type"] == "javascript"
                and event["params"]["level"] == "error"
                # The browser's own request for an icon is not an error of a script.
                and "/favicon.ico" not in event["params"]["text"]]

    # Actions of a user

    def act(self, kind, actions, **more):
        self.command("input.performActions", context=self.own,
                     actions=[{"type": kind, "id": kind, "actions": actions, **more}])

    def press(self, key):
        """Presses a key, given by its name or its letter."""
        value = self.KEYS.get(key, key)
        self.act("key", [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}])

    def click(self, x, y):
        self.act("pointer", [{"type": "pointerMove", "x": round(x), "y": round(y)},
                             {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}])

    def leave(self):
        """Switches to another tab, which hides the page."""
        self.other = self.command("browsingContext.create", type="tab", referenceContext=self.own)["context"]

    def come_back(self):
        self.command("browsingContext.close", context=self.other)
        self.front()

    def front(self):
        """Gives the window the focus, which another window may have."""
        self.command("browsingContext.activate", context=self.own)

    # Settings of the browser

    def before(self, script):
        """Adds a script that runs before those of each page, until `without` removes it."""
        return self.command("script.addPreloadScript", functionDeclaration=f"() => {{ {script} }}")["script"]

    def without(self, script):
        self.command("script.removePreloadScript", script=script)

    def language(self, tag):
        self.command("emulation.setLocaleOverride", locale=tag, contexts=[self.own])

    def size(self, width, height, is_phone=False):
        self.command("browsingContext.setViewport", context=self.own,
                     viewport={"width": width, "height": height}, devicePixelRatio=2 if is_phone else 1)
