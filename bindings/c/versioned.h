// Structs that begin with their size, so that callers and libraries of different versions work together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

#include "guard.h"

namespace orlop::c {

// Copies `given` over `defaults`. The struct of an older caller may be smaller; that of a newer one may be larger, but
// must have zeros after the members that this library knows. `size_min`: size of the members that every version has.
// `what` names the struct in the error.
template <typename Struct>
Result<Struct> read_versioned(const Struct* given, Struct defaults, std::size_t size_min, const char* what) {
  if (given == nullptr) return misuse(std::string(what) + " is NULL");
  std::size_t size = 0;
  std::memcpy(&size, given, sizeof size);
  if (size < size_min || size > 4096) {
    return misuse(std::string(what) + ".size is " + std::to_string(size) +
                  ", not that of the struct; initialize it with its macro");
  }
  const char* bytes = reinterpret_cast<const char*>(given);
  for (std::size_t place = sizeof(Struct); place < size; ++place) {
    if (bytes[place] != 0)
      return misuse(std::string(what) + " uses a member that this version of the library does not have");
  }
  std::memcpy(&defaults, given, std::min(size, sizeof(Struct)));
  return defaults;
}

}  // namespace orlop::c
