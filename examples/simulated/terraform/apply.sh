#!/usr/bin/env bash
# Applies main.tf to the simulation at ORLOP_URL, and says what became of it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
rm -rf state terraform.tfstate*
terraform init -no-color >init.log
TF_VAR_orlop_url=$ORLOP_URL terraform apply -auto-approve -no-color >apply.log
text_of() { sed -E "s/.*\"$1\":\"([^\"]*)\".*/\1/" "state/$2.json"; }
echo "after 25 minutes the cluster is $(text_of status cluster_status)"
echo "the first rollout: $(text_of state first_status)"
echo "the second rollout: $(text_of state second_status)"
