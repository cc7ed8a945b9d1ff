"""What tools share, without the program."""

import os
import subprocess
import sys

import pytest

from segue_tools import drawing, launch, measure, seeds
from segue_tools.commands import history
from segue_tools.commands.fuzz import media


def test_started_returns_what_a_program_prints():
    process, found = launch.started([sys.executable, "-c", "print('at port 12'); print('key=ab'); input()"],
                                    r"key=(\w+)", r"port (\d+)", stdin=subprocess.PIPE)
    assert found == ["ab", "12"]
    assert launch.end(process) == -15


def test_a_program_that_does_not_start_ends_the_tool(capsys):
    with pytest.raises(SystemExit) as ended:
        launch.started([sys.executable, "-c", "print('no port')"], r"port (\d+)")
    assert ended.value.code == 2
    assert "no port" in capsys.readouterr().err


def test_end_kills_an_unresponsive_process():
    words = [sys.executable, "-c",
             "import signal; signal.signal(15, signal.SIG_IGN); print('ready', flush=True); input()"]
    process, _ = launch.started(words, "(ready)", stdin=subprocess.PIPE)
    assert launch.end(process, patience=0.2) == -9


def test_free_ports_differ():
    assert len(set(launch.free_ports(4))) == 4


def test_until_returns_the_last_value():
    values = iter([0, 0, 7])
    assert launch.until(lambda: next(values), 10, 0) == 7
    assert launch.until(lambda: None, 0) is None


def test_descendants_and_memory():
    process, _ = launch.started(["sh", "-c", "sleep 60 & echo ready; wait"], "(ready)")
    assert measure.descendants(os.getpid()) == [process.pid, *measure.children(process.pid)]
    assert measure.memory(process) > 0
    launch.end(process)
    assert measure.resident(process.pid) == 0


def test_cost_of_children():
    with measure.cost_of_children() as cost:
        subprocess.run([sys.executable, "-c", "for _ in range(10**6): pass"], check=True)
    assert 0 < cost.cpu < 60
    assert cost.wall > 0


def test_failing_halves_a_part_until_it_isolates_the_trap(tmp_path):
    fuzz = tmp_path / "fuzz"
    fuzz.write_text(f"#!{sys.executable}\nimport os, sys\n_, seed, first, count = map(int, ['0', *sys.argv[1:4]])\n"
                    "if first <= 37 < first + count: os.abort()\nprint('slowest 1 2 3')\n")
    fuzz.chmod(0o755)
    assert seeds.failing(str(fuzz), 1, 0, 100)[0] == [(37, "ends with signal 6")]
    assert seeds.failing(str(fuzz), 1, 38, 10) == ([], ["slowest 1 2 3"])


def test_damage_depends_only_on_the_seed():
    import random
    data = bytes(range(256)) * 8
    one, other = (media.damaged(data, random.Random(3)) for _ in range(2))
    assert one == other
    assert one[0] != data


def test_a_drawing_is_closed():
    text = drawing.whole([*drawing.head(10, 20), drawing.text(1, 2, "x"), drawing.line(0, 0, 1, 1, "#000")])
    assert text.startswith("<svg")
    assert text.endswith("</svg>\n")


def test_history_table_has_a_line_for_each_policy_and_platform():
    assert len(history.table({}, ["wifi"]).splitlines()) == 1 + len(history.APPS) * len(history.PLATFORMS)
