// Has the processor fetch memory that is read soon, while other work goes on: many places that lie far apart take as long as one then. It changes nothing but time.
#pragma once

#include <cstddef>

namespace orlop {

inline void fetch(const void* from, std::size_t size) {
  constexpr std::size_t line = 64;  // bytes of it come together; where there are more or fewer, a part is fetched twice, or not ahead
  if (size == 0) return;
  const auto* const bytes = static_cast<const char*>(from);
  for (std::size_t at = 0; at < size; at += line) __builtin_prefetch(bytes + at);
  __builtin_prefetch(bytes + size - 1);
  asm volatile("");  // else a function that does nothing but this counts as one without effect, and a call of it is left out
}

// The same of what a map has under these keys, before find().
template <typename Map, typename Keys>
void fetch_entries(const Map& map, const Keys& keys) {
  for (const auto& key : keys) map.fetch_place(key);
  for (const auto& key : keys) map.fetch_entry(key);
}

}  // namespace orlop
