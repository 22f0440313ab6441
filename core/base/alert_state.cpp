#include "base/alert_state.h"

#include <cstddef>
#include <iterator>

namespace orlop {

std::string_view to_string(AlertState state) {
  const auto number = static_cast<std::size_t>(state);
  return number == 0 || number > std::size(alert_states) ? std::string_view() : alert_states[number - 1];
}

}  // namespace orlop
