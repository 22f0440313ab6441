#include "describe/languages/models.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "describe/languages/options_file.h"
#include "describe/languages/python_bases.h"
#include "describe/languages/python_types.h"
#include "describe/words.h"
#include "model/registry.h"
#include "wire/writer.h"

namespace orlop {
namespace {

using Fields = std::vector<const Field*>;

std::string collection_head_of(const Family& family) {
  std::vector<std::string> bases = collection_verbs_of(family);
  for (std::string& base : bases) base.append("[").append(family.schema).append("]");
  return "class " + std::string(family.schema) + "Collection(" + join(bases, ", ") + "):\n";
}

template <typename Test>
Fields choose(const Family& family, Test test) {
  Fields chosen;
  for (const Field& field : family.fields) {
    if (test(field)) chosen.push_back(&field);
  }
  return chosen;
}

Fields answered(const Family& family) {
  return choose(family, [](const Field& field) { return !field.is_secret && !field.is_input_only; });
}
Fields given(const Family& family) {
  return choose(family, [](const Field& field) { return !field.is_read_only; });
}
Fields secret(const Family& family) {
  return choose(family, [](const Field& field) { return field.is_secret; });
}

std::string tuple_of(const Fields& fields) {
  std::string text = "(";
  for (const Field* field : fields) {
    if (text.size() > 1) text += ", ";
    text += quoted(field->name);
  }
  if (fields.size() == 1) text += ',';
  return text + ")";
}

std::string collection_path(const Family& family) {
  const Family* parent = parent_of(family);
  const bool is_below_any = !is_root(family) && (parent == nullptr || family.parent_path == ParentPath::item);
  const std::string plural = family.parent_path == ParentPath::plural ? "s" : "";
  const std::string above = is_below_any        ? "{above}/"
                            : parent == nullptr ? "/"
                                                : "/" + std::string(parent->segment) + plural + "/{parent}/";
  return above + std::string(family.segment);
}

std::string item_path(const Family& family) {
  if (family.path == PathForm::nested) return collection_path(family) + "/{id}";
  return "/" + std::string(family.segment) + "/{id}";
}

// Reports whether the family has a generated class. A family without plain verbs has a hand-written class; one whose
// creates name the parent in the body has no collection, and is used with Engine.request().
bool is_modeled(const Family& family) {
  return family.path != PathForm::single && family.verbs != 0 && family.parent_field.body.empty();
}

// Reports whether the family is a single: settings, of which a resource has exactly one.
bool is_single(const Family& family) { return family.path == PathForm::single && family.verbs != 0; }

std::vector<const Family*> families_that(bool (*test)(const Family&)) {
  std::vector<const Family*> families(all_families().begin(), all_families().end());
  std::erase_if(families, [test](const Family* family) { return !test(*family); });
  return families;
}

std::vector<const Family*> modeled_families() { return families_that(is_modeled); }

// Returns the accessor's name: advanced_settings for "advancedSettings".
std::string accessor_of(const Family& single) {
  std::string name;
  for (const char letter : single.segment) {
    const bool is_capital = letter >= 'A' && letter <= 'Z';
    if (is_capital) name += '_';
    name += is_capital ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  return name;
}

std::vector<const Family*> singles_of(const Family& family) {
  std::vector<const Family*> singles = children_of(family);
  std::erase_if(singles, [](const Family* child) { return !is_single(*child); });
  return singles;
}

// Reports whether the names can be parameters in Python: those of advanced settings have dots.
bool has_plain_names(const Family& family) {
  return std::ranges::none_of(
      family.fields, [](const Field& field) { return field.name.find_first_of(".-") != std::string_view::npos; });
}

// Returns the families whose collections are in a path of this parent.
std::vector<const Family*> children_in_path(const Family& family) {
  std::vector<const Family*> children = children_of(family);
  std::erase_if(children,
                [](const Family* child) { return !is_modeled(*child) || !child->parent_field.query.empty(); });
  return children;
}

std::string children_text(const Family& family) {
  std::vector<std::string> entries;
  for (const Family* child : children_in_path(family)) {
    entries.push_back(quoted(plural_of(*child)) + ": " + quoted(std::string(child->schema) + "Collection"));
  }
  return "{" + join(entries, ", ") + "}";
}

std::string singles_text(const Family& family) {
  std::vector<std::string> entries;
  for (const Family* single : singles_of(family))
    entries.push_back(quoted(accessor_of(*single)) + ": " + quoted(single->schema));
  return "{" + join(entries, ", ") + "}";
}

std::string single_head_of(const Family& single) {
  return "class " + std::string(single.schema) + "(" + std::string(settings_class_of(single)) + "):\n";
}

std::string single_of(const Family& family) {
  std::string text =
      single_head_of(family) + "    \"\"\"" + std::string(family.about) + "\"\"\"\n\n    _family = Family(\n";
  const auto line = [&text](std::string_view name, const std::string& value) {
    text.append("        ").append(name).append("=").append(value).append(",\n");
  };
  line("name", quoted(family.name));
  line("path", quoted(collection_path(family)));
  line("fields", tuple_of(answered(family)));
  line("given", tuple_of(given(family)));
  return text + "    )";
}

std::string model_of(const Family& family) {
  const std::string schema(family.schema);
  std::string text = "class " + schema + "(" + join(bases_of(family), ", ") + "):\n";
  text += "    \"\"\"" + std::string(family.about) + "\"\"\"\n\n    _family = Family(\n";
  const auto line = [&text](std::string_view name, const std::string& value) {
    text.append("        ").append(name).append("=").append(value).append(",\n");
  };
  line("name", quoted(family.name));
  line("kind", quoted(family.service_kind));
  line("path", quoted(item_path(family)));
  line("collection", quoted(collection_path(family)));
  line("fields", tuple_of(answered(family)));
  line("given", tuple_of(given(family)));
  line("secret", tuple_of(secret(family)));
  line("children", children_text(family));
  if (!singles_of(family).empty()) line("singles", singles_text(family));
  if (!serves(family, Verb::read)) line("is_read", "False");
  text += "    )\n\n\n" + collection_head_of(family) + "    \"\"\"The " + nouns_of(family);
  if (!is_root(family)) text += " of " + with_article(parents_text(family));
  return text + ".\"\"\"\n\n    _item = " + schema;
}

// Reports whether every answer has the field, and never as null.
bool is_sure(const Field& field) {
  if (field.is_nullable) return false;
  const bool has_default = field.absent.type != Default::Type::none && field.absent.type != Default::Type::null;
  return field.is_required || field.is_always_present || has_default || field.server_set != ServerSet::none ||
         field.compute != nullptr;
}

std::string property_of(const Field& field, PythonTypes& types, std::string_view owner) {
  std::string type = types.type_of(field, owner);
  if (!is_sure(field) && type != "Any" && !type.ends_with(" | None")) type += " | None";
  return "    @property\n    def " + std::string(field.name) + "(self) -> " + type + ": ...\n";
}

std::string parameter_of(const Field& field, PythonTypes& types, std::string_view owner) {
  return std::string(field.name) + ": " + types.type_of(field, owner);
}

constexpr std::string_view narrowed = ": ...  # type: ignore[override]\n";

std::string edit_of(const Family& family, PythonTypes& types) {
  std::vector<std::string> parameters;
  for (const Field* field : given(family)) parameters.push_back(parameter_of(*field, types, family.schema) + " = ...");
  parameters.emplace_back("metadata: dict[str, str] | None = ...");
  return "    def edit(self, *, " + join(parameters, ", ") + ") -> Self" + std::string(narrowed);
}

// Returns the parameters of a create, required ones first.
std::string create_parameters_of(const Family& family, PythonTypes& types, std::string_view but) {
  std::vector<std::string> parameters;
  std::vector<std::string> optional;
  for (const Field* field : given(family)) {
    if (field->name == but) continue;
    const std::string parameter = parameter_of(*field, types, family.schema);
    if (field->is_required) {
      parameters.push_back(parameter);
    } else {
      optional.push_back(parameter + " = ...");
    }
  }
  parameters.insert(parameters.end(), optional.begin(), optional.end());
  parameters.emplace_back("metadata: dict[str, str] = ...");
  return join(parameters, ", ");
}

std::string create_of(const Family& family, PythonTypes& types) {
  const std::string schema(family.schema);
  std::string text =
      "    def create(self, *, " + create_parameters_of(family, types, "") + ") -> " + schema + std::string(narrowed);
  if (!serves_many(family)) return text;
  return text + "    def create_many(self, names: Iterable[str], *, " + create_parameters_of(family, types, "name") +
         ") -> Created[" + schema + "]" + std::string(narrowed);
}

std::string model_types_of(const Family& family, PythonTypes& types) {
  const std::string schema(family.schema);
  std::string text = "class " + schema + "(" + join(bases_of(family), ", ") + "):\n";
  for (const Field* field : answered(family)) text += property_of(*field, types, schema);
  for (const Family* child : children_in_path(family)) {
    text +=
        "    @property\n    def " + plural_of(*child) + "(self) -> " + std::string(child->schema) + "Collection: ...\n";
  }
  for (const Family* single : singles_of(family)) {
    text += "    @property\n    def " + accessor_of(*single) + "(self) -> " + std::string(single->schema) + ": ...\n";
  }
  // Generated here, because Deployable cannot refer to a class of a family.
  const std::vector<std::string> bases = bases_of(family);
  if (std::ranges::find(bases, "Deployable") != bases.end()) text += "    def stage(self) -> DeploymentStage: ...\n";
  if (serves(family, Verb::edit)) text += edit_of(family, types);
  text += "\n" + collection_head_of(family);
  text += serves(family, Verb::create) ? create_of(family, types) : "    pass\n";
  return text.substr(0, text.size() - 1);
}

// Returns the types for changes of settings: parameters if the names are valid in Python, else a TypedDict.
std::string single_types_of(const Family& family, PythonTypes& types) {
  const std::string schema(family.schema);
  if (!has_plain_names(family)) {
    std::string text = schema + "Changes = TypedDict(\"" + schema + "Changes\", {\n";
    for (const Field* field : given(family))
      text += "    " + quoted(field->name) + ": " + types.type_of(*field, schema) + ",\n";
    return text + "}, total=False)\n\n" + single_head_of(family) + "    def edit(self, changes: " + schema +
           "Changes | None = ..., /, **fields: Any) -> Self" + std::string(narrowed).substr(0, narrowed.size() - 1);
  }
  std::string text = single_head_of(family);
  for (const Field* field : answered(family)) text += property_of(*field, types, schema);
  if (!serves(family, Verb::edit)) return text.substr(0, text.size() - 1);
  std::vector<std::string> parameters;
  for (const Field* field : given(family)) parameters.push_back(parameter_of(*field, types, schema) + " = ...");
  return text + "    def edit(self, changes: dict[str, Any] | None = ..., /, *, " + join(parameters, ", ") +
         ") -> Self" + std::string(narrowed).substr(0, narrowed.size() - 1);
}

std::string shape_text(const PythonShape& shape) {
  std::string text = "class " + shape.name + "(TypedDict, total=False):";
  for (const PythonMember& member : shape.members) {
    text += "\n    " + member.name + ": " + (member.is_required ? "Required[" + member.type + "]" : member.type);
  }
  return shape.members.empty() ? text + "\n    pass" : text;
}

// Returns the shapes of all fields of the families; both files need the same ones.
PythonTypes all_types() {
  PythonTypes types;
  for (const Family* family : all_families()) {
    if (!is_modeled(*family) && !is_single(*family)) continue;
    for (const Field& field : family->fields) (void)types.type_of(field, family->schema);
  }
  return types;
}

std::string all_names(const PythonTypes& types) {
  std::set<std::string> names;
  for (const PythonShape& shape : types.shapes()) names.insert(quoted(shape.name));
  for (const Family* family : modeled_families()) {
    names.insert(quoted(family->schema));
    names.insert(quoted(std::string(family->schema) + "Collection"));
  }
  for (const Family* single : families_that(is_single)) {
    names.insert(quoted(single->schema));
    if (!has_plain_names(*single)) names.insert(quoted(std::string(single->schema) + "Changes"));
  }
  const std::vector<std::string> sorted(names.begin(), names.end());
  return "__all__ = [" + join(sorted, ", ") + "]";
}

// `resources`: names that the file imports from python/orlop/resources/resource.py, besides the bases of its classes.
std::string imports(std::set<std::string> resources) {
  std::set<std::string> actions;
  for (const Family* family : modeled_families()) {
    for (const std::string& action : actions_of(*family)) actions.insert(action);
    for (const std::string& verb : item_verbs_of(*family)) resources.insert(verb);
    for (const std::string& verb : collection_verbs_of(*family)) resources.insert(verb);
    if (bases_of(*family).front() == "Resource") resources.insert("Resource");
  }
  std::set<std::string> settings;
  for (const Family* single : families_that(is_single)) settings.emplace(settings_class_of(*single));
  const auto line = [](std::string_view module, const std::set<std::string>& names) {
    return "from ..resources." + std::string(module) + " import " +
           join(std::vector<std::string>(names.begin(), names.end()), ", ") + "\n";
  };
  return line("actions", actions) + line("resource", resources) + line("settings", settings);
}

}  // namespace

std::string python_models() {
  const PythonTypes types = all_types();
  std::vector<std::string> parts = {
      "\"\"\"The families of resources, one class each. Generated from the families' descriptions: do not "
      "edit.\"\"\"\n\n"
      "from __future__ import annotations\n\nfrom typing import TypedDict\n\n" +
      imports({"Family"})};
  for (const PythonShape& shape : types.shapes()) parts.push_back(shape_text(shape));
  for (const Family* family : modeled_families()) parts.push_back(model_of(*family));
  for (const Family* single : families_that(is_single)) {
    const std::string changes = quoted(std::string(single->schema) + "Changes");
    // Only the type stub lists the members.
    parts.push_back((has_plain_names(*single) ? ""
                                              : std::string(single->schema) + "Changes = TypedDict(" + changes +
                                                    ", {}, total=False)\n\n\n") +
                    single_of(*single));
  }
  parts.push_back(all_names(types));
  parts.front().pop_back();
  return join(parts, "\n\n\n") + "\n";
}

std::string python_model_types() {
  PythonTypes types = all_types();
  std::vector<std::string> parts = {
      "# Generated from the families' descriptions: do not edit.\nfrom collections.abc import Iterable\nfrom typing "
      "import Any, Literal, TypedDict\n\n"
      "from typing_extensions import Required, Self\n\n" +
      imports({"Created", "Reference"})};
  parts.front().pop_back();
  for (const PythonShape& shape : types.shapes()) parts.push_back(shape_text(shape));
  for (const Family* family : modeled_families()) parts.push_back(model_types_of(*family, types));
  for (const Family* single : families_that(is_single)) parts.push_back(single_types_of(*single, types));
  parts.push_back(all_names(types));
  return join(parts, "\n\n") + "\n";
}

}  // namespace orlop
