// Rows that an earlier fault may have left in the store: every state of every kind of row is written and repaired. The
// driver reports nothing, so that only deadlines act.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/family_number.h"
#include "deploy/request/deployment_request.h"
#include "deploy/run/repair/fault.h"
#include "engine.h"
#include "lifecycle/state.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "snapshot/snapshot.h"
#include "store/open.h"
#include "store/partition.h"
#include "unit/deploy/counting_store.h"
#include "whole/times.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// Accepts every step, and reports nothing.
class SilentDriver final : public Driver {
 public:
  Result<void> start(const Step& step) override {
    started.push_back(step.id);
    return {};
  }
  void cancel(const Id&, CancelMode) override {}
  std::vector<Id> started;
};

class Repair : public testing::Test {
 protected:
  Repair() : clock_(new_year), random_source_(7) {}

  void open(Driver* driver) {
    close();
    EngineOptions options;
    options.store = store_;
    options.clock = &clock_;
    options.random_source = &random_source_;
    options.driver = driver;
    options.settings.require_cluster = false;
    auto opened = Engine::open(std::move(options));
    ASSERT_TRUE(opened) << opened.error().message;
    engine_ = std::move(*opened);
  }
  void close() {
    if (engine_) engine_->close();
    engine_.reset();
  }
  Reply ask(std::string_view method, const std::string& path, std::string_view body = "") {
    auto reply = engine_->dispatch({method, path, body, {}});
    EXPECT_TRUE(reply) << path;
    return reply ? std::move(*reply) : Reply();
  }
  Id create(const std::string& path, std::string_view body) {
    const Reply reply = ask("POST", path, body);
    EXPECT_LT(reply.status, 300) << path << ": " << reply.body;
    const auto made = parse_stored(reply.body);
    return made ? parse_id(made->text_or("id", "")).value_or(Id{}) : Id{};
  }
  // Ticks and advances the clock until nothing is left to do.
  void settle() {
    for (int ticks = 0; ticks < 200; ++ticks) {
      const auto wanted = engine_->tick();
      ASSERT_TRUE(wanted) << wanted.error().message;
      const auto due = engine_->work_due();
      if (!due) return;
      clock_.move_to(std::max(*due, clock_.now()));
    }
    ADD_FAILURE() << "it does not come to an end";
  }

  // Restores the platform of begin_all() into a new store.
  void begin() {
    if (snapshot_.empty()) begin_all();
    close();
    store_ = open_memory_store();
    ASSERT_TRUE(restore_snapshot(*store_, snapshot_));
  }

  // Begins the deployment of a service in an environment and of its cluster, with a driver that reports nothing, and a
  // task.
  void begin_all() {
    store_ = open_memory_store();
    open(&silent_);
    organization_ = create("/organization", R"({"name":"acme","plan":"FREE"})");
    cluster_ = create("/organization/" + to_text(organization_) + "/cluster",
                      R"({"name":"main","region":"eu-west-3","cloud_provider":"AWS"})");
    registry_ = create("/organization/" + to_text(organization_) + "/containerRegistry",
                       R"({"name":"hub","kind":"DOCKER_HUB","config":{}})");
    const Id project = create("/organization/" + to_text(organization_) + "/project", R"({"name":"shop"})");
    environment_ = create("/project/" + to_text(project) + "/environment", R"({"name":"production"})");
    service_ = create(
        "/environment/" + to_text(environment_) + "/container",
        R"({"name":"web","registry_id":")" + to_text(registry_) + R"(","image_name":"a","tag":"1","healthchecks":{}})");
    EXPECT_EQ(ask("POST", "/environment/" + to_text(environment_) + "/deploy").status, 202);
    EXPECT_EQ(
        ask("POST", "/organization/" + to_text(organization_) + "/cluster/" + to_text(cluster_) + "/deploy").status,
        200);
    task_ = create("/clusters/" + to_text(cluster_) + "/analysis",
                   R"({"kind": "DEPRECATED_API_CHECK", "output_format": "JSON"})");
    EXPECT_TRUE(engine_->tick());
    EXPECT_TRUE(engine_->tick());
    request_ = machine(service_).request;
    ASSERT_FALSE(machine(service_).step.is_nil());
    ASSERT_FALSE(machine(cluster_).step.is_nil());
    ASSERT_FALSE(machine(task_).step.is_nil());
    snapshot_ = *engine_->snapshot();
    close();
  }

