// A distinctive text (canary) in every secret field of every family. Only the driver receives it; anywhere else it is a
// leaked secret.
#include <SQLiteCpp/Database.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "base/text/base64.h"
#include "deploy/driver/scripted_driver.h"
#include "model/registry.h"
#include "platform.h"
#include "scripted_steps.h"
#include "sim/scripted_external_systems.h"
#include "sim/simulator.h"
#include "store/sealing/cipher.h"
#include "unit/scratch.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

const std::string canary_text = "canary-8c1f4e";

// Members that are added to the sample of a family so that it holds secrets, and the secret fields that they set.
struct Overlay {
  const char* family;
  const char* body;
  std::vector<std::string> covers;
  bool is_whole = false;  // a complete request body, which differs from the record
};

// Answer of external systems about the blueprint.
constexpr std::string_view blueprint_of_catalog =
    R"({"catalog_url": "https://c.example.com/pg", "repository_url": "https://github.com/acme/blueprints.git", )"
    R"("latest_tag": "b",
        "variables": [{"kind": "variable", "name": "password", "type": {"type": "string"}, "required": false, )"
    R"("is_secret": true}],
        "engine": {"type": "terraform", "version": "1.9.0"}})";

constexpr const char* blueprint_request =
    R"({"name": "orders", "tag": "a", "icon": "https://c.example.com/i.svg", "variables": [{"name": "password", )"
    R"("value": "canary-8c1f4e", "is_secret": true}]})";

std::vector<Overlay> credentials() {
  return {
      {"git_token", R"({"token": "canary-8c1f4e"})", {"token"}},
      {"aws_credentials",
       R"({"type": "AWS_STATIC", "access_key_id": "A", "secret_access_key": "canary-8c1f4e"})",
       {"secret_access_key"}},
      {"aws_credentials",
       R"({"type": "EKS_ANYWHERE_VSPHERE_STATIC", "access_key_id": "A", "secret_access_key": "canary-8c1f4e", )"
       R"("vsphere_user": "u",
           "vsphere_password": "canary-8c1f4e"})",
       {"secret_access_key", "vsphere_password"}},
      {"gcp_credentials",
       R"({"gcp_credentials": "{\"type\": \"service_account\", \"private_key\": \"canary-8c1f4e\"}"})",
       {"gcp_credentials"}},
      {"scaleway_credentials", R"({"scaleway_secret_key": "canary-8c1f4e"})", {"scaleway_secret_key"}},
      {"webhook", R"({"kind": "SLACK", "target_secret": "canary-8c1f4e"})", {"target_secret"}},
      {"terraform",
       R"({"terraform_variables_source": {"tf_var_file_paths": [], "tf_vars": [{"key": "k", "value": )"
       R"("canary-8c1f4e", "secret": true}]}})",
       {"terraform_variables_source.secret_values"}},
      {"cluster",
       R"({"secret_manager_accesses": [
           {"name": "a", "endpoint": {"mode": "AWS_SECRET_MANAGER", "region": "r"},
            "authentication": {"mode": "AWS_STATIC_CREDENTIALS", "region": "r", "access_key": "A", "secret_key": )"
       R"("canary-8c1f4e"}},
           {"name": "b", "endpoint": {"mode": "GCP_SECRET_MANAGER", "region": "r", "project_id": "p"},
            "authentication": {"mode": "GCP_JSON_CREDENTIALS", "json_credentials": "{\"key\": \"canary-8c1f4e\"}"}}]})",
       {"secret_manager_accesses.authentication.secret_key",
        "secret_manager_accesses.authentication.json_credentials"}},
      {"blueprint", blueprint_request, {"secret_values"}, true},
      {"cluster_dns_provider",
       R"({"dns_provider": {"provider": "CLOUDFLARE", "domain": "a.example.com", "email": "ada@example.com", )"
       R"("api_token": "canary-8c1f4e"}})",
       {"dns_provider.api_token"}},
      {"cluster_dns_provider",
       R"({"dns_provider": {"provider": "ROUTE53", "domain": "a.example.com", "aws_region": "eu-west-3", )"
       R"("credentials": {"type": "STATIC", "aws_access_key_id": "A", "aws_secret_access_key": "canary-8c1f4e"}}})",
       {"dns_provider.credentials.aws_secret_access_key"}},
      {"agentic_workflow", R"({"model": {"type": "CLAUDE", "api_key": "canary-8c1f4e"}})", {"model.api_key"}},
      {"mcp_server", R"({"headers": {"Authorization": "canary-8c1f4e"}})", {"headers"}},
      {"credit_card", R"({"token": "canary-8c1f4e"})", {"token"}},
      {"argocd_config", R"({"argocd_token": "canary-8c1f4e"})", {"argocd_token"}},
      {"alert_receiver", R"({"webhook_url": "https://hooks.example.com/canary-8c1f4e"})", {"webhook_url"}},
      {"alert_receiver",
       R"({"type": "EMAIL", "to": "a@example.com", "from": "b@example.com", "smarthost": "smtp.example.com:587", )"
       R"("require_tls": true,
           "auth_password": "canary-8c1f4e"})",
       {"auth_password"}},
  };
}

