// Answers about the state of clusters.
#pragma once

#include <string>

#include "base/result.h"
#include "unit/unit.h"
#include "wire/writer.h"

namespace orlop {

// Writes the status object {cluster_id, status, is_deployed, …}.
Result<void> write_cluster_status(Unit& unit, Writer& out, const Record& cluster);
Result<std::string> cluster_status(Unit& unit, const Record& cluster);

}  // namespace orlop
