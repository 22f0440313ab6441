#include "deploy/run/clusters/outcome.h"

#include <algorithm>
#include <string>
#include <utility>

#include "catalogs/kubernetes_version.h"
#include "model/registry.h"
#include "model/validate.h"
#include "unit/store_record.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::string_view outputs_name = "infrastructure_outputs";

bool has_outputs(Action action) { return action == Action::deploy || action == Action::upgrade; }

// The field as the driver may write it: clients cannot.
Field outputs_field(const Family& family) {
  Field field = *std::ranges::find(family.fields, outputs_name, &Field::name);
  field.is_read_only = false;
  return field;
}

void tell(StateTransition& cluster, const Violation& violation) {
  Writer out;
  out.begin_object()
      .field("text", violation.field + " " + violation.reason + ": the outputs are not kept")
      .end_object();
  cluster.emit(EventKind::log_line, 0, 0).detail = std::move(out).take();
}

// Returns true if the record has changed.
bool take_outputs(StateTransition& cluster, const Family& family, Value& body, std::string_view text) {
  if (text.empty() || !has_outputs(cluster.action())) return false;
  Violations violations;
  auto outputs = parse_json(text);
  Value given = Value::object();
  given.set(outputs_name, outputs ? std::move(*outputs) : Value(text));
  const Field field = outputs_field(family);
  const Value made = make_body({&field, 1}, given, violations);
  if (!violations.empty()) {
    tell(cluster, violations.front());
    return false;
  }
  const Value& taken = *made.find(outputs_name);
  const Value* before = body.find(outputs_name);
  if (before != nullptr && *before == taken) return false;
  body.set(outputs_name, taken);
  arrange(family.fields, body);
  return true;
}

bool take_version(Unit& unit, const StateTransition& cluster, Value& body) {
  if (cluster.action() != Action::upgrade) return false;
  const std::string_view next =
      next_kubernetes_version(unit.settings().kubernetes_versions, body.text_or("version", ""));
  if (next.empty()) return false;
  body.set("version", Value(next));
  return true;
}

}  // namespace

Result<void> store_outcome(Unit& unit, StateTransition& cluster, Record record, std::string_view outputs) {
  const Family* family = find_family(record.family);
  if (family == nullptr) return {};
  ORLOP_TRY(body, parse_stored(record.body));
  const bool is_upgraded = take_version(unit, cluster, body);
  const bool is_told = take_outputs(cluster, *family, body, outputs);
  if (!is_upgraded && !is_told) return {};
  body.set("updated_at", Value(to_text(unit.now())));
  record.body = to_json(body);
  emit_edited(unit, record);
  unit.put(std::move(record));
  return {};
}

}  // namespace orlop