std::vector<Overlay> registries() {
  return {
      {"container_registry",
       R"({"kind": "DOCKER_HUB", "config": {"username": "u", "password": "canary-8c1f4e"}})",
       {"config.password"}},
      {"container_registry",
       R"({"kind": "ECR", "url": "https://1.dkr.ecr.eu-west-3.amazonaws.com",
           "config": {"region": "eu-west-3", "access_key_id": "A", "secret_access_key": "canary-8c1f4e"}})",
       {"config.secret_access_key"}},
      {"container_registry",
       R"({"kind": "SCALEWAY_CR", "url": "https://rg.fr-par.scw.cloud",
           "config": {"region": "fr-par", "scaleway_access_key": "S", "scaleway_secret_key": "canary-8c1f4e"}})",
       {"config.scaleway_secret_key"}},
      {"container_registry",
       R"({"kind": "GCP_ARTIFACT_REGISTRY", "url": "https://europe-docker.pkg.dev",
           "config": {"region": "europe", "json_credentials": "{\"key\": \"canary-8c1f4e\"}"}})",
       {"config.json_credentials"}},
      {"helm_repository", R"({"config": {"username": "u", "password": "canary-8c1f4e"}})", {"config.password"}},
      {"helm_repository",
       R"({"kind": "OCI_ECR", "url": "oci://1.dkr.ecr.eu-west-3.amazonaws.com",
           "config": {"region": "eu-west-3", "access_key_id": "A", "secret_access_key": "canary-8c1f4e"}})",
       {"config.secret_access_key"}},
      {"helm_repository",
       R"({"kind": "OCI_SCALEWAY_CR", "url": "oci://rg.fr-par.scw.cloud",
           "config": {"region": "fr-par", "scaleway_access_key": "S", "scaleway_secret_key": "canary-8c1f4e"}})",
       {"config.scaleway_secret_key"}},
  };
}

const std::vector<Overlay>& overlays() {
  static const std::vector<Overlay> all = [] {
    std::vector<Overlay> both = credentials();
    std::ranges::copy(registries(), std::back_inserter(both));
    return both;
  }();
  return all;
}

void collect_secrets(std::span<const Field> fields, const std::string& prefix, std::set<std::string>& out) {
  for (const Field& field : fields) {
    const std::string path = prefix + std::string(field.name);
    if (field.is_secret) out.insert(path);
    if (field.shape == nullptr) continue;
    collect_secrets(field.shape->fields, path + ".", out);
    for (const Variant& variant : field.shape->variants) collect_secrets(variant.fields, path + ".", out);
  }
}

// Returns the row for a secret: {"webhook", R"({"config": {"password": "canary-8c1f4e"}})", {"config.password"}},
std::string overlay_row(const std::string& family, const std::string& path) {
  std::string body = "\"" + canary_text + "\"";
  for (std::size_t end = path.size(); end != 0;) {
    const std::size_t dot = path.rfind('.', end - 1);
    const std::size_t begin = dot == std::string::npos ? 0 : dot + 1;
    body = "{\"" + path.substr(begin, end - begin) + "\": " + body + "}";
    end = dot == std::string::npos ? 0 : dot;
  }
  return "{\"" + family + "\", R\"(" + body + ")\", {\"" + path + "\"}},";
}

TEST(SecretFields, AllHaveAnOverlay) {
  std::set<std::string> covered;
  for (const Overlay& overlay : overlays()) {
    for (const std::string& path : overlay.covers) covered.insert(std::string(overlay.family) + ": " + path);
  }
  std::set<std::string> secret;
  for (const Family* family : all_families()) {
    std::set<std::string> paths;
    collect_secrets(family->fields, "", paths);
    for (const std::string& path : paths) {
      const std::string key = std::string(family->name) + ": " + path;
      EXPECT_TRUE(covered.contains(key)) << "`credentials` of tests/whole/canary_test.cpp lacks this row: "
                                         << overlay_row(std::string(family->name), path);
      secret.insert(key);
    }
  }
  EXPECT_EQ(covered, secret);
}

