"""A headless Chromium that scripts control through its debugging port, with Python's standard library only."""

import base64
import sys
import urllib.parse

from segue_tools.browser.steered import Steered
from segue_tools.launch import read_json


class Browser(Steered):
    """A headless Chromium with one page."""

    NAME = "Chromium"
    KEYS = {"Escape": 27, "Enter": 13, "Tab": 9, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39,
            "ArrowDown": 40, "Home": 36, "End": 35, "Backspace": 8}
    TEXTS = {"Enter": "\r", " ": " "}

    def __init__(self):
        super().__init__("chromium", "chromium-browser", "google-chrome")
        # Audio output is disabled, not muted: Chromium gives a muted hidden tab less CPU time than an audible one.
        endpoint = self.start(
            ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-audio-output",
             "--autoplay-policy=no-user-gesture-required", "--ignore-certificate-errors", "--remote-debugging-port=0",
             "--window-size=1200,900", f"--user-data-dir={self.folder}", "about:blank"], "DevTools listening on")
        pages = read_json(f"http://127.0.0.1:{endpoint.port}/json")
        page = next(page for page in pages if page["type"] == "page")
        self.own, self.other = page["id"], None
        self.connect(endpoint.port, urllib.parse.urlsplit(page["webSocketDebuggerUrl"]).path)
        self.is_touched = False
        self.command("Page.enable")
        self.command("Runtime.enable")

    @property
    def version(self):
        return self.command("Browser.getVersion")["product"].replace("/", " ")

    def command(self, method, **parameters):
        answer = self.exchange(method, parameters)
        return answer.get("result", answer)

    # The display

    def open(self, url):
        self.follow(lambda: self.command("Page.navigate", url=url))

    def follow(self, leave):
        """Performs an action that leads to another page, and waits until that page is loaded."""
        self.events = [event for event in self.events if event.get("method") != "Page.loadEventFired"]
        leave()
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.socket.receive())

    def evaluate(self, expression, patience=120):
        self.socket.patience(patience)
        answer = self.command("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            sys.exit(f"browser: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def capture(self):
        return base64.b64decode(self.command("Page.captureScreenshot", format="png")["data"])

    def thrown(self):
        return [event["params"]["exceptionDetails"].get("exception", {}).get("description", "")[:200]
                for event in self.events if event.get("method") == "Runtime.exceptionThrown"]

    # Actions of a user

    def press(self, key):
        """Presses a key, given by its name or its letter."""
        text = key if len(key) == 1 else self.TEXTS.get(key, "")
        code = self.KEYS.get(key, ord(key.upper()) if key.isalnum() and len(key) == 1 else 0)
        for kind in ["keyDown", "keyUp"]:
            more = {"text": text} if text and kind == "keyDown" else {}
            self.command("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, **more)

    def click(self, x, y):
        if self.is_touched:
            self.command("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
            self.command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
            return
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"]:
            more = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
            self.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def leave(self):
        """Switches to another tab, which hides the page."""
        self.other = self.command("Target.createTarget", url="about:blank")["targetId"]

    def come_back(self):
        self.command("Target.closeTarget", targetId=self.other)
        self.command("Target.activateTarget", targetId=self.own)

    # Settings of the browser

    def before(self, script):
        """Adds a script that runs before those of each page, until `without` removes it."""
        return self.command("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"]

    def without(self, script):
        self.command("Page.removeScriptToEvaluateOnNewDocument", identifier=script)

    def scripts(self, are_on):
        self.command("Emulation.setScriptExecutionDisabled", value=not are_on)

    def media(self, **features):
        named = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.command("Emulation.setEmulatedMedia", features=named)

    def language(self, tag):
        agent = self.command("Browser.getVersion")["userAgent"]
        self.command("Emulation.setUserAgentOverride", userAgent=agent, acceptLanguage=tag)

    def size(self, width, height, is_phone=False):
        self.is_touched = is_phone
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height,
                     deviceScaleFactor=2 if is_phone else 1, mobile=is_phone)
        self.command("Emulation.setTouchEmulationEnabled", enabled=is_phone)
