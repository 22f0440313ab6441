// Requests of a simulation that wait in QUEUED by a rule of requests (rules/rule.h): for a time, or while other
// requests are under way.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/id.h"
#include "base/instant.h"
#include "base/result.h"
#include "deploy/request/request_gate.h"
#include "model/value.h"
#include "sim/requests/lifetimes.h"
#include "sim/rules/rule_set.h"
#include "wire/writer.h"

namespace orlop {

// Threads: every function may be called from any thread.
class RequestQueue final : public RequestGate {
 public:
  // A request that a rule decided about and that has not ended. Requests of rules with the same text form a line.
  struct Entry {
    Id request;        // of a cluster: its operation
    Id held;           // the deployment request or the cluster to release
    std::string rule;  // JSON, as given
    std::uint32_t parallel = 0;
    Instant until;
    bool waits = false;
  };
  using Memory = std::vector<Entry>;  // in the order of the requests
  using Number = std::uint64_t;       // counts requests in their order

  // Sets the rules (null: nothing waits), and where the lifetimes of environments are noted. Both must outlive the
  // queue.
  void set_rules(RuleSet* rules, Lifetimes& lifetimes) {
    rules_ = rules;
    lifetimes_ = &lifetimes;
  }
  // While it is suspended, new requests do not wait.
  void suspend(bool is_suspended);

  Result<bool> holds(Unit& unit, const Record& subject, Action action, const Id& request) override;
  Result<void> created(Unit& unit, const Record& environment) override;
  // Asks the rules about all environments without a lifetime, after rules were added.
  Result<void> decide_environments(Unit& unit);

  // Effects of a unit, which the queue applies with confirm().
  struct Settled {
    std::vector<Number> released;
    std::vector<Number> ended;
    bool has_released = false;  // some of `released` was still held
  };
  // Releases requests that have waited long enough and are within the limit of their line, in the order of the
  // requests. The cost depends on what is under way and what is released. If the unit is not committed, drop the
  // result.
  Result<Settled> settle(Unit& unit);
  // Called when the unit of settle() is committed.
  void confirm(const Settled& settled);

  // Notes the requests from before the store was opened that have not ended: rules that are added later decide about
  // them as of the time of the request. A simulation that is opened from a snapshot has them from there.
  Result<void> note_open(Unit& unit);

  bool has_work() const;
  bool is_empty() const;
  // Returns the first instant after `now` at which a request has waited long enough; nullopt if none.
  std::optional<Instant> due(Instant now) const;

  Memory memory() const;
  void go_back(Memory memory);
  // Write and restore a list of the entries. Error invalid.
  void write(Writer& out) const;
  Result<void> restore(const Value& given, Instant now);

 private:
  // Requests of one rule.
  struct Line {
    std::uint32_t parallel = 0;  // 0: no limit
    std::size_t size = 0;
    std::set<Number> ready;  // requests that wait only for the limit
    std::set<Number> under_way;
  };
  void add(Entry entry);
  void erase(Number number);
  void end_waits(Instant now);
  // A line whose first request may be released, if it is still open.
  struct Turn {
    const Line* line = nullptr;
    std::set<Number>::const_iterator next;
    std::size_t room = 0;
    friend bool operator>(const Turn& left, const Turn& right) { return *left.next > *right.next; }
  };
  Result<std::vector<Turn>> turns(Unit& unit, Settled& out) const;
  Result<void> release(Unit& unit, std::vector<Turn> turns, Settled& out) const;
  Result<void> decide_open(Unit& unit);
  Result<bool> decide_open(Unit& unit, const Id& request, const Id& held);
  Result<void> drop_first_timed(Unit& unit, Settled& out) const;

  void note_lifetime(const Record& environment, const Step& step);
  bool gives_lifetimes() const { return rules_ != nullptr && rules_->has_rules_of(RuleSubject::environment); }

  RuleSet* rules_ = nullptr;
  Lifetimes* lifetimes_ = nullptr;
  // Call with the lock held after a change of entries_ or open_.
  void note_any() { has_any_ = !entries_.empty() || !open_.empty(); }

  std::atomic<bool> has_any_ = false;  // whether entries_ or open_ has entries; if not, no lock
  mutable std::mutex mutex_;
  bool is_suspended_ = false;
  Number last_ = 0;
  std::map<Number, Entry> entries_;
  std::vector<std::pair<Id, Id>> open_;  // request and its held resource; no rule has decided yet
  std::uint64_t decided_ = 0;            // RuleSet::additions() when they were last asked
  // Derived from the entries.
  std::unordered_map<Id, Number> numbers_;  // by request
  std::map<std::string, Line> lines_;       // by rule
  std::set<std::pair<Instant, Number>> timed_;
};

}  // namespace orlop
