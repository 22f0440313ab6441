// Reads JSON text in one pass: the texts that the engine writes itself, and most of those that clients send.
//
// It takes only what the full parser (json.cpp) takes too, and makes the same of it. What it does not take (broken
// text, an escape \uXXXX, a duplicate key, a number out of range, more than json_depth_max levels) is left to the full
// parser, which finds the message for it.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "model/value.h"

namespace orlop {

std::optional<Value> read_plain_json(std::string_view text);

// True if read_plain_json() would take the text and make an object of it; nothing is built.
bool is_plain_json_object(std::string_view text);

// Whether parse_stored() (json.h) would make an object of the text, at less cost.
bool is_stored_object(std::string_view text);

// The full parser alone, of a text of any size: what the plain reader is tested against. Errors (invalid): those of
// parse_json().
Result<Value> parse_fully(std::string_view text);

}  // namespace orlop
