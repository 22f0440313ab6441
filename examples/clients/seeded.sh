#!/bin/sh
# Starts a server on a free port with an organization and its token, and calls it: seeded.sh STORE. The orlop command must be on the PATH.
set -eu
folder=$(mktemp -d)
orlop serve "$1" --port 0 --auth required --seed-organization acme --ready-file "$folder/ready" >"$folder/output" 2>"$folder/log" &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
until [ -e "$folder/ready" ]; do
  kill -0 "$server" 2>/dev/null || { cat "$folder/log" >&2; exit 1; }
  sleep 0.1
done
eval "$(grep ^export "$folder/output")"
curl --silent --show-error --fail-with-body --header "Authorization: Token $ORLOP_TOKEN" "$ORLOP_URL/organization/$ORLOP_ORGANIZATION"
