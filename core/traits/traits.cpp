#include "traits/traits.h"

#include <initializer_list>

#include "ops/verbs.h"
#include "traits/cluster_settings.h"
#include "traits/operations.h"
#include "traits/remove.h"
#include "traits/service_list.h"
#include "traits/stage_list.h"

namespace orlop {
namespace {

std::vector<Operation> join(std::initializer_list<std::span<const Operation>> lists) {
  std::vector<Operation> operations;
  for (const std::span<const Operation> list : lists) operations.insert(operations.end(), list.begin(), list.end());
  return operations;
}

std::vector<Operation> of_kind(const Family& family) {
  std::vector<Operation> operations;
  const ServiceKindWords* words = words_of_kind(family);
  if (words == nullptr) return operations;
  for (const std::span<const KindOperation> list : {deployable_operations(), history_operations()}) {
    for (const KindOperation& entry : list) {
      if (is_one_of(entry.kinds, words->kind)) operations.push_back(entry.operation);
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
  if (&family != &stage_family()) return {};
  if (verb == Verb::remove) return {remove_stage, {}};
  if (verb == Verb::list) return {list_stages, {}};
  return {};
}

}  // namespace orlop
