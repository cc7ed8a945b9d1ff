"""A WebSocket that carries JSON both ways, as browsers offer it to those who steer them (RFC 6455)."""

import base64
import json
import os
import socket
import struct
import sys


class WebSocket:
    def __init__(self, port, path):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self.read(1)

    def close(self):
        self.socket.close()

    def patience(self, seconds):
        self.socket.settimeout(seconds)

    def send(self, message):
        data = json.dumps(message).encode()
        mask = os.urandom(4)
        if len(data) < 126:
            length = bytes([128 | len(data)])
        elif len(data) < 65536:
            length = bytes([128 | 126]) + struct.pack(">H", len(data))
        else:
            length = bytes([128 | 127]) + struct.pack(">Q", len(data))
        self.socket.sendall(
            b"\x81" + length + mask + bytes(byte ^ mask[index % 4] for index, byte in enumerate(data)))

    def receive(self):
        """The next message; what only asks whether somebody is there is no message."""
        data = b""
        while True:
            first, second = self.read(2)
            length = second & 127
            if length == 126:
                length = struct.unpack(">H", self.read(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self.read(8))[0]
            piece = self.read(length)
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
                sys.exit("browser: it has gone")
            data += piece
        return bytes(data)
