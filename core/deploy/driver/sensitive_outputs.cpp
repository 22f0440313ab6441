#include "deploy/driver/sensitive_outputs.h"

#include <algorithm>
#include <utility>

#include "model/missing_secret.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

std::string text_of_scalar(const Value& value) { return value.is_text() ? value.as_text() : to_json(value); }

bool is_scalar(const Value& value) { return !value.is_list() && !value.is_object(); }

// Masks outputs. Builds an object anew only if one of its names holds a secret, which is rare: masked names may become
// equal.
class OutputMasker {
 public:
  explicit OutputMasker(const SecretMask& mask) : mask_(mask) {}

  bool has_found() const { return has_found_; }

  void mask_outputs(Value& outputs) {
    for (Member& output : outputs.members()) {
      if (!is_sensitive(output.value)) mask_value(output.value);
    }
    mask_names(outputs);
  }

 private:
  void mask_value(Value& value) {
    if (value.is_list()) {
      for (Value& item : value.items()) mask_value(item);
    } else if (value.is_object()) {
      for (Member& member : value.members()) mask_value(member.value);
      mask_names(value);
    } else if (auto masked = mask_.masked(text_of_scalar(value))) {
      value = Value(std::move(*masked));
      has_found_ = true;
    }
  }

  void mask_names(Value& object) {
    const auto holds_secret = [this](const Member& member) { return mask_.masked(member.name).has_value(); };
    if (!std::ranges::any_of(std::as_const(object).members(), holds_secret)) return;
    Value made = Value::object();
    for (Member& member : object.members()) {
      const auto name = mask_.masked(member.name);
      made.set(name ? std::string_view(*name) : member.name.view(), std::move(member.value));
    }
    object = std::move(made);
    has_found_ = true;
  }

  const SecretMask& mask_;
  bool has_found_ = false;
};

}  // namespace

bool is_sensitive(const Value& output) {
  return output.is_object() && output.find("value") != nullptr && output.boolean_or("sensitive", false);
}

void add_sensitive(const Value& outputs, SecretValues& secrets) {
  for (const Member& output : outputs.members()) {
    if (!is_sensitive(output.value)) continue;
    const Value& value = *output.value.find("value");
    if (is_missing_secret(value)) {
      secrets.note_missing("output " + std::string(output.name.view()) + " of an earlier job");
      continue;
    }
    secrets.add(text_of_scalar(value));
    if (!is_scalar(value)) secrets.add_texts(value);
  }
}

Value without_sensitive(Value outputs) {
  for (Member& output : outputs.members()) {
    if (is_sensitive(output.value)) output.value.set("value", Value());
  }
  return outputs;
}

SplitOutputs split_outputs(std::string_view outputs) {
  if (!may_have_sensitive(outputs)) return {std::string(outputs), {}};
  auto given = parse_stored(outputs);
  if (!given || !given->is_object()) return {std::string(outputs), {}};
  Value values = Value::object();
  for (Member& output : given->members()) {
    if (is_sensitive(output.value)) values.set(output.name, std::exchange(*output.value.find("value"), Value()));
  }
  if (values.members().empty()) return {std::string(outputs), {}};
  return {to_json(*given), to_json(values)};
}

std::string join_outputs(std::string_view open, std::string_view values) {
  auto given = parse_stored(open);
  const auto known = parse_stored(values);
  if (!given || !given->is_object() || !known) return std::string(open);
  for (Member& output : given->members()) {
    const Value* value = is_sensitive(output.value) ? known->find(output.name) : nullptr;
    if (value != nullptr) output.value.set("value", *value);
  }
  return to_json(*given);
}

std::string mark_missing(std::string_view open) {
  auto given = parse_stored(open);
  if (!given || !given->is_object()) return std::string(open);
  for (Member& output : given->members()) {
    if (is_sensitive(output.value)) output.value.set("value", missing_secret());
  }
  return to_json(*given);
}

std::optional<std::string> masked_outputs(std::string_view outputs, SecretValues secrets) {
  auto given = parse_json(outputs, outputs.size());
  if (!given || !given->is_object()) return SecretMask(std::move(secrets).take()).masked(outputs);
  add_sensitive(*given, secrets);
  const SecretMask mask(std::move(secrets).take());
  OutputMasker masker(mask);
  if (!mask.empty()) masker.mask_outputs(*given);
  return masker.has_found() ? std::optional(to_json(*given)) : std::nullopt;
}

}  // namespace orlop
