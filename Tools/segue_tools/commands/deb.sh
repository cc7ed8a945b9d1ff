#!/usr/bin/env bash
# Makes the Debian package build/segue_VERSION_ARCH.deb, which needs no Swift on the target machine, and beside it
# segue-dbgsym_VERSION_ARCH.deb with the debug symbols of this build.
#
# Usage: Tools/run deb [FOLDER]     (default: build)
#
# Environment: SEGUE, a program that was built with the Swift runtime linked in, and with a build ID; VERSION, the
# version of the package (default: the program's).
set -euo pipefail
umask 022
cd "$(dirname "$0")/../../.."
target=$(mkdir -p "${1:-build}" && cd "${1:-build}" && pwd)

program=${SEGUE:-}
if [ -z "$program" ]; then
    flags=(--configuration release --product segue --static-swift-stdlib -Xlinker --build-id=sha1)
    swift build "${flags[@]}" >&2
    program=$(swift build "${flags[@]}" --show-bin-path)/segue
fi
if ldd "$program" | grep -Ei 'swift|libfoundation|libdispatch|not found' >&2; then
    echo "segue: deb: $program needs the libraries above at run time; build it with --static-swift-stdlib" >&2
    exit 2
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
version=${VERSION:-$("$program" --version)}
arch=$(dpkg --print-architecture)
changed=$(git log -1 --format=%ct)
date=$(date -u -d "@$changed" +%Y-%m-%d)
export SOURCE_DATE_EPOCH=$changed SEGUE_HARNESS=$PWD/Harness
doc=$root/usr/share/doc/segue

install -D -m 755 "$program" "$root/usr/bin/segue"
packaging/symbols "$program" "$root/usr/bin/segue" "$version" "$arch" "$target" >&2
mkdir -p "$root/usr/share/segue" "$doc"
cp -r Drivers Harness TestMedia Web "$root/usr/share/segue/"
(cd "$root/usr/share/segue" && rm -rf TestMedia/made Harness/*.swift Web/check Drivers/tests Drivers/conftest.py &&
    find Drivers -name __pycache__ -prune -exec rm -r {} +)
cp README.md docs/*.md "$doc/"
install -m 644 packaging/debian/copyright "$doc/copyright"
printf 'segue (%s) bookworm; urgency=medium\n\n  * %s\n\n -- The authors of Segue <segue@localhost>  %s\n' \
    "$version" "$(git log -1 --format=%s)" "$(date -u -R -d "@$changed")" | gzip -9n >"$doc/changelog.gz"
install -D -m 644 packaging/debian/segue.service "$root/lib/systemd/system/segue.service"
install -D -m 644 packaging/debian/segue.socket "$root/lib/systemd/system/segue.socket"
install -D -m 644 packaging/debian/serve.yaml "$root/etc/segue/serve.yaml"
install -D -m 644 packaging/debian/logrotate "$root/etc/logrotate.d/segue"

packaging/manual "$program" "$root/usr/share/man/man1" "$version" "$date"
gzip -9n "$root"/usr/share/man/man1/*
completions=(
    bash usr/share/bash-completion/completions/segue
    zsh usr/share/zsh/vendor-completions/_segue
    fish usr/share/fish/vendor_completions.d/segue.fish
)
for ((at = 0; at < ${#completions[@]}; at += 2)); do
    made=$root/${completions[at + 1]}
    mkdir -p "$(dirname "$made")"
    "$program" --generate-completion-script "${completions[at]}" >"$made"
done

# The linked libraries, by Debian's symbol versions; libavfilter is loaded on demand.
mkdir "$work/debian"
printf 'Source: segue\n\nPackage: segue\nArchitecture: any\n' >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O --warnings=0 -e "$root/usr/bin/segue" | sed -n 's/^shlibs:Depends=//p')
filters=libavfilter$(pkg-config --modversion libavfilter | cut -d. -f1)
mkdir "$root/DEBIAN"
for file in postinst prerm postrm; do install -m 755 "packaging/debian/$file" "$root/DEBIAN/$file"; done
install -m 644 packaging/debian/conffiles "$root/DEBIAN/conffiles"
(cd "$root" && find usr lib -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
cat >"$root/DEBIAN/control" <<END
Package: segue
Version: $version
Architecture: $arch
Maintainer: The authors of Segue <segue@localhost>
Installed-Size: $(du -sk --exclude=DEBIAN "$root" | cut -f1)
Depends: $depends, $filters, adduser, init-system-helpers
Recommends: avahi-daemon
Section: video
Priority: optional
Description: HTTP Live Streaming server for the media in folders
 Serves films and songs to browsers, phones, televisions, and players, as
 segments made on request, with audio only for apps in the background. Also
 plays streams as a device would over any network, and reports failures.
END

find "$root" -exec touch --no-dereference --date "@$changed" {} +
package=$target/segue_${version}_$arch.deb
dpkg-deb --root-owner-group -Zxz --build "$root" "$package" >&2
echo "$package"
