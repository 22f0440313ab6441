// Reads members of a JSON object in the order and format of MemberWriter, in one pass and without a value for each. For
// objects that are read often; MemberReader reads any other format.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/id.h"
#include "base/instant.h"
#include "model/value.h"
#include "store/store.h"
#include "wire/json.h"
#include "wire/object_member.h"
#include "wire/plain_run.h"

namespace orlop {

class WrittenMembers {
 public:
  explicit WrittenMembers(std::string_view object) : members_(object) { has_next_ = members_.next(name_, raw_); }

  void id(std::string_view name, Id& out) {
    if (!take(name)) return;
    const std::optional<Id> parsed = parse_id(quoted());
    if (!parsed || parsed->is_nil()) is_other_ = true;
    else out = *parsed;
  }
  void flag(std::string_view name, bool& out) {
    if (!take(name)) return;
    if (taken_ != "true") is_other_ = true;
    else out = true;
  }
  template <typename Time>
  requires(std::same_as<Time, Instant> || std::same_as<Time, OptionalInstant> ||
           std::same_as<Time, std::optional<Instant>>) void instant(std::string_view name, Time& out) {
    if (!take(name)) return;
    const std::optional<Instant> parsed = parse_instant(quoted());
    if (!parsed) is_other_ = true;
    else out = *parsed;
  }
  void text(std::string_view name, std::string& out) {
    if (!take(name)) return;
    const std::string_view letters = quoted();
    if (is_plain(letters)) {
      out = letters;
    } else if (const auto parsed = parse_stored(taken_); parsed && parsed->is_text()) {
      out = parsed->as_text();
    } else {
      is_other_ = true;
    }
  }
  void value(std::string_view name, Value& out) {
    if (!take(name)) return;
    auto parsed = parse_stored(taken_);
    if (!parsed) is_other_ = true;
    else out = std::move(*parsed);
  }
  void ids(std::string_view name, std::vector<Id>& out);
  // Takes the text of a list, unparsed.
  void list(std::string_view name, std::string& out) {
    if (!take(name)) return;
    if (!taken_.starts_with('[')) is_other_ = true;
    else out = taken_;
  }

  // Reports whether all members were taken, each in the written format. If not, discard what was taken.
  bool is_whole() const { return !is_other_ && !has_next_ && !members_.is_broken(); }

 private:
  // Takes the text of the next member if it has this name; else the member is absent and has its default.
  bool take(std::string_view name) {
    if (!has_next_ || name_ != name) return false;
    taken_ = raw_;
    has_next_ = members_.next(name_, raw_);
    return true;
  }
  // Returns the text between the quotes; "" if the taken member is not a text.
  std::string_view quoted() const {
    return taken_.starts_with('"') ? taken_.substr(1, taken_.size() - 2) : std::string_view();
  }
  // Reports whether the letters are ASCII without escapes.
  static bool is_plain(std::string_view letters) {
    const char* const end = letters.data() + letters.size();
    return !letters.empty() && skip_plain(letters.data(), end) == end;
  }

  RawMembers members_;
  std::string_view name_;  // name of the next member
  std::string_view raw_;
  std::string_view taken_;  // text of the last member taken
  bool has_next_ = false;
  bool is_other_ = false;
};

// All items have the same length.
inline void WrittenMembers::ids(std::string_view name, std::vector<Id>& out) {
  constexpr std::size_t item = id_text_size + 3;  // two quotes, and a comma or the end of the list
  if (!take(name)) return;
  is_other_ = is_other_ || taken_.size() <= item || taken_.size() % item != 1 || taken_.front() != '[';
  if (is_other_) return;
  out.reserve(taken_.size() / item);
  for (std::string_view rest = taken_.substr(1); !rest.empty(); rest.remove_prefix(item)) {
    const bool is_item = rest.front() == '"' && rest[id_text_size + 1] == '"' &&
                         rest[id_text_size + 2] == (rest.size() == item ? ']' : ',');
    const std::optional<Id> id = is_item ? parse_id(rest.substr(1, id_text_size)) : std::nullopt;
    if (!id) {
      is_other_ = true;
      return;
    }
    out.push_back(*id);
  }
}

}  // namespace orlop
