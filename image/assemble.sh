#!/bin/sh
# assemble.sh BASE.tar DEBS OUT.img: install our packages in the base, and make the image file.
#
# Needs root for the rights of the files and for chroot; no loop device, nothing mounted but /proc.
# File systems are made from folders. The same input gives the same bytes. WORK is a folder for the
# unpacked system.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
base=$1
debs=$2
out=$3
python=${PYTHON:-python3}
: "${SOURCE_DATE_EPOCH:?}"
export E2FSPROGS_FAKE_TIME="$SOURCE_DATE_EPOCH" TZ=UTC LC_ALL=C.UTF-8
boot_size=256 # MB; the firmware and the kernel need 70

. "$here/lists.sh"

work=${WORK:-$(mktemp -d)}
mkdir -p "$work"
root=$work/root
boot=$work/boot
clean() {
  umount "$root/proc" 2>/dev/null || true
  [ -n "${KEEP-}" ] || rm -rf "$root" "$boot" "$work"/*.part "$work/sorted"
}
trap clean EXIT
rm -rf "$root" "$boot" "$work/sorted"
mkdir -p "$root" "$boot/overlays"

disk=$( (echo "$SOURCE_DATE_EPOCH"; cat "$here"/*.list) | sha256sum | cut -c1-8)
uuid() { # NAME: a number of its own for every use, the same in every build
  echo "$disk $1" | sha256sum |
    sed 's/^\(.\{8\}\)\(.\{4\}\).\(.\{3\}\).\(.\{3\}\)\(.\{12\}\).*/\1-\2-4\3-a\4-\5/'
}
in_root() {
  chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
    PYTHONHASHSEED=0 DEBIAN_FRONTEND=noninteractive SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" "$@"
}
step() { printf 'image: %s\n' "$*"; }

step "unpack the base"
tar -C "$root" --numeric-owner --xattrs --xattrs-include='*' -xpf "$base"
mount -t proc proc "$root/proc"

