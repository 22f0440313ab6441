// What a new record brings along besides itself.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "model/family.h"
#include "ops/unit.h"

namespace orlop {

// The `created` hook of a unit: create_record calls it for each record that it has put, with the bits of MachineTrait that follow from it. An environment gets its machine and its
// default stages, a service its machine in its kind's stage, a cluster its machine, a deployment stage the last place of its
// environment. Other families: nothing.
Result<void> complete_creation(Unit& unit, const Family& family, const Record& record, std::uint32_t traits);

// What a service brings along, in a stage that the caller knows.
Result<void> complete_service(Unit& unit, const Family& family, const Record& record, std::uint32_t traits, const Id& stage);

}  // namespace orlop
