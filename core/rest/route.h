// The table of paths: which operation answers a method and a path. Made once from the families' verbs and the operation sets.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ops/call.h"

namespace orlop {

struct Route {
  Operation operation;
  const Family* family = nullptr;       // nullptr: a standalone operation
  std::string path;                     // "/container/{containerId}/status"
  std::string name;                     // operation id: "get_container_status"
  std::optional<Verb> verb;             // if it is one of the five plain verbs
  std::vector<std::string> parameters;  // names of the path's parameters, in order
  Level need = Level::view;             // what the caller must be allowed to, where the last resource of the path lies
};

// All routes, in the order of families and their operations. Built on first use; never changes.
std::span<const Route> all_routes();

// "get_container_status" from "{verb}_{family}_status": the family's name in place of "{family}".
std::string expand(std::string_view text, const Family* family);

struct Match {
  const Route* route = nullptr;   // nullptr: no operation of this method here
  std::vector<Id> ids;
  bool is_path_known = false;     // another method answers here
  std::string bad_id;             // a segment that should be a uuid and is none; route is then set
  std::string_view bad_id_name;   // of the parameter
};


// Where the route's need counts: the kind of place in which the last resource of its path lies. Nothing: whoever is known may ask, or the
// handler decides.
std::optional<ScopeKind> place_of(const Route& route);

// Without the "/api/v1" and the last slash that it may have.
std::string_view served_path(std::string_view path);

// `path` without query, percent-decoded.
Match match(Method method, std::string_view path);
// The methods that `path` answers to, "GET, PUT"; "" if it is unknown.
std::string allowed_at(std::string_view path);

std::string_view to_string(Method method);
std::optional<Method> parse_method(std::string_view enum_value);

}  // namespace orlop
