#include "endpoints/integrations/parts/argocd_sync_state.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "deploy/run/state_transition.h"
#include "endpoints/billing/parts/limits_of_plan.h"
#include "endpoints/integrations/parts/argocd_status.h"
#include "lifecycle/state.h"
#include "model/registry.h"
#include "model/validate.h"
#include "records/record_value.h"
#include "records/write_record.h"
#include "unit/edited_members.h"
#include "unit/find_record.h"
#include "unit/store_record.h"
#include "unit/unique_name.h"
#include "unit/unit_context.h"

namespace orlop {
namespace {

constexpr std::size_t changed_at_once_max = 100;    // services that a commit creates, changes or removes
constexpr std::size_t compared_at_once_max = 2000;  // services that a commit compares; most are unchanged

const Family& app_family() { return *find_family("argocd_app"); }

// Reports whether the error means that no service can be made for an application; other errors end the tick.
bool is_refusal(const Error& error) { return error.code == ErrorCode::invalid || error.code == ErrorCode::conflict; }

class Synchronization {
 public:
  Synchronization(Unit& unit, const Record& config) : unit_(unit), config_(config) {}

  Result<void> load();
  Result<SyncPart> take(const Value& applications, std::size_t from);

 private:
  struct Present {
    Record record;
    std::shared_ptr<const Value> body;
  };
  using Namespace = std::pair<Id, std::string>;  // cluster and name

  Result<void> place(const Value& application);
  // Returns the environment for the namespace: that of its other applications, else the one with its name, which is
  // created if necessary.
  Result<Id> environment_of(const Value& application, const Id& cluster);
  Result<Id> project_of(std::string_view name);
  Result<Id> environment_named(const Id& project, const std::string& name, const Id& cluster);
  Result<void> add(const Value& application, const Id& cluster);
  Result<void> update(const Present& present, const Value& application, const Id& cluster);
  Result<void> follow(const Record& service, const Value& application);
  // Removes nothing if a deployment of the service is running.
  Result<bool> remove(const Record& service);
  Result<bool> is_busy(const Id& service);
  Result<void> require_room_for(std::string_view resource);

