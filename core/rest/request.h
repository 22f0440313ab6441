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

// The first header of this name, which is given in lower case, that is not empty; "" without.
std::string_view header_of(const Request& request, std::string_view wanted);

// For paths and operations that create nothing by name. Error invalid: the request has names.
Result<void> refuse_names(const Request& request, std::string_view path);

// Whom the in-process host acts for; without the header the host itself is the author.
std::string author_of(const Request& request);

}  // namespace orlop
