// Singles: families of which a parent has one record, with the defaults until the first edit stores one.
#pragma once

#include <optional>

#include "base/result.h"
#include "unit/operation.h"
#include "unit/unit.h"

namespace orlop {

// The stored record below the parent; nothing if none is stored yet.
Result<Shared<Record>> find_single(Unit& unit, const Family& family, const Id& parent);

// The answer for this parent: what is stored, else the defaults.
Result<std::string> render_single(Unit& unit, const Family& family, const Record& parent);

// Handlers. Path parameters: those of the parent; read_defaults: none.
Result<Answer> read_single(Unit& unit, const Call& call);
Result<Answer> edit_single(Unit& unit, const Call& call);
Result<Answer> read_defaults(Unit& unit, const Call& call);

}  // namespace orlop
