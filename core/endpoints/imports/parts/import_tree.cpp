#include "endpoints/imports/parts/import_tree.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/family_number.h"
#include "deploy/request/deployment_request.h"
#include "deploy/request/request_gate.h"
#include "endpoints/billing/parts/limits_of_plan.h"
#include "endpoints/environments/parts/deployment_rules.h"
#include "endpoints/environments/parts/stage_list.h"
#include "endpoints/imports/parts/counterparts.h"
#include "endpoints/imports/parts/id_changes.h"
#include "endpoints/services/parts/service_kind.h"
#include "model/check_value.h"
#include "model/missing_secret.h"
#include "model/plan_flag.h"
#include "model/registry.h"
#include "model/validate.h"
#include "records/record_key.h"
#include "records/record_value.h"
#include "records/tree/removal.h"
#include "records/variables/named_ids.h"
#include "records/variables/variable_text.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "unit/store_record.h"
#include "unit/unique_name.h"
#include "unit/unit_context.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::string_view root_field = "name";

// Texts may contain the first digits of these families' ids.
bool is_named_in_texts(const Family& family) {
  return is_service(family) || family.machine == MachineKind::cluster || family.machine == MachineKind::environment ||
         family.name == "project";
}

// Reports whether the text does not follow the fields of the family, so that it is kept as it is.
bool has_own_text(const Family& family) {
  return family.number == variable_number || family.number == member_number || family.number == token_digest_number;
}

// Record as created in this store.
struct Made {
  const Record* original;
  const Family* family;
  Record record;
  Value value;  // text with secrets
  std::vector<Id> references;
  bool refers_outside = false;
};

class TreeImport {
 public:
  TreeImport(Unit& unit, Transaction& source, Subtree tree, const ImportRequest& request,
             const std::unordered_set<Id>& taken)
      : unit_(unit),
        source_(source),
        tree_(std::move(tree)),
        request_(request),
        taken_(taken),
        counterparts_(source, unit, ids_, organization_) {}

  Result<ImportSummary> run() {
    ORLOP_CHECK(find_parent());
    ORLOP_CHECK(leave_out());
    ORLOP_CHECK(choose_ids());
    for (const Record& record : tree_.records) ORLOP_CHECK(make(record));
    if (!refusals_.empty()) return refuse();
    for (Made& made : made_) ORLOP_CHECK(put(made));
    for (const Made& made : made_) ORLOP_CHECK(complete(made));
    for (const Family* family : families_) ORLOP_CHECK(require_room(unit_, *family, organization_, 0));
    summary_.root = made_.front().record.id;
    summary_.left_out = std::move(tree_.left_out);
    return std::move(summary_);
  }

 private:
  Result<void> find_parent();
  Result<Shared<Record>> same_parent(const Record& above);
  Result<void> leave_out();
  Result<bool> is_left_out(const Record& record);
  Result<void> choose_ids();
  Result<void> choose_parts(const Value& value, bool are_new, bool are_found_by_id);
  Result<bool> is_referred_to(const Id& id);
  Result<std::set<std::string>> digits_in_use();
  Result<void> visit_services(const Id& project, std::set<std::string>& digits);
  Result<void> make(const Record& original);
  Result<void> set_references(Made& made, const std::vector<Id>& given);
  Result<void> require_name(const Family& family) const;
  Result<void> require_free_key(const Made& made);
  Result<void> refresh(Made& made);
  Result<void> put(Made& made);
  Result<void> put_own_text(Made& made);
  Result<void> complete(const Made& made);
  Result<void> complete_service(const Made& made);
  Error refuse();

  Unit& unit_;
  Transaction& source_;
  Subtree tree_;
  const ImportRequest& request_;
  const std::unordered_set<Id>& taken_;
  Id parent_;
  Id organization_;  // nil until the id is chosen, if it is the root
  IdChanges ids_;
  Counterparts counterparts_;
  std::vector<Made> made_;
  std::set<const Family*> families_;
  std::unordered_set<Id> outside_;  // targets of references that existed before the import
  std::unordered_set<Id> missing_;
  Violations refusals_;
  ImportSummary summary_;
};

Result<Shared<Record>> TreeImport::same_parent(const Record& above) {
  ORLOP_TRY(same, unit_.record(above.id));
  if (same && same->family == above.family) return same;
  std::string path;
  for (const Record& record : tree_.above) path += (path.empty() ? "" : "/") + name_of(record);
  auto found = find_by_path(unit_.stored(), find_family(above.family)->name, path, "this store");
  if (found) return Shared<Record>(std::move(*found));
  return found.error().code == ErrorCode::not_found ? Result<Shared<Record>>(Shared<Record>())
                                                    : Result<Shared<Record>>(found.error());
}

