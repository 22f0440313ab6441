// The table of paths: which operation answers a method and a path. Made once from the families' verbs and the operation
// sets.
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
  const Family* family = nullptr;  // nullptr: a standalone operation
  // The family of the parent in whose path the route lies; nullptr if it lies in none.
  const Family* parent = nullptr;
  std::string path;                     // "/container/{containerId}/status"
  std::string name;                     // operation id: "get_container_status"
  std::optional<Verb> verb;             // if it is one of the five plain verbs
  std::vector<std::string> parameters;  // names of the path's parameters, in order
  std::vector<const Field*> texts;      // for each of them: what describes it if it is a text; nullptr if it is an id
  Level need = Level::view;             // the level that the caller needs in the scope of the path's last resource
  bool is_of_billing = false;           // in the billing of its organization instead
};

// All routes, in the order of families and their operations. Built on first use; never changes.
std::span<const Route> all_routes();

// "get_container_status" from "get_{family}_status": the family's name in place of "{family}"; with the parent's in
// front where several families may be the parent: "create_helm_custom_domain". nullptr: there is none.
std::string expand(std::string_view text, const Family* family, const Family* parent = nullptr);

struct Match {
  const Route* route = nullptr;  // nullptr: no operation with this method
  std::vector<Id> ids;
  std::vector<std::string> texts;
  bool is_path_known = false;    // the path exists with another method
  std::string bad_id;            // a segment that is not a UUID although it should be; route is then set
  std::string_view bad_id_name;  // of the parameter
};

// The scope in which the route's level is checked: that of the last resource of its path. Nothing: every authenticated
// caller may call it, or the handler decides.
std::optional<ScopeKind> place_of(const Route& route);

// The path without "/api/v1" and without a final slash.
std::string_view served_path(std::string_view path);

// `path` without query, percent-decoded.
Match match(Method method, std::string_view path);
// The methods of `path`, "GET, PUT"; "" if it is unknown.
std::string allowed_at(std::string_view path);

std::string_view to_string(Method method);
std::optional<Method> parse_method(std::string_view name);

}  // namespace orlop
