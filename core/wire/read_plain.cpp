#include "wire/read_plain.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "base/text/utf8.h"
#include "wire/plain_run.h"

namespace orlop {
namespace {

// Names of one object so far. Equal names have the same mark, so that most need no comparison.
class Names {
 public:
  // The names of this object are appended to `names`.
  explicit Names(std::vector<std::string_view>& names) : names_(names), begin_(names.size()) {}
  ~Names() { names_.resize(begin_); }
  Names(const Names&) = delete;
  Names& operator=(const Names&) = delete;

  // Returns false if the name is a duplicate. From `few` names on, are_distinct() detects duplicates instead.
  bool add(std::string_view name) {
    const std::uint64_t mark = mark_of(name);
    const bool may_be_there = (marks_ & mark) != 0 && names_.size() - begin_ < few;
    marks_ |= mark;
    if (may_be_there &&
        std::find(names_.begin() + static_cast<std::ptrdiff_t>(begin_), names_.end(), name) != names_.end())
      return false;
    names_.push_back(name);
    return true;
  }
  bool are_distinct() {
    if (names_.size() - begin_ <= few) return true;
    const auto first = names_.begin() + static_cast<std::ptrdiff_t>(begin_);
    std::sort(first, names_.end());
    return std::adjacent_find(first, names_.end()) == names_.end();
  }

 private:
  static constexpr std::size_t few = 64;  // for more names, sorting is cheaper than comparing all pairs
  static std::uint64_t mark_of(std::string_view name) {
    if (name.empty()) return 1;
    const auto letter = [&name](std::size_t at) { return static_cast<unsigned char>(name[at]); };
    const std::size_t mixed = name.size() * 7 + letter(0) * 5 + letter(name.size() / 2) * 3 + letter(name.size() - 1);
    return std::uint64_t{1} << (mixed & 63);
  }

  std::vector<std::string_view>& names_;
  std::size_t begin_;
  std::uint64_t marks_ = 0;
};

// Each function reads one element at the cursor and moves past it. Returns false if it is not plain; the state is then
// undefined. `out` receives the value; null: it is only checked.
class Reader {
 public:
  explicit Reader(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  bool text(Value* out) {
    skip_space();
    if (!value(out, 0)) return false;
    skip_space();
    return at_ == end_;
  }

 private:
  void skip_space() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r')) ++at_;
  }
  bool take(char letter) {
    if (at_ == end_ || *at_ != letter) return false;
    ++at_;
    return true;
  }
  bool take(std::string_view literal) {
    if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(literal)) return false;
    at_ += literal.size();
    return true;
  }

  bool value(Value* out, int depth) {
    if (at_ == end_) return false;
    switch (*at_) {
      case '{': return depth < json_depth_max && object(out, depth + 1);
      case '[': return depth < json_depth_max && list(out, depth + 1);
      case '"': return text_value(out);
      case 't': return take("true") && put(out, true);
      case 'f': return take("false") && put(out, false);
      case 'n': return take("null") && put(out, Value());
      default: return number(out);
    }
  }

  template <typename Given>
  static bool put(Value* out, Given&& given) {
    if (out != nullptr) *out = Value(std::forward<Given>(given));
    return true;
  }

  bool list(Value* out, int depth) {
    ++at_;
    if (out != nullptr) *out = Value::list();
    skip_space();
    if (take(']')) return true;
    do {
      skip_space();
      Value* item = out == nullptr ? nullptr : &out->items().emplace_back();
      if (!value(item, depth)) return false;
      skip_space();
    } while (take(','));
    return take(']');
  }

  bool object(Value* out, int depth) {
    ++at_;
    if (out != nullptr) *out = Value::object();
    skip_space();
    if (take('}')) return true;
    if (out != nullptr)
      out->members().reserve(
          depth > 1 ? 4 : std::min(likely_members_max, static_cast<std::size_t>(end_ - at_) / likely_member_size + 1));
    if (names_.capacity() == 0) names_.reserve(likely_members_max);
    Names names(names_);
    do {
      skip_space();
      std::string_view name;
      bool has_escapes = false;
      if (!quoted(name, has_escapes) || has_escapes) return false;
      if (!names.add(name)) return false;
      skip_space();
      if (!take(':')) return false;
      skip_space();
      Value* member = out == nullptr ? nullptr : &out->members().emplace_back(Name(name)).value;
      if (!value(member, depth)) return false;
      skip_space();
    } while (take(','));
    return take('}') && names.are_distinct();
  }

  // Reads the raw text between the quotes.
  bool quoted(std::string_view& inside, bool& has_escapes) {
    if (!take('"')) return false;
    const char* const begin = at_;
    bool is_ascii = true;
    for (at_ = skip_plain(at_, end_); at_ != end_ && *at_ != '"'; at_ = skip_plain(at_ + 1, end_)) {
      const auto byte = static_cast<unsigned char>(*at_);
      if (byte < 0x20) return false;
      is_ascii = is_ascii && byte < 0x80;
      if (byte != '\\') continue;
      has_escapes = true;
      if (++at_ == end_) return false;
      if (std::string_view("\"\\/bfnrt").find(*at_) == std::string_view::npos) return false;
    }
    inside = std::string_view(begin, static_cast<std::size_t>(at_ - begin));
    return take('"') && (is_ascii || is_utf8(inside));
  }

  bool text_value(Value* out) {
    std::string_view inside;
    bool has_escapes = false;
    if (!quoted(inside, has_escapes)) return false;
    if (out == nullptr) return true;
    return has_escapes ? put(out, unescaped(inside)) : put(out, inside);
  }

  static std::string unescaped(std::string_view inside) {
    constexpr std::string_view letters = "\"\\/bfnrt";
    constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
    std::string text;
    text.reserve(inside.size());
    for (std::size_t at = 0; at < inside.size(); ++at) {
      text.push_back(inside[at] == '\\' ? meant[letters.find(inside[++at])] : inside[at]);
    }
    return text;
  }

  static bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
  bool digits() {
    const char* const begin = at_;
    while (at_ != end_ && is_digit(*at_)) ++at_;
    return at_ != begin;
  }

  bool number(Value* out) {
    const char* const begin = at_;
    (void)take('-');
    const char* const first = at_;
    if (!digits() || (*first == '0' && at_ - first > 1)) return false;
    bool is_integer = true;
    if (take('.')) {
      is_integer = false;
      if (!digits()) return false;
    }
    if (take('e') || take('E')) {
      is_integer = false;
      if (!take('-')) (void)take('+');
      if (!digits()) return false;
    }
    return is_integer ? put_number<std::int64_t>(out, begin) : put_number<double>(out, begin);
  }
  template <typename Number>
  bool put_number(Value* out, const char* begin) {
    Number number{};
    const auto read = std::from_chars(begin, at_, number);
    return read.ec == std::errc() && read.ptr == at_ && put(out, number);
  }

  static constexpr std::size_t likely_members_max = 48;
  static constexpr std::size_t likely_member_size = 24;

  const char* at_;
  const char* end_;
  std::vector<std::string_view> names_;  // of all open objects
};

}  // namespace

std::optional<Value> read_plain_json(std::string_view text) {
  std::optional<Value> value(std::in_place);
  if (!Reader(text).text(&*value)) value.reset();
  return value;
}

bool is_plain_json_object(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \n\t\r");
  return first != std::string_view::npos && text[first] == '{' && Reader(text).text(nullptr);
}

}  // namespace orlop
