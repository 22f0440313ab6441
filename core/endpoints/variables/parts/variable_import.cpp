#include "endpoints/variables/parts/variable_import.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/family_number.h"
#include "endpoints/variables/parts/owner.h"
#include "model/registry.h"
#include "model/validate.h"
#include "records/variables/variable_text.h"
#include "wire/writer.h"

namespace orlop {
namespace {

struct Imported {
  NewVariable variable;
  std::string scope;
};

std::vector<Imported> variables_in(const Value& body) {
  std::vector<Imported> all;
  for (const Value& item : body.find("vars")->items()) {
    Imported imported;
    imported.variable.key = item.text_or("name", "");
    imported.variable.value = item.text_or("value", "");
    imported.variable.is_secret = item.boolean_or("is_secret", false);
    imported.scope = item.text_or("scope", "");
    all.push_back(std::move(imported));
  }
  return all;
}

// Returns null if the service has no scope of this name.
const Record* owner_for(const VariableOwners& owners, std::string_view scope) {
  if (scope == "PROJECT") return &owners.project();
  if (scope == "ENVIRONMENT") return owners.environment();
  const Record* service = owners.service();
  const Family* family = service == nullptr ? nullptr : find_family(service->family);
  return family != nullptr && variable_scope_of(*family) == scope ? service : nullptr;
}

Result<void> check_syntax(const VariableOwners& owners, const std::vector<Imported>& all) {
  Violations violations;
  for (std::size_t at = 0; at < all.size() && violations.size() < violations_counted_max; ++at) {
    const std::string prefix = "vars[" + std::to_string(at) + "].";
    const std::size_t before = violations.size();
    check_variable(all[at].variable, prefix, violations);
    for (std::size_t found = before; found < violations.size(); ++found) {
      if (violations[found].field == prefix + "key") violations[found].field = prefix + "name";
    }
    if (owner_for(owners, all[at].scope) != nullptr) continue;
    violations.push_back(
        {prefix + "scope", "must be PROJECT, ENVIRONMENT or the kind of the service, not " + all[at].scope});
  }
  if (violations.empty()) return {};
  return refusal(std::move(violations));
}

bool is_left_out(const Error& error) { return error.code == ErrorCode::conflict || error.code == ErrorCode::invalid; }

// Returns true if the variable was written. An existing one is changed only with `overwrites`, and keeps its id and
// aliases.
Result<bool> import_one(Unit& unit, const Record& owner, const Imported& imported, bool overwrites) {
  ORLOP_TRY(holder, unit.find(variable_key(owner.id, imported.variable.key)));
  if (!holder) {
    const auto made = create_variable(unit, owner, imported.variable, Batch::part);
    return made ? Result<bool>(true) : Result<bool>(made.error());
  }
  if (!overwrites) return false;
  ORLOP_TRY(named, require_variable(unit, *holder));
  if (named.type != VariableType::value && named.type != VariableType::override_) return false;
  VariableEdit edit;
  ORLOP_TRY(before, content_of(named.record));
  edit.key = before.key;
  edit.value = imported.variable.value;
  edit.description = before.description;
  edit.is_secret = imported.variable.is_secret;
  const auto edited = edit_variable(unit, named, edit, Batch::part);
  return edited ? Result<bool>(true) : Result<bool>(edited.error());
}

void write_item(Writer& out, const Imported& imported) {
  out.begin_object().field("name", std::string_view(imported.variable.key));
  if (!imported.variable.is_secret) out.field("value", std::string_view(imported.variable.value));
  out.field("scope", std::string_view(imported.scope)).field("is_secret", imported.variable.is_secret).end_object();
}

}  // namespace

Result<Answer> import_variables(Unit& unit, const Call& call, const Record& service) {
  ORLOP_TRY(owners, owners_of(unit, service));
  const std::vector<Imported> all = variables_in(*call.body);
  ORLOP_CHECK(check_syntax(owners, all));
  const bool overwrites = call.body->boolean_or("overwrite", false);
  Writer out;
  out.begin_object().field("total_variables_to_import", static_cast<std::int64_t>(all.size()));
  out.key("successful_imported_variables").begin_list();
  for (const Imported& imported : all) {
    const Record& owner = *owner_for(owners, imported.scope);
    ORLOP_CHECK(require_level(unit, call, owner, Level::manage));
    const auto taken = import_one(unit, owner, imported, overwrites);
    if (!taken && !is_left_out(taken.error())) return taken.error();
    if (taken && *taken) write_item(out, imported);
  }
  out.end_list().end_object();
  const bool has_some =
      std::ranges::any_of(all, [](const Imported& imported) { return has_reference(imported.variable.value); });
  const BatchReferences references = has_some ? BatchReferences::some : BatchReferences::none;
  for (const Record& owner : owners.records) {
    const bool is_written = std::ranges::any_of(
        all, [&](const Imported& imported) { return owner_for(owners, imported.scope)->id == owner.id; });
    if (is_written) ORLOP_CHECK(finish_batch(unit, owner, references));
  }
  return Answer{201, std::move(out).take()};
}

}  // namespace orlop
