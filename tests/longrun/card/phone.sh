#!/bin/sh
# phone.sh RADIO NAME PASSWORD: a phone, in the machine under test, with the machine's second radio.
#
# It joins the network NAME, gets an address and prints the page of the box.
set -eu
radio=$1 name=$2 password=$3
nmcli device set "$radio" managed no
ip netns add phone
iw phy "$(basename "$(readlink "/sys/class/net/$radio/phy80211")")" set netns name phone
printf 'network={\nssid="%s"\npsk="%s"\n}\n' "$name" "$password" > /run/phone.conf
# Nothing in /run can be executed.
lease=/var/lib/phone-address
cat > $lease <<'S'
#!/bin/sh
[ "$1" != bound ] || ip address add "$ip/24" dev "$interface"
S
chmod +x $lease
phone="ip netns exec phone"
$phone ip link set "$radio" up
$phone wpa_supplicant -B -i "$radio" -c /run/phone.conf
$phone busybox udhcpc -i "$radio" -n -q -t 20 -s $lease
$phone python3 -c '
import urllib.request
with urllib.request.urlopen("http://10.42.0.1:8080/", timeout=60) as page:
    print(page.status, page.read(200).decode())'