Result<void> TreeImport::find_parent() {
  if (tree_.above.empty()) {
    if (!request_.parent.empty())
      return Result<void>(refusal({{"parent", "must be left out: an organization has none"}}));
    return {};
  }
  const Record& above = tree_.above.back();
  Shared<Record> parent;
  if (request_.parent.empty()) {
    ORLOP_TRY(same, same_parent(above));
    if (!same)
      return make_error(ErrorCode::not_found, "this store has no " + label_of(above) +
                                                  ", in which the import was: give the parent to import it into");
    parent = std::move(same);
  } else {
    ORLOP_TRY(given, find_by_path(unit_.stored(), find_family(above.family)->name, request_.parent, "this store"));
    parent = Shared<Record>(std::move(given));
  }
  parent_ = parent->id;
  organization_ = parent->organization;
  // The ancestors of the root are replaced by those of the new parent.
  ids_.note(above.id, parent_, true);
  if (tree_.above.size() > 1) ids_.note(tree_.above.front().id, organization_, true);
  return {};
}

// Leaves out digests of tokens that exist, since a token authenticates in one organization, and previews of
// environments that are not imported.
Result<bool> TreeImport::is_left_out(const Record& record) {
  ORLOP_TRY(value, parse_stored(record.body));
  if (record.family == token_digest_number) {
    ORLOP_TRY(holder, unit_.find(key_of_record(*find_family(record.family), record, value).value_or("")));
    return holder.has_value();
  }
  if (find_family(record.family)->name != "preview_source") return false;
  const auto origin = parse_id(std::string_view(value.text_or("key", "")).substr(0, id_text_size));
  return std::ranges::none_of(tree_.records, [&](const Record& other) { return other.id == origin; });
}

Result<void> TreeImport::leave_out() {
  std::unordered_set<Id> left;
  for (const Record& record : tree_.records) {
    ORLOP_TRY(is_left, is_left_out(record));
    if (!is_left) continue;
    left.insert(record.id);
    if (record.family == token_digest_number) left.insert(record.parent);
  }
  std::erase_if(tree_.records, [&](const Record& record) {
    const bool is_left = left.contains(record.id);
    const Family& family = *find_family(record.family);
    if (is_left && !family.is_internal) ++tree_.left_out[std::string(family.name)];
    return is_left;
  });
  return {};
}

Result<void> TreeImport::visit_services(const Id& project, std::set<std::string>& digits) {
  RecordRange environments;
  environments.key = project;
  environments.family = environment_number;
  environments.fields = RecordRange::Fields::place;
  std::vector<Id> ids;
  ORLOP_CHECK(unit_.visit(environments, [&](const Record& record) { return ids.push_back(record.id), true; }));
  for (const Id& environment : ids) {
    ORLOP_CHECK(unit_.visit_states(environment, [&](const Machine& machine) {
      if (is_service(machine.family)) digits.insert(named_digits_of(machine.id));
    }));
  }
  return {};
}

// Returns the first digits of ids that host names and variables of other resources contain: those of the organization's
// services; for a new organization, those of all clusters.
Result<std::set<std::string>> TreeImport::digits_in_use() {
  std::set<std::string> digits;
  const bool is_new = parent_.is_nil();
  RecordRange range;
  range.key = is_new ? Id{} : organization_;
  range.family = find_family(is_new ? "organization" : "project")->number;
  range.fields = RecordRange::Fields::place;
  std::vector<Id> ids;
  ORLOP_CHECK(unit_.visit(range, [&](const Record& record) { return ids.push_back(record.id), true; }));
  for (const Id& id : ids) {
    if (!is_new) {
      ORLOP_CHECK(visit_services(id, digits));
      continue;
    }
    range.key = id;
    range.family = find_family("cluster")->number;
    ORLOP_CHECK(
        unit_.visit(range, [&](const Record& record) { return digits.insert(named_digits_of(record.id)), true; }));
  }
  return digits;
}

Result<void> TreeImport::choose_ids() {
  std::vector<Id> all;
  for (const Record& record : tree_.records) all.push_back(record.id);
  ORLOP_CHECK(unit_.load(all));
  ORLOP_TRY(digits, digits_in_use());
  const MachineKind named = parent_.is_nil() ? MachineKind::cluster : MachineKind::service;
  for (const Record& record : tree_.records) {
    const Family& family = *find_family(record.family);
    ORLOP_TRY(holder, unit_.record(record.id));
    const bool is_taken = holder || taken_.contains(record.id) ||
                          (family.machine == named && digits.contains(named_digits_of(record.id)));
    const Id id = is_taken ? unit_.make_id() : record.id;
    ids_.note(record.id, id, is_named_in_texts(family));
    if (is_taken) summary_.new_ids.emplace_back(record.id, id);
    ORLOP_TRY(value, parse_stored(record.body));
    ORLOP_CHECK(choose_parts(value, is_taken, family.machine == MachineKind::cluster));
  }
  if (parent_.is_nil()) organization_ = *ids_.find(tree_.root().id);
  return {};
}

