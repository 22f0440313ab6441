// python/orlop/reporting/chart.py: how charts draw each state, from the table of states.
#pragma once

#include <string>

namespace orlop {

std::string python_chart();

}  // namespace orlop
