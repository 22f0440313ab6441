#include "families/shapes/group.h"

namespace orlop::shapes {
namespace {

void complete_list(Value& record, std::string_view list, std::string_view family, ValidationContext& context) {
  Value* groups = record.find(list);
  if (groups == nullptr || !groups->is_list()) return;
  for (Value& item : groups->items()) {
    const auto id = id_of(item, "id");
    const Value* group = id ? context.find(family, *id) : nullptr;
    if (group == nullptr) continue;
    for (const std::string_view member : {"created_at", "updated_at", "name", "annotations", "labels", "scopes"}) {
      if (const Value* held = group->find(member)) item.set(member, *held);
    }
  }
}

}  // namespace

void check_groups(const Value& record, Violations& violations) {
  check_distinct(record, "annotations_groups", "id", violations);
  check_distinct(record, "labels_groups", "id", violations);
}

void complete_groups(Value& record, ValidationContext& context) {
  complete_list(record, "annotations_groups", "annotations_group", context);
  complete_list(record, "labels_groups", "labels_group", context);
}

}  // namespace orlop::shapes
