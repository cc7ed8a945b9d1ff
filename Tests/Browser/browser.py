"""A headless Chromium that scripts steer through its debugging port; nothing but Python's own library is needed."""

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.parse
import urllib.request

from steered import Steered

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Drivers"))
from segue_drivers.websocket import WebSocket  # noqa: E402


class Browser(Steered):
    """A headless Chromium with one page."""

    NAME = "Chromium"
    KEYS = {"Escape": 27, "Enter": 13, "Tab": 9, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39,
            "ArrowDown": 40, "Home": 36, "End": 35, "Backspace": 8}
    TEXTS = {"Enter": "\r", " ": " "}

    def __init__(self):
        super().__init__()
        program = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
        if program is None:
            sys.exit("browser: there is no Chromium in PATH")
        self.folder = tempfile.mkdtemp(prefix="segue-browser-")
        # The sound goes nowhere, but is played: a hidden tab that is muted gets less of the machine than one that is heard.
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-audio-output",
             "--autoplay-policy=no-user-gesture-required", "--ignore-certificate-errors", "--remote-debugging-port=0",
             "--window-size=1200,900", f"--user-data-dir={self.folder}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        endpoint = next(line.split()[-1] for line in self.process.stderr if "DevTools listening on" in line)
        # What it says later is let go of: a full pipe would hold it up.
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        port = urllib.parse.urlsplit(endpoint).port
        pages = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json"))
        page = next(page for page in pages if page["type"] == "page")
        self.own, self.other = page["id"], None
        self.socket = WebSocket(port, urllib.parse.urlsplit(page["webSocketDebuggerUrl"]).path)
        self.is_touched = False
        self.command("Page.enable")
        self.command("Runtime.enable")

    @property
    def version(self):
        return self.command("Browser.getVersion")["product"].replace("/", " ")

    def command(self, method, **parameters):
        answer = self.exchange(method, parameters)
        return answer.get("result", answer)

    # What is shown

    def open(self, url):
        self.follow(lambda: self.command("Page.navigate", url=url))

    def follow(self, leave):
        """Does what leads to another page, and waits until that has been loaded."""
        self.events = [event for event in self.events if event.get("method") != "Page.loadEventFired"]
        leave()
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.socket.receive())

    def evaluate(self, expression, patience=120):
        """What an expression, or the promise that it is, comes to; waits so many seconds for it."""
        self.socket.patience(patience)
        answer = self.command("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            sys.exit(f"browser: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait(self, condition, patience=120):
        """Waits until an expression is true; looked at fifty times a second."""
        self.evaluate(f"""new Promise(resolve => {{
          const look = () => (({condition}) ? resolve() : setTimeout(look, 20));
          look();
        }})""", patience)

    def capture(self):
        return base64.b64decode(self.command("Page.captureScreenshot", format="png")["data"])

    def thrown(self):
        """What failed in scripts since the page was opened."""
        return [event["params"]["exceptionDetails"].get("exception", {}).get("description", "")[:200]
                for event in self.events if event.get("method") == "Runtime.exceptionThrown"]

    # What a person does

    def press(self, key):
        """A key by its name, or the letter that it writes."""
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
        """Goes to another tab, which hides the page."""
        self.other = self.command("Target.createTarget", url="about:blank")["targetId"]

    def come_back(self):
        self.command("Target.closeTarget", targetId=self.other)
        self.command("Target.activateTarget", targetId=self.own)

    # What the browser is told to be

    def before(self, script):
        """A script that runs before those of each page, until `without` ends that."""
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