  Machine machine(const Id& id) {
    const auto transaction = std::move(store_->begin(Access::read)).value();
    const Shared<Machine> found = transaction->machine(id).value();
    return found ? *found : Machine{};
  }
  bool is_there(const Id& id) {
    const auto transaction = std::move(store_->begin(Access::read)).value();
    return transaction->machine(id).value().has_value();
  }
  // Writes to the store directly, without rules.
  void put_raw(const Id& id, const std::function<void(Machine&)>& change) {
    auto transaction = std::move(store_->begin(Access::write)).value();
    Changes changes;
    changes.machines.push_back(**transaction->machine(id));
    change(changes.machines.front());
    ++changes.machines.front().revision;
    ASSERT_TRUE(transaction->apply(changes) && transaction->commit());
  }
  void put_raw_body(const Id& id, std::string_view member, const Value& value) {
    auto transaction = std::move(store_->begin(Access::write)).value();
    Record record = **transaction->record(id);
    Value body = parse_stored(record.body).value();
    body.set(std::string(member), value);
    record.body = to_json(body);
    Changes changes;
    changes.records.push_back({record, record.revision, std::nullopt, std::nullopt});
    ++changes.records.front().record.revision;
    ASSERT_TRUE(transaction->apply(changes) && transaction->commit());
  }

  void erase_record(const Id& id) {
    auto transaction = std::move(store_->begin(Access::write)).value();
    Changes changes;
    changes.erasures.push_back(id);
    changes.machines.push_back(**transaction->machine(id));
    changes.machines.front().revision = 1;
    ASSERT_TRUE(transaction->apply(changes) && transaction->commit());
  }
  void add_service(const std::string& name) {
    create("/environment/" + to_text(environment_) + "/container",
           R"({"name":")" + name + R"(","registry_id":")" + to_text(registry_) +
               R"(","image_name":"a","tag":"1","healthchecks":{}})");
  }

  std::vector<FoundFault> faults() {
    auto found = engine_->check(false);
    EXPECT_TRUE(found) << found.error().message;
    return found ? *found : std::vector<FoundFault>();
  }
  // Checks that nothing is in progress, and that no fault is left.
  void expect_rest() {
    for (const FoundFault& fault : faults()) ADD_FAILURE() << fault.type << " " << fault.id << " " << fault.fault;
    EXPECT_FALSE(is_transient(static_cast<ServiceState>(machine(service_).state)))
        << "the service is " << to_string(static_cast<ServiceState>(machine(service_).state));
    EXPECT_FALSE(is_transient(static_cast<ClusterState>(machine(cluster_).state)))
        << "the cluster is " << to_string(static_cast<ClusterState>(machine(cluster_).state));
    EXPECT_FALSE(is_transient(static_cast<TaskState>(machine(task_).state)));
    EXPECT_TRUE(!is_there(request_) || static_cast<RequestState>(machine(request_).state) == RequestState::ended);
  }
  void expect_deployable() {
    open(nullptr);
    EXPECT_EQ(ask("POST", "/environment/" + to_text(environment_) + "/deploy").status, 202);
    EXPECT_EQ(
        ask("POST", "/organization/" + to_text(organization_) + "/cluster/" + to_text(cluster_) + "/deploy").status,
        200);
    settle();
    EXPECT_EQ(static_cast<ServiceState>(machine(service_).state), ServiceState::deployed);
    EXPECT_EQ(static_cast<ClusterState>(machine(cluster_).state), ClusterState::deployed);
    EXPECT_TRUE(faults().empty());
  }

  VirtualClock clock_;
  SeededRandomSource random_source_;
  SilentDriver silent_;
  std::shared_ptr<Store> store_;
  std::unique_ptr<Engine> engine_;
  std::string snapshot_;
  Id organization_, cluster_, environment_, registry_, service_, request_, task_;
};

