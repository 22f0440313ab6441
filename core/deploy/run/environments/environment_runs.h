// Running requests of environments: starts the next one, executes the runner's decisions, processes reports and
// deadlines, ends requests. Changes are written into the unit; calls of the driver wait in InFlight.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/flat_map.h"
#include "base/id.h"
#include "base/options/settings.h"
#include "base/result.h"
#include "deploy/driver/step_variables.h"
#include "deploy/request/request_history.h"
#include "deploy/run/run.h"
#include "deploy/run/state_transition.h"
#include "deploy/run/steps/in_flight.h"
#include "deploy/run/steps/step_report.h"
#include "unit/unit.h"

namespace orlop {

// Reads these services, and which releases they have, where the store reads in batches.
Result<void> load_with_releases(Unit& unit, std::span<const Id> services, std::vector<Id> others = {});

inline constexpr std::size_t services_by_tick = 500;  // of one request, that one tick begins, moves or ends

class EnvironmentRuns {
 public:
  // `woken` gets environments with new work in the same tick; `again` those whose work continues with the next tick.
  EnvironmentRuns(const Settings& settings, InFlight& in_flight, std::vector<Id>& woken, std::vector<Id>& again)
      : settings_(settings), in_flight_(in_flight), woken_(woken), again_(again) {}

  // Recovery: continues a request that was running, and starts its steps again. Writes nothing; decisions wait for
  // wake().
  Result<void> resume(Unit& unit, const Machine& request);

  // Returns the jobs that have been deployed, stopped or uninstalled since the last call.
  std::vector<Id> take_settled() { return std::exchange(settled_, {}); }

  // Sets the partitions that this engine holds.
  void hold(PartitionSet partitions) { held_ = partitions; }
  // Discards the requests of these partitions.
  void drop(PartitionSet partitions);

  // Called before the unit of a tick, with a unit that only reads: reads what a tick needs of many services, so that no
  // other writer waits for it.
  bool wants_reading() const { return !wanted_.empty(); }
  Result<void> read_ahead(Unit& unit);

  // For a store that reads in batches: adds the services that start when these steps have ended; loads what lies below
  // services whose configuration is read.
  void add_next(std::span<const StepPlace> ended, std::vector<Id>& subjects) const;
  Result<void> load_configurations(Unit& unit, std::span<const Id> services);

  // If the number of parallel steps is limited: has_waiting() reports whether a start of the environment waits for its
  // turn, take_turn() starts one.
  bool has_waiting(const Id& environment) const;
  Result<void> take_turn(Unit& unit, const Id& environment);

  // Ends a step without a report, after a repair of its service.
  Result<void> lose(Unit& unit, const Id& step, const StepPlace& place) { return forget_step(unit, step, place); }

  // Begins the next request of the environment, or processes a cancel.
  Result<void> wake(Unit& unit, const Id& environment);
  Result<void> report(Unit& unit, const Report& report, const StepPlace& place);
  Result<void> expire(Unit& unit, const Id& step, const StepPlace& place);
  // Processes the driver's report on a workload.
  Result<void> observe(Unit& unit, const Report& report);

 private:
  // The driver has the running steps already, or has to start them again.
  enum class Asked : std::uint8_t { already, again };

  // A large request as it was read before it begins. Only edits change its services until then; what an edit changes in
  // the plan counts from the next request on.
  struct AheadOfBegin {
    std::uint64_t revision = 0;   // of the request's machine
    std::vector<Machine> queued;  // its services, ascending by id
    std::vector<Id> outdated;     // services whose plan has to be captured again (deploy/request/queuing.h)
    std::string planned;          // of a delete: its services, for the history (RequestBody::planned)
  };

  struct Included {
    std::vector<Machine> services;  // that the request has moved, ascending by id
    Id refused;                     // one that did not allow the action; nil if none
  };

  struct Rested {
    bool is_complete = false;  // false: services are left for the next tick
    bool is_large = false;     // its history is read ahead
  };

