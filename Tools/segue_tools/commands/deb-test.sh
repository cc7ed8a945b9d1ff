#!/usr/bin/env bash
# Installs the Debian package on a system without Swift, serves, reloads, upgrades, removes, and purges. Takes a minute.
#
# Usage: Tools/run deb-test [PACKAGE [NEWER]]     (default: made by `Tools/run deb`; as root)
#
# All changes go to a layer over this machine's root that is dropped at the end; mounts, network, and processes are its
# own. No service manager runs there: the service is started with its unit's command, but without the sandbox.
set -euo pipefail
cd "$(dirname "$0")/../../.."
if [ "$(id -u)" != 0 ]; then
    echo "segue: deb-test: mounts require root" >&2
    exit 2
fi
packages=("$@")
if [ ${#packages[@]} = 0 ]; then packages=("$(Tools/run deb)"); fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ ${#packages[@]} = 1 ]; then
    # The same program with a later version number.
    dpkg-deb --raw-extract "${packages[0]}" "$work/newer"
    sed -i 's/^Version: .*/&+1/' "$work/newer/DEBIAN/control"
    dpkg-deb --root-owner-group -Zgzip -z1 --build "$work/newer" "$work/newer.deb" >/dev/null
    rm -r "$work/newer"
    packages+=("$work/newer.deb")
fi
mkdir "$work/given"
cp "${packages[0]}" "$work/given/segue.deb"
cp "${packages[1]}" "$work/given/newer.deb"
cp Tools/segue_tools/debian/{steps,service}.py "$work/given/"
ffmpeg -v error -f lavfi -i testsrc2=size=640x360:rate=25 -f lavfi -i sine=440 -t 12 -c:v libx264 -preset ultrafast \
    -pix_fmt yuv420p -g 50 -c:a aac "$work/given/film.mp4"
swift=$(readlink -f "$(command -v swift)" || true)
export WORK=$work TOOLCHAIN=${swift%/usr/bin/*}
timeout 300 unshare --mount --net --pid --fork --kill-child --propagation private bash -euo pipefail -c '
    ip link set lo up
    mkdir "$WORK/layer"
    mount -t tmpfs -o size=2g tmpfs "$WORK/layer"
    cd "$WORK/layer"
    mkdir upper work root
    mount -t overlay -o lowerdir=/,upperdir="$PWD/upper",workdir="$PWD/work" overlay root
    mount -t proc proc root/proc
    mount --rbind /dev root/dev
    mount -t tmpfs tmpfs root/run
    mount -t tmpfs tmpfs root/tmp
    cp -r "$WORK/given" root/tmp/given
    if [ -n "$TOOLCHAIN" ]; then mount -t tmpfs tmpfs "root$TOOLCHAIN"; fi
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        chroot root /usr/bin/python3 /tmp/given/service.py'
