"""TLS as a scanner of another project sees it (sslscan)."""

import subprocess
import xml.etree.ElementTree

from segue_tools.attacks.connections import make_songs
from segue_tools.debian.packages import install
from segue_tools.launch import Server

# RFC 8996 forbids the versions before 1.2.
VERSIONS = {("tls", "1.2"), ("tls", "1.3")}


def scanned(folder):
    install("sslscan")
    make_songs(folder)
    with Server(folder, ["--tls", "self", "--data", folder / "data", "--no-announce"], listen="0.0.0.0:0") as server:
        done = subprocess.run(["sslscan", "--no-colour", "--xml=-", f"127.0.0.1:{server.port}"], check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=300)
    test = xml.etree.ElementTree.fromstring(done.stdout).find("ssltest")
    versions = {(one.get("type", ""), one.get("version", "")) for one in test.iter("protocol")
                if one.get("enabled") == "1"}
    ciphers = sorted({one.get("cipher", "") for one in test.iter("cipher")})
    broken = []
    if versions != VERSIONS:
        broken.append(f"versions {sorted(versions)}")
    if not ciphers:
        broken.append("no cipher suite was found")
    # Forward secrecy and authenticated encryption; all of TLS 1.3 have them.
    weak = [name for name in ciphers
            if not name.startswith("TLS_") and not (name.startswith("ECDHE") and ("GCM" in name or "POLY" in name))]
    if weak:
        broken.append(f"cipher suites {', '.join(weak)}")
    for name, key in (("compression", "supported"), ("renegotiation", "supported")):
        if any(one.get(key) == "1" and one.get("secure") != "1" for one in test.iter(name)):
            broken.append(name)
    if any(one.get("vulnerable") == "1" for one in test.iter("heartbleed")):
        broken.append("heartbleed")
    names = ", ".join(f"{kind} {version}" for kind, version in sorted(versions))
    return f"{names}; {len(ciphers)} cipher suites: {' '.join(ciphers)}", broken


ATTACKS = {"tls": scanned}
