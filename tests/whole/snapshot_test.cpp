// A snapshot of a platform in the middle of its work, restored: both continue identically.
#include "snapshot/snapshot.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "deploy/driver/scripted_driver.h"
#include "model/registry.h"
#include "platform.h"
#include "scripted_steps.h"
#include "sim/simulator.h"
#include "store/open.h"
#include "store/sealing/cipher.h"
#include "unit/scratch.h"
#include "whole/times.h"

namespace orlop {
namespace {

// A simulation in which steps take time and sometimes fail.
class Simulation {
 public:
  explicit Simulation(std::uint64_t seed, std::string_view snapshot = {},
                      const std::string& storage = "memory:", const std::string& key = "")
      : driver_(rules()) {
    SimulationOptions options;
    options.engine.settings.require_cluster = false;
    options.engine.storage = storage;
    options.engine.snapshot = snapshot;
    options.engine.keys.current = key;
    options.engine.driver = &driver_;
    options.seed = seed;
    options.start = new_year;
    auto opened = Simulator::open(std::move(options));
    EXPECT_TRUE(opened) << opened.error().message;
    simulator_ = std::move(*opened);
  }
  Engine& engine() { return simulator_->engine(); }
  Simulator* operator->() { return simulator_.get(); }

 private:
  static std::vector<StepRule> rules() {
    StepRule slow;
    slow.duration = seconds(30);
    slow.jitter = seconds(20);
    StepRule failing;
    failing.family = find_family("helm")->number;
    failing.outcome = ScriptOutcome::fail;
    failing.reason = "no such chart";
    failing.duration = seconds(12);
    return {slow, failing};
  }

  ScriptedSteps driver_;
  std::unique_ptr<Simulator> simulator_;
};

// Creates random services besides one record of every family, and begins a deployment.
void begin(Simulation& simulation, Platform& platform, std::mt19937_64& random) {
  platform.make_all();
  for (std::uint64_t count = random() % 12; count > 0; --count) {
    constexpr std::array kinds = {"container", "application", "database", "job", "helm", "terraform", "argocd_app"};
    platform.make_another(*find_family(kinds[random() % kinds.size()]));
  }
  const std::string environment = "/environment/" + platform.id_of("environment");
  platform.ask("POST",
               "/organization/" + platform.id_of("organization") + "/cluster/" + platform.id_of("cluster") + "/deploy");
  platform.ask("POST", environment + "/deploy");
  ASSERT_TRUE(simulation->advance(seconds(static_cast<std::int64_t>(random() % 120))));
  if (random() % 2 == 0) platform.ask("POST", environment + "/cancelDeployment");
  if (random() % 2 == 0) platform.ask("POST", environment + "/stop");
  ASSERT_TRUE(simulation->advance(seconds(static_cast<std::int64_t>(random() % 20))));
}

// Removes the lines that differ by secrets that were left out: the password of a database, the snapshot's count of
// them.
std::string but_for_secrets(const std::string& text) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool has_secrets = line.find("masterCredentials") != std::string::npos ||
                             line.find("/diff 200") != std::string::npos ||
                             line.find("\"secrets_left_out\"") != std::string::npos;
    if (!has_secrets) out.append(line).append("\n");
  }
  return out;
}

// Runs to the end, creates another container and deploys it; returns everything visible.
std::string finish(Simulation& simulation, Platform& platform) {
  EXPECT_TRUE(simulation->run_until_idle());
  std::string seen = platform.seen();
  seen += platform.make_another(*find_family("container"));
  platform.ask("POST", "/environment/" + platform.id_of("environment") + "/deploy");
  EXPECT_TRUE(simulation->run_until_idle());
  return seen + platform.seen() + *simulation.engine().snapshot();
}

// `shown`: returns the part of a text that must be the same.
void expect_same_course(const std::string& key, std::string (*shown)(const std::string& text)) {
  int in_the_midst = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    Simulation original(seed, {}, "memory:", key);
    Platform platform(original.engine());
    ASSERT_NO_FATAL_FAILURE(begin(original, platform, random));
    const std::string snapshot = *original.engine().snapshot();
    in_the_midst += snapshot.find("\"step\":") != std::string::npos;

    Simulation restored(seed, snapshot, "memory:", key);
    Platform copy(restored.engine(), platform);
    ASSERT_EQ(restored.engine().now(), original.engine().now());
    ASSERT_EQ(shown(*restored.engine().snapshot()), shown(snapshot));
    ASSERT_EQ(shown(copy.seen()), shown(platform.seen()));
    ASSERT_EQ(shown(finish(restored, copy)), shown(finish(original, platform)));
  }
  EXPECT_GT(in_the_midst, 4);
}

