#include "resolution/built_in.h"

#include "base/brand.h"

namespace orlop {
namespace {

// Placeholder for the project's id in responses. Drivers get the id itself.
constexpr std::string_view project_id_mark = "||Q_PRJ_ID||";

struct Named {
  BuiltInKind kind;
  std::string_view suffix;
};

std::string upper_case(std::string_view text) {
  std::string upper(text);
  for (char& letter : upper) {
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  }
  return upper;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

std::string short_id(const Id& id) { return to_text(id).substr(0, 8); }

// Returns the text as a part of a URL: all but unreserved characters are percent-encoded (RFC 3986, 2.3).
std::string percent_encoded(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string encoded;
  for (const char letter : text) {
    const auto byte = static_cast<std::uint8_t>(letter);
    const bool is_unreserved = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                               (letter >= '0' && letter <= '9') ||
                               std::string_view("-._~").find(letter) != std::string_view::npos;
    if (is_unreserved) encoded.push_back(letter);
    else encoded.append({'%', digits[byte >> 4], digits[byte & 15]});
  }
  return encoded;
}

// Returns the scheme of the engine's URLs.
std::string_view protocol_of(std::string_view engine) {
  if (engine == "POSTGRESQL") return "postgresql";
  if (engine == "MYSQL") return "mysql";
  if (engine == "MONGODB") return "mongodb";
  return "redis";
}

std::string_view host_prefix(std::string_view kind) {
  if (kind == "HELM") return "helm-z";
  return kind == "DATABASE" ? "z" : "app-z";
}

void add_database_built_ins(std::vector<BuiltIn>& built_ins, const std::string& prefix, const ServiceFacts& facts) {
  const std::string port = std::to_string(facts.port);
  const auto add = [&](BuiltInKind kind, std::string_view suffix, std::string value, bool is_secret) {
    built_ins.push_back({kind,
                         facts.service,
                         prefix + std::string(suffix),
                         std::move(value),
                         {},
                         is_secret,
                         is_secret && facts.is_password_missing});
  };
  add(BuiltInKind::host, "HOST", std::string(facts.host), false);
  add(BuiltInKind::port, "PORT", port, false);
  add(BuiltInKind::login, "LOGIN", std::string(facts.login), false);
  add(BuiltInKind::password, "PASSWORD", std::string(facts.password), true);
  std::string url = std::string(protocol_of(facts.engine)) + "://";
  const std::string login = percent_encoded(facts.login);
  url.append(login)
      .append(":")
      .append(percent_encoded(facts.password))
      .append("@")
      .append(host_in_url(facts.host))
      .append(":")
      .append(port);
  if (facts.engine == "POSTGRESQL" || facts.engine == "MYSQL")
    url.append("/").append(facts.login == "root" ? "mysql" : login);
  add(BuiltInKind::database_url, "DATABASE_URL", std::move(url), true);
}

}  // namespace

std::string host_in_url(std::string_view host) {
  const bool is_v6 = host.find(':') != std::string_view::npos;
  return is_v6 ? "[" + std::string(host) + "]" : std::string(host);
}

// Stores the kind in the four highest bits. They are zero in ids that the engine makes, so that the first eight digits
// of a built-in's id differ from those of records.
Id built_in_id(const Id& owner, BuiltInKind kind) {
  Id id = owner;
  id.bytes[0] = static_cast<std::uint8_t>(id.bytes[0] ^ (static_cast<std::uint8_t>(kind) << 4));
  return id;
}

Id built_in_owner(const Id& built_in, BuiltInKind kind) { return built_in_id(built_in, kind); }

void add_project_built_ins(std::vector<BuiltIn>& built_ins, std::string_view brand, const Id& project) {
  built_ins.push_back({BuiltInKind::project_id, project, branded(branded_names::variable_prefix, brand) + "PROJECT_ID",
                       std::string(project_id_mark), to_text(project), false});
}

void add_environment_built_ins(std::vector<BuiltIn>& built_ins, std::string_view brand, const EnvironmentFacts& facts) {
  const std::string prefix = branded(branded_names::variable_prefix, brand);
  const auto add = [&](BuiltInKind kind, std::string_view suffix, std::string value) {
    built_ins.push_back({kind, facts.environment, prefix + std::string(suffix), std::move(value), {}, false});
  };
  add(BuiltInKind::organization_id, "ORGANIZATION_ID", to_text(facts.organization));
  add(BuiltInKind::organization_name, "ORGANIZATION_NAME", std::string(facts.organization_name));
  add(BuiltInKind::project_name, "PROJECT_NAME", std::string(facts.project_name));
  add(BuiltInKind::environment_id, "ENVIRONMENT_ID", to_text(facts.environment));
  add(BuiltInKind::environment_name, "ENVIRONMENT_NAME", std::string(facts.environment_name));
  add(BuiltInKind::cloud_region, "CLOUD_PROVIDER_REGION", std::string(facts.cloud_region));
  add(BuiltInKind::cluster_name, "KUBERNETES_CLUSTER_NAME", std::string(facts.cluster_name));
}

void add_service_built_ins(std::vector<BuiltIn>& built_ins, std::string_view brand, const ServiceFacts& facts) {
  if (!has_built_ins(facts.kind)) return;
  const std::string id = short_id(facts.service);
  const bool is_database = facts.kind == "DATABASE";
  const std::string prefix = branded(branded_names::variable_prefix, brand) +
                             std::string(is_database ? facts.engine : facts.kind) + built_in_mark(facts.service);
  std::string name = std::string(host_prefix(facts.kind)) + id;
  if (is_database) name.append("-").append(lower_case(facts.engine));
  if (!facts.internal_host.empty()) name = facts.internal_host;
  built_ins.push_back({BuiltInKind::host_internal, facts.service, prefix + "HOST_INTERNAL", name, {}, false});
  if (facts.has_public_port) {
    built_ins.push_back({BuiltInKind::host_external,
                         facts.service,
                         prefix + "HOST_EXTERNAL",
                         std::string(facts.public_host),
                         {},
                         false});
  }
  if (is_database) add_database_built_ins(built_ins, prefix, facts);
}

std::string built_in_mark(const Id& service) { return "_Z" + upper_case(short_id(service)) + "_"; }

bool has_built_ins(std::string_view service_kind) {
  return service_kind == "APPLICATION" || service_kind == "CONTAINER" || service_kind == "HELM" ||
         service_kind == "DATABASE";
}

}  // namespace orlop
