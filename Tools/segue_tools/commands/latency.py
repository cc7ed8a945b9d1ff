"""Measures the latency and the stalls of players of a low-latency channel over slow networks.

`segue serve` plays a title with numbered frames as a channel. Each player plays it through `segue link`: Segue's
model of an iPhone with and without low latency, GStreamer's hlsdemux2, and FFmpeg with -re. For each network and
player, the tool prints the seconds to the first frame, the seconds behind the edge at the start and at the end, the
stalls, and their seconds. Players that are not installed are skipped with a message.

Example: `Tools/run latency --networks wifi,lte --seconds 40`.
"""

import pathlib
import tempfile

from segue_tools.latency.channel import Channel, link
from segue_tools.latency.players import PLAYERS, Missing


def arguments(parser):
    parser.add_argument("--networks", default="lan,wifi,lte,3g", help="names of networks, separated by commas")
    parser.add_argument("--seconds", type=float, default=40, help="the playing time of each player in seconds")


def main(options):
    print(f"{'network':9}{'player':28}{'start':>8}{'behind':>9}{'at end':>9}{'stalls':>8}{'seconds':>9}")
    with tempfile.TemporaryDirectory(prefix="segue-latency-") as work, Channel(pathlib.Path(work)) as channel:
        for network in options.networks.split(","):
            with link(network, channel.port) as port:
                for name, play in PLAYERS.items():
                    try:
                        seen = play(channel, port, options.seconds)
                    except Missing as why:
                        print(f"{network:9}{name:28}  skipped: {why}", flush=True)
                        continue
                    print(f"{network:9}{name:28}{seen.start:7.2f} {seen.behind:8.2f} {seen.behind_at_end:8.2f} "
                          f"{seen.stalls:7} "
                          f"{seen.stalled:8.2f}", flush=True)
