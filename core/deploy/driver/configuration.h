// The configuration of a step: everything that a driver needs to know about the subject.
#pragma once

#include <string>

#include "base/result.h"
#include "deploy/driver/secret_values.h"
#include "deploy/driver/step_variables.h"
#include "model/value.h"
#include "store/store.h"
#include "unit/unit.h"

namespace orlop {

// Returns JSON text: the record with its secrets and with the overrides of the request, and these members:
//   "master_credentials"  of a database: {"login", "password"}
//   "references"          records to which it refers, by id (registry, git token, credentials …), with their secrets;
//                         left out if there are none
//   "variables"           of a service: those that it sees, resolved (step_variables.h), unless they are left out
//   "outputs"             merged outputs of earlier jobs; left out if there are none
//   "target_version"      of a cluster upgrade: the new version
//   "revision"            of the record
//   "environment", "project", "organization", "cluster"  of a service: the records above it, and the cluster of its
//                         environment with its "credentials"
//   "organization", "cluster"  of a cluster: its organization, and its {"credentials"}
//   "advanced_settings", "domains", "network", "routing_table" …  the subject's records of the families that configure
//                         it (Family::configures)
//   "labels", "annotations"  of all groups of the subject; left out if it has none
//   "metadata"            of the record, if it has some
//   "deployment_stage"    of a service: the stage in which it is deployed
// `overrides` may be null; `outputs` is a null value if there are none. `secrets` gets the values of all secrets in the
// text, and determines whether it has any. Error invalid: the variables cannot be resolved, or a secret has no value.
Result<std::string> configuration_of(Unit& unit, const Record& record, const Value* overrides, const Value& outputs,
                                     const StepVariables& variables, SecretValues& secrets);

}  // namespace orlop
