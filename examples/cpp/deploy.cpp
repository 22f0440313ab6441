// Deploys an environment in memory, in virtual time, and prints the states that its services went through.
#include <orlop/orlop.hpp>

#include <iomanip>
#include <iostream>
#include <string>

namespace {

// The text that stands in quotes after `mark`.
std::string after(std::string_view json, const std::string& mark) {
  const std::size_t found = json.find(mark);
  if (found == std::string_view::npos) return "";
  json.remove_prefix(found + mark.size());
  return std::string(json.substr(0, json.find('"')));
}

// Sends a request; the answer's text. A refusal ends the program.
std::string ask(orlop::Engine& engine, std::string_view method, const std::string& path, std::string_view body = "") {
  const orlop::Reply reply = engine.dispatch({.method = method, .path = path, .body = body});
  if (!reply.ok()) throw std::runtime_error(path + ": " + std::string(reply.body()));
  return std::string(reply.body());
}

std::string create(orlop::Engine& engine, const std::string& collection, std::string_view body) {
  return after(ask(engine, "POST", collection, body), R"("id":")");
}

}  // namespace

int main() try {
  // Virtual time, and a scripted driver; with .driver = one of your own, leave simulation out.
  orlop::Engine engine({.seed = 7, .simulation = true});
  engine.add_rule({.after = std::chrono::seconds(30)});  // every step takes half a minute

  const std::string acme = "/organization/" + create(engine, "/organization", R"({"name": "acme", "plan": "FREE"})");
  const std::string hub = create(engine, acme + "/containerRegistry", R"({"name": "docker hub", "kind": "DOCKER_HUB", "config": {}})");
  const std::string europe = create(engine, acme + "/cluster", R"({"name": "europe", "region": "eu-west-3", "cloud_provider": "AWS"})");
  ask(engine, "POST", acme + "/cluster/" + europe + "/deploy");
  engine.run_until_idle();

  const std::string shop = create(engine, acme + "/project", R"({"name": "shop"})");
  const std::string production = "/environment/" + create(engine, "/project/" + shop + "/environment",
                                                          R"({"name": "production", "cluster": ")" + europe + R"("})");
  create(engine, production + "/database", R"({"name": "orders", "type": "POSTGRESQL", "version": "16", "mode": "CONTAINER"})");
  const std::string web = create(engine, production + "/container",
      R"({"name": "web", "registry_id": ")" + hub + R"(", "image_name": "acme/web", "tag": "1.0.0", "healthchecks": {}})");

  const std::uint64_t since = engine.last_event();
  ask(engine, "POST", production + "/deploy");
  engine.run_until_idle();

  const orlop::Buffer events = engine.events(since);
  const std::string_view list = events.text();
  const std::string_view start = R"({"sequence")";
  for (std::size_t at = list.find(start); at != std::string_view::npos; at = list.find(start, at + 1)) {
    const std::string_view event = list.substr(at);
    const std::string kind = after(event, R"("kind":")");
    if (!kind.starts_with("service.") || kind.ends_with("_changed")) continue;
    const std::string name = after(event, R"("subject":")") == web ? "web" : "orders";
    std::cout << after(event, R"("at":")") << ' ' << std::left << std::setw(6) << name << ' ' << after(event, R"("to":")") << '\n';
  }
  std::cout << "production " << after(ask(engine, "GET", production + "/status"), R"("state":")") << '\n';
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
