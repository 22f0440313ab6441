// The events that the feed of a simulation keeps. The course of the simulation does not depend on it.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "unit/scratch.h"
#include "unit/sim/simulation.h"

namespace orlop {
namespace {

using tests::Simulation;

// Deploys, fails, deploys again, removes; returns the snapshot's rows, without the events.
std::string rows_after(const std::string& record, std::string& events) {
  Simulation simulation;
  EXPECT_EQ(simulation.ask("POST", "/-/sim/record", R"({"record":")" + record + "\"}").status, 204);
  simulation.furnish();
  EXPECT_EQ(
      simulation
          .ask("POST", "/-/sim/rules",
               R"({"step":"deploy","after":{"distribution":"lognormal","median":"30s","sigma":0.4},"log":[{"text":)"
               R"("pulling"}],"running":"RUNNING"})")
          .status,
      204);
  EXPECT_EQ(
      simulation
          .ask("POST", "/-/sim/rules", R"({"step":"deploy","name":"stock","attempt":1,"fails":"no disk","times":1})")
          .status,
      204);
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(simulation.ask("POST", "/environment/" + simulation.environment + "/deploy").status, 202);
    EXPECT_TRUE(simulation->run_until_idle().ok());
  }
  EXPECT_LT(simulation.ask("DELETE", "/database/" + simulation.databases[0]).status, 300);
  EXPECT_TRUE(simulation->run_until_idle().ok());
  events = simulation.events();
  return simulation.ask("GET", "/database/" + simulation.databases[1]).body +
         simulation.ask("GET", "/database/" + simulation.databases[1] + "/status").body;
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Recorded, TheSimulationDoesTheSameWhateverIsKept) {
  std::string all, states, none;
  const std::string rows = rows_after("all", all);
  const auto without_ids = [](std::string text) {  // ids depend on the number of events
    for (std::size_t at = text.find("\"id\":\""); at != std::string::npos; at = text.find("\"id\":\"", at + 1))
      text.replace(at + 6, 36, 36, 'x');
    return text;
  };
  EXPECT_TRUE(holds(without_ids(rows), "DEPLOYED"));
  EXPECT_TRUE(holds(rows_after("states", states), "\"DEPLOYED\""));
  EXPECT_TRUE(holds(rows_after("none", none), "\"DEPLOYED\""));
  EXPECT_TRUE(holds(all, "step.log") && holds(all, "step.started") && holds(all, "running_changed"));
  EXPECT_TRUE(holds(states, "service.deployed") && holds(states, "service.deployment_error") &&
              holds(states, "deployment.ended") && holds(states, "database.created"));
  EXPECT_FALSE(holds(states, "step.") || holds(states, "running_changed") || holds(states, "freshness_changed"));
  EXPECT_EQ(none, "[]");
}

