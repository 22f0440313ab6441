// Converts a request of the C API to one of the core.
#pragma once

#include <string>

#include "base/result.h"
#include "orlop/orlop.h"
#include "rest/exchange.h"

namespace orlop::c {

// Copies the struct and checks its texts. Errors: misuse.
Result<orlop_request> read_request(const orlop_request* request);

// Returns views into `given`. `joined` holds the joined path and query if the query is separate.
Request request_of(const orlop_request& given, std::string& joined);

}  // namespace orlop::c
