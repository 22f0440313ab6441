// A check finds damage in the tables of a server.
#include <libpq-fe.h>
#include <unistd.h>

#include <ostream>
#include <string>

#include "gtest/gtest.h"
#include "orlop/orlop.hpp"
#include "postgresql/server.h"

namespace orlop::contract {
namespace {

// Statement that plants the damage, with @ for the schema, and a part of the check's message.
struct Damage {
  const char* name;
  const char* statement;
  const char* said;
};

void PrintTo(const Damage& damage, std::ostream* out) { *out << damage.name; }

constexpr Damage damages[] = {
    {"parent_gone", "DELETE FROM @record WHERE family = 2", "lies below a resource that is gone"},
    {"organization_gone", "UPDATE @record SET organization = gen_random_uuid() WHERE family = 3",
     "an organization that is gone"},
    {"revision_0", "UPDATE @record SET revision = 0 WHERE family = 2", "has the revision 0"},
    {"no_json", "UPDATE @record SET body = '{' WHERE family = 2", "not a JSON object"},
    {"name_key_gone", "UPDATE @record SET name_key = NULL WHERE family = 2", "is not found by its name"},
    {"no_references", "DELETE FROM @reference WHERE source = (SELECT id FROM @record WHERE family = 3)", "refer"},
    {"reference_of_none", "INSERT INTO @reference VALUES (gen_random_uuid(), gen_random_uuid())",
     "is gone, and refers"},
    {"machine_gone", "DELETE FROM @machine WHERE id = (SELECT id FROM @record WHERE family = 3)", "has no state"},
    {"record_gone", "UPDATE @machine SET id = gen_random_uuid(), owner = gen_random_uuid(), active = false",
     "its record is gone"},
    {"first_events_gone", "DELETE FROM @event_block WHERE first = 1", "is gone, and is found by"},
    {"last_events_gone", "DELETE FROM @event_block WHERE first = (SELECT max(first) FROM @event_block)",
     "is gone, and is found by"},
    {"keys_gone", "DELETE FROM @event_key WHERE role = 3", "are not all found by the resource"},
    {"count_of_none", "INSERT INTO @child_count VALUES (gen_random_uuid(), 3, 2)", "is kept of records that are gone"},
    {"referrers_of_none", "INSERT INTO @reference_count VALUES (gen_random_uuid(), 3, 2)", "is kept of references"},
    {"lease_of_no_partition", "INSERT INTO @lease VALUES (64, NULL, 1)", "is of no partition"},
    {"wake_up_of_no_partition", "INSERT INTO @wake_up VALUES (64, gen_random_uuid())", "is of no partition"},
    {"wake_up_for_none", "INSERT INTO @wake_up VALUES (3, gen_random_uuid())", "was never there"},
    {"report_of_no_partition",
     "INSERT INTO @inbox (partition, step, at, kind, running) VALUES (64, gen_random_uuid(), 0, 7, 0)",
     "is of no partition"},
    {"report_of_no_kind",
     "INSERT INTO @inbox (partition, step, at, kind, running) VALUES (3, gen_random_uuid(), 0, 70, 0)",
     "of the kind 70"},
};

class PostgreSQLCheck : public testing::TestWithParam<Damage> {
 protected:
  static void SetUpTestSuite() { load_storage(ORLOP_TEST_LIBRARY); }
  void SetUp() override {
    schema_ = "check_" + std::string(GetParam().name) + "_" + std::to_string(::getpid());
    link_ = PQconnectdb((connection_to("direct") + " options='-c client_min_messages=warning'").c_str());
  }
  void TearDown() override {
    execute("DROP SCHEMA \"" + schema_ + "\" CASCADE");
    PQfinish(link_);
  }
  std::string url() const { return connection_to("tls") + "&schema=" + schema_; }
  void execute(std::string text) {
    const std::string prefix = "\"" + schema_ + "\".";
    for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@', at)) text.replace(at, 1, prefix);
    PGresult* const result = PQexec(link_, text.c_str());
    EXPECT_NE(PQresultStatus(result), PGRES_FATAL_ERROR) << PQresultErrorMessage(result);
    PQclear(result);
  }
  static std::string made(Engine& engine, const std::string& path, const std::string& body) {
    const Reply reply = engine.dispatch({.method = "POST", .path = path, .body = body});
    EXPECT_LT(reply.status(), 300) << reply.body();
    const std::string text(reply.body());
    return text.substr(text.find("\"id\":\"") + 6, 36);
  }
  // Creates an organization, a cluster, a project and an environment on the cluster.
  static void fill(Engine& engine) {
    const std::string organization =
        "/organization/" + made(engine, "/organization", R"({"name":"acme","plan":"FREE"})");
    const std::string cluster =
        made(engine, organization + "/cluster", R"({"name":"main","region":"eu-west-3","cloud_provider":"AWS"})");
    const std::string project = made(engine, organization + "/project", R"({"name":"shop"})");
    made(engine, "/project/" + project + "/environment", R"({"name":"production","cluster":")" + cluster + "\"}");
  }
  // Returns the faults that a check of the store reports.
  std::string checked() const {
    Engine engine({.storage = url()});
    auto faults = engine.try_check();
    return faults ? std::string(faults.value().text()) : faults.error().what();
  }

 private:
  std::string schema_;
  PGconn* link_ = nullptr;
};

TEST_P(PostgreSQLCheck, finds) {
  {
    Engine engine({.storage = url(), .require_cluster = false});
    fill(engine);
  }
  ASSERT_EQ(checked(), "[]");
  execute(GetParam().statement);
  EXPECT_NE(checked().find(GetParam().said), std::string::npos) << checked();
}

INSTANTIATE_TEST_SUITE_P(Damages, PostgreSQLCheck, testing::ValuesIn(damages),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace orlop::contract
