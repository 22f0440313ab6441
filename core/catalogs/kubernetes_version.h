// The versions of Kubernetes that clusters are made with and upgraded to: the host's catalogue, or the built-in one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace orlop {

// In their order, the newest last; `given` empty: the built-in ones.
//
// The version that a new cluster is made with: all but the newest, which clusters are upgraded to. Lives as long as
// `given`.
std::string_view first_kubernetes_version(std::span<const std::string> given);

// The version that a cluster of this version is upgraded to; "" if there is none. After a version that the catalogue
// does not have comes the first one that is newer by its numbers.
std::string_view next_kubernetes_version(std::span<const std::string> given, std::string_view version);

}  // namespace orlop
