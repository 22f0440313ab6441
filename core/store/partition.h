// Organizations are spread over partitions, the units of ownership: one engine at a time moves on what belongs to a partition.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/id.h"

namespace orlop {

inline constexpr std::size_t partition_count = 64;

// The partition of an organization's machines: FNV-1a of its id, folded to 6 bits. Stored, so never changed.
constexpr std::uint8_t partition_of(const Id& organization) {
  std::uint32_t hash = 2166136261U;
  for (const std::uint8_t byte : organization.bytes) hash = (hash ^ byte) * 16777619U;
  return static_cast<std::uint8_t>((hash ^ (hash >> 6) ^ (hash >> 12) ^ (hash >> 18) ^ (hash >> 24)) % partition_count);
}

}  // namespace orlop
