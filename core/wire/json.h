// JSON text to values. Uses the event interface of nlohmann's parser, without its document tree.
#pragma once

#include <string_view>

#include "base/limits.h"
#include "base/result.h"
#include "model/value.h"

namespace orlop {

// Errors (invalid): not JSON (with the byte's position), not UTF-8, a duplicate key, deeper than json_depth_max, larger
// than `size_max`.
Result<Value> parse_json(std::string_view text, std::size_t size_max = body_size_max);

// Parses text that the engine has written: an error means that another program has changed the store (storage_corrupt).
Result<Value> parse_stored(std::string_view text);

// Returns the member at the top of such an object; null if it is absent. Does not parse the others.
Result<Value> parse_stored_member(std::string_view object, std::string_view name);

}  // namespace orlop
