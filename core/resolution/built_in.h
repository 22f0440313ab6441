// Built-in variables: derived from other records and computed on read, so that writes of those records need not update
// them.
//
// A built-in's id is computed from the id of its owner (project, environment or service) and its kind, reversibly.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"

namespace orlop {

// Numbers are part of ids; never reused. 1 to 15.
enum class BuiltInKind : std::uint8_t {
  project_id = 1,       // of a project
  organization_id = 2,  // of an environment
  organization_name = 3,
  project_name = 4,
  environment_id = 5,
  environment_name = 6,
  cloud_region = 7,
  cluster_name = 8,
  host_internal = 9,  // of a service
  host_external = 10,
  host = 11,  // of a database
  port = 12,
  login = 13,
  password = 14,
  database_url = 15,
};
inline constexpr std::uint8_t built_in_kind_max = 15;

struct BuiltIn {
  BuiltInKind kind;
  Id owner;
  std::string key;
  std::string value;       // as in responses
  std::string step_value;  // as drivers get it, if it differs
  bool is_secret = false;
  bool is_missing = false;  // derived from a secret that the store does not have
};

Id built_in_id(const Id& owner, BuiltInKind kind);
// Returns the owner of a built-in with this id, if it is of this kind.
Id built_in_owner(const Id& built_in, BuiltInKind kind);

// Adds the built-ins of a project, which are visible in it and everything below it.
void add_project_built_ins(std::vector<BuiltIn>& built_ins, std::string_view brand, const Id& project);

struct EnvironmentFacts {
  Id environment = {};
  std::string_view environment_name = {};
  std::string_view project_name = {};
  Id organization = {};
  std::string_view organization_name = {};
  std::string_view cloud_region = {};
  std::string_view cluster_name = {};
};
// Adds the built-ins of an environment, which are visible in it and its services.
void add_environment_built_ins(std::vector<BuiltIn>& built_ins, std::string_view brand, const EnvironmentFacts& facts);

// Returns the host as it is part of a URL: an IPv6 address in brackets (RFC 3986).
std::string host_in_url(std::string_view host);

struct ServiceFacts {
  Id service = {};
  std::string_view kind = {};  // "CONTAINER"
  bool has_public_port = false;
  std::string_view public_host = {};    // if it has a public port
  std::string_view internal_host = {};  // empty: made of its id
  // Only for databases:
  std::string_view engine = {};  // "POSTGRESQL"
  std::string_view host = {};
  std::int64_t port = 0;
  std::string_view login = {};
  std::string_view password = {};
  bool is_password_missing = false;  // a snapshot omitted it
};
// Adds the built-ins of a service, which are visible in its environment and all services there. Adds nothing for a
// service without an address: a job, a Terraform service.
void add_service_built_ins(std::vector<BuiltIn>& built_ins, std::string_view brand, const ServiceFacts& facts);

// Returns the part of a service's built-in keys that identifies the service: "_Z0000000C_".
std::string built_in_mark(const Id& service);

// Reports whether services of this kind have built-ins.
bool has_built_ins(std::string_view service_kind);

}  // namespace orlop
