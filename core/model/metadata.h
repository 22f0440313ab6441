// Metadata: a map of text to text that the host stores with a record of any family. The engine does not interpret it.
#pragma once

#include <cstddef>
#include <string_view>

#include "model/family.h"

namespace orlop {

inline constexpr std::size_t metadata_entries_max = 64;
inline constexpr std::size_t metadata_key_size_max = 128;     // bytes
inline constexpr std::size_t metadata_value_size_max = 2048;  // bytes

inline constexpr Field metadata_field =
    open_object("metadata",
                "Metadata of the host: at most 64 entries, keys of 1 to 128 bytes, values of at most 2048 bytes. An "
                "edit that omits it keeps it; null or "
                "an empty object removes it. Lists are filtered by `metadata.KEY=VALUE` in the query. Absent: none.")
        .nullable();

// Sets the metadata of `record`, as its last member: that of `body`, else that of `previous`. Omits the member if there
// is none.
void take_metadata(const Value& body, const Value* previous, Value& record, Violations& violations);

}  // namespace orlop
