#include "families/shapes/services/storage.h"

namespace orlop::shapes {

void check_storage(const Value& record, Violations& violations) {
  check_distinct(record, "storage", "mount_point", violations);
  const Value::List& items = items_of(record, "storage");
  for (std::size_t index = 0; index < items.size(); ++index) {
    const std::string_view folder = items[index].text_or("mount_point", "");
    if (folder.starts_with('/')) continue;
    refuse(violations, item_path("storage", index, "mount_point"), "must begin with /, not " + quoted(folder));
  }
}

void complete_storage(Value& record, ValidationContext& context) {
  if (Value* items = record.find("storage")) complete_ids(*items, before(context, {"storage"}), {"mount_point"}, context);
}

}  // namespace orlop::shapes
