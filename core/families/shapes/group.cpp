#include "families/shapes/group.h"

namespace orlop::shapes {
namespace {

void check_list(const Value& record, std::string_view list, std::string_view family, Surroundings& around,
                Violations& violations) {
  check_distinct(record, list, "id", violations);
  const Value::List& items = items_of(record, list);
  for (std::size_t index = 0; index < items.size(); ++index) {
    const auto id = id_of(items[index], "id");
    if (id && around.find(family, *id) != nullptr) continue;
    refuse(violations, item_path(list, index, "id"),
           "must name a group of this organization, not " + quoted(items[index].text_or("id", "")));
  }
}

void complete_list(Value& record, std::string_view list, std::string_view family, Surroundings& around) {
  Value* groups = record.find(list);
  if (groups == nullptr || !groups->is_list()) return;
  for (Value& item : groups->items()) {
    const auto id = id_of(item, "id");
    const Value* group = id ? around.find(family, *id) : nullptr;
    if (group == nullptr) continue;
    for (const std::string_view member : {"created_at", "updated_at", "name", "annotations", "labels", "scopes"}) {
      if (const Value* held = group->find(member)) item.set(member, *held);
    }
  }
}

}  // namespace

void check_groups(const Value& record, Surroundings& around, Violations& violations) {
  check_list(record, "annotations_groups", "annotations_group", around, violations);
  check_list(record, "labels_groups", "labels_group", around, violations);
}

void complete_groups(Value& record, Surroundings& around) {
  complete_list(record, "annotations_groups", "annotations_group", around);
  complete_list(record, "labels_groups", "labels_group", around);
}

}  // namespace orlop::shapes
