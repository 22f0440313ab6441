#include "families/shapes/secret_manager_access.h"

namespace orlop::shapes {
namespace {

constexpr std::string_view list = "secret_manager_accesses";

const Value* earlier_access(const ValidationContext& context, const Value& item) {
  const Value* previous = before(context, {list});
  if (previous == nullptr || !previous->is_list()) return nullptr;
  for (const Value& earlier : previous->items()) {
    if (id_of(earlier, "id") == id_of(item, "id")) return &earlier;
  }
  return nullptr;
}

bool is_same_but_for_times(const Value& item, const Value& earlier) {
  for (const std::string_view member : {"name", "endpoint", "authentication"}) {
    const Value* one = item.find(member);
    const Value* other = earlier.find(member);
    if (one == nullptr || other == nullptr || *one != *other) return false;
  }
  return true;
}

// Keeps secrets that the request omits, as long as the authentication mode stays the same.
void keep_secrets(Value& item, const Value& earlier) {
  Value* now = item.find("authentication");
  const Value* then = earlier.find("authentication");
  if (now == nullptr || then == nullptr || now->text_or("mode", "") != then->text_or("mode", "")) return;
  drop_nulls(*now, {"secret_key", "json_credentials"});
  keep_from(*now, then, {"secret_key", "json_credentials"});
}

}  // namespace

void check_secret_accesses(const Value& record, Violations& violations) {
  check_distinct(record, list, "name", violations);
}

void complete_secret_accesses(Value& record, ValidationContext& context) {
  Value* items = record.find(list);
  if (items == nullptr || !items->is_list()) return;
  complete_ids(*items, before(context, {list}), {"name"}, context);
  for (Value& item : items->items()) {
    const Value* earlier = earlier_access(context, item);
    if (earlier != nullptr) keep_secrets(item, *earlier);
    keep_from(item, earlier, {"created_at"});
    set_absent(item, "created_at", Value(to_text(context.now())));
    if (earlier != nullptr && is_same_but_for_times(item, *earlier)) keep_from(item, earlier, {"updated_at"});
    set_absent(item, "updated_at", Value(to_text(context.now())));
  }
}

}  // namespace orlop::shapes