// Chooses ids for parts of a record: ports, volumes, accesses. They are new if the record's id is, or if other records
// already refer to them.
Result<void> TreeImport::choose_parts(const Value& value, bool are_new, bool are_found_by_id) {
  for (const Value& item : value.items()) {
    const auto id = item.is_object() ? parse_id(item.text_or("id", "")) : std::nullopt;
    ORLOP_TRY(named, id && !ids_.find(*id) ? source_.record(*id) : Result<Shared<Record>>(Shared<Record>(Record())));
    if (!named) {
      ORLOP_TRY(is_taken, are_found_by_id ? is_referred_to(*id) : Result<bool>(false));
      ids_.note(*id, are_new || is_taken ? unit_.make_id() : *id, false);
    }
    ORLOP_CHECK(choose_parts(item, are_new, are_found_by_id));
  }
  for (const Member& member : value.members()) ORLOP_CHECK(choose_parts(member.value, are_new, are_found_by_id));
  return {};
}

Result<bool> TreeImport::is_referred_to(const Id& id) {
  const Id keys[] = {id};
  ORLOP_TRY(counts, unit_.stored().counts({.by = RecordRange::By::reference, .keys = keys}));
  return !counts.empty();
}

Result<void> TreeImport::make(const Record& original) {
  Made made;
  made.original = &original;
  made.family = find_family(original.family);
  made.record.id = *ids_.find(original.id);
  made.record.family = original.family;
  const bool is_root = &original == &tree_.root();
  made.record.parent = is_root ? parent_ : *ids_.find(original.parent);
  made.record.organization = organization_;
  ORLOP_TRY(links, source_.links(original.id));
  ORLOP_CHECK(set_references(made, links.references));
  made.record.body = original.body;
  made.record.secrets = original.secrets;
  bool has_key_of_built_in = false;
  if (original.family == variable_number) {
    ORLOP_TRY(content, content_of(original));
    ORLOP_TRY(target, content.type == VariableType::override_ ? source_.record(content.target)
                                                              : Result<Shared<Record>>(Shared<Record>(Record())));
    has_key_of_built_in = !target;
  }
  ids_.rewrite(made.record, has_key_of_built_in);
  ORLOP_TRY(value, full_value(made.record));
  made.value = std::move(value);
  // They are those of the original, which alone is deployed.
  const bool had_addresses = is_service(*made.family) && made.value.find("addresses") != nullptr;
  if (had_addresses) made.value.erase("addresses");
  made.refers_outside = made.refers_outside || had_addresses;
  if (is_root && !request_.name.empty()) {
    ORLOP_CHECK(require_name(*find_family(original.family)));
    made.value.set(root_field, Value(request_.name));
  }
  ORLOP_CHECK(require_free_key(made));
  ORLOP_TRY(secrets, original.secrets.empty() ? Result<Value>(Value()) : parse_stored(original.secrets));
  summary_.missing_secrets += count_missing(secrets);
  made_.push_back(std::move(made));
  return {};
}

Result<void> TreeImport::set_references(Made& made, const std::vector<Id>& given) {
  for (const Id& id : given) {
    if (!ids_.find(id)) outside_.insert(id);
    made.refers_outside = made.refers_outside || outside_.contains(id);
    ORLOP_TRY(here, counterparts_.of(id));
    if (here) made.references.push_back(*here);
    if (here || !missing_.insert(id).second) continue;
    ORLOP_TRY(label, counterparts_.label(id));
    ORLOP_TRY(referrer, counterparts_.label(made.original->id));
    refusals_.push_back({"references", "the " + label + " is missing here, and the " + referrer + " refers to it"});
  }
  std::ranges::sort(made.references);
  return {};
}

// Checks the requested name like a create of the family.
Result<void> TreeImport::require_name(const Family& family) const {
  const Field* const field = name_field(family);
  Violations violations;
  if (field != nullptr)
    ValueChecker(nullptr, unit_.settings().brand, violations, {})
        .check(*field, Value(request_.name), Path{nullptr, root_field, {}});
  return violations.empty() ? Result<void>() : Result<void>(refusal(std::move(violations)));
}

Result<void> TreeImport::require_free_key(const Made& made) {
  const auto key = key_of_record(*made.family, made.record, made.value);
  ORLOP_TRY(holder, key && !key->empty() ? unit_.find(*key) : Result<std::optional<Id>>(std::nullopt));
  if (!holder) return {};
  const bool is_root = made_.empty();
  const Field* const field = name_field(*made.family);
  const std::string name(field == nullptr ? std::string_view() : made.value.text_or(field->name, ""));
  refusals_.push_back({"name", "the name of the " + words_for(*made.family) + " \"" + name + "\" is taken here" +
                                   (is_root ? ": give another name for it" : "")});
  return {};
}

