// A request of C as the core's.
#pragma once

#include <string>

#include "base/result.h"
#include "orlop/orlop.h"
#include "rest/exchange.h"

namespace orlop::c {

// A copy of the struct, whose texts can be read. Errors: misuse.
Result<orlop_request> read_request(const orlop_request* request);

// Views of what `given` names; `joined` keeps the path where the query is apart from it.
Request request_of(const orlop_request& given, std::string& joined);

}  // namespace orlop::c
