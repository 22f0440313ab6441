#include "families/shapes/services/service_port.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_set>
#include <utility>

namespace orlop::shapes {
namespace {

// Returns "p8080", or "p8080-udp" if another port has that name already.
std::string default_port_name(const Value& port, const std::unordered_set<std::string>& taken) {
  std::string name = "p" + std::to_string(port.integer_or("internal_port", 0));
  if (!taken.contains(name)) return name;
  std::string protocol(port.text_or("protocol", "HTTP"));
  std::ranges::transform(protocol, protocol.begin(), [](char letter) { return static_cast<char>(letter | 0x20); });
  name += "-" + protocol;
  while (taken.contains(name)) name += "-" + protocol;
  return name;
}

}  // namespace

void complete_port_names(Value& ports) {
  if (ports.items().empty()) return;
  std::unordered_set<std::string> taken;
  for (const Value& port : ports.items()) {
    if (is_given(port, "name")) taken.emplace(port.text_or("name", ""));
  }
  for (Value& port : ports.items()) {
    if (is_given(port, "name")) continue;
    std::string name = default_port_name(port, taken);
    port.set("name", Value(name));
    taken.insert(std::move(name));
  }
}

void check_ports(const Value& record, Violations& violations) {
  check_distinct(record, "ports", "name", violations);
  const Value::List& items = items_of(record, "ports");
  bool has_default = false;
  // Index of the first port with each number and protocol.
  std::map<std::pair<std::int64_t, std::string_view>, std::size_t> opened;
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

void complete_ports(Value& record, ValidationContext& context) {
  Value* items = record.find("ports");
  if (items == nullptr) return;
  complete_ids(*items, before(context, {"ports"}), {"internal_port", "protocol"}, context);
  complete_port_names(*items);
}

}  // namespace orlop::shapes
