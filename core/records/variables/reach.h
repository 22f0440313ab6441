// Services that see a variable go OUT_OF_DATE when it is created, changed or deleted.
//
// The unit of the change marks a small number of services itself. For more it begins a job
// (records/bulk_jobs/job_parts.h) below the owner of the variable, a single row. From that commit on every service
// whose deployment began before it is out of date, and all answers show that (pending_mark). The parts of the job write
// it into the rows, with an event for each.
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

// `owner`: the project, environment or service that owns the variable.
Result<void> mark_reached(Unit& unit, const Record& owner);
// mark_reached() for several owners, all projects or all environments.
Result<void> mark_reached(Unit& unit, std::span<const Record> owners);

// Returns the built-in variables that an edit of the record may change; for a service, as they are before the edit.
Result<std::vector<BuiltIn>> built_ins_before(Unit& unit, const Family& family, const Record& record,
                                              std::span<const std::string> changed);
// Marks, after the edit, the services that see a changed built-in variable. Names of ancestors affect every service
// below; an address of a service affects the services whose variables name it.
Result<void> mark_built_ins(Unit& unit, const Family& family, const Record& record,
                            std::span<const std::string> changed, const std::vector<BuiltIn>& before);

// Marks the next services of this job.
Result<PartEnd> mark_part(Unit& unit, JobPart job);

// Returns when the newest job began that still marks services of this environment; nullopt if none.
Result<std::optional<Instant>> pending_mark(Unit& unit, const Id& environment);
// Freshness of a service in answers: that of its row once the pending mark is written.
Freshness freshness_under(const std::optional<Instant>& pending_mark, const Machine& service);

}  // namespace orlop
