#include "catalogs/instance_type.h"

#include <algorithm>
#include <vector>

#include "catalogs/nearest.h"
#include "model/form.h"

namespace orlop {
namespace {

struct InstanceFamily {
  std::string_view name;   // "t3"
  std::string_view sizes;  // "large medium small", separated by one space
};

constexpr InstanceFamily aws_families[] = {
#include "catalogs/aws_instance_types.def"
};

// Calls `visit` for every size of the family until it returns true.
template <typename Visit>
bool any_size(const InstanceFamily& family, Visit visit) {
  for (std::string_view rest = family.sizes; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (visit(rest.substr(0, end))) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

std::string normalized(std::string_view name) {
  std::string text = lower_case(name);
  if (text.find('.') == std::string::npos) std::replace(text.begin(), text.end(), '_', '.');
  return text;
}

}  // namespace

bool has_instance_types(std::string_view cloud_provider) { return cloud_provider == "AWS"; }

bool is_known_instance_type(std::string_view cloud_provider, std::string_view name) {
  if (!has_instance_types(cloud_provider)) return false;
  const std::string wanted = normalized(name);
  const std::size_t point = wanted.find('.');
  if (point == std::string::npos) return false;
  const std::string_view size = std::string_view(wanted).substr(point + 1);
  const auto family = std::ranges::find(aws_families, std::string_view(wanted).substr(0, point), &InstanceFamily::name);
  return family != std::end(aws_families) &&
         any_size(*family, [size](std::string_view known) { return known == size; });
}

std::string nearest_instance_type(std::string_view cloud_provider, std::string_view name) {
  if (!has_instance_types(cloud_provider)) return {};
  std::vector<std::string> names;
  for (const InstanceFamily& family : aws_families) {
    any_size(family, [&](std::string_view size) {
      names.push_back(std::string(family.name) + "." + std::string(size));
      return false;
    });
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  return std::string(nearest_of(normalized(name), views));
}

std::string_view machine_of_database(std::string_view name) {
  for (const std::string_view prefix : {"db.", "cache."}) {
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return {};
}

}  // namespace orlop
