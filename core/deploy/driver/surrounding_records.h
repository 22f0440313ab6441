// What the configuration of a step says of the records around its subject, so that a driver needs no look-up.
#pragma once

#include "base/result.h"
#include "deploy/driver/secret_values.h"
#include "model/family.h"
#include "store/store.h"
#include "unit/unit.h"
#include "wire/writer.h"

namespace orlop {

// The names of the members that the functions below write.
bool is_surrounding_member(std::string_view name);

// "environment", "project", "organization" and "cluster", whichever lie above the subject; the cluster with the member
// "credentials". The subject's own credentials if it is a cluster. Made once for all subjects of one parent in a unit.
// `secrets` gets the values of their secrets.
Result<void> write_above(Unit& unit, const Record& subject, SecretValues& secrets, Writer& out);

// For each family with Family::configures: a list of the subject's records of it, or the record of a single, with their
// secrets.
Result<void> write_children(Unit& unit, const Record& subject, SecretValues& secrets, Writer& out);

// "labels" and "annotations": those of all groups of the subject, in their order; left out if it has no groups.
void write_groups(const Value& subject, Writer& out);

}  // namespace orlop