TEST(SecretFields, ARowIsWrittenForANestedOne) {
  EXPECT_EQ(overlay_row("webhook", "config.password"),
            R"t({"webhook", R"({"config": {"password": "canary-8c1f4e"}})", {"config.password"}},)t");
}

// Counts the steps whose driver received the secret.
class Listening final : public Driver {
 public:
  Result<void> start(const Step& step) override {
    given += step.configuration.find(canary_text) != std::string::npos;
    return scripted.start(step);
  }
  void cancel(const Id& step, CancelMode mode) override { scripted.cancel(step, mode); }
  void poll(Instant now, std::vector<Report>& reports) override { scripted.poll(now, reports); }
  OptionalInstant due() override { return scripted.due(); }

  ScriptedSteps scripted;
  int given = 0;
};

// Reports everything that it received, in every form: the secret must appear nowhere.
class Talking final : public Driver {
 public:
  Result<void> start(const Step& step) override {
    const auto place = step.configuration.find(canary_text);
    if (place != std::string::npos) {
      ++given;
      const std::string piece = "u:" + canary_text + "@h";
      for (const std::string& said :
           {step.configuration, to_json(Value(step.configuration)), piece, to_json(Value(to_json(Value(piece)))),
            base64_of(piece), base64_of(step.configuration), percent_encoded(step.configuration),
            std::string(text_size_max - 8, 'x') + canary_text + std::string(text_size_max, 'y')}) {
        said_.push_back({step.id, ReportKind::log_line, RunningState::none, said});
        said_.push_back({step.id, ReportKind::progress, RunningState::none, said});
      }
    }
    const bool fails = step.kind == StepKind::restart && place != std::string::npos;
    return fails ? Result<void>(make_error(ErrorCode::internal, "cannot log in with " + canary_text))
                 : scripted.start(step);
  }
  void cancel(const Id& step, CancelMode mode) override { scripted.cancel(step, mode); }
  void poll(Instant now, std::vector<Report>& reports) override {
    std::ranges::move(std::exchange(said_, {}), std::back_inserter(reports));
    scripted.poll(now, reports);
  }
  OptionalInstant due() override { return scripted.due(); }

  ScriptedSteps scripted;
  int given = 0;

