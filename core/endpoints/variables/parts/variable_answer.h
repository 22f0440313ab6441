// Answers about variables. A record has three forms: that of the unified operations, and those of the older ones, which
// separate secrets from other variables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "records/variables/visible_variables.h"
#include "unit/operation.h"

namespace orlop {

enum class VariableForm : std::uint8_t {
  unified,      // /variable
  environment,  // /…/environmentVariable: without `is_secret`
  secret,       // /…/secret: without `value`, `mount_path` and `is_secret`
};

// Lists what the nearest owner sees, outermost scope first; `is_secret`: only secrets, or only others.
Result<Answer> list_variables(Unit& unit, const Call& call, const VariableOwners& owners, VariableForm form,
                              std::optional<bool> is_secret);

// Renders a variable that was just written.
Result<std::string> render_variable(Unit& unit, const Record& variable, VariableForm form);

}  // namespace orlop
