// Keys of context values that several families read. A key that only one family reads is defined in its file.
#pragma once

#include "model/family.h"

namespace orlop::context_keys {

// Text: author of the write, "host" or a caller's name; empty if there is none.
inline constexpr ContextKey author{"author"};
// Text: id of the default cluster of environments.
inline constexpr ContextKey default_cluster{"default_cluster"};
// Boolean: accept values that the built-in catalogs do not contain.
inline constexpr ContextKey open_catalogs{"open_catalogs"};

}  // namespace orlop::context_keys
