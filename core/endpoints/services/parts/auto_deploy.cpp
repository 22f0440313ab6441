#include "endpoints/services/parts/auto_deploy.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "deploy/plan/expand.h"
#include "deploy/request/cluster_gate.h"
#include "deploy/request/deployment_request.h"
#include "deploy/request/request_parts.h"
#include "deploy/request/versions_to_deploy.h"
#include "endpoints/environments/parts/deployment_rules.h"
#include "endpoints/services/parts/deploy_body.h"
#include "endpoints/services/parts/link_addresses.h"
#include "endpoints/services/parts/service_kind.h"
#include "endpoints/services/parts/service_status.h"
#include "model/form.h"
#include "model/registry.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "unit/unique_name.h"
#include "wire/writer.h"

namespace orlop {
namespace {

struct Concerned {
  Record record;
  Value body;
};

// Service without a queued deployment, and the reason.
struct Skipped {
  Id service;
  std::string name;
  std::string kind;
  Id environment;
  std::string reason;
  bool is_kept = false;  // its next deployment has the version
};

// Results in the environments so far.
struct Outcome {
  Id first;  // first service that is deployed, else the first whose next deployment has the version; nil: none
  bool is_first_deployed = false;
  std::vector<Skipped> skipped;

  void deploy(const Id& service) {
    if (!std::exchange(is_first_deployed, true)) first = service;
  }
  void skip(const Record& service, std::string reason, bool is_kept) {
    if (is_kept && first.is_nil()) first = service.id;
    skipped.push_back({service.id, name_of(service), std::string(find_family(service.family)->service_kind),
                       service.parent, std::move(reason), is_kept});
  }
};

constexpr std::string_view waits_for_hours =
    "is stopped until the hours of its environment begin, and is deployed then";
constexpr std::string_view waits_for_deployment = "cannot be deployed now, and its next deployment takes the version: ";

// Reports whether the newest unfinished request that includes the service leaves it running; true without such a
// request: the service comes to rest and stays running.
Result<bool> is_to_run(Unit& unit, const Machine& service) {
  ORLOP_TRY(requests, request_machines(unit, service.owner));
  for (auto machine = requests.rbegin(); machine != requests.rend(); ++machine) {
    if (!is_unfinished(*machine)) continue;
    ORLOP_TRY(request, stored_request(unit, *machine));
    if (!names(request, service)) continue;
    return request.body.action == Action::deploy || request.body.action == Action::restart;
  }
  return true;
}

enum class Now : std::uint8_t { deployed, kept, left };

// `is_out`: its environment is stopped by its hours.
Result<Now> fate_of(Unit& unit, const Machine& service, bool is_out) {
  const auto state = static_cast<ServiceState>(service.state);
  const bool is_uninstalled = state == ServiceState::ready && service.last_deployment_at;
  if (is_uninstalled) return Now::left;
  if (state == ServiceState::stopped) return is_out ? Now::kept : Now::left;
  if (!is_transient(state)) return can_begin(service, Action::deploy) ? Now::deployed : Now::left;
  ORLOP_TRY(runs, is_to_run(unit, service));
  if (runs) return Now::deployed;
  return is_out ? Now::kept : Now::left;
}

Result<std::vector<Concerned>> services_concerned(Unit& unit, const NewVersion& version, const Id& environment) {
  std::vector<Concerned> found;
  ORLOP_TRY(services, services_below(unit, environment));
  for (Record& service : services) {
    const ServiceKindNames* kind = names_of_kind(*find_family(service.family));
    if (kind == nullptr || !is_one_of(version.kinds, kind->kind)) continue;
    ORLOP_TRY(value, unit.value_of(service));
    if (!value->boolean_or("auto_deploy", false)) continue;
    ORLOP_TRY(body, version.body_for(service, *value));
    if (body) found.push_back({std::move(service), std::move(*body)});
  }
  return found;
}

// Services that are deployed now, their versions by id, and versions for the next deployment by id.
struct Versions {
  std::vector<Concerned> deployed;
  Value overrides = Value::object();
  Value kept = Value::object();
};

Result<void> set_version(Unit& unit, const Concerned& service, Value& overrides) {
  ORLOP_TRY(asked, apply_deploy_body(unit, *find_family(service.record.family), service.record, service.body));
  if (!asked.is_null()) overrides.set(to_text(service.record.id), std::move(asked));
  return {};
}

Result<Versions> sort_by_fate(Unit& unit, std::vector<Concerned> services, bool is_out, Outcome& outcome) {
  Versions versions;
  for (Concerned& service : services) {
    ORLOP_TRY(machine, require_machine(unit, service.record.id));
    ORLOP_TRY(fate, fate_of(unit, machine, is_out));
    if (fate == Now::left) {
      outcome.skip(service.record,
                   "is " + std::string(to_string(static_cast<ServiceState>(machine.state))) +
                       ", and an automatic deployment needs a service that runs or was never deployed",
                   false);
      continue;
    }
    ORLOP_CHECK(set_version(unit, service, fate == Now::kept ? versions.kept : versions.overrides));
    if (fate == Now::kept) outcome.skip(service.record, std::string(waits_for_hours), true);
    else versions.deployed.push_back(std::move(service));
  }
  return versions;
}

Result<void> deploy_in(Unit& unit, const Call& call, const NewVersion& version, const Record& environment,
                       Outcome& outcome) {
  ORLOP_TRY(concerned, services_concerned(unit, version, environment.id));
  if (concerned.empty()) return {};
  ORLOP_TRY(readiness, cluster_readiness(unit, environment));
  if (readiness.gate == ClusterGate::closed) {
    for (const Concerned& service : concerned)
      outcome.skip(service.record, "cannot be deployed: " + readiness.reason, false);
    return {};
  }
  ORLOP_TRY(is_out, is_out_of_hours(unit, environment.id));
  ORLOP_TRY(versions, sort_by_fate(unit, std::move(concerned), is_out, outcome));
  if (!versions.deployed.empty()) {
    Order order;
    order.environment = environment.id;
    order.author = std::string(call.author);
    order.origin = std::string(version.origin);
    for (const Concerned& service : versions.deployed) order.services.push_back(service.record.id);
    if (!versions.overrides.members().empty()) order.overrides = to_json(versions.overrides);
    const auto queued = enqueue(unit, order);
    const bool is_refused = !queued && queued.error().code == ErrorCode::conflict && unit.awaited_job().is_nil();
    if (!queued && !is_refused) return queued.error();
    for (const Concerned& service : versions.deployed) {
      if (queued) outcome.deploy(service.record.id);
      else outcome.skip(service.record, std::string(waits_for_deployment) + queued.error().message, true);
    }
    if (is_refused) {
      for (const Member& entry : versions.overrides.members()) versions.kept.set(entry.name, entry.value);
    }
  }
  return versions.kept.members().empty() ? Result<void>() : keep_versions(unit, environment.id, versions.kept);
}

void write_skipped(Writer& out, const Outcome& outcome) {
  out.key("skipped").begin_list();
  for (const Skipped& skipped : outcome.skipped) {
    out.begin_object()
        .field("service_id", skipped.service)
        .field("service_type", skipped.kind)
        .field("service_name", skipped.name);
    out.field("environment_id", skipped.environment)
        .field("is_kept", skipped.is_kept)
        .field("reason", skipped.reason)
        .end_object();
  }
  out.end_list();
}

Result<std::vector<Record>> children_of(Unit& unit, const Id& parent, std::string_view family) {
  RecordRange range;
  range.key = parent;
  range.family = find_family(family)->number;
  return unit.records(range);
}

// Returns a path relative to the repository's root.
std::string_view from_root(std::string_view path) {
  while (path.starts_with("./")) path.remove_prefix(2);
  while (path.starts_with('/')) path.remove_prefix(1);
  while (path.ends_with('/')) path.remove_suffix(1);
  return path;
}

// The root ("") contains every file.
bool lies_under(std::string_view file, std::string_view folder) {
  if (folder.empty() || file == folder) return true;
  return file.starts_with(folder) && file[folder.size()] == '/';
}

// Reports whether a restriction of this mode contains the file.
bool is_named(std::span<const Value> restrictions, std::string_view mode, std::string_view file) {
  return std::ranges::any_of(restrictions, [&](const Value& restriction) {
    return restriction.text_or("mode", "") == mode && lies_under(file, from_root(restriction.text_or("value", "")));
  });
}

std::string plain_address(std::string_view url) {
  if (const std::size_t scheme = url.find("://"); scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
  const std::size_t host_end = std::min(url.find('/'), url.size());
  if (const std::size_t user_end = url.substr(0, host_end).rfind('@'); user_end != std::string_view::npos)
    url.remove_prefix(user_end + 1);
  if (url.ends_with('/')) url.remove_suffix(1);
  if (url.ends_with(".git")) url.remove_suffix(4);
  return lower_case(url);
}

}  // namespace

Result<Answer> deploy_new_version(Unit& unit, const Call& call, const NewVersion& version) {
  ORLOP_TRY(organization, require(unit, *find_family("organization"), call.ids.front()));
  Outcome outcome;
  ORLOP_TRY(projects, children_of(unit, organization.id, "project"));
  for (const Record& project : projects) {
    ORLOP_TRY(environments, children_of(unit, project.id, "environment"));
    for (const Record& environment : environments) {
      ORLOP_TRY(value, unit.value_of(environment));
      if (!version.is_of_previews && value->text_or("mode", "") == "PREVIEW") continue;
      ORLOP_CHECK(deploy_in(unit, call, version, environment, outcome));
    }
  }
  if (outcome.first.is_nil()) {
    if (outcome.skipped.empty()) return make_error(ErrorCode::not_found, version.nowhere);
    const Skipped& last = outcome.skipped.back();
    return make_error(ErrorCode::conflict, "service \"" + last.name + "\" " + last.reason);
  }
  ORLOP_TRY(text, service_status(unit, outcome.first));
  text.pop_back();
  Writer out;
  out.begin_object();
  write_skipped(out, outcome);
  out.end_object();
  return Answer{202, text.append(",").append(out.text(), 1)};
}

bool lets_through(std::span<const Value> restrictions, std::span<const Value> changed_files) {
  if (restrictions.empty()) return true;
  const bool must_match = std::ranges::any_of(
      restrictions, [](const Value& restriction) { return restriction.text_or("mode", "") == "MATCH"; });
  return std::ranges::any_of(changed_files, [&](const Value& changed) {
    const std::string_view file = from_root(changed.as_text());
    return !is_named(restrictions, "EXCLUDE", file) && (!must_match || is_named(restrictions, "MATCH", file));
  });
}

bool is_same_repository(std::string_view url, std::string_view other) {
  return plain_address(url) == plain_address(other);
}

}  // namespace orlop
