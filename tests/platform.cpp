#include "platform.h"

#include <stdexcept>

#include "model/registry.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr const char* unknown_id = "0198c0de-0000-7000-8000-000000000001";

[[noreturn]] void fail(std::string_view method, std::string_view path, std::string_view reason) {
  throw std::runtime_error(std::string(method).append(" ").append(path).append(": ").append(reason));
}

}  // namespace

void Platform::make_all() {
  // Environments name no cluster: they get the organization's first one.
  id_of("cluster");
  for (const Family* family : all_families()) id_of(*family);
}

std::string Platform::id_of(std::string_view family) { return id_of(*find_family(family)); }

std::string Platform::id_of(const Family& family) {
  if (const auto known = ids_.find(family.number); known != ids_.end()) return known->second;
  const std::string id = make(family, sample_of(family));
  return ids_[family.number] = id.empty() ? unknown_id : id;
}

std::string Platform::make_another(const Family& family) {
  Value body = sample_of(family);
  if (body.has("name")) body.set("name", Value("another " + std::to_string(++made_)));
  return make(family, body);
}

Value Platform::sample_of(const Family& family) {
  std::string text(family.sample.empty() ? "{}" : family.sample);
  for (const Family* other : all_families()) {
    const std::string mark = "{" + std::string(other->name) + "}";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark)) {
      text.replace(at, mark.size(), id_of(*other));
    }
  }
  Value body = *parse_stored(text);
  if (change_) change_(family, body);
  return body;
}

std::string Platform::make(const Family& family, const Value& body) {
  for (const Route& route : all_routes()) {
    if (route.family != &family || route.verb != Verb::create) continue;
    const Reply reply = ask(route, path_of(route), to_json(body));
    if (reply.status >= 500) fail("POST", route.path, reply.body);
    const auto made = parse_stored(reply.body);
    return made && reply.status < 300 ? std::string(made->text_or("id", "")) : "";
  }
  return "";
}

Reply Platform::ask(std::string_view method, std::string_view path, std::string_view body) {
  Request request;
  request.method = method;
  request.path = path;
  request.body = body;
  auto answered = engine_.dispatch(request);
  if (answered) return std::move(*answered);
  fail(method, path, answered.error().message);
}

Reply Platform::ask(const Route& route, std::string_view path, std::string_view body) {
  Reply reply = ask(to_string(route.operation.method), path, body);
  if (check_) check_(route, reply);
  return reply;
}

std::string Platform::request(std::string_view method, std::string_view path, std::string_view body) {
  Reply reply = ask(method, path, body);
  if (reply.status >= 300) fail(method, path, reply.body);
  return std::move(reply.body);
}

std::string Platform::create(std::string_view path, std::string_view body) {
  constexpr std::string_view begin = R"({"id":")";
  const std::string made = request("POST", path, body);
  if (!made.starts_with(begin)) fail("POST", path, made);
  return made.substr(begin.size(), 36);
}

std::string Platform::create_environment(const std::string& name) {
  id_of("cluster");
  return create("/project/" + id_of("project") + "/environment", R"({"name":")" + name + R"("})");
}

std::string Platform::create_container(const std::string& environment, const std::string& name) {
  return create("/environment/" + environment + "/container",
                R"({"name":")" + name + R"(","registry_id":")" + id_of("container_registry") +
                    R"(","image_name":"shop/web","tag":"1.0","healthchecks":{}})");
}

std::string Platform::path_of(const Route& route) {
  std::string path = route.path;
  for (const std::string& name : route.parameters) {
    const std::string mark = "{" + name + "}";
    path.replace(path.find(mark), mark.size(), id_for(route, name));
  }
  return path;
}

std::string Platform::id_for(const Route& route, const std::string& parameter) {
  if (parameter == "serviceType") return "CONTAINER";
  if (parameter == "serviceId") return id_of("container");
  if (parameter == "stageId") return id_of("deployment_stage");
  if (route.family != nullptr && route.family->id_name == parameter) return id_of(*route.family);
  for (const Family* family : all_families()) {
    if (family->id_name == parameter) return id_of(*family);
  }
  return unknown_id;
}

std::string Platform::seen() {
  std::string seen = *engine_.events({});
  for (const Route& route : all_routes()) {
    if (route.operation.method != Method::get) continue;
    const std::string path = path_of(route);
    const Reply reply = ask("GET", path);
    seen.append("\n").append(path).append(" ").append(std::to_string(reply.status)).append(" ").append(reply.body);
  }
  return seen;
}

}  // namespace orlop
