#!/bin/sh
# policy-rc.d: while truco-update.service installs a package, the package starts no service.
[ ! -e /run/truco/updating ] || exit 101
