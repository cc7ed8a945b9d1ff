"""Compares the network model and the proxy with Linux: with recorded measurements, and on this machine.

The reference is downloads over HTTP/1.1, nginx to curl, through netem, in
Tests/Network/SegueNetworkModelTests/Measured. By part:

- model: every cell of the table against `segue link --estimate`: without loss within the larger of 0.5 % and 2.5 ms;
  otherwise the mean of many seeds within 15 % of the mean that median, minimum, and maximum suggest, or the medians
  within 15 %
- proxy: twenty cells in real time through `segue link`, the median of five: within the larger of 2 % and 2 ms where the
  proxy's 99th percentile of lateness is at most 1 ms
- parallel: four concurrent downloads: the model, the proxy, and Linux's tbf in a namespace (root), within 3 %
- long: the rate of a 60 s transfer in its last 50 s: within 0.5 % of the link's
- unread: a download beside one that its client does not read, at 780 kbit/s and 2 Mbit/s, without delay and with 30 ms:
  the model, the proxy, and Linux's tbf between namespaces (root), the median of three: within 5 %
- many: 1,000 concurrent connections: in total the rate of the link; the memory of the proxy
- bytes: 10 GB over an unlimited network and 1 GB over `lan`, in chunks of random sizes: equal checksums
- through: `segue link` on an unlimited network against a direct connection: at least 5 Gbit/s

The first two are drawn in build/bench/link.svg.

SEGUE_BENCH_PARTS (all); SEGUE_BENCH_SEEDS (200); SEGUE_BENCH_SECONDS, the length of the long transfer (60).
"""

import csv
import os
import pathlib
import statistics
import tempfile

from segue_tools.launch import Link, fail, requires
from segue_tools.lines import drawing, transfers, unread
from segue_tools.lines.transfers import estimate, median_of
from segue_tools.measure import report
from segue_tools.nginx import Nginx
from segue_tools.places import MEASURED_LINKS, ROOT

PARTS = os.environ.get("SEGUE_BENCH_PARTS", "model proxy parallel long unread many bytes through").split()
SEEDS = int(os.environ.get("SEGUE_BENCH_SEEDS", "200"))
SECONDS = int(os.environ.get("SEGUE_BENCH_SECONDS", "60"))
# The cells for the test of the proxy, from slow to fast, each of some seconds at most.
IN_REAL_TIME = [
    ("nlc-edge", 10240), ("wpt-2g", 10240), ("wpt-2g", 51200), ("nlc-3g", 10240), ("nlc-3g", 51200), ("nlc-3g", 204800),
    ("wpt-3gslow", 51200), ("wpt-3g", 10240), ("wpt-3g", 204800), ("wpt-3gfast", 51200), ("wpt-3gfast", 204800),
    ("nlc-dsl", 10240), ("nlc-dsl", 204800), ("wpt-dsl", 51200), ("nlc-cable", 204800), ("wpt-cable", 1048576),
    ("wpt-4g", 51200), ("wpt-4g", 1048576), ("wpt-lte", 204800), ("wpt-fios", 1048576),
]


def table(name):
    with open(MEASURED_LINKS / f"{name}.csv", newline="") as file:
        return list(csv.DictReader(file))


def network(row, folder):
    """Writes a file with the network of a row of the profiles."""
    path = folder / f"{row['profile']}.yaml"
    queue = f"{row['limit']} {'packets' if row['qdisc'] == 'netem' else 'bytes'}"
    sides = "".join(
        f"{side}: {{ rate: {row[f'{side}_kbit_s']} kbit/s, delay: {row[f'delay_{side}_ms']} ms, "
        f"loss: {row[f'loss_{side}_pct']} % }}\n" for side in ("down", "up"))
    path.write_text(f"name: {row['profile']}\n{sides}queue: {queue}\n")
    return path


