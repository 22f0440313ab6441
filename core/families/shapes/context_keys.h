// Values of the validation context that several families ask for. A key that one family asks for is defined in its own
// file.
#pragma once

#include "model/family.h"

namespace orlop::context_keys {

// Text: the author of the write, "host" or a caller's name; "" for none.
inline constexpr ContextKey author{"author"};
// Text: the id of the cluster of environments that name none.
inline constexpr ContextKey default_cluster{"default_cluster"};
// Boolean: accept values that the built-in catalogs do not contain.
inline constexpr ContextKey open_catalogs{"open_catalogs"};

}  // namespace orlop::context_keys
