// The API as OpenAPI 3.0: every route, every family, every error.
#pragma once

#include <string>
#include <string_view>

namespace orlop {

// `brand` is the word in names such as is_platform_paying_feature.
std::string openapi(std::string_view brand);

}  // namespace orlop
