"""A headless Chromium that scripts steer through its debugging port; nothing but Python's own library is needed."""

import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request


class Browser:
    """A headless Chromium with one page."""

    def __init__(self):
        program = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
        if program is None:
            sys.exit("browser: there is no Chromium in PATH")
        self.folder = tempfile.mkdtemp(prefix="segue-browser-")
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--mute-audio",
             "--autoplay-policy=no-user-gesture-required", "--remote-debugging-port=0", "--window-size=1200,900",
             f"--user-data-dir={self.folder}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        endpoint = next(line.split()[-1] for line in self.process.stderr if "DevTools listening on" in line)
        port = urllib.parse.urlsplit(endpoint).port
        pages = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json"))
        page = next(page for page in pages if page["type"] == "page")
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        path = urllib.parse.urlsplit(page["webSocketDebuggerUrl"]).path
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self.socket.recv(1)
        self.number = 0
        self.events = []

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def read(self, count):
        data = b""
        while len(data) < count:
            piece = self.socket.recv(count - len(data))
            if not piece:
                sys.exit("browser: Chromium has gone")
            data += piece
        return data

    def receive(self):
        data = b""
        while True:
            first, second = self.read(2)
            length = second & 127
            if length == 126:
                length = struct.unpack(">H", self.read(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self.read(8))[0]
            data += self.read(length)
            if first & 128:
                return json.loads(data)

    def command(self, method, **parameters):
        self.number += 1
        data = json.dumps({"id": self.number, "method": method, "params": parameters}).encode()
        mask = os.urandom(4)
        length = bytes([128 | len(data)]) if len(data) < 126 else bytes([128 | 126]) + struct.pack(">H", len(data))
        self.socket.sendall(
            b"\x81" + length + mask + bytes(byte ^ mask[index % 4] for index, byte in enumerate(data)))
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                return answer.get("result", answer)
            self.events.append(answer)

    def open(self, url):
        self.command("Page.enable")
        self.follow(lambda: self.command("Page.navigate", url=url))

    def follow(self, leave):
        """Does what leads to another page, and waits until that has been loaded."""
        self.events = [event for event in self.events if event["method"] != "Page.loadEventFired"]
        leave()
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self.events.append(self.receive())

    def evaluate(self, expression, patience=240):
        """What an expression, or the promise that it is, comes to; waits so many seconds for it."""
        self.socket.settimeout(patience)
        answer = self.command("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            sys.exit(f"browser: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait(self, condition, patience=240):
        """Waits until an expression is true; looked at with each picture that the page draws."""
        self.evaluate(f"""new Promise(resolve => {{
          const look = () => (({condition}) ? resolve() : setTimeout(look, 20));
          look();
        }})""", patience)
