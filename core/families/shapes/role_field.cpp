#include "families/shapes/role_field.h"

#include "model/role.h"

namespace orlop::shapes {

void check_role(const Value& record, Ownership ownership, ValidationContext& context, Violations& violations) {
  const bool is_transferred = ownership == Ownership::transferred;
  if (is_transferred && find_role(record.text_or("role", "")) == &owner_role) {
    refuse(violations, "role", "must be ADMIN, DEVELOPER or VIEWER: ownership is transferred");
  }
  const auto id = id_of(record, "role_id");
  if (!id) return;
  const Role* built_in = find_role(*id);
  if (is_transferred && built_in == &owner_role)
    refuse(violations, "role_id", "must not be that of OWNER: ownership is transferred");
  if (built_in != nullptr || context.find("custom_role", *id) != nullptr) return;
  refuse(violations, "role_id", "must name a role of this organization, not " + quoted(record.text_or("role_id", "")));
}

void complete_role(Value& record, ValidationContext& context, std::string_view absent) {
  const auto id = id_of(record, "role_id");
  const Value* custom = id && find_role(*id) == nullptr ? context.find("custom_role", *id) : nullptr;
  if (custom != nullptr) {
    record.set("role_name", Value(custom->text_or("name", "")));
    return;
  }
  const Role* built_in = id ? find_role(*id) : find_role(record.text_or("role", absent));
  if (built_in == nullptr) return;
  record.set("role_id", Value(built_in->id));
  record.set("role_name", Value(built_in->name));
}

void present_role(Value& record, ValidationContext& context) {
  const auto id = id_of(record, "role_id");
  const Role* built_in = id ? find_role(*id) : nullptr;
  const Value* custom = id && built_in == nullptr ? context.find("custom_role", *id) : nullptr;
  if (built_in != nullptr) record.set("role_name", Value(built_in->name));
  if (custom != nullptr) record.set("role_name", Value(custom->text_or("name", "")));
}

}  // namespace orlop::shapes
