// Catalog of the features that clusters of each cloud provider can have, and its form in responses.
#pragma once

#include <span>
#include <string_view>

#include "base/id.h"
#include "model/value.h"

namespace orlop {

struct OfferedFeature {
  std::string_view provider;  // cloud provider: "AWS"
  std::string_view id;
  std::string_view enum_value;  // name that a request can use instead of the id (feature_value.h)
  std::string_view type;        // type of its value (feature_value.h)
  std::string_view title;
  std::string_view description;
  bool is_paid_to_provider;
  std::string_view manual;  // of the cloud provider
  bool is_updatable;
};

// Returns all features; those of one provider are adjacent.
std::span<const OfferedFeature> offered_features();
// Finds a feature by id or name; null if the provider does not have it.
const OfferedFeature* find_feature(std::string_view provider, std::string_view name);

// Returns the feature as lists of features show it, with its default value.
Value describe_feature(const OfferedFeature& feature, std::string_view brand);

}  // namespace orlop
