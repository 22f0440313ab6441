// Secret managers that clusters read: names of their secrets, answered by external systems, and the variables that use
// them.
#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "access/permission.h"
#include "base/family_number.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "external_systems/question_shapes.h"
#include "model/registry.h"
#include "records/ask_later.h"
#include "records/record_value.h"
#include "records/variables/secret_access.h"
#include "records/variables/visible_variables.h"
#include "resolution/variable_enumerations.h"
#include "unit/operation.h"
#include "unit/unique_name.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop::operation_sets::lookups::secret_managers {
namespace {

// Access to a secret manager, which is stored in the record of its cluster.
struct SecretAccess {
  Record cluster;
  Value access;  // with its secrets
};

Result<std::optional<Value>> access_in(const Record& cluster, std::string_view id) {
  ORLOP_TRY(full, full_value(cluster));
  for (const Value& access : full.find("secret_manager_accesses")->items()) {
    if (access.text_or("id", "") == id) return std::optional(access);
  }
  return std::optional<Value>();
}

// Errors: not_found, forbidden.
Result<SecretAccess> require_access(Unit& unit, const Call& call, Level level) {
  const Id& id = call.ids.front();
  ORLOP_TRY(cluster, cluster_of_secret_access(unit, id));
  if (!cluster) return not_found("secret manager access", id);
  ORLOP_CHECK(Permissions(unit, *call.caller).require(*cluster, level));
  ORLOP_TRY(access, access_in(*cluster, to_text(id)));
  if (!access) return not_found("secret manager access", id);
  return SecretAccess{std::move(*cluster), std::move(*access)};
}

Result<Answer> list_secrets(Unit& unit, const Call& call) {
  ORLOP_TRY(found, require_access(unit, call, Level::operate));
  Value input(Value::Object{{"organization_id", Value(to_text(found.cluster.organization))},
                            {"cluster_id", Value(to_text(found.cluster.id))},
                            {"access", std::move(found.access)},
                            {"name_prefix", Value(query_text(call, "namePrefix"))}});
  return ask_later(unit, {.question = Question::list_secrets, .input = std::move(input)});
}

// Variable with an external secret, in an environment that sees it. `service`: the owner if it is a service.
struct Use {
  const Record* project;
  Record environment;
  Shared<Record> service;
  const Record* variable;
};

// Returns the environments of the project on this cluster visible to the caller.
Result<std::vector<Record>> environments_on(Unit& unit, const Call& call, const Id& project, const Id& cluster) {
  RecordRange range;
  range.key = project;
  range.family = find_family("environment")->number;
  ORLOP_TRY(environments, unit.records(range));
  std::erase_if(environments, [&](const Record& environment) {
    const auto body = unit.value_of(environment);
    return !body || id_in(**body, "cluster_id") != cluster;
  });
  ORLOP_CHECK(Permissions(unit, *call.caller).filter(environments));
  return std::move(environments);
}

// Adds the uses of one variable; a project's variable has one in each environment on the cluster.
Result<void> add_uses(Unit& unit, const Call& call, const Id& cluster, const Record& variable,
                      std::deque<Record>& projects, std::vector<Use>& uses) {
  ORLOP_TRY(owner, unit.record(variable.parent));
  if (!owner) return {};
  ORLOP_TRY(owners, owners_of(unit, *owner));
  const Record& project = projects.emplace_back(owners.project());
  ORLOP_TRY(environments, environments_on(unit, call, project.id, cluster));
  for (Record& environment : environments) {
    if (owners.environment() != nullptr && owners.environment()->id != environment.id) continue;
    const Record* service = owners.service();
    uses.push_back({&project, std::move(environment),
                    service != nullptr ? Shared<Record>(Record(*service)) : Shared<Record>(), &variable});
  }
  return {};
}

// Sorts by project and environment; in an environment the project's variables come first, then its own, then those of
// each service.
auto order_of(const Use& use) {
  const int scope = use.service ? 2 : use.variable->parent == use.environment.id ? 1 : 0;
  return std::tuple(use.project->id, use.environment.id, scope, use.variable->parent, use.variable->id);
}

Result<void> write_use(const Use& use, Writer& out) {
  ORLOP_TRY(variable, full_value(*use.variable));
  out.begin_object().field("project_id", use.project->id).field("project_name", name_of(*use.project));
  out.field("environment_id", use.environment.id).field("environment_name", name_of(use.environment));
  if (use.service) {
    out.field("service_id", use.service->id).field("service_name", name_of(*use.service));
    out.field("service_type", find_family(use.service->family)->service_kind);
  }
  out.field("variable_name", variable.text_or("key", ""))
      .field("external_secret_name", variable.text_or("value", ""))
      .end_object();
  return {};
}

Result<Answer> list_users(Unit& unit, const Call& call) {
  ORLOP_TRY(found, require_access(unit, call, Level::view));
  RecordRange range;
  range.by = RecordRange::By::reference;
  range.key = call.ids.front();
  range.family = variable_number;
  ORLOP_TRY(variables, unit.records(range));
  std::deque<Record> projects;
  std::vector<Use> uses;
  for (const Record& variable : variables)
    ORLOP_CHECK(add_uses(unit, call, found.cluster.id, variable, projects, uses));
  std::ranges::sort(uses, {}, order_of);
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const Use& use : uses) ORLOP_CHECK(write_use(use, out));
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Field user_fields[] = {
    uuid("project_id", "ID of the project.").required(),
    text("project_name", "Name of the project.").required(),
    uuid("environment_id", "ID of the environment that the variable reaches.").required(),
    text("environment_name", "Name of that environment.").required(),
    uuid("service_id", "ID of the service that owns the variable. Absent: the environment or the project owns it."),
    text("service_name", "Name of that service."),
    enumeration("service_type", variable_service_kinds, "Kind of that service."),
    text("variable_name", "Key of the variable.").required(),
    text("external_secret_name", "Name of the secret in the secret manager.").required(),
};
constexpr Shape user_shape = {.name = "ExternalSecretAssociatedServiceResponse", .fields = user_fields};
constexpr Field secrets_query[] = {
    text("namePrefix", "Text that the names of the secrets must begin with. Default: any.")};
constexpr Field secrets_fields[] = {list_of("results", FieldKind::text, "Names of the secrets.").required()};
constexpr Shape secrets_shape = {.name = "ProviderSecrets", .fields = secrets_fields};

constexpr Operation operations[] = {
    {.path = "/secretManagerAccess/{secretManagerAccessId}/secrets",
     .name = "list_secret_manager_secrets",
     .handle = list_secrets,
     .query = secrets_query,
     .form = AnswerForm::shape,
     .answer = &secrets_shape,
     .summary = "List the names of the secrets that a secret manager holds",
     .about = "The caller must be allowed to operate the cluster of the access.",
     .need = Level::operate,
     .asks = Question::list_secrets},
    {.path = "/secretManagerAccess/{secretManagerAccessId}/associatedServices",
     .name = "list_secret_manager_associated_services",
     .handle = list_users,
     .form = AnswerForm::shape_list,
     .answer = &user_shape,
     .summary = "List the variables that take their values from a secret manager",
     .about = "A variable of a project is listed for each environment that it reaches."},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .operations = operations,
};

}  // namespace orlop::operation_sets::lookups::secret_managers
