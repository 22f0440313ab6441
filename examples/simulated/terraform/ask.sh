#!/usr/bin/env bash
# Asks the simulation, and keeps the answer: ask.sh NAME METHOD PATH [BODY]. {name} stands for the id of an earlier answer.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
mkdir -p state
name=$1 method=$2 path=$3 body=${4:-}
for file in state/*.json; do
  [ -e "$file" ] || continue
  known=$(basename "$file" .json) id=$(sed -E 's/^\{"id":"([^"]*)".*/\1/' "$file")
  path=${path//"{$known}"/$id} body=${body//"{$known}"/$id}
done
curl --silent --show-error --fail-with-body --header 'Content-Type: application/json' --request "$method" "$ORLOP_URL$path" --data "$body" >"state/$name.json"
