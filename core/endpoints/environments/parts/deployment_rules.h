// The deployment rule of an environment: there is one at most, stored by the first edit or taken from the project's
// rules.
#pragma once

#include <optional>

#include "base/result.h"
#include "endpoints/environments/parts/ordered_records.h"
#include "model/value.h"
#include "unit/unit.h"

namespace orlop {

const Family& environment_rule_family();

// Nothing: none is stored, and the environment has the defaults.
Result<Shared<Record>> environment_rule(Unit& unit, const Id& environment);

// Whether the rule has the environment stopped now: its hours are over, and have not begun again.
Result<bool> is_out_of_hours(Unit& unit, const Id& environment);

// Stores it as the request `body` has it, in place of the one that is there, and sets when it is due.
Result<Record> save_environment_rule(Unit& unit, const Record& environment, const Value& body);

// The rules of a project.
OrderedFamily project_rules_order();

}  // namespace orlop
