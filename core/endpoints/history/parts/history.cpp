#include "endpoints/history/parts/history.h"

#include <algorithm>
#include <utility>

#include "base/brand.h"
#include "deploy/request/sub_action.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "endpoints/services/parts/service_kind.h"
#include "model/registry.h"
#include "unit/operation.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

void copy_member(Writer& out, std::string_view name, const Value* value) {
  if (value != nullptr && !value->is_null()) out.field(name, *value);
}

void write_image(Writer& out, const Value& image) {
  out.field("image_name", image.text_or("image_name", "")).field("tag", image.text_or("tag", ""));
}

// The member `cronjob` of a job is `cron_job` in a history.
void write_schedule(Writer& out, const Value* schedule) {
  if (schedule == nullptr || !schedule->is_object()) return;
  out.key("schedule").begin_object();
  for (const Member& member : schedule->members())
    out.field(member.name == "cronjob" ? "cron_job" : member.name.view(), member.value);
  out.end_object();
}

void write_job(Writer& out, const Value& service) {
  const Value* image = service.find_path({"source", "image"});
  write_image(out, image == nullptr ? Value::object() : *image);
  out.field("job_type", service.text_or("job_type", "LIFECYCLE"));
  write_schedule(out, service.find("schedule"));
}

// Returns false if the chart is in git. A request may have asked for another version of the chart.
bool write_helm(Writer& out, const Value& service) {
  const Value* source = service.find("source");
  if (source == nullptr) return false;
  for (const std::string_view name : {"repository", "helm_repository"}) {
    const Value* repository = source->find(name);
    if (repository == nullptr || !repository->is_object()) continue;
    out.key("repository").begin_object().field("chart_name", repository->text_or("chart_name", ""));
    out.field("chart_version", service.text_or("chart_version", repository->text_or("chart_version", ""))).end_object();
    return true;
  }
  return false;
}

// `repository`: null if the service is not built from git.
void write_commit(Writer& out, const Value* repository, bool is_deployed_by_it) {
  const std::string_view id =
      repository == nullptr || !is_deployed_by_it ? std::string_view() : repository->text_or("deployed_commit_id", "");
  const std::string_view date =
      repository == nullptr ? std::string_view() : repository->text_or("deployed_commit_date", "");
  if (id.empty() || date.empty()) {
    out.field_null("commit");
    return;
  }
  out.key("commit").begin_object().field("git_commit_id", id).field("created_at", date);
  out.field("author_name", repository->text_or("deployed_commit_contributor", "")).field("message", "");
  out.field("tag", repository->text_or("deployed_commit_tag", "")).end_object();
}

void write_command(Writer& out, const Value& service) {
  copy_member(out, "arguments", service.find("arguments"));
  copy_member(out, "entrypoint", service.find("entrypoint"));
}

struct JobEvent {
  std::string_view member;  // name in the schedule
  std::string_view name;
  Action action;  // action of the requests whose jobs run on the event
};
constexpr JobEvent job_events[] = {{"on_start", "ON_START", Action::deploy},
                                   {"on_stop", "ON_STOP", Action::stop},
                                   {"on_delete", "ON_DELETE", Action::remove}};

// Writes the command of the event on which the request runs the job, or of the cron schedule.
void write_past_schedule(Writer& out, const Value* schedule, Action action) {
  if (schedule == nullptr || !schedule->is_object()) return;
  const Value* command = schedule->find("cronjob");
  std::string_view event = command == nullptr ? std::string_view() : "CRON";
  for (const JobEvent& each : job_events) {
    if (command != nullptr || each.action != action) continue;
    command = schedule->find(each.member);
    if (command != nullptr) event = each.name;
  }
  const Value* cron = schedule->find_path({"cronjob", "scheduled_at"});
  out.key("schedule").begin_object();
  if (!event.empty()) out.field("event", event);
  out.field("schedule_at", cron == nullptr ? Value() : *cron).end_object();
  if (command != nullptr) write_command(out, *command);
}

// Writes what was deployed; nothing if it is not known.
void write_details(Writer& out, const ServiceEntry& entry) {
  out.begin_object();
  const ServiceKindNames* names = names_of_kind(entry.kind);
  const Value& service = entry.deployed;
  if (entry.kind == "DATABASE" || entry.kind == "TERRAFORM") {
    out.field_null("commit");
  } else if (names != nullptr && service.is_object()) {
    switch (names->kind) {
      case ServiceKind::application: out.field_null("commit").field("build_pod_name", ""); break;
      case ServiceKind::container:
        write_image(out, service);
        write_command(out, service);
        break;
      case ServiceKind::job: write_job(out, service); break;
      case ServiceKind::helm: write_helm(out, service); break;
      case ServiceKind::database:
      case ServiceKind::terraform:
      case ServiceKind::argocd_app: break;
    }
  }
  out.end_object();
}

}  // namespace

