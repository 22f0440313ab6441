// The features that clusters of each cloud provider can have: the catalogue, and how it is answered.
#pragma once

#include <span>
#include <string_view>

#include "base/id.h"
#include "model/value.h"

namespace orlop {

struct OfferedFeature {
  std::string_view provider;  // its word: "AWS"
  std::string_view id;
  std::string_view enum_value;  // by which a request may name it instead of the id (feature_value.h)
  std::string_view type;        // of its value (feature_value.h)
  std::string_view title;
  std::string_view description;
  bool is_paid_to_provider;
  std::string_view manual;  // of the cloud provider
  bool is_updatable;
};

// Those of one provider stand together.
std::span<const OfferedFeature> offered_features();
// By id or word; nullptr if the provider has no such feature.
const OfferedFeature* find_feature(std::string_view provider, std::string_view name);

// As a list of features answers it, with the value that it has unless another is chosen.
Value describe_feature(const OfferedFeature& feature, std::string_view brand);

}  // namespace orlop
