#include "base/text/secret_mask.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <span>
#include <utility>

#include "base/sort_unique.h"
#include "base/text/base64.h"

namespace orlop {
namespace {

constexpr int filter_bits = 16;
constexpr int decodings_max = 3;              // maximum nesting
constexpr std::size_t compared_min = 65'536;  // minimum of the bytes that one search may compare
constexpr std::size_t compared_by_byte = 64;
constexpr std::array<std::size_t, 2> wrapped_sizes = {64, 76};  // letters in a line of PEM and of MIME

std::uint64_t key_at(const char* bytes) {
  std::uint64_t key = 0;
  std::memcpy(&key, bytes, SecretMask::value_size_min);
  return key;
}

std::size_t hash_of(std::uint64_t key) {
  return static_cast<std::size_t>(key * 0x9E3779B97F4A7C15ULL >> (64 - filter_bits));
}

std::span<const std::uint8_t> bytes_of_text(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

bool is_base64_letter(char given) {
  return (given >= 'A' && given <= 'Z') || (given >= 'a' && given <= 'z') || (given >= '0' && given <= '9') ||
         given == '+' || given == '/' || given == '-' || given == '_';
}

std::string in_url_alphabet(std::string text) {
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  return text;
}

std::string_view trimmed_line(std::string_view line) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t begin = line.find_first_not_of(blanks);
  return begin == std::string_view::npos ? std::string_view()
                                         : line.substr(begin, line.find_last_not_of(blanks) + 1 - begin);
}

// Returns the lines of a value, which may be a JSON document with escaped line ends.
std::vector<std::string_view> lines_of(std::string_view value) {
  std::vector<std::string_view> lines;
  while (true) {
    const std::size_t plain = value.find('\n');
    const std::size_t escaped = value.find("\\n");
    const std::size_t end = std::min(plain, escaped);
    if (const std::string_view line = trimmed_line(value.substr(0, end)); !line.empty()) lines.push_back(line);
    if (end == std::string_view::npos) return lines;
    value.remove_prefix(end + (end == plain ? 1 : 2));
  }
}

// Decoded text, and the offset of each of its bytes in the original text.
struct Decoded {
  std::string bytes;
  std::vector<std::uint32_t> places;  // one more than bytes: the last is the end

  std::size_t place(std::size_t at) const { return places.empty() ? at : places[at]; }
};

// Decodes a source. `take` appends the decoded form of the next `used` bytes.
class Decoder {
 public:
  explicit Decoder(const Decoded& source) : source_(source) {
    result_.bytes.reserve(source.bytes.size());
    result_.places.reserve(source.bytes.size() + 1);
  }
  std::string_view rest() const { return std::string_view(source_.bytes).substr(at_); }
  void take(std::string_view decoded, std::size_t used) {
    for (const char byte : decoded) {
      result_.bytes.push_back(byte);
      result_.places.push_back(static_cast<std::uint32_t>(source_.place(at_)));
    }
    at_ += used;
  }
  Decoded finish() && {
    result_.places.push_back(static_cast<std::uint32_t>(source_.place(source_.bytes.size())));
    return std::move(result_);
  }

