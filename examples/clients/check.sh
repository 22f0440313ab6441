#!/usr/bin/env bash
# Holds a server against its own description, with requests that fit it and such that do not: check.sh URL TOKEN [MORE OPTIONS]
set -euo pipefail
url=$1 token=$2
shift 2
exec schemathesis run "$url/openapi.json" --header "Authorization: Token $token" --continue-on-failure "$@"
