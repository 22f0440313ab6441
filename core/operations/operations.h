// The operations of each trait, as each file of this folder lists them; traits.cpp puts them together.
#pragma once

#include <cstdint>
#include <span>

#include "ops/call.h"
#include "operations/services/service_kind.h"

namespace orlop {

// An operation of some kinds of services only.
struct KindOperation {
  std::uint8_t kinds = every_kind;
  Operation operation;
};

std::span<const KindOperation> deployable_operations();
std::span<const KindOperation> history_operations();
std::span<const Operation> environment_deploy_operations();
std::span<const Operation> environment_status_operations();
std::span<const Operation> environment_history_operations();
std::span<const Operation> cluster_deploy_operations();
std::span<const Operation> cluster_lock_operations();
std::span<const Operation> cluster_settings_operations();
std::span<const Operation> clone_service_operations();
std::span<const Operation> clone_environment_operations();
std::span<const Operation> staged_operations();
std::span<const Operation> previewable_operations();
std::span<const Operation> group_operations();
std::span<const Operation> cluster_feature_operations();
std::span<const Operation> webhook_operations();
std::span<const Operation> membership_operations();
std::span<const Operation> invitation_operations();
std::span<const Operation> role_operations();
std::span<const Operation> service_operations();  // of /service/{serviceId}
std::span<const Operation> audit_operations();    // of an organization's events
std::span<const Operation> request_operations();  // of deployment requests by their own id

}  // namespace orlop
