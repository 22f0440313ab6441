// The fixed number of a resource family: stored, public, never reused.
#pragma once

#include <cstdint>

namespace orlop {

// 0 stands for "any family" in ranges. 1 to 999: families of the interface; 1000 and up: the engine's own records.
using FamilyNumber = std::uint16_t;

inline constexpr FamilyNumber deployment_request_number = 1000;
inline constexpr FamilyNumber cluster_lock_number = 1001;
inline constexpr FamilyNumber database_credentials_number = 1002;

}  // namespace orlop
