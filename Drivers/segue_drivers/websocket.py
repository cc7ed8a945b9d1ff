"""A WebSocket (RFC 6455) that carries JSON, as client and as server."""

import base64
import hashlib
import json
import os
import socket
import struct
import threading

# The GUID of RFC 6455, section 1.3.
GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
MAXIMUM_MESSAGE_LENGTH = 16 << 20
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


def accept_key(key):
    """Returns the `Sec-WebSocket-Accept` for a `Sec-WebSocket-Key`."""
    return base64.b64encode(hashlib.sha1((key + GUID).encode()).digest()).decode()


def upgrade(handler):
    """Completes the opening handshake of an HTTP request; returns False for a request that is not one."""
    key = handler.headers.get("Sec-WebSocket-Key", "")
    if handler.headers.get("Upgrade", "").lower() != "websocket" or not key:
        return False
    handler.close_connection = True
    handler.wfile.write(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Accept: {accept_key(key)}\r\n\r\n".encode()
    )
    return True


def apply_mask(data, mask):
    """Masks data, or unmasks it."""
    repeated = (mask * (len(data) // 4 + 1))[: len(data)]
    return (int.from_bytes(data, "big") ^ int.from_bytes(repeated, "big")).to_bytes(len(data), "big")


def encode_frame(opcode, data, mask=b""):
    """Returns a frame that is a whole message; only clients mask."""
    mask_bit = 128 if mask else 0
    if len(data) < 126:
        length = bytes([mask_bit | len(data)])
    elif len(data) < 65536:
        length = bytes([mask_bit | 126]) + struct.pack(">H", len(data))
    else:
        length = bytes([mask_bit | 127]) + struct.pack(">Q", len(data))
    return bytes([128 | opcode]) + length + mask + (apply_mask(data, mask) if mask else data)


class WebSocket:
    """A client that connects to a port of this machine, or the server's end of a connection."""

    def __init__(self, port=None, path=None, connection=None):
        self.is_client = connection is None
        # One thread may answer a ping while another one sends.
        self.sending = threading.Lock()
        self.socket = connection or socket.create_connection(("127.0.0.1", port), timeout=60)
        if self.is_client:
            self.open_handshake(port, path)

    def open_handshake(self, port, path):
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self.read(1)

    def close(self):
        self.socket.close()

    def shut_down(self):
        """Ends the connection both ways, so that a thread blocked in `receive` returns."""
        self.socket.shutdown(socket.SHUT_RDWR)

    def patience(self, seconds):
        """Sets the timeout of `receive`; None for none."""
        self.socket.settimeout(seconds)

    def send(self, message):
        self.send_text(json.dumps(message))

    def send_text(self, text):
        self.send_frame(TEXT, text.encode())

    def send_frame(self, opcode, data):
        frame = encode_frame(opcode, data, os.urandom(4) if self.is_client else b"")
        with self.sending:
            self.socket.sendall(frame)

    def receive(self):
        """Returns the next message; raises `EOFError` when the connection ends or a message is too long."""
        message = b""
        while True:
            first, second = self.read(2)
            opcode, length = first & 15, second & 127
            if length == 126:
                length = struct.unpack(">H", self.read(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self.read(8))[0]
            if length + len(message) > MAXIMUM_MESSAGE_LENGTH:
                raise EOFError(f"a message is longer than {MAXIMUM_MESSAGE_LENGTH} bytes")
            mask = self.read(4) if second & 128 else b""
            data = self.read(length)
            if mask:
                data = apply_mask(data, mask)
            if opcode == CLOSE:
                raise EOFError("the peer closed the WebSocket")
            if opcode == PING:
                self.send_frame(PONG, data)
            if opcode > BINARY:
                continue
            message += data
            if first & 128:
                return json.loads(message)

    def read(self, count):
        data = bytearray()
        while len(data) < count:
            chunk = self.socket.recv(min(count - len(data), 1 << 20))
            if not chunk:
                raise EOFError("the connection ended")
            data += chunk
        return bytes(data)
