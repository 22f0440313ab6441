#include "rest/route.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "base/flat_map.h"
#include "endpoints/operation_registry.h"
#include "model/registry.h"
#include "records/single.h"
#include "records/verbs.h"

namespace orlop {
namespace {

void replace(std::string& text, std::string_view mark, std::string_view by) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + by.size())) {
    text.replace(at, mark.size(), by);
  }
}

std::string item_of(const Family& family, const Family* parent);

std::string parameter_of(const Family& family) { return "{" + std::string(family.id_name) + "}"; }

std::string flat_of(const Family& family) { return "/" + std::string(family.segment) + "/" + parameter_of(family); }

// Returns the path of the family's collection below the path of `parent`; nullptr if the family is a root, or its
// requests name the parent elsewhere.
std::string collection_of(const Family& family, const Family* parent) {
  std::string path;
  if (parent != nullptr && family.parent_path == ParentPath::flat) path = flat_of(*parent);
  if (parent != nullptr && family.parent_path == ParentPath::plural)
    path = "/" + std::string(parent->segment) + "s/" + parameter_of(*parent);
  if (parent != nullptr && family.parent_path == ParentPath::item) path = item_of(*parent, parent_of(*parent));
  return path + "/" + std::string(family.segment);
}

std::string item_of(const Family& family, const Family* parent) {
  switch (family.path) {
    case PathForm::flat: return flat_of(family);
    case PathForm::nested: return collection_of(family, parent) + "/" + parameter_of(family);
    case PathForm::single: return collection_of(family, parent);
  }
  return flat_of(family);
}

struct PlainVerb {
  Verb verb;
  Operation operation;
};

constexpr std::array<PlainVerb, 5> plain_verbs = {{
    {Verb::create,
     {Method::post,
      "{collection}",
      "create_{family}",
      201,
      Access::write,
      create,
      nullptr,
      true,
      {},
      AnswerForm::record,
      nullptr,
      "Create {one}"}},
    {Verb::list,
     {Method::get,
      "{collection}",
      "list_{family}",
      200,
      Access::read,
      list,
      nullptr,
      false,
      {},
      AnswerForm::record_list,
      nullptr,
      "List the {many} of {parent}"}},
    {Verb::read,
     {Method::get,
      "{item}",
      "get_{family}",
      200,
      Access::read,
      read,
      nullptr,
      false,
      {},
      AnswerForm::record,
      nullptr,
      "Get {one}"}},
    {Verb::edit,
     {Method::put,
      "{item}",
      "edit_{family}",
      200,
      Access::write,
      edit,
      nullptr,
      true,
      {},
      AnswerForm::record,
      nullptr,
      "Edit {one}",
      "Replaces all fields. An omitted field gets its default, except secret fields and those marked as preserved, "
      "which keep "
      "their stored value."}},
    {Verb::remove,
     {Method::remove,
      "{item}",
      "delete_{family}",
      204,
      Access::write,
      remove,
      nullptr,
      false,
      {},
      AnswerForm::none,
      nullptr,
      "Delete {one}"}},
}};

Level need_of(const Operation& operation, const Family* family, std::optional<Verb> verb) {
  if (operation.need != Level::none) return operation.need;
  if (family != nullptr && verb) {
    for (const VerbNeed& need : family->needs) {
      if (need.verb == *verb) return need.level;
    }
  }
  return operation.access == Access::read ? Level::view : Level::manage;
}

Route make_route(const Operation& operation, const Family* family, std::optional<Verb> verb, const Family* parent) {
  Route route;
  route.parent = parent;
  route.operation = operation;
  route.family = family;
  route.verb = verb;
  route.path = expand(operation.path, family, parent);
  route.name = expand(operation.name, family, parent);
  route.need = need_of(operation, family, verb);
  route.is_of_billing = operation.is_of_billing || (family != nullptr && family->is_of_billing);
  for (std::size_t at = route.path.find('{'); at != std::string::npos; at = route.path.find('{', at + 1)) {
    route.parameters.push_back(route.path.substr(at + 1, route.path.find('}', at) - at - 1));
    const auto text = std::ranges::find(operation.path_texts, route.parameters.back(), &Field::name);
    route.texts.push_back(text == operation.path_texts.end() ? nullptr : &*text);
  }
  return route;
}

// Returns the parents in the paths of the operation: it has one route for each. nullptr stands for a path without a
// parent.
std::vector<const Family*> parents_in_paths(const Family& family, const Operation& operation,
                                            std::optional<Verb> verb) {
  const bool is_named_elsewhere = (verb == Verb::create && !family.parent_field.body.empty()) ||
                                  (verb == Verb::list && !family.parent_field.query.empty());
  const bool is_below = operation.path.find("{collection}") != std::string_view::npos ||
                        (operation.path.find("{item}") != std::string_view::npos && family.path != PathForm::flat);
  std::vector<const Family*> parents;
  if (!is_named_elsewhere && is_below) parents = parents_of(family);
  if (parents.empty()) parents.push_back(nullptr);
  return parents;
}

