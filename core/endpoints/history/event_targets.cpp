// Targets of the events in an organization's audit log, for a filter.
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "endpoints/history/parts/audit_look.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "model/registry.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "wire/writer.h"

namespace orlop::operation_sets::history::event_targets {
namespace {

constexpr std::int64_t targets_max = 10'000;

// Renames the parameters that have other names in the log's query.
Query log_query(const Query& given) {
  Query query;
  for (const auto& [name, value] : given.entries()) {
    query.add(name == "projectId"       ? "serviceProjectId"
              : name == "environmentId" ? "serviceEnvironmentId"
                                        : name,
              value);
  }
  return query;
}

std::optional<Id> shown_of(const AuditEntry& entry, std::string_view level) {
  if (level == "PROJECT") return entry.project;
  if (level == "ENVIRONMENT") return entry.environment;
  return entry.target;
}

Result<Answer> list_targets(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, require(unit, *find_family("organization"), call.ids.front()));
  (void)organization;
  const Query query = log_query(*call.query);
  Call as_log = call;
  as_log.query = &query;
  ORLOP_TRY(filter, audit_filter(as_log));
  filter.page_size = targets_max;
  AuditedRecords names(unit);
  ORLOP_TRY(page, look_at_audit(unit, as_log, filter, names));
  std::set<Id> seen;
  Writer out;
  out.begin_object().key("targets").begin_list();
  for (const AuditEntry& entry : page.entries) {
    const auto id = shown_of(entry, query_text(call, "targetLevelToFetch"));
    if (!id || !seen.insert(*id).second) continue;
    ORLOP_TRY(known, names.find(*id));
    out.begin_object().field("id", *id).field("name", known ? known->name : names.noted_name(*id)).end_object();
  }
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr std::string_view levels[] = {"PROJECT", "ENVIRONMENT"};
constexpr Field query_fields[] = {
    text("fromTimestamp", "Look only at events from this time on, as RFC 3339 or as Unix time in seconds.").nullable(),
    text("toTimestamp", "Look only at events up to this time, as RFC 3339 or as Unix time in seconds.").nullable(),
    enumeration("eventType", audit_types, "Look only at events of this type."),
    enumeration("targetType", audit_targets, "Look only at events whose target has this type."),
    text("triggeredBy", "Look only at events that this caller triggered."),
    enumeration("origin", audit_origins, "Look only at events from this origin."),
    uuid("projectId", "Look only at events in the project with this ID."),
    uuid("environmentId", "Look only at events in the environment with this ID."),
    enumeration("targetLevelToFetch", levels,
                "Return the projects or the environments in which the targets lie. Default: the targets themselves."),
};
constexpr Field target_fields[] = {
    uuid("id", "ID of the target."),
    text("name", "Name of the target. Empty if it was deleted and its name is no longer stored."),
};
constexpr Shape target_shape = {.name = "OrganizationEventTarget", .fields = target_fields};
constexpr Field answer_fields[] = {
    list_of("targets", target_shape, "Targets, each once; that of the newest event first.")};
constexpr Shape answer_shape = {.name = "OrganizationEventTargetResponseList", .fields = answer_fields};

constexpr Operation operations[] = {{.path = "/organization/{organizationId}/targets",
                                     .name = "list_organization_event_targets",
                                     .handle = list_targets,
                                     .query = query_fields,
                                     .form = AnswerForm::shape,
                                     .answer = &answer_shape,
                                     .summary = "List the targets of the audit log of an organization",
                                     .about = "Looks at no more than the newest 10,000 events.",
                                     .need = Level::administer}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .operations = operations,
};

}  // namespace orlop::operation_sets::history::event_targets
