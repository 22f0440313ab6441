// Organizations are spread over partitions, the units of ownership: one engine at a time drives the machines of a
// partition.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/id.h"

namespace orlop {

inline constexpr std::size_t partition_count = 64;

// Returns the partition of an organization's machines: FNV-1a of its id, folded to 6 bits. Stored, so never changed.
constexpr std::uint8_t partition_of(const Id& organization) {
  std::uint32_t hash = 2166136261U;
  for (const std::uint8_t byte : organization.bytes) hash = (hash ^ byte) * 16777619U;
  return static_cast<std::uint8_t>((hash ^ (hash >> 6) ^ (hash >> 12) ^ (hash >> 18) ^ (hash >> 24)) % partition_count);
}

// The last six bits of a step's id are its partition, so that the partition of a report is known without a search.
constexpr Id step_id_in(Id id, std::uint8_t partition) {
  id.bytes[15] = static_cast<std::uint8_t>((id.bytes[15] & 0xC0) | (partition & 0x3F));
  return id;
}
constexpr std::uint8_t partition_of_step(const Id& step) { return step.bytes[15] & 0x3F; }

// A set of partitions.
class PartitionSet {
 public:
  constexpr PartitionSet() = default;
  constexpr explicit PartitionSet(std::uint64_t bits) : bits_(bits) {}
  static constexpr PartitionSet all() { return PartitionSet(UINT64_MAX); }
  static constexpr PartitionSet one(std::uint8_t partition) {
    return PartitionSet(std::uint64_t{1} << (partition % partition_count));
  }

  constexpr std::uint64_t bits() const { return bits_; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr std::size_t size() const { return static_cast<std::size_t>(std::popcount(bits_)); }
  constexpr bool contains(std::uint8_t partition) const {
    return partition < partition_count && (bits_ >> partition & 1) != 0;
  }
  constexpr void add(std::uint8_t partition) { bits_ |= one(partition).bits_; }
  constexpr void remove(std::uint8_t partition) { bits_ &= ~one(partition).bits_; }
  constexpr PartitionSet without(PartitionSet other) const { return PartitionSet(bits_ & ~other.bits_); }
  friend constexpr PartitionSet operator|(PartitionSet a, PartitionSet b) { return PartitionSet(a.bits_ | b.bits_); }
  friend constexpr PartitionSet operator&(PartitionSet a, PartitionSet b) { return PartitionSet(a.bits_ & b.bits_); }
  friend constexpr bool operator==(PartitionSet, PartitionSet) = default;

  // Calls `act` with each partition, ascending.
  template <typename Act>
  constexpr void for_each(const Act& act) const {
    for (std::uint64_t left = bits_; left != 0; left &= left - 1)
      act(static_cast<std::uint8_t>(std::countr_zero(left)));
  }

 private:
  std::uint64_t bits_ = 0;
};

}  // namespace orlop