// Adds the routes of an operation, one for each parent in its paths.
void add_routes(const Operation& operation, const Family& family, std::optional<Verb> verb,
                std::vector<Route>& routes) {
  for (const Family* parent : parents_in_paths(family, operation, verb))
    routes.push_back(make_route(operation, &family, verb, parent));
}

// Adapts a verb to a single of a parent, which can only be read and replaced.
Operation for_single(Operation operation, Verb verb) {
  operation.handle = verb == Verb::read ? read_single : edit_single;
  operation.summary = verb == Verb::read ? "Get {one} of {parent}" : "Edit {one} of {parent}";
  return operation;
}

constexpr Operation defaults_operation = {
    .method = Method::get,
    .name = "get_default_{family}",
    .handle = read_defaults,
    .form = AnswerForm::record,
    .summary = "Get the default {many}",
    .about = "Returns the value that each setting has until a PUT stores another one."};

void add_defaults(const Family& family, std::vector<Route>& routes) {
  if (family.defaults_path.empty()) return;
  Operation operation = defaults_operation;
  operation.path = family.defaults_path;
  routes.push_back(make_route(operation, &family, std::nullopt, nullptr));
}

void add_verbs(const Family& family, std::vector<Route>& routes) {
  for (const PlainVerb& plain : plain_verbs) {
    if ((family.verbs & static_cast<std::uint8_t>(plain.verb)) == 0) continue;
    Operation operation = plain.operation;
    if (plain.verb == Verb::list) operation.query = family.parent_field.query_fields;
    if (family.path == PathForm::single && plain.verb != Verb::read && plain.verb != Verb::edit) continue;
    if (family.path == PathForm::single) operation = for_single(operation, plain.verb);
    if (plain.verb == Verb::create) operation.status = family.create_status;
    if (plain.verb == Verb::edit) operation.status = family.edit_status;
    if (const ReplacedVerb* replaced = replacement_of(family, plain.verb)) {
      operation.handle = replaced->handle;
      operation.query = replaced->query;
      operation.asks = replaced->asks;
    }
    add_routes(operation, family, plain.verb, routes);
  }
}

std::vector<Route> make_routes() {
  std::vector<Route> routes;
  for (const Family* family : all_families()) {
    add_verbs(*family, routes);
    add_defaults(*family, routes);
    for (const OperationSet* set : all_operation_sets()) {
      if (!set->serves(*family)) continue;
      for (const Operation& operation : operations_of(*set, *family))
        add_routes(operation, *family, std::nullopt, routes);
    }
  }
  for (const OperationSet* set : all_operation_sets()) {
    if (set->families) continue;
    for (const Operation& operation : set->operations)
      routes.push_back(make_route(operation, nullptr, std::nullopt, nullptr));
  }
  return routes;
}

constexpr std::size_t parameters_max = 8;  // in one path
using Given = std::array<std::string_view, parameters_max>;

// A tree of path segments. A literal is preferred to a parameter.
struct Node {
  FlatMap<std::string, std::unique_ptr<Node>, HashText> literals;
  std::unique_ptr<Node> parameter;
  std::array<const Route*, 5> routes{};
};

Node& child_of(Node& node, std::string_view segment) {
  if (segment.starts_with('{')) {
    if (node.parameter == nullptr) node.parameter = std::make_unique<Node>();
    return *node.parameter;
  }
  if (const auto* const known = node.literals.find(segment)) return **known;
  return *node.literals.add(std::string(segment), std::make_unique<Node>());
}

// Removes a slash and the next segment from `path`, and returns the segment.
std::string_view take_segment(std::string_view& path) {
  path.remove_prefix(1);
  const std::size_t end = std::min(path.find('/'), path.size());
  const std::string_view segment = path.substr(0, end);
  path.remove_prefix(end);
  return segment;
}

Node make_tree(std::span<const Route> routes) {
  Node root;
  for (const Route& route : routes) {
    assert(route.parameters.size() <= parameters_max);
    Node* node = &root;
    for (std::string_view path = route.path; !path.empty();) node = &child_of(*node, take_segment(path));
    node->routes[static_cast<std::size_t>(route.operation.method)] = &route;
  }
  return root;
}

