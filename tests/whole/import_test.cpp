// Parts of a snapshot in a store in use: an organization, a project, an environment.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/family_number.h"
#include "model/registry.h"
#include "platform.h"
#include "sim/simulator.h"
#include "snapshot/snapshot.h"
#include "store/sealing/cipher.h"
#include "unit/scratch.h"
#include "whole/times.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

const std::string move_key(Cipher::key_size, 'k');

class ImportPlatform {
 public:
  explicit ImportPlatform(std::uint64_t seed,
                          const std::string& storage = "memory:", const std::string& secret_key = "") {
    SimulationOptions options;
    options.engine.settings.require_cluster = false;
    options.engine.storage = storage;
    options.engine.keys.current = secret_key;
    options.seed = seed;
    options.start = new_year;
    auto opened = Simulator::open(std::move(options));
    EXPECT_TRUE(opened) << opened.error().message;
    simulator_ = std::move(*opened);
  }
  Engine& engine() { return simulator_->engine(); }
  Simulator* operator->() { return simulator_.get(); }

  Value ask(std::string_view method, const std::string& path, std::string_view body = "", std::uint16_t status = 200) {
    const auto reply = engine().dispatch({method, path, body, {}});
    if (!reply) return ADD_FAILURE() << reply.error().message, Value();
    EXPECT_EQ(reply->status, status) << method << " " << path << " " << body << "\n" << reply->body.substr(0, 500);
    auto value = parse_stored(reply->body.empty() ? "{}" : reply->body);
    return value ? std::move(*value) : Value();
  }
  std::string make(const std::string& path, std::string_view body) {
    const auto reply = engine().dispatch({"POST", path, body, {}});
    EXPECT_TRUE(reply && reply->status < 300) << path << " " << body << "\n"
                                              << (reply ? reply->body : reply.error().message);
    return std::string(parse_stored(reply->body)->text_or("id", ""));
  }
  std::string make_organization(const std::string& name) {
    const std::string organization = make("/organization", R"({"name":")" + name + R"(","plan":"FREE"})");
    make("/organization/" + organization + "/cluster",
         R"({"name":"main","region":"eu-west-3","cloud_provider":"AWS"})");
    make("/organization/" + organization + "/containerRegistry", R"({"name":"hub","kind":"DOCKER_HUB","config":{}})");
    make("/organization/" + organization + "/project", R"({"name":"shop"})");
    return organization;
  }
  // Returns the id of the item of this name in a list.
  std::string in(const std::string& path, std::string_view name) {
    const Value list = ask("GET", path);
    for (const Value& item : list.find("results")->items()) {
      if (item.text_or("name", item.text_or("key", "")) == name) return std::string(item.text_or("id", ""));
    }
    return "";
  }
  std::string snapshot(std::string_view secrets_key = {}) {
    return *engine().snapshot(PlainSecrets::left_out, secrets_key);
  }
  std::uint64_t last_event() { return *engine().last_event(); }

 private:
  std::unique_ptr<Simulator> simulator_;
};

// An organization with an environment whose services refer to each other in every form.
struct Shop {
  explicit Shop(ImportPlatform& place, const std::string& name = "acme") {
    organization = place.make_organization(name);
    project = place.in("/organization/" + organization + "/project", "shop");
    environment = place.make("/project/" + project + "/environment", R"({"name":"production"})");
    const std::string registry = place.in("/organization/" + organization + "/containerRegistry", "hub");
    for (const std::string service : {"api", "worker"}) {
      const std::string made = place.make("/environment/" + environment + "/container",
                                          R"({"name":")" + service + R"(","registry_id":")" + registry +
                                              R"(","image_name":"i","tag":"1","healthchecks":{}})");
      (service == "api" ? api : worker) = made;
    }
    database = place.make("/environment/" + environment + "/database",
                          R"({"name":"orders","type":"POSTGRESQL","version":"16","mode":"CONTAINER"})");
  }

  std::string organization, project, environment, api, worker, database;
};

