// What is requested in a simulation and waits in QUEUED, because a rule of requests says so (rules/rule.h): for a time, or while other requests are under way.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/instant.h"
#include "base/port.h"
#include "base/result.h"
#include "deploy/request/request_gate.h"
#include "model/value.h"
#include "sim/rules/rule_set.h"
#include "wire/writer.h"

namespace orlop {

// Threads: every function may be called from any thread.
class RequestQueue {
 public:
  // A request that a rule decided about and that has not ended. Requests of rules with the same text are of one queue.
  struct Entry {
    Id request;   // of a cluster: its operation
    Id held;      // what is released: the deployment request, or the cluster
    std::string rule;  // as it was given: JSON
    std::uint32_t parallel = 0;
    Instant until;
    bool waits = false;
  };
  using Memory = std::vector<Entry>;  // in the order of the requests

  // nullptr: nothing waits. Must outlive the queue.
  void set_rules(RuleSet* rules) { rules_ = rules; }
  // While it is suspended, new requests do not wait.
  void suspend(bool is_suspended);

  // As RequestGate::holds().
  Result<bool> holds(Unit& unit, const Record& subject, Action action, const Id& request);
  // Releases what has waited long enough and has room, and forgets what has ended. True: something was released.
  Result<bool> settle(Unit& unit);
  bool is_empty() const;
  // When the next one has waited long enough, of those whose time is not over at `now`.
  std::optional<Instant> due(Instant now) const;

  Memory memory() const;
  void go_back(Memory memory);
  // A list of the entries, and back. Error invalid.
  void write(Writer& out) const;
  Result<void> restore(const Value& given);

 private:
  RuleSet* rules_ = nullptr;
  mutable std::mutex mutex_;
  bool is_suspended_ = false;
  Memory entries_;
};

// The external systems of a simulation, whichever they are, which are its gate of requests, too.
class GatedExternalSystems final : public ExternalSystems, public RequestGate {
 public:
  explicit GatedExternalSystems(RequestQueue& queue) : queue_(queue) {}
  // Must outlive this. Called before the first question.
  void set_systems(ExternalSystems& systems) { systems_ = &systems; }

  Result<std::string> ask(std::string_view question, std::string_view input) override { return systems_->ask(question, input); }
  bool answers(std::string_view question) const override { return systems_->answers(question); }
  Result<bool> holds(Unit& unit, const Record& subject, Action action, const Id& request) override { return queue_.holds(unit, subject, action, request); }

 private:
  RequestQueue& queue_;
  ExternalSystems* systems_ = nullptr;
};

}  // namespace orlop