// Finds the node of a path, or nullptr. Stores the segments of parameters in `given`; `count` is the number of
// parameters above `node`.
const Node* walk(const Node& node, std::string_view path, Given& given, std::size_t count = 0) {
  if (path.empty()) return &node;
  if (path.front() != '/') return nullptr;
  const std::string_view segment = take_segment(path);
  if (const auto* const literal = node.literals.find(segment)) {
    if (const Node* found = walk(**literal, path, given, count)) return found;
  }
  if (node.parameter == nullptr || segment.empty()) return nullptr;
  given[count] = segment;
  return walk(*node.parameter, path, given, count + 1);
}

const Node& whole_tree() {
  static const Node tree = make_tree(all_routes());
  return tree;
}

constexpr Method every_method[] = {Method::get, Method::post, Method::put, Method::patch, Method::remove};

}  // namespace

std::string expand(std::string_view text, const Family* family, const Family* parent) {
  std::string expanded(text);
  if (family == nullptr) return expanded;
  replace(expanded, "{item}", item_of(*family, parent));
  replace(expanded, "{collection}", collection_of(*family, parent));
  replace(expanded, "{flat}", flat_of(*family));
  const bool is_one_of_several = parent != nullptr && parent_of(*family) == nullptr;
  replace(expanded, "{family}",
          is_one_of_several ? std::string(parent->name) + "_" + std::string(family->name) : std::string(family->name));
  return expanded;
}

std::span<const Route> all_routes() {
  static const std::vector<Route> routes = make_routes();
  return routes;
}

std::optional<ScopeKind> place_of(const Route& route) {
  const bool has_only_texts =
      !route.texts.empty() && std::ranges::all_of(route.texts, [](const Field* text) { return text != nullptr; });
  const bool is_open =
      route.operation.bypasses_tenancy || has_only_texts || (route.parameters.empty() && route.operation.query.empty());
  if (is_open) return std::nullopt;
  if (route.is_of_billing) return ScopeKind::billing;
  const Family* family = nullptr;  // family of the last parameter that names one
  for (auto parameter = route.parameters.rbegin(); parameter != route.parameters.rend() && family == nullptr;
       ++parameter) {
    for (const Family* candidate : all_families()) {
      if (candidate->id_name == *parameter && (family == nullptr || candidate == route.family)) family = candidate;
    }
  }
  for (; family != nullptr;
       family = family == route.family && route.parent != nullptr ? route.parent : parent_of(*family)) {
    for (const ScopeKind place :
         {ScopeKind::organization, ScopeKind::cluster, ScopeKind::project, ScopeKind::environment}) {
      if (to_string(place) == family->name) return place;
    }
  }
  // No parameter names a family: internal records, and services of any kind.
  const bool is_of_organization = !route.parameters.empty() && route.parameters.front() == "organizationId";
  return is_of_organization ? ScopeKind::organization : ScopeKind::environment;
}

std::string_view served_path(std::string_view path) {
  constexpr std::string_view prefix = "/api/v1";
  if (path.starts_with(prefix) && (path.size() == prefix.size() || path[prefix.size()] == '/'))
    path.remove_prefix(prefix.size());
  if (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path;
}

std::string allowed_at(std::string_view path) {
  Given given;
  const Node* node = walk(whole_tree(), served_path(path), given);
  std::string allowed;
  for (const Method method : every_method) {
    if (node == nullptr || node->routes[static_cast<std::size_t>(method)] == nullptr) continue;
    allowed.append(allowed.empty() ? "" : ", ").append(to_string(method));
  }
  return allowed;
}

Match match(Method method, std::string_view path) {
  Match result;
  Given given;
  const Node* node = walk(whole_tree(), served_path(path), given);
  const bool is_served =
      node != nullptr && std::ranges::any_of(node->routes, [](const Route* route) { return route != nullptr; });
  if (!is_served) return result;
  result.is_path_known = true;
  result.route = node->routes[static_cast<std::size_t>(method)];
  if (result.route == nullptr) return result;
  const std::size_t count = result.route->parameters.size();
  result.ids.reserve(count);
  for (std::size_t at = 0; at < count; ++at) {
    if (result.route->texts[at] != nullptr) {
      result.texts.emplace_back(given[at]);
    } else if (const auto id = parse_id(given[at])) {
      result.ids.push_back(*id);
    } else if (result.bad_id_name.empty()) {
      result.bad_id = given[at];
      result.bad_id_name = result.route->parameters[at];
    }
  }
  return result;
}

std::string_view to_string(Method method) {
  switch (method) {
    case Method::get: return "GET";
    case Method::post: return "POST";
    case Method::put: return "PUT";
    case Method::remove: return "DELETE";
    case Method::patch: return "PATCH";
  }
  return "GET";
}

std::optional<Method> parse_method(std::string_view name) {
  for (const Method method : every_method) {
    if (to_string(method) == name) return method;
  }
  return std::nullopt;
}

}  // namespace orlop
