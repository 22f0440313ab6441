// The requests that concerned one service.
#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "operations/history/parts/history.h"
#include "operations/operation_set.h"
#include "operations/services/parts/status_shapes.h"
#include "operations/services/parts/subject.h"

namespace orlop {
namespace {

// The service in the request; nullptr if it was not concerned.
const ServiceEntry* part_of(const RequestEntry& entry, const Id& service) {
  for (const StageEntry& stage : entry.stages) {
    const auto found = std::ranges::find(stage.services, service, &ServiceEntry::id);
    if (found != stage.services.end()) return &*found;
  }
  return nullptr;
}

// An application's history knows only good and bad.
std::string_view brief_status(const Call& call, ServiceState state) {
  if (names_of_kind(*call.family)->kind != ServiceKind::application) return to_string(state);
  return is_error(state) || state == ServiceState::canceled ? "FAILED" : "SUCCESS";
}

Result<Answer> read_brief(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  ORLOP_TRY(entries, entries_of(unit, subject.record.parent));
  Writer out;
  out.begin_object();
  write_page(out, history_size_default);
  out.key("results").begin_list();
  std::size_t count = 0;
  for (const RequestEntry& entry : entries_from(entries, parse_id(query_text(call, "startId")).value_or(Id{}))) {
    const ServiceEntry* part = part_of(entry, subject.record.id);
    if (part == nullptr || count == history_size_default) continue;
    ++count;
    out.begin_object().field("id", entry.body.id).field("created_at", entry.body.created_at);
    out.field("updated_at", part->ended_at.value_or(entry.body.started_at.value_or(entry.body.created_at)));
    out.field("name", part->name).field("status", brief_status(call, part->state)).end_object();
  }
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

Result<Answer> read_full(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  ORLOP_TRY(entries, entries_of(unit, subject.record.parent));
  const std::size_t size = history_size(call);
  Writer out;
  out.begin_object();
  write_page(out, size);
  out.key("results").begin_list();
  std::size_t count = 0;
  for (const RequestEntry& entry : entries) {
    const ServiceEntry* part = part_of(entry, subject.record.id);
    if (part == nullptr || count == size) continue;
    ++count;
    ORLOP_CHECK(write_service_entry(unit, out, *part, entry.body));
  }
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Field brief_fields[] = {
    uuid("id", "The request."),
    date_time("created_at", "When it was asked for."),
    date_time("updated_at", "When it was done with the service."),
    text("name", "The service's name."),
    text("status", "The state in which it left the service; of an application, SUCCESS or FAILED."),
};
constexpr Shape brief = {.name = "DeploymentHistory", .fields = brief_fields};
constexpr Field full_fields[] = {
    open_object("identifier", "name, service_id, service_type and execution_id."),
    enumeration("status", trait_shapes::service_states, "The state in which the request left the service."),
    open_object("auditing_data", "created_at, updated_at, triggered_by and origin."),
    open_object("details", "What was deployed."),
    object("status_details", trait_shapes::status_details, "The request in short."),
    text("icon_uri", "The service's icon."),
    duration("total_duration", "From the begin to the end of its part."),
};
constexpr Shape full = {.name = "DeploymentHistoryService", .fields = full_fields};

constexpr auto all_but_terraform = static_cast<std::uint8_t>(every_kind & ~static_cast<int>(ServiceKind::terraform));

constexpr KindOperation operations[] = {
    {all_but_terraform,
     {.path = "{flat}/deploymentHistory",
      .name = "list_{family}_deployment_history",
      .handle = read_brief,
      .query = start_query,
      .form = AnswerForm::shape_page,
      .answer = &brief,
      .about = "The requests that concerned the service, the newest first."}},
    {every_kind,
     {.path = "{flat}/deploymentHistoryV2",
      .name = "list_{family}_deployment_history_v2",
      .handle = read_full,
      .query = page_query,
      .form = AnswerForm::shape_page,
      .answer = &full,
      .about = "The requests that concerned the service with what they deployed, the newest first."}},
};

}  // namespace

namespace operation_sets::history {
extern const OperationSet service_history;
constexpr OperationSet service_history = {
    .families = deployable_services,
    .operations_by_kind = operations,
};
}  // namespace operation_sets::history

}  // namespace orlop
