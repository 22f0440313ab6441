// Kinds of container registries and Helm repositories, with the required members of their configurations.
#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "endpoints/operation_set.h"
#include "model/enumerations.h"
#include "model/registry.h"
#include "unit/unit_context.h"
#include "wire/writer.h"

namespace orlop::operation_sets::organizations::available_registries {
namespace {

constexpr std::string_view config_prefix = "config.";

// Returns the members that the family's rules require of a registry of this kind. Sets `is_offered` to false if they
// refuse the kind.
Value required_config(Unit& unit, const Family& family, std::string_view kind, bool& is_offered) {
  Value record(Value::Object{
      {"name", Value("registry")}, {"kind", Value(kind)}, {"url", Value("")}, {"config", Value::object()}});
  UnitContext context(unit, Record(), nullptr);
  Violations violations;
  family.check(record, context, violations);
  Value required = Value::object();
  is_offered = true;
  for (const Violation& violation : violations) {
    if (violation.field == "kind") is_offered = false;
    if (violation.field.starts_with(config_prefix))
      required.set(std::string_view(violation.field).substr(config_prefix.size()), Value("string"));
  }
  return required;
}

Result<Answer> list_kinds(Unit& unit, std::string_view family_name) {
  const Family& family = *find_family(family_name);
  const auto field = std::ranges::find(family.fields, std::string_view("kind"), &Field::name);
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const std::string_view kind : field->enum_values) {
    bool is_offered = true;
    const Value required = required_config(unit, family, kind, is_offered);
    if (!is_offered) continue;
    out.begin_object()
        .field("kind", kind)
        .field("required_config", required)
        .field("is_mandatory", !required.members().empty())
        .end_object();
  }
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

Result<Answer> list_container_registries(Unit& unit, const Call&) { return list_kinds(unit, "container_registry"); }
Result<Answer> list_helm_repositories(Unit& unit, const Call&) { return list_kinds(unit, "helm_repository"); }

constexpr auto fields_with(std::span<const std::string_view> kinds) {
  return std::array{
      enumeration("kind", kinds, "Kind of the registry.").required(),
      open_object("required_config", "Members of `config` that the kind requires, each with its type.").required(),
      boolean("is_mandatory", "True if the kind requires members of `config`.").required(),
  };
}
constexpr auto registry_fields = fields_with(shapes::registry_kinds);
constexpr auto repository_fields = fields_with(shapes::helm_repository_kinds);
constexpr Shape registry_kind = {.name = "AvailableContainerRegistryResponse", .fields = registry_fields};
constexpr Shape repository_kind = {.name = "AvailableHelmRepositoryResponse", .fields = repository_fields};

constexpr Operation operations[] = {
    {.path = "/availableContainerRegistry",
     .name = "list_available_container_registries",
     .handle = list_container_registries,
     .form = AnswerForm::shape_list,
     .answer = &registry_kind,
     .summary = "List the kinds of container registries",
     .about = "Each with the members that its `config` takes."},
    {.path = "/availableHelmRepository",
     .name = "list_available_helm_repositories",
     .handle = list_helm_repositories,
     .form = AnswerForm::shape_list,
     .answer = &repository_kind,
     .summary = "List the kinds of Helm repositories",
     .about = "Each with the members that its `config` takes."},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .operations = operations,
};

}  // namespace orlop::operation_sets::organizations::available_registries