std::string upper_digits(const std::string& id) {
  std::string digits = id.substr(0, 8);
  std::ranges::transform(digits, digits.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return digits;
}

std::string set(ImportPlatform& place, std::string_view name, const std::string& value, std::string_view scope,
                const std::string& parent, bool is_secret = false) {
  Writer out;
  out.begin_object().field("key", name).field("value", std::string_view(value)).field("is_secret", is_secret);
  return place.make(
      "/variable",
      out.field("variable_scope", scope).field("variable_parent_id", std::string_view(parent)).end_object().text());
}

// Returns the faults of `orlop check`, except those for secrets that were left out.
std::string faults_of(Engine& engine) {
  std::string text;
  const auto faults = engine.check(false);
  if (!faults) return faults.error().message;
  for (const FoundFault& fault : *faults) {
    if (fault.advice != advice::secret) text += fault.type + " " + fault.id + " " + fault.fault + "\n";
  }
  return text;
}

std::vector<std::string> lines_with(const std::string& snapshot, const std::string& text) {
  std::vector<std::string> found;
  std::istringstream lines(snapshot);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(text) != std::string::npos) found.push_back(line);
  }
  return found;
}

class Import : public testing::TestWithParam<bool> {
 protected:
  static std::string storage() { return GetParam() ? tests::scratch_file("import.db") : "memory:"; }
};

TEST_P(Import, of_an_organization_keeps_ids_that_are_free) {
  ImportPlatform origin(1);
  Platform platform(origin.engine());
  platform.make_all();
  const std::string organization = platform.id_of("organization");
  ImportPlatform target(2, storage());
  const auto imported = target.engine().import_from(origin.snapshot(), {"organization", organization, "", ""});
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_TRUE(imported->new_ids.empty());
  EXPECT_EQ(to_text(imported->root), organization);
  EXPECT_GT(imported->missing_secrets, 0U);
  EXPECT_EQ(imported->left_out.at("database_backup"), 1U);
  EXPECT_EQ(faults_of(target.engine()), "");
  Platform here(target.engine(), platform);
  int compared = 0;
  for (const Route& route : all_routes()) {
    const bool is_record = route.family != nullptr && route.verb == Verb::read;
    if (!is_record || route.family->machine == MachineKind::task || route.family->name == "invoice") continue;
    const std::string path = platform.path_of(route);
    const Reply before = platform.ask("GET", path);
    if (before.status != 200) continue;
    EXPECT_EQ(here.ask("GET", path).body, before.body) << path;
    ++compared;
  }
  EXPECT_GT(compared, 20);
}

// The same ids exist: each is replaced, and the copy does not refer to an original.
TEST_P(Import, replaces_ids_that_are_taken_and_every_reference_to_them) {
  ImportPlatform place(1, storage());
  Platform platform(place.engine());
  platform.make_all();
  const std::string organization = platform.id_of("organization");
  const std::string name(place.ask("GET", "/organization/" + organization).text_or("name", ""));
  const auto imported = place.engine().import_from(place.snapshot(), {"organization", name, "", "twin"});
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_GE(imported->new_ids.size(), imported->records);
  EXPECT_EQ(imported->left_out.at("api_token"), 1U) << "a token is of one organization";
  EXPECT_EQ(faults_of(place.engine()), "");
  EXPECT_EQ(place.ask("GET", "/organization/" + to_text(imported->root)).text_or("name", ""), "twin");
  std::set<std::string> before;
  for (const auto& [old_id, new_id] : imported->new_ids) before.insert(to_text(old_id));
  int looked_at = 0;
  for (const std::string& line : lines_with(place.snapshot(), "\"organization\":\"" + to_text(imported->root) + "\"")) {
    ++looked_at;
    for (std::size_t at = line.find('-'); at != std::string::npos; at = line.find('-', at + 1)) {
      const bool may_be_id = at >= 8 && at - 8 + id_text_size <= line.size();
      EXPECT_FALSE(may_be_id && before.contains(line.substr(at - 8, id_text_size))) << line;
    }
  }
  EXPECT_GT(looked_at, 30);
}

