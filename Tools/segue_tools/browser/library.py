"""A server with media whose audio and video carry their own place, for a browser."""

import os
import pathlib
import shutil
import ssl
import tempfile
import urllib.request

from segue_tools.launch import Server, read_json, segue
from segue_tools.places import OWN, WEB

SUBTITLES = "1\n00:00:01,000 --> 00:00:28,000\nA lamp at the end of the pier\n"
# The server's certificate may be its own.
ANY_CERTIFICATE = ssl._create_unverified_context()


class Library:
    """A folder of media, one of data, and the page's files with the recorder that listens to what they play."""

    def __init__(self, tls=False):
        self.options = ["--tls", "self"] if tls else []

    def __enter__(self):
        self.top = tempfile.mkdtemp(prefix="segue-page-")
        self.folder, self.data, self.web = f"{self.top}/media", f"{self.top}/data", f"{self.top}/web"
        os.mkdir(self.folder)
        os.mkdir(self.data)
        shutil.copytree(WEB, self.web)
        shutil.copy(OWN / "browser/recorder.js", f"{self.web}/library")
        segue("testmedia", self.folder, "--recipes", OWN / "page", "--quiet")
        pathlib.Path(f"{self.folder}/Films/Harbour Lights (2019).en.srt").write_text(SUBTITLES)
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.top, ignore_errors=True)

    def serve(self, listen="127.0.0.1:0", *more):
        """Starts a server."""
        return Server(self.folder, ["--data", self.data, *self.options, *more], listen=listen,
                      env=dict(os.environ, SEGUE_WEB=self.web))

    def film(self, name):
        return f"{self.folder}/Films/{name}.mkv"

    def song(self, number, name, album="Ada Lin/Tidelines", form="m4a"):
        return f"{self.folder}/Music/{album}/{number:02} {name}.{form}"


def answer(url):
    """Returns the body of a response."""
    return urllib.request.urlopen(url, context=ANY_CERTIFICATE).read()


def settled(url):
    """Waits until the server has scanned all media."""
    read_json(url + "api/items?wait=30", context=ANY_CERTIFICATE)
