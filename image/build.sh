#!/bin/sh
# build.sh: make the card image of dist/truco-scorer_*_all.deb; `make image` runs it.
#
#   build.sh DEB OUT      OUT/truco-scorer-VERSION-arm64.img and .img.xz, os_list.json, SHA256SUMS
#
# The base of Debian packages is kept in CACHE under a hash of its lists, and made again only when
# they change; FRESH=1 makes it anew. MIRROR is Debian's archive; by default the one that apt of this
# machine uses. URL is the place from which the image will be downloaded, for os_list.json. KEY is a file with
# the public key of the release, by which the box knows packages on a stick: without it, it takes none.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
deb=$1
mkdir -p "$2"
out=$(cd "$2" && pwd)
cache=${CACHE:-$here/../build/image}
export ARCH=arm64 SUITE="${SUITE:-trixie}" PYTHON="${PYTHON:-python3}"
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct)}"

. "$here/lists.sh"

missing=
for tool in mmdebstrap:mmdebstrap qemu-aarch64-static:qemu-user-static update-binfmts:binfmt-support \
  arch-test:arch-test aarch64-linux-gnu-gcc:gcc-aarch64-linux-gnu dtc:device-tree-compiler \
  mcopy:mtools mkfs.vfat:dosfstools mke2fs:e2fsprogs sfdisk:fdisk xz:xz-utils; do
  PATH=$PATH:/usr/sbin:/sbin command -v "${tool%:*}" >/dev/null || missing="$missing ${tool#*:}"
done
if [ -n "$missing" ]; then
  echo "make image: missing; apt install$missing" >&2
  exit 1
fi
if [ "$(id -u)" != 0 ]; then
  echo "make image: needs root, to install packages of another processor" >&2
  exit 1
fi

if [ -z "${MIRROR-}" ]; then
  MIRROR=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    sed -n '/\/debian\/\?$/{s,/$,,;p;q}')
fi
export MIRROR="${MIRROR:?MIRROR=URL names an archive of Debian}"

mkdir -p "$cache"
key=$(cat "$here/base.sh" "$here/packages.list" "$here/left-out.list" |
  (cat; echo "$SUITE $MIRROR") | sha256sum | cut -c1-16)
base=$cache/base-$key.tar
if [ -n "${FRESH-}" ] || [ ! -e "$base" ]; then
  echo "image: base from $MIRROR (a quarter of an hour)"
  "$here/base.sh" "$base"
fi
version=$(dpkg-deb --field "$deb" Version)
name=truco-scorer-$version-$ARCH
debs=$(mktemp -d "$cache/debs-XXXXXX")
work=$(mktemp -d "$cache/work-XXXXXX")
trap 'rm -rf "$debs" "$work"' EXIT
cp "$deb" "$debs/"
[ -z "${KEY-}" ] || gpg --batch --yes --dearmor --output "$work/truco-scorer.gpg" "$KEY"
"$here/lgpio.sh" "$debs"
WORK=$work "$here/assemble.sh" "$base" "$debs" "$out/$name.img"
[ -n "${UNPACKED-}" ] || "$PYTHON" "$here/publish.py" "$out/$name.img" "${URL:-.}"
