// Generates the lists of questions: include/orlop/questions.h and python/orlop/generated/external_systems.py.
#pragma once

#include <string>

namespace orlop {

std::string questions_header();
std::string python_questions();

}  // namespace orlop
