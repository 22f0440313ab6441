// Secrets that a snapshot left out. A record keeps where they were: in the place of each stands an object that no
// secret is, so that it is neither taken for a value nor forgotten.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "model/value.h"

namespace orlop {

// {"missing_secret": true}, and its text.
Value missing_secret();
inline constexpr std::string_view missing_secret_text = R"({"missing_secret":true})";
bool is_missing_secret(const Value& value);

// The secrets of a record with the mark in the place of each value: their outline. What is null or empty stays so.
Value without_values(const Value& secrets);

std::uint64_t count_missing(const Value& secrets);

// Calls `visit` with the path of each mark: "password", "config.password", "accesses[1].secret_key".
void visit_missing(const Value& secrets, const std::function<void(const std::string& path)>& visit);

}  // namespace orlop
