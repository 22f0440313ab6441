// Behaviour that families share. A family names its traits; each trait is written once in traits/ and gives its verbs and routes to
// every family that names it.
#pragma once

#include <cstdint>

namespace orlop {

enum class Trait : std::uint8_t {
  deployable,         // a service: status, deploy, redeploy, restart, stop, uninstall, history, list of statuses
  environment_deploy, // an environment: the same for all its services or a selection, queue, cancel
  cluster_deploy,     // a cluster: deploy, dry run, upgrade, stop, status, lock
  clonable_service,
  clonable_environment,
  staged,             // a deployment stage: move, attach a service
  previewable,        // containers: preview environments of an image
  group,              // labels and annotations: what carries them
  notified,           // a webhook: its delivery log
  membership,         // members: their roles, their leaving, who owns the organization
  invitation,         // to become a member: its acceptance
  role,               // custom roles: the list of all roles
  token,              // API tokens: shown once, found by what they hash to
};

// What planning needs to know of a service or cluster without reading its body: bits of Machine::traits, and of
// Machine::planned_traits as they were when the current request began. Plans are made from the latter, so that what is edited in the midst of
// a request changes nothing of it, whenever the plan is made anew.
enum class MachineTrait : std::uint32_t {
  skipped = 1U << 0,          // left out of its environment's deploy, stop and restart
  builds = 1U << 1,           // has a build before its deploy
  on_start = 1U << 2,         // job events
  on_stop = 1U << 3,
  on_delete = 1U << 4,
  cron = 1U << 5,
  uninterruptible = 1U << 6,  // a cancel lets its running step end: terraform, managed databases, jobs
  restartable = 1U << 7,      // application, container, database
  stoppable = 1U << 8,        // all but terraform; clusters: not GCP, AZURE or PARTIALLY_MANAGED
  has_git = 1U << 9,
  upgradable = 1U << 10,      // clusters: not PARTIALLY_MANAGED
  executes = 1U << 11,        // its deploy is an execution: jobs
};

constexpr std::uint32_t operator|(MachineTrait left, MachineTrait right) {
  return static_cast<std::uint32_t>(left) | static_cast<std::uint32_t>(right);
}
constexpr std::uint32_t operator|(std::uint32_t left, MachineTrait right) { return left | static_cast<std::uint32_t>(right); }
constexpr bool has(std::uint32_t traits, MachineTrait trait) { return (traits & static_cast<std::uint32_t>(trait)) != 0; }

}  // namespace orlop
