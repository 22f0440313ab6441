// Patterns of the names that contain the host's brand. No other file spells the brand.
#pragma once

#include <string>
#include <string_view>

namespace orlop {

inline constexpr std::string_view brand_default = "platform";

// "{brand}" is replaced by the brand in lower case, "{BRAND}" by the brand in upper case.
namespace branded_names {
inline constexpr std::string_view word = "{brand}";
inline constexpr std::string_view manager = "{BRAND}";
inline constexpr std::string_view managed_mode = "{BRAND}_MANAGED";
inline constexpr std::string_view profile_scope = "{BRAND}_PROFILE";
inline constexpr std::string_view internal_origin = "{BRAND}_INTERNAL";
inline constexpr std::string_view usage = "{brand}_usage";
inline constexpr std::string_view usage_other = "{brand}_usage_other";
inline constexpr std::string_view cluster_id = "{brand}_cluster_id";
inline constexpr std::string_view cluster_name = "{brand}_cluster_name";
inline constexpr std::string_view cluster_cloud_provider = "{brand}_cluster_cloud_provider";
inline constexpr std::string_view cluster_type = "{brand}_cluster_type";
inline constexpr std::string_view metrics_kind = "MANAGED_BY_{BRAND}";
inline constexpr std::string_view paying_feature = "is_{brand}_paying_feature";
inline constexpr std::string_view feature_documentation = "{brand}_feature_documentation";
inline constexpr std::string_view node_pools = "{brand}_node_pools";
inline constexpr std::string_view icon = "app://{brand}-console/";
inline constexpr std::string_view internal_domain = ".{brand}.internal";
inline constexpr std::string_view external_domain = ".{brand}.app";
inline constexpr std::string_view platform_domain = "is_{brand}_domain";
inline constexpr std::string_view static_ip_mode = "{brand}.static_ip_mode";
inline constexpr std::string_view variable_prefix = "{BRAND}_";
inline constexpr std::string_view variable_macro = "{brand}.env.";
inline constexpr std::string_view delete_cluster_and_config = "DELETE_CLUSTER_AND_{BRAND}_CONFIG";
inline constexpr std::string_view delete_config = "DELETE_{BRAND}_CONFIG";
inline constexpr std::string_view webhook_signature = "{brand}-signature";
}  // namespace branded_names

// Returns the pattern's name for this brand, followed by `rest`.
std::string branded(std::string_view pattern, std::string_view brand, std::string_view rest = {});
// Reports whether `name` is the pattern's name for any brand.
bool is_branded(std::string_view name, std::string_view pattern);
// Reports whether `name` is the pattern's name for this brand.
bool is_branded(std::string_view name, std::string_view pattern, std::string_view brand);

}  // namespace orlop
