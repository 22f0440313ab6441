#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "describe/openapi/operations.h"
#include "describe/pages/field_table.h"
#include "describe/pages/markdown.h"
#include "describe/pages/reference.h"
#include "describe/words.h"
#include "model/metadata.h"
#include "model/registry.h"
#include "rest/route.h"

namespace orlop {
namespace {

constexpr Field base_fields[] = {
    uuid("id", "ID of the resource, assigned by the engine or chosen by the host at creation.").read_only(),
    date_time("created_at", "Time of creation, in UTC.").read_only(),
    date_time("updated_at", "Time of the last change, in UTC.").read_only(),
};

std::string page_of(const Family& family) { return std::string(family.name) + ".md"; }

std::string links_to(const std::vector<const Family*>& families) {
  std::vector<std::string> links;
  for (const Family* family : families) links.push_back(link(noun_of(*family), page_of(*family)));
  return join(links, ", ");
}

// Reports whether one of these fields, at any depth, passes the test.
template <typename Test>
bool any_field(std::span<const Field> fields, Test test, std::set<const Shape*>& seen) {
  return std::ranges::any_of(fields, [&](const Field& field) {
    if (test(field)) return true;
    if (field.shape == nullptr || !seen.insert(field.shape).second) return false;
    if (any_field(field.shape->fields, test, seen)) return true;
    return std::ranges::any_of(field.shape->variants,
                               [&](const Variant& variant) { return any_field(variant.fields, test, seen); });
  });
}

// Returns the families whose references prevent a deletion.
std::vector<const Family*> referrers_of(const Family& family) {
  std::vector<const Family*> referrers;
  const auto names_it = [&family](const Field& field) {
    const bool is_named = field.refers_to == family.name || (field.refers_to == "service" && is_service(family));
    return is_named && field.on_delete_of_target == OnDelete::refuse;
  };
  for (const Family* other : all_families()) {
    std::set<const Shape*> seen;
    if (any_field(other->fields, names_it, seen)) referrers.push_back(other);
  }
  return referrers;
}

std::string place_of(const Family& family) {
  std::vector<std::string> sentences;
  const auto parents = parents_of(family);
  if (parents.size() == 1)
    sentences.push_back("Parent: " + link(with_article(noun_of(*parents.front())), page_of(*parents.front())) + ".");
  if (parents.size() > 1) sentences.push_back("Parent, one of: " + links_to(parents) + ".");
  const auto children = children_of(family);
  if (!children.empty()) sentences.push_back("Children: " + links_to(children) + ".");
  return sentences.empty() ? "" : "\n" + join(sentences, " ") + "\n";
}

std::string paths_of(const Family& family) {
  std::string text = "\n## Operations\n\n" + table_head({"method", "path", "status", "operation", "summary"});
  for (const Route& route : all_routes()) {
    if (route.family != &family) continue;
    std::string about = summary_of(route);
    std::vector<std::string> query;
    for (const Field& field : route.operation.query) query.push_back(code(field.name));
    if (!query.empty()) about += " Query: " + join(query, ", ") + ".";
    text += table_row({std::string(to_string(route.operation.method)), code(route.path),
                       std::to_string(route.operation.status), code(route.name), about});
  }
  return text;
}

std::string scope_text(const Family& family) {
  switch (family.name_scope) {
    case NameScope::none: return "";
    case NameScope::everywhere: return "everywhere";
    case NameScope::organization: return "in its organization";
    case NameScope::parent: return "in its " + parents_text(family);
  }
  return "";
}

template <typename Test>
std::string names_where(const Family& family, Test test) {
  std::vector<std::string> names;
  for (const Field& field : family.fields) {
    if (test(field)) names.push_back(code(shown_name(field)));
  }
  return join(names, ", ");
}

std::string name_rule(const Family& family) {
  const std::string name = names_where(family, [](const Field& field) { return field.is_unique_name; });
  const std::string scope = scope_text(family);
  if (name.empty() || scope.empty()) return "";
  const bool is_sensitive = std::ranges::any_of(
      family.fields, [](const Field& field) { return field.is_unique_name && field.name_case == Case::sensitive; });
  const std::string compared = is_sensitive ? "; upper and lower case differ" : " without regard to case";
  std::string text = "- " + name + " is unique " + scope + compared + "; a name that is taken is refused with 409.\n";
  std::vector<const Family*> same;
  for (const Family* other : all_families()) {
    if (other != &family && family.name_space != 0 && other->name_space == family.name_space) same.push_back(other);
  }
  return same.empty() ? text : text + "- The name must also differ from those of: " + links_to(same) + ".\n";
}

std::string rules_of(const Family& family) {
  std::string text = name_rule(family);
  const auto rule = [&text](std::string_view before, const std::string& names, std::string_view after) {
    if (!names.empty()) text.append("- ").append(before).append(names).append(after).append("\n");
  };
  rule("Immutable; an edit that changes them is refused with 400: ",
       names_where(family, [](const Field& field) { return field.is_immutable; }), ".");
  rule("Preserved by an edit that omits them: ",
       names_where(family,
                   [](const Field& field) { return field.is_preserved && !field.is_immutable && !field.is_secret; }),
       ".");
  std::set<const Shape*> seen;
  if (any_field(
          family.fields, [](const Field& field) { return field.is_secret; }, seen)) {
    text +=
        "- Fields marked as secret are stored encrypted and never returned; an edit that omits them keeps the stored "
        "value.\n";
  }
  rule("Cannot be deleted (409) while it is referenced by: ", links_to(referrers_of(family)), ".");
  if (family.check != nullptr)
    text += "- Rules across fields are checked after the single fields; the reply lists all violations.\n";
  return text.empty() ? text : "\n## Rules\n\n" + text;
}

std::string states_of(const Family& family) {
  switch (family.machine) {
    case MachineKind::service:
      return "\n## States\n\nStates and transitions: " + link("service states", "service_machine.md") + ".\n";
    case MachineKind::cluster:
      return "\n## States\n\nStates and transitions: " + link("cluster states", "cluster_machine.md") + ".\n";
    case MachineKind::task:
      return "\n## States\n\nStates and transitions: " + link("task states", "task_machine.md") + ".\n";
    case MachineKind::environment:
      return "\n## States\n\nThe state is computed from the deployment requests and the services: " +
             link("state machines", "../guide/machines.md") + ".\n";
    case MachineKind::schedule:
    case MachineKind::none: return "";
  }
  return "";
}

std::string sample_of(const Family& family) {
  if (family.sample.empty()) return "";
  std::string text = "\n## Example of a request body\n\n";
  if (family.sample.find("\"{") != std::string_view::npos)
    text += "A name in braces stands for the ID of a record of that family.\n\n";
  return text + "```json\n" + std::string(family.sample) + "\n```\n";
}

}  // namespace

std::string family_page(const Family& family) {
  FieldTables tables(family.name_scope);
  std::vector<Field> fields;
  if (family.path != PathForm::single) fields.assign(std::begin(base_fields), std::end(base_fields));
  fields.insert(fields.end(), family.fields.begin(), family.fields.end());
  if (family.path != PathForm::single) fields.push_back(metadata_field);
  std::string text = page_head(first_upper(noun_of(family))) + "\n" + std::string(family.about) + "\n";
  text += place_of(family) + paths_of(family) + sample_of(family);
  text += "\n## Fields\n\n" + tables.table(fields) + rules_of(family) + states_of(family);
  const std::string objects = tables.shape_sections();
  return objects.empty() ? text : text + "\n## Objects\n" + objects;
}

std::string index_page() {
  std::string text = page_head("Reference");
  text += "\nThese pages are generated from the tables that the engine uses. The same as an OpenAPI document: " +
          link("openapi.json", "../openapi.json") + ".\n\n## Resources\n\n" +
          table_head({"family", "parent", "description"});
  for (const Family* family : all_families()) {
    text += table_row({link(noun_of(*family), page_of(*family)), parents_text(*family), std::string(family->about)});
  }
  text += "\n## Other pages\n\n" + table_head({"page", "content"});
  text +=
      table_row({link("steps", "steps.md"), "kinds of steps, with the complete configuration that a driver is given"});
  text +=
      table_row({link("service states", "service_machine.md"), "states of services and the transitions between them"});
  text +=
      table_row({link("cluster states", "cluster_machine.md"), "states of clusters and the transitions between them"});
  text += table_row({link("errors", "errors.md"), "error codes, HTTP statuses and the body of an error reply"});
  text += table_row({link("external systems", "external-systems.md"),
                     "questions that the engine asks of the host's external systems"});
  text += table_row({link("events", "events.md"), "kinds and members of the events of the feed"});
  text += table_row({link("permissions", "permissions.md"),
                     "permission that each operation requires, and permissions of the "
                     "built-in roles"});
  text += table_row({link("settings and limits", "settings.md"), "options of the engine, and fixed limits"});
  return text;
}

}  // namespace orlop