 private:
  const Decoded& source_;
  Decoded result_;
  std::size_t at_ = 0;
};

// Returns the value of the first `count` hexadecimal digits, or nullopt if one of them is not a digit.
std::optional<std::uint32_t> hex_in(std::string_view digits, std::size_t count) {
  if (digits.size() < count) return std::nullopt;
  std::uint32_t number = 0;
  for (const char digit : digits.substr(0, count)) {
    const int value = digit >= '0' && digit <= '9'   ? digit - '0'
                      : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10
                      : digit >= 'A' && digit <= 'F' ? digit - 'A' + 10
                                                     : -1;
    if (value < 0) return std::nullopt;
    number = number << 4 | static_cast<std::uint32_t>(value);
  }
  return number;
}

std::string utf8_of(std::uint32_t point) {
  const auto byte = [](std::uint32_t value) { return static_cast<char>(value & 0xFF); };
  if (point < 0x80) return {byte(point)};
  if (point < 0x800) return {byte(0xC0 | point >> 6), byte(0x80 | (point & 0x3F))};
  if (point < 0x10000) return {byte(0xE0 | point >> 12), byte(0x80 | (point >> 6 & 0x3F)), byte(0x80 | (point & 0x3F))};
  return {byte(0xF0 | point >> 18), byte(0x80 | (point >> 12 & 0x3F)), byte(0x80 | (point >> 6 & 0x3F)),
          byte(0x80 | (point & 0x3F))};
}

// Meaning of `\xe9`: in C, Go and bytes of Python a byte, in texts of Python and JavaScript a code point.
enum class HexEscape : std::uint8_t { byte, point };

// Reads an escape of JSON, Python, Go or C at the front, which is a backslash. Returns its value and its size.
std::pair<std::string, std::size_t> escape_in(std::string_view text, HexEscape hex) {
  const std::string_view digits = text.substr(std::min<std::size_t>(text.size(), 2));
  const auto point = hex_in(digits, 4);
  switch (text.size() < 2 ? '\0' : text[1]) {
    case 'n': return {"\n", 2};
    case 'r': return {"\r", 2};
    case 't': return {"\t", 2};
    case 'b': return {"\b", 2};
    case 'f': return {"\f", 2};
    case '"': return {"\"", 2};
    case '\'': return {"'", 2};
    case '\\': return {"\\", 2};
    case '/': return {"/", 2};
    case 'x':
      if (const auto code = hex_in(digits, 2))
        return {hex == HexEscape::byte ? std::string(1, static_cast<char>(*code)) : utf8_of(*code), 4};
      break;
    case 'U':
      if (const auto code = hex_in(digits, 8)) return {utf8_of(*code), 10};
      break;
    case 'u':
      if (!point) break;
      if (const auto low = *point >= 0xD800 && *point < 0xDC00 && digits.substr(4).starts_with("\\u")
                               ? hex_in(digits.substr(6), 4)
                               : std::nullopt) {
        return {utf8_of(0x10000 + ((*point & 0x3FF) << 10 | (*low & 0x3FF))), 12};
      }
      return {utf8_of(*point), 6};
    default: break;
  }
  return {"\\", 1};
}

Decoded unescaped(const Decoded& source, HexEscape hex) {
  Decoder decoder(source);
  while (!decoder.rest().empty()) {
    if (decoder.rest().front() != '\\') {
      decoder.take(decoder.rest().substr(0, 1), 1);
      continue;
    }
    const auto [decoded, used] = escape_in(decoder.rest(), hex);
    decoder.take(decoded, used);
  }
  return std::move(decoder).finish();
}

// `is_form`: + is a blank, as in the body of a form.
Decoded percent_decoded(const Decoded& source, bool is_form) {
  Decoder decoder(source);
  while (!decoder.rest().empty()) {
    const std::string_view rest = decoder.rest();
    const auto byte = rest.front() == '%' ? hex_in(rest.substr(1), 2) : std::nullopt;
    const char decoded = byte ? static_cast<char>(*byte) : is_form && rest.front() == '+' ? ' ' : rest.front();
    decoder.take(std::string_view(&decoded, 1), byte ? 3 : 1);
  }
  return std::move(decoder).finish();
}

bool has(const Decoded& text, char letter) { return text.bytes.find(letter) != std::string::npos; }

}  // namespace

// A search for the parts of the text that hold secrets.
class SecretMask::Search {
 public:
  Search(const SecretMask& mask, std::string_view text)
      : mask_(mask), left_(std::max(compared_min, text.size() * compared_by_byte)) {
    look({std::string(text), {}}, 0);
  }

  bool is_exhausted() const { return is_exhausted_; }
  // Returns the parts in ascending order, adjacent ones merged.
  std::vector<std::pair<std::size_t, std::size_t>> found() && {
    std::ranges::sort(found_);
    std::vector<std::pair<std::size_t, std::size_t>> together;
    for (const auto& part : found_) {
      if (!together.empty() && part.first <= together.back().second)
        together.back().second = std::max(together.back().second, part.second);
      else together.push_back(part);
    }
    return together;
  }

 private:
  void look(const Decoded& text, int decodings) {
    if (is_exhausted_) return;
    scan(text);
    if (decodings == decodings_max) return;
    if (has(text, '\\')) {
      const Decoded of_bytes = unescaped(text, HexEscape::byte);
      look_into(text, of_bytes, decodings);
      if (Decoded of_points = unescaped(text, HexEscape::point); of_points.bytes != of_bytes.bytes)
        look_into(text, of_points, decodings);
    }
    if (has(text, '%')) look_into(text, percent_decoded(text, false), decodings);
    if (has(text, '+')) look_into(text, percent_decoded(text, true), decodings);
  }
  void look_into(const Decoded& text, const Decoded& decoded, int decodings) {
    if (decoded.bytes != text.bytes) look(decoded, decodings + 1);
  }