Result<std::string> icon_of(Unit& unit, const Id& service, std::string_view given, std::string_view kind) {
  if (!given.empty()) return std::string(given);
  ORLOP_TRY(record, unit.record(service));
  if (record) {
    ORLOP_TRY(body, parse_stored(record->body));
    if (const std::string_view icon = body.text_or("icon_uri", ""); !icon.empty()) return std::string(icon);
  }
  const ServiceKindNames* names = names_of_kind(kind);
  return branded(branded_names::icon, unit.settings().brand) + std::string(names == nullptr ? "service" : names->icon);
}

Result<std::vector<RequestEntry>> entries_of(Unit& unit, const Id& environment, const Id& service) {
  ORLOP_TRY(view, view_environment(unit, environment));
  ORLOP_TRY(reader, HistoryReader::open(unit, view, service));
  std::vector<RequestEntry> entries;
  for (const Machine& request : view.requests.machines) {
    if (is_waiting(request)) continue;
    ORLOP_TRY(entry, reader.read(request));
    entries.push_back(std::move(entry));
  }
  std::ranges::reverse(entries);
  return entries;
}

std::size_t history_size(const Call& call) {
  return static_cast<std::size_t>(query_integer(call, "pageSize", static_cast<std::int64_t>(history_size_default)));
}

std::span<const RequestEntry> entries_from(const std::vector<RequestEntry>& entries, const Id& start) {
  const std::span<const RequestEntry> all = entries;
  const auto found = std::ranges::find(all, start, [](const RequestEntry& entry) { return entry.body.id; });
  return found == all.end() ? all : all.subspan(static_cast<std::size_t>(found - all.begin()) + 1);
}

Result<void> write_service_entry(Unit& unit, Writer& out, const ServiceEntry& service, const RequestBody& body) {
  out.begin_object().key("identifier").begin_object().field("name", service.name).field("service_id", service.id);
  out.field("service_type", service.kind).field("execution_id", body.execution_id).end_object();
  out.field("status", to_string(service.state)).key("auditing_data");
  write_auditing(out, body);
  out.key("details");
  write_details(out, service);
  out.key("status_details");
  write_status_details(out, body.action, service.state,
                       sub_action_of(service.kind, body.action, body.overrides, service.id), service.reason);
  ORLOP_TRY(icon, icon_of(unit, service.id, service.icon, service.kind));
  out.field("icon_uri", icon);
  if (service.started_at && service.ended_at)
    out.field("total_duration", duration_text(*service.ended_at - *service.started_at));
  out.end_object();
  return {};
}

void write_version(Writer& out, const ServiceEntry& entry, const RequestBody& body) {
  const ServiceKindNames* names = names_of_kind(entry.kind);
  if (names == nullptr || !entry.deployed.is_object()) return;
  const Value& service = entry.deployed;
  const bool was_deployed = body.action == Action::deploy && entry.state == ServiceState::deployed;
  switch (names->kind) {
    case ServiceKind::application: write_commit(out, service.find("git_repository"), was_deployed); break;
    case ServiceKind::container:
      write_image(out, service);
      write_command(out, service);
      break;
    case ServiceKind::job: {
      const Value* image = service.find_path({"source", "image"});
      if (image != nullptr && image->is_object()) write_image(out, *image);
      write_commit(out, service.find_path({"source", "docker", "git_repository"}), was_deployed);
      write_past_schedule(out, service.find("schedule"), body.action);
      break;
    }
    case ServiceKind::helm:
      write_commit(out, service.find_path({"source", "git", "git_repository"}), was_deployed);
      if (!write_helm(out, service)) out.field_null("repository");
      break;
    case ServiceKind::database:
    case ServiceKind::terraform:
    case ServiceKind::argocd_app: break;
  }
}

Result<Answer> history_page(std::span<const RequestEntry> entries, std::size_t size, const WriteEntry& write) {
  Writer out;
  out.begin_object()
      .field("page", std::int64_t{1})
      .field("page_size", static_cast<std::int64_t>(size))
      .key("results")
      .begin_list();
  std::size_t count = 0;
  for (std::size_t at = 0; at < entries.size() && count < size; ++at) {
    ORLOP_TRY(is_written, write(out, entries[at]));
    if (is_written) ++count;
  }
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

}  // namespace orlop
