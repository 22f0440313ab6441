// Bounds on requests, all in this file. The reference states each of them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace orlop {

inline constexpr std::size_t body_size_max = std::size_t{1} << 20;  // bytes of a request body
inline constexpr std::size_t path_size_max = 8192;                  // bytes of a path with its query
inline constexpr int json_depth_max = 64;                           // nested objects and lists
inline constexpr std::int64_t page_size_max = 1000;                 // results of one page
inline constexpr std::size_t name_size_max = 255;                   // bytes of a resource's name
// Bytes of any text without a smaller bound.
inline constexpr std::size_t text_size_max = 65536;

}  // namespace orlop
