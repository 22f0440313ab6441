#include "families/shapes/cluster_feature.h"

#include <utility>

namespace orlop::shapes {
namespace {

const OfferedFeature* feature_of(const Value& record, const Value& item) {
  const auto id = id_of(item, "id");
  return id ? find_feature(record.text_or("cloud_provider", ""), *id) : nullptr;
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

void check_features(const Value& record, Violations& violations) {
  check_distinct(record, "features", "id", violations);
  const std::string_view provider = record.text_or("cloud_provider", "");
  const Value::List& items = items_of(record, "features");
  for (std::size_t index = 0; index < items.size(); ++index) {
    const OfferedFeature* feature = feature_of(record, items[index]);
    if (feature == nullptr) {
      refuse(violations, item_path("features", index, "id"),
             "must be the id of a feature of " + std::string(provider) + ", not " + quoted(items[index].text_or("id", "")));
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
    const OfferedFeature* feature = feature_of(record, item);
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
