// Deploys an environment in memory, in virtual time, and prints the states that its services went through.
#include <orlop/orlop.hpp>

#include <iomanip>
#include <iostream>
#include <string>

namespace {

// Sends a request. A refusal throws.
orlop::Reply ask(orlop::Engine& engine, std::string_view method, const std::string& path, std::string_view body = "") {
  orlop::Reply reply = engine.dispatch({.method = method, .path = path, .body = body});
  if (!reply.ok()) throw std::runtime_error(path + ": " + std::string(reply.body()));
  return reply;
}

std::string create(orlop::Engine& engine, const std::string& collection, std::string_view body) {
  return std::string(ask(engine, "POST", collection, body).find("/id").value());
}

}  // namespace

int main() try {
  // Virtual time, and a scripted driver; with .driver = one of your own, leave simulation out.
  orlop::Engine engine({.seed = 7, .simulation = true});
  engine.add_rule({.after = std::chrono::seconds(30)});  // every step takes half a minute

  const std::string acme = "/organization/" + create(engine, "/organization", R"({"name": "acme", "plan": "FREE"})");
  const std::string hub =
      create(engine, acme + "/containerRegistry", R"({"name": "docker hub", "kind": "DOCKER_HUB", "config": {}})");
  const std::string europe =
      create(engine, acme + "/cluster", R"({"name": "europe", "region": "eu-west-3", "cloud_provider": "AWS"})");
  ask(engine, "POST", acme + "/cluster/" + europe + "/deploy");
  engine.run_until_idle();

  const std::string shop = create(engine, acme + "/project", R"({"name": "shop"})");
  const std::string production = "/environment/" + create(engine, "/project/" + shop + "/environment",
                                                          R"({"name": "production", "cluster": ")" + europe + R"("})");
  create(engine, production + "/database",
         R"({"name": "orders", "type": "POSTGRESQL", "version": "16", "mode": "CONTAINER"})");
  const std::string web = create(engine, production + "/container",
                                 R"({"name": "web", "registry_id": ")" + hub +
                                     R"(", "image_name": "acme/web", "tag": "1.0.0", "healthchecks": {}})");

  const std::uint64_t since = engine.last_event();
  ask(engine, "POST", production + "/deploy");
  engine.run_until_idle();

  for (const orlop::Event& event : engine.feed(since)) {
    if (event.kind != ORLOP_EVENT_STATE_CHANGED || orlop::view_of(event.family) == "cluster") continue;
    const std::string name = orlop::to_text(event.subject) == web ? "web" : "orders";
    std::cout << orlop::to_text(orlop::Instant(orlop::Duration(event.at_ms))) << ' ' << std::left << std::setw(6)
              << name << ' ' << orlop::view_of(event.to_name) << '\n';
  }
  std::cout << "production " << ask(engine, "GET", production + "/status").find("/state").value() << '\n';
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
