#!/usr/bin/env bash
# Tests the Debian package under its own systemd: the unit's sandbox, its watchdog, and its socket. Takes a minute.
#
# Usage: Tools/run deb-systemd [PACKAGE]     (default: made by `Tools/run deb`; as root, with systemd installed)
#
# All changes go to a layer over this machine's root that is dropped at the end; mounts, network, processes, and control
# groups are its own.
set -euo pipefail
cd "$(dirname "$0")/../../.."
if [ "$(id -u)" != 0 ]; then
    echo "segue: deb-systemd: mounts require root" >&2
    exit 2
fi
if [ ! -x /lib/systemd/systemd ]; then
    echo "segue: deb-systemd: install systemd" >&2
    exit 2
fi
package=${1:-$(Tools/run deb)}
work=$(mktemp -d)
groups=$(findmnt --noheadings --first-only --types cgroup2 --output TARGET || true)
if [ -z "$groups" ]; then
    echo "segue: deb-systemd: requires control groups version 2" >&2
    exit 2
fi
group=$groups/segue-test-$$
clean() {
    for inner in $(find "$group" -depth -type d 2>/dev/null); do rmdir "$inner" 2>/dev/null || true; done
    rm -rf "$work"
}
trap clean EXIT
mkdir "$group" "$work/given"
cp "$package" "$work/given/segue.deb"
cp Tools/segue_tools/debian/{steps,systemd}.py "$work/given/"
ffmpeg -v error -f lavfi -i testsrc2=size=640x360:rate=25 -f lavfi -i sine=440 -t 12 -c:v libx264 -preset ultrafast \
    -pix_fmt yuv420p -g 50 -c:a aac "$work/given/film.mp4"
swift=$(readlink -f "$(command -v swift)" || true)
export WORK=$work GROUP=$group TOOLCHAIN=${swift%/usr/bin/*}
mkfifo "$work/said"
cat "$work/said" &
timeout --kill-after=5 180 bash -c 'echo $$ >"$GROUP/cgroup.procs" && exec unshare --mount --net --pid --ipc --uts --cgroup --fork \
    --kill-child --propagation private bash -euo pipefail -c "$0"' '
    ip link set lo up
    mkdir "$WORK/layer"
    mount -t tmpfs -o size=2g tmpfs "$WORK/layer"
    cd "$WORK/layer"
    mkdir upper work root
    mount -t overlay -o lowerdir=/,upperdir="$PWD/upper",workdir="$PWD/work" overlay root
    mount -t proc proc root/proc
    mkdir -p root/sys
    mount -t sysfs -o ro sysfs root/sys
    mount -t cgroup2 cgroup2 root/sys/fs/cgroup
    mount --rbind /dev root/dev
    mount -t tmpfs tmpfs root/run
    mkdir root/given
    cp "$WORK"/given/* root/given/
    touch root/given/said
    mount --bind "$WORK/said" root/given/said
    if [ -n "$TOOLCHAIN" ]; then mount -t tmpfs tmpfs "root$TOOLCHAIN"; fi
    # A container image forbids starting services here.
    rm -f root/usr/sbin/policy-rc.d
    mkdir -p root/etc/systemd/system
    printf "[Unit]\nDefaultDependencies=no\nRequires=segue-test.service\n" >root/etc/systemd/system/segue-test.target
    printf "[Unit]\nDefaultDependencies=no\nSuccessAction=exit-force\nFailureAction=exit-force\n[Service]\nType=oneshot\nEnvironment=LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive\nExecStart=/usr/bin/python3 /given/systemd.py\nStandardOutput=file:/given/said\nStandardError=inherit\n" \
        >root/etc/systemd/system/segue-test.service
    exec env -i container=segue PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        chroot root /lib/systemd/systemd --system --unit=segue-test.target --log-target=journal --log-level=warning --show-status=no'