  void forget(const Id& environment);
  Result<std::vector<Machine>> services_queued(Unit& unit, const RequestBody& body);
  static Result<std::string> planned_of(Unit& unit, const std::vector<Machine>& services);
  Result<bool> prepare(Unit& unit, StoredRequest& request, std::vector<Machine>& queued);
  Result<bool> prepare_large(Unit& unit, StoredRequest& request, std::vector<Machine>& queued);
  Result<AheadOfBegin> read_begin(Unit& unit, const StoredRequest& request);
  Result<void> begin(Unit& unit, StoredRequest&& request);
  Result<Included> queue_following(Unit& unit, const StoredRequest& request, std::vector<Machine> queued);
  Result<void> end_refused(Unit& unit, StoredRequest&& request, const Id& refused);
  Result<void> begin_on_cluster(Unit& unit, StoredRequest&& request);
  Result<void> end_without_cluster(Unit& unit, StoredRequest&& request, std::string reason);
  static Result<bool> is_overtaken_by_deletion(Unit& unit, const Machine& request);
  Result<void> cancel_waiting(Unit& unit, StoredRequest&& request);
  Result<bool> release_canceled(Unit& unit, const Id& environment, const std::vector<Machine>& requests);
  Result<void> release(Unit& unit, StoredRequest&& request);
  Result<std::optional<std::vector<Id>>> next_to_rest(Unit& unit, const StoredRequest& request);
  Result<Rested> bring_to_rest(Unit& unit, const StoredRequest& request, ServiceEvent event, std::string_view reason);
  Result<void> end_when(Unit& unit, const Rested& rested, StoredRequest&& request, ServiceState status);
  Result<bool> finish_request(Unit& unit, StoredRequest&& request, ServiceState status, bool is_large);
  void read_with_next_tick(const RequestBody& request);
  Result<void> attach(Unit& unit, Run run, const std::vector<Machine>& services, Asked asked);
  Result<void> load_again(Unit& unit, const Run& run, std::span<const Machine> services);
  Result<void> ask_again(Unit& unit, Run& run, std::uint32_t part, const Machine& service);
  // Counts the step as running, and asks the driver to end it if it is to be canceled.
  void follow_step(const Run& run, std::uint32_t part, const Machine& service);
  Result<bool> take_cancel(Unit& unit, Run& run, const Machine& request);
  Result<bool> cancel_step(Unit& unit, const Run& run, std::uint32_t part);

  Result<void> make_release(Unit& unit, const Run& run, const Report& report, StateTransition& service);
  Result<void> keep_release(Unit& unit, const Id& step, StateTransition& service);
  static Result<void> end_release_after(Unit& unit, const StateTransition& service, StepKind kind, StepResult result);
  Result<void> set_deadline(Unit& unit, StateTransition& service);
  // These may end the run and destroy it; references into it are then invalid.
  Result<void> apply(Unit& unit, Run& run, const Id& step, const StepPlace& place, StateTransition& service,
                     StepResult result);
  Result<void> carry_out(Unit& unit, Run& run, std::vector<Decision>& decisions);
  Result<void> carry_out_pending(Unit& unit, Id environment);
  // `remarks` gets sentences on the configuration for the step's log.
  Result<void> configure_step(Unit& unit, Run& run, std::uint32_t part, StepTexts texts, Step& step,
                              const Record& record, std::vector<std::string>& remarks);
  Result<void> check_step(Unit& unit, Run& run, std::uint32_t part, Step& step, const Record& record,
                          std::vector<std::string>& remarks);
  StepTexts texts_of(const Run& run, const Machine& service) const;
  Result<bool> is_large(Unit& unit, Run& run);
  void note_starting(const Run& run, std::span<const Decision> decisions);
  Result<bool> may_refer_to_variables(Unit& unit, const Run& run, const Record& service);
  Result<bool> start(Unit& unit, Run& run, std::uint32_t part, StepKind kind);
  Result<void> abandon(Unit& unit, const Run& run, std::uint32_t part);
  Result<void> load_starts(Unit& unit, const Run& run, std::span<const Decision> decisions);
  Result<StepScope> scope_of(Unit& unit, const Run& run);
  // Returns the run of the environment; null if none.
  Run* find_run(const Id& environment) {
    const std::unique_ptr<Run>* const found = runs_.find(environment);
    return found == nullptr ? nullptr : found->get();
  }
  const Run* find_run(const Id& environment) const { return const_cast<EnvironmentRuns*>(this)->find_run(environment); }
  // Returns the run of a step; null if it has ended, here or in another engine on the same store.
  Run* run_of(const StepPlace& place);
  Result<void> forget_step(Unit& unit, const Id& step, const StepPlace& place);
  Result<void> finish_deleted(Unit& unit, StateTransition& service);
  static Result<StoredRequest> request_of(Unit& unit, Run& run, Machine machine);
  Result<void> end(Unit& unit, Id environment);

  const Settings& settings_;
  InFlight& in_flight_;
  std::vector<Id>& woken_;
  std::vector<Id>& again_;
  std::vector<Id> settled_;
  std::vector<Decision> decided_;  // of a report, kept for its memory
  std::size_t last_count_ = 0;     // services of the request before, to reserve memory for the next
  PartitionSet held_ = PartitionSet::all();
  FlatMap<Id, std::unique_ptr<Run>> runs_;  // by environment
  SharedVariables shared_variables_;
  // Services whose steps begin together and that have not been checked for references to variables.
  std::vector<Id> starting_;
  std::unordered_map<Id, bool> are_referring_;  // checked ones
  // Data read of large requests, by request, and requests of which more is wanted. Read again after a recovery.
  struct Ahead {
    Id environment;
    std::optional<RequestHistory> history = {};  // of one that ends
    std::optional<AheadOfBegin> begin = {};      // of one that begins
    // For one that ends without a run: its services in a transient state, ascending.
    std::optional<std::vector<Id>> moving = {};
  };
  std::unordered_map<Id, Ahead> ahead_;
  std::vector<Id> wanted_;
};

}  // namespace orlop
