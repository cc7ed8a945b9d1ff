"""A browser that scripts control over a WebSocket."""

import shutil
import subprocess
import tempfile
import threading
import urllib.parse
from typing import Any

from segue_drivers.websocket import WebSocket
from segue_tools.launch import fail


class Steered:
    """A browser's process with its own folder, and the WebSocket that controls it."""

    socket: Any

    def __init__(self, *programs):
        self.number, self.events = 0, []
        self.program = next(filter(None, map(shutil.which, programs)), "") or fail(
            f"not installed: {' or '.join(programs)}", 2)
        self.folder = tempfile.mkdtemp(prefix="segue-browser-")

    def start(self, words, marker):
        """Starts the browser, and returns the address that it prints behind a marker."""
        self.process = subprocess.Popen([self.program, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                        text=True)
        assert self.process.stderr
        endpoint = next(line.split()[-1] for line in self.process.stderr if marker in line)
        # Later output is discarded: a full pipe would block the browser.
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        return urllib.parse.urlsplit(endpoint)

    def connect(self, port, path):
        self.socket = WebSocket(port, path)

    def exchange(self, method, parameters):
        """Returns the response to a command; events that arrive before it are kept."""
        self.number += 1
        self.socket.send({"id": self.number, "method": method, "params": parameters})
        while True:
            answer = self.socket.receive()
            if answer.get("id") == self.number:
                return answer
            self.events.append(answer)

    def evaluate(self, expression, patience=120):
        """Returns the value of an expression, or of its promise."""
        raise NotImplementedError

    def wait(self, condition, patience=120):
        """Waits until an expression is true; evaluates it fifty times a second."""
        self.evaluate(f"""new Promise(resolve => {{
          const look = () => (({condition}) ? resolve(true) : setTimeout(look, 20));
          look();
        }})""", patience)

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
