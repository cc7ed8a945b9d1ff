"""The servers that tools run themselves."""

import http.client
import urllib.request

import pytest

from segue_tools.driving.server import Server as HeldServer
from segue_tools.loopback import Loopback, part_of
from segue_tools.measuring.server import TitleServer
from segue_tools.planted.server import Server, Site


class Title:
    name, entry, is_live, segment = "title", "index.m3u8", False, 4


def fetch(url, **headers):
    connection = http.client.HTTPConnection(*url.split("/")[2].split(":"), timeout=20)
    connection.request("GET", "/" + url.split("/", 3)[3], headers=headers)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response.status, body, response.getheader("Content-Range")


@pytest.mark.parametrize(("text", "found"), [
    ("bytes=2-4", (2, 5)), ("bytes=2-", (2, 10)), ("bytes=2-99", (2, 10)), ("bytes=10-", None), (None, None),
    ("x", None),
])
def test_part_of(text, found):
    assert part_of(text, 10) == found


def test_replies_keep_the_connection_open():
    class Echo(Loopback):
        def answer(self, handler):
            handler.reply(200, {"X": "y"}, handler.path.encode())

    with Echo() as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=20)
        for path in ("/a", "/b"):
            connection.request("GET", path)
            assert connection.getresponse().read() == path.encode()
        connection.request("HEAD", "/c")
        assert connection.getresponse().read() == b""
        connection.close()


def test_a_withheld_body_arrives_after_its_release(tmp_path):
    (tmp_path / "0.ts").write_bytes(b"0123456789")
    with HeldServer(tmp_path) as server:
        server.hold("one", "0.ts")
        assert fetch(server.url("other", "0.ts"), Range="bytes=2-3") == (206, b"23", "bytes 2-3/10")
        connection = urllib.request.urlopen(server.url("one", "0.ts"), timeout=20)
        server.let_go("one", "0.ts")
        assert connection.read() == b"0123456789"
        assert server.is_left("one", 20)


def test_a_title_is_served_with_its_ranges(tmp_path):
    (tmp_path / "index.m3u8").write_text("#EXTM3U\n")
    with TitleServer(Title, tmp_path) as server:
        url = f"http://127.0.0.1:{server.port}/{server.path}"
        assert fetch(url)[:2] == (200, b"#EXTM3U\n")
        assert fetch(url, Range="bytes=1-2") == (206, b"EX", "bytes 1-2/8")
        assert fetch(url + "x")[0] == 404
        assert [asked for _, asked in server.requests] == ["", "bytes=1-2", ""]


def test_a_planted_fault_changes_a_response(tmp_path):
    (tmp_path / "a.ts").write_bytes(b"0123456789")
    site = Site(tmp_path)
    with Server(site) as server:
        assert fetch(server.url("a.ts"), Range="bytes=3-5") == (206, b"345", "bytes 3-5/10")
        assert fetch(server.url("a.ts"), Range="bytes=10-") == (416, b"", "bytes */10")
        assert fetch(server.url("a.ts"), Range="bytes=1-2,4-5")[:2] == (200, b"0123456789")
        site.content(r"\.ts$", lambda request, body: body[::-1])
        assert fetch(server.url("a.ts"))[1] == b"9876543210"
