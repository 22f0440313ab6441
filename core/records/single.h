// Singles: families with one record per parent, which has defaults until the first edit stores it.
#pragma once

#include <optional>

#include "base/result.h"
#include "unit/operation.h"
#include "unit/unit.h"

namespace orlop {

// Returns the stored record below the parent; null if none is stored yet.
Result<Shared<Record>> find_single(Unit& unit, const Family& family, const Id& parent);

// Renders the stored record of this parent, else the defaults.
Result<std::string> render_single(Unit& unit, const Family& family, const Record& parent);

// Handlers. Path parameters: those of the parent; read_defaults: none.
Result<Answer> read_single(Unit& unit, const Call& call);
Result<Answer> edit_single(Unit& unit, const Call& call);
Result<Answer> read_defaults(Unit& unit, const Call& call);

}  // namespace orlop
