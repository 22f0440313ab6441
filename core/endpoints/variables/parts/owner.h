// What a variable is to lie in, and whether the caller may write there.
#pragma once

#include <string_view>

#include "base/result.h"
#include "records/variables/write_variables.h"
#include "unit/operation.h"

namespace orlop {

// The project, environment or service that a body or query names. Errors: not_found, invalid (it is of another scope),
// forbidden.
Result<Record> require_owner(Unit& unit, const Call& call, std::string_view id_field, std::string_view id,
                             std::string_view scope_field, std::string_view scope, Level needed);

// The variable that the last path parameter names. The path's permission check does not know built-ins, so that this
// one does.
Result<NamedVariable> require_variable(Unit& unit, const Call& call, Level needed);

// Level error: forbidden.
Result<void> require_level(Unit& unit, const Call& call, const Record& owner, Level needed);

// What a body says of a new variable.
NewVariable new_variable(const Value& body);
VariableEdit variable_edit(const Value& body);

}  // namespace orlop
