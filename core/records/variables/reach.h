// A variable that comes, changes or goes puts every deployed service that sees it OUT_OF_DATE.
//
// The unit of the change marks the services itself if there are few. Of many it only begins a job
// (records/bulk_jobs/job_parts.h) below the owner of the variable: one row, whatever lies below. It says that from this
// commit on every service is out of date whose deployment began before, and all answers go by it (pending_mark). The
// parts of the job write that into the rows, with an event for each.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/instant.h"
#include "base/result.h"
#include "lifecycle/state.h"
#include "records/bulk_jobs/job_parts.h"
#include "resolution/built_in.h"
#include "unit/unit.h"

namespace orlop {

inline constexpr std::size_t reached_at_once_max = 500;  // services that the commit of the change marks

// `owner`: the project, environment or service in which the variable lies.
Result<void> mark_reached(Unit& unit, const Record& owner);
// The same of several, which are all projects or all environments.
Result<void> mark_reached(Unit& unit, std::span<const Record> owners);

// The built-in variables that an edit of the record may change: of a service those that it has before the edit.
Result<std::vector<BuiltIn>> built_ins_before(Unit& unit, const Family& family, const Record& record,
                                              std::span<const std::string> changed);
// After the edit: marks the services that see a changed built-in variable. Names of what lies above reach every service
// below it; an address of a service reaches the services whose variables name it.
Result<void> mark_built_ins(Unit& unit, const Family& family, const Record& record,
                            std::span<const std::string> changed, const std::vector<BuiltIn>& before);

// Marks the next services of this job; true if it was the last part.
Result<PartEnd> mark_part(Unit& unit, JobPart job);

// When the newest job began that still marks services of this environment; nothing: there is none.
Result<std::optional<Instant>> pending_mark(Unit& unit, const Id& environment);
// The freshness of a service as answers show it: that of its row once the pending mark is written.
Freshness freshness_under(const std::optional<Instant>& pending_mark, const Machine& service);

}  // namespace orlop
