#include "families/shapes/services/volumes.h"

namespace orlop::shapes {

namespace {

// Returns the volume before the edit that becomes this item, by the rule of complete_ids(); null if it is new.
const Value* volume_before(const Value& item, const Value::List& before) {
  for (const std::string_view member : {"id", "mount_point"}) {
    const Value* given = item.find(member);
    for (const Value& volume : before) {
      if (given != nullptr && given->is_text() && volume.text_or(member, "") == given->as_text()) return &volume;
    }
  }
  return nullptr;
}

void check_sizes(const Value& record, ValidationContext& context, Violations& violations) {
  const Value* before = shapes::before(context, {"storage"});
  if (before == nullptr || !before->is_list()) return;
  const Value::List& items = items_of(record, "storage");
  for (std::size_t index = 0; index < items.size(); ++index) {
    const Value* volume = volume_before(items[index], before->items());
    const std::int64_t size = items[index].integer_or("size", 0);
    const std::int64_t smallest = volume == nullptr ? 0 : volume->integer_or("size", 0);
    if (size >= smallest || !context.may_have_data()) continue;
    refuse(violations, item_path("storage", index, "size"),
           "must be at least " + std::to_string(smallest) + ", the size of the existing volume, not " +
               std::to_string(size));
  }
}

}  // namespace

void check_storage(const Value& record, ValidationContext& context, Violations& violations) {
  check_sizes(record, context, violations);
  check_distinct(record, "storage", "mount_point", violations);
  const Value::List& items = items_of(record, "storage");
  for (std::size_t index = 0; index < items.size(); ++index) {
    const std::string_view folder = items[index].text_or("mount_point", "");
    if (folder.starts_with('/')) continue;
    refuse(violations, item_path("storage", index, "mount_point"), "must begin with /, not " + quoted(folder));
  }
}

void complete_storage(Value& record, ValidationContext& context) {
  if (Value* items = record.find("storage"))
    complete_ids(*items, before(context, {"storage"}), {"mount_point"}, context);
}

}  // namespace orlop::shapes
