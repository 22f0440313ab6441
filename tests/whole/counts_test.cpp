// Counts in answers: stored, correct after every change, and read for a whole list at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine.h"
#include "platform.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "store/open.h"
#include "store/walk.h"
#include "unit/deploy/counting_store.h"
#include "unit/scratch.h"
#include "wire/json.h"

namespace orlop {
namespace {

// Describes a difference between the stored counts and the records; "" if there is none.
std::string kept_differ_from_counted(Store& store) {
  const auto transaction = std::move(store.begin(Access::read)).value();
  std::vector<Id> ids;
  (void)for_each_record(*transaction, [&](const Record& record) { return ids.push_back(record.id), Result<void>(); });
  for (const auto by : {RecordRange::By::parent, RecordRange::By::reference}) {
    for (const FamilyNumber family : {FamilyNumber{0}, environment_number}) {
      auto kept = transaction->counts({by, ids, family}).value();
      auto counted = transaction->counted({by, ids, family}).value();
      const auto place = [](const RecordCount& each) { return std::pair(each.key, each.family); };
      std::ranges::sort(kept, {}, place);
      std::ranges::sort(counted, {}, place);
      if (kept != counted)
        return "counts of family " + std::to_string(family) + " by " + std::to_string(static_cast<int>(by));
    }
  }
  return "";
}

class Counts : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    EngineOptions options;
    options.settings.require_cluster = false;
    const std::string url = GetParam() == "sqlite" ? "sqlite:" + tests::scratch_file("counts.db") : "memory:";
    store_ = count_store(std::move(open_store(url, Durability::normal)).value(), asked_);
    options.store = store_;
    options.clock = &clock_;
    options.random_source = &random_source_;
    engine_ = std::move(Engine::open(std::move(options))).value();
    Platform platform(*engine_);
    platform.id_of("cluster");
    organization_ = platform.id_of("organization");
  }

  Reply ask(std::string_view method, const std::string& path, std::string_view body = "") {
    return Platform(*engine_).ask(method, path, body);
  }
  std::string create(const std::string& path, const std::string& body) { return Platform(*engine_).create(path, body); }
  std::string below_organization(const std::string& segment, const std::string& body) {
    return create("/organization/" + organization_ + "/" + segment, body);
  }
  std::string named(const std::string& rest = "") {
    return R"({"name":"n)" + std::to_string(++names_) + "\"" + rest + "}";
  }
  std::string group() { return named(R"(,"labels":[{"key":"a","value":"b","propagate_to_cloud_provider":false}])"); }
  std::string registry() { return named(R"(,"kind":"DOCKER_HUB","config":{})"); }
  std::string service(const std::string& registry, const std::string& group) {
    return named(R"(,"registry_id":")" + registry +
                 R"(","image_name":"a","tag":"1","healthchecks":{},"labels_groups":[{"id":")" + group + R"("}])");
  }
  std::vector<std::int64_t> list(const std::string& path, std::string_view member) {
    std::vector<std::int64_t> values;
    const auto body = parse_stored(ask("GET", path).body);
    for (const Value& item : body->find("results")->items()) values.push_back(item.integer_or(member, -1));
    return values;
  }
  std::size_t reads_of(const std::string& path) {
    const std::size_t before = asked_.asked;
    EXPECT_EQ(ask("GET", path).status, 200);
    return asked_.asked - before;
  }

  StoreCounts asked_;
  VirtualClock clock_{Instant{1'767'225'600'000}};
  SeededRandomSource random_source_{1};
  std::shared_ptr<Store> store_;
  std::unique_ptr<Engine> engine_;
  std::string organization_;
  int names_ = 0;
};

INSTANTIATE_TEST_SUITE_P(stores, Counts, testing::Values("memory", "sqlite"),
                         [](const auto& info) { return info.param; });

// The number of reads does not depend on the rows of a list.
TEST_P(Counts, AListWithCountsTakesTheSameNumberOfReadsHoweverLong) {
  const std::string lists[] = {"project",        "containerRegistry", "labelsGroups",
                               "helmRepository", "gitToken",          "annotationsGroups"};
  const auto add = [&](int count) {
    for (int at = 0; at < count; ++at) {
      const std::string project = below_organization("project", named());
      const std::string environment = create("/project/" + project + "/environment", named());
      create("/environment/" + environment + "/container",
             service(below_organization("containerRegistry", registry()), below_organization("labelsGroups", group())));
      below_organization(
          "helmRepository",
          named(R"(,"kind":"OCI_GENERIC_CR","url":"oci://registry.example.com/charts","skip_tls_verification":false,)"
                R"("config":{"username":"u","password":"p"})"));
    }
  };
  add(2);
  std::vector<std::size_t> few;
  for (const std::string& each : lists) few.push_back(reads_of("/organization/" + organization_ + "/" + each));
  add(40);
  for (std::size_t at = 0; at < few.size(); ++at)
    EXPECT_EQ(reads_of("/organization/" + organization_ + "/" + lists[at]), few[at]) << lists[at];
}

