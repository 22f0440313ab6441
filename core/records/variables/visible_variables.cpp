#include "records/variables/visible_variables.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/family_number.h"
#include "model/missing_secret.h"
#include "model/registry.h"
#include "records/variables/variable_text.h"
#include "records/verbs.h"
#include "unit/lineage.h"
#include "unit/service_host.h"
#include "wire/json.h"
#include "wire/object_member.h"

namespace orlop {
namespace {

// For the families without a scope here, the scope is the kind of the service.
struct OwnerFamily {
  std::string_view name;
  std::string_view scope = {};
};
constexpr std::array<OwnerFamily, 8> owner_families = {{{"project", "PROJECT"},
                                                        {"environment", "ENVIRONMENT"},
                                                        {"application"},
                                                        {"container"},
                                                        {"job"},
                                                        {"helm"},
                                                        {"terraform"},
                                                        {"agentic_workflow", "AGENTIC_WORKFLOW"}}};

// Returns a text member of a body without parsing the others.
std::string text_in(std::string_view body, std::string_view name) {
  const std::string_view raw = raw_member(body, name);
  if (raw.size() >= 2 && raw.front() == '"' && raw.find('\\') == std::string_view::npos)
    return std::string(raw.substr(1, raw.size() - 2));
  const auto value = raw.empty() ? Result<Value>(Value()) : parse_stored(raw);
  return value && value->is_text() ? value->as_text() : std::string();
}

// Reports whether the service has a public port (any of a Helm service is), or is a public database.
bool is_public(const Family& family, const Record& service) {
  const std::string_view ports = raw_member(service.body, "ports");
  if (family.service_kind == "HELM") return ports.size() > 2;
  return ports.find(R"("publicly_accessible":true)") != std::string_view::npos ||
         raw_member(service.body, "accessibility") == R"("PUBLIC")";
}

Result<std::string> password_of(Unit& unit, const Id& database, std::string& login, bool& is_missing) {
  RecordRange range;
  range.key = database;
  range.family = database_credentials_number;
  ORLOP_TRY(credentials, unit.records(range));
  if (credentials.empty()) return std::string();
  login = text_in(credentials.front().body, "login");
  is_missing = raw_member(credentials.front().secrets, "password") == missing_secret_text;
  return text_in(credentials.front().secrets, "password");
}

Result<void> add_of_service(Unit& unit, const Family& family, const Record& service, bool with_secrets,
                            std::vector<BuiltIn>& into) {
  ServiceFacts facts;
  facts.service = service.id;
  facts.kind = family.service_kind;
  facts.has_public_port = is_public(family, service);
  std::string public_host;
  if (facts.has_public_port) {
    ORLOP_TRY(made, public_host_of(unit, service));
    public_host = std::move(made);
    facts.public_host = public_host;
  }
  ORLOP_TRY(internal_host, internal_host_of(service));
  facts.internal_host = internal_host;
  std::string engine;
  std::string host;
  std::string login;
  std::string password;
  if (family.service_kind == "DATABASE") {
    engine = text_in(service.body, "type");
    host = text_in(service.body, "host");
    const auto port = parse_stored(raw_member(service.body, "port"));
    facts.port = port ? port->as_integer() : 0;
    ORLOP_TRY(read, password_of(unit, service.id, login, facts.is_password_missing));
    if (with_secrets) password = std::move(read);
    facts.engine = engine;
    facts.host = host;
    facts.login = login;
    facts.password = password;
  }
  add_service_built_ins(into, unit.settings().brand, facts);
  return {};
}

Result<void> add_of_environment(Unit& unit, const Record& environment, const Record& project,
                                std::vector<BuiltIn>& into) {
  EnvironmentFacts facts;
  ORLOP_TRY(organization, unit.record(environment.organization));
  ORLOP_TRY(cluster, unit.record(parse_id(text_in(environment.body, "cluster_id")).value_or(Id{})));
  const std::string names[] = {text_in(environment.body, "name"), text_in(project.body, "name"),
                               organization ? text_in(organization->body, "name") : std::string(),
                               cluster ? text_in(cluster->body, "region") : std::string(),
                               cluster ? text_in(cluster->body, "name") : std::string()};
  facts.environment = environment.id;
  facts.environment_name = names[0];
  facts.project_name = names[1];
  facts.organization = environment.organization;
  facts.organization_name = names[2];
  facts.cloud_region = names[3];
  facts.cluster_name = names[4];
  add_environment_built_ins(into, unit.settings().brand, facts);
  return {};
}

Result<void> add_of_services(Unit& unit, const Id& environment, bool with_secrets, std::vector<BuiltIn>& into) {
  for (const Family* family : all_families()) {
    if (!is_service(*family) || !has_built_ins(family->service_kind)) continue;
    RecordRange range;
    range.key = environment;
    range.family = family->number;
    ORLOP_TRY(services, unit.records(range));
    for (const Record& service : services) ORLOP_CHECK(add_of_service(unit, *family, service, with_secrets, into));
  }
  return {};
}

Variable variable_of(const BuiltIn& built_in) {
  Variable variable;
  variable.id = built_in_id(built_in.owner, built_in.kind);
  variable.scope = VariableScope::built_in;
  variable.type = VariableType::built_in;
  variable.is_secret = built_in.is_secret;
  variable.is_missing = built_in.is_missing;
  variable.is_interpolated = false;
  variable.key = built_in.key;
  variable.value = built_in.step_value.empty() ? built_in.value : built_in.step_value;
  return variable;
}

Error no_variable(const Id& id) { return not_found("variable", id); }

// The id of a built-in leads to an owner for one kind only, unless ids were chosen to collide.
Result<NamedVariable> require_built_in(Unit& unit, const Id& id) {
  for (std::uint8_t number = 1; number <= built_in_kind_max; ++number) {
    const auto kind = static_cast<BuiltInKind>(number);
    ORLOP_TRY(owner, unit.record(built_in_owner(id, kind)));
    if (!owner) continue;
    ORLOP_TRY(made, built_ins_of(unit, *owner, false));
    const auto found = std::ranges::find(made, kind, &BuiltIn::kind);
    if (found == made.end()) continue;
    NamedVariable named;
    named.owner = *owner;
    named.record.id = id;
    named.key = found->key;
    named.is_secret = found->is_secret;
    return named;
  }
  return no_variable(id);
}

}  // namespace

bool has_variables(const Family& family) {
  return std::ranges::find(owner_families, family.name, &OwnerFamily::name) != owner_families.end();
}

std::string_view variable_scope_of(const Family& family) {
  const auto* const found = std::ranges::find(owner_families, family.name, &OwnerFamily::name);
  return found == owner_families.end() || found->scope.empty() ? family.service_kind : found->scope;
}

Result<VariableOwners> owners_of(Unit& unit, Record record) {
  static const FamilyNumber project = find_family("project")->number;
  VariableOwners owners;
  Lineage lineage(unit, std::move(record));
  while (true) {
    owners.records.push_back(lineage.at());
    if (lineage.at().family == project) break;
    ORLOP_TRY(is_higher, lineage.up());
    if (!is_higher) return not_found("project of resource", owners.records.front().id);
  }
  std::ranges::reverse(owners.records);
  return owners;
}

Result<std::vector<Record>> own_variables(Unit& unit, const Id& owner) {
  RecordRange range;
  range.key = owner;
  range.family = variable_number;
  return unit.records(range);
}

Result<std::vector<BuiltIn>> built_ins_of(Unit& unit, const Record& owner, bool with_secrets) {
  std::vector<BuiltIn> made;
  const Family* family = find_family(owner.family);
  if (family == nullptr) return made;
  if (family->name == "project") add_project_built_ins(made, unit.settings().brand, owner.id);
  if (is_service(*family)) ORLOP_CHECK(add_of_service(unit, *family, owner, with_secrets, made));
  if (family->name == "environment") {
    ORLOP_TRY(project, unit.record(owner.parent));
    if (project) ORLOP_CHECK(add_of_environment(unit, owner, *project, made));
  }
  return made;
}

Result<std::vector<BuiltIn>> visible_built_ins(Unit& unit, const VariableOwners& owners, bool with_secrets,
                                               Siblings siblings) {
  std::vector<BuiltIn> made;
  add_project_built_ins(made, unit.settings().brand, owners.project().id);
  const Record* environment = owners.environment();
  if (environment == nullptr) return made;
  ORLOP_CHECK(add_of_environment(unit, *environment, owners.project(), made));
  if (siblings == Siblings::all) {
    ORLOP_CHECK(add_of_services(unit, environment->id, with_secrets, made));
  } else if (const Record* service = owners.service(); service != nullptr && is_service(service->family)) {
    ORLOP_CHECK(add_of_service(unit, *find_family(service->family), *service, with_secrets, made));
  }
  return made;
}

Result<NamedVariable> require_variable(Unit& unit, const Id& id) {
  ORLOP_TRY(record, unit.record(id));
  if (!record) return require_built_in(unit, id);
  if (record->family != variable_number) return no_variable(id);
  ORLOP_TRY(owner, unit.record(record->parent));
  if (!owner) return no_variable(id);
  ORLOP_TRY(content, content_of(*record));
  NamedVariable named;
  named.owner = *owner;
  named.record = *record;
  named.key = std::move(content.key);
  named.mount_path = std::move(content.mount_path);
  named.scope = content.scope;
  named.type = content.type;
  named.is_secret = content.is_secret;
  return named;
}

namespace {

struct Scoped {
  Id owner;
  VariableScope scope;
};

// Reads the variables of these owners, and adds the built-ins.
Result<void> read_of(Unit& unit, std::span<const Scoped> owners, std::vector<BuiltIn> built_ins,
                     VisibleVariables& into) {
  into.built_ins = std::move(built_ins);
  std::vector<VariableScope> scopes;
  for (const auto& [owner, scope] : owners) {
    ORLOP_TRY(own, own_variables(unit, owner));
    scopes.insert(scopes.end(), own.size(), scope);
    std::ranges::move(own, std::back_inserter(into.records));
  }
  into.variables.reserve(into.built_ins.size() + into.records.size());
  for (const BuiltIn& built_in : into.built_ins) into.variables.push_back(variable_of(built_in));
  for (std::size_t at = 0; at < into.records.size(); ++at) {
    ORLOP_TRY(variable, variable_of(into.records[at], scopes[at], into.texts));
    into.variables.push_back(variable);
  }
  return {};
}

}  // namespace

Result<void> read_visible(Unit& unit, const VariableOwners& owners, Siblings siblings, VisibleVariables& into) {
  ORLOP_TRY(built_ins, visible_built_ins(unit, owners, true, siblings));
  std::vector<Scoped> scoped;
  for (const Record& owner : owners.records)
    scoped.push_back({owner.id, static_cast<VariableScope>(scoped.size() + 1)});
  return read_of(unit, scoped, std::move(built_ins), into);
}

Result<void> read_own(Unit& unit, const Record& service, Siblings siblings, VisibleVariables& into) {
  std::vector<BuiltIn> built_ins;  // if siblings are read, their list contains these
  if (siblings == Siblings::none) {
    ORLOP_TRY(made, built_ins_of(unit, service, true));
    built_ins = std::move(made);
  }
  const Scoped own[] = {{service.id, VariableScope::service}};
  return read_of(unit, own, std::move(built_ins), into);
}

}  // namespace orlop
