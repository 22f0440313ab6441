#include "endpoints/lookups/parts/registry_input.h"

#include <string_view>
#include <utility>

#include "records/missing_secrets.h"
#include "records/record_value.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "unit/unique_name.h"

namespace orlop {

Result<Record> require_registry(Unit& unit, const Call& call) {
  ORLOP_TRY(registry, require(unit, *call.family, call.ids.back()));
  if (registry.parent != call.ids.front()) return not_found(words_for(*call.family), registry.id);
  return std::move(registry);
}

Result<Value> registry_input(const Record& registry) {
  ORLOP_CHECK(require_secrets(registry));
  ORLOP_TRY(stored, full_value(registry));
  Value input = Value::object();
  input.add("id", Value(to_text(registry.id)));
  for (const std::string_view name : {"name", "kind", "url"}) input.add(name, Value(stored.text_or(name, "")));
  if (const Value* config = stored.find("config")) input.add("config", *config);
  if (stored.has("skip_tls_verification"))
    input.add("skip_tls_verification", Value(stored.boolean_or("skip_tls_verification", false)));
  return input;
}

}  // namespace orlop