Error TreeImport::refuse() {
  std::string message = "nothing is imported: ";
  for (const Violation& violation : refusals_)
    message += (&violation == &refusals_.front() ? "" : "; ") + violation.reason;
  return {ErrorCode::conflict, std::move(message), std::move(refusals_)};
}

// Completes again the members that are copied from records that existed before.
Result<void> TreeImport::refresh(Made& made) {
  const Value before = made.value;
  UnitContext context(unit_, made.record, &before);
  if (made.family->complete != nullptr) made.family->complete(made.value, context);
  fill_copies(*made.family, made.value, context);
  arrange(made.family->fields, made.value);
  return context.outcome();
}

Result<void> TreeImport::put(Made& made) {
  if (made.family == &environment_rule_family()) return {};  // created later, with its schedule
  ++summary_.records;
  families_.insert(made.family);
  if (has_own_text(*made.family)) return put_own_text(made);
  if (made.refers_outside) ORLOP_CHECK(refresh(made));
  ORLOP_TRY(stored, put_value(unit_, *made.family, std::move(made.record), made.value, EventKind::created));
  made.record = std::move(stored);
  return {};
}

Result<void> TreeImport::put_own_text(Made& made) {
  if (made.family->number == variable_number)
    emit_about(unit_, made.record, EventKind::created, 1, event_text_of(made.record));
  else if (made.family->has_events) emit_about(unit_, made.record, EventKind::created, 1);
  unit_.put(made.record, key_of_record(*made.family, made.record, made.value), made.references);
  return {};
}

Result<void> TreeImport::complete_service(const Made& made) {
  ORLOP_TRY(machine, source_.machine(made.original->id));
  std::uint32_t flags = made.family->plan_flags == nullptr ? 0 : made.family->plan_flags(made.value);
  if (machine && has(machine->plan_flags, PlanFlag::skipped)) flags = flags | PlanFlag::skipped;
  std::optional<Id> stage = machine ? ids_.find(machine->stage) : std::nullopt;
  if (!stage) {
    ORLOP_TRY(stages, stages_of(unit_, made.record.parent));
    if (!stages.empty()) stage = stages.back().record.id;
  }
  if (!stage) {
    ORLOP_TRY(added, add_stage(unit_, made.record.parent, default_stages.front()));
    stage = added;
  }
  unit_.put(new_service_machine(unit_, made.record, flags, *stage));
  return {};
}

// Adds the machine and schedule of a new record of the family, with services never deployed.
Result<void> TreeImport::complete(const Made& made) {
  const Family& family = *made.family;
  if (is_service(family)) return complete_service(made);
  if (family.machine == MachineKind::environment) {
    unit_.put(new_environment_machine(unit_, made.record));
    return note_created(unit_, made.record);
  }
  if (&family == &environment_rule_family()) {
    ORLOP_TRY(environment, require(unit_, *find_family(environment_number), made.record.parent));
    const auto saved = save_environment_rule(unit_, environment, without_read_only(family.fields, made.value));
    return saved ? Result<void>() : Result<void>(saved.error());
  }
  if (family.is_internal || has_own_text(family) || unit_.hooks().created == nullptr) return {};
  return unit_.hooks().created(unit_, family, made.record,
                               family.plan_flags == nullptr ? 0 : family.plan_flags(made.value));
}

}  // namespace

std::string summary_json(const ImportSummary& summary, std::string_view family) {
  Writer out;
  out.begin_object()
      .field("id", summary.root)
      .field("family", family)
      .field("records", static_cast<std::int64_t>(summary.records));
  out.key("new_ids").begin_object();
  for (const auto& [before, after] : summary.new_ids) out.field(to_text(before), after);
  out.end_object().key("left_out").begin_object();
  for (const auto& [name, count] : summary.left_out) out.field(name, static_cast<std::int64_t>(count));
  out.end_object().field("missing_secrets", static_cast<std::int64_t>(summary.missing_secrets)).end_object();
  return std::move(out).take();
}

Result<ImportSummary> import_tree(Unit& unit, Transaction& source, Subtree tree, const ImportRequest& request,
                                  const std::unordered_set<Id>& taken) {
  return TreeImport(unit, source, std::move(tree), request, taken).run();
}

std::uint32_t id_count_of(const Subtree& tree, const std::unordered_set<Id>& taken) {
  constexpr int engine_version = 8;  // version of the engine's UUIDs
  std::uint32_t count = 0;
  for (const Record& record : tree.records) {
    const bool is_made_by_engine = record.id.bytes[6] >> 4 == engine_version;
    if (is_made_by_engine && !taken.contains(record.id)) count = std::max(count, id_count_of(record.id));
  }
  return count;
}

}  // namespace orlop