def cells(folder):
    """All measured downloads: network, size, connection, and the times."""
    profiles = {row["profile"]: row for row in table("netem_profiles")}
    rows = [(row, row["conn"]) for row in table("netem_reference")]
    rows += [(row, "idle:60") for row in table("netem_reference_idle60s")]
    for row, connection in rows:
        profile = profiles[row["profile"]]
        is_exact = profile["qdisc"] == "netem" and profile["loss_down_pct"] == profile["loss_up_pct"] == "0"
        yield {
            "network": row["profile"], "file": network(profile, folder), "bytes": int(row["size_bytes"]),
            "connection": connection, "exact": is_exact, "median": float(row["median_s"]),
            "mean": (float(row["min_s"]) + 2 * float(row["median_s"]) + float(row["max_s"])) / 4,
        }


def name(cell):
    return f"{cell['network']} {cell['bytes']} {cell['connection']}"


def model(folder):
    rows = list(cells(folder))
    outside = []
    for cell in rows:
        spread = estimate(cell["file"], cell["bytes"], cell["connection"], 1 if cell["exact"] else SEEDS)
        cell["model"] = spread["mean"]
        wanted = cell["median"] if cell["exact"] else cell["mean"]
        cell["share"] = spread["mean"] / wanted - 1
        limit = max(0.005 * wanted, 0.0025) if cell["exact"] else 0.15 * wanted
        counts = cell["exact"] or cell["bytes"] >= 200_000
        is_typical = not cell["exact"] and abs(spread["median"] / cell["median"] - 1) <= 0.15
        if counts and abs(spread["mean"] - wanted) > limit and not is_typical:
            outside.append(cell)
    exact = [cell for cell in rows if cell["exact"]]
    lossy = [cell for cell in rows if not cell["exact"] and cell["bytes"] >= 200_000]
    worst = max(exact, key=lambda cell: abs(cell["share"]))
    print(f"model: {len(exact)} cells without loss, median error "
          f"{100 * statistics.median(abs(cell['share']) for cell in exact):.3f} %, maximum "
          f"{100 * abs(worst['share']):.2f} % ({name(worst)}), outside the limits: "
          f"{sum(cell['exact'] for cell in outside)} (goal: 0)")
    print(f"model: {len(lossy)} cells with loss or a short queue, of 200 KB and more, {SEEDS} seeds, median error "
          f"{100 * statistics.median(abs(cell['share']) for cell in lossy):.1f} %, outside 15 %: "
          f"{sum(not cell['exact'] for cell in outside)}")
    for cell in outside:
        print(f"model: outside: {name(cell)}: {cell['model']:.4f} s, measured: median {cell['median']:.4f} s, "
              f"mean about {cell['mean']:.4f} s")
    return rows


def served(folder, sizes, address="127.0.0.1"):
    """nginx with a file of each size, named after the size."""
    for size in sizes:
        (folder / str(size)).write_bytes(os.urandom(size))
    return Nginx(folder, address)


def proxy(folder):
    rows = []
    by_name = {(cell["network"], cell["bytes"], cell["connection"]): cell for cell in cells(folder)}
    with served(folder, {size for _, size in IN_REAL_TIME}) as nginx:
        for network_name, size in IN_REAL_TIME:
            cell = by_name[network_name, size, "new"]
            with Link(cell["file"], nginx.port) as link:
                cell["proxy"] = median_of(5, lambda: transfers.download(link.port, size))
                late = link.status()["lateness"]["percentile99"]
            cell["late"] = late
            off = cell["proxy"] - cell["median"]
            within = abs(off) <= max(0.02 * cell["median"], 0.002)
            verdict = "within" if within else "OUTSIDE" if late <= 0.001 else "late"
            print(f"proxy: {name(cell):26} Linux {cell['median']:8.4f} s, proxy {cell['proxy']:8.4f} s, "
                  f"{100 * off / cell['median']:+6.2f} % {1000 * off:+7.2f} ms, lateness p99 {1000 * late:.2f} ms: "
                  f"{verdict}",
                  flush=True)
            cell["verdict"] = verdict
            rows.append(cell)
    counts = {verdict: sum(cell["verdict"] == verdict for cell in rows) for verdict in ("within", "OUTSIDE", "late")}
    print(f"proxy: {len(rows)} cells: {counts['within']} within the larger of 2 % and 2 ms, {counts['OUTSIDE']} "
          f"outside, "
          f"{counts['late']} not judged because the machine was late")
    return rows