TEST_P(Import, of_an_environment_rewrites_ids_in_texts_aliases_and_overrides) {
  ImportPlatform place(1, storage());
  const Shop shop(place);
  const std::string built_in = "PLATFORM_CONTAINER_Z" + upper_digits(shop.worker) + "_HOST_INTERNAL";
  set(place, "URL", "http://{{" + built_in + "}}", "CONTAINER", shop.api);
  set(place, "TEXT", "worker is " + shop.worker + " at app-z" + shop.worker.substr(0, 8), "ENVIRONMENT",
      shop.environment);
  set(place, "PLAIN", "plain", "ENVIRONMENT", shop.environment);
  set(place, "WIDE", "wide", "PROJECT", shop.project);
  const std::string listed = "/variable?scope=CONTAINER&parent_id=" + shop.api;
  const auto name = [&](std::string_view variable, std::string_view kind, std::string_view name) {
    const Value list = place.ask("GET", listed);
    for (const Value& item : list.find("results")->items()) {
      if (item.text_or("key", "") != variable) continue;
      Writer out;
      out.begin_object();
      if (kind == "alias") out.field("key", name);
      else out.field("value", name);
      out.field(std::string(kind) + "_scope", "CONTAINER")
          .field(std::string(kind) + "_parent_id", std::string_view(shop.api))
          .end_object();
      place.make("/variable/" + std::string(item.text_or("id", "")) + "/" + std::string(kind), out.text());
    }
  };
  name(built_in, "alias", "WORKER_HOST");
  name(built_in, "override", "worker.example.com");
  name("PLAIN", "alias", "PLAIN_TOO");
  name("WIDE", "override", "narrow");
  const std::string rule = "/environment/" + shop.environment + "/deploymentRule";
  place.ask("PUT", rule + "/" + std::string(place.ask("GET", rule).text_or("id", "")),
            R"({"auto_stop":true,"timezone":"Europe/Paris","start_time":"1970-01-01T08:00:00Z","stop_time":)"
            R"("1970-01-01T19:00:00Z","weekdays":["MONDAY"]})");
  const auto imported = place.engine().import_from(place.snapshot(move_key),
                                                   {"environment", "acme/shop/production", "", "second"}, move_key);
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->missing_secrets, 0U);
  EXPECT_EQ(faults_of(place.engine()), "");
  const std::string second = to_text(imported->root);
  const std::string api = place.in("/environment/" + second + "/container", "api");
  const std::string worker = place.in("/environment/" + second + "/container", "worker");
  ASSERT_NE(worker, shop.worker);
  std::map<std::string, Value> seen;
  const Value list = place.ask("GET", "/variable?scope=CONTAINER&parent_id=" + api);
  for (const Value& item : list.find("results")->items()) {
    if (item.text_or("variable_type", "") != "BUILT_IN") seen[std::string(item.text_or("key", ""))] = item;
  }
  const std::string built_in_here = "PLATFORM_CONTAINER_Z" + upper_digits(worker) + "_HOST_INTERNAL";
  EXPECT_EQ(seen.at("URL").text_or("value", ""), "http://{{" + built_in_here + "}}");
  EXPECT_EQ(seen.at("TEXT").text_or("value", ""), "worker is " + worker + " at app-z" + worker.substr(0, 8));
  EXPECT_EQ(seen.at("WORKER_HOST").find("aliased_variable")->text_or("key", ""), built_in_here);
  EXPECT_EQ(seen.at(built_in_here).text_or("value", ""), "worker.example.com");
  EXPECT_EQ(seen.at("PLAIN_TOO").find("aliased_variable")->text_or("id", ""), seen.at("PLAIN").text_or("id", ""));
  EXPECT_EQ(seen.at("WIDE").text_or("value", ""), "narrow");
  EXPECT_EQ(place.ask("GET", "/environment/" + second + "/deploymentRule").text_or("stop_time", ""),
            "1970-01-01T19:00:00Z");
  EXPECT_NE(
      place.ask("GET", "/database/" + place.in("/environment/" + second + "/database", "orders") + "/masterCredentials")
          .text_or("password", ""),
      "");
}