TEST(Recorded, SavedStatesAndSnapshotsKeepIt) {
  for (const std::string record : {"states", "none"}) {
    Simulation simulation;
    ASSERT_EQ(simulation.ask("POST", "/-/sim/record", R"({"record":")" + record + "\"}").status, 204);
    simulation.furnish();
    const std::string answer = "{\"record\":\"" + record + "\"}";
    const auto saved = simulation->save();
    ASSERT_TRUE(saved.ok()) << saved.error().message;
    const std::string before = simulation->snapshot().value();
    ASSERT_EQ(simulation.ask("POST", "/-/sim/record", R"({"record":"all"})").status, 204);
    ASSERT_EQ(simulation.ask("POST", "/environment/" + simulation.environment + "/deploy").status, 202);
    ASSERT_TRUE(simulation->run_until_idle().ok());
    ASSERT_TRUE(simulation->go_back(*saved).ok());
    EXPECT_EQ(simulation.ask("GET", "/-/sim/record").body, answer);
    EXPECT_EQ(simulation->snapshot().value(), before);
    Simulation other(before);
    EXPECT_EQ(other.ask("GET", "/-/sim/record").body, answer);
    for (Simulation* each : {&simulation, &other}) {
      const Reply deployed = each->ask("POST", "/environment/" + simulation.environment + "/deploy");
      ASSERT_EQ(deployed.status, 202) << record << (each == &simulation ? " in place: " : " opened: ") << deployed.body;
      ASSERT_TRUE((*each)->run_until_idle().ok());
      EXPECT_EQ(each->state(simulation.databases[0]), "DEPLOYED");
    }
    EXPECT_EQ(simulation.events(), other.events());
    const auto make = [&](Simulation& of) {
      return of.make("/environment/" + simulation.environment + "/database",
                     R"({"type":"POSTGRESQL","version":"16","mode":"CONTAINER","name":"late"})");
    };
    const std::string late = make(simulation);
    EXPECT_EQ(make(other), late) << "ids go on where they were";
    Simulation loaded;
    ASSERT_EQ(loaded.ask("PUT", "/-/sim/snapshot", before).status, 204);
    ASSERT_EQ(loaded.ask("POST", "/environment/" + simulation.environment + "/deploy").status, 202);
    ASSERT_TRUE(loaded->run_until_idle().ok());
    EXPECT_EQ(make(loaded), late);
  }
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// A file counts ids by its feed: records that are created after it is opened again have new ids.
TEST(Recorded, AFileKeepsWhatItCountsIdsBy) {
  std::size_t events_of_all = 0;
  for (const std::string record : {"all", "states", "none"}) {
    const std::string file = tests::scratch_file("recorded_" + record + ".db");
    std::string environment, last, events;
    {
      Simulation simulation({}, Authentication::off, file);
      ASSERT_EQ(simulation.ask("POST", "/-/sim/record", R"({"record":")" + record + "\"}").status, 204);
      environment = simulation.furnish();
      ASSERT_EQ(
          simulation
              .ask("POST", "/-/sim/rules",
                   R"({"step":"deploy","after":"30s","log":[{"text":"pulling"},{"after":"5s","text":"starting"}],)"
                   R"("running":"RUNNING"})")
              .status,
          204);
      ASSERT_EQ(simulation.ask("POST", "/environment/" + environment + "/deploy").status, 202);
      ASSERT_TRUE(simulation->run_until_idle().ok());
      EXPECT_EQ(simulation.state(simulation.databases[1]), "DEPLOYED");
      events = simulation.events();
    }
    const std::size_t count = count_of(events, "\"sequence\"");
    if (record == "all") {
      events_of_all = count;
    } else {
      EXPECT_LT(count, events_of_all) << record;
    }
    if (record != "none") {
      EXPECT_EQ(holds(events, "step.log"), record == "all") << events;
    } else {
      EXPECT_LT(count, events_of_all / 2) << events;
    }
    Simulation again({}, Authentication::off, file);
    ASSERT_EQ(again.ask("POST", "/-/sim/record", R"({"record":")" + record + "\"}").status, 204);
    std::vector<std::string> made;
    for (const std::string name : {"a", "b", "c"}) {
      made.push_back(again.make("/environment/" + environment + "/database",
                                R"({"type":"POSTGRESQL","version":"16","mode":"CONTAINER","name":")" + name + "\"}"));
    }
    EXPECT_LT(made[0].substr(0, 8), made[1].substr(0, 8));
    ASSERT_EQ(again.ask("POST", "/environment/" + environment + "/deploy").status, 202);
    ASSERT_TRUE(again->run_until_idle().ok());
    for (const std::string& id : made) EXPECT_EQ(again.state(id), "DEPLOYED") << record;
    EXPECT_TRUE(again->engine().check(false).value().empty());
  }
}

// A snapshot without its events still prevents reuse of ids, also in a file that is opened again.
TEST(Recorded, AFileThatBeginsAsASnapshotGoesOnWithItsIds) {
  Simulation memory;
  ASSERT_EQ(memory.ask("POST", "/-/sim/record", R"({"record":"none"})").status, 204);
  memory.furnish();
  const std::string snapshot = memory->snapshot().value();
  const std::string file = tests::scratch_file("recorded_snapshot.db");
  const auto make = [&](Simulation& of, const std::string& name) {
    return of.make("/environment/" + memory.environment + "/database",
                   R"({"type":"POSTGRESQL","version":"16","mode":"CONTAINER","name":")" + name + "\"}");
  };
  const std::string in_memory = make(memory, "late");
  {
    Simulation first(snapshot, Authentication::off, file);
    EXPECT_EQ(first.ask("GET", "/-/sim/record").body, R"({"record":"none"})");
    EXPECT_EQ(make(first, "late"), in_memory);
  }
  Simulation second({}, Authentication::off, file);
  EXPECT_GT(make(second, "later"), in_memory);
  const std::vector<FoundFault> faults = second->engine().check(false).value();
  for (const FoundFault& fault : faults) EXPECT_EQ(fault.fault.find("lacks its secret password"), 0U) << fault.fault;
}

TEST(Recorded, BadInputIsRefused) {
  Simulation simulation;
  for (const std::string body :
       {"null", "{}", R"({"record":"some"})", R"({"record":null})", R"({"record":"all","x":1})", "[]"}) {
    EXPECT_EQ(simulation.ask("POST", "/-/sim/record", body).status, 400) << body;
  }
}

}  // namespace
}  // namespace orlop