TEST_P(Counts, FollowWhatIsCreatedMovedAndDeleted) {
  const std::string all = "/organization/" + organization_;
  const std::string registry_1 = below_organization("containerRegistry", registry());
  const std::string registry_2 = below_organization("containerRegistry", registry());
  const std::string labels = below_organization("labelsGroups", group());
  const std::string project = below_organization("project", named());
  const std::string environment = create("/project/" + project + "/environment", named());
  create("/project/" + project + "/environment", named());
  const std::string container = create("/environment/" + environment + "/container", service(registry_1, labels));
  create("/environment/" + environment + "/container", service(registry_1, labels));
  using Numbers = std::vector<std::int64_t>;
  EXPECT_EQ(list(all + "/project", "associated_environments_count"), (Numbers{2}));
  EXPECT_EQ(list(all + "/containerRegistry", "associated_services_count"), (Numbers{2, 0}));
  EXPECT_EQ(list(all + "/labelsGroups", "associated_items_count"), (Numbers{2}));
  EXPECT_EQ(ask("PUT", "/container/" + container, service(registry_2, labels)).status, 200);
  EXPECT_EQ(list(all + "/containerRegistry", "associated_services_count"), (Numbers{1, 1}));
  EXPECT_EQ(ask("DELETE", "/environment/" + environment).status, 204);
  while (engine_->tick().value().value_or(Instant{INT64_MAX}) <= engine_->now()) {}
  EXPECT_EQ(list(all + "/project", "associated_environments_count"), (Numbers{1}));
  EXPECT_EQ(list(all + "/containerRegistry", "associated_services_count"), (Numbers{0, 0}));
  EXPECT_EQ(list(all + "/labelsGroups", "associated_items_count"), (Numbers{0}));
  EXPECT_EQ(kept_differ_from_counted(*store_), "");
}

// A large tree that is being deleted is not counted in answers; afterwards the stored counts are correct.
TEST_P(Counts, ATreeThatIsBeingDeletedIsNotCounted) {
  const std::string all = "/organization/" + organization_;
  const std::string used = below_organization("containerRegistry", registry());
  const std::string labels = below_organization("labelsGroups", group());
  const std::string project = below_organization("project", named());
  const std::string environment = create("/project/" + project + "/environment", named());
  create("/environment/" + environment + "/container", service(used, labels));
  const std::string large = create("/project/" + project + "/environment", named());
  for (int at = 0; at < 1200; ++at) create("/environment/" + large + "/container", service(used, labels));
  EXPECT_EQ(list(all + "/containerRegistry", "associated_services_count"), std::vector<std::int64_t>{1201});
  ask("DELETE", "/environment/" + large);
  for (bool is_over = false; !is_over;) {
    EXPECT_EQ(list(all + "/containerRegistry", "associated_services_count"), std::vector<std::int64_t>{1});
    EXPECT_EQ(list(all + "/labelsGroups", "associated_items_count"), std::vector<std::int64_t>{1});
    EXPECT_EQ(list(all + "/project", "associated_environments_count"), std::vector<std::int64_t>{1});
    const auto next = engine_->tick().value();
    is_over = !next || *next > engine_->now();
  }
  EXPECT_EQ(kept_differ_from_counted(*store_), "");
}

// Random creations, edits and deletions; after each the stored counts equal those of the records.
TEST_P(Counts, KeptAndCountedAgreeAfterEveryChange) {
  std::mt19937_64 random(20260101);
  const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
  std::vector<std::string> registries = {below_organization("containerRegistry", registry()),
                                         below_organization("containerRegistry", registry())};
  std::vector<std::string> groups = {below_organization("labelsGroups", group()),
                                     below_organization("labelsGroups", group())};
  std::vector<std::string> projects = {below_organization("project", named())};
  std::vector<std::string> environments = {create("/project/" + projects[0] + "/environment", named())};
  std::vector<std::string> containers;
  const auto any = [&](const std::vector<std::string>& of) { return of[below(of.size())]; };
  for (int round = 0; round < 250; ++round) {
    switch (below(8)) {
      case 0: projects.push_back(below_organization("project", named())); break;
      case 1: environments.push_back(create("/project/" + projects.back() + "/environment", named())); break;
      case 2:
      case 3:
      case 4:
        containers.push_back(
            create("/environment/" + environments.back() + "/container", service(any(registries), any(groups))));
        break;
      case 5:
        if (!containers.empty()) ask("PUT", "/container/" + any(containers), service(any(registries), any(groups)));
        break;
      case 6:
        if (!containers.empty()) ask("DELETE", "/container/" + any(containers));
        break;
      default:
        if (projects.size() > 1 && below(3) == 0) {
          ask("DELETE", "/project/" + projects.front());
          projects.erase(projects.begin());
          environments = {create("/project/" + projects.back() + "/environment", named())};
          containers.clear();
        } else {
          ask("POST", "/environment/" + environments.back() + "/clone", named());
        }
    }
    while (engine_->tick().value().value_or(Instant{INT64_MAX}) <= engine_->now()) {}
    ASSERT_EQ(kept_differ_from_counted(*store_), "") << "round " << round;
  }
}

}  // namespace
}  // namespace orlop
