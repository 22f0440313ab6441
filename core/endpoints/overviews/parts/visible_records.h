// Records below a record, or that refer to it, filtered by the caller's role.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "unit/operation.h"
#include "unit/unit.h"
#include "wire/writer.h"

namespace orlop {

// Returns the records of the family below the parent that are visible to the caller, by ascending id.
Result<std::vector<Record>> visible_children(Unit& unit, const Call& call, const Id& parent, std::string_view family);

// Returns the records that refer to this one and are visible to the caller. `family`: "" for any.
Result<std::vector<Record>> visible_referrers(Unit& unit, const Call& call, const Id& target, std::string_view family);

// Returns the kind of a service as lists of users of a resource name it; a job is CRON or LIFECYCLE.
Result<std::string> service_type_of(Unit& unit, const Record& service);

// Writes text members of the record's stored text into an open object; "" for an absent one.
Result<void> write_texts(Unit& unit, const Record& record, std::span<const std::string_view> names, Writer& out);

// Writes project_id, project_name, environment_id and environment_name of this environment into an open object.
Result<void> write_environment_place(Unit& unit, const Id& environment, Writer& out);

}  // namespace orlop