class EveryServiceState : public Repair, public testing::WithParamInterface<int> {
 protected:
  void walk(bool is_active) {
    enum Case {
      as_it_is,
      no_request,
      missing,
      ended,
      waiting,
      not_begun,
      canceling,
      queuing,
      unknown,
      not_included,
      case_count
    };
    for (int which = as_it_is; which < case_count; ++which) {
      for (const bool has_step : {false, true}) {
        for (const bool has_deadline : {false, true}) {
          for (const Action action : {Action::deploy, Action::none}) {
            if (!has_step && has_deadline) continue;
            SCOPED_TRACE(std::string(to_string(static_cast<ServiceState>(GetParam()))) + ", request " +
                         std::to_string(which) + (has_step ? ", step" : "") + (has_deadline ? ", deadline" : "") +
                         ", " + std::string(to_string(action)));
            begin();
            put_raw(service_, [&](Machine& row) {
              row.state = static_cast<std::uint8_t>(GetParam());
              row.action = static_cast<std::uint8_t>(action);
              row.active = is_active;
              if (!has_step) row.step = Id{}, row.step_kind = 0;
              if (!has_deadline) row.deadline.reset();
              if (which == no_request) row.request = Id{};
              if (which == missing) row.request = environment_;
            });
            const auto state = which == ended       ? 4
                               : which == waiting   ? 1
                               : which == canceling ? 3
                               : which == queuing   ? 5
                               : which == unknown   ? 9
                                                    : 0;
            if (state != 0)
              put_raw(request_,
                      [&](Machine& row) { row.state = static_cast<std::uint8_t>(state), row.active = state != 4; });
            if (which == not_begun) put_raw_body(request_, "started_at", Value());
            if (which == not_included) put_raw_body(request_, "whole_environment", Value(false));
            open(&silent_);
            if (!is_active) { ASSERT_TRUE(engine_->check(true)); }
            settle();
            expect_rest();
            if (HasFailure()) return;
            expect_deployable();
            if (HasFailure()) return;
          }
        }
      }
    }
  }
};
INSTANTIATE_TEST_SUITE_P(States, EveryServiceState, testing::Range(0, state_count<ServiceState> + 2));

TEST_P(EveryServiceState, has_a_way_out_when_the_store_is_opened) { walk(true); }
TEST_P(EveryServiceState, has_a_way_out_by_repair_when_no_list_names_it) { walk(false); }

class EveryClusterState : public Repair, public testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(States, EveryClusterState, testing::Range(0, state_count<ClusterState> + 2));

TEST_P(EveryClusterState, has_a_way_out) {
  for (const bool is_active : {true, false}) {
    for (const bool has_step : {false, true}) {
      for (const bool has_deadline : {false, true}) {
        for (const Action action : {Action::deploy, Action::none, Action::uninstall, Action::dry_run, Action::stop}) {
          for (const std::uint8_t origin : {std::uint8_t{0}, std::uint8_t{7}, std::uint8_t{99}}) {
            SCOPED_TRACE(std::string(to_string(static_cast<ClusterState>(GetParam()))) + (is_active ? ", active" : "") +
                         (has_step ? ", step" : "") + (has_deadline ? ", deadline" : "") + ", " +
                         std::string(to_string(action)) + ", from " + std::to_string(origin));
            begin();
            put_raw(cluster_, [&](Machine& row) {
              row.state = static_cast<std::uint8_t>(GetParam());
              row.action = static_cast<std::uint8_t>(action);
              row.origin_state = origin;
              row.active = is_active;
              if (!has_step) row.step = Id{}, row.step_kind = 0;
              if (!has_deadline) row.deadline.reset();
            });
            open(&silent_);
            if (!is_active) { ASSERT_TRUE(engine_->check(true)); }
            settle();
            expect_rest();
            if (HasFailure()) return;
            expect_deployable();
            if (HasFailure()) return;
          }
        }
      }
    }
  }
}

class EveryTaskState : public Repair, public testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(States, EveryTaskState, testing::Range(0, state_count<TaskState> + 2));

TEST_P(EveryTaskState, has_a_way_out) {
  for (const bool is_active : {true, false}) {
    for (const bool has_step : {false, true}) {
      for (const bool has_deadline : {false, true}) {
        SCOPED_TRACE(std::to_string(GetParam()) + (is_active ? ", active" : "") + (has_step ? ", step" : "") +
                     (has_deadline ? ", deadline" : ""));
        begin();
        put_raw(task_, [&](Machine& row) {
          row.state = static_cast<std::uint8_t>(GetParam());
          row.active = is_active;
          if (!has_step) row.step = Id{}, row.step_kind = 0;
          if (!has_deadline) row.deadline.reset();
        });
        open(&silent_);
        if (!is_active) { ASSERT_TRUE(engine_->check(true)); }
        settle();
        expect_rest();
      }
    }
  }
}

