#include "model/missing_secret.h"

namespace orlop {
namespace {

constexpr std::string_view mark_name = "missing_secret";

void visit_below(const Value& value, const std::string& path,
                 const std::function<void(const std::string& path)>& visit) {
  if (is_missing_secret(value)) return visit(path);
  for (std::size_t at = 0; at < value.items().size(); ++at)
    visit_below(value.items()[at], path + "[" + std::to_string(at) + "]", visit);
  for (const Member& member : value.members())
    visit_below(member.value, path + (path.empty() ? "" : ".") + std::string(member.name), visit);
}

}  // namespace

Value missing_secret() {
  Value mark = Value::object();
  mark.set(mark_name, Value(true));
  return mark;
}

bool is_missing_secret(const Value& value) {
  return value.is_object() && value.members().size() == 1 && value.boolean_or(mark_name, false);
}

Value without_values(const Value& secrets) {
  if (secrets.is_list()) {
    Value outline = Value::list();
    for (const Value& item : secrets.items()) outline.append(without_values(item));
    return outline;
  }
  const bool has_value = !secrets.is_null() && !(secrets.is_text() && secrets.as_text().empty());
  if (!secrets.is_object() || is_missing_secret(secrets)) return has_value ? missing_secret() : secrets;
  Value outline = Value::object();
  for (const Member& member : secrets.members()) outline.add(member.name, without_values(member.value));
  return outline;
}

std::uint64_t count_missing(const Value& secrets) {
  std::uint64_t count = 0;
  visit_missing(secrets, [&count](const std::string&) { ++count; });
  return count;
}

void visit_missing(const Value& secrets, const std::function<void(const std::string& path)>& visit) {
  visit_below(secrets, "", visit);
}

}  // namespace orlop
