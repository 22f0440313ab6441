#include "unit/unique_name.h"

#include <algorithm>
#include <memory>

#include "base/text/case_folding.h"
#include "model/registry.h"
#include "wire/json.h"
#include "wire/object_member.h"
#include "wire/plain_run.h"

namespace orlop {

const Field* name_field(const Family& family) {
  const auto found = std::ranges::find(family.fields, true, &Field::is_unique_name);
  return found == family.fields.end() ? nullptr : &*found;
}

bool is_found_by_name(const Family& family) {
  const Field* const field = name_field(family);
  return field != nullptr && field->name == "name" && family.name_scope != NameScope::none;
}

namespace {

std::string_view scope_words(const Family& family) {
  switch (family.name_scope) {
    case NameScope::none:
    case NameScope::everywhere: return "";
    case NameScope::organization: return " of this organization";
    case NameScope::parent: return is_root(family) ? "" : " of this ";
  }
  return "";
}

}  // namespace

std::string name_key(const Family& family, const Id& parent, const Id& organization, std::string_view name) {
  Id scope;
  switch (family.name_scope) {
    case NameScope::none: return "";
    case NameScope::everywhere: break;
    case NameScope::organization: scope = organization; break;
    case NameScope::parent: scope = parent; break;
  }
  const Field* field = name_field(family);
  if (field == nullptr) return "";
  const FamilyNumber space = family.name_space == 0 ? family.number : family.name_space;
  std::string key;
  key.reserve(scope.bytes.size() + sizeof space + name.size());
  key.resize(scope.bytes.size());
  std::ranges::copy(scope.bytes, key.begin());
  key.push_back(static_cast<char>(space >> 8));
  key.push_back(static_cast<char>(space & 0xFF));
  if (field->name_case == Case::ignored) {
    append_folded(key, name);
  } else {
    key.append(name);
  }
  return key;
}

std::string words_for(const Family& family) {
  std::string noun(family.name);
  std::ranges::replace(noun, '_', ' ');
  return noun;
}

Result<void> require_free_name(Unit& unit, const Family& family, const std::string& key, std::string_view name,
                               const Record& record) {
  if (key.empty()) return {};
  const bool is_new = record.revision == 0;
  ORLOP_TRY(holder, is_new ? unit.find(key, Expected::absent) : unit.find(key));
  if (!holder || *holder == record.id) return {};
  std::string scope(scope_words(family));
  if (scope.ends_with("this ")) {
    ORLOP_TRY(parent, unit.record(record.parent));
    const Family* above = parent ? find_family(parent->family) : nullptr;
    scope += above == nullptr ? "parent" : words_for(*above);
  }
  const Field& field = *name_field(family);
  const std::string_view ending = field.name_case == Case::sensitive ? "" : "; names differ in more than case";
  return make_error(ErrorCode::conflict, std::string(field.name) + " \"" + std::string(name) +
                                             "\" is taken by another " + words_for(family) + scope +
                                             std::string(ending));
}

namespace {

// Returns the text between the quotes if it has no escapes; else "".
std::string_view plain_text_in(std::string_view raw) {
  const bool is_quoted = raw.size() >= 2 && raw.front() == '"' && raw.back() == '"';
  const std::string_view inside = is_quoted ? raw.substr(1, raw.size() - 2) : std::string_view();
  const char* const end = inside.data() + inside.size();
  return skip_plain(inside.data(), end) == end ? inside : std::string_view();
}

}  // namespace

std::string name_of(const Record& record) {
  const Family* family = find_family(record.family);
  const Field* field = family == nullptr ? nullptr : name_field(*family);
  // Families without unique names may have the member `name`.
  if (field == nullptr && family != nullptr) {
    const auto named = std::ranges::find(family->fields, "name", &Field::name);
    if (named != family->fields.end()) field = std::to_address(named);
  }
  if (field == nullptr) return "";
  if (const std::string_view raw = raw_member(record.body, field->name); !raw.empty()) {
    if (const std::string_view plain = plain_text_in(raw); !plain.empty()) return std::string(plain);
    const auto name = parse_stored(raw);
    return name && name->is_text() ? name->as_text() : "";
  }
  const auto value = parse_stored(record.body);
  return value ? std::string(value->text_or(field->name, "")) : "";
}

}  // namespace orlop
