// What is requested in a simulation and waits in QUEUED, because a rule of requests says so (rules/rule.h): for a time,
// or while other requests are under way.
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
  // A request that a rule decided about and that has not ended. Requests of rules with the same text are of one line.
  struct Entry {
    Id request;        // of a cluster: its operation
    Id held;           // what is released: the deployment request, or the cluster
    std::string rule;  // as it was given: JSON
    std::uint32_t parallel = 0;
    Instant until;
    bool waits = false;
  };
  using Memory = std::vector<Entry>;  // in the order of the requests
  using Number = std::uint64_t;       // counts requests in their order

  // The rules (nullptr: nothing waits), and where environments are noted to which they give a lifetime. Both must
  // outlive the queue.
  void set_rules(RuleSet* rules, Lifetimes& lifetimes) {
    rules_ = rules;
    lifetimes_ = &lifetimes;
  }
  // While it is suspended, new requests do not wait.
  void suspend(bool is_suspended);

  Result<bool> holds(Unit& unit, const Record& subject, Action action, const Id& request) override;
  Result<void> created(Unit& unit, const Record& environment) override;
  // Asks the rules of environments about all that have no lifetime: rules were added.
  Result<void> decide_environments(Unit& unit);

  // What a unit has done, which the queue does not know before confirm().
  struct Settled {
    std::vector<Number> released;
    std::vector<Number> ended;
    bool has_released = false;  // some of `released` was still held
  };
  // Releases what has waited long enough and has room, in the order of the requests. Costs what is under way and what
  // is released. If the unit is not committed, forget what this answers.
  Result<Settled> settle(Unit& unit);
  // The unit of settle() is committed.
  void confirm(const Settled& settled);

  // Notes what was requested before the store was opened and has not ended: the rules that are added decide about it as
  // they would have when it was requested. A simulation that is opened from a snapshot knows it from there.
  Result<void> note_open(Unit& unit);

  // Whether settle() has something to look at.
  bool has_work() const;
  bool is_empty() const;
  // When the next one has waited long enough, of those whose time is not over at `now`.
  std::optional<Instant> due(Instant now) const;

  Memory memory() const;
  void go_back(Memory memory);
  // A list of the entries, and back. Error invalid.
  void write(Writer& out) const;
  Result<void> restore(const Value& given, Instant now);

 private:
  // The requests of one rule.
  struct Line {
    std::uint32_t parallel = 0;  // 0: no bound
    std::size_t size = 0;
    std::set<Number> ready;  // those that wait for room only
    std::set<Number> under_way;
  };
  void add(Entry entry);
  void erase(Number number);
  void end_waits(Instant now);
  // A line whose first request may go on, if it is still open.
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
  // Under the lock, after a change of what it guards.
  void note_any() { has_any_ = !entries_.empty() || !open_.empty(); }

  std::atomic<bool> has_any_ = false;  // of entries_ or open_; a simulation without takes no lock
  mutable std::mutex mutex_;
  bool is_suspended_ = false;
  Number last_ = 0;
  std::map<Number, Entry> entries_;
  std::vector<std::pair<Id, Id>> open_;  // request and what is held of it, about which no rule has decided
  std::uint64_t decided_ = 0;            // RuleSet::additions() when they were last asked
  // What follows from the entries.
  std::unordered_map<Id, Number> numbers_;  // by request
  std::map<std::string, Line> lines_;       // by rule
  std::set<std::pair<Instant, Number>> timed_;
};

}  // namespace orlop
