#include "families/shapes/cluster_feature.h"

#include <utility>

namespace orlop::shapes {
namespace {

constexpr OfferedFeature offered[] = {
    {"AWS", "5c1f3a60-0c1e-4d53-9a35-6f1a6d0f0101", "AWS_USER_PROVIDED_NETWORK", "Network of your own",
     "The cluster is put into a network that is there already.", false, false},
    {"AWS", "5c1f3a60-0c1e-4d53-9a35-6f1a6d0f0102", "KARPENTER", "Autoscaler of nodes",
     "Nodes are chosen, added and taken away as the workloads need them.", false, true},
    {"AWS", "5c1f3a60-0c1e-4d53-9a35-6f1a6d0f0103", "BOOLEAN", "Fixed outgoing addresses",
     "What leaves the cluster leaves it from addresses that stay.", true, false},
    {"GCP", "5c1f3a60-0c1e-4d53-9a35-6f1a6d0f0201", "GCP_USER_PROVIDED_NETWORK", "Network of your own",
     "The cluster is put into a network that is there already.", false, false},
    {"GCP", "5c1f3a60-0c1e-4d53-9a35-6f1a6d0f0202", "NAT_GATEWAY", "Fixed outgoing addresses",
     "What leaves the cluster leaves it from addresses that stay.", true, true},
    {"AZURE", "5c1f3a60-0c1e-4d53-9a35-6f1a6d0f0301", "BOOLEAN", "Fixed outgoing addresses",
     "What leaves the cluster leaves it from addresses that stay.", true, false},
    {"SCW", "5c1f3a60-0c1e-4d53-9a35-6f1a6d0f0401", "NAT_GATEWAY", "Fixed outgoing addresses",
     "What leaves the cluster leaves it from addresses that stay.", true, true},
};

const OfferedFeature* find_feature(std::string_view provider, std::string_view id) {
  for (const OfferedFeature& feature : offered) {
    if (feature.provider == provider && feature.id == id) return &feature;
  }
  return nullptr;
}

bool fits(std::string_view type, const Value& value) {
  if (type == "STRING") return value.is_text();
  if (type == "BOOLEAN") return value.type() == Value::Type::boolean;
  return value.is_object() || (type == "NAT_GATEWAY" && value.is_null());
}

std::string_view wanted(std::string_view type) {
  if (type == "STRING") return "a text";
  if (type == "BOOLEAN") return "true or false";
  return "an object";
}

// What the request chose, in either form; nullptr if nothing.
const Value* chosen(const Value& item) {
  if (item.has("value")) return item.find("value");
  return item.find_path({"value_object", "value"});
}

}  // namespace

std::span<const OfferedFeature> offered_features() { return offered; }

Value describe_feature(const OfferedFeature& feature, std::string_view brand) {
  Value answer = Value::object();
  answer.set("id", Value(feature.id));
  answer.set("title", Value(feature.title));
  answer.set("description", Value(feature.description));
  answer.set("cost_per_month_in_cents", Value());
  answer.set("cost_per_month", Value());
  answer.set("currency_code", Value());
  answer.set("is_cloud_provider_paying_feature", Value(feature.is_paid_to_provider));
  answer.set("cloud_provider_feature_documentation", Value());
  answer.set(branded(branded_names::paying_feature, brand), Value(false));
  answer.set(branded(branded_names::feature_documentation, brand), Value());
  answer.set("value_type", Value("BOOLEAN"));
  Value nothing;
  if (feature.type == "BOOLEAN") {
    nothing.set("type", Value(feature.type));
    nothing.set("value", Value(false));
  } else if (feature.type == "NAT_GATEWAY") {
    nothing.set("type", Value(feature.type));
    nothing.set("value", Value());
  }
  answer.set("value_object", std::move(nothing));
  answer.set("is_value_updatable", Value(feature.is_updatable));
  Value accepted = Value::list();
  if (feature.type == "BOOLEAN") {
    accepted.append(Value(true));
    accepted.append(Value(false));
  }
  answer.set("accepted_values", std::move(accepted));
  return answer;
}

void check_features(const Value& record, Violations& violations) {
  check_distinct(record, "features", "id", violations);
  const std::string_view provider = record.text_or("cloud_provider", "");
  const Value::List& items = items_of(record, "features");
  for (std::size_t index = 0; index < items.size(); ++index) {
    const std::string_view id = items[index].text_or("id", "");
    const OfferedFeature* feature = find_feature(provider, id);
    if (feature == nullptr) {
      refuse(violations, item_path("features", index, "id"), "must be the id of a feature of " + std::string(provider) + ", not " + quoted(id));
      continue;
    }
    const Value* value = chosen(items[index]);
    if (value == nullptr || fits(feature->type, *value)) continue;
    refuse(violations, item_path("features", index, "value"),
           "must be " + std::string(wanted(feature->type)) + ", not " + std::string(describe(value->type())));
  }
}

void complete_features(Value& record, Surroundings& around) {
  Value* features = record.find("features");
  if (features == nullptr || !features->is_list()) return;
  for (Value& item : features->items()) {
    const OfferedFeature* feature = find_feature(record.text_or("cloud_provider", ""), item.text_or("id", ""));
    if (feature == nullptr) continue;
    Value answer = describe_feature(*feature, around.brand());
    if (const Value* value = chosen(item)) {
      Value choice = Value::object();
      choice.set("type", Value(feature->type));
      choice.set("value", *value);
      answer.set("value_object", std::move(choice));
    }
    item = std::move(answer);
  }
}

}  // namespace orlop::shapes
