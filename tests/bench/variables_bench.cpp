// Variables: the list of a service that sees 300 of them over four scopes, an edit that affects 10,000 deployed
// services, the clone of an environment with 1,000 services and 20,000 variables, and the import of 10,000. A commit is
// measured from the beginning of its transaction to the end, while other writers wait.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <string>
#include <vector>

#include "model/registry.h"
#include "opened_platform.h"
#include "raw_sqlite.h"
#include "resolution/resolve.h"
#include "store/open.h"
#include "timed_store.h"

namespace {

using bench::OpenedPlatform;
using Clock = std::chrono::steady_clock;

// Returns the processor time of this program in milliseconds: on a busy machine it is more reliable than the clock.
double processor() { return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double microseconds(Clock::time_point since) {
  return std::chrono::duration<double, std::micro>(Clock::now() - since).count();
}

std::string body_of(const std::string& key, const std::string& value, const std::string& scope,
                    const std::string& parent) {
  return R"({"key":")" + key + R"(","value":")" + value + R"(","is_secret":false,"variable_scope":")" + scope +
         R"(","variable_parent_id":")" + parent + "\"}";
}

std::shared_ptr<orlop::Store> timed(const std::string& storage, bench::CommitTimes& times) {
  auto opened = orlop::open_store(storage, orlop::Durability::normal);
  if (!opened) bench::fail(opened.error().message);
  return std::make_shared<bench::TimedStore>(std::move(*opened), times);
}

class Stopwatch {
 public:
  explicit Stopwatch(bench::CommitTimes& times) : times_(times) { times_ = {}; }
  double elapsed() const { return microseconds(begun_) / 1000; }
  double used() const { return processor() - used_; }
  void print(const std::string& what, const char* store) const {
    std::printf("%-58s %-7s %7.1f ms (processor %7.1f), %3zu commits, longest %6.1f ms (processor %5.1f)\n",
                what.c_str(), store, elapsed(), used(), times_.commits, times_.longest, times_.longest_processor);
  }

 private:
  bench::CommitTimes& times_;
  Clock::time_point begun_ = Clock::now();
  double used_ = processor();
};

// The pure part alone: a third of the values hold a reference.
void resolution_of_300() {
  std::vector<std::string> keys;
  std::vector<std::string> values;
  for (int at = 0; at < 300; ++at) keys.push_back("KEY_" + std::to_string(at));
  for (int at = 0; at < 300; ++at)
    values.push_back(at % 3 == 0 ? "https://{{KEY_" + std::to_string(at + 1) + "}}/path" : "value of some length");
  std::vector<orlop::Variable> visible(300);
  for (std::size_t at = 0; at < visible.size(); ++at) {
    visible[at].scope = static_cast<orlop::VariableScope>(at % 4);
    visible[at].key = keys[at];
    visible[at].value = values[at];
  }
  double best = 1e9;
  for (int round = 0; round < 2000; ++round) {
    const auto begin = Clock::now();
    const auto resolved = orlop::resolve_variables(visible, "PLATFORM_");
    best = std::min(best, microseconds(begin));
    if (!resolved || resolved->variables.size() != visible.size()) bench::fail("the variables are not resolved");
  }
  std::printf("resolution of 300 variables over four scopes         %8.1f us\n", best);
}

// Returns the time in which SQLite lists the bodies of the same rows.
double raw_list(const std::string& file, const std::vector<std::string>& parents) {
  bench::RawSqlite raw(file, "NORMAL");
  std::vector<orlop::Id> ids;
  for (const std::string& parent : parents) ids.push_back(*orlop::parse_id(parent));
  double best = 1e9;
  for (int round = 0; round < 2000; ++round) {
    const auto begin = Clock::now();
    if (raw.list(ids, orlop::find_family("variable")->number) < 291 * 100) bench::fail("the variables are not there");
    best = std::min(best, microseconds(begin));
  }
  return best;
}

// `file`: "" for a store in memory.
void list_of_300(const std::string& file) {
  const std::string storage = file.empty() ? "memory:" : "sqlite:" + file;
  OpenedPlatform platform(storage, orlop::Durability::normal);
  const std::string environment = platform.create_environment("production");
  const std::string service = platform.create_container(environment, "api");
  const std::string scopes[] = {"PROJECT", "ENVIRONMENT", "CONTAINER"};
  const std::vector<std::string> parents = {platform.id_of("project"), environment, service};
  for (int at = 0; at < 291; ++at) {
    const auto scope = static_cast<std::size_t>(at % 3);
    platform.create("/variable", body_of("KEY_" + std::to_string(at), "value of some length " + std::to_string(at),
                                         scopes[scope], parents[scope]));
  }
  double best = 1e9;
  const std::string path = "/variable?scope=CONTAINER&parent_id=" + service;
  for (int round = 0; round < 2000; ++round) {
    const auto begin = Clock::now();
    const std::string listed = platform.request("GET", path);
    best = std::min(best, microseconds(begin));
  }
  std::printf("GET of 300 variables over four scopes, %-7s           %8.1f us", file.empty() ? "memory" : "SQLite",
              best);
  if (!file.empty()) {
    const double raw = raw_list(file, parents);
    std::printf(", SQLite alone for their bodies %.1f us, ratio %.2f", raw, raw / best);
  }
  std::printf("\n");
}

void edit_that_reaches(const std::string& storage, const char* name, int services) {
  bench::CommitTimes times;
  OpenedPlatform platform(timed(storage, times));
  std::string last;
  std::vector<std::string> environments;
  for (int made = 0; made < services;) {
    const std::string environment = platform.create_environment("e" + std::to_string(made));
    for (int at = 0; at < 1000 && made < services; ++at, ++made)
      last = platform.create_container(environment, "s" + std::to_string(at));
    environments.push_back(environment);
  }
  const std::string variable = platform.create("/variable", body_of("A", "1", "PROJECT", platform.id_of("project")));
  platform.run();
  // The first variable has put all services out of date.
  for (const std::string& environment : environments)
    platform.request("POST", "/environment/" + environment + "/deploy");
  platform.run();
  const auto is_fresh = [&] {
    return platform.request("GET", "/container/" + last + "/status").find("UP_TO_DATE") != std::string::npos;
  };
  if (!is_fresh()) bench::fail("the services are not deployed");
  const std::string what = "edit that reaches " + std::to_string(services) + " services";
  const Stopwatch watch(times);
  platform.request("PUT", "/variable/" + variable, R"({"key":"A","value":"2"})");
  watch.print(what + ", request", name);
  platform.run();
  watch.print(what + ", all marks", name);
  if (is_fresh()) bench::fail("the edit has marked nothing");
}

std::string imported(int count, const std::string& scope) {
  std::string body = R"({"overwrite":false,"vars":[)";
  for (int key = 0; key < count; ++key) {
    body += (key == 0 ? "" : ",") + (R"({"name":"KEY_)" + std::to_string(key)) +
            R"(","value":"value of some length","scope":")" + scope + R"(","is_secret":false})";
  }
  return body + "]}";
}

