// Lists of services that can be narrowed down.
#pragma once

#include <span>

#include "base/result.h"
#include "model/family.h"
#include "ops/call.h"
#include "ops/unit.h"

namespace orlop {

// In the place of the plain list: with toUpdate, only services whose configuration is newer than what runs.
Result<Answer> list_services(Unit& unit, const Call& call);
std::span<const Field> list_services_query(const Family& family);

}  // namespace orlop
