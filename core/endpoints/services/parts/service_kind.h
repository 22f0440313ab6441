// Kinds of services, for operations on environments that distinguish them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "model/family.h"

namespace orlop {

// Numbers are bits, so that an operation can list its kinds.
enum class ServiceKind : std::uint8_t {
  application = 1,
  container = 2,
  database = 4,
  job = 8,
  helm = 16,
  terraform = 32,
  argocd_app = 64,
};

inline constexpr std::uint8_t every_kind = 127;
inline constexpr std::uint8_t deployable_kinds = 63;  // without ArgoCD applications, which their controller deploys

struct ServiceKindNames {
  ServiceKind kind;
  std::string_view name;           // Family::service_kind
  std::string_view plural;         // member with its list in statuses and in a deployment of a selection
  std::string_view id_list;        // member with its list in the other selections
  std::string_view default_stage;  // stage that a new service of this kind joins
  std::string_view icon;           // last part of the URL of its default icon
};

inline constexpr std::array<ServiceKindNames, 7> service_kinds = {{
    {ServiceKind::application, "APPLICATION", "applications", "application_ids", "APPLICATION DEFAULT", "application"},
    {ServiceKind::container, "CONTAINER", "containers", "container_ids", "CONTAINER DEFAULT", "container"},
    {ServiceKind::database, "DATABASE", "databases", "database_ids", "DATABASE DEFAULT", "database"},
    {ServiceKind::job, "JOB", "jobs", "job_ids", "JOB DEFAULT", "job"},
    {ServiceKind::helm, "HELM", "helms", "helm_ids", "CONTAINER DEFAULT", "helm"},
    {ServiceKind::terraform, "TERRAFORM", "terraforms", "terraform_ids", "DATABASE DEFAULT", "terraform"},
    {ServiceKind::argocd_app, "ARGOCD_APP", "argocd_apps", "argocd_app_ids", "APPLICATION DEFAULT", "argocd"},
}};

// Stages of a new environment, in order.
inline constexpr std::array<std::string_view, 4> default_stages = {"DATABASE DEFAULT", "JOB DEFAULT",
                                                                   "CONTAINER DEFAULT", "APPLICATION DEFAULT"};

// Names of a service family; null for any other family.
constexpr const ServiceKindNames* names_of_kind(const Family& family) {
  for (const ServiceKindNames& names : service_kinds) {
    if (names.name == family.service_kind) return &names;
  }
  return nullptr;
}

// Finds the names by Family::service_kind; null if there is no such kind.
constexpr const ServiceKindNames* names_of_kind(std::string_view name) {
  for (const ServiceKindNames& names : service_kinds) {
    if (names.name == name) return &names;
  }
  return nullptr;
}

constexpr bool is_one_of(std::uint8_t kinds, ServiceKind kind) {
  return (kinds & static_cast<std::uint8_t>(kind)) != 0;
}

}  // namespace orlop