TEST(Snapshot, TheRestoredEngineGoesOnAsTheOther) {
  expect_same_course(std::string(Cipher::key_size, 'k'), [](const std::string& text) { return text; });
}

TEST(Snapshot, WithoutAKeyItGoesOnWithoutSecrets) { expect_same_course("", but_for_secrets); }

TEST(Snapshot, OfASealedStoreIsRestoredWithItsKeyOnly) {
  const std::string key(Cipher::key_size, 'k');
  Simulation original(4, {}, "memory:", key);
  Platform platform(original.engine());
  platform.make_all();
  const std::string snapshot = *original.engine().snapshot();
  EXPECT_NE(snapshot.find("\"secrets_left_out\":0}"), std::string::npos);
  for (const std::string& wrong : {std::string(), std::string(Cipher::key_size, 'x')}) {
    SimulationOptions options;
    options.engine.settings.require_cluster = false;
    options.engine.snapshot = snapshot;
    options.engine.keys.current = wrong;
    const auto opened = Simulator::open(std::move(options));
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::storage_sealed);
  }
  SimulationOptions options;
  options.engine.settings.require_cluster = false;
  options.engine.snapshot = snapshot;
  options.engine.keys = {std::string(Cipher::key_size, 'n'), {key}};
  EXPECT_TRUE(Simulator::open(std::move(options)));
}

class SnapshotFile : public testing::Test {
 protected:
  std::string fresh(const std::string& name) { return tests::scratch_file("snapshot_" + name + ".db"); }
  // Reports whether a column holds the number of an id: two files number their ids in different orders.
  static bool names_an_id(const std::string& column) {
    constexpr std::array columns = {"number", "parent",  "organization", "target", "source",
                                    "owner",  "request", "stage",        "subject"};
    return std::ranges::find(columns, column) != columns.end();
  }
  static std::string id_behind(SQLite::Database& file, const std::string& number) {
    if (number.empty() || number == "0") return number;
    return file.execAndGet("SELECT hex(id) FROM identity WHERE number = " + number).getString();
  }
  // Returns every row of a table, in order, without plain secrets.
  std::string rows(const std::string& path, const std::string& table, const std::string& order) {
    SQLite::Database file(path);
    SQLite::Statement statement(file, "SELECT * FROM " + table + " ORDER BY " + order);
    std::string all;
    while (statement.executeStep()) {
      for (int column = 0; column < statement.getColumnCount(); ++column) {
        const std::string name = statement.getColumnName(column);
        if (name == "secrets") continue;
        std::string text = statement.getColumn(column).getString();
        if (names_an_id(name) && table != "family") text = id_behind(file, text);
        all.append(name).append("=").append(text).append(" ");
      }
      all.append("\n");
    }
    return all;
  }
};

TEST_F(SnapshotFile, HoldsEveryRowOfEveryTable) {
  const std::string from = fresh("from");
  const std::string to = fresh("to");
  std::mt19937_64 random(5);
  Simulation original(5, {}, from);
  Platform platform(original.engine());
  ASSERT_NO_FATAL_FAILURE(begin(original, platform, random));
  const std::string snapshot = *original.engine().snapshot();
  Simulation restored(5, snapshot, to);
#define ID_OF(number) "(SELECT id FROM identity AS i WHERE i.number = " number ")"
  const std::array<std::pair<const char*, const char*>, 6> tables = {
      {{"record", ID_OF("record.number")},
       {"child", ID_OF("child.number")},
       {"reference", ID_OF("target") ", " ID_OF("source")},
       {"machine", ID_OF("machine.number")},
       {"event", "sequence"},
       {"family", "number"}}};
#undef ID_OF
  for (const auto& [table, order] : tables) {
    const std::string expected = rows(from, table, order);
    EXPECT_FALSE(expected.empty()) << table;
    EXPECT_EQ(rows(to, table, order), expected) << table;
  }
}

TEST_F(SnapshotFile, IsRestoredIntoAnEmptyStoreOnly) {
  const std::string path = fresh("full");
  std::string snapshot;
  {
    Simulation first(1, {}, path);
    Platform(first.engine()).id_of("organization");
    snapshot = *first.engine().snapshot();
  }
  SimulationOptions options;
  options.engine.settings.require_cluster = false;
  options.engine.storage = path;
  options.engine.snapshot = snapshot;
  const auto opened = Simulator::open(std::move(options));
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::conflict);
}

