// History of the deployment requests that contained a service.
#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>

#include "endpoints/history/parts/history.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "endpoints/services/parts/status_shapes.h"

namespace orlop::operation_sets::history::service_history {
namespace {

// Returns the service's entry in the request; null if none.
const ServiceEntry* part_of(const RequestEntry& entry, const Id& service) {
  for (const StageEntry& stage : entry.stages) {
    const auto found = std::ranges::find(stage.services, service, &ServiceEntry::id);
    if (found != stage.services.end()) return &*found;
  }
  return nullptr;
}

// The history of an application has only two statuses.
std::string_view brief_status(const Call& call, ServiceState state) {
  if (names_of_kind(*call.family)->kind != ServiceKind::application) return to_string(state);
  return is_error(state) || state == ServiceState::canceled ? "FAILED" : "SUCCESS";
}

Result<Answer> read_brief(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  ORLOP_TRY(entries, entries_of(unit, subject.record.parent, subject.record.id));
  const auto rest = entries_from(entries, parse_id(query_text(call, "startId")).value_or(Id{}));
  return history_page(rest, history_size_default, [&](Writer& out, const RequestEntry& entry) -> Result<bool> {
    const ServiceEntry* part = part_of(entry, subject.record.id);
    if (part == nullptr) return false;
    out.begin_object().field("id", entry.body.id).field("created_at", entry.body.created_at);
    out.field("updated_at", part->ended_at.value_or(entry.body.started_at.value_or(entry.body.created_at)));
    out.field("name", part->name).field("status", brief_status(call, part->state));
    write_version(out, *part, entry.body);
    out.end_object();
    return true;
  });
}

Result<Answer> read_full(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  ORLOP_TRY(entries, entries_of(unit, subject.record.parent, subject.record.id));
  return history_page(entries, history_size(call), [&](Writer& out, const RequestEntry& entry) -> Result<bool> {
    const ServiceEntry* part = part_of(entry, subject.record.id);
    if (part != nullptr) ORLOP_CHECK(write_service_entry(unit, out, *part, entry.body));
    return part != nullptr;
  });
}

constexpr auto brief_fields_with(Field status) {
  return std::array{
      uuid("id", "ID of the deployment request.").required(),
      date_time("created_at", "Time at which the request was accepted, in UTC.").required(),
      date_time("updated_at", "Time at which the request finished with the service, in UTC."),
      text("name", "Name of the service."),
      status,
  };
}
constexpr std::string_view outcomes[] = {"SUCCESS", "FAILED"};
constexpr auto application_fields =
    joined(brief_fields_with(enumeration("status", outcomes, "Outcome of the request for the application.")),
           application_version);
constexpr Shape application_brief = {.name = "DeploymentHistoryApplication", .fields = application_fields};
constexpr auto brief_fields = brief_fields_with(
    enumeration("status", operation_shapes::service_states, "State of the service at the end of the request."));
constexpr Shape brief = {.name = "DeploymentHistory", .fields = brief_fields};
constexpr auto container_fields = joined(brief_fields, container_version);
constexpr Shape container_brief = {.name = "DeploymentHistoryContainer", .fields = container_fields};
constexpr auto job_fields = joined(brief_fields, job_version);
constexpr Shape job_brief = {.name = "DeploymentHistoryJob", .fields = job_fields};
constexpr auto helm_fields = joined(brief_fields, helm_version);
constexpr Shape helm_brief = {.name = "DeploymentHistoryHelm", .fields = helm_fields};
constexpr Field full_fields[] = {
    open_object("identifier",
                "Identifiers of the service and its run: `name`, `service_id`, `service_type` and `execution_id`.")
        .required(),
    enumeration("status", operation_shapes::service_states, "State of the service at the end of the request.")
        .required(),
    open_object("auditing_data",
                "Times and origin of the request: `created_at`, `updated_at`, `triggered_by` and `origin`.")
        .required(),
    open_object("details", "Deployed version of the service: commit, image or chart.").required(),
    object("status_details", operation_shapes::status_details, "Summary of the request: action, status and reason.")
        .required(),
    text("icon_uri", "URL of the icon of the service.").required(),
    duration("total_duration", "Time that the request spent on the service, as an ISO 8601 duration."),
};
constexpr Shape full = {.name = "DeploymentHistoryService", .fields = full_fields};

constexpr std::uint8_t only(ServiceKind kind) { return static_cast<std::uint8_t>(kind); }

constexpr Operation brief_with(const Shape& answer) {
  return {.path = "{flat}/deploymentHistory",
          .name = "list_{family}_deployment_history",
          .handle = read_brief,
          .query = start_query,
          .form = AnswerForm::shape_page,
          .answer = &answer,
          .summary = "List the deployment history of {one}",
          .about = "Returns the requests that included the service, newest first, at most 20."};
}

constexpr KindOperation operations[] = {
    {only(ServiceKind::application), brief_with(application_brief)},
    {only(ServiceKind::container), brief_with(container_brief)},
    {only(ServiceKind::job), brief_with(job_brief)},
    {only(ServiceKind::helm), brief_with(helm_brief)},
    {only(ServiceKind::database), brief_with(brief)},
    {every_kind,
     {.path = "{flat}/deploymentHistoryV2",
      .name = "list_{family}_deployment_history_v2",
      .handle = read_full,
      .query = page_query,
      .form = AnswerForm::shape_page,
      .answer = &full,
      .summary = "List the detailed deployment history of {one}",
      .about = "Returns the requests that included the service with the versions they deployed, newest first."}},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = deployable_services,
    .operations_by_kind = operations,
};

}  // namespace orlop::operation_sets::history::service_history
