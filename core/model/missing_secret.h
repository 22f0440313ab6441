// Secrets that a snapshot omits. The record keeps a marker in place of each secret: an object, which cannot be mistaken
// for a secret, so that the engine still knows that the value is missing.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "model/value.h"

namespace orlop {

// The marker {"missing_secret": true} as a value and as text.
Value missing_secret();
inline constexpr std::string_view missing_secret_text = R"({"missing_secret":true})";
bool is_missing_secret(const Value& value);

// Replaces each value in the secrets of a record by the marker. Null and empty values stay.
Value without_values(const Value& secrets);

std::uint64_t count_missing(const Value& secrets);

// Calls `visit` with the path of each marker: "password", "config.password", "accesses[1].secret_key".
void visit_missing(const Value& secrets, const std::function<void(const std::string& path)>& visit);

}  // namespace orlop
