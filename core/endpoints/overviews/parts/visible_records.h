// What lies below a record, as far as the caller's role shows it.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "unit/operation.h"
#include "unit/unit.h"
#include "wire/writer.h"

namespace orlop {

// The records of the family below the parent that the caller may view, by ascending id.
Result<std::vector<Record>> visible_children(Unit& unit, const Call& call, const Id& parent, std::string_view family);

// The records that refer to this one and that the caller may view. `family`: "" for any.
Result<std::vector<Record>> visible_referrers(Unit& unit, const Call& call, const Id& target, std::string_view family);

// The kind of a service as the lists of users of a resource name it: a job is a CRON or a LIFECYCLE.
Result<std::string> service_type_of(Unit& unit, const Record& service);

// Writes these members of the record's stored text, which are texts, into an open object, "" for one that is not there.
Result<void> write_texts(Unit& unit, const Record& record, std::span<const std::string_view> names, Writer& out);

// Writes project_id, project_name, environment_id and environment_name of what lies in this environment, into an open
// object.
Result<void> write_environment_place(Unit& unit, const Id& environment, Writer& out);

}  // namespace orlop