step "kernel"
version=$(basename "$root"/usr/lib/modules/*)
"$python" "$here/kernel.py" prune "$root/usr/lib/modules/$version"
in_root depmod "$version"

step "files of the image"
cp -R --no-preserve=ownership "$here/files/." "$root/"
# mmdebstrap writes without waiting for the disk; on a card dpkg must survive a power cut.
sed -i '/force-unsafe-io/d' "$root/etc/dpkg/dpkg.cfg.d/99mmdebstrap"
chown -R 0:0 "$root/etc/sudoers.d"
chmod 440 "$root/etc/sudoers.d/truco"
sed -i "s/@DISK@/$disk/" "$root/etc/fstab"
"$python" "$here/kernel.py" initramfs > "$root/etc/initramfs-tools/modules"
ln -sf /run/NetworkManager/resolv.conf "$root/etc/resolv.conf"
ln -s rw "$root/usr/sbin/ro"

step "firmware"
firmware=$root/usr/lib/raspi-firmware
cp "$firmware/bootcode.bin" "$firmware/start.elf" "$firmware/fixup.dat" "$firmware/start4.elf" \
  "$firmware/fixup4.dat" "$boot/"
trees=$root/usr/lib/modules/$version/dtb/broadcom
list "$here/boards.list" | while read -r board _; do
  cp "$trees/$board.dtb" "$boot/"
done
# The name by which the firmware asks for the second stepping of the Pi 5.
cp "$boot/bcm2712-d-rpi-5-b.dtb" "$boot/bcm2712d0-rpi-5-b.dtb"
# Its scripts rewrite config.txt and cmdline.txt at every update of a kernel; the files are copied.
in_root dpkg --purge raspi-firmware >/dev/null
rm -rf "$root"/boot/firmware/*

if [ -e "$work/truco-scorer.gpg" ]; then
  step "key of the release"
  install -D -m 644 "$work/truco-scorer.gpg" "$root/usr/share/keyrings/truco-scorer.gpg"
fi

step "our packages"
mkdir "$root/srv/debs"
cp "$debs"/*.deb "$root/srv/debs/"
in_root sh -c 'dpkg --install /srv/debs/*.deb' > "$work/dpkg.log" 2>&1 || { cat "$work/dpkg.log"; exit 1; }
rm -rf "$root/srv/debs"
in_root useradd --create-home --home-dir /var/lib/truco/home --shell /bin/bash --groups sudo truco
list "$here/units.list" | while read -r verb unit; do
  in_root systemctl --quiet "$verb" "$unit" || echo "image: $verb $unit failed" >&2
done
in_root apt-mark -qq hold "linux-image-arm64" "linux-image-$version" >/dev/null

step "/var and what belongs to the system of it"
mkdir -p "$root/usr/lib/sysimage"
mv "$root/var/lib/dpkg" "$root/usr/lib/sysimage/dpkg"
ln -s ../../usr/lib/sysimage/dpkg "$root/var/lib/dpkg"
mkdir -p "$root/var/lib/truco/update" "$root/var/lib/truco/ssh" \
  "$root/var/lib/truco/system-connections"
chmod 700 "$root/var/lib/truco/ssh" "$root/var/lib/truco/system-connections"
cp "$debs"/truco-scorer_*.deb "$root/var/lib/truco/update/current.deb"
: > "$root/etc/machine-id"
rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/var/log/* \
  "$root"/var/cache/ldconfig "$root"/var/cache/debconf/*-old "$root"/var/lib/dbus/machine-id \
  "$root"/var/lib/systemd/random-seed "$root"/etc/ssh/ssh_host_* "$root"/etc/*- \
  "$root"/usr/lib/sysimage/dpkg/*-old "$root"/boot/initrd.img*
find "$root/tmp" "$root/run" -mindepth 1 -delete
mkdir -p "$root/usr/share/truco"
tar -C "$root/var" --sort=name --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
  --pax-option=delete=atime,delete=ctime -cf "$root/usr/share/truco/var.tar" .
find "$root/var" -mindepth 1 -delete

step "initramfs"
in_root env TMPDIR=/tmp mkinitramfs -o /srv/initrd.img "$version"
mv "$root/srv/initrd.img" "$boot/initrd.img"
cp "$root/boot/vmlinuz-$version" "$boot/vmlinuz"
umount "$root/proc"
find "$root/var" "$root/tmp" "$root/run" -mindepth 1 -delete

step "boot partition"
for source in "$here"/overlays/*.dts; do
  dtc -q -@ -I dts -O dtb -o "$boot/overlays/$(basename "$source" .dts).dtbo" "$source"
done
cp "$here/boot/config.txt" "$boot/"
sed "s/@DISK@/$disk/" "$here/boot/cmdline.txt" > "$boot/cmdline.txt"
example=usr/share/doc/truco-scorer/examples/scorer.toml
cp "$root/$example" "$boot/scorer.toml.example"
find "$boot" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
rm -f "$work/1.part"
truncate -s "${boot_size}M" "$work/1.part"
mkfs.vfat --invariant -F 32 -i "$disk" -n TRUCO "$work/1.part" >/dev/null
(cd "$boot" && mmd -i "$work/1.part" ::overlays &&
  find . -type f | LC_ALL=C sort | while read -r file; do
    mcopy -m -i "$work/1.part" "$file" "::${file#./}"
  done)

step "system partition"
find "$root" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
# A copy in the order of the names: mke2fs takes files in the order of the folder.
mkdir "$work/sorted"
(cd "$root" && tar --sort=name --numeric-owner --xattrs --xattrs-include='*' --one-file-system -cf - .) |
  tar -C "$work/sorted" --numeric-owner --xattrs --xattrs-include='*' -xpf -
size=$(($(du -sm --apparent-size "$work/sorted" | cut -f1) * 115 / 100 + 160))
rm -f "$work/2.part"
truncate -s "${size}M" "$work/2.part"
mke2fs -q -F -t ext4 -m 1 -L truco-system -U "$(uuid system)" -O ^metadata_csum_seed,^orphan_file \
  -E "hash_seed=$(uuid order),lazy_itable_init=0,lazy_journal_init=0,root_owner=0:0" \
  -d "$work/sorted" "$work/2.part"
# mke2fs copies the times of the folder; these two are those of the build.
inodes=$(dumpe2fs -h "$work/2.part" 2>/dev/null | awk -F: '
  /^Inode count/ { all = $2 } /^Free inodes/ { free = $2 } END { print all - free }')
{
  echo 2
  seq 11 "$inodes"
} | awk -v now="$SOURCE_DATE_EPOCH" '{
  for (field = split("atime ctime crtime", name, " "); field; field--) {
    printf "sif <%d> %s @%d\nsif <%d> %s_extra 0\n", $1, name[field], now, $1, name[field]
  } }' > "$work/times"
debugfs -w -f "$work/times" "$work/2.part" > /dev/null 2> "$work/times.log" ||
  { cat "$work/times.log"; exit 1; }
e2fsck -fn "$work/2.part" >/dev/null 2>&1 || { e2fsck -fn "$work/2.part"; exit 1; }

# Without the superblock, which the kernel writes also when it mounts a file system read-only.
tail -c +4097 "$work/2.part" | sha256sum > "$work/system.sha256"
touch -d "@$SOURCE_DATE_EPOCH" "$work/system.sha256"
mcopy -m -i "$work/1.part" "$work/system.sha256" ::system.sha256

step "image file"
rm -f "$out"
truncate -s "$((4 + boot_size + size))M" "$out"
sfdisk --quiet --no-reread --no-tell-kernel "$out" <<P
label: dos
label-id: 0x$disk
start=4MiB, size=${boot_size}MiB, type=c, bootable
size=${size}MiB, type=83
P
dd if="$work/1.part" of="$out" bs=1M seek=4 conv=notrunc,sparse status=none
dd if="$work/2.part" of="$out" bs=1M seek=$((4 + boot_size)) conv=notrunc,sparse status=none
in_root dpkg-query --admindir=/usr/lib/sysimage/dpkg --show > "${out%.img}.packages"
step "$out: kernel $version, boot ${boot_size} MB, system $size MB, disk $disk"
