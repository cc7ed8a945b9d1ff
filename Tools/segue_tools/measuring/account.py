"""The summary of a run, from the events and requests of the player or the model."""

import dataclasses

# The maximum time for which a position may not change while a player reports playback.
STILL = 0.3
# The maximum time between two reported positions during playback.
SILENCE = 1.0


@dataclasses.dataclass
class Account:
    """A run of some seconds: the start of playback, the stalls after it, and the requests in order.
    """

    start: float | None
    waits: list
    requests: list
    variants: list
    most_ahead: float
    failure: str

    @property
    def stalls(self):
        return len(self.waits)

    @property
    def stalled(self):
        return sum(until - since for since, until in self.waits)

    @property
    def bytes_to_start(self):
        return sum(share(request, self.start) * request["bytes"] for request in self.requests
                   if self.start is not None and is_segment(request["label"]))

    def summary(self):
        return {"start": self.start, "stalls": self.stalls, "stalled": self.stalled, "waits": self.waits,
                "variants": self.variants, "mostAhead": self.most_ahead, "failure": self.failure,
                "bytesToStart": round(self.bytes_to_start),
                "requests": [{key: request[key] for key in ("at", "seconds", "bytes", "label")}
                             for request in self.requests]}


def share(request, moment):
    if request["at"] >= moment:
        return 0
    return min(1, (moment - request["at"]) / request["seconds"]) if request["seconds"] > 0 else 1


def is_segment(label):
    return label.split()[1:2] != [] and label.split()[1].isdigit()


def account(events, requests, places, seconds):
    """Summarizes a run of some seconds."""
    requests = [{**request, "label": places.label(request["url"], request["start"])} for request in requests
                if request["at"] < seconds]
    stretches, failure = played(events, seconds)
    start = stretches[0][0] if stretches else None
    waits = [(before[1], after[0]) for before, after in zip(stretches, stretches[1:])
             if after[0] - before[1] > STILL / 6]
    ended = next((event["t"] for event in events if event.get("kind") == "item.playedToEnd"), None)
    if stretches and stretches[-1][1] < seconds and ended is None and not failure:
        waits.append((stretches[-1][1], seconds))
    return Account(start, waits, requests, variants(requests), most_ahead(requests, stretches, places, seconds),
                   failure)


def played(events, seconds):
    """Returns the stretches with output and an advancing position, and the failure."""
    stretches, since, failure, kinds = [], None, "", set()
    states = [(event["t"], event["state"]["position"]) for event in events if "state" in event and event["t"] < seconds]
    for event in events:
        kind, at = event.get("kind", ""), event["t"]
        if at > seconds:
            break
        if kind in ("sound.began", "picture.began"):
            kinds.add(kind.split(".")[0])
            since = since or (at, event["position"])
        elif kind in ("sound.ended", "picture.ended"):
            kinds.discard(kind.split(".")[0])
            if not kinds and since:
                stretches += moving(*since, at, states)
                since = None
        elif kind == "item.failed" and not failure:
            failure = event.get("message", "") or "failed"
    if since:
        stretches += moving(*since, seconds, states)
    return stretches, failure


def moving(since, position, until, states):
    """The part of a stretch in which the position advanced, if the player reports positions."""
    inside = [(at, place) for at, place in states if since < at < until]
    if not inside:
        return [(since, until)]
    still, goes_on = [], False
    inside = [(since, position), *inside]
    for (before, place), (after, next_place) in zip(inside, inside[1:]):
        moved = max(0, next_place - place)
        is_slow = moved < (after - before) / 2
        if is_slow or goes_on and moved < after - before:
            # The position advanced this long before the report.
            begun = still.pop()[0] if goes_on else before
            still.append((begun, after - moved))
        goes_on = is_slow
    if until - inside[-1][0] > SILENCE:
        still.append((inside[-1][0], until))
    stretches = []
    for begun, ended in still:
        if ended - begun > STILL:
            stretches.append((since, begun))
            since = ended
    return [piece for piece in [*stretches, (since, until)] if piece[1] - piece[0] > 0.02]


def variants(requests):
    """The variant of each video segment in order, as pairs of variant and number.

    If a segment was requested in several variants, the last one requested before the next segment counts.
    """
    asked = {}
    for request in requests:
        words = request["label"].split()
        if is_segment(request["label"]) and words[0].startswith("v"):
            asked.setdefault(int(words[1]), []).append(words[0])
    chosen, following = {}, None
    for number in sorted(asked, reverse=True):
        following = following if following in asked[number] else asked[number][-1]
        chosen[number] = following
    return [(chosen[number], number) for number in sorted(chosen)]


def runs(chosen, last):
    """The sequence of variants without repetitions, up to a segment."""
    found = []
    for variant, number in chosen:
        if number <= last and found[-1:] != [variant]:
            found.append(variant)
    return found


def most_ahead(requests, stretches, places, seconds):
    """The maximum duration of buffered video, in seconds."""
    loaded, whole = 0.0, {}
    most = 0.0
    done = sorted((request["at"] + request["seconds"], request["label"].split()) for request in requests
                  if is_segment(request["label"]) and request["label"].startswith("v"))
    for at, words in done:
        rendition, number = places.renditions[words[0]], int(words[1])
        if at > seconds or number in whole or number >= len(rendition.segments):
            continue
        whole[number] = True
        loaded += rendition.segments[number].seconds
        most = max(most, loaded - sum(max(0, min(until, at) - since) for since, until in stretches))
    return most
