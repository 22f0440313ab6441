// The requests that control a simulation, as an OpenAPI 3.1 document: GET /-/sim/openapi.json.
#pragma once

#include <string>

namespace orlop {

std::string control_description();

}  // namespace orlop
