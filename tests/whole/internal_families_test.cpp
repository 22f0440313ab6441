// Internal records: stored, restored and removed like all others, and shown nowhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "deploy/driver/scripted_driver.h"
#include "deploy/request/request_history.h"
#include "describe/generated_files.h"
#include "model/registry.h"
#include "model/validate.h"
#include "platform.h"
#include "records/tree/removal.h"
#include "records/variables/reach.h"
#include "scripted_steps.h"
#include "sim/scripted_external_systems.h"
#include "sim/simulator.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

struct Stored {
  std::string id;
  std::string parent;
  std::string line;
  Value body;
};

using StoredRecords = std::map<std::string, std::vector<Stored>>;  // by family

StoredRecords internal_records(const std::string& snapshot) {
  StoredRecords found;
  std::istringstream lines(snapshot);
  for (std::string line; std::getline(lines, line);) {
    const auto value = parse_stored(line);
    const Value* record = value ? value->find("record") : nullptr;
    if (record == nullptr) continue;
    const Family* family = find_family(record->text_or("family", ""));
    const std::int64_t number = record->integer_or("family", 0);
    const bool is_known = family != nullptr || number == sealing_number;
    EXPECT_TRUE(is_known) << "a record of no family: " << line;
    if (family == nullptr || !family->is_internal) continue;
    found[std::string(family->name)].push_back({std::string(record->text_or("id", "")),
                                                std::string(record->text_or("parent", "")), line,
                                                *record->find("body")});
  }
  return found;
}

// Context for the rules of a record without other records.
class Alone final : public ValidationContext {
 public:
  explicit Alone(const Value& previous) : previous_(previous) {}
  Id parent() const override { return {}; }
  const Family* parent_family() override { return nullptr; }
  Id organization() const override { return {}; }
  bool is_json(std::string_view) const override { return true; }
  const Value* previous() const override { return &previous_; }
  const Value* find(std::string_view, const Id&) override { return nullptr; }
  std::vector<Id> all(std::string_view) override { return {}; }
  Id make_id() override { return {}; }
  Id self() const override { return {}; }
  Instant now() const override { return {}; }
  std::string_view brand() const override { return "platform"; }
  const Value& value(ContextKey) override { return nothing_; }

 private:
  const Value& previous_;
  Value nothing_;
};

class InternalFamilies : public testing::Test {
 protected:
  InternalFamilies() {
    StepRule minting;
    minting.step = StepKind::execute;
    minting.outputs = R"({"TOKEN": {"value": "t", "sensitive": true}})";
    driver_.add_rule(minting);
    open({});
  }

  void open(std::string_view snapshot) {
    SimulationOptions options;
    options.engine.settings.require_cluster = false;
    options.engine.keys.current = std::string(32, 'k');
    options.engine.snapshot = snapshot;
    options.engine.driver = &driver_;
    options.engine.is_driver_scripted = true;
    options.engine.store = open_memory_store();  // a store that engines can share
    options.engine.settings.rate_limit = 1000;
    options.engine.settings.releases_kept = 20;
    driver_.set_makes_releases(true);
    options.engine.settings.billing = {"instance_hour=1"};
    auto opened = Simulator::open(std::move(options));
    ASSERT_TRUE(opened) << opened.error().message;
    simulator_ = std::move(*opened);
    platform_ = platform_ ? std::make_unique<Platform>(simulator_->engine(), *platform_)
                          : std::make_unique<Platform>(simulator_->engine());
  }

