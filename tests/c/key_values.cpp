// An engine on a key-value store of its host (key_value.hpp): a deployment, a second engine on the data of the first
// one, and a store that fails.
#include "orlop/key_value.hpp"

#include <stdexcept>
#include <string>

#include "check.h"
#include "orlop/orlop.hpp"

namespace {

using Map = std::map<std::string, std::string, std::less<>>;

class Pairs : public orlop::KeyValues {
 public:
  explicit Pairs(Map map) : map_(std::move(map)) {}
  std::optional<std::string> get(std::string_view key) const override {
    const auto found = map_.find(key);
    return found == map_.end() ? std::nullopt : std::optional(found->second);
  }
  void scan(std::string_view from, const Visitor& visit) const override {
    for (auto at = map_.lower_bound(from); at != map_.end() && visit(at->first, at->second); ++at) {}
  }

 private:
  Map map_;
};

// For use by one thread.
class FailingStore : public orlop::KeyValueStore {
 public:
  std::shared_ptr<const orlop::KeyValues> snapshot() override {
    if (fails_snapshots) throw std::runtime_error("the cellar is flooded");
    return std::make_shared<Pairs>(map);
  }
  void write(const orlop::KeyValueChanges& changes) override {
    if (fails_writes) throw std::runtime_error("the cellar is full");
    for (const auto& [key, value] : changes) {
      if (value) map[key] = *value;
      else map.erase(key);
    }
  }

  Map map;
  bool fails_writes = false;
  bool fails_snapshots = false;
};

struct Opened {
  explicit Opened(std::shared_ptr<FailingStore> pairs)
      : store(orlop::key_value_store(std::move(pairs))), engine(with(store)) {}
  static orlop::Engine with(const orlop_store& store) {
    orlop::Options options;
    options.store = &store;
    options.simulation = true;
    options.require_cluster = false;
    return orlop::Engine(options);
  }
  orlop_store store;
  orlop::Engine engine;
};

std::string created(orlop::Engine& engine, const std::string& collection, std::string_view body) {
  const orlop::Reply reply = engine.dispatch({.method = "POST", .path = collection, .body = body});
  CHECK(reply.ok());
  return std::string(reply.body().substr(reply.body().find(R"("id":")") + 6, 36));
}

std::string failure_of(orlop::Engine& engine, const orlop::Request& request) {
  try {
    (void)engine.dispatch(request);
  } catch (const orlop::Error& error) { return error.what(); }
  return "";
}

std::string deployed(orlop::Engine& engine, const std::string& environment) {
  return std::string(engine.dispatch({.method = "GET", .path = "/environment/" + environment + "/status"}).body());
}

orlop_code code_of_open(const Map& map) {
  const auto pairs = std::make_shared<FailingStore>();
  pairs->map = map;
  const orlop_store store = orlop::key_value_store(pairs);
  orlop::Options options;
  options.store = &store;
  const auto opened = orlop::Engine::try_open(options);
  if (opened) return ORLOP_ERROR_NONE;
  store.release(store.context);
  CHECK(pairs->map == map);
  return opened.error().code();
}

}  // namespace

int main() {
  const auto pairs = std::make_shared<FailingStore>();
  std::string environment;
  {
    Opened opened(pairs);
    const std::string organization = created(opened.engine, "/organization", R"({"name":"acme","plan":"FREE"})");
    created(opened.engine, "/organization/" + organization + "/cluster",
            R"({"name":"europe","region":"eu-west-3","cloud_provider":"AWS"})");
    const std::string project =
        created(opened.engine, "/organization/" + organization + "/project", R"({"name":"shop"})");
    environment = created(opened.engine, "/project/" + project + "/environment", R"({"name":"production"})");
    created(opened.engine, "/environment/" + environment + "/database",
            R"({"name":"orders","type":"POSTGRESQL","version":"16","mode":"CONTAINER"})");
    const orlop::Reply accepted =
        opened.engine.dispatch({.method = "POST", .path = "/environment/" + environment + "/deploy"});
    CHECK(accepted.status() == 202);
    opened.engine.run_until_idle();
    CHECK(deployed(opened.engine, environment).find("DEPLOYED") != std::string::npos);
  }
  Opened again(pairs);
  CHECK(deployed(again.engine, environment).find("DEPLOYED") != std::string::npos);

  const Map before = pairs->map;
  Map other = before;
  CHECK(code_of_open(other) == ORLOP_ERROR_NONE);
  other["v"].back() = '\7';
  CHECK(code_of_open(other) == ORLOP_ERROR_STORAGE_NEWER);
  other.erase("v");
  CHECK(code_of_open(other) == ORLOP_ERROR_STORAGE_FOREIGN);
  CHECK(code_of_open({}) == ORLOP_ERROR_NONE);
  pairs->fails_writes = true;
  const orlop::Request creation{.method = "POST", .path = "/organization", .body = R"({"name":"other","plan":"FREE"})"};
  CHECK(failure_of(again.engine, creation).find("the cellar is full") != std::string::npos);
  CHECK(pairs->map == before);
  pairs->fails_writes = false;
  pairs->fails_snapshots = true;
  CHECK(failure_of(again.engine, creation).find("the cellar is flooded") != std::string::npos);
  pairs->fails_snapshots = false;
  CHECK(again.engine.dispatch(creation).ok());  // and the lock of the writer was released

  // Truncates the values of records.
  for (auto& [key, value] : pairs->map) {
    if (key.starts_with('r')) value.resize(value.size() / 2);
  }
  CHECK(failure_of(again.engine, {.method = "GET", .path = "/environment/" + environment}).find("ends too early") !=
        std::string::npos);
  return 0;
}
