// Durable creates in PostgreSQL from one process, beside raw libpq that writes the same rows: each create of it is one pipeline, with its COMMIT, in one round trip.
// The server is started for the run, with its default durability.
#include <libpq-fe.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "orlop/host.hpp"
#include "orlop/orlop.hpp"
#include "orlop/postgresql.h"
#include "paired.h"

namespace {

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::exit(1);
}

class Server {
 public:
  Server() {
    if (std::system("python3 -B " ORLOP_BENCH_SERVER " start postgresql-bench.txt --durable") != 0) fail("no server");
    std::ifstream file("postgresql-bench.txt");
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("direct=")) connection = line.substr(7);
    }
  }
  ~Server() { (void)!std::system("python3 -B " ORLOP_BENCH_SERVER " stop postgresql-bench.txt"); }
  std::string connection;
};

orlop_store open_store(const std::string& connection, const char* schema) {
  orlop_postgresql_options options = ORLOP_POSTGRESQL_OPTIONS_INIT;
  options.connection = {connection.data(), connection.size()};
  options.schema = {schema, std::strlen(schema)};
  orlop_store store{};
  if (orlop_error* error = orlop_postgresql_open(&store, &options)) fail(orlop_error_message(error));
  return store;
}

std::string repository(std::uint64_t number) {
  return R"({"name":"repository-)" + std::to_string(number) +
         R"(","kind":"OCI_GENERIC_CR","description":"Charts of the shop: api, web, worker, mailer, search and the nightly reports, mirrored from the upstream registry",)"
         R"("url":"oci://registry.example.com/charts","skip_tls_verification":false,"config":{"username":"deployer","password":"s3cret"}})";
}

class Ours {
 public:
  explicit Ours(const orlop_store& store) : store_(store), engine_(orlop::Engine::attach(open(store_))) {
    const std::string made = request("/organization", R"({"name":"acme","plan":"FREE"})");
    collection_ = "/organization/" + made.substr(made.find("\"id\":\"") + 6, 36) + "/helmRepository";
    sample = request(collection_, repository(1'000'000'000));
  }
  void create(std::uint64_t count) {
    for (std::uint64_t index = 0; index < count; ++index) request(collection_, repository(made_++));
  }
  void create_by(std::uint64_t writers, std::uint64_t each) {
    std::vector<std::thread> threads;
    for (std::uint64_t writer = 0; writer < writers; ++writer) {
      threads.emplace_back([this, each, first = made_ + writer * each] {
        for (std::uint64_t index = 0; index < each; ++index) request(collection_, repository(first + index));
      });
    }
    made_ += writers * each;
    for (std::thread& thread : threads) thread.join();
  }
  std::string sample;

 private:
  static orlop_engine* open(const orlop_store& store) {
    orlop_options options = ORLOP_OPTIONS_INIT;
    options.store = &store;
    orlop_engine* engine = nullptr;
    if (orlop_error* error = orlop_open(&engine, &options)) fail(orlop_error_message(error));
    return engine;
  }
  std::string request(const std::string& path, const std::string& body) {
    const orlop::Reply reply = engine_.dispatch({.method = "POST", .path = path, .body = body});
    if (reply.status() != 201) fail(std::string(reply.body()));
    return std::string(reply.body());
  }

  orlop_store store_;
  orlop::Engine engine_;
  std::string collection_;
  std::uint64_t made_ = 0;
};

// The same rows in the tables of another schema.
class Raw {
 public:
  Raw(const std::string& connection, std::string body) : link_(PQconnectdb(connection.c_str())), body_(std::move(body)) {
    prepare("begin", "BEGIN");
    prepare("record", "INSERT INTO bare.record (id, family, parent, organization, revision, secrets, body, name_key) "
                      "VALUES (('00000000-0000-0000-0000-' || lpad(to_hex($1::int8), 12, '0'))::uuid, 7, $2::uuid, $2::uuid, 1, $3::bytea, $4::bytea, $5::bytea)");
    prepare("count", "INSERT INTO bare.child_count AS c VALUES ($1::uuid, 7, 1) ON CONFLICT (parent, family) DO UPDATE SET count = c.count + 1");
    prepare("event", "INSERT INTO bare.event (sequence, at, kind, family, from_state, to_state, subject, owner, organization, revision, author, detail, id_count) "
                     "VALUES ($1::int8, 1767225600000, 1, 7, 0, 0, $2::uuid, $2::uuid, $2::uuid, 1, 'host', $3::bytea, 5)");
    prepare("commit", "COMMIT");
    if (PQenterPipelineMode(link_) != 1) fail("no pipeline");
  }
  ~Raw() { PQfinish(link_); }
  void create(std::uint64_t count) {
    for (std::uint64_t index = 0; index < count; ++index) create_one();
  }

 private:
  static constexpr const char* parent = "0198c0de-0000-7000-8000-000000000001";
  void prepare(const char* name, const char* text) {
    PGresult* result = PQprepare(link_, name, text, 0, nullptr);
    if (PQresultStatus(result) != PGRES_COMMAND_OK) fail(PQresultErrorMessage(result));
    PQclear(result);
  }
  void send(const char* name, std::vector<std::string> values) {
    std::vector<const char*> starts;
    for (const std::string& value : values) starts.push_back(value.c_str());
    if (PQsendQueryPrepared(link_, name, static_cast<int>(starts.size()), starts.data(), nullptr, nullptr, 0) != 1) fail(PQerrorMessage(link_));
  }
  void create_one() {
    const std::string number = std::to_string(++made_);
    send("begin", {});
    send("record", {number, parent, R"({"password":"s3cret"})", body_, "helm_repository/" + number});
    send("count", {parent});
    send("event", {number, parent, R"({"name":"repository"})"});
    send("commit", {});
    PQpipelineSync(link_);
    for (int results = 0; results < 5; ++results) {
      PGresult* result = PQgetResult(link_);
      if (PQresultStatus(result) != PGRES_COMMAND_OK) fail(PQresultErrorMessage(result));
      PQclear(result);
      PQgetResult(link_);
    }
    PQclear(PQgetResult(link_));
  }

  PGconn* link_;
  std::string body_;
  std::uint64_t made_ = 0;
};

}  // namespace

int main() {
  const Server server;
  const orlop_store bare_schema = open_store(server.connection, "bare");
  {
    Ours ours(open_store(server.connection, "ours"));
    Raw raw(server.connection, ours.sample);
    constexpr std::uint64_t count = 200;
    std::vector<bench::Figure> figures;
    figures.push_back(bench::measure("create", "0.60", {[&] { ours.create(count); }, [&] { raw.create(count); }, {}, count}, 9));
    figures.push_back(bench::measure("create: 16 writers (bare: one of ours)", "", {[&] { ours.create_by(16, 25); }, [&] { ours.create(400); }, {}, 400}, 5));
    bench::print("PostgreSQL: durable creates beside raw libpq", figures);
  }
  bare_schema.release(bare_schema.context);
}
