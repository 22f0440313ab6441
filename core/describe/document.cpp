#include "describe/document.h"

#include "base/brand.h"
#include "base/text/utf8.h"
#include "describe/diagram.h"
#include "describe/openapi/openapi.h"
#include "describe/option_list.h"

namespace orlop {
namespace {

struct Entry {
  std::string_view name;
  std::string (*write)();
};

constexpr Entry entries[] = {
    {"openapi.json", [] { return openapi(brand_default); }},
    {"options.json", options_json},
    {"diagram/service.mmd", [] { return mermaid(MachineKind::service); }},
    {"diagram/service.dot", [] { return dot(MachineKind::service); }},
    {"diagram/cluster.mmd", [] { return mermaid(MachineKind::cluster); }},
    {"diagram/cluster.dot", [] { return dot(MachineKind::cluster); }},
    {"diagram/task.mmd", [] { return mermaid(MachineKind::task); }},
    {"diagram/task.dot", [] { return dot(MachineKind::task); }},
};

std::string names_of_all(std::string_view separator) {
  std::string names;
  for (const Entry& entry : entries) names.append(names.empty() ? "" : separator).append(entry.name);
  return names;
}

}  // namespace

Result<std::string> describe(std::string_view name) {
  if (name.empty()) return names_of_all("\n") + "\n";
  const std::string stem = std::string(name) + ".";
  for (const Entry& entry : entries) {
    if (entry.name == name || entry.name.starts_with(stem)) return entry.write();
  }
  return make_error(ErrorCode::not_found, "there is no document \"" + std::string(beginning(name, 64)) +
                                              "\"; there are " + names_of_all(", "));
}

}  // namespace orlop
