// Work on many services at once, at two sizes: how long the caller waits, how long all of it takes, and the longest
// time for which one of its commits blocks other writers, by the clock and in processor time. In memory, and in a
// durable file. ORLOP_BENCH_BULK sets the large size (default 10000; the small one is a tenth).
// ORLOP_BENCH_BULK_ONLY=environment: only the large environment in a file.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include "opened_platform.h"
#include "paired.h"
#include "records/bulk_jobs/part_bound.h"
#include "store/forwarding_transaction.h"
#include "store/open.h"

namespace {

using bench::OpenedPlatform;

// Estimated and measured durations of the commits of one kind, in milliseconds of the processor.
struct Compared {
  std::size_t commits = 0;
  double estimated = 0;
  double measured = 0;
};

// Stages of one write transaction, in milliseconds of the clock; and the size of the records that it wrote, for the
// share of the disk.
struct Stages {
  std::size_t text = 0;  // bytes
  double reading = 0;    // until its changes were computed
  double applying = 0;
  double committing = 0;
  double all() const { return reading + applying + committing; }
};

// Write transactions of one store: count, and the longest one.
struct Held {
  Stages longest = {};
  double longest_computing = 0;
  std::size_t commits = 0;
  std::map<std::string, Compared>* compared = nullptr;  // by kind of change; nullptr: no comparison
};

constexpr double compared_min = 5;  // milliseconds: in shorter transactions reads cost more than changes

struct Estimate {
  std::string kind;
  double milliseconds = 0;
  std::size_t text = 0;  // bytes
};

Estimate estimate_of(const orlop::Changes& changes) {
  std::size_t text = 0;
  for (const orlop::RecordWrite& write : changes.records)
    text += write.record.body.size() + write.record.secrets.size();
  namespace cost = orlop::change_cost;
  const std::size_t texts = text / 1024 * cost::kilobyte;
  const std::size_t all = changes.erasures.size() * cost::erasure + changes.records.size() * cost::record + texts +
                          changes.machines.size() * cost::machine + changes.events.size() * cost::event;
  const bool has_large_text = text > changes.records.size() * std::size_t{100'000};
  const char* kind = changes.erasures.size() > 20  ? "erasures"
                     : has_large_text              ? "large texts"
                     : changes.records.size() > 20 ? "records"
                                                   : "machines";
  return {kind, static_cast<double>(all) / 1000, text};
}

double computing_now() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

double milliseconds_now() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class TimedTransaction final : public orlop::ForwardingTransaction {
 public:
  TimedTransaction(std::unique_ptr<orlop::Transaction> behind, Held& held)
      : ForwardingTransaction(std::move(behind)),
        held_(held),
        since_(milliseconds_now()),
        computing_since_(computing_now()) {}
  ~TimedTransaction() override {
    release();
    end_stage(has_applied_ ? stages_.committing : stages_.reading);
    if (stages_.all() > held_.longest.all()) held_.longest = stages_;
    const double spent = computing_now() - computing_since_;
    held_.longest_computing = std::max(held_.longest_computing, spent);
    if (held_.compared != nullptr && estimate_.milliseconds >= compared_min) {
      Compared& compared = (*held_.compared)[estimate_.kind];
      ++compared.commits;
      compared.estimated += estimate_.milliseconds;
      compared.measured += spent;
    }
    ++held_.commits;
  }
  TimedTransaction(const TimedTransaction&) = delete;
  TimedTransaction& operator=(const TimedTransaction&) = delete;

  orlop::Result<void> apply_and_commit(orlop::Changes changes) override {
    return Transaction::apply_and_commit(std::move(changes));
  }
  orlop::Result<void> apply(orlop::Changes changes) override {
    estimate_ = estimate_of(changes);
    stages_.text = estimate_.text;
    end_stage(stages_.reading);
    has_applied_ = true;
    orlop::Result<void> applied = behind().apply(std::move(changes));
    end_stage(stages_.applying);
    return applied;
  }

 private:
  void end_stage(double& stage) {
    const double now = milliseconds_now();
    stage += now - since_;
    since_ = now;
  }

  Held& held_;
  double since_;  // begin of the current stage
  double computing_since_;
  Stages stages_;
  bool has_applied_ = false;
  Estimate estimate_;
};

class TimedStore final : public orlop::Store {
 public:
  TimedStore(std::unique_ptr<orlop::Store> behind, Held& held) : behind_(std::move(behind)), held_(held) {}
  orlop::Result<std::unique_ptr<orlop::Transaction>> begin(orlop::Access access) override {
    ORLOP_TRY(transaction, behind_->begin(access));
    if (access == orlop::Access::read) return std::move(transaction);
    return std::unique_ptr<orlop::Transaction>(std::make_unique<TimedTransaction>(std::move(transaction), held_));
  }

 private:
  std::unique_ptr<orlop::Store> behind_;
  Held& held_;
};

// An organization with one large environment.
struct Content {
  explicit Content(std::size_t count) : services(count) {
    OpenedPlatform platform("memory:");
    organization = platform.id_of("organization");
    cluster = platform.id_of("cluster");
    project = platform.id_of("project");
    environment = platform.create_environment("big");
    for (std::size_t at = 0; at < services; ++at) {
      platform.create("/environment/" + environment + "/container",
                      R"({"name":"s)" + std::to_string(at) + R"(","registry_id":")" +
                          platform.id_of("container_registry") +
                          R"(","image_name":"shop/web","tag":"1.0","auto_preview":true,"healthchecks":{}})");
    }
    snapshot = *platform.engine().snapshot();
  }

