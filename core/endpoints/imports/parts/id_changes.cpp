#include "endpoints/imports/parts/id_changes.h"

#include <string_view>
#include <utility>
#include <vector>

#include "base/family_number.h"
#include "model/registry.h"
#include "records/variables/named_ids.h"
#include "resolution/built_in.h"
#include "unit/unique_name.h"
#include "wire/json.h"
#include "wire/object_member.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::size_t digits_before_hyphen = 8;

bool is_digit(char letter) {
  return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f') || (letter >= 'A' && letter <= 'F');
}

// Returns the member with the record's name, which is not rewritten; "" if none, or if the engine has made the name
// from ids.
std::string_view kept_member(const Record& record, bool has_key_of_built_in) {
  if (record.family == variable_number) return has_key_of_built_in ? "" : "key";
  const Family* const family = find_family(record.family);
  const Field* const field = family == nullptr || family->is_internal ? nullptr : name_field(*family);
  return field == nullptr ? "" : field->name;
}

}  // namespace

void IdChanges::note(const Id& before, const Id& after, bool is_named_in_texts) {
  ids_.insert_or_assign(before, after);
  if (is_named_in_texts && before != after) by_digits_.insert_or_assign(named_digits_of(before), after);
}

std::optional<Id> IdChanges::find(const Id& before) const {
  if (const auto found = ids_.find(before); found != ids_.end()) return found->second;
  for (std::uint8_t kind = 1; kind <= built_in_kind_max; ++kind) {
    const auto owner = ids_.find(built_in_owner(before, static_cast<BuiltInKind>(kind)));
    if (owner != ids_.end()) return built_in_id(owner->second, static_cast<BuiltInKind>(kind));
  }
  return std::nullopt;
}

void IdChanges::rewrite(std::string& text, std::size_t begin, std::size_t end) const {
  rewrite_digits(text, begin, end);
  rewrite_whole(text, begin, end);
}

// A whole id after a "z" is left to rewrite_whole(), since its first digits are less specific.
void IdChanges::rewrite_digits(std::string& text, std::size_t begin, std::size_t end) const {
  if (by_digits_.empty()) return;
  std::size_t size = 0;
  for (std::size_t at = find_named_digits(text, begin); at < end; at = find_named_digits(text, at + size)) {
    const NamedId named = named_id_at(text, at);
    size = named.size;
    const auto found = named.whole.is_nil() ? by_digits_.find(named.digits) : by_digits_.end();
    if (found != by_digits_.end()) write_named_id(text, at, size, found->second);
  }
}

void IdChanges::rewrite_whole(std::string& text, std::size_t begin, std::size_t end) const {
  for (std::size_t hyphen = text.find('-', begin); hyphen < end; hyphen = text.find('-', hyphen + 1)) {
    if (hyphen < begin + digits_before_hyphen) continue;
    const std::size_t at = hyphen - digits_before_hyphen;
    const std::size_t behind = at + id_text_size;
    if (behind > end || (at > begin && is_digit(text[at - 1])) || (behind < end && is_digit(text[behind]))) continue;
    const auto before = parse_id(std::string_view(text).substr(at, id_text_size));
    const auto after = before ? find(*before) : std::nullopt;
    if (!after) continue;
    if (*after != *before) write_named_id(text, at, id_text_size, *after);
    hyphen = behind - 1;
  }
}

namespace {

using TextParts = std::vector<std::pair<std::size_t, std::size_t>>;

// Adds the bounds of the object's members except `but_for`. False if the text is not in Writer's format.
bool find_members(const std::string& object, std::string_view but_for, TextParts& parts) {
  RawMembers members(object);
  for (std::string_view name, raw; members.next(name, raw);) {
    const auto begin = static_cast<std::size_t>(raw.data() - object.data());
    if (but_for.empty() || name != but_for) parts.emplace_back(begin, begin + raw.size());
  }
  return !members.is_broken();
}

}  // namespace

void IdChanges::rewrite(Record& record, bool has_key_of_built_in) const {
  const std::string_view kept = kept_member(record, has_key_of_built_in);
  TextParts parts;
  if (!find_members(record.body, kept, parts)) {  // edited by hand
    if (const auto value = parse_stored(record.body)) record.body = to_json(*value);
    parts.clear();
    find_members(record.body, kept, parts);
  }
  for (const auto& [begin, end] : parts) rewrite(record.body, begin, end);
  rewrite(record.secrets, 0, record.secrets.size());
}

}  // namespace orlop
