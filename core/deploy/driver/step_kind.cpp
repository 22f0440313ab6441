#include "deploy/driver/driver.h"

namespace orlop {

std::string_view to_string(StepKind kind) {
  switch (kind) {
    case StepKind::none: return "none";
    case StepKind::build: return "build";
    case StepKind::deploy: return "deploy";
    case StepKind::execute: return "execute";
    case StepKind::stop: return "stop";
    case StepKind::restart: return "restart";
    case StepKind::remove: return "delete";
    case StepKind::cluster_create: return "cluster_create";
    case StepKind::cluster_update: return "cluster_update";
    case StepKind::cluster_upgrade: return "cluster_upgrade";
    case StepKind::cluster_dry_run: return "cluster_dry_run";
    case StepKind::cluster_stop: return "cluster_stop";
    case StepKind::cluster_remove: return "cluster_delete";
    case StepKind::cluster_restart: return "cluster_restart";
    case StepKind::task: return "task";
  }
  return "none";
}

}  // namespace orlop
