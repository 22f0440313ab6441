#include "operations/services/parts/auto_deploy.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "deploy/plan/expand.h"
#include "deploy/request/cluster_gate.h"
#include "deploy/request/request.h"
#include "model/form.h"
#include "model/registry.h"
#include "operations/services/parts/deploy_body.h"
#include "operations/services/parts/links.h"
#include "operations/services/parts/service_kind.h"
#include "operations/services/parts/status.h"
#include "ops/verbs.h"
#include "wire/writer.h"

namespace orlop {
namespace {

struct Concerned {
  Record record;
  Value body;
};

// What became of all environments so far.
struct Outcome {
  Id first;             // the first service that is deployed; nil: none
  std::string refusal;  // why the last service that cannot be deployed cannot; "": there is none
};

bool is_to_stay(const Machine& service) {
  const auto state = static_cast<ServiceState>(service.state);
  return state == ServiceState::stopped || (state == ServiceState::ready && service.last_deployment_at);
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

// The services that are to go on running and can be deployed now.
Result<std::vector<Concerned>> deployable(Unit& unit, std::vector<Concerned> services, Outcome& outcome) {
  std::vector<Concerned> found;
  for (Concerned& service : services) {
    ORLOP_TRY(machine, require_machine(unit, service.record.id));
    if (!is_to_stay(machine) && can_begin(machine, Action::deploy)) {
      found.push_back(std::move(service));
    } else {
      outcome.refusal = "service \"" + name_of(service.record) + "\" is " + std::string(to_string(static_cast<ServiceState>(machine.state))) +
                        "; an automatic deployment needs a service that runs or was never deployed";
    }
  }
  return found;
}

Result<void> deploy_in(Unit& unit, const Call& call, const NewVersion& version, const Record& environment, Outcome& outcome) {
  ORLOP_TRY(concerned, services_concerned(unit, version, environment.id));
  if (concerned.empty()) return {};
  ORLOP_TRY(readiness, cluster_readiness(unit, environment));
  if (readiness.gate == ClusterGate::closed) {
    outcome.refusal = readiness.reason;
    return {};
  }
  ORLOP_TRY(services, deployable(unit, std::move(concerned), outcome));
  if (services.empty()) return {};
  Order order;
  order.environment = environment.id;
  order.author = std::string(call.author);
  order.origin = std::string(version.origin);
  Value overrides;
  for (const Concerned& service : services) {
    ORLOP_TRY(asked, apply_deploy_body(unit, *find_family(service.record.family), service.record, service.body));
    if (!asked.is_null()) overrides.set(to_text(service.record.id), std::move(asked));
    order.services.push_back(service.record.id);
  }
  if (!overrides.is_null()) order.overrides = to_json(overrides);
  if (auto queued = enqueue(unit, order); !queued) return std::move(queued).error();
  if (outcome.first.is_nil()) outcome.first = order.services.front();
  return {};
}

Result<std::vector<Record>> children_of(Unit& unit, const Id& parent, std::string_view family) {
  RecordRange range;
  range.key = parent;
  range.family = find_family(family)->number;
  return unit.records(range);
}

// A path in the repository, without what stands for its root.
std::string_view from_root(std::string_view path) {
  while (path.starts_with("./")) path.remove_prefix(2);
  while (path.starts_with('/')) path.remove_prefix(1);
  while (path.ends_with('/')) path.remove_suffix(1);
  return path;
}

// The root holds everything.
bool lies_under(std::string_view file, std::string_view folder) {
  if (folder.empty() || file == folder) return true;
  return file.starts_with(folder) && file[folder.size()] == '/';
}

// Whether one of the restrictions of this mode has the file.
bool is_named(std::span<const Value> restrictions, std::string_view mode, std::string_view file) {
  return std::ranges::any_of(restrictions, [&](const Value& restriction) {
    return restriction.text_or("mode", "") == mode && lies_under(file, from_root(restriction.text_or("value", "")));
  });
}

std::string plain_address(std::string_view url) {
  if (const std::size_t scheme = url.find("://"); scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
  const std::size_t host_end = std::min(url.find('/'), url.size());
  if (const std::size_t user_end = url.substr(0, host_end).rfind('@'); user_end != std::string_view::npos) url.remove_prefix(user_end + 1);
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
    const bool is_refused = !outcome.refusal.empty();
    return make_error(is_refused ? ErrorCode::conflict : ErrorCode::not_found, is_refused ? outcome.refusal : version.nowhere);
  }
  ORLOP_TRY(text, service_status(unit, outcome.first));
  return Answer{202, std::move(text)};
}

bool lets_through(std::span<const Value> restrictions, std::span<const Value> changed_files) {
  if (restrictions.empty()) return true;
  const bool must_match = std::ranges::any_of(restrictions, [](const Value& restriction) { return restriction.text_or("mode", "") == "MATCH"; });
  return std::ranges::any_of(changed_files, [&](const Value& changed) {
    const std::string_view file = from_root(changed.as_text());
    return !is_named(restrictions, "EXCLUDE", file) && (!must_match || is_named(restrictions, "MATCH", file));
  });
}

bool is_same_repository(std::string_view url, std::string_view other) { return plain_address(url) == plain_address(other); }

}  // namespace orlop
