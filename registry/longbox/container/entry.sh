#!/bin/sh
# Starts the server in a container. As root, it first gives the data folder to the account of PUID and PGID, and goes on as
# that account, without any capability. As any other account, it only starts the server.
set -eu
program=/opt/longbox/lib/node_modules/longbox/dist/bin/longbox.js

fail() {
  echo "$1" >&2
  exit 2
}

require_writable() {
  [ -w "$LONGBOX_DATA" ] || fail "$(id -u):$(id -g) cannot write to $LONGBOX_DATA. Give it the folder, or start as root with PUID and PGID."
}

if [ "$(id -u)" -ne 0 ]; then
  if [ "${PUID:-$(id -u)}:${PGID:-$(id -g)}" != "$(id -u):$(id -g)" ]; then
    fail "The container has to start as root to run as PUID and PGID; it was started as $(id -u):$(id -g)."
  fi
  require_writable
  exec node "$program" "$@"
fi

user=${PUID:-1000}
group=${PGID:-$user}
for id in "$user" "$group"; do
  case $id in
  '' | *[!0-9]* | 0*) fail "PUID and PGID must be numbers from 1; they are \"$user\" and \"$group\"." ;;
  esac
done
if [ "$(stat -c %u:%g "$LONGBOX_DATA")" != "$user:$group" ]; then
  chown -R "$user:$group" "$LONGBOX_DATA"
fi
exec setpriv --reuid "$user" --regid "$group" --clear-groups --inh-caps=-all --no-new-privs node "$program" "$@"
