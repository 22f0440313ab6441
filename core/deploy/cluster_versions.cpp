#include "deploy/request.h"
#include "model/kubernetes_version.h"

namespace orlop {

std::string_view next_cluster_version(std::string_view version) { return next_kubernetes_version(version); }

std::string_view default_cluster_version() { return first_kubernetes_version; }

}  // namespace orlop
