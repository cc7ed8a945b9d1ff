"""Runs the suite in eight shards through Slurm, kills one shard, and compares the merged report with a single run.

The tool starts slurmctld, slurmd, and munged on this machine, with their own key and ports, as root. One shard is
killed at its first result; Slurm queues it again (RequeueExit), and it resumes. `segue merge` must produce the reports
of a run without shards byte for byte. The exit code is 0 if it does, 1 if not, and 2 if slurm-wlm or munge is not
installed.
"""

import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time

from segue_tools.axes import APPS, NETWORKS, PLATFORMS
from segue_tools.launch import end, free_ports, program, scratch, until
from segue_tools.media import songs_and_films
from segue_tools.places import OWN

SHARDS = 8
KILLED = 3


def make_media(folder, cases):
    """Makes ten songs and films, or more if the number of cases requires them: two scenarios for each."""
    count = max(10, -(-cases // (2 * len(PLATFORMS) * len(NETWORKS) * len(APPS))))
    songs_and_films(folder, 0, count, lambda number: 20 + 10 * (number % 10), lambda number: number % 3 == 2)


def wait_until(what, condition, seconds):
    """Waits for a condition; the daemons do not report when they are ready."""
    if not until(condition, seconds):
        raise RuntimeError(f"timed out after {seconds} s waiting for {what}")


def slurm(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


@contextlib.contextmanager
def cluster(work):
    """A cluster of this machine only, until the block ends."""
    host = socket.gethostname().split(".")[0]
    for name in ("state", "spool"):
        (work / name).mkdir()
    key = work / "munge.key"
    key.write_bytes(os.urandom(128))
    key.chmod(0o400)
    conf = work / "slurm.conf"
    conf.write_text((OWN / "slurm/slurm.conf").read_text().format(host=host, work=work, ports=free_ports(2),
                                                                  cores=os.cpu_count() or 1))
    os.environ["SLURM_CONF"] = str(conf)
    daemons = []
    try:
        files = [f"--{name}={work}/munge.{name.split('-')[0]}"
                 for name in ("socket", "pid-file", "log-file", "seed-file")]
        daemons.append(subprocess.Popen(["munged", "--foreground", "--force", f"--key-file={key}", *files],
                                        stderr=subprocess.DEVNULL))
        wait_until("munged", lambda: (work / "munge.socket").exists(), 20)
        for command in (["slurmctld", "-D", "-i"], ["slurmd", "-D", "-N", host]):
            daemons.append(subprocess.Popen([*command, "-f", str(conf)], stdout=subprocess.DEVNULL,
                                            stderr=subprocess.DEVNULL))
        wait_until("an idle node", lambda: "idle" in slurm("sinfo", "-h", "-o", "%T").stdout, 60)
        yield
    except RuntimeError:
        for name in ("slurmctld.log", "slurmd.log"):
            with contextlib.suppress(OSError):
                sys.stderr.write((work / name).read_text()[-1500:])
        raise
    finally:
        slurm("scancel", "--user=root")
        for daemon in reversed(daemons):
            end(daemon)


def holder(run):
    """The process that works on a run."""
    return int((run / "lock").read_text().split()[1])


def kill_in_the_middle(run):
    """Kills a shard after its first results; returns their number."""
    results = run / "results.jsonl"
    wait_until(f"the first result of shard {KILLED}", lambda: results.exists() and results.stat().st_size > 0, 600)
    os.kill(holder(run), signal.SIGKILL)
    return results.read_bytes().count(b"\n")


def compare(segue, media, work, options):
    whole = subprocess.run([segue, "regress", media, "--run", str(work / "whole"), *options])
    if whole.returncode > 1:
        sys.exit(2)
    runs = [str(work / "runs" / str(number + 1)) for number in range(SHARDS)]
    names = {"json": "report.json", "junit": "junit.xml", "html": "report.html"}
    outputs = [word for kind, name in names.items() for word in (f"--{kind}", str(work / name))]
    merged = subprocess.run([segue, "merge", *runs, "--without-times", "--quiet", *outputs])
    differ = [name for name in names.values() if (work / name).read_bytes() != (work / "whole" / name).read_bytes()]
    if merged.returncode != whole.returncode:
        differ.append(f"exit code {merged.returncode}, not {whole.returncode}")
    return differ


def crossed(cases, files):
    """Options for at least a number of cases of some files, or for all possible cases, with the two usual scenarios."""
    each = max(1, cases // (2 * files))
    platforms = PLATFORMS[:max(1, min(len(PLATFORMS), each // 4))]
    networks = NETWORKS[:max(1, min(len(NETWORKS), each // len(platforms)))]
    apps = APPS[:max(1, min(len(APPS), -(-each // (len(platforms) * len(networks)))))]
    return ["--platform", ",".join(platforms), "--network", ",".join(networks), "--app", ",".join(apps),
            "--without-times", "--quiet"]


def arguments(parser):
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("folder", nargs="?")


def main(wanted):
    missing = [name for name in ("munged", "slurmctld", "slurmd", "sbatch") if not shutil.which(name)]
    if missing or os.getuid() != 0:
        print(f"segue: slurm: needs {', '.join(missing) or 'root'} (Debian: slurm-wlm, munge)", file=sys.stderr)
        sys.exit(2)
    segue = program()
    with scratch() as work:
        media = pathlib.Path(wanted.folder).resolve() if wanted.folder else work / "media"
        if not wanted.folder:
            make_media(media, wanted.cases)
        options = crossed(wanted.cases, sum(1 for file in media.rglob("*") if file.is_file()))
        (work / "runs").mkdir()
        job = work / "job.sh"
        job.write_text((OWN / "slurm/job.sh").read_text().format(work=work, segue=segue, media=media, shards=SHARDS,
                                                                 options=" ".join(options)))
        begun = time.monotonic()
        with cluster(work):
            said = slurm("sbatch", "--parsable", f"--array=1-{SHARDS}", "--requeue", "--ntasks=1",
                         f"--output={work}/job-%a.log", "--open-mode=append", str(job))
            if said.returncode:
                sys.exit(f"segue: slurm: sbatch: {said.stderr.strip()}")
            kept = kill_in_the_middle(work / "runs" / str(KILLED))
            wait_until("the job's end", lambda: not slurm("squeue", "-h", "-u", "root").stdout.strip(), 3600)
        logs = "".join((work / f"job-{number + 1}.log").read_text() for number in range(SHARDS))
        restarts = logs.count("restart 1")
        counts = [(work / "runs" / str(number + 1) / "results.jsonl").read_bytes().count(b"\n")
                  for number in range(SHARDS)]
        print(f"slurm: {sum(counts)} cases in {SHARDS} shards ({', '.join(map(str, counts))}), "
              f"{time.monotonic() - begun:.0f} s; shard {KILLED} was killed after {kept} results, "
              f"and {'was' if restarts else 'was not'} queued again")
        differ = compare(segue, str(media), work, options)
        if differ or not restarts:
            print(f"slurm: {', '.join(differ) or 'nothing'} differs from one machine's run\n{logs[-1000:]}")
            sys.exit(1)
        print("slurm: the merged reports are those of one machine's run, byte for byte")
