#include "describe/named_words.h"

#include <algorithm>
#include <vector>

#include "model/registry.h"
#include "traits/status_shapes.h"

namespace orlop {
namespace {

struct NamedWords {
  std::string_view name;
  std::span<const std::string_view> words;
};

std::span<const std::string_view> words_of(std::string_view family_name, std::string_view field_name) {
  const Family* family = find_family(family_name);
  if (family == nullptr) return {};
  const auto found = std::ranges::find(family->fields, field_name, &Field::name);
  return found == family->fields.end() ? std::span<const std::string_view>() : found->words;
}

std::vector<NamedWords> make_named() {
  return {
      {"StateEnum", trait_shapes::service_states},
      {"ClusterStateEnum", trait_shapes::cluster_states},
      {"ServiceDeploymentStatusEnum", trait_shapes::freshness_words},
      {"EnvironmentModeEnum", words_of("environment", "mode")},
      {"CloudVendorEnum", words_of("cluster", "cloud_provider")},
      {"ContainerRegistryKindEnum", words_of("container_registry", "kind")},
      {"PlanEnum", words_of("organization", "plan")},
  };
}

}  // namespace

std::string_view name_of_words(std::span<const std::string_view> words) {
  static const std::vector<NamedWords> named = make_named();
  for (const NamedWords& entry : named) {
    // The order differs from place to place.
    if (!words.empty() && std::ranges::is_permutation(entry.words, words)) return entry.name;
  }
  return "";
}

}  // namespace orlop
