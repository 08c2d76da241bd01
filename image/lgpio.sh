#!/bin/sh
# lgpio.sh OUT: cross-build python3-lgpio as a Debian package in the folder OUT.
#
# From its author's sources against Python's stable ABI: one file for every Python from 3.11 on.
# Needs gcc-aarch64-linux-gnu and the package index. PYTHON is any Python 3.11 with its headers.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$1
python=${PYTHON:-python3}
arch=${ARCH:-arm64}
triplet=${TRIPLET:-aarch64-linux-gnu}
: "${SOURCE_DATE_EPOCH:?}"
revision=1

mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$python" -m pip download -qq --disable-pip-version-check --no-deps --require-hashes \
  --no-binary lgpio --dest "$work/fetched" --requirement "$here/lgpio.txt"
"$python" -m pip install -qq --disable-pip-version-check --no-deps --no-index \
  --target "$work/swig" "$work"/fetched/swig-*.whl
version=$(basename "$work"/fetched/lgpio-*.tar.gz .tar.gz)
version=${version#lgpio-}
mkdir "$work/source"
tar -C "$work/source" --strip-components=1 -xzf "$work"/fetched/lgpio-*.tar.gz

# The headers of the building Python, with its real pyconfig.h: Debian's refers to the machine's own.
"$python" - "$work/include" <<'P'
import shutil, sys, sysconfig
shutil.copytree(sysconfig.get_path("include"), sys.argv[1])
shutil.copyfile(sysconfig.get_config_h_filename(), f"{sys.argv[1]}/pyconfig.h")
P

tree=$work/tree
library=$tree/usr/lib/python3/dist-packages
mkdir -p "$library/lgpio-$version.dist-info" "$tree/DEBIAN" "$tree/usr/share/doc/python3-lgpio"
cd "$work/source"
PYTHONPATH=$work/swig "$python" "$work/swig/bin/swig" -python -o lgpio_wrap.c lgpio.i
# The four names are what lgpio.i still uses of Python 2; SWIG 4.5 no longer defines them.
"$triplet-gcc" -shared -fPIC -O2 -pthread -Isrc "-I$work/include" -DPy_LIMITED_API=0x030B0000 \
  -DPyInt_FromLong=PyLong_FromLong -DPyInt_AsLong=PyLong_AsLong -DPyInt_Check=PyLong_Check \
  -DPyString_FromString=PyUnicode_FromString -Werror=implicit-function-declaration \
  "-ffile-prefix-map=$work=." -Wl,-z,relro,-z,now -Wl,--build-id=none \
  src/lg*.c src/rgpiod.c lgpio_wrap.c -o "$library/_lgpio.abi3.so" -lrt -ldl
"$triplet-strip" --strip-unneeded "$library/_lgpio.abi3.so"

cp lgpio.py "$library/"
cp LICENSE "$tree/usr/share/doc/python3-lgpio/copyright"
printf 'Metadata-Version: 2.1\nName: lgpio\nVersion: %s\n' "$version" \
  > "$library/lgpio-$version.dist-info/METADATA"
cat > "$tree/DEBIAN/control" <<C
Package: python3-lgpio
Version: ${version%.0}-0truco$revision
Architecture: $arch
Section: python
Priority: optional
Maintainer: Truco Scorer contributors <noreply@truco-scorer.invalid>
Depends: python3 (>= 3.11), libc6 (>= 2.34)
Description: access to the pins of the header, for Python
 Built from the sources of lgpio, against the stable ABI of Python.
C
find "$tree" -type d -exec chmod 755 {} +
find "$tree" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group -Zxz --build "$tree" \
  "$out/python3-lgpio_${version%.0}-0truco${revision}_$arch.deb" >/dev/null
