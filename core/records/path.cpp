#include "records/path.h"

#include <string>
#include <utility>

#include "model/form.h"
#include "model/registry.h"
#include "model/validate.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "unit/unique_name.h"

namespace orlop {
namespace {

// Member or parameter that names the parent, and that of its family; "" if absent.
struct Naming {
  std::string_view id_name;
  std::string_view id;
  std::string_view family_name;
  std::string_view family;
};

Naming naming_of(const Call& call) {
  const ParentField& named = call.family->parent_field;
  if (call.body != nullptr) {
    return {named.body, call.body->text_or(named.body, ""), named.body_family,
            call.body->text_or(named.body_family, "")};
  }
  return {named.query, call.query->find(named.query).value_or(""), named.query_family,
          call.query->find(named.query_family).value_or("")};
}

std::string parent_words(const Family& family) {
  const Family* parent = parent_of(family);
  return parent == nullptr ? "resource" : words_for(*parent);
}

// Compares with a family's name in a request: "CONTAINER" for container.
bool is_named(const Family& family, std::string_view name) { return lower_case(name) == family.name; }

std::string upper(std::string_view name) {
  std::string text(name);
  for (char& letter : text) {
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  }
  return text;
}

Error of_other_family(const Naming& naming, const Family& family) {
  return refusal(
      {{std::string(naming.family_name), "must be " + upper(family.name) + ", as " + std::string(naming.id_name) +
                                             " names one, not \"" + std::string(naming.family) + "\""}});
}

// Compares the ancestors of `record` with the ids before it in the path, nearest first.
Result<void> require_above(Unit& unit, const Call& call, const Record& record, std::size_t count) {
  Id above = record.parent;
  for (std::size_t at = count; at > 0; --at) {
    if (above != call.ids[at - 1]) return not_found(words_for(*find_family(record.family)), record.id);
    if (at == 1) break;
    ORLOP_TRY(next, unit.record(above));
    if (!next) return not_found(words_for(*find_family(record.family)), record.id);
    above = next->parent;
  }
  return {};
}

}  // namespace

Result<Id> named_parent(const Call& call) {
  if (!call.ids.empty()) return call.ids.back();
  if (is_root(*call.family)) return Id{};
  const Naming naming = naming_of(call);
  const std::string name(naming.id_name);
  if (call.body != nullptr && !call.body->is_object()) {
    return refusal({{"", "the body must be an object, not " + std::string(describe(call.body->type()))}});
  }
  const Value* given = call.body == nullptr ? nullptr : call.body->find(naming.id_name);
  if (given != nullptr && !given->is_null() && !given->is_text()) {
    return refusal({{name, "must be a uuid, not " + std::string(describe(given->type()))}});
  }
  if (naming.id.empty())
    return refusal({{name, call.body == nullptr ? "is a required query parameter" : "is required"}});
  if (const auto id = parse_id(naming.id)) return *id;
  return refusal({{name, "must be a uuid, not \"" + std::string(naming.id.substr(0, 60)) + "\""}});
}

Result<Shared<Record>> require_parent(Unit& unit, const Family& family, const Id& id) {
  ORLOP_TRY(record, unit.record(id));
  const Family* found = !record ? nullptr : find_family(record->family);
  if (found == nullptr || !may_be_parent(*found, family)) return not_found(parent_words(family), id);
  return std::move(record);
}

Result<Id> parent_on_path(Unit& unit, const Call& call) {
  ORLOP_TRY(id, named_parent(call));
  const bool has_one_parent = call.family->parents.front().empty();
  if (has_one_parent && (call.ids.size() == 1 || id.is_nil())) return id;
  if (!call.ids.empty()) {
    if (call.parent == nullptr) return id;
    ORLOP_TRY(parent, require(unit, *call.parent, id));
    ORLOP_CHECK(require_above(unit, call, parent, call.ids.size() - 1));
    return id;
  }
  ORLOP_TRY(parent, require_parent(unit, *call.family, id));
  const Naming naming = naming_of(call);
  const Family& family = *find_family(parent->family);
  if (!naming.family_name.empty() && naming.family.empty())
    return refusal({{std::string(naming.family_name), "is required"}});
  const bool is_other = !naming.family_name.empty() && !is_named(family, naming.family);
  if (is_other) return of_other_family(naming, family);
  return id;
}

Result<Record> record_on_path(Unit& unit, const Call& call) {
  ORLOP_TRY(record, require(unit, *call.family, call.ids.back()));
  if (call.ids.size() == 1) return std::move(record);
  ORLOP_CHECK(require_above(unit, call, record, call.ids.size() - 1));
  if (call.parent != nullptr && !call.family->parents.front().empty()) {
    ORLOP_TRY(parent, unit.record(record.parent));
    if (!parent || parent->family != call.parent->number) return not_found(words_for(*call.family), record.id);
  }
  return std::move(record);
}

}  // namespace orlop