TEST_P(Import, finds_what_lies_outside_by_name_and_deploys) {
  ImportPlatform origin(1);
  Shop shop(origin);
  origin.ask("POST", "/environment/" + shop.environment + "/deploy", "", 202);
  ASSERT_TRUE(origin->run_until_idle());
  ImportPlatform target(2, storage());
  // One more id, so that those of the cluster and the registry differ from the original ones.
  target.make("/organization", R"({"name":"first","plan":"FREE"})");
  const std::string organization = target.make_organization("Acme");
  const std::uint64_t before = target.last_event();
  const auto imported =
      target.engine().import_from(origin.snapshot(move_key), {"environment", shop.environment, "", ""}, move_key);
  ASSERT_TRUE(imported) << imported.error().message;
  const std::string environment = to_text(imported->root);
  EXPECT_EQ(environment, shop.environment);
  EXPECT_EQ(faults_of(target.engine()), "");
  const Value made = target.ask("GET", "/environment/" + environment);
  EXPECT_EQ(made.text_or("cluster_id", ""), target.in("/organization/" + organization + "/cluster", "main"));
  EXPECT_EQ(made.find("organization")->text_or("id", ""), organization);
  EXPECT_EQ(target.ask("GET", "/container/" + shop.api).find("registry")->text_or("id", ""),
            target.in("/organization/" + organization + "/containerRegistry", "hub"));
  EXPECT_EQ(target.ask("GET", "/container/" + shop.api + "/status").text_or("state", ""), "READY");
  EXPECT_EQ(target.ask("GET", "/container/" + shop.api + "/status").text_or("service_deployment_status", ""),
            "NEVER_DEPLOYED");
  EXPECT_TRUE(
      target.ask("GET", "/environment/" + environment + "/deploymentHistoryV2").find("results")->items().empty());
  const std::string events = *target.engine().events({.after = before});
  EXPECT_NE(events.find("environment.created"), std::string::npos);
  EXPECT_EQ(events.find("deployed"), std::string::npos) << "events of the origin stay behind";
  target.ask("POST", "/environment/" + environment + "/deploy", "", 202);
  ASSERT_TRUE(target->run_until_idle());
  EXPECT_EQ(target.ask("GET", "/environment/" + environment + "/status").text_or("state", ""), "DEPLOYED");
  // The first digits of later ids differ from those of the imported ones.
  const std::string later = target.make("/environment/" + environment + "/database",
                                        R"({"name":"more","type":"REDIS","version":"7","mode":"CONTAINER"})");
  EXPECT_GT(later.substr(0, 8), shop.database.substr(0, 8));
}

TEST_P(Import, names_all_that_is_missing_and_changes_nothing) {
  ImportPlatform origin(1);
  const Shop shop(origin);
  ImportPlatform target(2, storage());
  const std::string organization = target.make("/organization", R"({"name":"acme","plan":"FREE"})");
  target.make("/organization/" + organization + "/project", R"({"name":"shop"})");
  const std::string before = target.snapshot();
  const std::string snapshot = origin.snapshot();
  const auto refused = target.engine().import_from(snapshot, {"environment", "acme/shop/production", "", ""});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  for (const std::string_view wanted :
       {"cluster \"main\"", "container registry \"hub\"", "environment \"production\"", "container \"api\""}) {
    EXPECT_NE(refused.error().message.find(wanted), std::string::npos) << refused.error().message;
  }
  EXPECT_EQ(refused.error().violations.size(), 2U);
  const auto fails = [&](const ImportRequest& request, ErrorCode code, std::string_view wanted) {
    const auto failed = target.engine().import_from(snapshot, request);
    ASSERT_FALSE(failed) << wanted;
    EXPECT_EQ(failed.error().code, code) << failed.error().message;
    EXPECT_NE(failed.error().message.find(wanted), std::string::npos) << failed.error().message;
  };
  fails({"organization", "acme", "", ""}, ErrorCode::conflict, "the name of the organization \"acme\" is taken here");
  fails({"project", "acme/shop", "", ""}, ErrorCode::conflict, "the name of the project \"shop\" is taken here");
  fails({"project", "acme/none", "", ""}, ErrorCode::not_found, "the snapshot has no project \"acme/none\"");
  fails({"project", "acme/shop", "nowhere", ""}, ErrorCode::not_found, "this store has no organization \"nowhere\"");
  fails({"cluster", "main", "", ""}, ErrorCode::invalid, "not a \"cluster\"");
  fails({"organization", "acme", organization, ""}, ErrorCode::invalid, "parent must be left out");
  EXPECT_EQ(target.engine().import_from("{}", {"organization", "acme", "", ""}).error().code, ErrorCode::invalid);
  EXPECT_EQ(target.engine().import_from(snapshot, {"organization", "acme", "", ""}, move_key).error().code,
            ErrorCode::misuse);
  EXPECT_EQ(target.snapshot(), before);
}

