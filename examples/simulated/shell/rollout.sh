#!/usr/bin/env bash
# A test of a rollout in the shell: with_simulation.sh shell/rollout.sh
set -euo pipefail

ask() { curl --silent --show-error --fail-with-body --header 'Content-Type: application/json' --request "$1" "$ORLOP_URL$2" --data "${3:-}"; }
text_of() { sed -E "s/.*\"$1\":\"([^\"]*)\".*/\1/"; }
id_of() { sed -E 's/^\{"id":"([^"]*)".*/\1/'; }

ask POST /-/sim/rules '{"kind": "cluster", "after": "25m"}' >/dev/null
ask POST /-/sim/rules '{"step": "deploy", "name": "stock", "after": "40s", "fails": "no space left", "times": 1}' >/dev/null

acme=$(ask POST /organization '{"name": "acme", "plan": "FREE"}' | id_of)
europe=$(ask POST "/organization/$acme/cluster" '{"name": "europe", "region": "eu-west-3", "cloud_provider": "AWS"}' | id_of)
ask POST "/organization/$acme/cluster/$europe/deploy" >/dev/null
ask POST /-/sim/clock '{"advance": "25m"}' >/dev/null
echo "after 25 minutes the cluster is $(ask GET "/organization/$acme/cluster/$europe/status" | text_of status)"

shop=$(ask POST "/organization/$acme/project" '{"name": "shop"}' | id_of)
production=$(ask POST "/project/$shop/environment" "{\"name\": \"production\", \"cluster\": \"$europe\"}" | id_of)
ask POST "/environment/$production/database" '{"name": "stock", "type": "POSTGRESQL", "version": "16", "mode": "CONTAINER"}' >/dev/null
for rollout in first second; do
  ask POST "/environment/$production/deploy" >/dev/null
  ask POST /-/sim/clock '{"until_idle": true}' >/dev/null
  echo "the $rollout rollout: $(ask GET "/environment/$production/status" | text_of state)"
done
