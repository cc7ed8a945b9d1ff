"""A WebSocket that carries JSON both ways (RFC 6455), at either end of it."""

import base64
import hashlib
import json
import os
import socket
import struct
import threading

# What the standard has a server join to the client's key.
MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
LONGEST = 16 << 20
CLOSE, PING, PONG = 8, 9, 10


def accepted(key):
    """What a server answers to a client's key."""
    return base64.b64encode(hashlib.sha1((key + MAGIC).encode()).digest()).decode()


def greeted(handler):
    """Greets a client as a WebSocket (RFC 6455, section 4.2); False for one that asks for something else."""
    key = handler.headers.get("Sec-WebSocket-Key", "")
    if handler.headers.get("Upgrade", "").lower() != "websocket" or not key:
        return False
    handler.close_connection = True
    handler.wfile.write((
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Accept: {accepted(key)}\r\n\r\n").encode())
    return True


class WebSocket:
    """One that is opened to a server of this machine, or, as the server's end, over a connection that there is."""

    def __init__(self, port, path, connection=None):
        # Clients mask what they send.
        self.is_client = connection is None
        # One thread may answer a ping while another one speaks.
        self.sending = threading.Lock()
        self.socket = connection or socket.create_connection(("127.0.0.1", port), timeout=60)
        if self.is_client:
            self.greet(port, path)

    def greet(self, port, path):
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self.read(1)

    def close(self):
        self.socket.close()

    def shut(self):
        """Has nothing more come or go, for whoever waits for it."""
        self.socket.shutdown(socket.SHUT_RDWR)

    def patience(self, seconds):
        self.socket.settimeout(seconds)

    def send(self, message):
        self.send_text(json.dumps(message))

    def send_text(self, text):
        self.send_frame(1, text.encode())

    def send_frame(self, kind, data):
        mark = 128 if self.is_client else 0
        if len(data) < 126:
            length = bytes([mark | len(data)])
        elif len(data) < 65536:
            length = bytes([mark | 126]) + struct.pack(">H", len(data))
        else:
            length = bytes([mark | 127]) + struct.pack(">Q", len(data))
        mask = os.urandom(4) if self.is_client else b""
        with self.sending:
            self.socket.sendall(bytes([128 | kind]) + length + mask + (masked(data, mask) if mask else data))

    def receive(self):
        """The next message.

        Raises `EOFError` where the other end has gone.
        """
        data = b""
        while True:
            first, second = self.read(2)
            length = second & 127
            if length == 126:
                length = struct.unpack(">H", self.read(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self.read(8))[0]
            if length + len(data) > LONGEST:
                raise EOFError(f"a message is longer than {LONGEST} bytes")
            mask = self.read(4) if second & 128 else b""
            piece = self.read(length)
            if mask:
                piece = masked(piece, mask)
            if first & 15 == CLOSE:
                raise EOFError("it was closed")
            if first & 15 == PING:
                self.send_frame(PONG, piece)
            if first & 15 > 2:
                continue
            data += piece
            if first & 128:
                return json.loads(data)

    def read(self, count):
        data = bytearray()
        while len(data) < count:
            piece = self.socket.recv(min(count - len(data), 1 << 20))
            if not piece:
                raise EOFError("the other end has gone")
            data += piece
        return bytes(data)


def masked(data, mask):
    """Data with its mask put on, or taken off."""
    whole = (mask * (len(data) // 4 + 1))[:len(data)]
    return (int.from_bytes(data, "big") ^ int.from_bytes(whole, "big")).to_bytes(len(data), "big")