void clone_of(const std::string& storage, const char* name, int services, int variables_each) {
  bench::CommitTimes times;
  OpenedPlatform platform(timed(storage, times));
  const std::string environment = platform.create_environment("production");
  const std::string body = imported(variables_each, "CONTAINER");
  for (int at = 0; at < services; ++at) {
    const std::string service = platform.create_container(environment, "s" + std::to_string(at));
    platform.request("POST", "/container/" + service + "/environmentVariable/import", body);
  }
  const Stopwatch watch(times);
  platform.request("POST", "/environment/" + environment + "/clone", R"({"name":"copy"})");
  platform.run();
  watch.print(
      "clone of " + std::to_string(services) + " services, " + std::to_string(services * variables_each) + " variables",
      name);
}

// Imports `variables` variables into one environment.
void import_of(const std::string& storage, const char* name, int variables) {
  bench::CommitTimes times;
  OpenedPlatform platform(timed(storage, times));
  const std::string environment = platform.create_environment("production");
  const std::string service = platform.create_container(environment, "api");
  const std::string body = imported(variables, "ENVIRONMENT");
  const Stopwatch import(times);
  platform.request("POST", "/container/" + service + "/environmentVariable/import", body);
  platform.run();
  import.print("import of " + std::to_string(variables) + " variables into an environment", name);
  const Stopwatch clone(times);
  platform.request("POST", "/environment/" + environment + "/clone", R"({"name":"copy"})");
  platform.run();
  clone.print("clone of an environment with " + std::to_string(variables) + " variables", name);
}

}  // namespace

int main(int count, char** given) {
  // Without arguments all benchmarks; else those whose names are given, such as edit-sqlite or, of one size,
  // edit-sqlite:1000.
  const std::vector<std::string> wanted(given + 1, given + count);
  const auto runs = [&](const std::string& name) {
    return wanted.empty() || std::ranges::find(wanted, name) != wanted.end();
  };
  const bench::Folder folder("variables");
  if (runs("resolve")) resolution_of_300();
  if (runs("list")) {
    list_of_300("");
    list_of_300(folder.file("list.db"));
  }
  const auto run = [&](const std::string& work, int count, const auto& measure) {
    const std::string size = ":" + std::to_string(count);
    if (runs(work + "-memory") || runs(work + "-memory" + size)) measure("memory:", "memory", count);
    if (runs(work + "-sqlite") || runs(work + "-sqlite" + size))
      measure("sqlite:" + folder.file(work + std::to_string(count) + ".db"), "SQLite", count);
  };
  for (const int services : {1000, 10'000}) run("edit", services, edit_that_reaches);
  for (const int services : {100, 1000})
    run("clone", services,
        [](const std::string& storage, const char* name, int count) { clone_of(storage, name, count, 20); });
  for (const int variables : {1000, 10'000}) run("import", variables, import_of);
  return 0;
}