  std::size_t services;
  std::string organization;
  std::string cluster;
  std::string project;
  std::string environment;
  std::string snapshot;
};

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

class Bulk {
 public:
  Bulk(const std::string& storage, const Content& content)
      : content_(content),
        platform_(store_at(storage, held_), content.snapshot),
        prefix_(storage.substr(0, storage.find(':')) + ", " + std::to_string(content.services) + " services: ") {}

  void run() {
    const std::string path = "/environment/" + content_.environment;
    work("deploy", path + "/deploy");
    row("snapshot", [this] { bytes_ += platform_.engine().snapshot()->size(); });
    work("mark as out of date", "/project/" + content_.project + "/environmentVariable", {},
         R"({"key":"LEVEL","value":"info"})");
    work("deploy again", path + "/deploy");
    work("stop", path + "/stop");
    work("deploy, then stop while it runs", path + "/deploy", path + "/stop");
    work("deploy, canceled", path + "/deploy", path + "/cancelDeployment");
    work("clone", path + "/clone", {}, R"({"name":"copy"})");
    work("preview", "/organization/" + content_.organization + "/container/preview", {},
         R"({"image_name":"shop/web","tag":"2.0"})");
    work("delete the services and the environment", path);
  }

  void remove_cluster() {
    work("delete the cluster with its environments", "/organization/" + content_.organization + "/cluster/" +
                                                         content_.cluster + "?deleteMode=DELETE_PLATFORM_CONFIG");
  }

  void remove_organization() { work("delete the organization", "/organization/" + content_.organization); }

  // Comparisons of all work in files.
  static std::map<std::string, Compared>& compared() {
    static std::map<std::string, Compared> all;
    return all;
  }

 private:
  static std::unique_ptr<orlop::Store> store_at(const std::string& storage, Held& held) {
    auto opened = orlop::open_store(storage);
    if (!opened) bench::fail("open: " + opened.error().message);
    return std::make_unique<TimedStore>(std::move(*opened), held);
  }

  void ask(const std::string& path, const std::string& body) {
    const auto last = path.substr(path.rfind('/') + 1);
    platform_.request(last.substr(0, last.find('?')).size() == 36 ? "DELETE" : "POST", path, body);
  }

  // Measures a request and all ticks that follow from it. `second` is sent after the first tick.
  void work(const std::string& name, const std::string& first, const std::string& second = {},
            const std::string& body = {}) {
    row(name + ": the request", [&] { ask(first, body); });
    if (!second.empty()) {
      row(name + ": one tick", [&] { (void)tick(); });
      row(name + ": the second request", [&] { ask(second, ""); });
    }
    row(name + ": all ticks", [&] {
      while (tick()) {}
    });
  }

  bool tick() {
    const auto next = platform_.engine().tick();
    if (!next) bench::fail(next.error().message);
    return next->has_value();
  }

  void row(const std::string& name, const std::function<void()>& action) {
    held_ = {.compared = prefix_.starts_with("sqlite") ? &compared() : nullptr};
    const double before = processor_seconds();
    const double seconds = bench::seconds_of(action);
    const double spent = processor_seconds() - before;
    const Stages& longest = held_.longest;
    std::printf(
        "%-76s %9.1f ms, %8.1f ms of them computing; %5zu commits, the longest %6.1f ms (reading %.1f, applying %.1f, "
        "committing %.1f; %.0f kB), computing %6.1f ms\n",
        (prefix_ + name).c_str(), seconds * 1000, spent * 1000, held_.commits, longest.all(), longest.reading,
        longest.applying, longest.committing, static_cast<double>(longest.text) / 1000, held_.longest_computing);
    std::fflush(stdout);
  }

  const Content& content_;
  Held held_;
  OpenedPlatform platform_;
  std::string prefix_;
  std::size_t bytes_ = 0;
};

}  // namespace

int main() {
  const bench::Folder folder("bulk");
  const char* given = std::getenv("ORLOP_BENCH_BULK");
  const std::size_t large = given == nullptr ? 10'000 : static_cast<std::size_t>(std::strtoull(given, nullptr, 10));
  if (std::getenv("ORLOP_BENCH_BULK_ONLY") != nullptr) {
    const Content content(large);
    Bulk("sqlite:" + folder.file("bulk.db"), content).run();
    return 0;
  }
  for (const std::size_t services : {large / 10, large}) {
    const Content content(services);
    for (const std::string& storage :
         {std::string("memory:"), "sqlite:" + folder.file("bulk-" + std::to_string(services) + ".db")}) {
      Bulk(storage, content).run();
    }
    for (const std::string& storage :
         {std::string("memory:"), "sqlite:" + folder.file("cluster-" + std::to_string(services) + ".db")}) {
      Bulk(storage, content).remove_cluster();
    }
  }
  for (const std::size_t services : {large / 2, 5 * large}) {
    const Content content(services);
    for (const std::string& storage :
         {std::string("memory:"), "sqlite:" + folder.file("organization-" + std::to_string(services) + ".db")}) {
      Bulk(storage, content).remove_organization();
    }
  }
  // The cost constants of core/records/bulk_jobs/part_bound.h are valid where the ratio is at most 1.
  for (const auto& [kind, compared] : Bulk::compared()) {
    const auto commits = static_cast<double>(compared.commits);
    std::printf("%-12s %6zu commits, estimated %6.1f ms each, measured %6.1f ms, ratio %.2f\n", kind.c_str(),
                compared.commits, compared.estimated / commits, compared.measured / commits,
                compared.measured / compared.estimated);
  }
  return 0;
}
