"""Who may connect to a driver."""

import email.message
import stat
import threading

import pytest

from segue_drivers.door import Door, user_token


class Handler:
    """A request, and the error that it is refused with."""

    def __init__(self, path, **headers):
        self.path, self.headers, self.error = path, email.message.Message(), None
        for name, value in ({"Host": "127.0.0.1:80"} | headers).items():
            self.headers[name] = value

    def send_error(self, status, message):
        self.error = (int(status), message)


def admitted(door, path, **headers):
    handler = Handler(path, **headers)
    rest = door.admit(handler)
    assert (rest is None) == (handler.error is not None)
    return rest or handler.error[0]


@pytest.mark.parametrize(
    ("path", "rest"),
    [("/abc/", "/"), ("/abc", "/"), ("/abc/page.js", "/page.js"), ("/abc/a?b", "/a"), ("/", 404), ("/ab/", 404),
     ("/abcd/", 404), ("//abc/", 404), ("/ABC/", 404), ("", 404), ("/\u00e9/", 404)],
)
def test_path_begins_with_the_token(path, rest):
    assert admitted(Door("abc"), path) == rest


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.0.0.1:7000", "[::1]:7000", "192.168.1.20:7000", "localhost", "LocalHost:80", "box:1", "box.:1"],
)
def test_addresses_and_own_names_are_hosts(host):
    assert admitted(Door("abc", ["box"]), "/abc/", Host=host) == "/"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:7000", "", "127.0.0.1.evil.example", "box", "[::1"])
def test_other_names_are_refused(host):
    assert admitted(Door("abc"), "/abc/", Host=host) == 403


def test_pages_are_refused_unless_the_player_is_one():
    for origin in ("http://127.0.0.1:80", "null", "https://evil.example"):
        assert admitted(Door("abc"), "/abc/", Origin=origin) == 403
        assert admitted(Door("abc", admits_pages=True), "/abc/", Origin=origin) == "/"
        assert admitted(Door("abc", admits_pages=True), "/", Origin=origin) == 404


def test_token_is_made_once_and_is_private(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    tokens = []
    threads = [threading.Thread(target=lambda: tokens.append(user_token())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(tokens)) == 1 and len(tokens) == 8 and len(tokens[0]) >= 22
    files = list((tmp_path / "segue").iterdir())
    assert [file.name for file in files] == ["driver-token"]
    assert stat.S_IMODE(files[0].stat().st_mode) == 0o600


def test_token_without_a_home_is_a_new_one(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    assert user_token() != user_token()
