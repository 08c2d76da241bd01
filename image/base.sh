#!/bin/sh
# base.sh OUT.tar: install the packages of packages.list from Debian's archive; nothing of ours.
#
# The slow part of the image (a quarter of an hour): Debian's scripts run under QEMU. Needs root,
# mmdebstrap, qemu-user-static and binfmt-support. MIRROR is the archive, SUITE the release.
# SIMULATE=1 only asks whether the archive has all packages.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$1
arch=${ARCH:-arm64}
suite=${SUITE:-trixie}
mirror=${MIRROR:?MIRROR=URL names an archive of Debian}
security=${MIRROR_SECURITY:-${mirror%/debian*}/debian-security}

. "$here/lists.sh"

if ! arch-test "$arch" >/dev/null 2>&1; then
  [ -e /proc/sys/fs/binfmt_misc/register ] || mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
  update-binfmts --enable qemu-aarch64
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The pinned versions are also what apt of the finished image keeps to.
list "$here/packages.list" | sed -n 's/=/ /p' | while read -r package version; do
  case $package in
  linux-image-*) package='/^linux-(image|base|modules|binary)-/' ;;
  esac
  printf 'Package: %s\nPin: version %s\nPin-Priority: 1001\n\n' "$package" "$version"
done > "$work/truco.pref"

set -f # the patterns are dpkg's, not those of this shell
set --
for pattern in $(list "$here/left-out.list"); do
  case $pattern in
  +*) set -- "$@" "--dpkgopt=path-include=${pattern#+}" ;;
  *) set -- "$@" "--dpkgopt=path-exclude=$pattern" ;;
  esac
done

# The initramfs is made by assemble.sh: it contains files of ours.
export INITRD=No
# Of the base alone: a cached one must have the bytes of one made for a later commit.
export SOURCE_DATE_EPOCH=1767225600
mmdebstrap ${SIMULATE:+--simulate} --arch="$arch" --variant=minbase --mode=root --format=tar \
  --include="$(list "$here/packages.list" | sed 's/=.*//' | paste -sd, -)" \
  --aptopt='APT::Install-Recommends "0"' --aptopt='Acquire::Languages "none"' \
  --dpkgopt=force-unsafe-io "$@" \
  --setup-hook="mkdir -p \"\$1/etc/apt/preferences.d\" \"\$1/boot/firmware\"" \
  --setup-hook="copy-in $work/truco.pref /etc/apt/preferences.d" \
  --customize-hook='rm -rf "$1"/var/cache/apt/* "$1"/var/lib/apt/lists/* "$1"/var/log/*' \
  "$suite" "$out.new" \
  "deb $mirror $suite main non-free-firmware" \
  "deb $mirror $suite-updates main non-free-firmware" \
  "deb $security $suite-security main non-free-firmware" \
  "deb $mirror $suite-backports main"
[ -n "${SIMULATE-}" ] || mv "$out.new" "$out"
