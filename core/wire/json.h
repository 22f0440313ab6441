// JSON text to values. The parser is nlohmann's, fed as events: no document tree of its is ever built.
#pragma once

#include <string_view>

#include "base/limits.h"
#include "base/result.h"
#include "model/value.h"

namespace orlop {

// Errors (invalid): not JSON (with the byte's position), not UTF-8, a duplicate key, deeper than json_depth_max, larger
// than `size_max`.
Result<Value> parse_json(std::string_view text, std::size_t size_max = body_size_max);

// Text that the engine wrote itself: an error here means a store that another program has changed (storage_corrupt).
Result<Value> parse_stored(std::string_view text);

// The member at the top of such an object; null if there is none. The others are not parsed.
Result<Value> parse_stored_member(std::string_view object, std::string_view name);

}  // namespace orlop
