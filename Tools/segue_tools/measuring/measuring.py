"""A pair of title and network on a real player and in the model."""

import json
import os
import pathlib
import shutil
import tempfile
import time

from segue_tools.measuring.account import account
from segue_tools.measuring.modelled import link_requests, model_requests
from segue_tools.measuring.places import Places
from segue_tools.measuring.running import ENDED, CannotRun, Driver, MeasuredLink, play
from segue_tools.measuring.server import TitleServer


def measured(player, title, folder, network, seconds, script=None):
    """Returns the events and the requests of a player in some seconds; a page loads the given
    script."""
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="segue-measured-"))
    server, link, driver = TitleServer(title, folder), None, None
    try:
        driver = Driver(player, script)
        # The clocks of the network and of a live window start with the run.
        link = MeasuredLink(server.port, network, scratch / "link.jsonl")
        server.begun = begun = time.monotonic()
        link_begun = os.getloadavg()[0]
        driver.do("open", items=[{"item": "item-1", "url": f"http://127.0.0.1:{link.port}/{server.path}"}])
        driver.do("play")
        if ENDED.wait(max(0, begun + seconds - time.monotonic())):
            raise CannotRun("ended early")
        events, name = driver.told(begun), driver.player
        driver.quit()
        requests, late = link.requests(begun)
        return {"player": name, "events": events, "requests": link_requests(requests),
                "load": [link_begun, os.getloadavg()[0]], "late": late}
    finally:
        if driver:
            driver.quit()
        if link:
            link.stop()
        server.stop()
        shutil.rmtree(scratch, ignore_errors=True)


def predicted(model, player, title, folder, network, seconds):
    """Returns the model's events and requests, in virtual time."""
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="segue-predicted-"))
    server = TitleServer(title, folder)
    try:
        events = play(model, f"http://127.0.0.1:{server.port}/{server.path}", player, seconds, scratch, network)
        return {"events": events, "requests": model_requests(events, server.requests, seconds)}
    finally:
        server.stop()
        shutil.rmtree(scratch, ignore_errors=True)


class Pair:
    """A player, title, and network, with the file that stores the measurement."""

    def __init__(self, player, title, network, titles, runs):
        self.player, self.title, self.network = player, title, network
        self.folder = pathlib.Path(titles) / title.name
        self.file = pathlib.Path(runs) / f"{player},{title.name},{network}.json"

    @property
    def name(self):
        return f"{self.player}, {self.title.name} over {self.network}"

    def measure(self, options):
        """Measures the pair unless that was done, and again if the machine was late."""
        if self.file.exists() and not options.again:
            return
        run = measured(self.player, self.title, self.folder, self.network, options.seconds,
                       options.script.get(self.player))
        former = json.loads(self.file.read_text()).get("runs", []) if self.file.exists() else []
        fresh = self.file.with_suffix(".part")
        fresh.write_text(json.dumps({"seconds": options.seconds, "runs": [*former, run]}))
        fresh.rename(self.file)

    def accounts(self, options):
        """Returns the summaries of all its measurements, and of the model."""
        kept = json.loads(self.file.read_text())
        places, seconds = Places(self.folder), kept["seconds"]
        reals = [account(run["events"], run["requests"], places, seconds) for run in kept["runs"]]
        play = predicted(options.model, self.player, self.title, self.folder, self.network, seconds)
        return kept, reals, account(play["events"], play["requests"], places, seconds)


__all__ = ["CannotRun", "Pair"]
