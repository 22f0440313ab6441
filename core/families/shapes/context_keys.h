// Values of the validation context that several families ask for. A key that one family asks for is defined in its own file.
#pragma once

#include "model/family.h"

namespace orlop::context_keys {

inline constexpr ContextKey author{"author"};                    // text: who makes this write, "host" or a caller's name; "" if nobody does
inline constexpr ContextKey brand{"brand"};                      // text: the brand word of this engine, lower case ("platform")
inline constexpr ContextKey default_cluster{"default_cluster"};  // text: the id of the cluster of environments that name none
inline constexpr ContextKey open_catalogs{"open_catalogs"};      // boolean: whether values that the built-in catalogues lack are accepted

}  // namespace orlop::context_keys