  Unit& unit_;
  const Record& config_;
  std::map<std::string, Id, std::less<>> clusters_;  // by URL of the destination
  std::map<std::string, Present, std::less<>> present_;
  std::map<Namespace, Id> environments_;
  bool is_half_made_ = false;  // a service is partly written
};

Result<void> Synchronization::load() {
  RecordRange mapped;
  mapped.key = config_.parent;
  mapped.family = find_family("argocd_mapping")->number;
  ORLOP_TRY(mappings, unit_.records(mapped));
  for (const Record& mapping : mappings) {
    ORLOP_TRY(body, unit_.value_of(mapping));
    if (const auto id = parse_id(body->text_or("cluster_id", "")))
      clusters_.emplace(body->text_or("argocd_cluster_url", ""), *id);
  }
  RecordRange range;
  range.by = RecordRange::By::reference;
  range.key = config_.id;
  range.family = app_family().number;
  ORLOP_TRY(records, unit_.records(range));
  for (Record& record : records) {
    ORLOP_TRY(body, unit_.value_of(record));
    environments_.emplace(
        Namespace(parse_id(body->text_or("cluster_id", "")).value_or(Id{}), body->text_or("namespace", "")),
        record.parent);
    std::string name(body->text_or("name", ""));
    present_.emplace(std::move(name), Present{std::move(record), std::move(body)});
  }
  return {};
}

Result<void> Synchronization::require_room_for(std::string_view resource) {
  return unit_.settings().billing.empty() ? Result<void>() : require_room(unit_, config_.organization, resource, 1);
}

Result<Id> Synchronization::project_of(std::string_view name) {
  const Family& family = *find_family("project");
  ORLOP_TRY(found, unit_.find(name_key(family, config_.organization, config_.organization, name)));
  if (found) return *found;
  ORLOP_CHECK(require_room_for("projects"));
  ORLOP_CHECK(require_room_for("environments"));  // a new project needs a new environment too
  ORLOP_TRY(made, create_record(unit_, family, config_.organization, Value(Value::Object{{"name", Value(name)}})));
  return made.id;
}

// Returns nil if an environment on another cluster has the name.
Result<Id> Synchronization::environment_named(const Id& project, const std::string& name, const Id& cluster) {
  const Family& family = *find_family("environment");
  ORLOP_TRY(found, unit_.find(name_key(family, project, config_.organization, name)));
  if (found) {
    ORLOP_TRY(record, unit_.record(*found));
    if (!record) return Id{};
    ORLOP_TRY(body, unit_.value_of(*record));
    return parse_id(body->text_or("cluster_id", "")) == cluster ? *found : Id{};
  }
  ORLOP_CHECK(require_room_for("environments"));
  ORLOP_TRY(made, create_record(unit_, family, project,
                                Value(Value::Object{{"name", Value(name)}, {"cluster", Value(to_text(cluster))}})));
  return made.id;
}

Result<Id> Synchronization::environment_of(const Value& application, const Id& cluster) {
  const std::string name(application.text_or("namespace", ""));
  if (const auto known = environments_.find({cluster, name}); known != environments_.end()) return known->second;
  const std::string_view project_name = application.text_or("project", "");
  ORLOP_TRY(project, project_of(project_name.empty() ? "default" : project_name));
  ORLOP_TRY(environment, environment_named(project, name, cluster));
  if (environment.is_nil()) {
    ORLOP_TRY(carrier, unit_.record(cluster));
    const std::string longer = name + " (" + (carrier ? name_of(*carrier) : to_text(cluster)) + ")";
    ORLOP_TRY(other, environment_named(project, longer, cluster));
    if (other.is_nil())
      return make_error(ErrorCode::conflict,
                        "the environments \"" + name + "\" and \"" + longer + "\" run on other clusters");
    environment = other;
  }
  environments_[{cluster, name}] = environment;
  return environment;
}

void describe(Value& service, const Value& application, const Id& config, const Id& cluster) {
  const auto copy = [&](std::string_view member) {
    const Value* given = application.find(member);
    service.set(std::string(member), given == nullptr ? Value() : *given);
  };
  service.set("name", *application.find("name"));
  service.set("namespace", *application.find("namespace"));
  service.set("cluster_id", Value(to_text(cluster)));
  service.set("argocd_config_id", Value(to_text(config)));
  copy("last_synced_at");
  copy("manifest_revision");
  const Value* repository = application.find("git_repository");
  if (repository == nullptr || !repository->is_object()) {
    service.set("git_repository", Value());
    return;
  }
  const Value* before = service.find("git_repository");
  Value kept = before != nullptr && before->is_object() ? *before : Value::object();
  kept.set("url", Value(repository->text_or("url", "")));
  const std::string_view branch = repository->text_or("branch", "");
  const std::string_view folder = repository->text_or("root_path", "");
  kept.set("branch", Value(branch.empty() ? "main" : branch));
  kept.set("root_path", Value(folder.empty() ? "/" : folder));
  kept.erase("provider");  // derived from the URL
  service.set("git_repository", std::move(kept));
}

Result<void> Synchronization::add(const Value& application, const Id& cluster) {
  ORLOP_CHECK(require_room_for("services"));
  ORLOP_TRY(environment, environment_of(application, cluster));
  const Family& family = app_family();
  Record record;
  record.family = family.number;
  record.parent = environment;
  record.organization = config_.organization;
  record.id = unit_.make_id();
  UnitContext context(unit_, record, nullptr);
  Violations violations;
  Value made = make_record(family, Value::object(), Purpose::create, context, violations);
  describe(made, application, config_.id, cluster);
  family.complete(made, context);
  arrange(family.fields, made);
  ORLOP_CHECK(Result<void>(context.outcome()));
  if (!violations.empty()) return refusal(std::move(violations));
  const std::uint32_t plan_flags = family.plan_flags(made);
  is_half_made_ = true;
  ORLOP_TRY(stored, put_new_value(unit_, family, std::move(record), std::move(made)));
  ORLOP_CHECK(unit_.hooks().created(unit_, family, stored, plan_flags));
  ORLOP_CHECK(follow(stored, application));
  is_half_made_ = false;
  return {};
}

Result<bool> Synchronization::is_busy(const Id& service) {
  ORLOP_TRY(machine, unit_.machine(service));
  return machine && machine->active;
}

Result<bool> Synchronization::remove(const Record& service) {
  ORLOP_TRY(busy, is_busy(service.id));
  if (busy) return false;
  ORLOP_CHECK(remove_tree(unit_, service));
  return true;
}

Result<void> Synchronization::update(const Present& present, const Value& application, const Id& cluster) {
  const Family& family = app_family();
  ORLOP_TRY(before, full_value(present.record));
  Value after = before;
  UnitContext context(unit_, present.record, &before);
  describe(after, application, config_.id, cluster);
  family.complete(after, context);
  arrange(family.fields, after);
  ORLOP_CHECK(Result<void>(context.outcome()));
  Record record = present.record;
  if (const auto changed = changed_members(before, after); !changed.empty()) {
    is_half_made_ = true;
    after.set("updated_at", Value(to_text(unit_.now())));
    ORLOP_TRY(stored, put_value(unit_, family, std::move(record), std::move(after), EventKind::edited, changed));
    record = std::move(stored);
  }
  ORLOP_CHECK(follow(record, application));
  is_half_made_ = false;
  return {};
}

// A service that a deployment acts on follows the application after the deployment.
Result<void> Synchronization::follow(const Record& service, const Value& application) {
  ORLOP_TRY(machine, require_machine(unit_, service.id));
  if (machine.active) return {};
  const ApplicationStatus status = status_of(application);
  const Machine before = machine;
  StateTransition transition(unit_, service.organization, std::move(machine));
  transition.edit_detail().reason = status.reason;
  transition.machine().action = static_cast<std::uint8_t>(action_of(status.state));
  transition.follow(status.state);
  transition.set_running(status.running);
  transition.set_freshness(status.freshness);
  transition.machine().last_deployment_at = status.synced_at;
  transition.machine().deployed = status.synced_at ? service.revision : 0;
  const Machine& after = transition.machine();
  const bool is_same = after.state == before.state && after.running == before.running &&
                       after.freshness == before.freshness && after.last_deployment_at == before.last_deployment_at &&
                       after.deployed == before.deployed && after.detail->reason == before.detail->reason;
  if (!is_same) std::move(transition).put();
  return {};
}

// If the namespace or cluster has changed, the application becomes another service in another environment.
Result<void> Synchronization::place(const Value& application) {
  const Id cluster = clusters_.find(application.text_or("argocd_cluster_url", ""))->second;
  const auto present = present_.find(application.text_or("name", ""));
  if (present == present_.end()) return add(application, cluster);
  const Value& body = *present->second.body;
  const bool stays = body.text_or("namespace", "") == application.text_or("namespace", "") &&
                     parse_id(body.text_or("cluster_id", "")) == cluster;
  if (stays) return update(present->second, application, cluster);
  ORLOP_TRY(is_removed, remove(present->second.record));
  return is_removed ? add(application, cluster) : Result<void>();
}

Result<SyncPart> Synchronization::take(const Value& applications, std::size_t from) {
  std::map<std::string_view, const Value*> wanted;
  for (const Value& application : applications.items()) {
    if (clusters_.contains(application.text_or("argocd_cluster_url", "")))
      wanted.emplace(application.text_or("name", ""), &application);
  }
  SyncPart part{.done = std::min(from, wanted.size()), .is_last = true, .left_out = {}};
  const std::size_t end = std::min(wanted.size(), part.done + compared_at_once_max);
  std::size_t changed = 0;
  for (auto next = std::next(wanted.begin(), static_cast<std::ptrdiff_t>(part.done));
       part.done < end && changed < changed_at_once_max; ++next, ++part.done) {
    const std::size_t put = unit_.changes().records.size();
    const std::size_t moved = unit_.changes().machines.size();
    const auto placed = place(*next->second);
    changed += unit_.changes().records.size() != put || unit_.changes().machines.size() != moved ? 1 : 0;
    if (placed) continue;
    // A partly written service must not be committed; an empty new environment may.
    if (!is_refusal(placed.error()) || is_half_made_) return placed.error();
    if (part.left_out.empty())
      part.left_out = "application \"" + std::string(next->first) + "\": " + placed.error().message;
  }
  std::size_t removed = 0;
  for (const auto& [name, service] : present_) {
    if (wanted.contains(name)) continue;
    if (part.done < wanted.size() || removed == changed_at_once_max) {
      part.is_last = false;
      break;
    }
    ORLOP_TRY(is_removed, remove(service.record));
    removed += is_removed ? 1 : 0;
  }
  if (part.done < wanted.size()) part.is_last = false;
  return part;
}

}  // namespace

Result<Shared<Machine>> sync_machine(Unit& unit, const Id& config) {
  ORLOP_TRY(sync, find_child(unit, config, find_family("argocd_sync")->number));
  if (!sync) return Shared<Machine>();
  return unit.machine(sync->id);
}

Result<void> begin_sync(Unit& unit, const Id& cluster) {
  ORLOP_TRY(config, find_child(unit, cluster, find_family("argocd_config")->number));
  if (!config) return {};
  ORLOP_TRY(machine, sync_machine(unit, config->id));
  if (!machine) return {};
  const Id sync = machine->id;
  const std::uint8_t partition = machine->partition;
  Machine due = *machine;
  due.deadline.reset();
  due.progress = 0;
  unit.put(std::move(due));
  unit.wake(sync, partition);
  return {};
}

Result<SyncPart> take_applications(Unit& unit, const Record& config, const Value& applications, std::size_t from) {
  Synchronization synchronization(unit, config);
  ORLOP_CHECK(synchronization.load());
  return synchronization.take(applications, from);
}

}  // namespace orlop
