// Parsing of a request's path, query and method.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "ops/call.h"

namespace orlop {

struct RequestTarget {
  std::string path;  // percent-decoded, without the query
  Query query;
};

// Errors (invalid): no leading slash, over path_size_max, a bad percent escape, not UTF-8, control characters.
Result<RequestTarget> parse_target(std::string_view target);

}  // namespace orlop
