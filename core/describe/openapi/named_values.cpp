#include "describe/openapi/named_values.h"

#include <algorithm>
#include <vector>

#include "endpoints/services/parts/status_shapes.h"
#include "external_systems/shapes/platform_questions.h"
#include "model/registry.h"

namespace orlop {
namespace {

struct NamedValues {
  std::string_view name;
  std::span<const std::string_view> enum_values;
};

std::span<const std::string_view> enum_values_of(std::string_view family_name, std::string_view field_name) {
  const Family* family = find_family(family_name);
  if (family == nullptr) return {};
  const auto found = std::ranges::find(family->fields, field_name, &Field::name);
  return found == family->fields.end() ? std::span<const std::string_view>() : found->enum_values;
}

std::vector<NamedValues> make_named() {
  return {
      {"StateEnum", operation_shapes::service_states},
      {"ClusterStateEnum", operation_shapes::cluster_states},
      {"ServiceDeploymentStatusEnum", operation_shapes::freshness_values},
      {"EnvironmentModeEnum", enum_values_of("environment", "mode")},
      {"CloudVendorEnum", enum_values_of("cluster", "cloud_provider")},
      {"ContainerRegistryKindEnum", enum_values_of("container_registry", "kind")},
      {"PlanEnum", enum_values_of("organization", "plan")},
      // Items of arrays: generators derive type names from members, but not from items.
      {"WeekdayEnum", enum_values_of("environment_deployment_rule", "weekdays")},
      {"OrganizationAnnotationsGroupScopeEnum", enum_values_of("annotations_group", "scopes")},
      {"OrganizationWebhookEventEnum", enum_values_of("webhook", "events")},
      {"PlatformClusterMode", question_shapes::platform_modes},
      {"PlatformCloudVendor", question_shapes::platform_vendors},
  };
}

}  // namespace

std::string_view enumeration_name(std::span<const std::string_view> enum_values) {
  static const std::vector<NamedValues> named = make_named();
  for (const NamedValues& entry : named) {
    // The order of the values differs between fields.
    if (!enum_values.empty() && std::ranges::is_permutation(entry.enum_values, enum_values)) return entry.name;
  }
  return "";
}

}  // namespace orlop
