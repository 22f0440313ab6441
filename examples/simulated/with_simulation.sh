#!/usr/bin/env bash
# Runs a command against a simulation of its own: with_simulation.sh COMMAND… The command finds the address in ORLOP_URL; virtual time stands still
# until it advances it. The simulation ends with the command, whose exit status is that of the script.
set -euo pipefail
place=$(mktemp -d)
orlop serve --sim --speed 0 --seed "${ORLOP_SEED:-0}" --port 0 --ready-file "$place/ready" --no-access-log >"$place/log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; rm -rf "$place"' EXIT
until [ -s "$place/ready" ]; do
  kill -0 "$server" 2>/dev/null || { cat "$place/log" >&2; exit 1; }
  sleep 0.05
done
ORLOP_URL=$(sed -E 's/.*"url": *"([^"]*)".*/\1/' "$place/ready")
export ORLOP_URL
"$@"
