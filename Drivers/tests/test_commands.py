"""The commands in this package's folder, and those that start programs."""

import http.client
import json
import os
import pathlib
import subprocess
import sys
import threading

import pytest

from segue_drivers import listen, record
from segue_drivers.door import Door
from segue_drivers.websocket import WebSocket

FOLDER = pathlib.Path(__file__).resolve().parents[1]
COMMANDS = [path for path in FOLDER.iterdir() if path.is_file() and os.access(path, os.X_OK)]
ECHO = """
import sys
print('{"driver": 1}', flush=True)
for line in sys.stdin:
    print(line, end="", flush=True)
"""


def test_drivers_can_be_named():
    names = {path.stem for path in COMMANDS if path.suffix == ".py"}
    assert names == {"chromium", "firefox", "gstreamer", "mpv", "vlc", "web"}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda path: path.name)
def test_command_runs_its_module(command):
    assert f"from segue_drivers.{command.stem} import main" in command.read_text()
    assert (FOLDER / f"segue_drivers/{command.stem}.py").exists()


@pytest.mark.parametrize("name", ["chromium.py", "firefox.py", "web.py", "listen"])
def test_help_describes_the_command(name):
    done = subprocess.run([FOLDER / name, "--help"], capture_output=True, text=True, timeout=30)
    assert done.returncode == 0 and "usage:" in done.stdout
    assert "segue_drivers" not in done.stdout


def test_command_can_be_started_by_a_link_elsewhere(tmp_path):
    (tmp_path / "web").symlink_to(FOLDER / "web.py")
    done = subprocess.run([tmp_path / "web", "--help"], capture_output=True, text=True, timeout=30, cwd=tmp_path)
    assert done.returncode == 0


def test_record_without_arguments_prints_its_usage():
    done = subprocess.run([FOLDER / "record"], capture_output=True, text=True, timeout=30)
    assert done.returncode == 1 and "record FOLDER DRIVER" in done.stderr


def test_recordings_are_numbered_and_safely_named(tmp_path):
    names = [record.create_recording(tmp_path, name).name for name in ["a/b c", "a/b c", "..", ""]]
    assert names == ["a-b-c.mkv", "a-b-c-2.mkv", "...mkv", "driver.mkv"]


@pytest.fixture
def server():
    made = listen.Server(("127.0.0.1", 0), [sys.executable, "-c", ECHO], Door("secret"))
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


def test_listen_passes_lines_both_ways_for_one_connection_after_the_other(server):
    for number in (1, 2):
        client = WebSocket(server.server_port, "/secret/")
        client.patience(20)
        assert client.receive() == {"driver": 1}
        client.send({"id": number, "do": "play"})
        assert client.receive() == {"id": number, "do": "play"}
        client.close()


def status(server, path, headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=20)
    connection.request("GET", path, headers=headers)
    return connection.getresponse().status


def test_listen_refuses_plain_http(server):
    assert status(server, "/secret/", {}) == 426


@pytest.mark.parametrize(
    ("path", "headers", "refusal"),
    [("/", {}, 404), ("/other/", {}, 404), ("/secret/", {"Origin": "http://127.0.0.1"}, 403),
     ("/secret/", {"Host": "evil.example"}, 403)],
)
def test_listen_starts_no_driver_for_others_and_pages(server, path, headers, refusal):
    # A busy player would delay them.
    with server.in_use:
        opening = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": "x", **headers}
        assert status(server, path, opening) == refusal


def test_children_and_those_they_leave_behind_are_killed():
    script = """
import json, subprocess, sys
sys.path.insert(0, sys.argv[1])
from segue_drivers.processes import children, kill_children, start
start(["sh", "-c", "sleep 60 & echo $!"], stdout=subprocess.PIPE).stdout.readline()
before = len(children())
kill_children()
print(json.dumps([before, len(children())]))
"""
    done = subprocess.run([sys.executable, "-c", script, FOLDER], capture_output=True, text=True, timeout=30)
    before, after = json.loads(done.stdout)
    assert before >= 1 and after == 0