// Returns the error of restoring the snapshot into a store in memory; "" if it succeeds. The store is empty after an
// error.
std::string refusal_of(const std::string& snapshot) {
  const auto store = open_memory_store();
  const auto restored = restore_snapshot(*store, snapshot);
  if (restored) return "";
  EXPECT_EQ(restored.error().code, ErrorCode::invalid) << restored.error().message;
  const auto begun = store->begin(Access::read);
  const auto& reading = *begun;
  EXPECT_EQ(reading->feed_end()->sequence, 0U);
  EXPECT_TRUE(reading->records({}, [](const Record&) { return ADD_FAILURE() << "the store holds a record", false; }));
  return restored.error().message;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(Snapshot, WhatIsWrongWithItIsSaid) {
  Simulation simulation(3);
  Platform platform(simulation.engine());
  platform.make_all();
  platform.ask("POST", "/environment/" + platform.id_of("environment") + "/deploy");
  const std::string good = *simulation.engine().snapshot();
  ASSERT_EQ(refusal_of(good), "");
  const std::string last_line = good.substr(good.rfind('\n', good.size() - 2) + 1);
  const std::string second_line =
      good.substr(good.find('\n') + 1, good.find('\n', good.find('\n') + 1) - good.find('\n'));
  const std::string organization = "\"id\":\"" + platform.id_of("organization") + "\"";
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"garbage", "not a snapshot"},
      {"{}", "not a snapshot"},
      {"\n" + good, "not a snapshot"},
      {replaced(good, "\"orlop_snapshot\":2", "\"orlop_snapshot\":3"), "version 2"},
      {replaced(good, "\"orlop_snapshot\":2", "\"orlop_snapshot\":\"2\""), "version 2"},
      {good.substr(0, good.size() - last_line.size()), "its header promises"},
      {good.substr(0, good.size() - 9), "not a JSON object"},
      {good.substr(0, good.find('\n')), "its header promises"},
      {good + last_line, "event.sequence must be"},
      {good + "\n", "not a JSON object"},
      {good + "{\"cat\":{}}\n", "not \"cat\""},
      {replaced(good, "{\"record\":{", "{\"record\":[{"), "not a JSON object"},
      {replaced(good, organization, "\"id\":\"1\""), "record.id must be a UUID"},
      {replaced(good, organization, "\"id\":7"), "record.id must be a UUID"},
      {replaced(good, organization + ",", ""), "record.id must be there"},
      {replaced(good, "\"family\":\"organization\"", "\"family\":\"firm\""), "record.family must be"},
      {replaced(good, "\"family\":\"organization\"", "\"family\":70000"), "record.family must be"},
      {replaced(good, "\"revision\":1", "\"revision\":-1"), "record.revision must be"},
      {replaced(good, "\"revision\":1", "\"revision\":1.5"), "record.revision must be"},
      {replaced(good, "\"revision\":1", "\"revision\":1,\"color\":2"), "\"color\" is not a member"},
      {replaced(good, "\"revision\":1", "\"revision\":1,\"secrets\":\"{}\""), "record.secrets must be sealed"},
      {replaced(good, "\"body\":{", "\"body\":{\"name\":1,\"name\":2,"), "not a JSON object"},
      {replaced(good, second_line, second_line + second_line), "was there before"},
      {replaced(good, second_line, ""), "record.parent must be"},
      {replaced(good, "\"state\":", "\"state\":30,\"attempt\":"), "machine."},
      {replaced(good, "\"active\":true", "\"active\":1"), "machine.active must be"},
      {replaced(good, "{\"machine\":{\"id\":\"",
                "{\"machine\":{\"id\":\"0198c0de-0000-7000-8000-000000000001\",\"step\":\""),
       "machine."},
      {replaced(good, "\"at\":\"20", "\"at\":\"x20"), "event.at must be"},
  };
  for (const auto& [text, reason] : wrong) {
    const std::string message = refusal_of(text);
    EXPECT_NE(message.find(reason), std::string::npos) << "wanted: " << reason << "\ngot: " << message;
  }
}

TEST(Snapshot, LeavesPlainSecretsOutAndSaysSo) {
  Simulation simulation(3);
  Platform platform(simulation.engine());
  platform.make_all();
  const std::string snapshot = *simulation.engine().snapshot();
  EXPECT_EQ(snapshot.find("\"secrets\":"), std::string::npos);
  EXPECT_EQ(snapshot.find("\"secrets_left_out\":0}"), std::string::npos);
}

}  // namespace
}  // namespace orlop
