// Checks a JSON value against a schema of OpenAPI 3.0: those parts of it that the interface's description uses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"
#include "rest/exchange.h"
#include "rest/route.h"

namespace orlop {

enum class Direction : std::uint8_t { request, answer };

// Returns all mismatches as "path: reason". Stricter than the standard: a member that the schema does not name is a
// mismatch.
std::vector<std::string> misfits(const Value& document, const Value& schema, const Value& given,
                                 Direction direction = Direction::answer);

// The same for a reply, whose status must be described too, and for a request's body.
std::vector<std::string> misfits(const Value& document, const Route& route, const Reply& reply);
std::vector<std::string> misfits(const Value& document, const Route& route, std::string_view request_body);

}  // namespace orlop
