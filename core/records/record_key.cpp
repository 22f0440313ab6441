#include "records/record_key.h"

#include "access/permission.h"
#include "base/family_number.h"
#include "records/variables/variable_text.h"
#include "unit/unique_name.h"

namespace orlop {

std::optional<std::string> key_of_record(const Family& family, const Record& record, const Value& value) {
  switch (family.number) {
    case variable_number: return variable_key(record.parent, value.text_or("key", ""));
    case member_number: {
      const auto user = parse_id(value.text_or("id", ""));
      return user ? std::optional(member_key(record.organization, *user)) : std::nullopt;
    }
    case token_digest_number: return token_key(value.text_or("sha256", ""));
    default: break;
  }
  const Field* const field = name_field(family);
  if (field == nullptr || family.name_scope == NameScope::none) return std::nullopt;
  return name_key(family, record.parent, record.organization, value.text_or(field->name, ""));
}

}  // namespace orlop
