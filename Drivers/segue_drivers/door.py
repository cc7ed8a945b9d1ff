"""Admits clients to a driver's server: those with the token in the address that use a name of this machine."""

import contextlib
import hmac
import http
import ipaddress
import os
import pathlib
import secrets
import socket

TOKEN_FILE = "driver-token"
# The bytes of a token; 128 bits cannot be guessed.
TOKEN_LENGTH = 16


def user_token():
    """Returns the user's token, which is made at the first use; the same for all drivers, so that addresses last."""
    folder = pathlib.Path(os.environ.get("XDG_DATA_HOME") or pathlib.Path.home() / ".local/share") / "segue"
    path, fresh = folder / TOKEN_FILE, secrets.token_urlsafe(TOKEN_LENGTH)
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        # The file appears with its content, even if another driver creates it at the same time.
        draft = folder / f".{TOKEN_FILE}-{secrets.token_hex(8)}"
        draft.touch(mode=0o600)
        draft.write_text(fresh)
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()
        return path.read_text().strip() or fresh
    # Without a home, the address lasts as long as the driver.
    return fresh


class Door:
    """Admits requests whose path begins with the token."""

    def __init__(self, token, hosts=(), admits_pages=False):
        """Admits requests to addresses, to this machine's names, and to `hosts`; to `admits_pages`, of web pages."""
        self.token, self.admits_pages = token, admits_pages
        own = socket.gethostname().lower()
        self.hosts = {"localhost", own, f"{own}.local", socket.getfqdn().lower(), *(host.lower() for host in hosts)}

    @property
    def path(self):
        """The path below which everything is."""
        return f"/{self.token}/"

    def admit(self, handler):
        """Returns the path below the token; refuses a request that may not enter, and returns None."""
        if not self.names_this_machine(handler.headers.get("Host", "")):
            handler.send_error(http.HTTPStatus.FORBIDDEN, "the host is not a name of this machine")
        elif "Origin" in handler.headers and not self.admits_pages:
            handler.send_error(http.HTTPStatus.FORBIDDEN, "web pages may not use this driver")
        else:
            token, _, rest = handler.path.removeprefix("/").partition("?")[0].partition("/")
            if hmac.compare_digest(token.encode(), self.token.encode()):
                return "/" + rest
            handler.send_error(http.HTTPStatus.NOT_FOUND, "use the whole address that the driver shows")
        return None

    def names_this_machine(self, authority):
        host = authority.rpartition(":")[0] if authority.rpartition(":")[2].isdigit() else authority
        host = host.lower().removesuffix(".")
        if host in self.hosts:
            return True
        try:
            ipaddress.ip_address(host.removeprefix("[").removesuffix("]"))
        except ValueError:
            return False
        return True
