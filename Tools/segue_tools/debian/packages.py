"""Debian packages that a tool needs and that `ci/setup` does not install."""

import os
import pathlib
import subprocess

from segue_tools.launch import fail

POLICY = pathlib.Path("/usr/sbin/policy-rc.d")


def is_installed(package: str) -> bool:
    query = ["dpkg-query", "--show", "--showformat=${db:Status-Status}", package]
    return subprocess.run(query, capture_output=True, text=True).stdout == "installed"


def install(*packages: str) -> None:
    """Installs packages without starting their services on this machine."""
    missing = [package for package in packages if not is_installed(package)]
    if not missing:
        return
    if os.geteuid() != 0:
        fail(f"install {' '.join(missing)}, or run this as root", 2)
    print(f"installing {' '.join(missing)}", flush=True)
    had_policy = POLICY.exists()
    if not had_policy:
        POLICY.write_text("#!/bin/sh\nexit 101\n")
        POLICY.chmod(0o755)
    try:
        subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing], check=True,
                       stdout=subprocess.DEVNULL, env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"})
    finally:
        if not had_policy:
            POLICY.unlink()
