#include "records/record_value.h"

#include <utility>

#include "model/registry.h"
#include "model/validate.h"
#include "wire/json.h"
#include "wire/read_plain.h"

namespace orlop {

Result<Value> full_value(const Record& record) {
  ORLOP_TRY(value, parse_stored(record.body));
  if (!record.secrets.empty()) {
    ORLOP_TRY(secrets, parse_stored(record.secrets));
    join_secrets(value, secrets);
    if (const Family* family = find_family(record.family)) arrange(family->fields, value);
  }
  return std::move(value);
}

Result<std::string> full_text(const Record& record) {
  if (record.secrets.empty() && is_stored_object(record.body)) return record.body;
  ORLOP_TRY(value, full_value(record));
  return to_json(value);
}

Result<Value> as_request(const Family& family, const Record& record) {
  ORLOP_TRY(value, full_value(record));
  return without_read_only(family.fields, std::move(value));
}

}  // namespace orlop
