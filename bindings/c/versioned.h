// Structs that start with their size, so that a caller and a library of different versions understand each other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

#include "guard.h"

namespace orlop::c {

// A copy of `given` on top of `defaults`. An older caller's struct is smaller; a newer one's is larger, and must have
// nothing but zeros where this library knows no member. `size_min`: what the first version had to have. `what` names
// the struct in the error.
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
