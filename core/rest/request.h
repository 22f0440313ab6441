// Parsing of a request: its path, query, method and headers.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "rest/exchange.h"
#include "unit/operation.h"

namespace orlop {

struct RequestTarget {
  std::string path;  // percent-decoded, without the query
  Query query;
};

// Errors (invalid): no leading slash, over path_size_max, a bad percent escape, not UTF-8, control characters.
Result<RequestTarget> parse_target(std::string_view target);

// Returns the first non-empty header of this name, or "". `wanted` is in lower case.
std::string_view header_of(const Request& request, std::string_view wanted);

// Refuses names, for operations that do not create resources by name. Error invalid: the request has names.
Result<void> refuse_names(const Request& request, std::string_view path);

// Returns the author that the host acts for (header X-Acting-For), or "host".
std::string author_of(const Request& request);

}  // namespace orlop
