#include "families/shapes/port.h"

#include <map>
#include <utility>

namespace orlop::shapes {

void check_ports(const Value& record, Violations& violations) {
  check_distinct(record, "ports", "name", violations);
  const Value::List& items = items_of(record, "ports");
  bool has_default = false;
  std::map<std::pair<std::int64_t, std::string_view>, std::size_t> opened;  // where a port and protocol stand first
  for (std::size_t index = 0; index < items.size(); ++index) {
    const Value& item = items[index];
    if (item.boolean_or("is_default", false)) {
      if (has_default) refuse(violations, item_path("ports", index, "is_default"), "must be true for one port only");
      has_default = true;
    }
    const auto [earlier, is_new] =
        opened.try_emplace({item.integer_or("internal_port", 0), item.text_or("protocol", "HTTP")}, index);
    if (is_new) continue;
    refuse(violations, item_path("ports", index, "internal_port"),
           "must differ from that of " + item_path("ports", earlier->second) + ", which has the same protocol");
  }
}

void complete_ports(Value& record, Surroundings& around) {
  if (Value* items = record.find("ports")) complete_ids(*items, before(around, {"ports"}), {"internal_port", "protocol"}, around);
}

}  // namespace orlop::shapes
