// The bytes of one input, spent one decision after the other; when they are used up every decision is 0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

namespace orlop::fuzz {

class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : bytes_(reinterpret_cast<const char*>(data), size) {}

  std::uint64_t below(std::uint64_t bound) {
    std::uint64_t number = 0;
    for (std::uint64_t left = bound - 1; left > 0; left >>= 8) number = number << 8 | byte();
    return number % bound;
  }
  bool in(std::uint64_t count) { return below(count) == 0; }
  template <typename List>
  const auto& one_of(const List& list) {
    return list[static_cast<std::size_t>(below(std::size(list)))];
  }
  std::string text(std::size_t size_max) {
    // The size is decided first, because that spends bytes too.
    const auto wanted = static_cast<std::size_t>(below(size_max + 1));
    const std::size_t size = std::min(wanted, bytes_.size());
    std::string taken(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
    return taken;
  }
  bool is_empty() const { return bytes_.empty(); }

 private:
  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const auto first = static_cast<std::uint8_t>(bytes_.front());
    bytes_.remove_prefix(1);
    return first;
  }

  std::string_view bytes_;
};

// Ends the program if `holds` is false: libFuzzer and seeded.cpp print the input.
inline void require(bool holds, std::string_view what, std::string_view detail = {}) {
  if (holds) return;
  std::cerr << "does not hold: " << what << "\n" << detail.substr(0, 4000) << std::endl;
  std::abort();
}

}  // namespace orlop::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