class EveryRequestState : public Repair, public testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(States, EveryRequestState, testing::Range(0, 8));

TEST_P(EveryRequestState, has_a_way_out) {
  enum Case { as_it_is, no_services, no_record, not_begun, case_count };
  for (const bool is_active : {true, false}) {
    for (int which = as_it_is; which < case_count; ++which) {
      SCOPED_TRACE(std::to_string(GetParam()) + (is_active ? ", active" : "") + ", case " + std::to_string(which));
      begin();
      put_raw(request_,
              [&](Machine& row) { row.state = static_cast<std::uint8_t>(GetParam()), row.active = is_active; });
      if (which == not_begun) put_raw_body(request_, "started_at", Value());
      if (which == no_services)
        put_raw(service_, [](Machine& row) {
          row.state = 1, row.request = row.step = Id{}, row.step_kind = 0, row.active = false, row.deadline.reset();
        });
      if (which == no_record) erase_record(request_);
      open(&silent_);
      if (!is_active) { ASSERT_TRUE(engine_->check(true)); }
      settle();
      expect_rest();
      if (HasFailure()) return;
      expect_deployable();
    }
  }
}

TEST_F(Repair, says_what_it_has_found_and_repairs_on_request_only) {
  begin();
  put_raw(service_, [](Machine& row) { row.request = Id{}, row.active = false; });
  open(&silent_);
  ASSERT_EQ(faults().size(), 1U);
  EXPECT_EQ(faults().front().id, to_text(service_));
  EXPECT_EQ(faults().front().fault, to_string(RowFault::unattended));
  const auto repaired = engine_->check(true);
  ASSERT_TRUE(repaired);
  EXPECT_EQ(repaired->size(), 1U);
  EXPECT_TRUE(faults().empty());
  EXPECT_EQ(static_cast<ServiceState>(machine(service_).state), ServiceState::deployment_error);
}

TEST_F(Repair, a_deployment_takes_up_a_service_that_no_list_names) {
  begin();
  put_raw(request_, [](Machine& row) { row.state = 4, row.active = false; });
  put_raw(service_, [](Machine& row) { row.active = false, row.step = Id{}, row.step_kind = 0, row.deadline.reset(); });
  open(nullptr);
  settle();
  EXPECT_TRUE(is_transient(static_cast<ServiceState>(machine(service_).state))) << "no index names it";
  expect_deployable();
}

// Rows in the partition of another organization.
TEST_F(Repair, a_row_in_the_wrong_partition_is_put_right_by_hand) {
  begin();
  const std::uint8_t right = machine(cluster_).partition;
  put_raw(cluster_, [&](Machine& row) { row.partition = static_cast<std::uint8_t>((right + 1) % partition_count); });
  open(&silent_);
  ASSERT_EQ(faults().size(), 1U);
  EXPECT_EQ(faults().front().fault, to_string(RowFault::wrong_partition));
  ASSERT_TRUE(engine_->check(true));
  EXPECT_EQ(machine(cluster_).partition, right);
  settle();
  expect_rest();
  expect_deployable();
}

// Opening reads the active rows only.
TEST_F(Repair, opening_costs_the_same_however_much_is_at_rest) {
  std::size_t first = 0;
  for (const int services : {0, 60}) {
    begin();
    StoreCounts counts;
    store_ = count_store(open_memory_store(), counts);
    ASSERT_TRUE(restore_snapshot(*store_, snapshot_));
    open(nullptr);
    settle();
    for (int at = 0; at < services; ++at) add_service("more" + std::to_string(at));
    EXPECT_EQ(ask("POST", "/environment/" + to_text(environment_) + "/deploy").status, 202);
    settle();
    close();
    counts = {.open = counts.open};
    open(nullptr);
    settle();
    if (services == 0) first = counts.rows;
    EXPECT_EQ(counts.rows, first);
    close();
    store_.reset();
  }
}

}  // namespace
}  // namespace orlop
