// Records of a family below one parent as an ordered list: a member holds their positions, 0 to n-1.
#pragma once

#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "model/value.h"
#include "unit/operation.h"
#include "unit/unit.h"

namespace orlop {

struct OrderedRecord {
  Record record;
  Value body;
  std::int64_t order = 0;
};

struct OrderedFamily {
  const Family& family;
  std::string_view place;  // name of the member: "deployment_order"
};

// Returns the records in order. Of two with the same position, the older comes first.
Result<std::vector<OrderedRecord>> ordered_records(Unit& unit, const OrderedFamily& family, const Id& parent);

// Numbers the records 0..n-1 in the order of the vector, and puts those whose number changes.
void renumber(Unit& unit, const OrderedFamily& family, std::vector<OrderedRecord>& records);

// Returns {"results": [...]} of the records in order.
Result<Answer> answer_ordered(Unit& unit, const Call& call, const OrderedFamily& family, const Id& parent);

}  // namespace orlop