def line(folder, text, title="line"):
    path = folder / f"{title}.yaml"
    path.write_text(f"name: {title}\n{text}\n")
    return path


def parallel(folder):
    size = 2_000_000
    plain = line(folder, "down: { rate: 8 Mbit/s }\nup: { rate: 8 Mbit/s }")
    times = {"model": transfers.estimate(plain, size, "new", 1, parallel=4)["mean"]}
    with served(folder, [size], "0.0.0.0") as nginx:
        with Link(plain, nginx.port) as link:
            times["proxy"] = median_of(3, lambda: transfers.side_by_side(link.port, size, 4))
        if os.geteuid() == 0:
            times["tbf"] = median_of(3, lambda: transfers.in_namespace(plain, nginx.port, size, 4))
        else:
            print("parallel: skipped, because tbf requires root")
    spread = max(times.values()) / min(times.values()) - 1
    print("parallel: four of 2 MB over 8 Mbit/s: " + ", ".join(f"{key} {value:.3f} s" for key, value in times.items())
          + f"; spread {100 * spread:.2f} % (goal: 3)")
    return {**times, "spread": spread}


def long(folder):
    path = line(folder, "down: { rate: 20 Mbit/s, delay: 20 ms }\nup: { rate: 5 Mbit/s, delay: 20 ms }")
    with transfers.Source() as source, Link(path, source.port) as link:
        rate = transfers.steady_rate(link.port, SECONDS, skip=10)
    wanted = 20e6 * 1448 / 1514
    print(f"long: {SECONDS} s, after the first 10: {rate / 1e6:.4f} Mbit/s of bodies, expected {wanted / 1e6:.4f}; "
          f"off by "
          f"{100 * (rate / wanted - 1):+.3f} % (goal: 0.5)")
    return {"rate": rate, "wanted": wanted}


def beside_unread(folder):
    if os.geteuid() != 0:
        print("unread: skipped, because namespaces require root")
        return []
    rows = []
    for kilobits, delay in [(780, 0), (780, 30), (2000, 0), (2000, 30)]:
        way = f"delay: {delay} ms }}"
        path = line(folder, f"down: {{ rate: {kilobits} kbit/s, {way}\nup: {{ rate: unlimited, {way}")
        for case, (before, size) in unread.CASES.items():
            runs = 1 if before else 3
            told = {"Linux": [on_linux(kilobits, delay, case) for _ in range(runs)],
                    "proxy": [on_proxy(path, case) for _ in range(runs)]}
            found = {name: {key: statistics.median(one[key] for one in stories) for key in stories[0]}
                     for name, stories in told.items()}
            row: dict = {"kilobits": kilobits, "delay": delay, "read": case, **found}
            seconds = {name: one["second"] for name, one in found.items()}
            if before == 0:
                seconds["model"] = row["model"] = estimate(path, size, "new", 1, unread=1)["mean"]
                row["spread"] = max(seconds.values()) / min(seconds.values()) - 1
            rows.append(row)
            print(f"unread: {kilobits} kbit/s, {delay} ms, of the other {case} read: {size} bytes take "
                  + ", ".join(f"{name} {value:.3f} s" for name, value in seconds.items())
                  + (f", spread {100 * row['spread']:.1f} % (goal: 5)" if before == 0 else "")
                  + "; unread then: " + ", ".join(f"{name} {one['held']:.0f}" for name, one in found.items())
                  + f"; {unread.LATER} bytes more: "
                  + ", ".join(f"{name} {one['later']:.3f} s" for name, one in found.items()),
                  flush=True)
    return rows