 private:
  static std::string base64_of(const std::string& text) {
    return to_base64({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  }
  static std::string percent_encoded(const std::string& text) {
    static constexpr std::string_view digits = "0123456789ABCDEF";
    std::string encoded;
    for (const char letter : text)
      encoded.append("%")
          .append(1, digits[static_cast<std::uint8_t>(letter) >> 4])
          .append(1, digits[static_cast<std::uint8_t>(letter) & 15]);
    return encoded;
  }

  std::vector<Report> said_;
};

class Canary : public testing::Test {
 protected:
  void SetUp() override { path_ = tests::scratch_file("canary.db"); }

  std::unique_ptr<Simulator> open(const std::string& key) { return open(key, driver_); }
  std::unique_ptr<Simulator> open(const std::string& key, Driver& driver) {
    SimulationOptions options;
    options.engine.settings.require_cluster = false;
    options.engine.storage = path_;
    options.engine.keys.current = key;
    options.engine.driver = &driver;
    options.start = {1'767'225'600'000};
    auto opened = Simulator::open(std::move(options));
    EXPECT_TRUE(opened) << opened.error().message;
    return std::move(*opened);
  }

  void expect_silence(const std::string& where, std::string_view text) {
    const std::size_t at = text.find(canary_text);
    EXPECT_EQ(at, std::string_view::npos) << where << " shows a secret: …" << text.substr(at < 80 ? 0 : at - 80, 160);
  }

  // Creates a record with every overlay, edits it, and sends requests that are refused; searches each answer.
  void write_all_secrets(Platform& platform) {
    platform.make_all();
    for (const Overlay& overlay : overlays()) {
      const Family& family = *find_family(overlay.family);
      const std::string body = overlay.is_whole ? overlay.body : laid_over(platform, family, overlay.body);
      const std::string_view method = family.path == PathForm::single ? "PUT" : "POST";
      const std::string collection = collection_of(platform, family);
      const Reply made = platform.ask(method, collection, body);
      ASSERT_LT(made.status, 300) << overlay.family << ": " << made.body;
      expect_silence("creating " + std::string(overlay.family), made.body);
      refuse_all(platform, overlay.family, method, collection, body);
      const std::string id((*parse_stored(made.body)).text_or("id", ""));
      read_and_edit(platform, family, id, body);
      if (overlay.is_whole) use_blueprint(platform, family, id);
    }
  }

  void read_and_edit(Platform& platform, const Family& family, const std::string& id, const std::string& body) {
    for (const Route& route : all_routes()) {
      if (route.family != &family || !route.verb || (*route.verb != Verb::read && *route.verb != Verb::edit)) continue;
      std::string path = platform.path_of(route);
      if (family.path != PathForm::single) path.replace(path.rfind(platform.id_of(family)), id.size(), id);
      const Reply reply = *route.verb == Verb::read ? platform.ask("GET", path) : platform.ask("PUT", path, body);
      EXPECT_LT(reply.status, 300) << path << ": " << reply.body;
      expect_silence(path, reply.body);
    }
  }

  // Uses its operations besides the plain verbs; later reads use this record.
  void use_blueprint(Platform& platform, const Family& family, const std::string& id) {
    platform.take(family, id);
    const std::string path = "/blueprint/" + id;
    const auto ask = [&](std::string_view method, const std::string& at, std::string_view given) {
      const Reply reply = platform.ask(method, at, given);
      EXPECT_LT(reply.status, 300) << at << ": " << reply.body;
      expect_silence(at, reply.body);
      return reply;
    };
    ask("PATCH", path, R"({"name": "orders", "tag": "a", "icon": "https://c.example.com/i.svg"})");
    const std::string body =
        R"({"name": "orders", "tag": "b", "icon": "https://c.example.com/i.svg", "variables": {"password": )"
        R"({"value": "canary-8c1f4e", "is_secret": true}}})";
    const Reply placed = ask("POST", path + "/update/preview", body);
    platform.take(*find_family("blueprint_preview"),
                  std::string((*parse_stored(placed.body)).text_or("preview_id", "")));
    expect_silence("refusing a blueprint",
                   platform.ask("PATCH", path, body.substr(0, body.size() - 1) + R"(,"unknown":1})").body);
  }

  // Sends invalid bodies that contain the secret.
  void refuse_all(Platform& platform, const std::string& family, std::string_view method, const std::string& collection,
                  const std::string& body) {
    const auto ask = [&](const std::string& wrong) {
      const Reply reply = platform.ask(method, collection, wrong);
      EXPECT_GE(reply.status, 400) << wrong;
      expect_silence("refusing " + family, reply.body);
    };
    ask(body.substr(0, body.size() - 1) + ",\"unknown\":1}");
    ask(body.substr(0, body.size() - 1));
    ask(body.substr(0, body.size() - 1) + ",\"name\":\"" + canary_text + "\",\"name\":2}");
    std::string wrong_type = body;
    for (std::size_t at = wrong_type.find("\"" + canary_text + "\""); at != std::string::npos;
         at = wrong_type.find("\"" + canary_text + "\"", at + 40)) {
      wrong_type.replace(at, canary_text.size() + 2, "{\"x\":[\"" + canary_text + "\"],\"unknown\":1}");
    }
    if (wrong_type != body) ask(wrong_type);
  }

  std::string laid_over(Platform& platform, const Family& family, const char* body) {
    Value value = platform.sample_of(family);
    const Value given = *parse_stored(body);
    for (const Member& member : given.members()) value.set(member.name, member.value);
    if (value.has("name")) value.set("name", Value("secret " + std::to_string(++named_)));
    return to_json(value);
  }

  static std::string collection_of(Platform& platform, const Family& family) {
    const Verb making = family.path == PathForm::single ? Verb::edit : Verb::create;
    for (const Route& route : all_routes()) {
      if (route.family == &family && route.verb == making) return platform.path_of(route);
    }
    // Families that an operation other than the plain verbs creates.
    for (const Route& route : all_routes()) {
      const bool makes =
          route.family == &family && route.operation.method == Method::post && route.operation.body != nullptr;
      if (makes && route.operation.access == Access::write) return platform.path_of(route);
    }
    return "";
  }

  // Deploys everything; some steps fail.
  void deploy_all(Simulator& simulator, Platform& platform) {
    StepRule failing;
    failing.family = find_family("helm")->number;
    failing.outcome = ScriptOutcome::fail;
    failing.reason = "no such chart";
    driver_.scripted.add_rule(failing);
    const std::string cluster =
        "/organization/" + platform.id_of("organization") + "/cluster/" + platform.id_of("cluster");
    platform.ask("POST", cluster + "/deploy");
    platform.ask("POST", "/environment/" + platform.id_of("environment") + "/deploy");
    ASSERT_TRUE(simulator.run_until_idle());
    platform.ask("POST", "/environment/" + platform.id_of("environment") + "/stop");
    ASSERT_TRUE(simulator.run_until_idle());
  }

  bool is_in_the_files() const {
    for (const char* ending : {"", "-wal"}) {
      std::ifstream file(path_ + ending, std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(file), {}};
      if (bytes.find(canary_text) != std::string::npos) return true;
    }
    return false;
  }

  void play(const std::string& key) {
    const auto simulator = open(key);
    simulator->external_systems().add(
        make_external_rule("find_blueprint", "", blueprint_of_catalog, "", {}, 0).value());
    Platform platform(simulator->engine());
    ASSERT_NO_FATAL_FAILURE(write_all_secrets(platform));
    ASSERT_NO_FATAL_FAILURE(deploy_all(*simulator, platform));
    EXPECT_GT(driver_.given, 0) << "the driver was never given a secret: this test shows nothing";
    expect_silence("what can be read", platform.seen());
    expect_silence("the snapshot", *simulator->engine().snapshot());
    expect_silence("/openapi.json", platform.ask("GET", "/openapi.json").body);
    EXPECT_EQ(is_in_the_files(), key.empty());
  }

  const std::string& path() const { return path_; }

  Listening driver_;

 private:
  std::string path_;
  int named_ = 0;
};

TEST_F(Canary, WithAKeyOnlyTheDriverGetsSecrets) { play(std::string(Cipher::key_size, 'k')); }

TEST_F(Canary, WithoutAKeyTheFileHoldsItAndNothingElseDoes) { play(""); }

// A driver that reports secrets: in log lines, reasons, progress and outputs.
TEST_F(Canary, WhatADriverSaysOfTheSecretsOfItsStepsIsMasked) {
  Talking driver;
  const auto simulator = open(std::string(Cipher::key_size, 'k'), driver);
  simulator->external_systems().add(make_external_rule("find_blueprint", "", blueprint_of_catalog, "", {}, 0).value());
  Platform platform(simulator->engine());
  ASSERT_NO_FATAL_FAILURE(write_all_secrets(platform));
  const std::string environment = "/environment/" + platform.id_of("environment");
  ASSERT_EQ(platform.ask("POST", environment + "/secret", R"({"key": "API_KEY", "value": "canary-8c1f4e"})").status,
            201);
  StepRule leaking;
  leaking.step = StepKind::execute;
  leaking.outputs =
      R"({"URL": "https://u:canary-8c1f4e@h", "canary-8c1f4e": ["canary-8c1f4e", {"a": "Y2FuYXJ5LThjMWY0ZQ=="}], )"
      R"("TOKEN": {"value": "canary-8c1f4e", "sensitive": true}})";
  driver.scripted.add_rule(leaking);
  ASSERT_LT(platform.ask("POST", environment + "/deploy").status, 300);
  ASSERT_TRUE(simulator->run_until_idle());
  ASSERT_LT(platform.ask("POST", "/container/" + platform.id_of("container") + "/restart-service").status, 300);
  ASSERT_TRUE(simulator->run_until_idle());
  platform.ask("POST", environment + "/deploy");
  ASSERT_TRUE(simulator->run_until_idle());
  EXPECT_GT(driver.given, 5);
  const std::string events = *simulator->engine().events({});
  EXPECT_NE(events.find("u:***@h"), std::string::npos);
  EXPECT_NE(events.find("cannot log in with ***"), std::string::npos);
  for (const std::string& text : {events, platform.seen(), *simulator->engine().snapshot()}) {
    for (const char* form : {"canary-8c1f4e", "Y2FuYXJ5LThjMWY0Z", "NhbmFyeS04YzFmNG", "jYW5hcnktOGMxZjRl",
                             "%63%61%6E%61%72%79", "canary-8"}) {
      EXPECT_EQ(text.find(form), std::string::npos)
          << form << " in …" << text.substr(std::max<std::size_t>(text.find(form), 80) - 80, 200);
    }
  }
  EXPECT_FALSE(is_in_the_files());
}

TEST_F(Canary, AFileThatIsSealedLaterHoldsItNoMoreOnceItIsCompacted) {
  ASSERT_NO_FATAL_FAILURE(play(""));
  open(std::string(Cipher::key_size, 'k'));
  SQLite::Database(path(), SQLite::OPEN_READWRITE).exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  EXPECT_FALSE(is_in_the_files());
}

}  // namespace
}  // namespace orlop
