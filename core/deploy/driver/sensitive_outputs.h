// Sensitive outputs of a step, as its driver marks them: `{"TOKEN": {"value": "…", "sensitive": true}}`. Their values
// are secrets and stored apart from the others.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/text/secret_mask.h"
#include "deploy/driver/secret_values.h"
#include "model/value.h"

namespace orlop {

// Reports whether the value of an output is an object with `value` and `sensitive: true`.
bool is_sensitive(const Value& output);

// Returns false if the outputs, a JSON object, have no sensitive one.
inline bool may_have_sensitive(std::string_view outputs) { return outputs.find("sensitive") != std::string_view::npos; }

// Adds the values of the sensitive outputs, and notes the first that is missing.
void add_sensitive(const Value& outputs, SecretValues& secrets);

// Returns the outputs with null as the value of each sensitive one.
Value without_sensitive(Value outputs);

struct SplitOutputs {
  std::string open;    // the outputs, with null as the value of each sensitive one
  std::string values;  // values of the sensitive ones, a JSON object; empty if none
};
// `outputs`: a JSON object, or empty.
SplitOutputs split_outputs(std::string_view outputs);
// The inverse of split_outputs(). Outputs without a value stay null.
std::string join_outputs(std::string_view open, std::string_view values);
// For a snapshot without secrets: sets a mark as the value of each sensitive output (model/missing_secret.h).
std::string mark_missing(std::string_view open);

// Returns the outputs with a mark for each secret in names and in values that are not sensitive; nullopt if there is
// none. Values of sensitive outputs count as secrets too. Text that is not a JSON object is masked as a text.
std::optional<std::string> masked_outputs(std::string_view outputs, SecretValues secrets);

}  // namespace orlop
