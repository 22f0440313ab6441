// The table of routes, from a method and path to the operation that answers. Built once from the families' verbs and
// the operation sets.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unit/operation.h"

namespace orlop {

struct Route {
  Operation operation;
  const Family* family = nullptr;  // nullptr for an operation without a family
  // Family of the parent in the route's path, or nullptr.
  const Family* parent = nullptr;
  std::string path;                     // "/container/{containerId}/status"
  std::string name;                     // operation id, such as "get_container_status"
  std::optional<Verb> verb;             // set for the five plain verbs
  std::vector<std::string> parameters;  // names of the path parameters, in order
  std::vector<const Field*> texts;      // for each path parameter: its field if it is a text, nullptr if it is an id
  Level need = Level::view;             // level that the caller needs in the scope of the path's last resource
  bool is_of_billing = false;           // the level is needed in the billing of the organization instead
};

// Returns all routes, in the order of families and their operations. Built on first use; never changes.
std::span<const Route> all_routes();

// Fills a pattern: "get_container_status" from "get_{family}_status". The name of the parent comes first if several
// families may be the parent: "create_helm_custom_domain". `family` and `parent` may be nullptr.
std::string expand(std::string_view text, const Family* family, const Family* parent = nullptr);

struct Match {
  const Route* route = nullptr;  // nullptr if no operation has this method
  std::vector<Id> ids;
  std::vector<std::string> texts;
  bool is_path_known = false;    // the path exists, perhaps with another method
  std::string bad_id;            // segment that should be a UUID and is not; route is then set
  std::string_view bad_id_name;  // name of that parameter
};

// Returns the scope in which the route's level is checked, that of the last resource of its path; nullopt if every
// authenticated caller may call it, or the handler decides.
std::optional<ScopeKind> place_of(const Route& route);

// Returns the path without "/api/v1" and without a final slash.
std::string_view served_path(std::string_view path);

// Finds the route. `path` has no query and is percent-decoded.
Match match(Method method, std::string_view path);
// Returns the methods of `path`, such as "GET, PUT"; "" if it is unknown.
std::string allowed_at(std::string_view path);

std::string_view to_string(Method method);
std::optional<Method> parse_method(std::string_view name);

}  // namespace orlop
