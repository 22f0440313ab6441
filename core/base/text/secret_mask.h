// Removal of the values of secrets from texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orlop {

// Finds secret values in a text as they are, percent-encoded, escaped as in JSON, and in Base64 from any byte on, also
// one in the other: a URL in JSON, a Docker configuration in a Kubernetes secret. Of a value of several lines each line
// is found, too, because the lines may come as texts of their own. Safe on every thread.
class SecretMask {
 public:
  // Bytes. Shorter values and lines are not masked: they occur everywhere.
  static constexpr std::size_t value_size_min = 6;
  static constexpr std::string_view mark = "***";

  explicit SecretMask(const std::vector<std::string>& values);

  // No value is long enough.
  bool empty() const { return entries_.empty(); }

  // The text with the mark in the place of each value; nothing if there is none. The work is bounded: a text that would
  // cost more, as one made to do so, is masked as a whole.
  std::optional<std::string> masked(std::string_view text) const;

 private:
  struct Pattern {
    std::string text;
    bool has_head = false;  // the letter in front of it holds bits of the value
    bool has_tail = false;  // the letter behind it does
  };
  struct Entry {
    std::uint64_t key = 0;  // the first value_size_min bytes
    std::uint32_t pattern = 0;
  };
  class Search;

  void add(std::string text, bool has_head, bool has_tail);
  void add_value(std::string_view value);
  void add_base64(std::string_view value, int nested);

  std::vector<Pattern> patterns_;
  std::vector<Entry> entries_;  // ascending by key
  std::vector<bool> filter_;    // by a hash of the key: whether there may be an entry
};

}  // namespace orlop
