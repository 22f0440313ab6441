#include "postgresql_sides.h"

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>
#include <vector>

#include "orlop/postgresql.h"

namespace bench {
namespace {

orlop_engine* open_engine(const orlop_store& store) {
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.store = &store;
  orlop_engine* engine = nullptr;
  if (orlop_error* error = orlop_open(&engine, &options)) fail(orlop_error_message(error));
  return engine;
}

std::string repository(std::uint64_t number) {
  return R"({"name":"repository-)" + std::to_string(number) +
         R"(","kind":"OCI_GENERIC_CR","description":"Charts of the shop: api, web, worker, mailer, search and the )"
         R"(nightly reports, mirrored from the upstream registry",)"
         R"("url":"oci://registry.example.com/charts","skip_tls_verification":false,"config":{"username":)"
         R"("deployer","password":"s3cret"}})";
}

}  // namespace

void fail(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::exit(1);
}

orlop_store open_store(const std::string& connection, const std::string& schema) {
  orlop_postgresql_options options = ORLOP_POSTGRESQL_OPTIONS_INIT;
  options.connection = {connection.data(), connection.size()};
  options.schema = {schema.data(), schema.size()};
  orlop_store store{};
  if (orlop_error* error = orlop_postgresql_open(&store, &options)) fail(orlop_error_message(error));
  return store;
}

OurCreates::OurCreates(const orlop_store& store, const std::string& name)
    : store_(store), engine_(orlop::Engine::attach(open_engine(store_))) {
  const std::string made = request("/organization", R"({"name":")" + name + R"(","plan":"FREE"})");
  collection_ = "/organization/" + made.substr(made.find("\"id\":\"") + 6, 36) + "/helmRepository";
  sample_ = request(collection_, repository(1'000'000'000));
}

void OurCreates::create(std::uint64_t count) {
  for (std::uint64_t index = 0; index < count; ++index) request(collection_, repository(made_++));
}

void OurCreates::create_by(std::uint64_t writers, std::uint64_t each) {
  std::vector<std::thread> threads;
  for (std::uint64_t writer = 0; writer < writers; ++writer) {
    threads.emplace_back([this, each, first = made_ + writer * each] {
      for (std::uint64_t index = 0; index < each; ++index) request(collection_, repository(first + index));
    });
  }
  made_ += writers * each;
  for (std::thread& thread : threads) thread.join();
}

std::string OurCreates::request(const std::string& path, const std::string& body) {
  const orlop::Reply reply = engine_.dispatch({.method = "POST", .path = path, .body = body});
  if (reply.status() != 201) fail(std::string(reply.body()));
  return std::string(reply.body());
}

RawCreates::RawCreates(const std::string& connection, const std::string& schema, std::string body, unsigned writer)
    : link_(PQconnectdb(connection.c_str())), body_(std::move(body)), made_(std::uint64_t{writer} << 40) {
  char parent[37];
  std::snprintf(parent, sizeof parent, "0198c0de-0000-7000-8000-0000000000%02x", writer & 0xff);
  parent_ = parent;
  prepare("begin", "BEGIN");
  prepare("record", "INSERT INTO " + schema +
                        ".record (id, family, parent, organization, revision, secrets, body, name_key) "
                        "VALUES ($1::uuid, 7, $2::uuid, $2::uuid, 1, $3::bytea, $4::bytea, $5::bytea)");
  prepare(
      "count",
      "INSERT INTO " + schema +
          ".child_count AS c VALUES ($1::uuid, 7, 1) ON CONFLICT (parent, family) DO UPDATE SET count = c.count + 1");
  prepare("event", "INSERT INTO " + schema +
                       ".event_block VALUES ($1::int8, 1, 0, 1767225600000, 0, 1767225600000, 5, 1, 0, 1, ARRAY[$2, "
                       "$3, $2]::uuid[], $4::bytea)");
  prepare("keys", "INSERT INTO " + schema + ".event_key VALUES ($2::uuid, 1, $1::int8), ($3::uuid, 3, $1)");
  prepare("commit", "COMMIT");
  if (PQenterPipelineMode(link_) != 1) fail("no pipeline");
}

void RawCreates::create(std::uint64_t count) {
  for (std::uint64_t index = 0; index < count; ++index) create_one();
}

void RawCreates::prepare(const std::string& name, const std::string& text) {
  PGresult* result = PQprepare(link_, name.c_str(), text.c_str(), 0, nullptr);
  if (PQresultStatus(result) != PGRES_COMMAND_OK) fail(PQresultErrorMessage(result));
  PQclear(result);
}

void RawCreates::send(const char* name, const std::vector<std::string>& values) {
  std::vector<const char*> starts;
  for (const std::string& value : values) starts.push_back(value.c_str());
  if (PQsendQueryPrepared(link_, name, static_cast<int>(starts.size()), starts.data(), nullptr, nullptr, 0) != 1)
    fail(PQerrorMessage(link_));
}

void RawCreates::create_one() {
  const std::string number = std::to_string(++made_);
  char id[37];
  std::snprintf(id, sizeof id, "00000000-0000-0000-0000-%012llx", static_cast<unsigned long long>(made_));
  const std::string event = std::string(41, '.') + "host" + R"({"name":"repository"})";
  send("begin", {});
  send("record", {id, parent_, R"({"password":"s3cret"})", body_, "helm_repository/" + number});
  send("count", {parent_});
  send("event", {number, parent_, id, event});
  send("keys", {number, parent_, id});
  send("commit", {});
  PQpipelineSync(link_);
  for (int results = 0; results < 6; ++results) {
    PGresult* result = PQgetResult(link_);
    if (PQresultStatus(result) != PGRES_COMMAND_OK) fail(PQresultErrorMessage(result));
    PQclear(result);
    PQgetResult(link_);
  }
  PQclear(PQgetResult(link_));
}

}  // namespace bench