  // Creates at least one record of every internal family.
  void fill() {
    platform_->make_all();
    const std::string projects = "/organization/" + platform_->id_of("organization") + "/project";
    const auto kept = simulator_->engine().dispatch(
        {"POST", projects, R"({"name": "kept"})", {{"idempotency-key", "one"}}, Trust::host});
    ASSERT_TRUE(kept && kept->status == 200) << kept->body;
    const auto counted = simulator_->engine().dispatch({"GET", projects, "", {}, Trust::outside});
    ASSERT_TRUE(counted && counted->status == 200);
    ask("POST", "/cluster/" + platform_->id_of("cluster") + "/lock", R"({"reason": "maintenance", "ttl_in_days": 5})",
        200);
    ask("POST", "/environment/" + platform_->id_of("environment") + "/deploy", "", 202);
    ASSERT_TRUE(simulator_->run_until_idle());
    ASSERT_TRUE(simulator_->engine().register_consumer("billing"));
    const Id observed = parse_id(platform_->id_of("container")).value();
    ASSERT_TRUE(simulator_->engine().report(
        {observed, ReportKind::running_state, RunningState::warning, R"({"reason": "OOMKilled"})"}));
    ASSERT_TRUE(simulator_->run_until_idle());
    ask("POST", "/database/" + platform_->id_of("database") + "/backup",
        R"({"name": "nightly", "message": "", "ttl_in_days": 7})", 201);
    ask("POST", "/cluster/" + platform_->id_of("cluster") + "/argoCdConfig",
        R"({"argocd_url": "https://argocd.example.com", "argocd_token": "t"})", 200);
    bind_cluster();
    claim_reward();
    run_cron_job();
    make_preview();
    push_in_the_night();
    begin_large_work();
  }
  void make_preview() {
    const auto made = parse_stored(
        ask("POST", "/project/" + platform_->id_of("project") + "/environment", R"({"name": "previewed"})", 201).body);
    ask("POST", "/environment/" + std::string(made->text_or("id", "")) + "/container",
        R"({"name": "web", "registry_id": ")" + platform_->id_of("container_registry") +
            R"(", "image_name": "acme/previewed", "tag": "1", "healthchecks": {}, "auto_preview": true})",
        201);
    ask("POST", "/organization/" + platform_->id_of("organization") + "/container/preview",
        R"({"image_name": "acme/previewed", "tag": "pull-7"})", 202);
    ASSERT_TRUE(simulator_->run_until_idle());
  }
  // Sends a push to an environment that is stopped outside of its hours.
  void push_in_the_night() {
    const auto made = parse_stored(
        ask("POST", "/project/" + platform_->id_of("project") + "/environment", R"({"name": "nights"})", 201).body);
    const std::string id(made->text_or("id", ""));
    ask("POST", "/environment/" + id + "/application", R"({"name": "night", "healthchecks": {}, "auto_deploy": true,
        "git_repository": {"url": "https://github.com/acme/night.git", "branch": "main", "provider": "GITHUB"}})",
        201);
    for (const char* action : {"/deploy", "/stop"}) {
      ask("POST", "/environment/" + id + action, "", 202);
      ASSERT_TRUE(simulator_->run_until_idle());
    }
    ask("PUT", "/environment/" + id + "/deploymentRule/" + id,
        R"({"auto_stop": true, "timezone": "UTC", "start_time": "1970-01-01T08:00:00Z", "stop_time": )"
        R"("1970-01-01T08:01:00Z",
        "weekdays": ["MONDAY"]})",
        200);
    ask("POST", "/organization/" + platform_->id_of("organization") + "/git/deploy",
        R"({"url": "https://github.com/acme/night", "branch": "main", "git_commit_id": "4f1c",
        "changed_files": ["a"]})",
        202);
  }
  void run_cron_job() {
    const auto made = parse_stored(
        ask("POST", "/environment/" + platform_->id_of("environment") + "/job",
            R"({"name": "every minute", "healthchecks": {}, "source": {"image": {"registry_id": ")" +
                platform_->id_of("container_registry") +
                R"(", "image_name": "acme/report", "tag": "1"}}, "schedule": {"cronjob": {"scheduled_at": "* * * )"
                R"(* *"}}})",
            201)
            .body);
    ask("POST", "/job/" + std::string(made->text_or("id", "")) + "/deploy", "", 202);
    ASSERT_TRUE(simulator_->run_until_idle());
    ASSERT_TRUE(simulator_->advance(seconds(60)));
  }
  void bind_cluster() {
    simulator_->external_systems().add(
        make_external_rule(
            "list_platform_templates", "",
            R"([{"key": "k8s", "version": "1", "status": "PUBLISHED", "description": "All.", "layers": [{"key": )"
            R"("metrics", "mandatory": false,
            "enabledByDefault": true, "modes": ["PLATFORM_MANAGED"], "providers": ["AWS"], "description": )"
            R"("Metrics.", "components": [{"key": "prometheus", "kind": "HELM",
            "description": "Prometheus.", "bindings": [], "fields": [{"key": "retention", "type": "number", )"
            R"("required": true, "defaultValue": "15", "label": "Retention",
            "description": "Days.", "sensitive": false, "constraints": {}}]}]}]}])",
            "", {}, 0)
            .value());
    ask("PUT",
        "/organization/" + platform_->id_of("organization") + "/cluster/" + platform_->id_of("cluster") +
            "/platformBinding",
        R"({"templateKey": "k8s", "templateVersion": "1", "layerSelections": {}, "managedConfig": {"prometheus": )"
        R"({"retention": 3}}})",
        200);
  }
  Value as_person(std::string_view person, std::string_view method, std::string_view path, std::string_view body) {
    const auto reply = simulator_->engine().dispatch({method, path, body, {{"x-acting-for", person}}, Trust::host});
    EXPECT_TRUE(reply && reply->status < 300) << path << ": " << reply->body;
    auto answer = parse_stored(reply->body);
    return answer ? std::move(*answer) : Value();
  }
  void claim_reward() {
    as_person("ada", "PUT", "/account", R"({"communication_email": "ada@example.com"})");
    const Value referral = as_person("ada", "GET", "/account/referral", "");
    const std::string link(referral.text_or("invitation_link", ""));
    as_person("bob", "POST", "/account/rewardClaim",
              R"({"type": "INVITATION", "code": ")" + link.substr(link.rfind('=') + 1) + "\"}");
  }
  // Edits a variable of a project with more services than one commit marks and one record of a history holds. No tick
  // follows, so that the job stays.
  void begin_large_work() {
    large_project_ = platform_->make_another(*find_family("project"));
    const auto made =
        parse_stored(ask("POST", "/project/" + large_project_ + "/environment", R"({"name": "many"})", 201).body);
    const std::string environment(made->text_or("id", ""));
    const auto& registry = platform_->id_of("container_registry");
    for (std::size_t at = 0; at < std::max(reached_at_once_max, history_part_max) + 10; ++at) {
      ask("POST", "/environment/" + environment + "/container",
          R"({"name": "s)" + std::to_string(at) + R"(", "registry_id": ")" + registry +
              R"(", "image_name": "a", "tag": "1", "healthchecks": {}})",
          201);
    }
    ask("POST", "/environment/" + environment + "/deploy", "", 202);
    ASSERT_TRUE(simulator_->run_until_idle());
    ask("POST", "/project/" + large_project_ + "/environmentVariable", R"({"key": "LEVEL", "value": "info"})", 201);
    begin_large_deletion();
  }
  void begin_large_deletion() {
    const std::string project = platform_->make_another(*find_family("project"));
    std::string variables;
    for (std::size_t at = 0; at <= removed_at_once_max; ++at)
      variables += (at == 0 ? "" : ",") + (R"({"name":"K)" + std::to_string(at)) +
                   R"(","value":"v","scope":"PROJECT","is_secret":false})";
    const auto made = parse_stored(ask("POST", "/project/" + project + "/environment", R"({"name": "any"})", 201).body);
    const auto service =
        parse_stored(ask("POST", "/environment/" + std::string(made->text_or("id", "")) + "/container",
                         R"({"name": "any", "registry_id": ")" + platform_->id_of("container_registry") +
                             R"(", "image_name": "a", "tag": "1", "healthchecks": {}})",
                         201)
                         .body);
    ask("POST", "/container/" + std::string(service->text_or("id", "")) + "/environmentVariable/import",
        R"({"overwrite":false,"vars":[)" + variables + "]}", 201);
    ask("DELETE", "/project/" + project, "", 204);
  }

  Reply ask(std::string_view method, const std::string& path, std::string_view body, std::uint16_t status) {
    Reply reply = platform_->ask(method, path, body);
    EXPECT_EQ(reply.status, status) << method << " " << path << ": " << reply.body;
    return reply;
  }
  std::string snapshot() { return *simulator_->engine().snapshot(); }

  ScriptedSteps driver_;
  std::unique_ptr<Simulator> simulator_;
  std::unique_ptr<Platform> platform_;
  std::string large_project_;
};

