#include "operations/traits.h"

#include <algorithm>
#include <initializer_list>

#include "ops/verbs.h"
#include "operations/clusters/settings.h"
#include "operations/access/membership.h"
#include "operations/operations.h"
#include "operations/services/remove.h"
#include "operations/access/roles.h"
#include "operations/services/service_list.h"
#include "operations/environments/stage_list.h"
#include "operations/access/tokens.h"

namespace orlop {
namespace {

std::vector<Operation> join(std::initializer_list<std::span<const Operation>> lists) {
  std::vector<Operation> operations;
  for (const std::span<const Operation> list : lists) operations.insert(operations.end(), list.begin(), list.end());
  return operations;
}

std::vector<Operation> of_kind(const Family& family) {
  std::vector<Operation> operations;
  const ServiceKindNames* enum_values = names_of_kind(family);
  if (enum_values == nullptr) return operations;
  for (const std::span<const KindOperation> list : {deployable_operations(), history_operations()}) {
    for (const KindOperation& entry : list) {
      if (is_one_of(entry.kinds, enum_values->kind)) operations.push_back(entry.operation);
    }
  }
  return operations;
}

Override override_of_service(const Family& family, Verb verb) {
  if (verb == Verb::remove) return {remove_service, remove_service_query(family)};
  if (verb == Verb::list) return {list_services, list_services_query(family)};
  return {};
}

Override override_of_cluster(Verb verb) {
  if (verb == Verb::remove) return {remove_cluster, remove_cluster_query()};
  if (verb == Verb::edit) return {edit_cluster, {}};
  return {};
}

Override override_of_stage(Verb verb) {
  if (verb == Verb::remove) return {remove_stage, {}};
  if (verb == Verb::list) return {list_stages, {}};
  return {};
}

Override override_of_token(const Family& family, Verb verb) {
  if (verb == Verb::create) return {create_token, {}};
  if (verb == Verb::list) return {list_tokens, list_tokens_query(family)};
  return {};
}

bool has_trait(const Family& family, Trait trait) { return std::ranges::find(family.traits, trait) != family.traits.end(); }

}  // namespace

std::vector<Operation> operations_of(Trait trait, const Family& family) {
  switch (trait) {
    case Trait::deployable:
      return of_kind(family);
    case Trait::environment_deploy:
      return join({environment_deploy_operations(), environment_status_operations(), environment_history_operations()});
    case Trait::cluster_deploy:
      return join({cluster_deploy_operations(), cluster_settings_operations(), cluster_lock_operations()});
    case Trait::clonable_service:
      return join({clone_service_operations()});
    case Trait::clonable_environment:
      return join({clone_environment_operations()});
    case Trait::staged:
      return join({staged_operations()});
    case Trait::previewable:
      return join({previewable_operations()});
    case Trait::group:
      return join({group_operations()});
    case Trait::notified:
      return join({webhook_operations()});
    case Trait::membership:
      return join({membership_operations()});
    case Trait::invitation:
      return join({invitation_operations()});
    case Trait::role:
      return join({role_operations()});
    case Trait::token:
      return {};
  }
  return {};
}

std::span<const Operation> standalone_operations() {
  static const std::vector<Operation> operations =
      join({service_operations(), request_operations(), cluster_feature_operations(), audit_operations()});
  return operations;
}

Override override_of(const Family& family, Verb verb) {
  switch (family.machine) {
    case MachineKind::service:
      return override_of_service(family, verb);
    case MachineKind::cluster:
      return override_of_cluster(verb);
    case MachineKind::environment:
      return verb == Verb::remove ? Override{remove_environment, remove_environment_query()} : Override{};
    case MachineKind::none:
      break;
  }
  if (&family == &stage_family()) return override_of_stage(verb);
  if (family.parent.empty() && verb == Verb::create) return {create_organization, {}};
  if (has_trait(family, Trait::token)) return override_of_token(family, verb);
  if (has_trait(family, Trait::role) && verb == Verb::remove) return {remove_role, {}};
  return {};
}

}  // namespace orlop
