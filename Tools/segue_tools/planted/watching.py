"""A live stream with one planted fault, and the program's watch of it."""

import concurrent.futures
import contextlib
import dataclasses
import time
import typing

from segue_tools.planted.fault import Fault
from segue_tools.planted.livestreams import BASES
from segue_tools.planted.origin import SOON
from segue_tools.planted.server import Server
from segue_tools.planted.stage import Stage, rules

# The duration of a watch in seconds, and the number of concurrent ones: they mostly wait.
SECONDS, AT_ONCE = 22, 16


class LiveStage(Stage):
    """A live stream: its origin, and the program's options."""

    def __init__(self, folder, base, ended):
        make, self.playlist, _ = BASES[base]
        self.site, self.ended, self.options = make(folder), ended, []
        self.seconds, self.looks_at = SECONDS, None


def watched(segue, stage, report):
    """Returns the findings of a watch of a live stream, and of a single validation if wanted."""
    with Server(stage.site) as server, concurrent.futures.ThreadPoolExecutor(1) as pool:
        url = server.url(stage.playlist)
        watch = pool.submit(rules, segue, url, report.with_suffix(".watch"), "--watch", f"{stage.seconds}s")
        looked = set()
        if stage.looks_at is not None:
            time.sleep(max(0, stage.looks_at - stage.site.now))
            looked = rules(segue, url, report.with_suffix(".look"), "--patience", "2", "--for", "60", *stage.options)[0]
        result = watch.result()[0], looked
        stage.site.ended.set()
        return result


@dataclasses.dataclass
class Job:
    """A stream to watch, with or without a fault."""

    name: str
    base: str
    plant: typing.Callable
    fault: Fault | None = None


def judged(segue, folder, job):
    with contextlib.ExitStack() as ended:
        stage = LiveStage(folder, job.base, ended)
        job.plant(stage)
        return watched(segue, stage, folder / f"report-{job.name}")


def each(segue, folder, jobs):
    """Runs jobs concurrently; returns each with its findings, in order."""
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        yield from zip(jobs, pool.map(lambda job: judged(segue, folder, job), jobs))


# Planting faults


def look(after=SOON + 5):
    """Has the program also validate the stream once, after some seconds."""
    return lambda stage: setattr(stage, "looks_at", after)


def listing(change, after=SOON, until=float("inf"), name=None):
    """Changes the listing from some second on."""
    return lambda stage: stage.site.changes.append((change, after, until, name))


def said(after=SOON, until=float("inf"), name=None, **values):
    """Changes attributes of a playlist."""
    def change(version, now):
        for key, value in values.items():
            setattr(version, key, value)
    return listing(change, after, until, name)


def control(after=0, **values):
    """Changes or removes attributes of #EXT-X-SERVER-CONTROL."""
    def change(version, now):
        for key, value in values.items():
            name = key.replace("_", "-")
            if value is None:
                version.control.pop(name, None)
            else:
                version.control[name] = value
    return listing(change, after)


def every(change, after=0, name=None):
    """Changes each listed segment."""
    def apply(version, now):
        for segment in version.segments:
            change(segment)
    return listing(apply, after, name=name)


def segment(number, after=0, **values):
    """Changes attributes of a segment."""
    def change(version, now):
        if found := version.find(number):
            for key, value in values.items():
                setattr(found, key, value)
    return listing(change, after)


def there(test):
    """Makes the availability of segments depend on their age in seconds only."""
    return lambda stage: setattr(
        stage.site, "there", lambda name, now: test(now - stage.site.times[name]) if name in stage.site.times else None)


def written(change, after=SOON, until=float("inf")):
    """Changes the text of playlists."""
    return lambda stage: stage.site.texts.append((change, after, until))


def master(change, after=SOON, until=float("inf")):
    """Changes the text of the multivariant playlist; an empty one is missing."""
    return lambda stage: stage.site.masters.append((change, after, until))


def origin(**values):
    """Changes attributes of the origin."""
    return lambda stage: [setattr(stage.site, name, value) for name, value in values.items()]


def rendition(name="index", **values):
    """Changes attributes of a rendition."""
    return lambda stage: [setattr(stage.site.renditions[name], key, value) for key, value in values.items()]


def waiting(change):
    """Changes the blocking of reloads, given the request and the original function."""
    def plant(stage):
        good = stage.site.wait
        stage.site.wait = lambda name, asked: change(stage.site, name, asked, good)
    return plant


def content(pattern, change):
    """Changes bytes by the seconds since they were listed, and by the origin."""
    return lambda stage: stage.site.content(
        pattern, lambda request, body: change(stage.site.now - stage.site.times.get(request.path, 0), request, body))


def seconds(count):
    """Sets the duration of the watch."""
    return lambda stage: setattr(stage, "seconds", count)


def playlist(name):
    """Sets the playlist that the program requests."""
    return lambda stage: setattr(stage, "playlist", name)
