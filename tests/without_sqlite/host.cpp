// A host on a library without SQLite and OpenSSL: its own store, its own encryption, and the refusals of features that
// the library lacks.
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "orlop/key_value.hpp"
#include "orlop/orlop.hpp"
#include "toy_aead.h"

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

class MapStore : public orlop::KeyValueStore {
 public:
  std::shared_ptr<const orlop::KeyValues> snapshot() override { return std::make_shared<Pairs>(map); }
  void write(const orlop::KeyValueChanges& changes) override {
    for (const auto& [key, value] : changes) {
      if (value) map[key] = *value;
      else map.erase(key);
    }
  }

  Map map;
};

const std::string key(32, 'k');
constexpr std::string_view secret = "correct horse battery staple";

std::string refusal_of(const orlop::Options& options) {
  try {
    const orlop::Engine engine(options);
    return "";
  } catch (const orlop::Error& refused) { return refused.what(); }
}

void files_are_refused() {
  const std::string reason =
      "\": this library was built without SQLite (ORLOP_SQLITE=OFF); a store of the host is the option store";
  for (const char* given : {"orders.db", "sqlite:orders.db", "/no/such/folder/orders.db", "mysql:orders"}) {
    orlop::Options options;
    options.storage = given;
    CHECK(refusal_of(options) ==
          "storage must be \"memory:\" or \"postgresql://…\", not \"" + std::string(given) + reason);
  }
  CHECK(std::fopen("orders.db", "r") == nullptr);
  const std::string no_copies =
      "only a store in an SQLite file is copied, and this library was built without SQLite (ORLOP_SQLITE=OFF); every "
      "store has snapshots";
  orlop_error* error = orlop_backup(text_of("orders.db"), text_of("copy.db"));
  CHECK(orlop_error_message(error) == no_copies);
  orlop_error_free(error);
  orlop_buffer* replaced = nullptr;
  error = orlop_restore(text_of("orders.db"), text_of("copy.db"), &replaced);
  CHECK(orlop_error_message(error) == no_copies);
  orlop_error_free(error);
}

void keys_need_an_aead() {
  const std::string expected =
      "a key for secrets needs the option aead: this library was built without OpenSSL (ORLOP_SQLITE=OFF)";
  orlop::Options options;
  options.secret_key = key;
  CHECK(refusal_of(options) == expected);
  orlop::Engine plain;
  orlop_buffer* snapshot = nullptr;
  orlop_error* error = orlop_snapshot_with_secrets(&snapshot, plain.handle(), {key.data(), key.size()});
  CHECK(orlop_error_code(error) == ORLOP_ERROR_MISUSE && orlop_error_message(error) == expected);
  orlop_error_free(error);
}

// Deploys, and returns whether the secret is readable in the map.
bool shows_secret(const std::shared_ptr<MapStore>& pairs, const orlop_aead* aead) {
  const orlop_store store = orlop::key_value_store(pairs);
  orlop::Options options;
  options.store = &store;
  options.require_cluster = false;
  options.aead = aead;
  if (aead != nullptr) options.secret_key = key;
  orlop::Engine engine(options);
  const platform made = create_platform(engine.handle());
  char id[37];
  create(engine.handle(), id, "/environment/%s/secret", made.environment,
         R"({"key":"PASSWORD","value":"correct horse battery staple"})");
  deploy(engine.handle(), &made);
  for (int ticks = 0; ticks < 100 && !status_holds(engine.handle(), &made, "\"DEPLOYED\""); ++ticks) {
    std::int64_t next = 0;
    OK(orlop_tick(engine.handle(), &next));
  }
  CHECK(status_holds(engine.handle(), &made, "\"DEPLOYED\""));
  for (const auto& [name, value] : pairs->map) {
    if (value.find(secret) != std::string::npos) return true;
  }
  return false;
}

void a_store_of_the_host_is_sealed_by_the_host() {
  CHECK(shows_secret(std::make_shared<MapStore>(), nullptr));
  const auto pairs = std::make_shared<MapStore>();
  toy_aead toy{};
  const orlop_aead aead = aead_of(&toy);
  CHECK(!shows_secret(pairs, &aead));
  CHECK(toy.encrypted >= 2 && toy.released == 1);
  const orlop_store store = orlop::key_value_store(pairs);
  orlop::Options options;
  options.store = &store;
  CHECK(refusal_of(options).find("the store's secrets are sealed") == 0);
}

// The digest of a token is the same in every build: a token issued by another one is accepted.
void tokens_are_verified() {
  orlop::Options options;
  options.authentication = ORLOP_AUTHENTICATION_REQUIRED;
  orlop::Engine engine(options);
  const platform made = create_platform(engine.handle());
  char path[128];
  std::snprintf(path, sizeof path, "/organization/%s/apiToken", made.organization);
  orlop_reply* reply = dispatch(engine.handle(), "POST", path, R"({"name":"ci","role_id":null,"scope":"ADMIN"})");
  CHECK(orlop_reply_status(reply) < 300);
  const orlop_text token = orlop_reply_find(reply, "/token");
  CHECK(token.size > 0);
  for (const int status : {200, 401}) {
    const std::string value = "Token " + std::string(token.data, token.size) + (status == 200 ? "" : "x");
    const orlop_header header = {text_of("Authorization"), {value.data(), value.size()}};
    orlop_request request = ORLOP_REQUEST_INIT;
    request.method = text_of("GET");
    request.path = text_of("/organization");
    request.headers = &header;
    request.header_count = 1;
    request.untrusted = 1;
    orlop_reply* answer = nullptr;
    OK(orlop_dispatch(&answer, engine.handle(), &request));
    CHECK(orlop_reply_status(answer) == status);
    orlop_reply_free(answer);
  }
  orlop_reply_free(reply);
}

}  // namespace

int main() {
  files_are_refused();
  keys_need_an_aead();
  a_store_of_the_host_is_sealed_by_the_host();
  tokens_are_verified();
  return 0;
}
