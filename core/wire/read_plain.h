// Reads JSON text in one pass: all text that the engine writes, and most of the text from clients.
//
// It accepts only text that the full parser (json.cpp) accepts too, with the same result. It leaves other text
// (malformed, an escape \uXXXX, a duplicate key, a number out of range, more than json_depth_max levels) to the full
// parser, which also produces the error message.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "model/value.h"

namespace orlop {

std::optional<Value> read_plain_json(std::string_view text);

// Reports whether read_plain_json() would return an object for the text. Builds nothing.
bool is_plain_json_object(std::string_view text);

// Reports whether parse_stored() (json.h) would return an object for the text, at less cost.
bool is_stored_object(std::string_view text);

// Parses a text of any size with the full parser alone; tests compare the plain reader with it. Errors (invalid): as
// parse_json().
Result<Value> parse_fully(std::string_view text);

}  // namespace orlop
