#!/usr/bin/env bash
# Creates an organization with a cluster, deploys the cluster, and asks until it runs: walk.sh URL, where `orlop serve --sim` answers.
set -euo pipefail
url=$1

ask() { curl --silent --show-error --fail --header 'Content-Type: application/json' --request "$1" "$url$2" --data "${3:-}"; }
text_of() { sed -E "s/.*\"$1\":\"([^\"]*)\".*/\1/"; }
id_of() { sed -E 's/^\{"id":"([^"]*)".*/\1/'; }

acme=$(ask POST /organization '{"name": "acme", "plan": "FREE"}' | id_of)
cluster=$(ask POST "/organization/$acme/cluster" '{"name": "europe", "region": "eu-west-3", "cloud_provider": "AWS"}' | id_of)
ask POST "/organization/$acme/cluster/$cluster/deploy" >/dev/null
status=
until [ "$status" = DEPLOYED ]; do
  last=$status
  status=$(ask GET "/organization/$acme/cluster/$cluster/status" | text_of status)
  [ "$status" = "$last" ] || echo "europe is $status"
done
