#include "families/shapes/token.h"

#include "model/role.h"

namespace orlop::shapes {

void check_token(const Value& record, Surroundings& around, Violations& violations) {
  check_role(record, Ownership::given, around, violations);
  const auto end = parse_instant(record.text_or("expires_at", ""));
  if (end && *end <= around.now()) refuse(violations, "expires_at", "must lie in the future, not at " + quoted(record.text_or("expires_at", "")));
}

void complete_token(Value& record, Surroundings& around) {
  drop_nulls(record, {"role_id", "expires_at", "scope"});
  complete_role(record, around, admin_role.name);
  record.set("creator_name", Value(around.author()));
}

}  // namespace orlop::shapes
