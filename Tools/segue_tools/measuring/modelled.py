"""The requests of the model, from its log and the server's requests."""

from segue_tools.measuring.places import begin_of


def link_requests(requests):
    """Requests in a link's log, with their start positions in the files."""
    return [{**request, "start": begin_of(request["range"])} for request in requests]


def model_requests(events, served, seconds):
    """Requests in an event log, with start, end, and bytes; the server's requests supply the ranges."""
    ranges = {}
    for path, asked in served:
        ranges.setdefault(path, []).append(asked)
    found = {}
    for event in events:
        kind = event["kind"]
        if kind == "request.began":
            asked = next((asks for path, asks in ranges.items() if event["url"].split("?")[0].endswith(path)), [])
            found[event["request"]] = {"at": event["t"], "url": event["url"], "bytes": 0, "seconds": None,
                                       "start": begin_of(asked.pop(0)) if asked else 0}
        elif kind in ("request.finished", "request.cancelled", "request.failed") and event["request"] in found:
            request = found[event["request"]]
            request["seconds"] = event["t"] - request["at"]
            request["bytes"] = event.get("bytes", 0)
    for request in found.values():
        if request["seconds"] is None:
            request["seconds"] = max(0.0, seconds - request["at"])
    return sorted(found.values(), key=lambda request: request["at"])
