#include "unit/rest/guarded.h"

#include <gtest/gtest.h>

#include "base/family_number.h"
#include "unit/argocd_application.h"
#include "wire/json.h"

namespace orlop::tests {

Guarded::Guarded(std::uint32_t rate_limit) : clock_({1'767'225'600'000}), random_source_(7) {
  EngineOptions options;
  options.clock = &clock_;
  options.random_source = &random_source_;
  options.settings.require_cluster = false;
  options.settings.authentication = Authentication::required;
  options.settings.rate_limit = rate_limit;
  options.settings.external_systems = &people_;
  people_.say(
      "find_blueprint",
      R"({"catalog_url": "https://c.example.com/pg", "repository_url": "https://github.com/acme/blueprints.git", )"
      R"("latest_tag": "b", "variables": [],
                                    "engine": {"type": "terraform", "version": "1.9.0"}})");
  people_.say("list_argocd_applications", std::string(argocd_applications));
  engine_ = Engine::open(std::move(options)).value();
  organization_ = make("/organization", R"({"name": "ours", "plan": "FREE"})");
  other_ = make("/organization", R"({"name": "theirs", "plan": "FREE"})");
  ids_[find_family("organization")->number] = organization_;
}

Reply Guarded::ask(std::string_view method, std::string_view path, std::string_view body) {
  return answer({method, path, body, {}, Trust::host});
}

Reply Guarded::answer(const Request& request) {
  const auto reply = engine_->dispatch(request);
  if (reply) return *reply;
  ADD_FAILURE() << request.method << " " << request.path << ": " << reply.error().message;
  return {};
}

Reply Guarded::ask_as(std::string_view authorization, std::string_view method, std::string_view path,
                      std::string_view body) {
  Request request = {method, path, body, {}, Trust::outside};
  if (!authorization.empty()) request.headers.emplace_back("Authorization", authorization);
  return answer(request);
}

Reply Guarded::ask_with(const Headers& headers, std::string_view method, std::string_view path, std::string_view body) {
  const bool is_outside = !headers.empty() && headers.front().first == "Authorization";
  return answer({method, path, body, headers, is_outside ? Trust::outside : Trust::host});
}

std::string Guarded::make(std::string_view path, std::string_view body, std::string_view member) {
  const Reply reply = ask("POST", path, body);
  EXPECT_LT(reply.status, 300) << path << " " << body << "\n" << reply.body;
  return std::string(parsed(reply).text_or(member, ""));
}

std::string Guarded::token_of(const std::string& organization, std::string_view role_id) {
  const std::string body =
      R"({"name": "token )" + std::to_string(++tokens_) + R"(", "role_id": ")" + std::string(role_id) + "\"}";
  return "Token " + make("/organization/" + organization + "/apiToken", body, "token");
}

std::string Guarded::filled(const Route& route) {
  std::string path = route.path;
  for (const std::string& name : route.parameters) {
    const std::string mark = "{" + name + "}";
    path.replace(path.find(mark), mark.size(), id_for(route, name));
  }
  return path;
}

std::string Guarded::id_for(const Route& route, const std::string& parameter) {
  if (parameter == "serviceType") return "CONTAINER";
  if (parameter == "serviceId") return id_of(*find_family("container"));
  if (parameter == "stageId") return id_of(*find_family("deployment_stage"));
  if (parameter == "variableId") return id_of_variable();
  if (parameter == "secretManagerAccessId") return id_of_access();
  if (parameter == "blueprintId") return id_of_blueprint();
  if (parameter == "argocdAppId") return id_of_application();
  if (route.family != nullptr && route.family->id_name == parameter) return id_of(*route.family);
  for (const Family* family : all_families()) {
    if (family->id_name == parameter) return id_of(*family);
  }
  if (parameter == "deploymentRequestId") {
    const Reply reply = ask("POST", "/environment/" + id_of(*find_family("environment")) + "/deploy");
    EXPECT_EQ(reply.status, 202) << reply.body;
    const Reply status = ask("GET", "/container/" + id_of(*find_family("container")) + "/status");
    return std::string(parsed(status).text_or("deployment_request_id", ""));
  }
  return "0198c0de-0000-7000-8000-000000000001";
}

// The id is part of the record of a cluster.
std::string Guarded::id_of_access() {
  if (!access_.empty()) return access_;
  const Reply reply = ask("POST", "/organization/" + organization_ + "/cluster",
                          R"({"name": "with secrets", "region": "eu-west-3", "cloud_provider": "AWS",
      "secret_manager_accesses": [{"name": "vault", "endpoint": {"mode": "AWS_SECRET_MANAGER", "region": "eu-west-3"},
                                   "authentication": {"mode": "AUTOMATICALLY_CONFIGURED"}}]})");
  EXPECT_EQ(reply.status, 201) << reply.body;
  const Value cluster = parsed(reply);
  const Value* accesses = cluster.find("secret_manager_accesses");
  return access_ = accesses == nullptr || accesses->items().empty()
                       ? ""
                       : std::string(accesses->items().front().text_or("id", ""));
}

// Variables have no plain verb that creates them.
std::string Guarded::id_of_variable() {
  std::string& id = ids_[variable_number];
  if (!id.empty()) return id;
  const std::string body =
      R"({"key": "A", "value": "1", "is_secret": false, "variable_scope": "CONTAINER", "variable_parent_id": ")";
  return id = make("/variable", body + id_of(*find_family("container")) + "\"}");
}

// The blueprint comes from external systems.
std::string Guarded::id_of_blueprint() {
  std::string& id = ids_[find_family("blueprint")->number];
  if (id.empty())
    id = make("/environment/" + id_of(*find_family("environment")) + "/blueprint",
              R"({"name": "orders", "tag": "a", "icon": "https://c.example.com/i.svg"})");
  return id;
}

// A synchronization creates the application.
std::string Guarded::id_of_application() {
  std::string& id = ids_[find_family("argocd_app")->number];
  if (!id.empty()) return id;
  const auto answer = [this](std::string_view method, const std::string& path, std::string_view body) {
    return ask(method, path, body).body;
  };
  const auto work = [this] {
    for (int ticks = 0; ticks < 4; ++ticks) EXPECT_TRUE(engine_->tick());
  };
  id = make_argocd_app(organization_, id_of(*find_family("cluster")), answer, work);
  EXPECT_FALSE(id.empty());
  return id;
}

std::string Guarded::id_of(const Family& family) {
  if (const auto known = ids_.find(family.number); known != ids_.end()) return known->second;
  for (const Route& route : all_routes()) {
    if (route.family != &family || route.verb != Verb::create) continue;
    return ids_[family.number] = make(filled(route), with_ids(family.sample));
  }
  return ids_[family.number] = "0198c0de-0000-7000-8000-000000000002";
}

std::string Guarded::with_ids(std::string_view sample) {
  std::string text(sample);
  for (const Family* family : all_families()) {
    const std::string mark = "{" + std::string(family->name) + "}";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark))
      text.replace(at, mark.size(), id_of(*family));
  }
  return text;
}

Value parsed(const Reply& reply) {
  auto value = parse_stored(reply.body);
  return value ? std::move(*value) : Value();
}

std::string header_of(const Reply& reply, std::string_view name) {
  for (const auto& [header, value] : reply.headers) {
    if (header == name) return value;
  }
  return "";
}

}  // namespace orlop::tests