def on_linux(kilobits, delay, case):
    with unread.Line(kilobits, delay) as linux:
        return linux.story(case)


def on_proxy(path, case):
    with unread.server() as port, Link(path, port) as link:
        def held(_):
            return link.status()["down"]["deliveredBytes"] - sum(unread.CASES[case])

        return unread.story("127.0.0.1", link.port, case, held)


def many(folder):
    """Measures after the start, because a thousand slow starts overflow the queue at first."""
    path = line(folder, "down: { rate: 100 Mbit/s, delay: 10 ms }\nup: { rate: 100 Mbit/s, delay: 10 ms }\n"
                        "queue: 10000 packets")
    with transfers.Source() as source, Link(path, source.port) as link:
        before = link.memory()
        rate, served = transfers.many_rates(link.port, 1000, seconds=26, skip=16)
        memory = link.memory("VmHWM")
    wanted = 100e6 * 1448 / 1514
    print(f"many: {served} of 1000 connections received bytes, in total {rate / 1e6:.2f} Mbit/s of {wanted / 1e6:.2f} "
          f"({100 * (rate / wanted - 1):+.2f} %); memory {before:.0f} MiB before, peak {memory:.0f} MiB, "
          f"{1024 * (memory - before) / 1000:.0f} KiB per connection")
    return {"rate": rate, "wanted": wanted, "served": served, "memory": memory, "memoryBefore": before}


def bytes_kept(folder):
    nothing = line(folder, "down: { rate: unlimited }\nup: { rate: unlimited }", "nothing")
    found = {}
    for name, network, size in [("nothing", nothing, 10_000_000_000), ("lan", "lan", 1_000_000_000)]:
        with transfers.RandomSource(size, seed=11) as source, Link(network, source.port) as link:
            checksum, total, seconds = transfers.checksum(link.port, seed=12)
            is_equal = total == size and checksum == source.checksum()
        print(f"bytes: {total / 1e9:.0f} GB over {name}, {8 * total / seconds / 1e9:.2f} Gbit/s with checksums: "
              f"{'equal' if is_equal else 'DIFFERENT'}", flush=True)
        found[name] = {"bytes": total, "seconds": seconds, "equal": is_equal}
    return found


def through(folder):
    path = line(folder, "down: { rate: unlimited }\nup: { rate: unlimited }", "lan")
    with transfers.Source() as source:
        direct = statistics.median(transfers.steady_rate(source.port, 4, skip=1) for _ in range(3))
        with Link(path, source.port) as link:
            proxied = statistics.median(transfers.steady_rate(link.port, 4, skip=1) for _ in range(3))
    print(f"through: {proxied / 1e9:.2f} Gbit/s, direct {direct / 1e9:.2f}: ratio {proxied / direct:.2f} "
          "(goal: 5 Gbit/s)")
    return {"proxied": proxied, "direct": direct}


def main(_):
    requires("nginx", "curl")
    parts = {"model": model, "proxy": proxy, "parallel": parallel, "long": long, "unread": beside_unread, "many": many,
             "bytes": bytes_kept, "through": through}
    unknown = set(PARTS) - set(parts)
    if unknown:
        fail(f"unknown part {', '.join(sorted(unknown))}; parts: {' '.join(parts)}")
    found = {}
    with tempfile.TemporaryDirectory(prefix="segue-bench-") as work:
        # nginx's worker runs as another user.
        os.chmod(work, 0o755)
        for part in PARTS:
            found[part] = parts[part](pathlib.Path(work))
    if "model" in found or "proxy" in found:
        drawing.write(ROOT / "build/bench/link.svg", found.get("model", []), found.get("proxy", []))
        print("link: the diagram of the comparison is build/bench/link.svg")
    for rows in (found.get("model", []), found.get("proxy", [])):
        for cell in rows:
            cell.pop("file", None)
    report("link", found)