TEST_F(InternalFamilies, HaveRecordsThatTheirFieldsAccept) {
  ASSERT_NO_FATAL_FAILURE(fill());
  const StoredRecords records = internal_records(snapshot());
  for (const Family* family : internal_families()) {
    const auto found = records.find(std::string(family->name));
    ASSERT_NE(found, records.end()) << family->name << " has no record here: this test shows nothing of it";
    for (const Stored& stored : found->second) {
      Value body = stored.body;
      for (const Field& field : family->fields) {
        if (field.is_secret) body.set(field.name, field.kind == FieldKind::object ? Value::object() : Value("secret"));
      }
      arrange(family->fields, body);
      Alone context(body);
      Violations violations;
      Value again = make_record(*family, body, Purpose::edit, context, violations);
      for (const Violation& violation : violations)
        ADD_FAILURE() << family->name << ": " << violation.field << " " << violation.reason;
      for (const Field& field : family->fields) {
        if (field.server_set != ServerSet::none) again.set(field.name, *body.find(field.name));
      }
      EXPECT_EQ(to_json(again), to_json(body)) << family->name;
    }
  }
}

TEST_F(InternalFamilies, HaveNoRouteAndNoDescription) {
  ASSERT_FALSE(internal_families().empty());
  for (const Route& route : all_routes())
    EXPECT_FALSE(route.family != nullptr && route.family->is_internal) << route.path;
  for (const Document& document : project_documents()) {
    for (const Family* family : internal_families()) {
      EXPECT_EQ(document.text.find(std::string(family->schema)), std::string::npos)
          << document.path << " describes " << family->schema;
      EXPECT_EQ(document.path.find("/" + std::string(family->name) + "."), std::string::npos) << document.path;
    }
  }
}

