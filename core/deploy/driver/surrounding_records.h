// Configuration of a step: the records around its subject, so that a driver needs no look-up.
#pragma once

#include "base/result.h"
#include "deploy/driver/secret_values.h"
#include "model/family.h"
#include "store/store.h"
#include "unit/unit.h"
#include "wire/writer.h"

namespace orlop {

// Reports whether the functions below write a member of this name.
bool is_surrounding_member(std::string_view name);

// Writes those of "environment", "project", "organization" and "cluster" that lie above the subject; the cluster with
// the member "credentials". For a cluster, writes its credentials. The text is made once in a unit for all subjects of
// one parent. `secrets` gets the values of the secrets in it.
Result<void> write_above(Unit& unit, const Record& subject, SecretValues& secrets, Writer& out);

// Writes for each family with Family::configures the list of the subject's records, or the record of a single, with
// their secrets.
Result<void> write_children(Unit& unit, const Record& subject, SecretValues& secrets, Writer& out);

// Writes "labels" and "annotations" of all groups of the subject, in their order; left out if it has no groups.
void write_groups(const Value& subject, Writer& out);

}  // namespace orlop