  void scan(const Decoded& text) {
    const std::string_view bytes = text.bytes;
    for (std::size_t at = 0; at + value_size_min <= bytes.size() && !is_exhausted_; ++at) {
      const std::uint64_t key = key_at(bytes.data() + at);
      if (mask_.filter_[hash_of(key)]) match(text, at, key);
    }
  }

  void match(const Decoded& text, std::size_t at, std::uint64_t key) {
    auto entry = std::ranges::lower_bound(mask_.entries_, key, {}, &Entry::key);
    for (; entry != mask_.entries_.end() && entry->key == key; ++entry) {
      const Pattern& pattern = mask_.patterns_[entry->pattern];
      if (text.bytes.size() - at < pattern.text.size()) continue;
      const auto compared = static_cast<std::size_t>(
          std::ranges::mismatch(pattern.text, std::string_view(text.bytes).substr(at)).in1 - pattern.text.begin());
      if (compared > left_) {
        is_exhausted_ = true;
        return;
      }
      left_ -= compared;
      if (compared == pattern.text.size()) take(text, at, pattern);
    }
  }

  void take(const Decoded& text, std::size_t begin, const Pattern& pattern) {
    std::size_t end = begin + pattern.text.size();
    if (pattern.has_head && begin > 0 && is_base64_letter(text.bytes[begin - 1])) --begin;
    if (pattern.has_tail && end < text.bytes.size() && is_base64_letter(text.bytes[end])) {
      ++end;
      for (int padding = 0; padding < 2 && end < text.bytes.size() && text.bytes[end] == '='; ++padding) ++end;
    }
    found_.emplace_back(text.place(begin), text.place(end));
  }

  const SecretMask& mask_;
  std::size_t left_;
  bool is_exhausted_ = false;
  std::vector<std::pair<std::size_t, std::size_t>> found_;
};

SecretMask::SecretMask(const std::vector<std::string>& values) {
  std::vector<std::string_view> all;
  for (const std::string& value : values) {
    all.emplace_back(value);
    std::ranges::copy(lines_of(value), std::back_inserter(all));
  }
  sort_unique(all);
  for (const std::string_view value : all) add_value(value);
  if (patterns_.empty()) return;
  filter_.resize(std::size_t{1} << filter_bits);
  for (std::uint32_t at = 0; at < patterns_.size(); ++at) {
    entries_.push_back({key_at(patterns_[at].text.data()), at});
    filter_[hash_of(entries_.back().key)] = true;
  }
  std::ranges::sort(entries_, {}, &Entry::key);
}

void SecretMask::add(std::string text, bool has_head, bool has_tail) {
  if (text.size() >= value_size_min) patterns_.push_back({std::move(text), has_head, has_tail});
}

void SecretMask::add_value(std::string_view value) {
  if (value.size() < value_size_min) return;
  add(std::string(value), false, false);
  add_base64(value, 1);
}

// Adds the value's Base64 text for each of the three offsets in a group of bytes: the letters that hold only bits of
// the value. With `nested` also the text encoded in Base64 twice.
void SecretMask::add_base64(std::string_view value, int nested) {
  for (std::size_t before = 0; before < 3; ++before) {
    std::string text = to_base64(bytes_of_text(std::string(before, '\0').append(value)));
    const std::size_t over = (before + value.size()) % 3;
    const bool has_tail = over != 0;
    if (has_tail) text.resize(text.size() - (over == 1 ? 3 : 2));
    const std::size_t head = before == 0 ? 0 : before + 1;
    text.erase(0, std::min(head, text.size()));
    if (before == 0) {
      for (const std::size_t size : wrapped_sizes) {
        for (std::size_t at = 0; text.size() > size && at < text.size(); at += size)
          add(text.substr(at, size), false, false);
      }
    }
    if (nested > 0) add_base64(text, nested - 1);
    if (text.find_first_of("+/") != std::string::npos) add(in_url_alphabet(text), before != 0, has_tail);
    add(std::move(text), before != 0, has_tail);
  }
}

std::optional<std::string> SecretMask::masked(std::string_view text) const {
  if (empty() || text.size() < value_size_min) return std::nullopt;
  Search search(*this, text);
  if (search.is_exhausted()) return std::string(mark);
  const auto found = std::move(search).found();
  if (found.empty()) return std::nullopt;
  std::string result;
  std::size_t after = 0;
  for (const auto& [begin, end] : found) {
    result.append(text.substr(after, begin - after)).append(mark);
    after = end;
  }
  return result.append(text.substr(after));
}

}  // namespace orlop
