"""How far behind the edge of a low-latency channel players are, and how often they stand still, over slow networks.

`segue serve` plays a title as a channel; each of its pictures has its number in it. Each player plays that for a while
through `segue link`: Segue's own model of an iPhone, which tells what it plays; the same as a player that knows no low
latency; GStreamer's hlsdemux2; and FFmpeg at the pace of a clock (-re), which is the nearest that it has to a player.
Of the last two, the pictures that come out are looked at, with the clock. Prints a line for each network and player:
seconds until the first picture, seconds behind the edge with that and at the end, stalls and their seconds. What is not
there is left out, with a line that says so.

Example: `Tools/run latency --networks wifi,lte --seconds 40`.
"""

import pathlib
import tempfile

from segue_tools.latency.channel import Channel, link
from segue_tools.latency.players import PLAYERS, Missing


def arguments(parser):
    parser.add_argument("--networks", default="lan,wifi,lte,3g", help="names of networks, with commas between")
    parser.add_argument("--seconds", type=float, default=40, help="how long each plays")


def main(options):
    print(f"{'network':9}{'player':28}{'start':>8}{'behind':>9}{'at end':>9}{'stalls':>8}{'seconds':>9}")
    with tempfile.TemporaryDirectory(prefix="segue-latency-") as work, Channel(pathlib.Path(work)) as channel:
        for network in options.networks.split(","):
            with link(network, channel.port) as port:
                for name, play in PLAYERS.items():
                    try:
                        seen = play(channel, port, options.seconds)
                    except Missing as why:
                        print(f"{network:9}{name:28}  left out: {why}", flush=True)
                        continue
                    print(f"{network:9}{name:28}{seen.start:7.2f} {seen.behind:8.2f} {seen.behind_at_end:8.2f} "
                          f"{seen.stalls:7} "
                          f"{seen.stalled:8.2f}", flush=True)
