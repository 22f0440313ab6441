#include "families/shapes/token.h"

#include "families/shapes/context_keys.h"
#include "model/role.h"

namespace orlop::shapes {

void check_token(const Value& record, ValidationContext& context, Violations& violations) {
  check_role(record, Ownership::given, context, violations);
  const auto end = parse_instant(record.text_or("expires_at", ""));
  if (end && context.has_passed(*end))
    refuse(violations, "expires_at", "must lie in the future, not at " + quoted(record.text_or("expires_at", "")));
}

void complete_token(Value& record, ValidationContext& context) {
  drop_nulls(record, {"role_id", "expires_at", "scope"});
  complete_role(record, context, admin_role.name);
  record.set("creator_name", context.value(context_keys::author));
}

}  // namespace orlop::shapes
