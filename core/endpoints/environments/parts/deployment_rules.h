// Deployment rule of an environment: at most one, stored by the first edit or copied from the project's rules.
#pragma once

#include <optional>

#include "base/result.h"
#include "endpoints/environments/parts/ordered_records.h"
#include "model/value.h"
#include "unit/unit.h"

namespace orlop {

const Family& environment_rule_family();

// Returns null if no rule is stored and the environment has the defaults.
Result<Shared<Record>> environment_rule(Unit& unit, const Id& environment);

// Reports whether the rule keeps the environment stopped now, because its hours are over.
Result<bool> is_out_of_hours(Unit& unit, const Id& environment);

// Stores the request `body` as the rule, replacing the stored one, and sets when it is due.
Result<Record> save_environment_rule(Unit& unit, const Record& environment, const Value& body);

OrderedFamily project_rules_order();

}  // namespace orlop