TEST_P(Import, of_a_project_goes_into_another_organization) {
  ImportPlatform place(1, storage());
  const Shop shop(place);
  const std::string other = place.make_organization("other");
  const auto imported = place.engine().import_from(place.snapshot(), {"project", "acme/shop", "other", "imported"});
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(faults_of(place.engine()), "");
  EXPECT_EQ(place.in("/organization/" + other + "/project", "imported"), to_text(imported->root));
  const std::string environment = place.in("/project/" + to_text(imported->root) + "/environment", "production");
  EXPECT_EQ(place.ask("GET", "/environment/" + environment).text_or("cluster_id", ""),
            place.in("/organization/" + other + "/cluster", "main"));
  for (const std::string& line : lines_with(place.snapshot(), "\"organization\":\"" + other + "\""))
    EXPECT_EQ(line.find(shop.organization), std::string::npos) << line;
}

TEST_P(Import, reads_secrets_with_the_key_that_they_have) {
  const std::string other_key(Cipher::key_size, 'o');
  ImportPlatform sealed(1, "memory:", move_key);
  const Shop shop(sealed);
  const std::string password(
      sealed.ask("GET", "/database/" + shop.database + "/masterCredentials").text_or("password", ""));
  ImportPlatform target(2, storage(), other_key);
  const std::string snapshot = sealed.snapshot();
  for (const std::string& given : {std::string(), other_key}) {
    EXPECT_EQ(target.engine().import_from(snapshot, {"organization", "acme", "", ""}, given).error().code,
              ErrorCode::storage_sealed);
  }
  const auto imported = target.engine().import_from(snapshot, {"organization", "acme", "", ""}, move_key);
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(target.ask("GET", "/database/" + shop.database + "/masterCredentials").text_or("password", ""), password);
  EXPECT_EQ(target.snapshot().find(password), std::string::npos);
}

TEST_P(Import, reads_secrets_with_the_key_of_the_engine_where_none_is_given) {
  ImportPlatform place(1, storage(), move_key);
  const Shop shop(place);
  const std::string password(
      place.ask("GET", "/database/" + shop.database + "/masterCredentials").text_or("password", ""));
  const std::string snapshot = place.snapshot();
  const auto imported = place.engine().import_from(snapshot, {"environment", "acme/shop/production", "", "restored"});
  ASSERT_TRUE(imported) << imported.error().message;
  const std::string copy = place.in("/environment/" + to_text(imported->root) + "/database", "orders");
  EXPECT_EQ(place.ask("GET", "/database/" + copy + "/masterCredentials").text_or("password", ""), password);
}

// Resources that are being deleted keep their ids until the end.
TEST_P(Import, takes_new_ids_beside_those_of_what_is_being_deleted) {
  ImportPlatform place(1, storage());
  const Shop shop(place);
  const std::string snapshot = place.snapshot();
  for (int more = 0; more < 1100; ++more)
    set(place, "KEY_" + std::to_string(more), "value", "ENVIRONMENT", shop.environment);
  place.ask("DELETE", "/environment/" + shop.environment, "", 204);
  const auto imported = place.engine().import_from(snapshot, {"environment", shop.environment, "", ""});
  ASSERT_TRUE(imported) << imported.error().message;
  ASSERT_TRUE(place->run_until_idle());
  EXPECT_EQ(faults_of(place.engine()), "");
  EXPECT_EQ(place.in("/project/" + shop.project + "/environment", "production"), to_text(imported->root));
}

INSTANTIATE_TEST_SUITE_P(Stores, Import, testing::Bool(),
                         [](const auto& info) { return info.param ? "sqlite" : "memory"; });

}  // namespace
}  // namespace orlop
