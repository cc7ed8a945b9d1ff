import json
import socket
import threading

import pytest

from segue_drivers.websocket import CLOSE, MAXIMUM_MESSAGE_LENGTH, PING, TEXT, WebSocket, accept_key, encode_frame

MASK = bytes.fromhex("37fa213d")


@pytest.fixture
def ends():
    """A server's WebSocket and the client's raw socket."""
    server, client = socket.socketpair()
    client.settimeout(5)
    server.settimeout(5)
    yield WebSocket(connection=server), client
    server.close()
    client.close()


def test_accept_key_is_that_of_the_rfc():
    assert accept_key("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="


def test_frames_are_those_of_the_rfc():
    assert encode_frame(TEXT, b"Hello") == bytes.fromhex("810548656c6c6f")
    assert encode_frame(TEXT, b"Hello", MASK) == bytes.fromhex("818537fa213d7f9f4d5158")


@pytest.mark.parametrize(
    ("length", "header"), [(125, "817d"), (126, "817e007e"), (65535, "817effff"), (65536, "817f0000000000010000")]
)
def test_length_uses_the_fewest_bytes(length, header):
    assert encode_frame(TEXT, bytes(length)).startswith(bytes.fromhex(header))
    assert len(encode_frame(TEXT, bytes(length))) == length + len(header) // 2


@pytest.mark.parametrize("length", [0, 123, 124, 65533, 65534, 200_000])
def test_masked_message_of_any_length_is_received(ends, length):
    server, client = ends
    text = json.dumps("x" * length).encode()
    sender = threading.Thread(target=client.sendall, args=(encode_frame(TEXT, text, MASK),))
    sender.start()
    assert server.receive() == "x" * length
    sender.join()


def test_fragments_are_joined_around_a_ping_that_is_answered(ends):
    server, client = ends
    first, last = bytearray(encode_frame(TEXT, b'{"a":', MASK)), bytearray(encode_frame(0, b"1}", MASK))
    first[0] &= 127
    client.sendall(bytes(first) + encode_frame(PING, b"still there", MASK) + bytes(last))
    assert server.receive() == {"a": 1}
    assert client.recv(64) == bytes.fromhex("8a0b") + b"still there"


def test_close_frame_ends_the_connection(ends):
    server, client = ends
    client.sendall(encode_frame(CLOSE, b"", MASK))
    with pytest.raises(EOFError, match="closed"):
        server.receive()


def test_connection_that_ends_within_a_frame_raises(ends):
    server, client = ends
    client.sendall(encode_frame(TEXT, b"12345", MASK)[:-1])
    client.close()
    with pytest.raises(EOFError, match="ended"):
        server.receive()


def test_message_that_is_too_long_is_refused_by_its_header(ends):
    server, client = ends
    client.sendall(bytes([129, 127]) + (MAXIMUM_MESSAGE_LENGTH + 1).to_bytes(8, "big"))
    with pytest.raises(EOFError, match="longer than"):
        server.receive()


def test_client_masks_and_server_does_not(ends):
    server, client = ends
    server.send({"id": 1})
    assert client.recv(64) == b'\x81\x09{"id": 1}'
    peer = WebSocket.__new__(WebSocket)
    peer.is_client, peer.sending, peer.socket = True, threading.Lock(), client
    peer.send({"id": 2})
    raw = server.socket.recv(64)
    assert raw[1] == 128 | 9 and raw[6:] != b'{"id": 2}'
    peer.send({"id": 3})
    assert server.receive() == {"id": 3}
