#include "families/shapes/clusters/cluster_feature.h"

#include <string>
#include <unordered_map>
#include <utility>

#include "model/validate.h"

namespace orlop::shapes {
namespace {

const OfferedFeature* feature_of(const Value& record, const Value& item) {
  return find_feature(record.text_or("cloud_provider", ""), item.text_or("id", ""));
}

// Value that the request gives, in either form, and its path; null if it gives none.
struct Choice {
  const Value* value = nullptr;
  std::string_view path = "value";
};

Choice choice_of(const Value& item) {
  if (item.has("value")) return {item.find("value")};
  return {item.find_path({"value_object", "value"}), "value_object.value"};
}

// Validates the value against the feature's type and sets its defaults.
Value made_value(const OfferedFeature& feature, const Choice& choice, const std::string& path,
                 ValidationContext& context, Violations& violations) {
  const Field& field = *feature_values::value_of(feature.type);
  return make_member(field, *choice.value, path, context, violations);
}

bool is_span(std::string_view text) {
  if (text.size() < 2 || std::string_view("smh").find(text.back()) == std::string_view::npos) return false;
  return text.substr(0, text.size() - 1).find_first_not_of("0123456789") == std::string_view::npos;
}

void check_node_pools(const Value& karpenter, const std::string& path, ValidationContext& context,
                      Violations& violations) {
  const std::string name = branded(branded_names::node_pools, context.brand());
  const Value* pools = karpenter.find(name);
  if (pools == nullptr) return;
  for (const std::string_view pool : feature_values::pool_names) {
    const Value* given = pools->find_path({pool, feature_values::consolidate_after_name});
    if (given == nullptr || is_span(given->as_text())) continue;
    refuse(violations,
           path + "." + name + "." + std::string(pool) + "." + std::string(feature_values::consolidate_after_name),
           "must be a number and s, m or h, as in 30s, not " + quoted(given->as_text()));
  }
}

}  // namespace

void check_features(const Value& record, ValidationContext& context, Violations& violations) {
  const std::string_view provider = record.text_or("cloud_provider", "");
  const Value::List& items = items_of(record, "features");
  std::unordered_map<const OfferedFeature*, std::size_t> seen;
  for (std::size_t index = 0; index < items.size(); ++index) {
    const OfferedFeature* feature = feature_of(record, items[index]);
    if (feature == nullptr) {
      refuse(violations, item_path("features", index, "id"),
             "must be the id or the name of a feature of " + std::string(provider) + ", not " +
                 quoted(items[index].text_or("id", "")));
      continue;
    }
    if (const auto [other, is_first] = seen.emplace(feature, index); !is_first) {
      refuse(violations, item_path("features", index, "id"),
             "must differ from that of " + item_path("features", other->second));
    }
    const Choice choice = choice_of(items[index]);
    if (choice.value == nullptr) continue;
    const std::size_t before = violations.size();
    const std::string path = item_path("features", index, choice.path);
    const Value value = made_value(*feature, choice, path, context, violations);
    if (violations.size() == before && feature->type == "KARPENTER") check_node_pools(value, path, context, violations);
  }
}

void complete_features(Value& record, ValidationContext& context) {
  Value* features = record.find("features");
  if (features == nullptr || !features->is_list()) return;
  for (Value& item : features->items()) {
    const OfferedFeature* feature = feature_of(record, item);
    if (feature == nullptr) continue;
    Value answer = describe_feature(*feature, context.brand());
    answer.set("id", Value(item.text_or("id", feature->id)));
    if (const Choice choice = choice_of(item); choice.value != nullptr) {
      Violations none;  // check_features has reported them
      Value chosen = Value::object();
      chosen.set("type", Value(feature->type));
      chosen.set("value", made_value(*feature, choice, {}, context, none));
      answer.set("value_object", std::move(chosen));
    }
    item = std::move(answer);
  }
}

}  // namespace orlop::shapes
