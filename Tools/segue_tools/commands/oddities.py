"""Makes media as phones, recorders, broadcasters, and books have them, and tests the delivery of each.

    Tools/run oddities                      three files of each kind
    Tools/run oddities --kind subtitles     the files of one kind
    Tools/run oddities --keep media         keeps the files in a folder

Each file is played and compared with its source by `segue regress`, and its playlists are validated: with video and
without, in both containers. A file that cannot be served must be refused with a reason. The exit code is 0 if nothing
is wrong, and 1 if a case fails or a requirement is violated.
"""

import json
import pathlib

from segue_tools import oddities
from segue_tools.launch import Server, read_json, scratch, segue


def arguments(parser):
    parser.add_argument("--kind", action="append", default=[], choices=sorted({one.kind for one in oddities.ALL}),
                        help="a kind; may be repeated (all)")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the files")


def played(path, folder):
    """Returns the problems that the suite finds in the delivery of a file."""
    report = folder / "report.json"
    words = ["--scenario", "play-through", "--network", "wifi", "--json", report, "--quiet"]
    segue("regress", path, *words, may_find=True)
    cases = json.loads(report.read_text())["cases"]
    return [f"{finding['rule']}: {finding['message']}" for case in cases
            if case["verdict"] not in ("pass", "skip", "known") for finding in case["findings"]]


def validated(server, item, playlist, folder):
    """Returns the requirements that a playlist of an item violates."""
    report = folder / "validation.json"
    segue("validate", f"{server.url}items/{item}/{playlist}", "--json", report, may_find=True)
    findings = json.loads(report.read_text())["findings"]
    return [f"{playlist}: {finding['rule']}: {finding['message']}" for finding in findings
            if finding["severity"] == "must fix"]


def playlists(details):
    """Returns the playlists of an item that the server announces, with subtitles in the video as well."""
    queries = [f"container={container}{words}" for words, name in (("", "full"), ("&background=1", "background"))
               for container, found in details["renditions"][name].items() if "error" not in found]
    burned = [f"container={container}&burn={track['stream']}" for track in details.get("tracks", [])
              if "burned" in track for container in ("ts", "fmp4")]
    return [f"master.m3u8?{query}" for query in queries + burned]


def main(options):
    count = 0
    with scratch() as folder:
        media = (options.keep or folder / "media").resolve()
        made = oddities.make(media, options.kind)
        with Server(media) as server:
            items = {item["path"]: item["id"] for item in read_json(f"{server.url}api/items?limit=1000")["items"]}
            for oddity in made:
                path = f"{oddity.kind}/{oddity.name}"
                details = read_json(f"{server.url}api/items/{items[path]}")
                problems = played(media / path, folder)
                if "error" in details:
                    print(f"{path}: refused, {details['error']['message']}")
                    continue
                names = playlists(details)
                for name in names:
                    problems += validated(server, items[path], name, folder)
                count += len(problems)
                print(f"{path}: {len(names)} playlists, {len(problems)} problems")
                for problem in problems:
                    print(f"  {problem}")
    return 1 if count else 0
