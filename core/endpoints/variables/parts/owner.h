// Owners of variables, and the caller's permissions there.
#pragma once

#include <string_view>

#include "base/result.h"
#include "records/variables/write_variables.h"
#include "unit/operation.h"

namespace orlop {

// Returns the project, environment or service that a body or query names. Errors: not_found, invalid (it has another
// scope), forbidden.
Result<Record> require_owner(Unit& unit, const Call& call, std::string_view id_field, std::string_view id,
                             std::string_view scope_field, std::string_view scope, Level needed);

// Returns the variable of the last path parameter. Checks the permission itself, since that of the path does not cover
// built-ins.
Result<NamedVariable> require_variable(Unit& unit, const Call& call, Level needed);

// Error forbidden if the level is lower.
Result<void> require_level(Unit& unit, const Call& call, const Record& owner, Level needed);

NewVariable new_variable(const Value& body);
VariableEdit variable_edit(const Value& body);

}  // namespace orlop