TEST_F(InternalFamilies, AreRefusedByEveryRouteThatReads) {
  ASSERT_NO_FATAL_FAILURE(fill());
  const StoredRecords records = internal_records(snapshot());
  int asked = 0;
  for (const Route& route : all_routes()) {
    if (route.operation.method != Method::get) continue;
    for (const auto& [family, found] : records) {
      for (std::size_t at = 0; at < route.parameters.size(); ++at) {
        if (route.texts[at] != nullptr) continue;  // the parameter names no record
        const std::string& parameter = route.parameters[at];
        Route filled = route;
        const std::string mark = "{" + parameter + "}";
        filled.path.replace(filled.path.find(mark), mark.size(), found.front().id);
        std::erase(filled.parameters, parameter);
        const std::string path = platform_->path_of(filled);
        const Reply reply = platform_->ask("GET", path);
        const bool lacks_query =
            reply.status == 400 && reply.body.find("is a required query parameter") != std::string::npos;
        EXPECT_TRUE(reply.status == 404 || lacks_query) << path << " of " << family << ": " << reply.body;
        ++asked;
      }
    }
  }
  EXPECT_GT(asked, 300);
}

TEST_F(InternalFamilies, AreRestoredWithASnapshot) {
  ASSERT_NO_FATAL_FAILURE(fill());
  const std::string taken = snapshot();
  ASSERT_NO_FATAL_FAILURE(open(taken));
  const StoredRecords before = internal_records(taken);
  const StoredRecords after = internal_records(snapshot());
  ASSERT_EQ(before.size(), internal_families().size());
  ASSERT_EQ(after.size(), before.size());
  for (const auto& [family, records] : before) {
    ASSERT_EQ(after.at(family).size(), records.size()) << family;
    for (std::size_t at = 0; at < records.size(); ++at) EXPECT_EQ(after.at(family)[at].line, records[at].line);
  }
}

TEST_F(InternalFamilies, GoWithTheirParent) {
  ASSERT_NO_FATAL_FAILURE(fill());
  const std::string organization = "/organization/" + platform_->id_of("organization");
  ask("DELETE", organization + "/webhook/" + platform_->id_of("webhook"), "", 204);
  ask("DELETE", organization + "/apiToken/" + platform_->id_of("api_token"), "", 204);
  ask("DELETE", organization + "/policyApiToken/" + platform_->id_of("policy_api_token"), "", 204);
  ask("DELETE", "/environment/" + platform_->id_of("environment"), "", 204);
  const auto environments =
      parse_stored(ask("GET", "/project/" + platform_->id_of("project") + "/environment", "", 200).body);
  for (const Value& environment : environments->find("results")->items()) {
    const std::string id(environment.text_or("id", ""));
    if (id != platform_->id_of("environment")) ask("DELETE", "/environment/" + id, "", 204);
  }
  ask("DELETE", "/project/" + large_project_, "", 204);
  ask("DELETE", "/cluster/" + platform_->id_of("cluster") + "/argoCdConfig", "", 204);
  ASSERT_TRUE(simulator_->run_until_idle());
  StoredRecords left = internal_records(snapshot());
  EXPECT_EQ(left.erase("kept_answer"), 1U) << "it lies below the organization";
  EXPECT_EQ(left.erase("billing_account"), 1U) << "it lies below the organization";
  EXPECT_EQ(left.erase("usage_meter"), 1U) << "invoices name what is gone";
  EXPECT_EQ(left.erase("reward_claim"), 1U) << "it lies below an account";
  EXPECT_EQ(left.erase("event_consumer"), 1U) << "it is the host's";
  EXPECT_EQ(left.erase("rate_window"), 1U) << "it is a root, one for each caller";
  EXPECT_EQ(left.size(), 2U) << "only the cluster is left";
  for (const auto& [family, records] : left) EXPECT_EQ(records.front().parent, platform_->id_of("cluster")) << family;
  ask("DELETE", organization, "", 204);
  ASSERT_TRUE(simulator_->run_until_idle());
  left = internal_records(snapshot());
  EXPECT_EQ(left.erase("event_consumer"), 1U);
  EXPECT_EQ(left.erase("rate_window"), 1U);
  EXPECT_EQ(left.erase("reward_claim"), 1U);
  EXPECT_TRUE(left.empty());
}

}  // namespace
}  // namespace orlop
