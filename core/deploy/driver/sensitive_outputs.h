// The outputs of a step: those that its driver marks as sensitive are secrets, `{"TOKEN": {"value": "…", "sensitive":
// true}}`. Their values are stored apart from the others.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/text/secret_mask.h"
#include "deploy/driver/secret_values.h"
#include "model/value.h"

namespace orlop {

// Whether the value of an output is an object with `value` and `sensitive: true`.
bool is_sensitive(const Value& output);

// False: the outputs, a JSON object, have no sensitive one.
inline bool may_have_sensitive(std::string_view outputs) { return outputs.find("sensitive") != std::string_view::npos; }

// The values of the sensitive ones, and the first that is missing.
void add_sensitive(const Value& outputs, SecretValues& secrets);

// With null as the value of each sensitive one.
Value without_sensitive(Value outputs);

struct SplitOutputs {
  std::string open;    // as they were given, with null as the value of each sensitive one
  std::string values;  // of the sensitive ones, a JSON object; "": there are none
};
// `outputs`: a JSON object, or "".
SplitOutputs split_outputs(std::string_view outputs);
// The opposite. What has no value stays null.
std::string join_outputs(std::string_view open, std::string_view values);
// Where a snapshot has left out the values: a mark in the place of each (model/missing_secret.h).
std::string mark_missing(std::string_view open);

// The outputs with the mark in the place of each secret, in names and in the values that are not sensitive; nothing:
// there is none. The values of sensitive outputs count as secrets, too. What is no JSON object is masked as a text.
std::optional<std::string> masked_outputs(std::string_view outputs, SecretValues secrets);

}  // namespace orlop
