// Removal of secret values from texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orlop {

// Finds secret values in a text as they are, percent-encoded, escaped as in JSON, and in Base64 at any offset.
// Encodings may be nested: a URL in JSON, a Docker configuration in a Kubernetes secret. Also finds each line of a
// value of several lines, because lines may occur in separate texts. Thread-safe.
class SecretMask {
 public:
  // Minimum size in bytes. Shorter values and lines are not masked: they occur everywhere.
  static constexpr std::size_t value_size_min = 6;
  static constexpr std::string_view mark = "***";

  explicit SecretMask(const std::vector<std::string>& values);

  // True if no value is long enough.
  bool empty() const { return entries_.empty(); }

  // Returns the text with the mark instead of each value, or nullopt if it contains none. The work is bounded: a text
  // that exceeds the bound is masked as a whole.
  std::optional<std::string> masked(std::string_view text) const;

 private:
  struct Pattern {
    std::string text;
    bool has_head = false;  // the letter before it holds bits of the value
    bool has_tail = false;  // the letter after it holds bits of the value
  };
  struct Entry {
    std::uint64_t key = 0;  // first value_size_min bytes
    std::uint32_t pattern = 0;
  };
  class Search;

  void add(std::string text, bool has_head, bool has_tail);
  void add_value(std::string_view value);
  void add_base64(std::string_view value, int nested);

  std::vector<Pattern> patterns_;
  std::vector<Entry> entries_;  // ascending by key
  std::vector<bool> filter_;    // by a hash of the key: false if there is no entry
};

}  // namespace orlop
