"""A server with the media of Tests/Browser/page, whose sound and pictures carry their own place."""

import json
import os
import shutil
import ssl
import subprocess
import tempfile
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SEGUE = os.environ.get("SEGUE", f"{ROOT}/.build/release/segue")
SUBTITLES = "1\n00:00:01,000 --> 00:00:28,000\nA lamp at the end of the pier\n"


class Library:
    """A folder of media, one of data, and the page's files with the recorder that listens to what they play."""

    def __init__(self, tls=False):
        self.options = ["--tls", "self"] if tls else []

    def __enter__(self):
        self.top = tempfile.mkdtemp(prefix="segue-page-")
        self.folder, self.data, self.page = f"{self.top}/media", f"{self.top}/data", f"{self.top}/page"
        os.mkdir(self.folder)
        os.mkdir(self.data)
        shutil.copytree(f"{ROOT}/Page", self.page)
        shutil.copy(f"{ROOT}/Tests/Browser/recorder.js", self.page)
        recipes = f"{ROOT}/Tests/Browser/page"
        subprocess.run([SEGUE, "testmedia", self.folder, "--recipes", recipes, "--quiet"], check=True)
        with open(f"{self.folder}/Films/Harbour Lights (2019).en.srt", "w") as file:
            file.write(SUBTITLES)
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.top, ignore_errors=True)

    def serve(self, listen="127.0.0.1:0", *more):
        """A server, and the address that it says."""
        process = subprocess.Popen(
            [SEGUE, "serve", self.folder, "--listen", listen, "--data", self.data, *self.options, *more],
            stdout=subprocess.PIPE, text=True, env=dict(os.environ, SEGUE_PAGE=self.page))
        url = process.stdout.readline().split()[-1]
        return process, url

    def film(self, name):
        return f"{self.folder}/Films/{name}.mkv"

    def song(self, number, name, album="Ada Lin/Tidelines", form="m4a"):
        return f"{self.folder}/Music/{album}/{number:02} {name}.{form}"


def stop(process):
    process.terminate()
    process.wait()


def answer(url):
    """What a server says to a request; its certificate may be its own."""
    return urllib.request.urlopen(url, context=ssl._create_unverified_context()).read()


def settled(url):
    """Waits until the server has looked into all that there is."""
    json.loads(answer(url + "api/items?wait=30"))
