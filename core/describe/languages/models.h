// Generates python/orlop/generated/models.py and models.pyi: a class for every family, a TypedDict for every object in
// one.
#pragma once

#include <string>

namespace orlop {

std::string python_models();
std::string python_model_types();

}  // namespace orlop
